"""The frozen alphabet of action numbers, shared by all rule sets; never renumbered within a record format.

====== =============================== ====== =================================
number action                          number action
====== =============================== ====== =================================
0-33   discard of that kind            38-40  chow, the claimed tile low/middle/high
34     pass                            41     false-win call (``manual`` calls, C10)
35     win by own draw                 42-75  exposed kong of kind n - 42
36     win on a discard or robbed kong 76-109 added kong of kind n - 76
37     pung                            110-143 concealed kong of kind n - 110
====== =============================== ====== =================================
"""

from __future__ import annotations

from typing import Final

from hongzhong.tiles import KIND_NAMES, KIND_OF, N_KINDS

DISCARD: Final = 0
PASS: Final = 34
WIN_BY_DRAW: Final = 35
WIN_BY_CLAIM: Final = 36
PUNG: Final = 37
CHOW_LOW: Final = 38
CHOW_MIDDLE: Final = 39
CHOW_HIGH: Final = 40
FALSE_WIN: Final = 41
EXPOSED_KONG: Final = 42
ADDED_KONG: Final = 76
CONCEALED_KONG: Final = 110
N_ACTIONS: Final = 144

_SINGLE: Final = {
    PASS: "pass",
    WIN_BY_DRAW: "win-draw",
    WIN_BY_CLAIM: "win-claim",
    PUNG: "pung",
    CHOW_LOW: "chow-low",
    CHOW_MIDDLE: "chow-middle",
    CHOW_HIGH: "chow-high",
    FALSE_WIN: "false-win",
}
_BLOCKS: Final = {
    "discard": DISCARD,
    "kong-exposed": EXPOSED_KONG,
    "kong-added": ADDED_KONG,
    "kong-concealed": CONCEALED_KONG,
}
_NUMBERS: Final = {name: number for number, name in _SINGLE.items()}


def name_of(action: int) -> str:
    """The stable text of an action, such as ``discard 5m``, ``pung`` or ``kong-added 7s``. Raises ``ValueError``."""
    if action in _SINGLE:
        return _SINGLE[action]
    for block, first in _BLOCKS.items():
        if first <= action < first + N_KINDS:
            return f"{block} {KIND_NAMES[action - first]}"
    raise ValueError(f"no action {action}: actions are 0-{N_ACTIONS - 1}")


def number_of(name: str) -> int:
    """The inverse of ``name_of``. Raises ``ValueError``."""
    if name in _NUMBERS:
        return _NUMBERS[name]
    block, _, tile = name.partition(" ")
    if block in _BLOCKS and tile in KIND_OF:
        return _BLOCKS[block] + KIND_OF[tile]
    raise ValueError(f"no action {name!r}: write it as 'discard 5m', 'pung', 'chow-low', 'kong-concealed 2s' or 'pass'")


def kind_of(action: int) -> int:
    """The kind that a discard or kong names, -1 for the other actions."""
    for first in _BLOCKS.values():
        if first <= action < first + N_KINDS:
            return action - first
    return -1
