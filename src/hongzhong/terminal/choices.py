"""Which key answers with which action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from hongzhong import actions
from hongzhong.terminal.faces import Faces
from hongzhong.texts.terminal import say
from hongzhong.tiles import N_KINDS

TILE_KEYS: Final = "1234567890qwer"
"""The key below each tile of the hand, from the left; the drawn one is the last."""
CHOW_KEYS: Final = "cvb"
KONG_KEYS: Final = "klmnoij"
_WINS: Final = (actions.WIN_BY_DRAW, actions.WIN_BY_CLAIM, actions.FALSE_WIN)


class Choice(NamedTuple):
    """A button: its key (``space`` for the bar), its label, its action number."""

    key: str
    label: str
    action: int


def choices(legal: Sequence[int], claimed: int, faces: Faces, lang: str) -> list[Choice]:
    """The buttons for the legal actions other than discards, the win first, the pass last.

    ``claimed`` is the kind on offer, -1 on an own turn. A false win (C10) hides behind the key of the win: the player judges.
    """
    out: list[Choice] = []
    wins = [action for action in _WINS if action in legal]
    if wins:
        out.append(Choice("h", say(lang, "act_win"), wins[0]))
    if actions.PUNG in legal:
        out.append(Choice("p", say(lang, "act_pung", tile=faces.name(claimed)), actions.PUNG))
    kongs = [action for action in legal if action >= actions.EXPOSED_KONG]
    for key, action in zip(KONG_KEYS, kongs, strict=False):
        tile = faces.name((action - actions.EXPOSED_KONG) % N_KINDS)
        out.append(Choice(key, say(lang, "act_kong", tile=tile), action))
    chows = [action for action in (actions.CHOW_LOW, actions.CHOW_MIDDLE, actions.CHOW_HIGH) if action in legal]
    for key, action in zip(CHOW_KEYS, chows, strict=False):
        low = claimed - (action - actions.CHOW_LOW)
        out.append(Choice(key, say(lang, "act_chow", tile=faces.chow_text(low)), action))
    if actions.PASS in legal:
        out.append(Choice("space", say(lang, "act_pass"), actions.PASS))
    return out


def discards(legal: Sequence[int]) -> frozenset[int]:
    """The kinds that may be discarded."""
    return frozenset(action - actions.DISCARD for action in legal if action < actions.PASS)
