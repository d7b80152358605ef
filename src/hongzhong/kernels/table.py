"""A hand of play from Python: arrays of states, an index, numbers. What is legal is checked by the caller (round.py).

``all_tables`` and ``all_rules`` hold one record each. ``events`` (n, 10) int64 receives the rows of the call, see kernels/log.py;
with no rows nothing is logged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hongzhong.kernels.ending import finish
from hongzhong.kernels.jit import entry, kernel
from hongzhong.kernels.legal import legal
from hongzhong.kernels.log import END_ABORTED, OVER, TURN
from hongzhong.kernels.start import start_hand
from hongzhong.kernels.step import step
from hongzhong.kernels.wall import live_tiles


@kernel
def asked_seat(state):
    """The lowest seat whose answer is awaited, -1 when the hand is over."""
    if state["phase"] == OVER:
        return np.int64(-1)
    if state["phase"] == TURN:
        return state["turn"]
    seat = np.int64(0)
    while (state["asked"] >> seat) & 1 == 0:
        seat += 1
    return seat


@kernel
def next_prompt(rules, state, out):
    """``seat * 256 + n`` of the next seat to answer, its ``n`` legal actions in ``out``; -1 when the hand is over."""
    seat = asked_seat(state)
    if seat < 0:
        return np.int64(-1)
    return seat * 256 + legal(rules, state, seat, out)


@entry
def start_at(
    all_tables: Any,
    all_rules: Any,
    states: Any,
    index: int,
    events: Any,
    wall: Any,
    dealer: int,
    reserve: int,
    out: Any,
) -> Any:
    """Starts a hand in ``states[index]`` (``reserve`` below 0: as the rule set has it) and returns ``next_prompt``."""
    state = states[index]
    start_hand(all_tables[0], all_rules[0], state, events, wall, dealer, reserve)
    return next_prompt(all_rules[0], state, out)


@entry
def step_at(
    all_tables: Any, all_rules: Any, states: Any, index: int, events: Any, seat: int, action: int, out: Any
) -> Any:
    """One legal action in ``states[index]``, and the next prompt: one call a decision."""
    state = states[index]
    state["n_events"] = 0
    step(all_tables[0], all_rules[0], state, events, seat, action)
    return next_prompt(all_rules[0], state, out)


@entry
def legal_at(all_rules: Any, states: Any, index: int, seat: int, out: Any) -> Any:
    """Writes the legal actions of a seat into ``out`` and returns how many."""
    return legal(all_rules[0], states[index], seat, out)


@entry
def abort_at(all_rules: Any, states: Any, index: int, events: Any) -> None:
    """Ends a hand early: kong payments go back (C9)."""
    state = states[index]
    state["n_events"] = 0
    if state["phase"] != OVER:
        finish(all_rules[0], state, events, END_ABORTED)


@entry
def live_tiles_at(all_rules: Any, states: Any, index: int) -> Any:
    return live_tiles(all_rules[0], states[index])
