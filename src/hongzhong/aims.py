"""Ways to win that a bot may aim at, worked out from a compiled rule set: each is that rule set narrowed to one kind of hand.

The distance kernels measure a hand against an aim as they do against a rule set; the price of an aim follows from the sheet's own
prices for the patterns that it is sure to show. A pattern whose price is switched off is no aim.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hongzhong.layout import (
    ALL_HONOURS,
    ALL_PUNGS,
    FOUR_SETS,
    FULL_FLUSH,
    FULL_FLUSH_DOUBLED,
    HALF_FLUSH,
    MIXED_SEVEN_PAIRS,
    PURE_SEVEN_PAIRS,
    PURE_STRAIGHT,
    RULES,
    SEVEN_PAIRS,
    THIRTEEN_ORPHANS,
    pair_sorts,
    sets_are_free,
)
from hongzhong.plans import ANYTHING, NOTHING
from hongzhong.tiles import N_KINDS

SETS, PUNGS, PAIRS, MIXED, STRAIGHT, ORPHANS = range(6)
"""``aim_way``: how the distance is measured and how fast such hands grow (kernels/aiming.py)."""
N_WAYS: Final = 6
MAX_AIMS: Final = 24
Plans = list[tuple[int, ...]]


def aims_of(compiled: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """The compiled rule set (one ``RULES`` record) followed by its aims, the plainest first."""
    rules: Any = compiled[0]
    made = list(_aims(rules))
    out = np.zeros(1 + len(made), RULES)
    out[:] = compiled
    for place, (way, suit, bits, sets, pairs) in enumerate(made, 1):
        aim: Any = out[place]
        aim["aim_way"], aim["aim_suit"] = way, suit
        aim["aim_bits"] = sum(1 << bit for bit in bits)
        aim["aim_kinds"] = _kinds(rules, sets if way in (SETS, PUNGS) else pairs)
        aim["aim_free"] = rules["free_pungs"]
        aim["free_pungs"] = int(way == PUNGS and rules["free_pungs"])
        aim["form_four_sets"] = int(way in (SETS, PUNGS, STRAIGHT))
        aim["form_seven_pairs"] = int(way in (PAIRS, MIXED))
        aim["form_thirteen_orphans"] = int(way == ORPHANS)
        for name, plans in (("set", sets), ("pair", pairs)):
            aim[f"n_{name}_plans"] = len(plans)
            aim[f"{name}_plans"] = 0
            for i, plan in enumerate(plans):
                aim[f"{name}_plans"][i] = plan
        aim["pair_sorts"], aim["sets_are_free"] = pair_sorts(aim), sets_are_free(aim)
    return out


def _aims(rules: Any) -> Iterator[tuple[int, int, tuple[int, ...], Plans, Plans]]:
    """``(way, suit, pattern bits, plans of sets, plans of pairs)`` of each aim."""
    priced = int(rules["priced"])
    sets = _plans(rules, "set")
    pairs = _plans(rules, "pair")

    def pays(*bits: int) -> bool:
        return any(priced >> bit & 1 for bit in bits)

    if rules["form_four_sets"]:
        yield SETS, -1, (FOUR_SETS,), sets, []
        if rules["free_pungs"] or pays(ALL_PUNGS):
            yield PUNGS, -1, (FOUR_SETS, ALL_PUNGS), [] if rules["free_pungs"] else sets, []
    for suit in range(3):
        if not rules["form_four_sets"]:
            break
        flush = _narrowed(sets, suit, False)
        if flush and pays(FULL_FLUSH, FULL_FLUSH_DOUBLED):
            yield SETS, suit, (FOUR_SETS, FULL_FLUSH, FULL_FLUSH_DOUBLED), flush, []
        half = _narrowed(sets, suit, True)
        if half and pays(HALF_FLUSH):
            yield SETS, suit, (FOUR_SETS, HALF_FLUSH), half, []
        if pays(PURE_STRAIGHT):
            straight: Plans = [(*plan[:4], 0, plan[5]) for plan in sets]
            yield STRAIGHT, suit, (FOUR_SETS, PURE_STRAIGHT), straight, []
    honours: Plans = [(NOTHING,) * 3 + (ANYTHING, 0, 0) for plan in sets if plan[:3] == (NOTHING,) * 3]
    if honours and pays(ALL_HONOURS):
        yield SETS, 3, (FOUR_SETS, ALL_HONOURS), honours[:1], []
    if rules["form_seven_pairs"]:
        yield PAIRS, -1, (SEVEN_PAIRS,), [], pairs
        for suit in range(3):
            pure = _narrowed(pairs, suit, False)
            if pure and pays(PURE_SEVEN_PAIRS, FULL_FLUSH):
                yield PAIRS, suit, (SEVEN_PAIRS, PURE_SEVEN_PAIRS, FULL_FLUSH), [], pure
            if pays(MIXED_SEVEN_PAIRS):
                yield MIXED, suit, (SEVEN_PAIRS, MIXED_SEVEN_PAIRS), [], pairs
    if rules["form_thirteen_orphans"] and rules["orphans_allowed"]:
        yield ORPHANS, -1, (THIRTEEN_ORPHANS,), [], []


def _plans(rules: Any, name: str) -> Plans:
    return [tuple(int(n) for n in plan) for plan in rules[f"{name}_plans"][: rules[f"n_{name}_plans"]]]


def _narrowed(plans: Plans, suit: int, honours: bool) -> Plans:
    """What is left of the plans where one suit, with or without honours, holds everything: that suit has the eight tiles."""
    out = set()
    for plan in plans:
        others = [hold for other, hold in enumerate(plan[:4]) if other not in (suit, 3 if honours else suit)]
        kept = plan[suit] != NOTHING and (not honours or plan[3] != NOTHING)
        if kept and all(hold in (ANYTHING, NOTHING) for hold in others):
            holds = [ANYTHING if other == suit or (honours and other == 3) else NOTHING for other in range(4)]
            out.add((*holds, plan[4] if honours else 0, plan[5]))
    return sorted(out)


def _kinds(rules: Any, plans: Plans) -> int:
    """Mask of the kinds that serve the plans; all kinds where there are none."""
    mask = int(rules["wild"])
    for kind in range(N_KINDS):
        if rules["copies"][kind] and (not plans or any(plan[kind // 9] != NOTHING for plan in plans)):
            mask |= 1 << kind
    return mask
