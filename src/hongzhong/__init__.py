"""Northern Chinese regional mahjong."""
