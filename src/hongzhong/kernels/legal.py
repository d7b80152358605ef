"""The legal actions of a seat, as action numbers in rising order."""

from __future__ import annotations

import numpy as np

from hongzhong.actions import (
    ADDED_KONG,
    CHOW_LOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    FALSE_WIN,
    PASS,
    PUNG,
    WIN_BY_CLAIM,
    WIN_BY_DRAW,
)
from hongzhong.kernels.claims import OFFER_CHOW, OFFER_FALSE, OFFER_KONG, OFFER_PUNG, OFFER_WIN
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import OVER, TURN
from hongzhong.kernels.wall import live_tiles
from hongzhong.layout import MANUAL


@kernel
def wins_by_draw(state, seat):
    """Whether the seat may win by the tile just drawn."""
    return state["drawn"] >= 0 and (state["waits"][seat] >> state["drawn"]) & 1 != 0


@kernel
def may_call_false(rules, state, seat):
    """Whether a false win may be called on an own turn: once a turn, after a draw that does not win (C10)."""
    return (
        rules["calls"] == MANUAL and state["drawn"] >= 0 and not state["called_false"] and not wins_by_draw(state, seat)
    )


@kernel
def legal_claims(state, seat, out):
    offers = state["offers"][seat]
    out[0] = PASS
    n = np.int64(1)
    if offers & OFFER_WIN:
        out[n] = WIN_BY_CLAIM
        n += 1
    if offers & OFFER_PUNG:
        out[n] = PUNG
        n += 1
    for place in range(3):
        if (offers >> place) & OFFER_CHOW:
            out[n] = CHOW_LOW + place
            n += 1
    if offers & OFFER_FALSE:
        out[n] = FALSE_WIN
        n += 1
    if offers & OFFER_KONG:
        out[n] = EXPOSED_KONG + state["offer_tile"]
        n += 1
    return n


@kernel
def legal_kongs(rules, state, seat, out, n):
    """Added and concealed kongs: only after an own draw, never of wild tiles, and with enough live tiles (C3, Q3, H16)."""
    if state["drawn"] < 0 or live_tiles(rules, state) < rules["kong_needs"]:
        return n
    if rules["added_kong"] and state["pung_kinds"][seat] != 0:
        for kind in range(34):
            if (state["pung_kinds"][seat] >> kind) & 1 and state["count"][seat, kind] > 0:
                out[n] = ADDED_KONG + kind
                n += 1
    if rules["concealed_kong"]:
        for kind in range(34):
            if state["count"][seat, kind] == 4 and (state["wild"] >> kind) & 1 == 0:
                out[n] = CONCEALED_KONG + kind
                n += 1
    return n


@kernel
def legal(rules, state, seat, out):
    """Writes the seat's legal actions into ``out`` (room for ``N_ACTIONS``) and returns how many; 0 if it is not asked."""
    n = np.int64(0)
    if state["phase"] == OVER:
        return n
    if state["phase"] != TURN:
        return legal_claims(state, seat, out) if (state["asked"] >> seat) & 1 else n
    if seat != state["turn"]:
        return n
    kept = rules["keep_last"] != 0 and state["last_tile"] != 0 and state["drawn"] >= 0
    if kept:
        out[n] = PASS
        n += 1
    else:
        for kind in range(34):
            if state["count"][seat, kind] > 0:
                out[n] = kind
                n += 1
    if wins_by_draw(state, seat):
        out[n] = WIN_BY_DRAW
        n += 1
    elif may_call_false(rules, state, seat):
        out[n] = FALSE_WIN
        n += 1
    return n if kept else legal_kongs(rules, state, seat, out, n)
