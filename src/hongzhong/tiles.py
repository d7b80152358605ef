"""Tile kinds and their notations: mpsz text, Chinese names, Unicode tiles.

A kind is an int 0-33: 0-8 characters 1m-9m, 9-17 bamboos 1s-9s, 18-26 dots 1p-9p, 27-33 honours 1z-7z (东南西北白发中).
Melds as text: chow ``(345m)``, pung ``(888p)``, exposed kong ``(2222s)``, added kong ``(2222s+)``, concealed kong
``[2222s]``, masked ``[????]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

N_KINDS: Final = 34
SUIT_LETTERS: Final = "mspz"
HONOURS: Final = range(27, 34)
UNKNOWN: Final = -1
"""A tile that the reader may not see, written ``?``."""

CHOW: Final = 0
PUNG: Final = 1
EXPOSED_KONG: Final = 2
ADDED_KONG: Final = 3
CONCEALED_KONG: Final = 4
KONG_NAMES: Final = {EXPOSED_KONG: "exposed", ADDED_KONG: "added", CONCEALED_KONG: "concealed"}

KIND_NAMES: Final = tuple(f"{n}{s}" for s in SUIT_LETTERS for n in range(1, 8 if s == "z" else 10))
KIND_OF: Final = {name: kind for kind, name in enumerate(KIND_NAMES)}
_DIGITS_ZH: Final = "一二三四五六七八九"
CHINESE: Final = tuple(d + s for s in "万条筒" for d in _DIGITS_ZH) + (
    "东风",
    "南风",
    "西风",
    "北风",
    "白板",
    "发财",
    "红中",
)
CHINESE_SHORT: Final = tuple(d + s for s in "万条筒" for d in _DIGITS_ZH) + tuple("东南西北白发中")
ENGLISH: Final = tuple(f"{n} {s}" for s in ("character", "bamboo", "dot") for n in range(1, 10)) + (
    "east", "south", "west", "north", "white dragon", "green dragon", "red dragon",
)  # fmt: skip
GLYPHS: Final = tuple(
    [chr(0x1F007 + n) for n in range(9)]
    + [chr(0x1F010 + n) for n in range(9)]
    + [chr(0x1F019 + n) for n in range(9)]
    + [chr(0x1F000 + n) for n in range(4)]
    + [chr(0x1F006), chr(0x1F005), chr(0x1F004)]
)


class TileError(ValueError):
    """A text that names no tiles, or a meld that cannot be."""


class Meld(NamedTuple):
    """A fixed set (C5). ``kind`` is its tile kind, the lowest one for a chow; ``UNKNOWN`` for a masked concealed kong."""

    form: int
    kind: int

    @property
    def is_kong(self) -> bool:
        return self.form >= EXPOSED_KONG

    def kinds(self) -> list[int]:
        """Its tiles: three of a chow or pung, four of a kong."""
        if self.form == CHOW:
            return [self.kind, self.kind + 1, self.kind + 2]
        return [self.kind] * (4 if self.is_kong else 3)


def suit_of(kind: int) -> int:
    """0-2 for the suits m, s, p, 3 for honours."""
    return min(kind // 9, 3)


def rank_of(kind: int) -> int:
    """1-9 within a suit, 1-7 within the honours."""
    return kind % 9 + 1


_RUN: Final = re.compile(r"([0-9]+)([mspz])|(\?+)")


def parse_mpsz(text: str) -> list[int]:
    """The kinds of a text such as ``123m7z`` or ``?????``, in its order. Raises ``TileError``."""
    kinds: list[int] = []
    at = 0
    while at < len(text):
        match = _RUN.match(text, at)
        if match is None:
            raise TileError(
                f"unknown tile at {text[at : at + 12]!r}: write tiles as 123m7z (m 万, s 条, p 筒, z 东南西北白发中)"
            )
        digits, letter = match.group(1), match.group(2)
        if letter is None:
            kinds += [UNKNOWN] * len(match.group(0))
        else:
            for digit in digits:
                kind = KIND_OF.get(digit + letter)
                if kind is None:
                    raise TileError(f"unknown tile {digit}{letter}: honours are 1z-7z, suit tiles 1-9 of m, s, p")
                kinds.append(kind)
        at = match.end()
    return kinds


def format_mpsz(kinds: Iterable[int]) -> str:
    """The shortest mpsz text in the given order; unknown tiles are ``?``."""
    out: list[str] = []
    last = ""
    for kind in kinds:
        if kind == UNKNOWN:
            out.append(last + "?")
            last = ""
            continue
        digit, letter = KIND_NAMES[kind][0], KIND_NAMES[kind][1]
        if last and last != letter:
            out.append(last)
        out.append(digit)
        last = letter
    out.append(last)
    return "".join(out)


def parse_tile(text: str) -> int:
    """One kind. Raises ``TileError``."""
    kinds = parse_mpsz(text)
    if len(kinds) != 1:
        raise TileError(f"{text!r} is {len(kinds)} tiles where one is wanted, such as 5m")
    return kinds[0]


def format_meld(meld: Meld) -> str:
    """The meld as text, masked if its kind is unknown."""
    if meld.form == CONCEALED_KONG:
        return "[????]" if meld.kind == UNKNOWN else f"[{format_mpsz(meld.kinds())}]"
    return f"({format_mpsz(meld.kinds())}{'+' if meld.form == ADDED_KONG else ''})"


def parse_meld(text: str) -> Meld:
    """Reads a meld; its shape is checked (no runs of honours, C8), not whether a rule set allows it. Raises ``TileError``."""
    if text == "[????]":
        return Meld(CONCEALED_KONG, UNKNOWN)
    concealed = text.startswith("[") and text.endswith("]")
    if len(text) < 3 or not (concealed or (text.startswith("(") and text.endswith(")"))):
        raise TileError(f"{text!r} is no meld: write (345m), (888p), (2222s), (2222s+) or [2222s]")
    inner = text[1:-1]
    added = inner.endswith("+")
    kinds = sorted(parse_mpsz(inner.removesuffix("+")))
    if UNKNOWN not in kinds:
        same = len(set(kinds)) == 1
        if concealed:
            if same and len(kinds) == 4 and not added:
                return Meld(CONCEALED_KONG, kinds[0])
        elif same and len(kinds) == 4:
            return Meld(ADDED_KONG if added else EXPOSED_KONG, kinds[0])
        elif not added and same and len(kinds) == 3:
            return Meld(PUNG, kinds[0])
        elif (
            not added
            and [kind - kinds[0] for kind in kinds] == [0, 1, 2]
            and suit_of(kinds[0]) == suit_of(kinds[2]) < 3
        ):
            return Meld(CHOW, kinds[0])
    raise TileError(f"impossible meld {text!r}: three in a row of one suit, three alike, or four alike")


def counts_of(kinds: Sequence[int]) -> list[int]:
    """How many of each of the 34 kinds; unknown tiles are not counted."""
    counts = [0] * N_KINDS
    for kind in kinds:
        if kind != UNKNOWN:
            counts[kind] += 1
    return counts
