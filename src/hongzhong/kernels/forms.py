"""The forms beside four sets and a pair: which of them are nearest, which tiles bring them nearer, and which they can spare.

All pungs and seven pairs ask of a tile only how many of it are held, and for conditions what sort of kind it is: each case is worked
out once and holds for all its kinds.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.bits import lowest
from hongzhong.kernels.distance import (
    ORPHANS,
    first_pairs,
    orphans_missing,
    pairs_missing,
    pungs_count,
    pungs_missing,
    twos_and_ones,
)
from hongzhong.kernels.hand import add_tile, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.tiles import N_KINDS

PUNGS: Final = 1
PAIRS: Final = 2
THIRTEEN: Final = 4
"""Bits of the forms."""
N_CASES: Final = 24
"""Cases of a kind in seven pairs."""
SORTS: Final = np.array(
    [
        [0] * N_KINDS,
        [kind // 9 for kind in range(N_KINDS)],
        [3 * (kind // 9) + (1 if kind % 9 in (0, 8) else 2 if kind % 9 % 3 == 1 else 0) for kind in range(N_KINDS)],
    ],
    np.int64,
)
"""Of each kind, by what the plans of seven pairs look at (layout.py ``pair_sorts``): nothing, suits, or terminals and 2, 5, 8 as well."""


@kernel
def nearest_forms(tables, rules, state, seat, best):
    """Bits of the forms that miss ``best`` tiles, and none misses fewer."""
    forms = np.int64(0)
    if pungs_count(rules, state, seat) and pungs_missing(rules, state, seat, np.int64(1)) == best:
        forms |= PUNGS
    if state["meld_count"][seat] == 0:
        if rules["form_seven_pairs"] and pairs_missing(rules, state, seat, best) == best:
            forms |= PAIRS
        if rules["form_thirteen_orphans"] and rules["orphans_allowed"] and orphans_missing(rules, state, seat) == best:
            forms |= THIRTEEN
    return forms


@kernel
def pung_case(state, seat, kind):
    """What all pungs ask of a kind: the copies held, and 5 more where one lies in an own pung and a further copy is of no use."""
    return np.int64(state["count"][seat, kind]) + 5 * ((state["pung_kinds"][seat] >> kind) & 1)


@kernel
def pair_case(rules, state, seat, kind):
    """What seven pairs ask of a kind: whether a tile is over, and of its sort what the plans look at."""
    return 2 * SORTS[rules["pair_sorts"], kind] + (np.int64(state["count"][seat, kind]) & 1)


@kernel
def pung_gains(rules, state, seat, best, among):
    """Mask of the kinds ``among`` these by which all pungs come to miss fewer than ``best``."""
    known = found = mask = np.int64(0)
    while among:
        kind = lowest(among)
        among &= among - 1
        case = pung_case(state, seat, kind)
        if (known >> case) & 1 == 0:
            state["count"][seat, kind] += 1
            known |= np.int64(1) << case
            found |= np.int64(pungs_missing(rules, state, seat, np.int64(1)) < best) << case
            state["count"][seat, kind] -= 1
        mask |= ((found >> case) & 1) << kind
    return mask


@kernel
def pair_gains(tables, rules, state, seat, best, among, gone, outlook):
    """The same for seven pairs. ``gone``: the case of the tile that has left the hand surveyed, ``N_CASES`` for none; what other kinds bring
    is the same after any tile of that case, and remembered."""
    packed = twos_and_ones(tables, state, seat)
    known, found = outlook["pairs_known"][gone], outlook["pairs_found"][gone]
    mask = np.int64(0)
    while among:
        kind = lowest(among)
        among &= among - 1
        case = pair_case(rules, state, seat, kind)
        if (known >> case) & 1 == 0:
            odd = np.int64(state["count"][seat, kind]) & 1
            least = first_pairs((packed >> 4) + odd, (packed & 15) + 1 - 2 * odd, np.int64(7))
            known |= np.int64(1) << case
            if least < best:
                add_tile(state, seat, kind)
                found |= np.int64(pairs_missing(rules, state, seat, least) < best) << case
                remove_tile(state, seat, kind)
        mask |= ((found >> case) & 1) << kind
    outlook["pairs_known"][gone], outlook["pairs_found"][gone] = known, found
    return mask


@kernel
def orphan_gains(rules, state, seat, best, among):
    """The same for thirteen orphans."""
    mask = np.int64(0)
    among &= ORPHANS
    while among:
        kind = lowest(among)
        among &= among - 1
        state["count"][seat, kind] += 1
        mask |= np.int64(orphans_missing(rules, state, seat) < best) << kind
        state["count"][seat, kind] -= 1
    return mask


@kernel
def form_gains(tables, rules, state, seat, forms, best, among, gone, outlook):
    """Mask of the kinds ``among`` these by which one of the ``forms``, all of which miss ``best``, comes to miss fewer. ``gone``: as for
    ``pair_gains``."""
    mask = np.int64(0)
    if forms & PUNGS:
        mask |= pung_gains(rules, state, seat, best, among)
    if forms & PAIRS:
        mask |= pair_gains(tables, rules, state, seat, best, among, gone, outlook)
    if forms & THIRTEEN:
        mask |= orphan_gains(rules, state, seat, best, among)
    return mask


@kernel
def pung_keeps(rules, state, seat, best, held):
    """Mask of the kinds ``held`` of which all pungs can spare a tile and go on missing ``best``."""
    known = found = mask = np.int64(0)
    while held:
        kind = lowest(held)
        held &= held - 1
        case = pung_case(state, seat, kind)
        if (known >> case) & 1 == 0:
            state["count"][seat, kind] -= 1
            known |= np.int64(1) << case
            found |= np.int64(pungs_missing(rules, state, seat, np.int64(1)) == best) << case
            state["count"][seat, kind] += 1
        mask |= ((found >> case) & 1) << kind
    return mask


@kernel
def pair_keeps(tables, rules, state, seat, best, held):
    """The same for seven pairs."""
    packed = twos_and_ones(tables, state, seat)
    known = found = mask = np.int64(0)
    while held:
        kind = lowest(held)
        held &= held - 1
        case = pair_case(rules, state, seat, kind)
        if (known >> case) & 1 == 0:
            odd = np.int64(state["count"][seat, kind]) & 1
            least = first_pairs((packed >> 4) + odd - 1, (packed & 15) + 1 - 2 * odd, np.int64(7))
            known |= np.int64(1) << case
            if least <= best:
                remove_tile(state, seat, kind)
                found |= np.int64(pairs_missing(rules, state, seat, best) == best) << case
                add_tile(state, seat, kind)
        mask |= ((found >> case) & 1) << kind
    return mask


@kernel
def orphan_keeps(rules, state, seat, best, held):
    """The same for thirteen orphans."""
    mask = np.int64(0)
    while held:
        kind = lowest(held)
        held &= held - 1
        state["count"][seat, kind] -= 1
        mask |= np.int64(orphans_missing(rules, state, seat) == best) << kind
        state["count"][seat, kind] += 1
    return mask


@kernel
def note_kept(tables, rules, state, seat, best, held, outlook):
    """Notes for each of the nearest forms the natural kinds ``held`` of which it can spare a tile. The mask of all of them."""
    forms = outlook["forms"]
    outlook["kept"][0] = pung_keeps(rules, state, seat, best, held) if forms & PUNGS else np.int64(0)
    outlook["kept"][1] = pair_keeps(tables, rules, state, seat, best, held) if forms & PAIRS else np.int64(0)
    outlook["kept"][2] = orphan_keeps(rules, state, seat, best, held) if forms & THIRTEEN else np.int64(0)
    return outlook["kept"][0] | outlook["kept"][1] | outlook["kept"][2]


@kernel
def forms_without(outlook, kind):
    """Bits of the nearest forms that can spare a tile of ``kind``."""
    forms = np.int64(0)
    for form in range(3):
        forms |= ((outlook["kept"][form] >> kind) & 1) << form
    return forms
