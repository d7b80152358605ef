"""Distance and useful kinds against the libraries xiangting and mahjong, on hands without wild tiles and conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np
import pytest
import xiangting
from mahjong.shanten import Shanten

from hongzhong import rules
from hongzhong.analysis.batch import Ints, batch_distance, batch_useful
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.tiles import CONCEALED_KONG

SIZES: Final = (1, 2, 4, 5, 7, 8, 10, 11, 13, 14)
THEIR_ORDER: Final = [*range(9), *range(18, 27), *range(9, 18), *range(27, 34)]
"""Their suits are m, p, s."""


def free_rules(*forms: str) -> RuleSet:
    base = rules.sheet("hebei")
    chosen = tuple(form for form in base.forms if form.id in forms)
    sheet = replace(base, id="free", conditions=(), forms=chosen, examples=())
    return resolve(sheet, {"any_orphan_pair": True})


def hands(size: int, number: int, seed: int) -> tuple[Ints, Ints]:
    """Concealed tiles of few suits, and as many concealed kongs of honours as belong to that size, of kinds that the hand lacks."""
    random = np.random.default_rng((size, seed))
    n_melds = (14 - size) // 3
    counts = np.zeros((number, 34), np.int64)
    melds = np.full((number, 4, 2), -1, np.int64)
    for i in range(number):
        kongs = random.choice(np.arange(27, 34), n_melds, replace=False)
        for place, kong in enumerate(kongs):
            melds[i, place] = CONCEALED_KONG, kong
        suits = random.choice(4, random.integers(1, 5), replace=False)
        wall = [k for k in range(34) for _ in range(4) if k not in kongs and (k // 9 in suits or n_melds + size < 5)]
        tiles = random.choice(wall if len(wall) >= 16 else list(range(27)) * 4, size, replace=False)
        np.add.at(counts[i], tiles, 1)
    return counts, melds


@pytest.mark.parametrize("size", SIZES)
def test_distance_and_useful_kinds_are_those_of_xiangting(size: int) -> None:
    counts, melds = hands(size, 2000, 1)
    ours = batch_distance(free_rules("four_sets", "thirteen_orphans"), counts, melds)
    assert not ours.errors.any()
    useful = batch_useful(free_rules("four_sets", "thirteen_orphans"), counts, melds).kinds
    compared = 0
    for i, row in enumerate(counts.tolist()):
        theirs = [row[kind] for kind in THEIR_ORDER]
        wanted, mask = xiangting.calculate_necessary_tiles(theirs, xiangting.PlayerCount.FOUR)
        found = int(ours.distance[i])
        if size >= 13:  # their seven pairs are of seven kinds (C6 does not ask that)
            pairs = Shanten.calculate_shanten_for_chiitoitsu_hand(row)
            if pairs <= found:
                assert wanted - 1 == pairs
                continue
        assert found == wanted - 1, row
        compared += 1
        if size % 3 == 1:
            kinds = {kind for place, kind in enumerate(THEIR_ORDER) if mask >> place & 1}
            assert set(np.flatnonzero(useful[i]).tolist()) == kinds - _konged(melds[i]), row
    assert compared > 1200


def _konged(melds: Any) -> set[int]:
    return {int(kind) for form, kind in melds if form >= 0}


@pytest.mark.parametrize("size", SIZES)
def test_distance_is_that_of_mahjong(size: int) -> None:
    counts, melds = hands(size, 400, 2)
    ours = batch_distance(free_rules("four_sets"), counts, melds).distance.tolist()
    for row, found in zip(counts.tolist(), ours, strict=True):
        assert found == Shanten.calculate_shanten_for_regular_hand(row), row
    if size >= 13:
        orphans = batch_distance(free_rules("thirteen_orphans"), counts, melds).distance.tolist()
        for row, found in zip(counts.tolist(), orphans, strict=True):
            assert found == Shanten.calculate_shanten_for_kokushi_hand(row), row
