"""The table as one seat sees it, laid out in a state record: all that bots which look at more than tiles may know."""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.jit import entry
from hongzhong.kernels.policy import show_table
from hongzhong.kernels.value import value

(
    SEES_DEALER, SEES_REMAINING, SEES_PHASE, SEES_TURN, SEES_DRAWN, SEES_REPLACED, SEES_TILE, SEES_SOURCE, SEES_CLAIMED,
    SEES_KONGS, SEES_SIZES, SEES_HIDDEN, SEES_SCORES, SEES_LEDGER,
) = (*range(11), 14, 18, 22)  # fmt: skip
N_SEEN: Final = 38
"""Places in the numbers of ``lay_sight``; sizes, hidden kongs and scores by seat, kong payments by payer and payee."""


@entry
def lay_sight(all_rules, states, seat, counts, rows, n_rows, out):
    """``states[0]`` holds what the seat knows: rows as for ``show_table`` (rivers in whole, claimed tiles marked), numbers in ``out``.

    Others hold nothing yet, hidden kongs are only counted (``out``). The reserve is whatever makes the live tiles right.
    """
    rules = all_rules[0]
    state = states[0]
    show_table(rules, state, seat, counts, rows, n_rows)
    state["playing"] = 15
    state["dealer"] = out[SEES_DEALER]
    state["phase"] = out[SEES_PHASE]
    state["turn"] = out[SEES_TURN]
    state["drawn"] = out[SEES_DRAWN]
    state["replaced"] = out[SEES_REPLACED]
    state["last_tile"] = np.int64(out[SEES_REMAINING] <= 0)
    state["offer_tile"] = out[SEES_TILE]
    state["offer_from"] = out[SEES_SOURCE]
    state["claimed"] = out[SEES_CLAIMED]
    state["kongs"] = out[SEES_KONGS]
    state["tail"] = out[SEES_KONGS]
    hidden = np.int64(0)
    total = np.int64(0)
    for other in range(4):
        state["discards"][other] = state["river_count"][other]
        state["first_discard"][other] = -1 if state["river_count"][other] == 0 else state["river"][other, 0] % 64
        state["scores"][other] = out[SEES_SCORES + other]
        for payee in range(4):
            state["ledger"][other, payee] = out[SEES_LEDGER + 4 * other + payee]
        hidden += out[SEES_SIZES + other] + 4 * out[SEES_HIDDEN + other] if other != seat else 0
        total += state["river_count"][other]
    state["following"] = np.int64(
        state["discards"][state["dealer"]] > 0 and state["claimed"] == 0 and state["kongs"] == 0
    )
    for row in range(n_rows):
        if rows[row, 1] >= 0:
            total += 3 if rows[row, 1] < 2 else 4
    for kind in range(34):
        total += counts[kind]
    total -= state["claimed"]
    state["position"] = total + hidden - state["tail"]
    state["reserve"] = (
        rules["n_tiles"] - rules["aside_per_kong"] * state["kongs"] - state["position"] - out[SEES_REMAINING]
    )
    return state["position"]


@entry
def value_at(
    all_tables, all_rules, states, seat, weights, actions, n_actions, chance, outlooks, notes, after, out
):  # fmt: skip
    """The action of ``value`` for the table in ``states[0]``; ``notes`` tells why."""
    return value(
        all_tables[0], all_rules, states[0], seat, weights, actions, n_actions, chance, outlooks[0], notes, after, out
    )
