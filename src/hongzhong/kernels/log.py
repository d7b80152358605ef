"""What happens in a hand of play, as rows of numbers; phases and codes that the kernels of play share.

A row of ``events`` has ten int64 columns, unused ones are left as they are:

============= ========= =================================================================================
code          column 1  columns 2 on
============= ========= =================================================================================
EVENT_DRAW    seat      kind, 1 if from the tail
EVENT_DISCARD seat      kind, 1 if it is the kind just drawn
EVENT_CHOW    seat      kind claimed, lowest kind, seat it came from
EVENT_PUNG    seat      kind, seat it came from
EVENT_KONG    seat      kind, form (``tiles``), seat it came from (own seat unless exposed)
EVENT_WIN     seat      kind, way (``layout.BY_*``), seat it came from, points, pattern bits, facts, waits before
EVENT_FALSE   seat
EVENT_PAY     why       four deltas
EVENT_END     reason    next dealer
============= ========= =================================================================================
"""

from __future__ import annotations

from hongzhong.kernels.jit import kernel

TURN, CLAIM, ROB, OVER = range(4)
"""Phases: a seat acts on its turn, seats answer to a discard, seats may rob a kong, the hand has ended."""
NO_DRAW, FIRST_DRAW, FROM_WALL, FROM_TAIL = range(4)
"""The draw that follows an action: the dealer's fourteenth tile, the next seat's, a replacement."""
EVENT_DRAW, EVENT_DISCARD, EVENT_CHOW, EVENT_PUNG, EVENT_KONG, EVENT_WIN, EVENT_FALSE, EVENT_PAY, EVENT_END = range(9)
PAY_WIN, PAY_KONG, PAY_KONG_VOID, PAY_FALSE_WIN, PAY_FOLLOW = range(5)
END_WIN, END_EXHAUSTED, END_FOUR_KONGS, END_FALSE_WIN, END_ABORTED = range(5)
N_COLUMNS = 10


@kernel
def log(state, events, code, seat, a, b, c):
    """Appends a row; an array without room for it logs nothing."""
    row = state["n_events"]
    if row < events.shape[0]:
        events[row, 0] = code
        events[row, 1] = seat
        events[row, 2] = a
        events[row, 3] = b
        events[row, 4] = c
        state["n_events"] = row + 1


@kernel
def log_win(state, events, seat, kind, how, source, facts):
    row = state["n_events"]
    log(state, events, EVENT_WIN, seat, kind, how, source)
    if row < events.shape[0]:
        events[row, 5] = state["win_points"][seat]
        events[row, 6] = state["win_bits"][seat]
        events[row, 7] = facts
        events[row, 8] = state["waits"][seat]


@kernel
def clear_deltas(state):
    """``state["deltas"]``, the four seats' payments of one cause, holds nothing yet."""
    for seat in range(4):
        state["deltas"][seat] = 0


@kernel
def pay(state, events, why, out):
    """Moves the deltas in ``out`` (4 seats)."""
    row = state["n_events"]
    log(state, events, EVENT_PAY, why, out[0], out[1], out[2])
    if row < events.shape[0]:
        events[row, 5] = out[3]
    for seat in range(4):
        state["scores"][seat] += out[seat]
