"""The wall and the order of seats: live tiles, the next seat, drawing."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.hand import add_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.log import EVENT_DRAW, FROM_TAIL, NO_DRAW, TURN, log


@kernel
def next_seat(state, seat):
    """The next seat in play direction that is still playing (C1)."""
    for _ in range(4):
        seat = (seat + 1) % 4
        if (state["playing"] >> seat) & 1:
            break
    return seat


@kernel
def live_tiles(rules, state):
    """Tiles that may still be drawn from the front: without the reserve and what the kongs have pushed aside (H25)."""
    return rules["n_tiles"] - state["reserve"] - rules["aside_per_kong"] * state["kongs"] - state["position"]


@kernel
def take_tile(rules, state, events, seat, source):
    """The seat draws and has the turn; its own draw ends its locks (C9)."""
    if source == FROM_TAIL:
        kind = np.int64(state["wall"][rules["n_tiles"] - 1 - state["tail"]])
        state["tail"] += 1
    else:
        kind = np.int64(state["wall"][state["position"]])
        state["position"] += 1
    add_tile(state, seat, kind)
    state["win_lock"] &= ~(np.int64(1) << seat)
    state["pung_lock"][seat] = 0
    state["turn"] = seat
    state["phase"] = TURN
    state["pending"] = NO_DRAW
    state["drawn"] = kind
    state["replaced"] = np.int64(source == FROM_TAIL)
    state["last_tile"] = np.int64(live_tiles(rules, state) <= 0)
    state["called_false"] = 0
    log(state, events, EVENT_DRAW, seat, kind, state["replaced"], np.int64(0))
