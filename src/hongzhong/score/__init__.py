"""The door to the scoring kernels: a checked hand in, a verdict out (docs/contracts.md, Scores)."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import numpy as np

from hongzhong.events import Pattern
from hongzhong.kernels import judge as asks
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.judge import NO_SEAT, REQUEST_SIZE, VERDICT_SIZE, judge
from hongzhong.kernels.patterns import FACT_EARTH, FACT_HEAVEN, FACT_LAST_TILE, FACT_REPLACEMENT
from hongzhong.kernels.tables import FAR
from hongzhong.layout import BY_DISCARD, BY_DRAW, BY_KONG, OUTLOOK, STATE, compile_rules
from hongzhong.plans import plans_of
from hongzhong.rules.variant import Condition, RuleSet
from hongzhong.rules.vocabulary import BITS, COUNTED
from hongzhong.score.reading import reading_text
from hongzhong.tiles import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KIND_NAMES,
    PUNG,
    UNKNOWN,
    Meld,
    format_meld,
)

WAYS: Final = ("draw", "discard", "kong")
"""How a hand is won, by number; ``kong`` robs one."""
CLAIM_OF: Final = {
    CHOW: "chow",
    PUNG: "pung",
    EXPOSED_KONG: "exposed_kong",
    ADDED_KONG: "added_kong",
    CONCEALED_KONG: "concealed_kong",
}
INCOMPLETE: Final = "incomplete"
NO_ROBBING, NO_WILD_DISCARD, NO_DISCARD_WIN = "no_robbing", "no_wild_discard_win", "no_discard_win"
"""Reasons that lie in the way of winning; the others are those of the sheet's conditions."""


class ScoreError(ValueError):
    """A hand or request that cannot be: says what is wrong."""


@dataclass(frozen=True, slots=True)
class Seats:
    """Who wins and who deals; ``source``: the discarder or the owner of the robbed kong, -1 for an own draw."""

    winner: int
    dealer: int
    source: int = -1


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that may win on ``tile``. ``concealed`` excludes that tile; ``facts`` are the bits of kernels/patterns.py."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    how: int
    facts: int = 0
    seats: Seats | None = None
    packed: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self,
            "packed",
            pack(bytes(self.concealed), self.melds, self.tile, self.how, self.facts, self.seats, asks.WANT_TEXT),
        )

    @property
    def kongs(self) -> tuple[int, int]:
        """How many exposed (or added) and concealed ones."""
        return count_kongs(self.melds)


@dataclass(frozen=True, slots=True)
class Verdict:
    """``points``: stake x price, before dealer and cap. Without a win ``reason`` and ``ruling`` say why not.

    ``distance``, ``waits`` (kinds) advise on a hand that does not win, where asked for: tiles to exchange, -1 for not known.
    """

    win: bool
    points: int = 0
    bits: int = 0
    patterns: tuple[Pattern, ...] = ()
    reading: str = ""
    payments: tuple[int, int, int, int] | None = None
    reason: str = ""
    ruling: str = ""
    distance: int = -1
    waits: tuple[int, ...] = ()


def count_kongs(melds: Iterable[Meld]) -> tuple[int, int]:
    exposed = concealed = 0
    for meld in melds:
        if meld.form == CONCEALED_KONG:
            concealed += 1
        elif meld.form >= EXPOSED_KONG:
            exposed += 1
    return exposed, concealed


_ROW: Final = struct.Struct("<HBBBBBBBBB8s13s")
assert _ROW.size == REQUEST_SIZE


def pack(
    concealed: bytes,
    melds: Sequence[Meld],
    tile: int,
    how: int,
    facts: int,
    seats: Seats | None,
    wants: int = 0,
    rules: int = 0,
) -> bytes:
    """A request as the kernel reads it (kernels/judge.py)."""
    winner, dealer, source = (NO_SEAT, 0, 0) if seats is None else (seats.winner, seats.dealer, max(seats.source, 0))
    fixed = bytes([number for meld in melds for number in meld]) if melds else b""
    return _ROW.pack(
        rules, wants, tile, how, facts, winner, dealer, source, len(melds), len(concealed), fixed, concealed
    )


class Bench:
    """The kernel's scratch of one thread, with room for ``size`` requests at once."""

    def __init__(self, size: int = 1) -> None:
        self.requests = bytearray(size * REQUEST_SIZE)
        self.verdicts = np.zeros((size, VERDICT_SIZE), np.int64)
        self._rows = np.frombuffer(self.requests, np.uint8).reshape(size, REQUEST_SIZE)
        self._state = np.zeros(1, STATE)
        self._out = np.zeros(4, np.int64)
        self._tables = hand_tables()

    def judge(self, all_rules: Any, n_requests: int) -> None:
        """Answers the first requests, each under the rules that it names by number."""
        judge(self._tables, all_rules, self._state, self._rows, self.verdicts, self._out, n_requests)

    def distance(self, all_rules: Any) -> int:
        """The distance of the hand judged last, which asked for advice and does not win; -1 where no exchange helps."""
        from hongzhong.kernels.measure import distances  # a plain score need not load it

        distances(self._tables, all_rules, self._state, np.zeros(1, OUTLOOK), self._out)
        found = int(self._out[0])
        return found if found < FAR else -1


class _Local(threading.local):
    bench: Bench | None = None


_LOCAL: Final = _Local()


def _bench() -> Bench:
    bench = _LOCAL.bench
    if bench is None:
        bench = _LOCAL.bench = Bench()
    return bench


class Scorer:
    """One rule set made ready for scoring. Safe to share between threads."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.record = compile_rules(rules)
        sheet = rules.sheet
        self.copies = sheet.copies
        self.wild = frozenset(KIND_NAMES.index(name) for name in sheet.wild)
        self.claims = frozenset(form for form, claim in CLAIM_OF.items() if claim in sheet.claims)
        self.early_earth = bool(rules.get("earth_on_first_draw"))
        self.blessings = any(row.id in ("heaven", "earth") for row in sheet.patterns)
        self._conditions: list[Condition] = [c for c in sheet.conditions if rules.holds(c.when)]
        self._patterns: dict[tuple[int, int, int], tuple[Pattern, ...]] = {}

    def worth(self, hand: Hand) -> tuple[int, int]:
        """``(points, pattern bits)`` of a checked hand; points -1 if it does not win. The quick way: the same
        as ``verdict`` says, no text is made."""
        bench = _bench()
        bench.requests[:] = hand.packed
        bench.judge(self.record, 1)
        return bench.verdicts.item(0), bench.verdicts.item(1)

    def verdict(self, hand: Hand, *, advise: bool = False) -> Verdict:
        """Everything about a checked hand; ``advise`` adds distance and waits to one that does not win."""
        barred = self.barred(hand.how, hand.tile)
        if barred is not None:
            return Verdict(False, reason=barred[0], ruling=barred[1])
        bench = _bench()
        bench.requests[:] = hand.packed
        if advise:
            bench.requests[asks.ASK_WANTS] = asks.WANT_TEXT | asks.WANT_ADVICE
        bench.judge(self.record, 1)
        said = bench.verdicts[0].tolist()
        if said[asks.SAID_POINTS] == asks.IMPOSSIBLE:
            self.check_copies(bytes(hand.concealed), hand.melds, hand.tile)
        if said[asks.SAID_POINTS] < 0:
            reason, ruling = self.failure(said[asks.SAID_PASSED])
            waits = tuple(kind for kind in range(34) if said[asks.SAID_WAITS] >> kind & 1) if advise else ()
            told = advise and not plans_of(self.rules).lack  # else the tables only know a bound
            return Verdict(
                False, reason=reason, ruling=ruling, distance=bench.distance(self.record) if told else -1, waits=waits
            )
        bits = said[asks.SAID_BITS]
        return Verdict(
            True,
            points=said[asks.SAID_POINTS],
            bits=bits,
            patterns=self.patterns(bits, *hand.kongs),
            reading=self.reading(said, hand.concealed, hand.melds, hand.tile),
            payments=None if hand.seats is None else tuple(said[asks.SAID_PAYMENTS : asks.SAID_PAYMENTS + 4]),
        )

    def reading(self, said: list[int], concealed: Iterable[int], melds: Sequence[Meld], tile: int) -> str:
        """The best reading as text, the melds as given at its end."""
        counts = [0] * 34
        for kind in (*concealed, tile):
            counts[kind] += 1
        return reading_text(self.rules, said, counts, [format_meld(meld) for meld in melds])

    def patterns(self, bits: int, exposed_kongs: int, concealed_kongs: int) -> tuple[Pattern, ...]:
        """The rows that count, in sheet order."""
        key = (bits, exposed_kongs, concealed_kongs)
        found = self._patterns.get(key)
        if found is None:
            counts = {"exposed_kong": exposed_kongs, "concealed_kong": concealed_kongs}
            found = self._patterns[key] = tuple(
                Pattern(
                    id=row.id,
                    name=row.name.zh,
                    kind=row.kind,
                    value=self.rules.prices[row.id],
                    count=counts[row.id] if row.id in COUNTED else 1,
                    ruling=row.ruling,
                )
                for row in self.rules.sheet.patterns
                if bits >> BITS[row.id] & 1
            )
        return found

    def failure(self, passed: int) -> tuple[str, str]:
        """``(reason, ruling)`` of a hand whose best reading passed so many conditions; -1: it has no reading."""
        if passed < 0:
            return INCOMPLETE, self.rules.sheet.forms[0].ruling
        condition = self._conditions[passed]
        return condition.reason, condition.ruling

    def barred(self, how: int, tile: int) -> tuple[str, str] | None:
        """``(reason, ruling)`` where the rule set never allows this way of winning."""
        if how == BY_DRAW:
            return None
        rules = self.rules
        if not rules.get("discard_wins"):
            return NO_DISCARD_WIN, rules.sheet.options["discard_wins"].ruling
        if how == BY_KONG and not rules.get("rob_kong"):
            return NO_ROBBING, rules.sheet.options["rob_kong"].ruling
        if how == BY_DISCARD and tile in self.wild and not rules.get("wild_discard_wins"):
            return NO_WILD_DISCARD, rules.sheet.options["wild_discard_wins"].ruling
        return None

    def check(
        self,
        concealed: Sequence[int],
        melds: Sequence[Meld],
        tile: int,
        by: str,
        *,
        replacement: bool = False,
        last_tile: bool = False,
        first_turn: bool = False,
        seats: Seats | None = None,
    ) -> Hand:
        """The hand, if it can be under this rule set. Raises ``ScoreError``."""
        how = self.check_way(by, tile, seats)
        if UNKNOWN in (*concealed, tile):
            raise ScoreError("unknown tile ?: every tile of the hand must be known")
        self.check_shape(bytes(concealed), melds)
        self.check_copies(bytes(concealed), melds, tile)
        facts = self.facts(how, melds, seats, replacement, last_tile, first_turn)
        return Hand(tuple(sorted(concealed)), tuple(melds), tile, how, facts, seats)

    def check_shape(self, concealed: bytes, melds: Sequence[Meld]) -> None:
        """Number of tiles, and the melds. Raises ``ScoreError``."""
        if len(melds) > 4:
            raise ScoreError(f"{len(melds)} melds: a hand has at most 4")
        wanted = 13 - 3 * len(melds)
        if len(concealed) != wanted:
            beside = f" beside {len(melds)} melds" if melds else ""
            raise ScoreError(f"{len(concealed)} concealed tiles{beside}: {wanted} are wanted, without the winning tile")
        self.check_melds(melds)

    def check_melds(self, melds: Sequence[Meld]) -> None:
        """Melds that this rule set allows, four at most. Raises ``ScoreError``."""
        if len(melds) > 4:
            raise ScoreError(f"{len(melds)} melds: a hand has at most 4")
        for meld in melds:
            if meld.kind == UNKNOWN:
                raise ScoreError("unknown tile in [????]: every tile of the hand must be known")
            if meld.form not in self.claims:
                claim = CLAIM_OF[meld.form].replace("_", " ")
                raise ScoreError(f"impossible meld {format_meld(meld)}: {self.rules.id} has no {claim}")
            for kind in self.wild.intersection(meld.kinds()):
                name = KIND_NAMES[kind]
                raise ScoreError(f"impossible meld {format_meld(meld)}: {name} is wild and is never melded")

    def check_copies(self, concealed: bytes, melds: Sequence[Meld], tile: int) -> None:
        """As many copies of each kind as the rule set has at most. Raises ``ScoreError``."""
        tiles = [*concealed, tile]
        for meld in melds:
            tiles += meld.kinds()
        for kind in sorted(set(tiles)):
            copies = tiles.count(kind)
            if copies > self.copies[kind]:
                if not self.copies[kind]:
                    raise ScoreError(f"{self.rules.id} has no tile {KIND_NAMES[kind]}")
                raise ScoreError(f"{copies} copies of {KIND_NAMES[kind]}")

    def check_way(self, by: str, tile: int, seats: Seats | None) -> int:
        """The way of winning by number. Raises ``ScoreError``."""
        if by not in WAYS:
            raise ScoreError(f"by: bad value {by!r}; it takes {', '.join(WAYS)}")
        how = WAYS.index(by)
        if how == BY_KONG and tile in self.wild:
            raise ScoreError(f"{KIND_NAMES[tile]} is wild: it is never in a kong that could be robbed")
        if seats is not None:
            for name, seat in (("winner", seats.winner), ("dealer", seats.dealer), ("from", seats.source)):
                if not 0 <= seat <= 3 and not (name == "from" and how == BY_DRAW and seat == -1):
                    raise ScoreError(f"{name}: bad value {seat}; seats are 0-3")
            if how == BY_DRAW and seats.source != -1:
                raise ScoreError("from: a win by draw comes from nobody")
            if seats.source == seats.winner:
                raise ScoreError(f"from and winner are both {seats.winner}: nobody wins on an own tile")
        return how

    def facts(
        self, how: int, melds: Sequence[Meld], seats: Seats | None, replacement: bool, last_tile: bool, first_turn: bool
    ) -> int:
        """The bits of the flags (N12, H16). Raises ``ScoreError``."""
        facts = 0
        if replacement:
            if how != BY_DRAW:
                raise ScoreError("replacement: a replacement tile is drawn, the win must be by draw")
            if sum(count_kongs(melds)) == 0:
                raise ScoreError("replacement: no kong among the melds, so no replacement tile")
            facts |= FACT_REPLACEMENT
        if last_tile:
            if how != BY_DRAW and self.rules.sheet.wall.keep_last:
                raise ScoreError(f"last_tile: {self.rules.id} never discards the last tile, the win must be by draw")
            facts |= FACT_LAST_TILE
        if first_turn and self.blessings:
            if melds:
                raise ScoreError("first_turn: no meld can have been made by then")
            if seats is None:
                raise ScoreError("first_turn: winner and dealer are wanted, and from unless by draw")
            if how == BY_DRAW and seats.winner == seats.dealer:
                facts |= FACT_HEAVEN
            elif seats.source == seats.dealer if how == BY_DISCARD else how == BY_DRAW and self.early_earth:
                facts |= FACT_EARTH
        return facts


def seats_of(by: str, winner: int | None, dealer: int | None, source: int | None) -> Seats | None:
    """Winner and dealer come together, with the source unless by draw; None where none is given. Raises ``ScoreError``."""
    given = {"winner": winner, "dealer": dealer, "from": source}
    if all(seat is None for seat in given.values()):
        return None
    missing = [name for name, seat in given.items() if seat is None and not (name == "from" and by == "draw")]
    if missing or winner is None or dealer is None:
        raise ScoreError(f"missing {' and '.join(missing)}: winner and dealer come together, with from unless by draw")
    return Seats(winner, dealer, -1 if source is None else source)


@lru_cache(maxsize=256)
def scorer_of(rules: RuleSet) -> Scorer:
    """The scorer of a rule set, made once."""
    return Scorer(rules)


def score(rules: RuleSet, hand: Hand) -> Verdict:
    """What a checked hand is worth, or why it does not win."""
    return scorer_of(rules).verdict(hand)


def win_patterns(rules: RuleSet, bits: int, exposed_kongs: int, concealed_kongs: int) -> list[Pattern]:
    """The rows behind a win's pattern bits, in sheet order."""
    return list(scorer_of(rules).patterns(bits, exposed_kongs, concealed_kongs))


def describe_win(
    rules: RuleSet, concealed: Iterable[int], melds: Iterable[Meld], tile: int, how: int, facts: int = 0
) -> Verdict:
    """The verdict on a hand from play: ``how`` and ``facts`` as the kernels have them, nothing is checked."""
    return scorer_of(rules).verdict(Hand(tuple(concealed), tuple(melds), tile, how, facts))
