"""Many hands at once: numpy arrays in, numpy arrays out, and an error number for each row that is no hand of the rule set.

``counts`` is (n, 34): concealed tiles by kind. ``melds`` is (n, 4, 2): form (0 chow, 1 pung, 2 exposed, 3 added, 4 concealed kong) and
kind, the lowest of a chow; form -1: no meld. Any integer type will do; nothing is clipped, a row that does not fit is told as such.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hongzhong.analysis import analyst_of
from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.measure import FARTHEST
from hongzhong.layout import OUTLOOK, STATE
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import N_KINDS

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

FAULTY: Final = measure.FAULTY
"""Distance of a row that is no hand."""
UNREACHABLE: Final = measure.UNREACHABLE
"""Distance of a hand that can never win, and of the discard of a kind that is not held."""
CHUNK: Final = 256
"""Hands laid out at once."""


class Fault(IntEnum):
    """What is wrong with a row; 0 for nothing. ``WRONG_SIZE``: concealed tiles other than 13 - 3 melds or one more, or other than what is
    asked about: waits and useful kinds of 3n + 1 tiles, discards of 3n + 2."""

    NONE = measure.NO_FAULT
    NEGATIVE = measure.NEGATIVE
    TOO_MANY = measure.TOO_MANY
    WRONG_SIZE = measure.WRONG_SIZE
    IMPOSSIBLE_MELD = measure.IMPOSSIBLE_MELD
    BARRED_MELD = measure.BARRED_MELD


class Distances(NamedTuple):
    """``distance`` (n): -1 won, 0 ready, ..., ``UNREACHABLE``, ``FAULTY``. ``errors`` (n): see ``Fault``."""

    distance: Ints
    errors: Ints


class Kinds(NamedTuple):
    """``distance`` and ``errors`` (n) as in ``Distances``; ``kinds`` (n, 34): whether the kind is one of them."""

    distance: Ints
    kinds: Bools
    errors: Ints


class DiscardTables(NamedTuple):
    """``distance`` (n, 34): what the discard of a kind leaves, ``UNREACHABLE`` where it is not held; ``useful`` (n, 34, 34): whether the
    second kind then brings the hand nearer; ``errors`` (n): see ``Fault``."""

    distance: Ints
    useful: Bools
    errors: Ints


def _numbers(name: str, given: Any, shape: tuple[int | str, ...]) -> npt.NDArray[Any]:
    """The array, of whole numbers and of that shape. Raises ``TypeError``, ``ValueError``."""
    array = np.asarray(given)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: an array of {array.dtype}; whole numbers are wanted, such as int8 or int64")
    fits = array.ndim == len(shape) and all(
        isinstance(want, str) or have == want for have, want in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ValueError(f"{name}: shape {array.shape}; ({', '.join(map(str, shape))}) is wanted")
    return array


class _Laid:
    """The hands of a batch. ``extra``: which sizes are asked about, 3n + 1 tiles and so many more."""

    def __init__(self, rules: RuleSet, counts: Any, melds: Any, extra: int = 0) -> None:
        analyst = analyst_of(rules)
        given = _numbers("counts", counts, ("n", N_KINDS))
        if given.dtype != np.int8:  # what is cut off here is beyond what any hand holds, and refused below
            given = np.clip(given, -1, 5).astype(np.int8)
        self.counts = np.ascontiguousarray(given).view(np.uint8)
        n_hands = len(given)
        self.rows = np.zeros((0, 8), np.int64)  # none at all: no melds
        if melds is not None:
            fixed = _numbers("melds", melds, ("n", 4, 2))
            if len(fixed) != n_hands:
                raise ValueError(f"melds: {len(fixed)} rows beside {n_hands} rows of counts")
            if fixed.dtype.kind == "u":  # not to be taken for a number below 0
                fixed = np.minimum(fixed, 99)
            self.rows = np.ascontiguousarray(fixed, np.int64).reshape(n_hands, 8)
        self.record: Any = analyst.scorer.record
        self.tables = hand_tables()
        self.outlooks = np.zeros(2, OUTLOOK)
        self.extra = extra
        self.errors = np.zeros(n_hands, np.int64)
        self.free = np.zeros(n_hands, np.int64)

    def chunks(self) -> Iterator[tuple[slice, Any]]:
        """``(rows, states)``, laid out; what a state says of a faulty row tells nothing."""
        states = np.zeros(min(CHUNK, len(self.counts)), STATE)
        for start in range(0, len(self.counts), CHUNK):
            part = slice(start, min(start + CHUNK, len(self.counts)))
            laid = states[: part.stop - part.start]
            counts = self.counts[part]
            rows = self.rows[part] if len(self.rows) else np.full((len(laid), 8), -1, np.int64)
            measure.check_hands(self.record, laid, counts, rows, self.errors[part])
            odd = (counts.sum(axis=1) % 3 != 1 + self.extra) & (self.errors[part] == 0)
            self.errors[part][odd] = Fault.WRONG_SIZE
            measure.free_masks(self.record, laid, self.free[part])
            yield part, laid

    def told(self, distance: Ints) -> Ints:
        """The kernels' distances in the words of this module."""
        distance[distance >= FARTHEST] = UNREACHABLE
        distance[self.errors != 0] = FAULTY
        return distance

    def kinds(self, masks: Ints, reached: Bools) -> Bools:
        """Masks as truth values of the kinds that are still there to draw, none where a hand is faulty or out of reach."""
        free = self.free.reshape(-1, *[1] * (masks.ndim - 1))
        left = np.where(reached, masks & free, 0)
        found: Bools = left[..., None] >> np.arange(N_KINDS) & 1 == 1
        return found


def batch_distance(rules: RuleSet, counts: Any, melds: Any = None) -> Distances:
    """Fewest tiles to exchange until each hand can win (docs/analysis.md). Raises ``AnalysisError`` for rules beyond the tables,
    ``TypeError`` and ``ValueError`` for arrays of the wrong type or shape; a bad row only has its error."""
    hands = _Laid(rules, counts, melds)
    out = np.zeros(len(hands.counts), np.int64)
    limits = np.array(rules.sheet.copies, np.uint8)
    state = np.zeros(1, STATE)
    measure.check_distances(
        hands.tables, hands.record, state, hands.outlooks, hands.counts, hands.rows, limits, hands.errors, out
    )
    return Distances(out, hands.errors)


def _kinds(hands: _Laid, ask: Callable[[Any, Ints], None]) -> Kinds:
    distance, masks = np.zeros(len(hands.counts), np.int64), np.zeros(len(hands.counts), np.int64)
    for part, states in hands.chunks():
        measure.distances(hands.tables, hands.record, states, hands.outlooks, distance[part])
        ask(states, masks[part])
    distance = hands.told(distance)
    return Kinds(distance, hands.kinds(masks, (distance >= 0) & (distance < UNREACHABLE)), hands.errors)


def batch_waits(rules: RuleSet, counts: Any, melds: Any = None) -> Kinds:
    """The kinds that win, of hands of 3n + 1 concealed tiles, and of which a hand does not hold all copies. Raises as ``batch_distance``."""
    hands = _Laid(rules, counts, melds)
    return _kinds(hands, lambda states, out: measure.wait_masks(hands.tables, hands.record, states, out))


def batch_useful(rules: RuleSet, counts: Any, melds: Any = None) -> Kinds:
    """The kinds that bring hands of 3n + 1 concealed tiles nearer. Raises as ``batch_distance``."""
    hands = _Laid(rules, counts, melds)
    return _kinds(
        hands, lambda states, out: measure.useful_masks(hands.tables, hands.record, states, hands.outlooks, out)
    )


def batch_discards(rules: RuleSet, counts: Any, melds: Any = None) -> DiscardTables:
    """What each discard leaves, of hands of 3n + 2 concealed tiles. Raises as ``batch_distance``."""
    hands = _Laid(rules, counts, melds, 1)
    after, useful = (np.zeros((len(hands.counts), N_KINDS), np.int64) for _ in range(2))
    for part, states in hands.chunks():
        measure.discard_tables(hands.tables, hands.record, states, hands.outlooks, after[part], useful[part])
    after = hands.told(after)
    return DiscardTables(after, hands.kinds(useful, (after >= 0) & (after < UNREACHABLE)), hands.errors)
