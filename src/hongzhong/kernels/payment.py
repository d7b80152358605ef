"""Who pays what for a win (C9): points, dealer, shares, and last of all the cap."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.layout import BY_DRAW, PAYS_DISCARDER, PAYS_FOR_ALL


@kernel
def settle(rules, payer, winner, due, out):
    """One payer's whole amount for one win, under the cap."""
    if rules["cap"] > 0:
        due = min(due, rules["cap"])
    out[payer] -= due
    out[winner] += due


@kernel
def pay_win(rules, dealer, winner, source, how, points, out):
    """Adds the payments of one win to ``out`` (4 seats). Robbing a kong is like a discard, its owner the discarder (Q18)."""
    for_all = how != BY_DRAW and rules["discard_pays"] == PAYS_FOR_ALL
    sum_due = np.int64(0)
    for payer in range(4):
        if payer == winner:
            continue
        if how != BY_DRAW and rules["discard_pays"] == PAYS_DISCARDER and payer != source:
            continue
        due = points
        if payer == dealer or winner == dealer:
            due *= rules["dealer_multiplier"]
        sum_due += due
        if not for_all:
            settle(rules, payer, winner, due, out)
    if for_all:
        settle(rules, source, winner, sum_due, out)
