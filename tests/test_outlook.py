"""All discards rated at once are rated as one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hongzhong import rules
from hongzhong.kernels import measure, policy
from hongzhong.kernels.hand import PLACES
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import OUTLOOK, STATE, compile_rules
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import CHOW, PUNG

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
        form, kind = (PUNG, int(chance.integers(34))) if chance.random() < 0.5 else (CHOW, int(chance.integers(25)))
        kinds = [kind] * 3 if form == PUNG else [kind, kind + 1, kind + 2]
        if form == CHOW and ("chow" not in ruleset.sheet.claims or kind % 9 > 6):
            continue
        if any((wild >> k) & 1 for k in kinds) or np.any(left - np.bincount(kinds, minlength=34) < 0):
            continue
        np.subtract.at(left, kinds, 1)
        rows.append((0, form, kind, 1))
    tiles = chance.permutation(np.repeat(np.arange(34), left))[: 14 - 3 * melds]
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
