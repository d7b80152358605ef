"""How far a hand is from a win, what it waits for, what to discard: exact under a sheet and its options (docs/analysis.md)."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from struct import Struct
from typing import Any, Final, NamedTuple

import numpy as np

from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.measure import FARTHEST
from hongzhong.layout import BY_DISCARD, BY_DRAW, OUTLOOK, STATE
from hongzhong.plans import plans_of
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet
from hongzhong.score import Hand, ScoreError, Scorer, Verdict, scorer_of
from hongzhong.tiles import KIND_NAMES, N_KINDS, UNKNOWN, Meld
from hongzhong.view import View


class AnalysisError(RuleError):
    """A rule set that can be played and scored, but not analysed: says which condition stands in the way."""


@dataclass(frozen=True, slots=True)
class Held:
    """A checked hand of 3n + 1 or 3n + 2 concealed tiles. ``unseen``: copies of each kind that the seat has not seen in its hand, its
    melds or elsewhere; ``free``: mask of the kinds of which it does not hold all copies itself."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    unseen: tuple[int, ...]
    free: int
    packed: bytes = field(repr=False, compare=False)

    @property
    def drawn(self) -> bool:
        """Whether it holds 3n + 2 tiles, so that it wins or discards."""
        return len(self.concealed) % 3 == 2


class Copies(NamedTuple):
    """A kind and how many of it the seat has not seen."""

    kind: int
    unseen: int


@dataclass(frozen=True, slots=True)
class Wait:
    """A kind that wins. ``drawn`` and ``discarded``: the verdicts by either way; the latter does not win where that is not allowed."""

    kind: int
    unseen: int
    drawn: Verdict
    discarded: Verdict

    @property
    def draw(self) -> int:
        """Points by own draw."""
        return self.drawn.points

    @property
    def discard(self) -> int | None:
        """Points on a discard, None where that is not allowed."""
        return self.discarded.points if self.discarded.win else None


class Discard(NamedTuple):
    """What a discard leaves: the distance (None: no win is within reach), the unseen copies of all useful kinds, and the most points of
    any win reached in the fewest exchanges, None where that is not worked out (a distance above 1, or not asked for)."""

    kind: int
    distance: int | None
    copies: int
    points: int | None
    mask: int
    unseen: tuple[int, ...]

    @property
    def useful(self) -> tuple[Copies, ...]:
        """The kinds that then bring the hand nearer."""
        return tuple(Copies(kind, self.unseen[kind]) for kind in kinds_in(self.mask))


@dataclass(frozen=True, slots=True)
class Analysis:
    """``distance``: tiles to exchange until the hand can win, 0 ready, -1 won, None out of reach. ``useful`` and, when ready, ``waits``
    of 3n + 1 tiles; ``discards`` of 3n + 2, best first."""

    distance: int | None
    waits: tuple[Wait, ...] = ()
    useful: tuple[Copies, ...] = ()
    discards: tuple[Discard, ...] = ()


_MELDS: Final = Struct("8q")
_NO_MELDS: Final = _MELDS.pack(*[-1] * 8)


_NO_WORTHS: Final = np.full(N_KINDS, -1, np.int64)


class _Bench:
    """The kernels' scratch of one thread, for one hand."""

    def __init__(self) -> None:
        self.buffer = bytearray(_MELDS.size + 2 * N_KINDS)
        self.rows = np.frombuffer(self.buffer, np.int64, 8).reshape(1, 8)
        self.counts = np.frombuffer(self.buffer, np.uint8, N_KINDS, _MELDS.size).reshape(1, N_KINDS)
        self.unseen = np.frombuffer(self.buffer, np.uint8, N_KINDS, _MELDS.size + N_KINDS)
        self.states = np.zeros(1, STATE)
        self.outlooks = np.zeros(2, OUTLOOK)
        self.out = np.zeros(1, np.int64)
        self.worths = np.zeros(N_KINDS, np.int64)
        self.found = np.zeros((N_KINDS, 5), np.int64)
        self.after = np.zeros((1, N_KINDS), np.int64)
        self.useful = np.zeros((1, N_KINDS), np.int64)
        self.tables = hand_tables()


class _Local(threading.local):
    bench: _Bench | None = None


_LOCAL: Final = _Local()


def kinds_in(mask: int) -> list[int]:
    """The kinds whose bits are set."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


class Analyst:
    """One rule set made ready for analysis. Safe to share between threads. Raises ``AnalysisError`` for one that the tables cannot
    express."""

    def __init__(self, rules: RuleSet) -> None:
        lack = plans_of(rules).lack
        if lack:
            raise AnalysisError(
                f"{rules.id} cannot be analysed: the hand tables do not know {lack}; it can be played and scored all the same"
            )
        self.rules = rules
        self.scorer: Scorer = scorer_of(rules)
        self._record: Any = self.scorer.record

    def hold(self, concealed: Sequence[int], melds: Sequence[Meld] = (), seen: Iterable[int] = ()) -> Held:
        """The hand, if it can be under this rule set. ``seen``: tiles seen elsewhere, in rivers and others' melds; a claimed tile lies in
        its meld only. Raises ``ScoreError``."""
        scorer, elsewhere = self.scorer, list(seen)
        if UNKNOWN in (*concealed, *elsewhere):
            raise ScoreError("unknown tile ?: every tile must be known")
        scorer.check_melds(melds)
        least = 13 - 3 * len(melds)
        if len(concealed) not in (least, least + 1):
            beside = f" beside {len(melds)} melds" if melds else ""
            raise ScoreError(
                f"{len(concealed)} concealed tiles{beside}: {least} are wanted, or {least + 1} after a draw;"
                " sets laid down are given as melds"
            )
        scorer.check_copies(bytes(concealed[1:]), melds, concealed[0])
        counts = bytearray(N_KINDS)
        for kind in concealed:
            counts[kind] += 1
        left = [copies - count for copies, count in zip(scorer.copies, counts, strict=True)]
        for meld in melds:
            for kind in meld.kinds():
                left[kind] -= 1
        free = sum(1 << kind for kind, copies in enumerate(left) if copies > 0)
        for kind in elsewhere:
            left[kind] -= 1
        for kind, copies in enumerate(left):
            if copies < 0:
                if not scorer.copies[kind]:
                    raise ScoreError(f"{self.rules.id} has no tile {KIND_NAMES[kind]}")
                raise ScoreError(
                    f"{scorer.copies[kind] - copies} copies of {KIND_NAMES[kind]} in the hand and seen elsewhere"
                )
        fixed = _NO_MELDS
        if melds:
            numbers = [number for meld in melds for number in meld]
            fixed = _MELDS.pack(*numbers, *[-1] * (8 - len(numbers)))
        return Held(tuple(sorted(concealed)), tuple(melds), tuple(left), free, fixed + bytes(counts) + bytes(left))

    def hold_view(self, view: View) -> Held:
        """A seat's own hand as its view shows it, with all that it has seen. Raises ``ScoreError`` for a spectator."""
        if not 0 <= view.seat <= 3:
            raise ScoreError("a spectator holds no hand")
        seen = [kind for river in view.rivers for kind, claimed in river if not claimed]
        for seat, melds in enumerate(view.melds):
            if seat != view.seat:
                seen += [kind for laid in melds if laid.meld.kind != UNKNOWN for kind in laid.meld.kinds()]
        return self.hold(view.hand, [laid.meld for laid in view.melds[view.seat]], seen)

    def _lay(self, hand: Held) -> _Bench:
        bench = _LOCAL.bench
        if bench is None:
            bench = _LOCAL.bench = _Bench()
        bench.buffer[:] = hand.packed
        measure.lay_hands(self._record, bench.states, bench.counts, bench.rows)
        return bench

    def distance(self, hand: Held) -> int | None:
        """Fewest tiles to exchange until the hand can win: 0 ready, -1 won, None if no win is within reach."""
        bench = self._lay(hand)
        measure.distances(bench.tables, self._record, bench.states, bench.outlooks, bench.out)
        found = bench.out.item(0)
        return found if found < FARTHEST else None

    def wait_kinds(self, hand: Held) -> list[int]:
        """Kinds that win, and of which the seat does not hold all copies itself. Raises ``ScoreError`` for 3n + 2 tiles."""
        self._want(hand, drawn=False)
        bench = self._lay(hand)
        measure.wait_masks(bench.tables, self._record, bench.states, bench.out)
        return kinds_in(bench.out.item(0) & hand.free)

    def waits(self, hand: Held) -> tuple[Wait, ...]:
        """Each kind that wins, with what it pays. Raises ``ScoreError`` for 3n + 2 tiles."""
        return tuple(
            Wait(kind, hand.unseen[kind], self._won(hand, kind, BY_DRAW), self._won(hand, kind, BY_DISCARD))
            for kind in self.wait_kinds(hand)
        )

    def _won(self, hand: Held, kind: int, how: int) -> Verdict:
        return self.scorer.verdict(Hand(hand.concealed, hand.melds, kind, how))

    def useful(self, hand: Held) -> tuple[Copies, ...]:
        """Each kind that brings the hand nearer. Raises ``ScoreError`` for 3n + 2 tiles."""
        self._want(hand, drawn=False)
        bench = self._lay(hand)
        measure.distances(bench.tables, self._record, bench.states, bench.outlooks, bench.out)
        if bench.out.item(0) >= FARTHEST:
            return ()
        measure.useful_masks(bench.tables, self._record, bench.states, bench.outlooks, bench.out)
        return tuple(Copies(kind, hand.unseen[kind]) for kind in kinds_in(bench.out.item(0) & hand.free))

    def discards(self, hand: Held, *, points: bool = True) -> tuple[Discard, ...]:
        """What each discard leaves, in order of merit: the smaller distance, then more useful copies, then more points. Without ``points``
        none are worked out. Raises ``ScoreError`` for 3n + 1 tiles."""
        self._want(hand, drawn=True)
        bench = self._lay(hand)
        measure.discard_tables(bench.tables, self._record, bench.states, bench.outlooks, bench.after, bench.useful)
        worths = _NO_WORTHS
        if points:
            worths = bench.worths
            measure.discard_worths(
                bench.tables,
                self._record,
                bench.states,
                bench.outlooks,
                bench.unseen,
                bench.after,
                bench.useful,
                worths,
            )
        n_found = measure.list_discards(bench.states, bench.unseen, bench.after, bench.useful, worths, bench.found)
        return tuple(
            [
                Discard(kind, after, copies, worth if worth >= 0 else None, mask & hand.free, hand.unseen)
                if after < FARTHEST
                else Discard(kind, None, 0, None, 0, hand.unseen)
                for kind, after, copies, worth, mask in bench.found[:n_found].tolist()
            ]
        )

    def _want(self, hand: Held, *, drawn: bool) -> None:
        if hand.drawn != drawn:
            more = "one more, after a draw" if drawn else "one less, before a draw"
            raise ScoreError(f"{len(hand.concealed)} concealed tiles beside {len(hand.melds)} melds: {more} is wanted")

    def analyse(self, hand: Held, *, points: bool = True) -> Analysis:
        """All of it at once."""
        distance = self.distance(hand)
        if hand.drawn:
            return Analysis(distance, discards=self.discards(hand, points=points))
        return Analysis(distance, self.waits(hand) if distance == 0 else (), self.useful(hand))


@lru_cache(maxsize=256)
def analyst_of(rules: RuleSet) -> Analyst:
    """The analyst of a rule set, made once."""
    return Analyst(rules)
