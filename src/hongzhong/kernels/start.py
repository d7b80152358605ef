"""A hand of play begins: everything cleared, thirteen tiles each, and the dealer's fourteenth (C11)."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.hand import add_tile, clear_seat
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.log import FIRST_DRAW, TURN
from hongzhong.kernels.step import advance

ALL_SEATS = 15


@kernel
def clear_table(rules, state, dealer, reserve):
    """``reserve``: tiles kept back in this hand; below 0 the rule set's own number (H25)."""
    state["wild"] = rules["wild"]
    state["reserve"] = reserve if reserve >= 0 else rules["reserve_tiles"]
    state["dealer"] = dealer
    state["turn"] = dealer
    state["playing"] = ALL_SEATS
    state["phase"] = TURN
    state["drawn"] = -1
    state["offer_tile"] = -1
    state["offer_from"] = -1
    state["last_discarder"] = -1
    state["erred"] = -1
    state["reason"] = -1
    state["next_dealer"] = dealer
    state["position"] = 0
    state["tail"] = 0
    state["kongs"] = 0
    state["replaced"] = 0
    state["last_tile"] = 0
    state["claimed"] = 0
    state["following"] = 0
    state["called_false"] = 0
    state["asked"] = 0
    state["win_lock"] = 0
    state["winners"] = 0
    state["win_passed"] = -1
    state["steps"] = 0
    state["n_events"] = 0


@kernel
def clear_seats(state):
    for seat in range(4):
        clear_seat(state, seat)
        state["offers"][seat] = 0
        state["answers"][seat] = 0
        state["pung_lock"][seat] = 0
        state["discards"][seat] = 0
        state["first_discard"][seat] = -1
        state["river_count"][seat] = 0
        state["scores"][seat] = 0
        state["win_points"][seat] = 0
        state["win_bits"][seat] = 0
        for payee in range(4):
            state["ledger"][seat, payee] = 0


@kernel
def deal(rules, state, wall, dealer):
    """Three rounds of four tiles, then one each, in turn order from the dealer."""
    for place in range(rules["n_tiles"]):
        state["wall"][place] = wall[place]
    for place in range(52):
        seat = (dealer + (place // 4 if place < 48 else place)) % 4
        add_tile(state, seat, np.int64(wall[place]))
    state["position"] = 52


@unit
def start_hand(tables, rules, state, events, wall, dealer, reserve):
    """Deals from ``wall`` (all tiles in drawing order) up to the dealer's first prompt."""
    clear_table(rules, state, dealer, reserve)
    clear_seats(state)
    deal(rules, state, wall, dealer)
    state["stale"] = ALL_SEATS
    state["pending"] = FIRST_DRAW
    advance(tables, rules, state, events)
