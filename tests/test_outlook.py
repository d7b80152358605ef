"""All discards rated at once are rated as one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hongzhong import rules
from hongzhong.kernels import measure, policy
from hongzhong.kernels.hand import PLACES
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import OUTLOOK, STATE, compile_rules
from hongzhong.plans import plans_of
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.tiles import CHOW, EXPOSED_KONG, PUNG

CASES: list[tuple[str, dict[str, Any]]] = [
    ("qiqihar", {}),
    ("qiqihar", {"fifth_copy": False}),
    ("inner_mongolia", {}),
    ("inner_mongolia", {"thirteen_orphans": True, "honours_are_terminals": True, "seven_pairs_258": True}),
    ("inner_mongolia", {"three_suits": "strict"}),
    ("hebei", {}),
    ("hebei", {"colour_rule": "eight_only", "any_orphan_pair": True}),
    ("hebei_108", {}),
]
HANDS = 150
ORPHANS = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)


def random_hand(chance: np.random.Generator, ruleset: RuleSet) -> Any:
    """Seat 0 with 3n + 2 concealed tiles and up to three melds; tiles of one or two suits more often than by chance."""
    state = np.zeros(1, STATE)
    wild = int(compile_rules(ruleset)["wild"][0])
    state["wild"] = wild
    left = np.array(ruleset.sheet.copies)
    if chance.random() < 0.6:
        left[9 * int(chance.integers(3)) :][:9] = 0
    melds = int(chance.integers(4))
    rows: list[tuple[int, int, int, int]] = []
    while len(rows) < melds:
        form = int(chance.choice([CHOW, PUNG, PUNG, EXPOSED_KONG]))
        kind = int(chance.integers(25 if form == CHOW else 34))
        kinds = [kind, kind + 1, kind + 2] if form == CHOW else [kind] * (3 if form == PUNG else 4)
        if form == CHOW and ("chow" not in ruleset.sheet.claims or kind % 9 > 6):
            continue
        if any((wild >> k) & 1 for k in kinds) or np.any(left - np.bincount(kinds, minlength=34) < 0):
            continue
        np.subtract.at(left, kinds, 1)
        rows.append((0, form, kind, 1))
    tiles = chance.permutation(np.repeat(np.arange(34), left))[: 14 - 3 * melds]
    fourth = np.array([row[2] for row in rows if row[1] == PUNG and left[row[2]] > 0], np.int64)
    if len(fourth) and chance.random() < 0.5:  # triplets, and copies of own pungs
        triplets = chance.permutation(np.flatnonzero(left >= 3))[: max(1, 3 - melds)]
        others = chance.permutation(np.setdiff1d(np.flatnonzero(left), np.concatenate([triplets, fourth])))
        tiles = np.concatenate([triplets, triplets, triplets, fourth, others, others])[: len(tiles)]
    elif chance.random() < 0.4:  # as for seven pairs, all pungs or thirteen orphans
        ends = np.array(ORPHANS) if chance.random() < 0.2 else np.arange(34)
        double = chance.permutation(ends[left[ends] >= 2])[: int(chance.integers(2, 6))]
        single = chance.permutation(np.setdiff1d(ends[left[ends] >= 1], double))
        paired = np.concatenate([double, double, single])[: len(tiles)]
        tiles = paired if len(paired) == len(tiles) else tiles
    counts = np.bincount(tiles, minlength=34).astype(np.int8)
    return state, counts, np.array(rows, np.int64).reshape(-1, 4)


@pytest.mark.parametrize(("name", "options"), CASES, ids=lambda value: str(value))
def test_discards_are_rated_as_one_by_one(name: str, options: dict[str, Any]) -> None:
    ruleset = rules.load(name, options)
    compiled = compile_rules(ruleset)
    chance = np.random.default_rng(3)
    tables = hand_tables()
    outlooks = np.zeros(1, OUTLOOK)
    out = np.zeros(1, np.int64)
    for _ in range(HANDS):
        state, counts, rows = random_hand(chance, ruleset)
        best = policy.rate_at(tables, compiled, state, counts, rows, len(rows), outlooks)
        found = {}
        for kind in np.flatnonzero(counts):
            if (int(state["wild"][0]) >> int(kind)) & 1:
                assert not outlooks["keeps"][0, kind]
                continue
            state["count"][0, 0, kind] -= 1
            state["suit_key"][0, 0, kind // 9] -= PLACES[kind]
            measure.distances(tables, compiled, state, outlooks, out)
            state["count"][0, 0, kind] += 1
            state["suit_key"][0, 0, kind // 9] += PLACES[kind]
            found[int(kind)] = int(out[0])
        assert best == min(found.values())
        assert np.flatnonzero(outlooks["keeps"][0]).tolist() == [kind for kind, left in found.items() if left == best]


def change(state: Any, kind: int, by: int) -> None:
    """A tile of the kind joins seat 0, or leaves it."""
    state["count"][0, 0, kind] += by
    if (int(state["wild"][0]) >> kind) & 1:
        state["wild_count"][0, 0] += by
    else:
        state["suit_key"][0, 0, kind // 9] += by * PLACES[kind]


def check_discards(ruleset: RuleSet, state: Any, counts: Any, rows: Any) -> None:
    """The discard table of a hand is that found one by one."""
    compiled, tables = compile_rules(ruleset), hand_tables()
    outlooks = np.zeros(2, OUTLOOK)
    out, after, useful = np.zeros(1, np.int64), np.zeros((1, 34), np.int64), np.zeros((1, 34), np.int64)
    free = np.zeros(1, np.int64)

    def distance() -> int:
        measure.distances(tables, compiled, state, outlooks, out)
        return int(out[0])

    policy.rate_at(tables, compiled, state, counts, rows, len(rows), outlooks)
    measure.free_masks(compiled, state, free)
    measure.discard_tables(tables, compiled, state, outlooks, after, useful)
    for kind in np.flatnonzero(counts).tolist():
        change(state, kind, -1)
        left = distance()
        assert after[0, kind] == left
        nearer = 0
        for other in range(34):
            if (int(free[0]) >> other) & 1 or other == kind:
                change(state, other, 1)
                nearer |= int(distance() < left) << other
                change(state, other, -1)
        if left < 30:
            assert int(useful[0, kind]) == nearer, (counts.tolist(), rows.tolist(), kind)
        change(state, kind, 1)


@pytest.mark.parametrize(("name", "options"), CASES, ids=lambda value: str(value))
def test_useful_kinds_after_each_discard_are_those_found_one_by_one(name: str, options: dict[str, Any]) -> None:
    ruleset = rules.load(name, options)
    chance = np.random.default_rng(4)
    for _ in range(HANDS // 3):
        check_discards(ruleset, *random_hand(chance, ruleset))


@pytest.mark.parametrize(
    ("name", "tiles", "pungs"),
    [
        ("hebei_108", {8: 3, 9: 1, 18: 1}, (9, 18, 0)),  # both singles lie in own pungs
        ("hebei", {14: 3, 21: 1, 33: 1}, (33, 21, 0)),
        ("hebei", {10: 1, 25: 3, 27: 1}, (27, 10, 0)),  # one of them
        ("hebei", {10: 3, 11: 1, 29: 1}, (29, 11, 0)),
    ],
)
def test_a_fourth_copy_beside_its_own_pung(name: str, tiles: dict[int, int], pungs: tuple[int, ...]) -> None:
    ruleset = rules.load(name)
    state = np.zeros(1, STATE)
    state["wild"] = compile_rules(ruleset)["wild"]
    counts = np.array([tiles.get(kind, 0) for kind in range(34)], np.int8)
    check_discards(ruleset, state, counts, np.array([(0, PUNG, kind, 1) for kind in pungs], np.int64))


def test_pungs_of_any_suits_with_wild_tiles() -> None:
    """A wild tile joins the fourth copy beside an own pung (Q5): no built-in rule set frees all pungs of its conditions and has wild tiles."""
    base = rules.sheet("qiqihar")
    row = replace(rules.sheet("hebei").pattern("all_pungs"), kind="times", value=2, ruling="Q24")
    free = tuple(replace(condition, exempt=("all_pungs",)) for condition in base.conditions)
    sheet = replace(base, id="free_pungs", examples=(), conditions=free, patterns=(*base.patterns, row))
    ruleset = resolve(sheet)
    assert ruleset.get("fifth_copy") and not plans_of(ruleset).lack
    state = np.zeros(1, STATE)
    state["wild"] = compile_rules(ruleset)["wild"]
    counts = np.array([int(kind in (0, 24)) for kind in range(34)], np.int8)  # 1m7p beside pungs of 1m 2s 3p 4s
    check_discards(ruleset, state, counts, np.array([(0, PUNG, kind, 1) for kind in (0, 10, 20, 12)], np.int64))
    chance = np.random.default_rng(6)
    for _ in range(HANDS):
        check_discards(ruleset, *random_hand(chance, ruleset))


@pytest.mark.parametrize(("name", "options"), CASES, ids=lambda value: str(value))
def test_greedy_lets_go_what_leaves_most_useful_copies(name: str, options: dict[str, Any]) -> None:
    """Of the discards that leave the hand nearest the one with most unseen useful copies, of equal ones the first of ``LOOSE``: found from
    distances alone."""
    ruleset = rules.load(name, options)
    compiled = compile_rules(ruleset)
    chance = np.random.default_rng(5)
    tables = hand_tables()
    outlooks = np.zeros(2, OUTLOOK)
    out, free = np.zeros(1, np.int64), np.zeros(1, np.int64)

    def distance() -> int:
        measure.distances(tables, compiled, state, outlooks, out)
        return int(out[0])

    for _ in range(HANDS // 2):
        state, counts, rows = random_hand(chance, ruleset)
        unseen = np.array(ruleset.sheet.copies) - counts
        for _, form, kind, _ in rows.tolist():
            kinds = [kind, kind + 1, kind + 2] if form == CHOW else [kind] * (3 if form == PUNG else 4)
            np.subtract.at(unseen, kinds, 1)
        river = chance.permutation(np.repeat(np.arange(34), unseen))[: int(chance.integers(40))]
        np.subtract.at(unseen, river, 1)
        seen = np.concatenate([rows, [(1 + i % 3, -1, kind, 0) for i, kind in enumerate(river)] or rows[:0]])
        natural = [kind for kind in np.flatnonzero(counts).tolist() if not (int(state["wild"][0]) >> kind) & 1]
        if not natural:
            continue
        actions = np.array(np.flatnonzero(counts), np.int64)
        chosen = policy.choose_greedy(
            tables, compiled, state, 0, -1, actions, len(actions), outlooks, counts, seen, len(seen)
        )
        if distance() < 0:
            continue  # it would have won
        nearest: dict[int, int] = {}
        useful: dict[int, int] = {}
        for kind in natural:
            change(state, kind, -1)
            nearest[kind] = distance()
            useful[kind] = 0
            measure.free_masks(compiled, state, free)
            for other in range(34) if nearest[kind] < 30 else ():
                if (int(free[0]) >> other) & 1:
                    change(state, other, 1)
                    useful[kind] += int(unseen[other]) * (distance() < nearest[kind])
                    change(state, other, -1)
            change(state, kind, 1)
        near = min(nearest.values())
        most = max(useful[kind] for kind in natural if nearest[kind] == near)
        best = [kind for kind in policy.LOOSE.tolist() if nearest.get(kind) == near and useful[kind] == most]
        assert chosen == best[0], (counts.tolist(), rows.tolist(), useful)
