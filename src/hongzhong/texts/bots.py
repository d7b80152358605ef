"""The bots that a player may sit down with, in words."""

from __future__ import annotations

from typing import Final

LEVELS: Final[dict[str, tuple[str, str]]] = {
    # bot: (English, Chinese)
    "beginner": ("beginner", "初级"),
    "greedy": ("average", "普通"),
    "value": ("expert", "高手"),
    "search": ("master", "大师"),
}
ABOUT: Final[dict[str, tuple[str, str]]] = {
    "beginner": ("misses claims and lets good tiles go", "常漏吃碰，打牌随意"),
    "greedy": ("goes for the fastest hand", "只求快听"),
    "value": ("weighs speed, worth and danger", "权衡快慢、大小、安危"),
    "search": ("plays each choice out many times before it moves", "每一步都推演许多遍"),
}
