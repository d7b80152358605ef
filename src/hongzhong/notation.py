"""Hands as people type them: mpsz, Chinese names or Unicode tiles, melds in brackets, ``+`` before the winning tile."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from hongzhong.tiles import GLYPHS, KIND_OF, UNKNOWN, Meld, TileError, format_mpsz, parse_meld, parse_mpsz

_NUMERALS: Final = {char: str(rank) for rank, char in enumerate("一二三四五六七八九", 1)} | {
    char: str(rank) for rank, char in enumerate("１２３４５６７８９", 1)
}
_SUITS: Final = {
    "万": "m", "萬": "m", "条": "s", "條": "s", "束": "s", "索": "s", "筒": "p", "饼": "p", "餅": "p",
}  # fmt: skip
_HONOURS: Final = {
    "东": "1z", "東": "1z", "南": "2z", "西": "3z", "北": "4z", "白": "5z", "发": "6z", "發": "6z", "発": "6z", "中": "7z",
}  # fmt: skip
_SECOND: Final = {"1z": "风風", "2z": "风風", "3z": "风風", "4z": "风風", "5z": "板", "6z": "财財", "7z": ""}
"""What may follow the first character of an honour's name."""
_BRACKETS: Final = str.maketrans("（）【】［］〔〕＋", "()[][][]+")
_SKIPPED: Final = re.compile(r"[\s,，、·;；|\ufe0e\ufe0f]+")
_DIGITS: Final = re.compile(r"[0-9一二三四五六七八九１-９]+")
_HINT: Final = "write tiles as 123m7z, 三万红中 or 🀉🀄 (m 万, s 条, p 筒, z 东南西北白发中)"


class TypedHand(NamedTuple):
    """Kinds in the order typed; ``tile`` is the one after ``+``, None if there was none."""

    concealed: list[int]
    melds: list[Meld]
    tile: int | None


def parse_tiles(text: str) -> list[int]:
    """The kinds of a text in any notation, mixed ones too. Raises ``TileError`` telling where it stopped."""
    kinds: list[int] = []
    at = 0
    while at < len(text):
        skipped = _SKIPPED.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        found, at = _next_tiles(text, at)
        kinds += found
    return kinds


def _next_tiles(text: str, at: int) -> tuple[list[int], int]:
    """The tiles that begin at a place, and the place after them."""
    char = text[at]
    if char in GLYPHS:
        return [GLYPHS.index(char)], at + 1
    if char == "?":
        return [UNKNOWN], at + 1
    if char in "红紅" and text[at + 1 : at + 2] == "中":
        return [KIND_OF["7z"]], at + 2
    if char in _HONOURS:
        name = _HONOURS[char]
        follows = text[at + 1 : at + 2]
        return [KIND_OF[name]], at + (2 if follows and follows in _SECOND[name] else 1)
    digits = _DIGITS.match(text, at)
    if digits:
        letter = text[digits.end() : digits.end() + 1]
        suit = _SUITS.get(letter, letter.lower())
        if suit and suit in "mspz":
            ranks = "".join(_NUMERALS.get(digit, digit) for digit in digits.group())
            return parse_mpsz(ranks + suit), digits.end() + 1
        raise TileError(f"{digits.group()} in {text!r} has no suit behind it: {_HINT}")
    raise TileError(f"unknown tile at {text[at:]!r}: {_HINT}")


def parse_hand(text: str) -> TypedHand:
    """A hand such as ``123m456m55m23p (999p) + 4p`` or ``东东东 [二二二二条]``. Raises ``TileError``."""
    text = text.translate(_BRACKETS)
    concealed: list[int] = []
    melds: list[Meld] = []
    tile: int | None = None
    for part in re.findall(r"\([^()]*\)|\[[^\[\]]*\]|\+|[^()\[\]+]+|.", text, re.DOTALL):
        if part == "+":
            if tile is not None:
                raise TileError("the winning tile stands behind one + only")
            tile = UNKNOWN
        elif part[0] in "([" and len(part) > 1:
            melds.append(_typed_meld(part))
        elif part in "()[]":
            raise TileError(
                f"a bracket {part} without its other half: write melds as (345m), (888p), (2222s+) or [2222s]"
            )
        else:
            kinds = parse_tiles(part)
            if tile == UNKNOWN and kinds:
                if len(kinds) > 1:
                    raise TileError(f"{format_mpsz(kinds)} behind the +: the winning tile is one tile")
                tile = kinds[0]
            else:
                concealed += kinds
    if tile == UNKNOWN:
        raise TileError("nothing behind the +: the winning tile stands there")
    return TypedHand(concealed, melds, tile)


def _typed_meld(part: str) -> Meld:
    inner = part[1:-1].rstrip()
    added = inner.endswith("+")
    tiles = format_mpsz(sorted(parse_tiles(inner.removesuffix("+"))))
    return parse_meld(f"{part[0]}{tiles}{'+' if added else ''}{part[-1]}")
