"""Hidden tiles as they may lie: others' hands and the wall, drawn at random from what a seat has not seen.

Others are not dealt at random: each hand draws on and gives its loosest tile back as often as its owner has discarded, up to a limit,
so that it is as ready as hands are at that time.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.hand import add_meld, add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.outlook import rate_discards
from hongzhong.kernels.policy import below, copies_around, count_unseen
from hongzhong.kernels.sight import SEES_HIDDEN, SEES_SIZES
from hongzhong.kernels.waits import find_waits
from hongzhong.tiles import CONCEALED_KONG

MOST_DRAWS: Final = 5


@kernel
def hide_kongs(rules, state, seat, random, place, out, outlook):
    """Others' hidden kongs, each of a kind of which no copy has been seen."""
    for other in range(4):
        if other == seat:
            continue
        for _ in range(out[SEES_HIDDEN + other]):
            left = np.int64(0)
            for kind in range(34):
                left += np.int64(outlook["unseen"][kind] == 4 and (rules["wild"] >> kind) & 1 == 0)
            if left == 0:
                return
            chosen = below(random, place, left)
            for kind in range(34):
                if outlook["unseen"][kind] == 4 and (rules["wild"] >> kind) & 1 == 0:
                    if chosen == 0:
                        add_meld(state, np.int64(other), np.int64(CONCEALED_KONG), np.int64(kind), np.int64(other))
                        outlook["unseen"][kind] = 0
                    chosen -= 1


@kernel
def gather(rules, state, outlook):
    """Lays all unseen tiles into the wall from ``position`` minus the others' hands on; how many."""
    n_tiles = np.int64(0)
    for kind in range(34):
        for _ in range(max(np.int64(0), outlook["unseen"][kind])):
            state["wall"][n_tiles] = kind
            n_tiles += 1
    return n_tiles


@kernel
def mix(state, n_tiles, random, place):
    """Shuffles the first ``n_tiles`` of the wall."""
    for last in range(n_tiles - 1, 0, -1):
        other = below(random, place, np.int64(last + 1))
        kept = state["wall"][last]
        state["wall"][last] = state["wall"][other]
        state["wall"][other] = kept


@kernel
def loosest(state, other, outlook):
    """Of the tiles that a hand does not need (``rate_discards`` marked them) the one with least around it; -1: none is marked."""
    least = np.int64(1 << 30)
    choice = np.int64(-1)
    for kind in range(34):
        if outlook["keeps"][kind]:
            around = copies_around(state, other, np.int64(kind), outlook)
            if around < least:
                least = around
                choice = np.int64(kind)
    return choice


@kernel
def improve(tables, rules, state, other, draws, n_tiles, random, place, outlook):
    """Draws from the unseen tiles that are left, one at a time, each against the loosest tile of the hand."""
    for _ in range(draws):
        at = below(random, place, n_tiles)
        add_tile(state, other, np.int64(state["wall"][at]))
        rate_discards(tables, rules, state, other, outlook)
        kind = loosest(state, other, outlook)
        if kind < 0:
            kind = np.int64(state["wall"][at])
        remove_tile(state, other, kind)
        state["wall"][at] = kind


@unit
def fill_world(tables, rules, state, seat, random, place, out, outlook):
    """Completes a table laid by ``lay_sight``: others' hands, the wall, what each seat waits for."""
    count_unseen(rules, state, seat, outlook)
    hide_kongs(rules, state, seat, random, place, out, outlook)
    n_tiles = gather(rules, state, outlook)
    mix(state, n_tiles, random, place)
    for other in range(4):
        if other == seat:
            continue
        for _ in range(out[SEES_SIZES + other]):
            n_tiles -= 1
            add_tile(state, np.int64(other), np.int64(state["wall"][n_tiles]))
    for other in range(4):
        size = out[SEES_SIZES + other]
        if other != seat and n_tiles > 0:
            draws = min(np.int64(MOST_DRAWS), state["discards"][other])
            if size % 3 == 1:
                improve(tables, rules, state, np.int64(other), draws, n_tiles, random, place, outlook)
    for at in range(n_tiles):
        state["wall"][state["position"] + n_tiles - 1 - at] = state["wall"][n_tiles - 1 - at]
    for other in range(4):
        if other != seat:
            find_waits(tables, rules, state, np.int64(other))
