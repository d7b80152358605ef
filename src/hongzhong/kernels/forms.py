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
NONE_GONE, KEEPING = 24, 25
"""Beside the cases of a kind in seven pairs: the hand as it is, and what it can spare."""
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
def change_tile(state, seat, kind, by):
    """A tile of the kind more (1) or less (-1)."""
    if by > 0:
        add_tile(state, seat, kind)
    else:
        remove_tile(state, seat, kind)


@kernel
def pungs_changed(rules, state, seat, among, by, wanted):
    """Mask of the kinds ``among`` these of which a tile more or less (``by``) leaves all pungs to miss ``wanted``."""
    known = found = mask = np.int64(0)
    while among:
        kind = lowest(among)
        among &= among - 1
        case = pung_case(state, seat, kind)
        if (known >> case) & 1 == 0:
            state["count"][seat, kind] += by
            known |= np.int64(1) << case
            found |= np.int64(pungs_missing(rules, state, seat, np.int64(1)) == wanted) << case
            state["count"][seat, kind] -= by
        mask |= ((found >> case) & 1) << kind
    return mask


@kernel
def pairs_changed(tables, rules, state, seat, among, by, wanted, gone, outlook):
    """The same for seven pairs. ``gone``: the case of the tile that has left the hand surveyed, ``NONE_GONE`` or ``KEEPING``; what other kinds
    bring is the same after any tile of that case, and remembered."""
    packed = twos_and_ones(tables, state, seat)
    known, found = outlook["pairs_known"][gone], outlook["pairs_found"][gone]
    mask = np.int64(0)
    while among:
        kind = lowest(among)
        among &= among - 1
        case = pair_case(rules, state, seat, kind)
        if (known >> case) & 1 == 0:
            odd = np.int64(state["count"][seat, kind]) & 1
            pairs = (packed >> 4) + odd - np.int64(by < 0)
            known |= np.int64(1) << case
            if first_pairs(pairs, (packed & 15) + 1 - 2 * odd, np.int64(7)) <= wanted:
                change_tile(state, seat, kind, by)
                found |= np.int64(pairs_missing(rules, state, seat, wanted) == wanted) << case
                change_tile(state, seat, kind, -by)
        mask |= ((found >> case) & 1) << kind
    outlook["pairs_known"][gone], outlook["pairs_found"][gone] = known, found
    return mask


@kernel
def orphans_changed(rules, state, seat, among, by, wanted):
    """The same for thirteen orphans."""
    mask = np.int64(0)
    while among:
        kind = lowest(among)
        among &= among - 1
        state["count"][seat, kind] += by
        mask |= np.int64(orphans_missing(rules, state, seat) == wanted) << kind
        state["count"][seat, kind] -= by
    return mask


@kernel
def form_gains(tables, rules, state, seat, forms, best, among, gone, outlook):
    """Mask of the kinds ``among`` these by which one of the ``forms``, all of which miss ``best``, comes to miss fewer. ``gone``: as for
    ``pairs_changed``."""
    more, less = np.int64(1), best - 1
    mask = np.int64(0)
    if forms & PUNGS:
        mask |= pungs_changed(rules, state, seat, among, more, less)
    if forms & PAIRS:
        mask |= pairs_changed(tables, rules, state, seat, among, more, less, gone, outlook)
    if forms & THIRTEEN:
        mask |= orphans_changed(rules, state, seat, among & ORPHANS, more, less)
    return mask


@kernel
def note_kept(tables, rules, state, seat, best, held, outlook):
    """Notes for each of the nearest forms the natural kinds ``held`` of which it can spare a tile. The mask of all of them."""
    forms = outlook["forms"]
    gone, less = np.int64(KEEPING), np.int64(-1)
    for form in range(3):
        outlook["kept"][form] = 0
    if forms & PUNGS:
        outlook["kept"][0] = pungs_changed(rules, state, seat, held, less, best)
    if forms & PAIRS:
        outlook["kept"][1] = pairs_changed(tables, rules, state, seat, held, less, best, gone, outlook)
    if forms & THIRTEEN:
        outlook["kept"][2] = orphans_changed(rules, state, seat, held, less, best)
    return outlook["kept"][0] | outlook["kept"][1] | outlook["kept"][2]


@kernel
def forms_without(outlook, kind):
    """Bits of the nearest forms that can spare a tile of ``kind``."""
    forms = np.int64(0)
    for form in range(3):
        forms |= ((outlook["kept"][form] >> kind) & 1) << form
    return forms
