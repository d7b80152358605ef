"""Whole hands between policies that weigh differently, for tuning and for the strength table (docs/bots.md)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hongzhong.kernels.batch import keep_result, lay_wall
from hongzhong.kernels.jit import entry
from hongzhong.kernels.legal import legal
from hongzhong.kernels.log import OVER, TURN
from hongzhong.kernels.policy import GREEDY, choose
from hongzhong.kernels.start import start_hand
from hongzhong.kernels.step import step
from hongzhong.kernels.table import asked_seat
from hongzhong.kernels.value import value

VALUE: Final = 2


@entry
def play_duel(all_tables: Any, all_rules: Any, states: Any, events: Any, wall: Any, random: Any, policies: Any, actions: Any, outlooks: Any, all_weights: Any, chance: Any, notes: Any, after: Any, out: Any, results: Any) -> None:  # fmt: skip
    """Plays one hand for each generator of ``random`` into ``results``; the seat's row of ``all_weights`` is for ``value``."""
    tables = all_tables[0]
    rules = all_rules[0]
    state = states[0]
    for place in range(random.shape[0]):
        reserve = lay_wall(rules, random, place, wall, results)
        start_hand(tables, rules, state, events, wall, results[place]["dealer"], reserve)
        phase = np.int64(TURN)
        while state["phase"] != OVER:
            phase = state["phase"]
            seat = asked_seat(state)
            n_actions = legal(rules, state, seat, actions)
            if policies[seat] > GREEDY:
                action = value(
                    tables, all_rules, state, seat, all_weights[seat], actions, n_actions, chance, outlooks[0], notes,
                    after, out,
                )  # fmt: skip
            else:
                action = choose(
                    tables, rules, state, seat, policies[seat], actions, n_actions, random, place, outlooks[0]
                )
            step(tables, rules, state, events, seat, action)
        keep_result(state, phase, results, place)
