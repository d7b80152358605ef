"""Whole hands from the shuffle to the payments, without leaving compiled code.

Each hand has a generator of its own, seeded by its number: any split of a batch gives the same hands.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.jit import entry, kernel, unit
from hongzhong.kernels.legal import legal
from hongzhong.kernels.log import CLAIM, OVER, TURN
from hongzhong.kernels.policy import below, greedy
from hongzhong.kernels.start import start_hand
from hongzhong.kernels.step import step
from hongzhong.kernels.table import asked_seat
from hongzhong.kernels.value import value
from hongzhong.layout import BY_DISCARD, BY_DRAW, BY_KONG

RANDOM, GREEDY, VALUE = range(3)
POLICIES: Final = ("random", "greedy", "value")
"""Policies by number."""


@kernel
def shuffle(rules, random, place, wall):
    """Fills ``wall`` with the tiles of the rule set in random order."""
    n_tiles = np.int64(0)
    for kind in range(34):
        for _ in range(rules["copies"][kind]):
            wall[n_tiles] = kind
            n_tiles += 1
    for last in range(n_tiles - 1, 0, -1):
        other = below(random, place, np.int64(last + 1))
        kept = wall[last]
        wall[last] = wall[other]
        wall[other] = kept


@unit
def lay_wall(rules, random, place, wall, results):
    """All the chance of a hand but the bots' own, in this order: dealer, two throws of two dice, wall. The reserve in tiles (H25)."""
    results[place]["dealer"] = below(random, place, np.int64(4))
    thrown = np.int64(0)
    for die in range(4):
        pips = below(random, place, np.int64(6)) + 1
        results[place]["dice"][die] = pips
        thrown += pips
    shuffle(rules, random, place, wall)
    return 2 * thrown if rules["reserve_tiles"] < 0 else rules["reserve_tiles"]


@kernel
def keep_result(state, phase, results, place):
    """Copies what became of the hand; ``phase`` is that of its last prompt."""
    result = results[place]
    won = state["winners"] != 0
    result["reason"] = state["reason"]
    result["winners"] = state["winners"]
    result["how"] = -1
    result["source"] = -1
    if won:
        result["how"] = BY_DRAW if phase == TURN else (BY_DISCARD if phase == CLAIM else BY_KONG)
        result["source"] = state["turn"] if phase == TURN else state["offer_from"]
    result["kongs"] = state["kongs"]
    result["steps"] = state["steps"]
    result["discards"] = 0
    for seat in range(4):
        wins = (state["winners"] >> seat) & 1
        result["points"][seat] = state["win_points"][seat] if wins else 0
        result["bits"][seat] = state["win_bits"][seat] if wins else 0
        result["scores"][seat] = state["scores"][seat]
        result["concealed_kongs"][seat] = state["concealed_kong_count"][seat]
        result["open_kongs"][seat] = state["kong_count"][seat] - state["concealed_kong_count"][seat]
        result["discards"] += state["discards"][seat]


@entry
def play_hands(
    all_tables, all_rules, states, events, wall, random, policies, actions, outlooks, weights, chance, notes, after, out,
    results,
):  # fmt: skip
    """Plays one hand for each generator of ``random`` into ``results``. ``policies``: by seat. ``states[0]``, ``wall``, ``actions``,
    ``outlooks`` and all from ``chance`` to ``out``: scratch. ``value`` wants its ``weights`` and the aims (aims.py) in ``all_rules``.
    """
    tables = all_tables[0]
    rules = all_rules[0]
    state = states[0]
    outlook = outlooks[0]
    for place in range(random.shape[0]):
        reserve = lay_wall(rules, random, place, wall, results)
        start_hand(tables, rules, state, events, wall, results[place]["dealer"], reserve)
        phase = np.int64(TURN)
        while state["phase"] != OVER:
            phase = state["phase"]
            seat = asked_seat(state)
            n_actions = legal(rules, state, seat, actions)
            if policies[seat] == RANDOM:
                action = actions[below(random, place, n_actions)]
            elif policies[seat] == GREEDY:
                action = greedy(tables, rules, state, seat, actions, n_actions, outlook)
            else:
                action = value(
                    tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out
                )
            step(tables, rules, state, events, seat, action)
        keep_result(state, phase, results, place)


@entry
def lay_hand(all_rules, random, wall, results):
    """Only the chance of one hand: ``wall``, dealer and dice, as ``play_hands`` would lay them."""
    return lay_wall(all_rules[0], random, np.int64(0), wall, results)
