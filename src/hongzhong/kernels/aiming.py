"""How far a hand is from an aim (aims.py), and which tiles bring it nearer."""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.aims import MIXED, PUNGS, STRAIGHT
from hongzhong.kernels.distance import first_pairs, formal_distance, pungs_missing, sets_missing
from hongzhong.kernels.hand import add_meld, add_tile, drop_meld, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.outlook import useful_kinds
from hongzhong.kernels.tables import FAR
from hongzhong.tiles import CHOW

NO_AIM: Final = 30
"""A distance that is out of reach."""


@kernel
def straight_missing(tables, aim, state, seat):
    """Natural tiles missing from 1-9 of a suit as three runs and the rest; a melded run of the three serves."""
    first = 9 * aim["aim_suit"]
    served = np.int64(0)
    for place in range(state["meld_count"][seat]):
        step = state["meld_kind"][seat, place] - first
        if state["meld_form"][seat, place] == CHOW and step in (0, 3, 6):
            served |= np.int64(1) << step
    taken = np.int64(0)
    missing = np.int64(0)
    added = np.int64(0)
    if state["meld_count"][seat] - (served & 1) - (served >> 3 & 1) - (served >> 6 & 1) > 1:
        return np.int64(FAR)
    for step in (0, 3, 6):
        if (served >> step) & 1:
            continue
        for kind in range(first + step, first + step + 3):
            if state["count"][seat, kind] > 0:
                taken |= np.int64(1) << kind
                remove_tile(state, seat, np.int64(kind))
            else:
                missing += 1
        add_meld(state, seat, np.int64(CHOW), first + step, seat)
        added += 1
    missing += sets_missing(tables, aim, state, seat)
    for _ in range(added):
        drop_meld(state, seat)
    for kind in range(first, first + 9):
        if (taken >> kind) & 1:
            add_tile(state, seat, np.int64(kind))
    return missing


@kernel
def mixed_missing(tables, aim, state, seat):
    """Natural tiles missing from seven pairs, five of them of the aim's suit."""
    suit = aim["aim_suit"]
    pairs = np.int64(0)
    singles = np.int64(0)
    for other in range(4):
        if other != suit:
            key = state["suit_key"][seat, other]
            packed = np.int64(tables["honour_pairs"][key] if other == 3 else tables["suit_pairs"][key])
            pairs += packed >> 4
            singles += packed & 15
    packed = np.int64(tables["suit_pairs"][state["suit_key"][seat, suit]])
    own = packed >> 4
    odd = packed & 15
    missing = first_pairs(own, odd, np.int64(5))
    spare = max(np.int64(0), own - 5)
    odd -= min(odd, max(np.int64(0), 5 - own))
    return missing + first_pairs(pairs + spare, singles + odd, np.int64(2))


@unit
def aim_distance(tables, aim, state, seat):
    """Fewest tiles to exchange until the hand is the one aimed at: 0 ready, -1 won, ``NO_AIM`` where its melds forbid it.

    Exact but for all pungs where they are bound by conditions: there the greater of two lower bounds.
    """
    way = aim["aim_way"]
    wild = state["wild_count"][seat]
    if way == STRAIGHT:
        missing = straight_missing(tables, aim, state, seat)
    elif way == MIXED:
        missing = mixed_missing(tables, aim, state, seat) if state["meld_count"][seat] == 0 else np.int64(FAR)
    elif way == PUNGS:
        kongs = state["kong_count"][seat] > 0 and aim["pungs_without_kong"] != 0
        missing = np.int64(FAR)
        if state["chow_count"][seat] == 0 and not kongs:
            missing = pungs_missing(aim, state, seat, True)
            if not aim["aim_free"]:
                missing = max(missing, sets_missing(tables, aim, state, seat))
    else:
        return min(np.int64(NO_AIM), formal_distance(tables, aim, state, seat))
    return min(np.int64(NO_AIM), missing - wild - 1)


@unit
def aim_useful(tables, aim, state, seat, now, outlook):
    """Mask of the kinds with unseen copies that bring the hand, ``now`` tiles away, nearer to the aim."""
    mask = np.int64(0)
    if aim["aim_way"] not in (PUNGS, STRAIGHT, MIXED):
        _, mask = useful_kinds(tables, aim, state, seat, outlook)
        for kind in range(34):
            if outlook["unseen"][kind] <= 0:
                mask &= ~(np.int64(1) << kind)
        return mask
    for kind in range(34):
        if outlook["unseen"][kind] <= 0 or state["count"][seat, kind] >= 4 or (aim["aim_kinds"] >> kind) & 1 == 0:
            continue
        add_tile(state, seat, np.int64(kind))
        if aim_distance(tables, aim, state, seat) < now:
            mask |= np.int64(1) << kind
        remove_tile(state, seat, np.int64(kind))
    return mask
