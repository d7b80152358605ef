"""Analyses as JSON Lines: a hand a line in, an answer a line out, in order (docs/analysis.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from hongzhong.analysis import Analysis, Analyst, Copies
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import Sheet
from hongzhong.score import ScoreError
from hongzhong.score.lines import Id, Refused, id_in, kinds_of, meld_of, refusal, rules_named
from hongzhong.tiles import KIND_NAMES, TileError


class Request(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One line in. ``seen``: tiles seen elsewhere; ``points``: whether discards say what they may pay."""

    rules: str
    concealed: str
    id: Id | UnsetType = UNSET
    options: Annotated[msgspec.Raw, msgspec.Meta(extra_json_schema={"type": "object"})] | UnsetType = UNSET
    melds: list[str] = []
    seen: str = ""
    points: bool = True


class Waiting(msgspec.Struct, gc=False):
    tile: str
    unseen: int
    draw: int
    discard: int | None
    patterns: list[str]


class Discarding(msgspec.Struct, gc=False):
    tile: str
    distance: int | None
    useful: dict[str, int]
    copies: int
    points: int | None


class Waits(msgspec.Struct, gc=False):
    """The answer for 3n + 1 tiles."""

    id: Id | UnsetType
    distance: int | None
    useful: dict[str, int]
    waits: list[Waiting]


class Discards(msgspec.Struct, gc=False):
    """The answer for 3n + 2 tiles."""

    id: Id | UnsetType
    distance: int | None
    discards: list[Discarding]


_DECODER: Final = msgspec.json.Decoder(Request)
_NO_OPTIONS: Final = msgspec.Raw(b"{}")
_FIELDS: Final = msgspec.structs.fields(Request)
_encode: Final = msgspec.json.Encoder().encode


def _named(tiles: Sequence[Copies]) -> dict[str, int]:
    return {KIND_NAMES[kind]: unseen for kind, unseen in tiles}


class Answerer:
    """Answers requests. Besides the rule sets by name it knows ``sheets``, as they are called in the requests."""

    def __init__(self, sheets: Mapping[str, Sheet] | None = None) -> None:
        self._sheets = dict(sheets or {})
        self._analysts: dict[tuple[str, bytes], Analyst] = {}

    def answer(self, lines: Sequence[bytes]) -> list[bytes]:
        """An answer for each line, without its line end."""
        return [_encode(self._answer(line)) for line in lines]

    def _answer(self, line: bytes) -> Waits | Discards | Refused:
        try:
            request = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return Refused(id_in(line), refusal(error, _FIELDS))
        try:
            analyst = self._analyst(request)
            melds = [meld_of(text) for text in request.melds]
            hand = analyst.hold(kinds_of(request.concealed), melds, kinds_of(request.seen))
            found = analyst.analyse(hand, points=request.points)
        except (ScoreError, TileError, RuleError) as error:
            return Refused(request.id, str(error))
        return _told(request.id, found, drawn=hand.drawn)

    def _analyst(self, request: Request) -> Analyst:
        """Raises ``RuleError``, ``ScoreError``."""
        options = _NO_OPTIONS if request.options is UNSET else request.options
        key = (request.rules, bytes(options))
        analyst = self._analysts.get(key)
        if analyst is None:
            if len(self._analysts) > 1024:
                self._analysts.clear()
            analyst = self._analysts[key] = Analyst(rules_named(self._sheets, request.rules, options))
        return analyst


def _told(name: Any, found: Analysis, *, drawn: bool) -> Waits | Discards:
    if drawn:
        rows = [
            Discarding(KIND_NAMES[one.kind], one.distance, _named(one.useful), one.copies, one.points)
            for one in found.discards
        ]
        return Discards(name, found.distance, rows)
    waits = [
        Waiting(KIND_NAMES[one.kind], one.unseen, one.draw, one.discard, [row.id for row in one.drawn.patterns])
        for one in found.waits
    ]
    return Waits(name, found.distance, _named(found.useful), waits)
