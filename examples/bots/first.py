#!/usr/bin/env python3
"""A bot in 30 lines: it wins when it may, never claims, throws its loneliest tile (docs/contracts.md, outside bots)."""

import json
import re
import sys


def kinds(tiles: str) -> list[int]:
    """`12m7z` as numbers: 0-8 are 1m-9m, then s, p and seven honours."""
    return ["mspz".index(suit) * 9 + int(n) - 1 for ranks, suit in re.findall(r"(\d+)([mspz])", tiles) for n in ranks]


def company(kind: int) -> int:
    near = range(-2, 3) if kind < 27 else (0,)
    return sum(hand.count(kind + i) * (3 - abs(i)) for i in near if (kind + i) // 9 == kind // 9)


for message in map(json.loads, sys.stdin):
    if message["type"] == "start":
        seat = message["seat"]
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "deal" and message["seat"] == seat:
        hand = kinds(message["tiles"])
    elif message["type"] == "draw" and message["seat"] == seat:
        hand += kinds(message["tile"])
    elif message["type"] == "discard" and message["seat"] == seat:
        hand.remove(kinds(message["tile"])[0])
    elif message["type"] == "prompt":
        discards = [action for action in message["actions"] if action < 34]
        wins = [action for action in message["actions"] if action in (35, 36)]
        action = wins[0] if wins else min(discards, key=company) if discards else 34  # pass
        print(json.dumps({"type": "answer", "id": message["id"], "action": action}), flush=True)
