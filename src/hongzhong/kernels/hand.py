"""A seat's tiles in the state record: adding, removing, melding. Counts and base-5 keys stay together here."""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.tiles import ADDED_KONG, CHOW, CONCEALED_KONG, PUNG

PLACES: Final = np.array([5 ** (kind % 9) for kind in range(34)], np.int64)


@kernel
def add_tile(state, seat, kind):
    """A tile joins the concealed ones. A fifth natural copy would overflow the key: callers guard it."""
    state["count"][seat, kind] += 1
    if (state["wild"] >> kind) & 1:
        state["wild_count"][seat] += 1
    else:
        state["suit_key"][seat, kind // 9] += PLACES[kind]


@kernel
def remove_tile(state, seat, kind):
    state["count"][seat, kind] -= 1
    if (state["wild"] >> kind) & 1:
        state["wild_count"][seat] -= 1
    else:
        state["suit_key"][seat, kind // 9] -= PLACES[kind]


@kernel
def add_meld(state, seat, form, kind, source):
    """Notes a fixed set; its tiles have left the concealed ones already. ``kind`` is the lowest of a chow."""
    place = state["meld_count"][seat]
    state["meld_count"][seat] = place + 1
    state["meld_form"][seat, place] = form
    state["meld_kind"][seat, place] = kind
    state["meld_from"][seat, place] = source
    suit = kind // 9
    rank = kind % 9
    state["meld_suit_tiles"][seat, suit] += 3 if form <= PUNG else 4
    if suit == 3:
        state["meld_honours"][seat] += 1
    elif rank == 0 or rank == 8 or (form == CHOW and rank == 6):
        state["meld_terminals"][seat] += 1
    if form == CHOW:
        state["chow_count"][seat] += 1
    elif form == PUNG:
        state["pung_kinds"][seat] |= np.int64(1) << kind
    else:
        state["kong_count"][seat] += 1
        if form == CONCEALED_KONG:
            state["concealed_kong_count"][seat] += 1


@kernel
def drop_meld(state, seat):
    """Takes the seat's last meld away, as if ``add_meld`` had not been called; a trial ends with it."""
    place = state["meld_count"][seat] - 1
    state["meld_count"][seat] = place
    form = np.int64(state["meld_form"][seat, place])
    kind = np.int64(state["meld_kind"][seat, place])
    suit = kind // 9
    rank = kind % 9
    state["meld_suit_tiles"][seat, suit] -= 3 if form <= PUNG else 4
    if suit == 3:
        state["meld_honours"][seat] -= 1
    elif rank == 0 or rank == 8 or (form == CHOW and rank == 6):
        state["meld_terminals"][seat] -= 1
    if form == CHOW:
        state["chow_count"][seat] -= 1
    elif form == PUNG:
        state["pung_kinds"][seat] &= ~(np.int64(1) << kind)
    else:
        state["kong_count"][seat] -= 1
        if form == CONCEALED_KONG:
            state["concealed_kong_count"][seat] -= 1


@kernel
def pung_to_kong(state, seat, kind):
    """An added kong is complete: the pung of ``kind`` becomes it (its fourth tile has left the concealed ones)."""
    for place in range(state["meld_count"][seat]):
        if state["meld_form"][seat, place] == PUNG and state["meld_kind"][seat, place] == kind:
            state["meld_form"][seat, place] = ADDED_KONG
    state["pung_kinds"][seat] &= ~(np.int64(1) << kind)
    state["meld_suit_tiles"][seat, kind // 9] += 1
    state["kong_count"][seat] += 1


@kernel
def kong_to_pung(state, seat, kind):
    """The reverse of ``pung_to_kong``: a robbed kong, or the end of a trial (its fourth tile is the caller's)."""
    for place in range(state["meld_count"][seat]):
        if state["meld_form"][seat, place] == ADDED_KONG and state["meld_kind"][seat, place] == kind:
            state["meld_form"][seat, place] = PUNG
    state["pung_kinds"][seat] |= np.int64(1) << kind
    state["meld_suit_tiles"][seat, kind // 9] -= 1
    state["kong_count"][seat] -= 1


@kernel
def clear_seat(state, seat):
    """The seat holds nothing."""
    for kind in range(34):
        state["count"][seat, kind] = 0
    for suit in range(4):
        state["suit_key"][seat, suit] = 0
        state["meld_suit_tiles"][seat, suit] = 0
    state["wild_count"][seat] = 0
    state["meld_count"][seat] = 0
    state["meld_terminals"][seat] = 0
    state["meld_honours"][seat] = 0
    state["chow_count"][seat] = 0
    state["kong_count"][seat] = 0
    state["concealed_kong_count"][seat] = 0
    state["pung_kinds"][seat] = 0
    state["waits"][seat] = 0
