"""Waits: the kinds that complete a hand."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.distance import formal_distance
from hongzhong.kernels.hand import add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.scoring import score_hand
from hongzhong.layout import BY_DRAW


@kernel
def can_join(rules, state, seat, kind):
    """Whether a tile of this kind could complete anything: it joins tiles that are held, or a wild one, or is one, or an orphan (N3, H11)."""
    if state["wild_count"][seat] > 0 or state["count"][seat, kind] > 0 or (state["wild"] >> kind) & 1:
        return True
    if rules["form_thirteen_orphans"] and state["meld_count"][seat] == 0:
        return True
    if kind >= 27:
        return False
    rank = kind % 9
    around = np.int64(0)
    for step in range(max(np.int64(-2), -rank), min(np.int64(3), 9 - rank)):
        around += state["count"][seat, kind + step]
    return around > 0


@unit
def find_waits(tables, rules, state, seat):
    """Mask of kinds that complete the seat's 3n + 1 concealed tiles; formal: copies that are all gone count (H18). Exact.

    A fifth natural copy has no key, and some sheets are beyond the tables (``check_waits``): there the scoring search decides.
    """
    waits = np.int64(0)
    state["waits"][seat] = 0
    ready = formal_distance(tables, rules, state, seat) <= 0
    for kind in range(34):
        if rules["copies"][kind] == 0:
            continue
        mask = np.int64(1) << kind
        full = state["count"][seat, kind] >= 4 and state["wild"] & mask == 0
        if not full and not (ready and can_join(rules, state, seat, np.int64(kind))):
            continue
        wins = True
        if not full:
            add_tile(state, seat, kind)
            wins = formal_distance(tables, rules, state, seat) < 0
            remove_tile(state, seat, kind)
        if wins and (full or rules["check_waits"]):
            wins = score_hand(tables, rules, state, seat, kind, np.int64(BY_DRAW), np.int64(0), np.int64(7), False) >= 0
        if wins:
            waits |= mask
    state["waits"][seat] = waits
    return waits
