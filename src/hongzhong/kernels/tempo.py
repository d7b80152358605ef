"""How fast hands of a rule set end and what they cost, measured on hands that greedy bots play."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.batch import lay_wall
from hongzhong.kernels.jit import entry, kernel
from hongzhong.kernels.legal import legal
from hongzhong.kernels.log import CLAIM, OVER, TURN
from hongzhong.kernels.policy import greedy
from hongzhong.kernels.start import start_hand
from hongzhong.kernels.step import step
from hongzhong.kernels.table import asked_seat
from hongzhong.kernels.weights import DEAL_LOSS, HAZARD, LAST_ROUND, LOSS, READY


@kernel
def note_turn(state, chance):
    """Counts, by round, seats asked on their turn and how many of them are ready."""
    turn = state["discards"][0] + state["discards"][1] + state["discards"][2] + state["discards"][3]
    turn = min(np.int64(LAST_ROUND), turn // 4)
    chance[4 * turn] += 1.0
    for seat in range(4):
        if seat != state["turn"] and state["waits"][seat] != 0:
            chance[4 * turn + 1] += 1.0 / 3.0


@kernel
def note_end(state, phase, chance):
    """Counts, by round, hands that got there and hands that were won in it; what was paid."""
    turn = state["discards"][0] + state["discards"][1] + state["discards"][2] + state["discards"][3]
    last = min(np.int64(LAST_ROUND), turn // 4)
    for place in range(last + 1):
        chance[4 * place + 2] += 1.0
    if state["winners"] == 0:
        return
    chance[4 * last + 3] += 1.0
    for seat in range(4):
        if state["scores"][seat] < 0:
            chance[128] -= state["scores"][seat]
            if phase == CLAIM and seat == state["offer_from"]:
                chance[129] -= state["scores"][seat]
                chance[130] += 1.0
    chance[131] += 1.0


@entry
def measure_tempo(all_tables, all_rules, states, events, wall, random, actions, outlooks, results, chance, weights):
    """Greedy bots play a hand for each generator of ``random``; the tempo goes into ``weights``. All but ``all_*`` and ``random``: scratch."""
    tables = all_tables[0]
    rules = all_rules[0]
    state = states[0]
    chance[:] = 0.0
    for place in range(random.shape[0]):
        reserve = lay_wall(rules, random, place, wall, results)
        start_hand(tables, rules, state, events, wall, results[place]["dealer"], reserve)
        phase = np.int64(TURN)
        while state["phase"] != OVER:
            phase = state["phase"]
            seat = asked_seat(state)
            n_actions = legal(rules, state, seat, actions)
            if phase == TURN:
                note_turn(state, chance)
            step(
                tables, rules, state, events, seat, greedy(tables, rules, state, seat, actions, n_actions, outlooks[0])
            )
        note_end(state, phase, chance)
    for turn in range(LAST_ROUND + 1):
        weights[HAZARD + turn] = 0.89 * (chance[4 * turn + 3] + 0.5) / (chance[4 * turn + 2] + 2.0)
        weights[READY + turn] = (chance[4 * turn + 1] + 0.5) / (chance[4 * turn] + 1.0)
    weights[LOSS] = chance[128] / max(1.0, 3.0 * chance[131])
    weights[DEAL_LOSS] = chance[129] / max(1.0, chance[130])
