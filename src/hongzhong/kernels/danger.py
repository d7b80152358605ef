"""The chance that a discard deals in: what others may wait for, by their melds and rivers and the copies unseen."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.kernels.weights import (
    LAST_ROUND,
    MELD_READY,
    PAIR_RISK,
    READY,
    RIVER_SAFE,
    RUN_RISK,
    SINGLE_RISK,
    SUIT_SAFE,
    WAIT_KINDS,
)
from hongzhong.layout import RIVER_CLAIMED
from hongzhong.plans import NOTHING
from hongzhong.tiles import CONCEALED_KONG

DEALS_IN = 192
"""Place in ``chance`` of the chance by kind, then a scratch row."""
ODDS = DEALS_IN + 72
SUITS = DEALS_IN + 112


@kernel
def may_hold(rules, melds, suit):
    """Whether a seat with open melds in the suits of the mask ``melds`` may win by sets that hold tiles of a suit."""
    plans = rules["set_plans"]
    for plan in range(rules["n_set_plans"]):
        fits = plans[plan, suit] != NOTHING
        for one in range(4):
            if (melds >> one) & 1 and plans[plan, one] == NOTHING:
                fits = False
        if fits:
            return True
    return rules["free_pungs"] != 0


@kernel
def river_odds(rules, state, other, weights, chance):
    """By suit, how far the melds and the river of a seat speak against it."""
    melds = np.int64(0)
    for place in range(state["meld_count"][other]):
        if state["meld_form"][other, place] != CONCEALED_KONG or rules["concealed_kong_visible"]:
            melds |= np.int64(1) << (np.int64(state["meld_kind"][other, place]) // 9)
    for suit in range(4):
        chance[SUITS + suit] = 1.0 if may_hold(rules, melds, suit) else 0.0
    for place in range(state["river_count"][other]):
        kind = np.int64(state["river"][other, place]) % RIVER_CLAIMED
        chance[SUITS + kind // 9] *= 1.0 - weights[SUIT_SAFE]


@kernel
def wait_odds(state, kind, weights, outlook):
    """How many ways to wait for a kind the unseen copies leave."""
    unseen = outlook["unseen"]
    copies = max(np.int64(0), unseen[kind])
    total = weights[SINGLE_RISK] * copies / 4.0 + weights[PAIR_RISK] * copies * (copies - 1) / 12.0
    if kind < 27:
        rank = kind % 9
        for step in (-2, -1, 1):
            low = rank + step
            high = low + (2 if step == -1 else 1)
            if low >= 0 and high <= 8:
                one = max(np.int64(0), unseen[kind - rank + low])
                two = max(np.int64(0), unseen[kind - rank + high])
                total += weights[RUN_RISK] * one * two / 16.0
    return total


@kernel
def fill_danger(rules, state, seat, weights, outlook, chance):
    """``chance[DEALS_IN + kind]``: the chance that a discard of the kind is won on; nothing where no discard is."""
    turn = state["discards"][0] + state["discards"][1] + state["discards"][2] + state["discards"][3]
    for kind in range(34):
        chance[DEALS_IN + kind] = 0.0
    if not rules["discard_wins"]:
        return
    for other in range(4):
        if other == seat:
            continue
        ready = weights[READY + min(np.int64(LAST_ROUND), turn // 4)]
        for place in range(state["meld_count"][other]):
            if state["meld_form"][other, place] != CONCEALED_KONG:
                ready += weights[MELD_READY] * (1.0 - ready)
        river_odds(rules, state, other, weights, chance)
        total = 0.0
        for kind in range(34):
            chance[ODDS + kind] = wait_odds(state, np.int64(kind), weights, outlook) * chance[SUITS + kind // 9]
        for place in range(state["river_count"][other]):
            chance[ODDS + np.int64(state["river"][other, place]) % RIVER_CLAIMED] *= weights[RIVER_SAFE]
        for kind in range(34):
            total += chance[ODDS + kind]
        for kind in range(34):
            odds = ready * min(0.6, weights[WAIT_KINDS] * chance[ODDS + kind] / max(1e-9, total))
            chance[DEALS_IN + kind] += odds * (1.0 - chance[DEALS_IN + kind])
