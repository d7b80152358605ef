"""What seats may call on a discard or an added kong, and how their answers are resolved (C2)."""

from __future__ import annotations

import numpy as np

from hongzhong.actions import CHOW_LOW, EXPOSED_KONG, FALSE_WIN, N_ACTIONS, PASS, PUNG, WIN_BY_CLAIM
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import CLAIM, ROB
from hongzhong.kernels.wall import live_tiles, next_seat
from hongzhong.layout import MANUAL

OFFER_WIN, OFFER_PUNG, OFFER_KONG, OFFER_CHOW, OFFER_FALSE = 1, 2, 4, 8, 64
"""Bits of ``state["offers"]``; chows take three from ``OFFER_CHOW`` on, by the place of the claimed tile. A pass is always offered."""
LOCK_WIN, LOCK_PUNG = 1, 2
"""Bits of the option ``pass_lock``."""
assert EXPOSED_KONG + 34 < N_ACTIONS


@kernel
def holds_natural(state, seat, kind):
    return state["count"][seat, kind] > 0 and (state["wild"] >> kind) & 1 == 0


@kernel
def chow_offers(state, seat, kind):
    """Bits of the chows that the seat's natural tiles make with ``kind``."""
    offers = np.int64(0)
    if kind >= 27:
        return offers
    rank = kind % 9
    for place in range(3):
        low = kind - place
        if rank - place < 0 or rank - place > 6:
            continue
        fits = True
        for other in range(low, low + 3):
            if other != kind and not holds_natural(state, seat, other):
                fits = False
        if fits:
            offers |= np.int64(OFFER_CHOW) << place
    return offers


@kernel
def may_win_on(rules, state, seat, kind):
    """Whether the seat may win on another's tile: it waits for it, is not locked, and a wild tile may be won on (Q4, C9)."""
    if (state["waits"][seat] >> kind) & 1 == 0 or (state["win_lock"] >> seat) & 1:
        return False
    return (state["wild"] >> kind) & 1 == 0 or rules["wild_discard_wins"] != 0


@kernel
def claim_offers(rules, state, seat, kind, source):
    """What the seat may call on a discard. A wild tile is never part of a claim (Q3)."""
    offers = np.int64(0)
    if rules["discard_wins"] and may_win_on(rules, state, seat, kind):
        offers |= OFFER_WIN
    elif rules["calls"] == MANUAL:
        offers |= OFFER_FALSE
    if (state["wild"] >> kind) & 1:
        return offers
    held = np.int64(state["count"][seat, kind])
    if held >= 2 and (state["pung_lock"][seat] >> kind) & 1 == 0:
        if rules["pung"]:
            offers |= OFFER_PUNG
        if rules["exposed_kong"] and held >= 3 and live_tiles(rules, state) >= rules["kong_needs"]:
            offers |= OFFER_KONG
    if rules["chow"] and seat == next_seat(state, source):
        offers |= chow_offers(state, seat, kind)
    return offers


@kernel
def ask(rules, state, phase, kind, source):
    """Asks every other seat that may call something, all at once; whether any is asked."""
    state["asked"] = 0
    seat = next_seat(state, source)
    while seat != source:
        if phase == CLAIM:
            offers = claim_offers(rules, state, seat, kind, source)
        else:
            offers = np.int64(OFFER_WIN) if may_win_on(rules, state, seat, kind) else np.int64(0)
        state["offers"][seat] = offers
        state["answers"][seat] = PASS
        if offers != 0:
            state["asked"] |= np.int64(1) << seat
        seat = next_seat(state, seat)
    state["offers"][source] = 0
    if state["asked"] == 0:
        return False
    state["phase"] = phase
    state["offer_tile"] = kind
    state["offer_from"] = source
    return True


@kernel
def take_answer(rules, state, seat, action):
    """Seals the answer of an asked seat and locks it where it let an offer go (C9 pass_lock)."""
    state["answers"][seat] = action
    state["asked"] &= ~(np.int64(1) << seat)
    offers = state["offers"][seat]
    if rules["pass_lock"] & LOCK_WIN and offers & OFFER_WIN and action != WIN_BY_CLAIM:
        state["win_lock"] |= np.int64(1) << seat
    if (
        rules["pass_lock"] & LOCK_PUNG
        and offers & (OFFER_PUNG | OFFER_KONG)
        and action != PUNG
        and action < EXPOSED_KONG
    ):
        state["pung_lock"][seat] |= np.int64(1) << state["offer_tile"]


@kernel
def winning_answers(rules, state):
    """Mask of the seats that win: all who called, or the nearest after the discarder (``multi_win``)."""
    winners = np.int64(0)
    source = state["offer_from"]
    seat = next_seat(state, source)
    while seat != source:
        if state["offers"][seat] != 0 and state["answers"][seat] == WIN_BY_CLAIM:
            winners |= np.int64(1) << seat
            if not rules["multi_win"]:
                break
        seat = next_seat(state, seat)
    return winners


@kernel
def rank_of_answer(action):
    """3 for a false win, 2 for pung and kong, 1 for a chow, 0 for the rest; wins are taken before (C2, C10)."""
    if action == FALSE_WIN:
        return np.int64(3)
    if action == PUNG or action >= EXPOSED_KONG:
        return np.int64(2)
    return np.int64(1) if CHOW_LOW <= action < CHOW_LOW + 3 else np.int64(0)


@kernel
def best_answer(state, punished):
    """The seat whose call goes first, the nearest of equals; -1 if none calls. An unpunished false win is a pass (C10)."""
    best = np.int64(-1)
    best_rank = np.int64(0)
    source = state["offer_from"]
    seat = next_seat(state, source)
    while seat != source:
        rank = rank_of_answer(state["answers"][seat]) if state["offers"][seat] != 0 else np.int64(0)
        if rank == 3 and not punished:
            rank = np.int64(0)
        if rank > best_rank:
            best_rank = rank
            best = seat
        seat = next_seat(state, seat)
    return best


assert ROB > CLAIM
