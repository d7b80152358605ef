"""Tiles and melds as text of fixed width, with the colours of suits. One look for the whole terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from hongzhong.tiles import (
    CHINESE,
    CHOW,
    CONCEALED_KONG,
    GLYPHS,
    SUIT_LETTERS,
    UNKNOWN,
    Meld,
    rank_of,
    suit_of,
)

WIDTH: Final = 4
"""Columns of a tile, in every language and with glyphs."""

FELT: Final = "#17443a"
FELT_LIGHT: Final = "#1f5346"
FELT_DARK: Final = "#10332b"
INK: Final = "#e9e4d2"
FAINT: Final = "#9fb8aa"
ACCENT: Final = "#e8a84c"
WIN: Final = "#e0473a"
IVORY: Final = "#f4ecd8"
IVORY_SHADE: Final = "#e3d8bd"
TAKEN: Final = "#7f9384"
BACK: Final = "#2f7d63"

_DIGITS: Final = "一二三四五六七八九"
_SUITS_ZH: Final = "万条筒"
_SUITS_EN: Final = "CBD"
_HONOURS_ZH: Final = "东南西北白发中"
_SHORT_ZH: Final = _DIGITS * 3 + _HONOURS_ZH
_SET: Final = re.compile(r"([0-9*]+)([mspz])")
_HONOURS_EN: Final = ("East", "Sth ", "West", "Nth ", "Wht ", "Grn ", "Red ")
_HONOURS_EN_NAMES: Final = ("East", "South", "West", "North", "White", "Green", "Red")
_SUIT_COLOURS: Final = ("#a32018", "#17703c", "#1c56a0")
_HONOUR_COLOURS: Final = ("#2c2a28",) * 4 + ("#56708c", "#17703c", "#c4161c")


def colour_of(kind: int) -> str:
    """The ink of a tile on its ivory face."""
    return _HONOUR_COLOURS[kind - 27] if kind >= 27 else _SUIT_COLOURS[suit_of(kind)]


def _fit(text: str, width: int = WIDTH) -> str:
    """Centred in ``width`` columns; what is odd goes to the right."""
    free = width - cell_len(text)
    return " " * (free // 2) + text + " " * (free - free // 2)


@dataclass(frozen=True, slots=True)
class Faces:
    """How tiles are written: in ``zh`` or ``en``, or as Unicode glyphs."""

    lang: str
    glyphs: bool = False

    def tile(self, kind: int) -> str:
        """Exactly ``WIDTH`` columns."""
        if kind == UNKNOWN:
            return "░" * WIDTH
        if self.glyphs:
            return _fit(GLYPHS[kind])
        if self.lang == "zh":
            return CHINESE[kind]
        if kind >= 27:
            return _HONOURS_EN[kind - 27]
        return _fit(f"{rank_of(kind)} {_SUITS_EN[suit_of(kind)]}")

    def name(self, kind: int) -> str:
        """Within a sentence."""
        if kind == UNKNOWN:
            return "?"
        if self.glyphs or self.lang == "zh":
            return self.tile(kind).strip()
        return _HONOURS_EN_NAMES[kind - 27] if kind >= 27 else f"{rank_of(kind)}{_SUITS_EN[suit_of(kind)]}"

    def meld(self, meld: Meld) -> str:
        """A meld in at most ten columns: 三四五万, 中中中, [九九九九筒] with brackets while it is concealed."""
        text = self._meld_tiles(meld)
        return f"[{text}]" if meld.form == CONCEALED_KONG else text

    def _meld_tiles(self, meld: Meld) -> str:
        if meld.kind == UNKNOWN:
            return "░" * 8
        kinds = meld.kinds()
        if self.glyphs:
            return "".join(GLYPHS[kind] for kind in kinds)
        suit = suit_of(meld.kind)
        if self.lang == "zh":
            if suit == 3:
                return _HONOURS_ZH[meld.kind - 27] * len(kinds)
            return "".join(_DIGITS[rank_of(kind) - 1] for kind in kinds) + _SUITS_ZH[suit]
        if suit == 3:
            return f"{_HONOURS_EN_NAMES[meld.kind - 27]} x{len(kinds)}"
        return "".join(str(rank_of(kind)) for kind in kinds) + " " + _SUITS_EN[suit]

    def reading(self, text: str) -> str:
        """A reading of the score contract as players of the language write it; ``*`` stays after a wild tile's stand-in."""
        return "  ".join(
            _SET.sub(lambda found: self._set(found.group(1), found.group(2)), part) for part in text.split()
        )

    def _set(self, ranks: str, letter: str) -> str:
        if self.lang != "zh" and not self.glyphs:
            if letter == "z":
                return " ".join(c if c == "*" else _HONOURS_EN[int(c) - 1].strip() for c in ranks).replace(" *", "*")
            return ranks + _SUITS_EN[SUIT_LETTERS.index(letter)]
        first = 9 * SUIT_LETTERS.index(letter) - 1
        names = GLYPHS if self.glyphs else _SHORT_ZH
        end = _SUITS_ZH[SUIT_LETTERS.index(letter)] if letter != "z" and not self.glyphs else ""
        return "".join(c if c == "*" else names[first + int(c)] for c in ranks) + end

    def chow_text(self, low: int) -> str:
        return self._meld_tiles(Meld(CHOW, low))

    def styled_tile(self, kind: int, shade: bool = False, *, last: bool = False, taken: bool = False) -> Text:
        """A tile of a river: ivory in two shades so that neighbours stay apart, amber if last, dim if claimed."""
        if taken:
            return Text(self.tile(kind), Style(color=FELT_DARK, bgcolor=TAKEN, underline=True, dim=False))
        if last:
            return Text(self.tile(kind), Style(color=colour_of(kind), bgcolor=ACCENT, bold=True))
        if kind == UNKNOWN:
            return Text(self.tile(kind), Style(color=FELT_LIGHT, bgcolor=BACK))
        return Text(self.tile(kind), Style(color=colour_of(kind), bgcolor=IVORY_SHADE if shade else IVORY))

    def styled_meld(self, meld: Meld, shade: bool = False) -> Text:
        """A meld on ivory; a concealed kong in brackets, on the back's green while it is face down."""
        if meld.kind == UNKNOWN:
            return Text(self.meld(meld), Style(color=INK, bgcolor=BACK))
        return Text(self.meld(meld), Style(color=colour_of(meld.kind), bgcolor=IVORY_SHADE if shade else IVORY))

    def row(self, kinds: list[int]) -> Text:
        """Tiles side by side, in the two shades."""
        out = Text()
        for i, kind in enumerate(kinds):
            out.append_text(self.styled_tile(kind, bool(i % 2)))
        return out
