"""Scores as JSON Lines: a request a line in, an answer a line out, in order (docs/contracts.md, Scores)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from hongzhong import rules as rule_sets
from hongzhong.kernels import judge as asks
from hongzhong.kernels.readings import PAIR_TEXT, SET_TEXT
from hongzhong.kernels.scoring import FORM_SETS
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet, Sheet, resolve
from hongzhong.score import Bench, ScoreError, Scorer, Seats, count_kongs, pack, seats_of
from hongzhong.tiles import KIND_OF, UNKNOWN, Meld, TileError, parse_meld, parse_mpsz, parse_tile

CHUNK: Final = 512
"""Lines judged at once, at most."""
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Id = str | int


class Request(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """One line in. ``options`` stay as they are written: they name the compiled rule set."""

    rules: str
    concealed: str
    win_tile: str
    by: str
    id: Id | UnsetType = UNSET
    options: msgspec.Raw = msgspec.Raw(b"{}")
    melds: list[str] = []
    replacement: bool = False
    last_tile: bool = False
    first_turn: bool = False
    winner: Seat | UnsetType = UNSET
    dealer: Seat | UnsetType = UNSET
    from_: Seat | UnsetType = msgspec.field(default=UNSET, name="from")


class Won(msgspec.Struct, gc=False):
    id: Id | UnsetType
    win: bool
    points: int
    patterns: msgspec.Raw
    reading: str
    payments: list[int] | UnsetType


class Lost(msgspec.Struct, gc=False):
    id: Id | UnsetType
    win: bool
    reason: str
    ruling: str


class Refused(msgspec.Struct, gc=False):
    id: Id | UnsetType
    error: str


_DECODER: Final = msgspec.json.Decoder(Request)
_OPTIONS: Final = msgspec.json.Decoder(dict[str, Any])
_FIELDS: Final = msgspec.structs.fields(Request)
_encode: Final = msgspec.json.Encoder().encode
_RUN: Final = re.compile(r"[1-9]+[msp]|[1-7]+z")
_ERRORS: Final = (ScoreError, TileError, RuleError)


class _Runs(dict[str, bytes]):
    """Kinds of a run such as ``123m``."""

    def __missing__(self, run: str) -> bytes:
        if len(self) > 100_000:
            self.clear()
        kinds = self[run] = bytes([KIND_OF[digit + run[-1]] for digit in run[:-1]])
        return kinds


_RUNS: Final = _Runs()


def kinds_of(text: str) -> bytes:
    """The kinds of an mpsz text. Raises ``TileError``; ``ScoreError`` for a tile that is not known."""
    runs = _RUN.findall(text)
    if "".join(runs) != text:
        if UNKNOWN in parse_mpsz(text):
            raise ScoreError(f"unknown tile ? in {text!r}: every tile of the hand must be known")
        raise AssertionError(text)
    return b"".join([_RUNS[run] for run in runs])


@lru_cache(maxsize=4096)
def meld_of(text: str) -> Meld:
    return parse_meld(text)


class Answerer:
    """Answers requests. Besides the rule sets by name it knows ``sheets``, as they are called in the requests."""

    def __init__(self, sheets: Mapping[str, Sheet] | None = None) -> None:
        self._sheets = dict(sheets or {})
        self._bench = Bench(CHUNK)
        self._forget()

    def _forget(self) -> None:
        self._known: dict[tuple[str, bytes], tuple[int, Scorer]] = {}
        self._records: Any = None
        self._patterns: dict[tuple[int, int, tuple[int, int]], msgspec.Raw] = {}

    def answer(self, lines: Sequence[bytes]) -> list[bytes]:
        """An answer for each line, without its line end."""
        out: list[bytes] = []
        for start in range(0, len(lines), CHUNK):
            out += self._chunk(lines[start : start + CHUNK])
        return out

    def _chunk(self, lines: Sequence[bytes]) -> list[bytes]:
        if len(self._known) > 4096:
            self._forget()
        answers: list[Any] = [None] * len(lines)
        asked: list[tuple[int, Request, Scorer, int, tuple[int, int], bytes, int]] = []
        rows: list[bytes] = []
        for place, line in enumerate(lines):
            try:
                request = _DECODER.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                answers[place] = Refused(id_in(line), refusal(error, _FIELDS))
                continue
            try:
                number, scorer = self._scorer(request.rules, request.options)
                concealed = kinds_of(request.concealed)
                melds = [meld_of(text) for text in request.melds]
                tile = KIND_OF.get(request.win_tile, UNKNOWN)
                if tile == UNKNOWN:
                    tile = _tile(request.win_tile)
                seats = _seats(request)
                how = scorer.check_way(request.by, tile, seats)
                scorer.check_shape(concealed, melds)
                facts = 0
                if request.replacement or request.last_tile or request.first_turn:
                    facts = scorer.facts(how, melds, seats, request.replacement, request.last_tile, request.first_turn)
                barred = scorer.barred(how, tile) if how else None
                if barred:
                    scorer.check_copies(concealed, melds, tile)
            except _ERRORS as error:
                answers[place] = Refused(request.id, str(error))
                continue
            if barred:
                answers[place] = Lost(request.id, False, *barred)
                continue
            asked.append((place, request, scorer, number, count_kongs(melds) if melds else (0, 0), concealed, tile))
            rows.append(pack(concealed, melds, tile, how, facts, seats, asks.WANT_TEXT, number))
        if rows:
            packed = b"".join(rows)
            self._bench.requests[: len(packed)] = packed
            self._bench.judge(self._records, len(rows))
            for said, (place, request, scorer, number, kongs, concealed, tile) in zip(
                self._bench.verdicts[: len(rows)].tolist(), asked, strict=True
            ):
                answers[place] = self._answer(said, request, scorer, number, kongs, concealed, tile)
        return [_encode(answer) for answer in answers]

    def _answer(
        self,
        said: list[int],
        request: Request,
        scorer: Scorer,
        number: int,
        kongs: tuple[int, int],
        concealed: bytes,
        tile: int,
    ) -> Won | Lost | Refused:
        if said[0] == asks.IMPOSSIBLE:
            try:
                scorer.check_copies(concealed, [meld_of(text) for text in request.melds], tile)
            except ScoreError as error:
                return Refused(request.id, str(error))
        if said[0] < 0:
            return Lost(request.id, False, *scorer.failure(said[asks.SAID_PASSED]))
        key = (number, said[1], kongs)
        patterns = self._patterns.get(key)
        if patterns is None:
            patterns = self._patterns[key] = msgspec.Raw(_encode(scorer.patterns(said[1], *kongs)))
        if said[asks.SAID_FORM] == FORM_SETS:
            sets = said[asks.SAID_SETS : asks.SAID_SETS + said[asks.SAID_COUNT]]
            texts = [SET_TEXT[number] for number in sets]
            texts.append(PAIR_TEXT[said[asks.SAID_PAIR]])
        else:
            texts = [scorer.reading(said, concealed, (), tile)]
        texts += request.melds
        payments = UNSET if request.winner is UNSET else said[asks.SAID_PAYMENTS :]
        return Won(request.id, True, said[0], patterns, " ".join(texts), payments)

    def _scorer(self, name: str, options: msgspec.Raw) -> tuple[int, Scorer]:
        """The rule set's number in the records and its scorer. Raises ``RuleError``, ``ScoreError``."""
        key = (name, bytes(options))
        known = self._known.get(key)
        if known is None:
            scorer = Scorer(rules_named(self._sheets, name, options))
            records = scorer.record if self._records is None else np.concatenate([self._records, scorer.record])
            known = self._known[key] = len(records) - 1, scorer
            self._records = records
        return known


def rules_named(sheets: Mapping[str, Sheet], name: str, options: msgspec.Raw) -> RuleSet:
    """The rule set that a request names, with its options. Raises ``RuleError``, ``ScoreError``."""
    try:
        given = _OPTIONS.decode(options)
    except msgspec.DecodeError as error:
        raise ScoreError(f"options: {error}; they are an object of option and value") from error
    sheet = sheets.get(name)
    if sheet is None:
        if name.endswith(".py"):
            raise ScoreError(f"unknown rule set {name!r}: a file is named on the command line: --rules {name}")
        sheet = rule_sets.sheet(name)
    return resolve(sheet, given)


def _tile(text: str) -> int:
    """The winning tile. Raises ``TileError``, ``ScoreError``."""
    kind = parse_tile(text)
    if kind == UNKNOWN:
        raise ScoreError("unknown tile ?: the winning tile must be known")
    return kind


def _seats(request: Request) -> Seats | None:
    """Raises ``ScoreError``."""
    winner, dealer, source = request.winner, request.dealer, request.from_
    return seats_of(
        request.by,
        None if winner is UNSET else winner,
        None if dealer is UNSET else dealer,
        None if source is UNSET else source,
    )


def id_in(line: bytes) -> Id | UnsetType:
    """The id of a line that is no proper request, if it can be found."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNSET
    name = found.get("id", UNSET) if isinstance(found, dict) else UNSET
    return name if isinstance(name, str | int) and not isinstance(name, bool) else UNSET


def refusal(error: Exception, fields: Sequence[msgspec.structs.FieldInfo]) -> str:
    """What is wrong with a line, in the contract's words."""
    text = str(error)
    field = re.search(r"(unknown|required) field `(.*?)`", text)
    if field and field[1] == "unknown":
        return f"unknown field {field[2]!r}; fields: {', '.join(f.encode_name for f in fields)}"
    if field:
        return f"missing field {field[2]!r}; required: {', '.join(f.encode_name for f in fields if f.required)}"
    where = re.search(r"(.*) - at `\$\.?(.*?)`$", text)
    if where and where[2]:
        return f"{where[2]}: bad value: {where[1][:1].lower()}{where[1][1:].replace('`', '')}"
    if isinstance(error, msgspec.ValidationError):
        return f"no request: {text[:1].lower()}{text[1:].replace('`', '')}"
    return f"no JSON object: {text}"


def answer_lines(lines: Iterable[bytes], sheets: Mapping[str, Sheet] | None = None) -> list[bytes]:
    """Answers to all lines at once."""
    return Answerer(sheets).answer(list(lines))
