"""The bot ``value``: speed, worth and danger weighed in points, by the prices and payments of whatever sheet is played.

It asks the kernel of the same name (kernels/value.py) about a table on which only its own view is laid out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hongzhong.actions import N_ACTIONS
from hongzhong.aims import MAX_AIMS
from hongzhong.bots.sight import Sight, compiled
from hongzhong.events import Event
from hongzhong.kernels import sight, tempo, value, weights
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.log import N_COLUMNS
from hongzhong.layout import OUTLOOK, RESULT, STATE
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet

TEMPO_HANDS: Final = 1000
N_CHANCES: Final = 320


class Reason(NamedTuple):
    """What speaks for an action, in points expected: ``total``, and ``attack`` before the ``danger`` (the chance that the discard deals in).
    ``distance``: tiles missing from the hand that is aimed at; ``useful``: unseen copies that bring it nearer, None where it was not looked at
    closely."""

    action: int
    total: float
    attack: float
    danger: float
    distance: int
    useful: int | None


@lru_cache(maxsize=64)
def weights_of(rules: RuleSet) -> npt.NDArray[np.float64]:
    """What the bot weighs with: the tuned numbers and the tempo of the rule set, which takes some hands of play to measure."""
    out = np.zeros(weights.N_WEIGHTS)
    for place, number in weights.TUNED.items():
        out[place] = number
    for place, numbers in weights.BY_WAY.items():
        out[place : place + len(numbers)] = numbers
    # a fixed run of generators, so that a rule set has one tempo
    random = np.arange(1, TEMPO_HANDS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    tempo.measure_tempo(
        hand_tables(), compiled(rules), np.zeros(1, STATE), np.zeros((0, N_COLUMNS), np.int64), np.zeros(136, np.int8),
        random, np.zeros(N_ACTIONS, np.int64), np.zeros(1, OUTLOOK), np.zeros(TEMPO_HANDS, RESULT), np.zeros(N_CHANCES),
        out,
    )  # fmt: skip
    return out


class Scratch:
    """What the kernel writes on: ``chance`` and ``notes`` tell afterwards what it thought."""

    def __init__(self) -> None:
        self.chance = np.zeros(N_CHANCES)
        self.notes = np.zeros((N_ACTIONS, value.N_NOTES))
        self.after = np.zeros((MAX_AIMS + 1, value.STAND + 2), np.int64)
        self.out = np.zeros(4, np.int64)


class ValueBot(Scratch):
    """Leaves nothing to chance: ``seed`` is not used."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._actions = np.zeros(N_ACTIONS, np.int64)
        self._outlook = np.zeros(1, OUTLOOK)

    def start(self, rules: RuleSet, seat: int) -> None:
        self.sight = Sight(rules, seat)
        self.weights = weights_of(rules)

    def see(self, event: Event) -> None:
        self.sight.see(event)

    def choose(self, prompt: Prompt) -> int:
        n_actions = len(prompt.actions)
        self._actions[:n_actions] = prompt.actions
        self.notes[:] = -np.inf
        self.sight.lay(prompt)
        return int(
            sight.value_at(
                hand_tables(), self.sight.rules, self.sight.states, self.sight.seat, self.weights, self._actions,
                n_actions, self.chance, self._outlook, self.notes, self.after, self.out,
            )
        )  # fmt: skip

    def reasons(self, prompt: Prompt) -> list[Reason]:
        """What speaks for the answers to a prompt, the best first; those that it never weighs, such as a false win, are left out."""
        chosen = self.choose(prompt)
        found = []
        for action in prompt.actions:
            total, attack, danger, distance, useful, _ = self.notes[action].tolist()
            if np.isfinite(total):
                found.append(Reason(action, total, attack, danger, int(distance), None if useful < 0 else int(useful)))
        return sorted(found, key=lambda reason: (reason.action != chosen, -reason.total))
