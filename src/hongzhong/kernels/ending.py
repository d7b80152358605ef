"""Payments for kongs, false wins and following, and how a hand ends: who deals next (Q2, N20, H22-H27)."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.claims import OVER, next_seat
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import (
    ABORTED,
    BY_FALSE_WIN,
    BY_WIN,
    END,
    EXHAUSTED,
    FALSE,
    FOR_FALSE_WIN,
    FOR_FOLLOWING,
    FOR_KONG,
    FOR_KONG_VOID,
    FOUR_KONGS,
    PAY,
    note,
)
from hongzhong.layout import PLAIN
from hongzhong.tiles import EXPOSED_KONG


@kernel
def pay(state, events, what, a, b, c, d):
    """Adds four deltas to the hand's scores and logs them; nothing is logged where nothing is paid."""
    if a == 0 and b == 0 and c == 0 and d == 0:
        return
    state["scores"][0] += a
    state["scores"][1] += b
    state["scores"][2] += c
    state["scores"][3] += d
    note(state, events, PAY, what, a, b, c, d, 0, 0)


@kernel
def pay_one_by_all(state, events, what, one, amount):
    """``amount`` from each other seat still playing to ``one``; from one to each of them if it is negative."""
    a = np.int64(0)
    b = np.int64(0)
    c = np.int64(0)
    d = np.int64(0)
    others = np.int64(0)
    for seat in range(4):
        if seat != one and (state["playing"] >> seat) & 1:
            others += 1
    for seat in range(4):
        deltas = np.int64(0)
        if seat == one:
            deltas = others * amount
        elif (state["playing"] >> seat) & 1:
            deltas = -amount
        if seat == 0:
            a = deltas
        elif seat == 1:
            b = deltas
        elif seat == 2:
            c = deltas
        else:
            d = deltas
    pay(state, events, what, a, b, c, d)


@kernel
def pay_kong(rules, state, events, seat, form, source):
    """Kong points (C9), after the robbing window and before the replacement; the ledger lets a drawn hand reverse them."""
    amount = rules["kong_points"][form - EXPOSED_KONG] * rules["base_point"]
    if amount == 0:
        return
    for payer in range(4):
        pays = payer != seat and (state["playing"] >> payer) & 1 != 0
        if form == EXPOSED_KONG and rules["kong_payer"] and payer != source:
            pays = False
        if pays:
            state["ledger"][payer, seat] += amount
    if form == EXPOSED_KONG and rules["kong_payer"]:
        a = np.int64(0) - (amount if source == 0 else 0) + (amount if seat == 0 else 0)
        b = np.int64(0) - (amount if source == 1 else 0) + (amount if seat == 1 else 0)
        c = np.int64(0) - (amount if source == 2 else 0) + (amount if seat == 2 else 0)
        d = np.int64(0) - (amount if source == 3 else 0) + (amount if seat == 3 else 0)
        pay(state, events, FOR_KONG, a, b, c, d)
    else:
        pay_one_by_all(state, events, FOR_KONG, seat, amount)


@kernel
def ledger_sum(state, seat):
    """What the seat has received for kongs so far, less what it paid."""
    total = np.int64(0)
    for other in range(4):
        total += state["ledger"][other, seat] - state["ledger"][seat, other]
    return total


@kernel
def reverse_kongs(state, events):
    """A drawn or aborted hand takes all kong payments back."""
    a = ledger_sum(state, 0)
    b = ledger_sum(state, 1)
    c = ledger_sum(state, 2)
    d = ledger_sum(state, 3)
    pay(state, events, FOR_KONG_VOID, -a, -b, -c, -d)


@kernel
def dealer_after_win(rules, state):
    """Several winners: the dealer among them stays; a ``winner`` rule takes the first in turn order (C12, H23)."""
    dealer = state["dealer"]
    if (state["winners"] >> dealer) & 1:
        return dealer
    plain = True
    first = np.int64(-1)
    for i in range(4):
        seat = (state["offer_from"] + i) % 4
        if (state["winners"] >> seat) & 1:
            if first < 0:
                first = seat
            if (state["win_bits"][seat] >> PLAIN) & 1 == 0:
                plain = False
    if rules["dealer_stays_on_plain_win"] and plain:
        return dealer
    return first if rules["dealer_rule"] else next_seat(state, dealer)


@kernel
def dealer_after(rules, state, reason):
    dealer = state["dealer"]
    stays = True
    if reason == BY_WIN:
        return dealer_after_win(rules, state)
    if reason == EXHAUSTED or reason == FOUR_KONGS:
        stays = (rules["kong_drawn_dealer_stays"] if state["kongs"] > 0 else rules["drawn_dealer_stays"]) != 0
    elif reason == BY_FALSE_WIN:
        stays = state["offer_from"] != dealer or not rules["false_win_steps_down"]
    return dealer if stays else next_seat(state, dealer)


@kernel
def finish(rules, state, events, reason):
    """The hand ends; kong payments of a drawn or aborted hand are reversed first."""
    if reason == EXHAUSTED or reason == FOUR_KONGS or reason == ABORTED:
        reverse_kongs(state, events)
    state["phase"] = OVER
    state["reason"] = reason
    state["asked"] = 0
    state["next_dealer"] = dealer_after(rules, state, reason)
    scores = state["scores"]
    note(state, events, END, reason, scores[0], scores[1], scores[2], scores[3], state["next_dealer"], 0)


@kernel
def punish(rules, state, events, seat):
    """A false win pays each of the others and ends the hand (H26)."""
    note(state, events, FALSE, seat, 0, 0, 0, 0, 0, 0)
    points = rules["false_win_dealer_points"] if seat == state["dealer"] else rules["false_win_points"]
    pay_one_by_all(state, events, FOR_FALSE_WIN, seat, -points * rules["base_point"])
    state["offer_from"] = seat
    finish(rules, state, events, BY_FALSE_WIN)


@kernel
def follow_dealer(rules, state, events):
    """The first discards of all four are the same kind, nothing claimed: the dealer pays each (H23)."""
    if not rules["follow_dealer"] or state["claimed"]:
        return
    for seat in range(4):
        if state["discards"][seat] != 1 or state["first_discard"][seat] != state["first_discard"][0]:
            return
    pay_one_by_all(state, events, FOR_FOLLOWING, state["dealer"], -rules["base_point"])

