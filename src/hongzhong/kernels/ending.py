"""How a hand ends: kong payments taken back, false wins paid, the next dealer."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import (
    END_ABORTED,
    END_EXHAUSTED,
    END_FALSE_WIN,
    END_FOUR_KONGS,
    END_WIN,
    EVENT_END,
    EVENT_FALSE,
    NO_DRAW,
    OVER,
    PAY_FALSE_WIN,
    PAY_KONG_VOID,
    clear_deltas,
    log,
    pay,
)
from hongzhong.kernels.wall import next_seat
from hongzhong.layout import PLAIN


@kernel
def void_kongs(state, events):
    """A drawn or aborted hand reverses the kong payments (C9)."""
    any_paid = False
    clear_deltas(state)
    deltas = state["deltas"][:]
    for payer in range(4):
        for payee in range(4):
            amount = state["ledger"][payer, payee]
            if amount != 0:
                any_paid = True
                deltas[payer] += amount
                deltas[payee] -= amount
                state["ledger"][payer, payee] = 0
    if any_paid:
        pay(state, events, PAY_KONG_VOID, deltas)


@kernel
def dealer_after_win(rules, state):
    """C12, Q2, N20, H27; H23: nobody takes the deal from a dealer by plain wins."""
    dealer = state["dealer"]
    if (state["winners"] >> dealer) & 1:
        return dealer
    plain = rules["pattern_base"][PLAIN] > 0  # elsewhere every hand is plain
    for seat in range(4):
        if (state["winners"] >> seat) & 1 and (state["win_bits"][seat] >> PLAIN) & 1 == 0:
            plain = False
    if plain and rules["dealer_stays_on_plain_win"]:
        return dealer
    if not rules["dealer_rule"]:
        return next_seat(state, dealer)
    seat = state["offer_from"]
    while (state["winners"] >> seat) & 1 == 0:
        seat = next_seat(state, seat)
    return seat


@kernel
def dealer_after(rules, state, reason):
    """Who deals the next hand. An aborted hand counts for nothing: the dealer stays."""
    dealer = state["dealer"]
    if reason == END_WIN:
        return dealer_after_win(rules, state)
    if reason == END_FALSE_WIN:
        return next_seat(state, dealer) if state["erred"] == dealer and rules["false_win_steps_down"] else dealer
    if reason == END_ABORTED:
        return dealer
    stays = rules["kong_drawn_dealer_stays"] if state["kongs"] > 0 else rules["drawn_dealer_stays"]
    return dealer if stays else next_seat(state, dealer)


@kernel
def finish(rules, state, events, reason):
    """The hand is over."""
    if reason in (END_EXHAUSTED, END_FOUR_KONGS, END_ABORTED):
        void_kongs(state, events)
    state["reason"] = reason
    state["next_dealer"] = dealer_after(rules, state, reason)
    state["phase"] = OVER
    state["asked"] = 0
    state["pending"] = NO_DRAW
    log(state, events, EVENT_END, reason, state["next_dealer"], np.int64(0), np.int64(0))


@kernel
def punishes_false_wins(rules):
    return rules["false_win_points"] > 0 or rules["false_win_dealer_points"] > 0 or rules["false_win_steps_down"] != 0


@kernel
def false_win(rules, state, events, seat):
    """A punished false win: paid to each of the others, and the hand ends; kong payments stay (C9, H26)."""
    log(state, events, EVENT_FALSE, seat, np.int64(0), np.int64(0), np.int64(0))
    points = rules["false_win_dealer_points"] if seat == state["dealer"] else rules["false_win_points"]
    clear_deltas(state)
    deltas = state["deltas"][:]
    for other in range(4):
        if other != seat:
            deltas[other] += points * rules["base_point"]
            deltas[seat] -= points * rules["base_point"]
    pay(state, events, PAY_FALSE_WIN, deltas)
    state["erred"] = seat
    finish(rules, state, events, END_FALSE_WIN)
