"""Batches: one step at a time, the same as single hands, and an error for each row that is no hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hongzhong import rules
from hongzhong.analysis import analyst_of
from hongzhong.analysis.batch import (
    FAULTY,
    UNREACHABLE,
    Bools,
    Fault,
    Ints,
    batch_discards,
    batch_distance,
    batch_useful,
    batch_waits,
)
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import ADDED_KONG, CHOW, CONCEALED_KONG, EXPOSED_KONG, KIND_OF, PUNG, Meld, parse_mpsz

MANY = 100_000
FORMS = {
    "chow": CHOW,
    "pung": PUNG,
    "exposed_kong": EXPOSED_KONG,
    "added_kong": ADDED_KONG,
    "concealed_kong": CONCEALED_KONG,
}


def random_hands(sheet: RuleSet, number: int, extra: int, seed: int) -> tuple[Any, Ints]:
    """Hands of any number of melds, dealt from the tiles of the rule set with some leaning to few suits, all in numpy."""
    random = np.random.default_rng((seed, extra))
    copies = np.array(sheet.sheet.copies)
    wild = [KIND_OF[name] for name in sheet.sheet.wild]
    left = np.tile(copies, (number, 1))
    melds = np.full((number, 4, 2), -1, np.int64)
    n_melds = random.choice(5, number, p=[0.4, 0.2, 0.15, 0.15, 0.1])
    forms = [FORMS[claim] for claim in sheet.sheet.claims]
    for place in range(4):
        form = random.choice(forms, number)
        kind = random.choice([k for k in range(34) if copies[k] and k not in wild], number)
        chow = form == CHOW
        kind = np.where(chow, np.minimum(kind, 26) // 9 * 9 + kind % 7, kind)
        rows = np.arange(number)
        taken = np.zeros_like(left)
        taken[rows, kind] = np.where(chow, 1, np.where(form == PUNG, 3, 4))
        for step in (1, 2):
            taken[rows, np.minimum(kind + step, 33)] += chow
        fits = (place < n_melds) & (taken <= left).all(axis=1)
        melds[fits, place] = np.stack([form, kind], axis=1)[fits]
        left[fits] -= taken[fits]
    size = 13 + extra - 3 * (melds[:, :, 0] >= 0).sum(axis=1)
    favour = random.choice([0.02, 1.0], (number, 4), p=[0.4, 0.6])[:, np.arange(34) // 9]
    near = random.choice([0.1, 1.0], (number, 34), p=[0.5, 0.5])
    # the tiles with the smallest keys are dealt: exponential clocks make that a weighted draw
    clocks = random.exponential(size=(number, 34, 4)) / (favour * near)[:, :, None]
    clocks[np.arange(4)[None, None, :] >= left[:, :, None]] = np.inf
    order = np.argsort(clocks.reshape(number, -1), axis=1)[:, :14] // 4
    counts = np.zeros((number, 34), np.int8)
    for place in range(14):
        dealt = place < size
        counts[np.flatnonzero(dealt), order[dealt, place]] += 1
    return counts, melds


def free_kinds(sheet: RuleSet, counts: Any, melds: Ints) -> Bools:
    """Kinds of which a hand does not hold all copies, melds included."""
    used = counts.astype(np.int64)
    for place in range(4):
        form, kind = melds[:, place, 0], melds[:, place, 1]
        for step in range(4):
            tiles = (form >= 0) & ((step < 3) | (form > PUNG))
            np.add.at(used, (np.flatnonzero(tiles), (kind + np.where(form == CHOW, step, 0))[tiles]), 1)
    free: Bools = used < np.array(sheet.sheet.copies)
    return free


@pytest.mark.parametrize("name", rules.names())
def test_a_useful_tile_brings_a_hand_one_nearer_and_no_other_does(name: str) -> None:
    sheet = rules.load(name)
    counts, melds = random_hands(sheet, MANY, 0, 1)
    found = batch_useful(sheet, counts, melds)
    assert not found.errors.any()
    assert set(np.unique(found.distance)) >= {0, 1, 2, 3, 4}
    free = free_kinds(sheet, counts, melds)
    assert not (found.kinds & ~free).any()
    for kind in range(34):
        rows = np.flatnonzero(free[:, kind])
        if len(rows):
            more = counts[rows].copy()
            more[:, kind] += 1
            after = batch_distance(sheet, more, melds[rows]).distance
            nearer = np.where(found.distance[rows] == UNREACHABLE, 0, found.distance[rows] - after)
            assert ((nearer == 0) | (nearer == 1)).all()
            wrong = np.flatnonzero((nearer == 1) != found.kinds[rows, kind])
            assert not len(wrong), f"{counts[rows[wrong[0]]]} {melds[rows[wrong[0]]]} and kind {kind}"
    reachable = (found.distance >= 0) & (found.distance < UNREACHABLE)
    stuck = reachable & ~found.kinds.any(axis=1)
    assert not stuck.any()  # whatever is within reach has a next step


@pytest.mark.parametrize("name", rules.names())
def test_the_best_discard_keeps_the_distance_and_the_table_is_that_of_each_hand_left(name: str) -> None:
    sheet = rules.load(name)
    counts, melds = random_hands(sheet, 4000, 1, 2)
    now = batch_distance(sheet, counts, melds).distance
    table = batch_discards(sheet, counts, melds)
    assert not table.errors.any()
    assert ((table.distance == UNREACHABLE) >= (counts == 0)).all()
    best = table.distance.min(axis=1)
    far = now >= 0
    assert (best[far] == now[far]).all()
    assert (best[~far] >= 0).all() and (now == -1).any()
    free = free_kinds(sheet, counts, melds)
    for kind in range(34):
        rows = np.flatnonzero(counts[:, kind] > 0)
        if len(rows):
            less = counts[rows].copy()
            less[:, kind] -= 1
            left = batch_useful(sheet, less, melds[rows])
            assert (left.distance == table.distance[rows, kind]).all()
            assert ((left.kinds & free[rows]) == table.useful[rows, kind]).all()


@pytest.mark.parametrize("name", rules.names())
def test_batches_say_what_single_hands_say(name: str) -> None:
    sheet = rules.load(name)
    analyst = analyst_of(sheet)
    for extra in (0, 1):
        counts, melds = random_hands(sheet, 300, extra, 3)
        distance = batch_distance(sheet, counts, melds).distance
        for i, row in enumerate(counts.tolist()):
            fixed = [Meld(int(form), int(kind)) for form, kind in melds[i] if form >= 0]
            hand = analyst.hold([kind for kind in range(34) for _ in range(row[kind])], fixed)
            single = analyst.distance(hand)
            assert (UNREACHABLE if single is None else single) == distance[i]
            if extra:
                table = batch_discards(sheet, counts[i : i + 1], melds[i : i + 1])
                for one in analyst.discards(hand, points=False):
                    left = int(table.distance[0, one.kind])
                    assert (UNREACHABLE if one.distance is None else one.distance) == left
                    assert [kind for kind, _ in one.useful] == np.flatnonzero(table.useful[0, one.kind]).tolist()
            else:
                waits = batch_waits(sheet, counts[i : i + 1], melds[i : i + 1]).kinds[0]
                assert analyst.wait_kinds(hand) == np.flatnonzero(waits).tolist()
                useful = batch_useful(sheet, counts[i : i + 1], melds[i : i + 1]).kinds[0]
                assert [kind for kind, _ in analyst.useful(hand)] == np.flatnonzero(useful).tolist()
                if single == 0:
                    assert (waits == useful).all()


def counts_of(text: str) -> Ints:
    return np.bincount(parse_mpsz(text), minlength=34)


GOOD = "123456789m1234s"
FAULTS: dict[str, tuple[Any, Any, Fault]] = {
    "a hand": (counts_of(GOOD), [], Fault.NONE),
    "fourteen tiles": (counts_of(GOOD + "5s"), [], Fault.NONE),
    "a count below 0": (counts_of(GOOD) - (np.arange(34) == 33), [], Fault.NEGATIVE),
    "far below 0": (counts_of(GOOD) - 2**40 * (np.arange(34) == 33), [], Fault.NEGATIVE),
    "five copies": (counts_of("11111m1234567s1p"), [], Fault.TOO_MANY),
    "a count that is 1 in its last byte": (counts_of(GOOD) + 256 * (np.arange(34) == 0), [], Fault.TOO_MANY),
    "a count that is 1 in its last four bytes": (counts_of(GOOD) + 2**32 * (np.arange(34) == 0), [], Fault.TOO_MANY),
    "five copies with a meld": (counts_of("11m12345678s"), [(PUNG, 0)], Fault.TOO_MANY),
    "five copies with a chow": (counts_of("1111m123456s"), [(CHOW, 0)], Fault.TOO_MANY),
    "twelve tiles": (counts_of("123456789m123s"), [], Fault.WRONG_SIZE),
    "fifteen tiles": (counts_of(GOOD + "56s"), [], Fault.WRONG_SIZE),
    "no tile": (counts_of(""), [], Fault.WRONG_SIZE),
    "as many as without the meld": (counts_of(GOOD), [(PUNG, 30)], Fault.WRONG_SIZE),
    "melds alone": (counts_of(""), [(PUNG, 30), (PUNG, 0), (PUNG, 1), (PUNG, 2)], Fault.WRONG_SIZE),
    "four melds": (counts_of("5s"), [(PUNG, 30), (CHOW, 0), (CONCEALED_KONG, 3), (ADDED_KONG, 4)], Fault.NONE),
    "a chow of honours": (counts_of("123456789m1s"), [(CHOW, 27)], Fault.IMPOSSIBLE_MELD),
    "a chow across suits": (counts_of("123456789m1s"), [(CHOW, 7)], Fault.IMPOSSIBLE_MELD),
    "a form that is none": (counts_of("123456789m1s"), [(5, 7)], Fault.IMPOSSIBLE_MELD),
    "a form below -1": (counts_of("123456789m1s"), [(-2, 7)], Fault.IMPOSSIBLE_MELD),
    "a form that is 1 in its last byte": (counts_of("123456789m1s"), [(257, 7)], Fault.IMPOSSIBLE_MELD),
    "a kind that is none": (counts_of("123456789m1s"), [(PUNG, 34)], Fault.IMPOSSIBLE_MELD),
    "a kind below 0": (counts_of("123456789m1s"), [(PUNG, -1)], Fault.IMPOSSIBLE_MELD),
    "a kind beyond int32": (counts_of("123456789m1s"), [(PUNG, 2**40)], Fault.IMPOSSIBLE_MELD),
}


def laid(melds: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return melds + [(-1, 0)] * (4 - len(melds))


def test_each_faulty_row_has_its_error_and_spoils_no_other() -> None:
    sheet = rules.load("hebei")
    counts = np.array([row for row, _, _ in FAULTS.values()])
    melds = np.array([laid(fixed) for _, fixed, _ in FAULTS.values()])
    wanted = [fault for _, _, fault in FAULTS.values()]
    found = batch_distance(sheet, counts, melds)
    assert [Fault(error) for error in found.errors] == wanted
    assert [int(d) == FAULTY for d in found.distance] == [fault != Fault.NONE for fault in wanted]
    good = np.array([fault == Fault.NONE for fault in wanted])
    assert (batch_distance(sheet, counts[good], melds[good]).distance == found.distance[good]).all()
    drawn = counts.sum(axis=1) % 3 == 2
    for ask, right in ((batch_useful, ~drawn), (batch_waits, ~drawn), (batch_discards, drawn)):
        told = ask(sheet, counts, melds)
        for i, fault in enumerate(wanted):
            odd = fault == Fault.NONE and not right[i]
            assert told.errors[i] == (Fault.WRONG_SIZE if odd else fault)
        faulty = told.errors != Fault.NONE
        assert (told.distance[faulty] == FAULTY).all()
        assert not told[1][faulty].any()


def test_what_the_rule_set_has_not() -> None:
    qiqihar = rules.load("qiqihar")
    rows = [counts_of(GOOD), counts_of("123456789m123s1z"), counts_of("123456789m1s"), counts_of("123456789m1s")]
    melds = [laid([]), laid([]), laid([(CHOW, 20)]), laid([(PUNG, 33)])]
    found = batch_distance(qiqihar, np.array(rows), np.array(melds))
    assert found.errors.tolist() == [Fault.NONE, Fault.TOO_MANY, Fault.BARRED_MELD, Fault.BARRED_MELD]
    assert batch_distance(rules.load("hebei_108"), counts_of(GOOD + "7z")[None]).errors.tolist() == [Fault.TOO_MANY]


@pytest.mark.parametrize(
    "dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, ">i4"]
)
def test_any_integer_type_will_do(dtype: Any) -> None:
    sheet = rules.load("hebei")
    counts, melds = random_hands(sheet, 500, 0, 4)
    wanted = batch_distance(sheet, counts, melds).distance
    assert (batch_distance(sheet, counts.astype(dtype), melds).distance == wanted).all()
    assert (batch_distance(sheet, np.asfortranarray(counts.astype(dtype)), melds).distance == wanted).all()
    bare = melds[:, 0, 0] < 0
    assert (batch_distance(sheet, counts[bare].astype(dtype)).distance == wanted[bare]).all()
    if np.dtype(dtype).kind == "i":
        assert (batch_distance(sheet, counts, melds.astype(dtype)).distance == wanted).all()
    top = np.zeros((1, 34), dtype)
    top[0, 3] = np.iinfo(np.dtype(dtype)).max
    assert batch_distance(sheet, top).errors.tolist() == [Fault.TOO_MANY]


def test_an_unsigned_meld_form_is_never_no_meld() -> None:
    melds = np.full((1, 4, 2), 2**64 - 1, np.uint64)
    assert batch_distance(rules.load("hebei"), counts_of(GOOD)[None], melds).errors.tolist() == [Fault.IMPOSSIBLE_MELD]


@pytest.mark.parametrize(
    ("counts", "melds", "error", "words"),
    [
        (np.full((1, 34), np.nan), None, TypeError, "counts: an array of float64; whole numbers are wanted"),
        (np.zeros((1, 34), bool), None, TypeError, "counts: an array of bool"),
        (np.full((1, 34), None), None, TypeError, "counts: an array of object"),
        ([["1m"] * 34], None, TypeError, "counts: an array of"),
        (np.zeros(34, int), None, ValueError, r"counts: shape \(34,\); \(n, 34\) is wanted"),
        (np.zeros((2, 33), int), None, ValueError, r"counts: shape \(2, 33\)"),
        (np.zeros((2, 34), int), np.zeros((1, 4, 2), int), ValueError, "melds: 1 rows beside 2 rows of counts"),
        (np.zeros((1, 34), int), np.zeros((1, 8), int), ValueError, r"melds: shape \(1, 8\); \(n, 4, 2\) is wanted"),
        (np.zeros((1, 34), int), np.full((1, 4, 2), -1.0), TypeError, "melds: an array of float64"),
    ],
)  # fmt: skip
def test_arrays_that_cannot_be(counts: Any, melds: Any, error: type[Exception], words: str) -> None:
    for ask in (batch_distance, batch_waits, batch_useful, batch_discards):
        with pytest.raises(error, match=words):
            ask(rules.load("hebei"), counts, melds)


def test_no_hands_at_all() -> None:
    empty = np.zeros((0, 34), np.int8)
    for ask in (batch_distance, batch_waits, batch_useful, batch_discards):
        told = ask(rules.load("hebei"), empty)
        assert all(len(part) == 0 for part in told)
