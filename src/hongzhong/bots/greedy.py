"""The bot ``greedy``: fewest tiles missing under the rule set's own conditions, then most copies left to draw.

It asks the kernel that plays whole batches, with a table on which only its own view is laid out.
"""

from __future__ import annotations

import numpy as np

from hongzhong.actions import N_ACTIONS
from hongzhong.bots.sight import compiled
from hongzhong.events import Event
from hongzhong.kernels import policy
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import OUTLOOK, STATE
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import UNKNOWN, counts_of
from hongzhong.view import View

_MOST_ROWS = 16 + 136


class GreedyBot:
    """Wins when it may, claims when that brings it nearer, never calls a false win. ``seed`` is not used: nothing is left to chance."""

    def __init__(self, seed: int = 0) -> None:
        self._state = np.zeros(1, STATE)
        self._outlook = np.zeros(1, OUTLOOK)
        self._actions = np.zeros(N_ACTIONS, np.int64)
        self._rows = np.zeros((_MOST_ROWS, 4), np.int64)

    def start(self, rules: RuleSet, seat: int) -> None:
        self._seat = seat
        self._rules = compiled(rules)
        self._view = View.start(rules, seat)

    def see(self, event: Event) -> None:
        self._view.apply(event)

    def choose(self, prompt: Prompt) -> int:
        n_actions = len(prompt.actions)
        self._actions[:n_actions] = prompt.actions
        counts = np.array(counts_of(self._view.hand), np.int8)
        return int(
            policy.choose_greedy(
                hand_tables(), self._rules, self._state, self._seat, prompt.tile, self._actions, n_actions,
                self._outlook, counts, self._rows, self._lay_rows(),
            )
        )  # fmt: skip

    def _lay_rows(self) -> int:
        """Writes the open melds and rivers, a row each."""
        place = 0
        for seat in range(4):
            for meld, source in self._view.melds[seat]:
                if meld.kind != UNKNOWN:
                    self._rows[place] = (seat, meld.form, meld.kind, source)
                    place += 1
            for kind, claimed in self._view.rivers[seat]:
                if not claimed:
                    self._rows[place] = (seat, -1, kind, seat)
                    place += 1
        return place
