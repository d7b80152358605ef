"""Kongs: declared, robbed or completed, paid for, and what follows (C3, C9, Q18, H24)."""

from __future__ import annotations

import numpy as np

from hongzhong import actions
from hongzhong.kernels.claims import ask
from hongzhong.kernels.ending import finish
from hongzhong.kernels.hand import add_meld, pung_to_kong, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import END_FOUR_KONGS, EVENT_KONG, FROM_TAIL, PAY_KONG, ROB, TURN, clear_deltas, log, pay
from hongzhong.tiles import ADDED_KONG, CONCEALED_KONG, EXPOSED_KONG


@kernel
def pay_kong(rules, state, events, seat, form, source):
    """Kong points from the three others, or from the discarder of an exposed kong alone; kept in the ledger."""
    points = rules["kong_points"][form - EXPOSED_KONG] * rules["base_point"]
    if points == 0:
        return
    clear_deltas(state)
    deltas = state["deltas"][:]
    for payer in range(4):
        if payer == seat or (form == EXPOSED_KONG and rules["kong_payer"] and payer != source):
            continue
        deltas[payer] -= points
        deltas[seat] += points
        state["ledger"][payer, seat] += points
    pay(state, events, PAY_KONG, deltas)


@kernel
def after_kong(rules, state, events, seat, form, source):
    """The kong stands: it is paid for, then ends the hand as the fourth one (H24) or brings a replacement tile."""
    state["kongs"] += 1
    state["following"] = 0
    state["stale"] |= np.int64(1) << seat
    state["turn"] = seat
    state["phase"] = TURN
    state["drawn"] = -1
    pay_kong(rules, state, events, seat, form, source)
    if rules["four_kongs_abort"] and state["kongs"] == 4:
        finish(rules, state, events, END_FOUR_KONGS)
    else:
        state["pending"] = FROM_TAIL


@kernel
def complete_added_kong(rules, state, events, seat, kind):
    """Nobody has robbed it."""
    pung_to_kong(state, seat, kind)
    after_kong(rules, state, events, seat, ADDED_KONG, seat)


@kernel
def declare_kong(rules, state, events, seat, action):
    """A concealed or added kong on the own turn. An added one may be robbed: until then the pung stays a pung (Q18)."""
    state["drawn"] = -1
    if action >= actions.CONCEALED_KONG:
        kind = action - actions.CONCEALED_KONG
        for _ in range(4):
            remove_tile(state, seat, kind)
        add_meld(state, seat, CONCEALED_KONG, kind, seat)
        log(state, events, EVENT_KONG, seat, kind, CONCEALED_KONG, seat)
        after_kong(rules, state, events, seat, CONCEALED_KONG, seat)
        return
    kind = action - actions.ADDED_KONG
    remove_tile(state, seat, kind)
    log(state, events, EVENT_KONG, seat, kind, ADDED_KONG, seat)
    if not rules["rob_kong"] or not ask(rules, state, ROB, kind, seat):
        complete_added_kong(rules, state, events, seat, kind)
