"""The bot ``search``: each action played to the end of the hand many times over, in worlds that fit what the seat has seen.

Candidates are the actions that ``value`` rates best, each with ways to go on (freely, closed, towards an aim). They are tried in the same
worlds; after each round of playouts the worse half is dropped (sequential halving), and what ``value`` expects counts as so many playouts.
"""

from __future__ import annotations

import math
import re
import time
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hongzhong.actions import N_ACTIONS, PASS, WIN_BY_CLAIM, WIN_BY_DRAW
from hongzhong.bots.value import ValueBot
from hongzhong.events import Event
from hongzhong.kernels import rollout, value
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.log import N_COLUMNS
from hongzhong.layout import CONCEALED, OUTLOOK
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import CONCEALED_KONG

DEFAULT: Final = "1000"
MOST_PLAYOUTS: Final = 1_000_000
MOST_MS: Final = 60_000
MOST_ACTIONS: Final = 5
MOST_PLANS: Final = 2
"""Actions that are tried, and how many of them with more than one way to go on."""
PRIOR: Final = 1500.0
"""Playouts that the expectation of ``value`` counts as at the deal; less and less, by the square of the tiles left, as the rest of the
hand gets short and playouts less of a guess."""
REACH: Final = 3.0
"""Standard errors by which further playouts may still change a score; what lies farther behind is given up."""
CHUNK: Final = 8
"""Worlds between two looks at the clock."""
_GOLDEN: Final = 0x9E3779B97F4A7C15


class Budget(NamedTuple):
    """Playouts for a decision, or milliseconds; the other is 0."""

    playouts: int
    milliseconds: int


def parse_budget(text: str) -> Budget | None:
    """``1000`` playouts or ``50ms``; None for anything else."""
    found = re.fullmatch(r"([0-9]{1,8})(ms)?", text)
    if found is None:
        return None
    number = int(found.group(1))
    if not 1 <= number <= (MOST_MS if found.group(2) else MOST_PLAYOUTS):
        return None
    return Budget(0, number) if found.group(2) else Budget(number, 0)


class SearchBot:
    """Chooses by playouts. With a number of playouts the same seed and view give the same action; a time gives what it allows."""

    def __init__(self, seed: int = 0, budget: Budget = Budget(int(DEFAULT), 0)) -> None:  # noqa: B008 - a constant
        self.budget = budget
        self.playouts = 0
        """Playouts of the last decision."""
        self._seed = seed
        self._decisions = 0
        self._value = ValueBot()
        self._rows = np.zeros((MOST_ACTIONS * MOST_PLANS + 1, 4), np.int64)
        self._sums = np.zeros((len(self._rows), 3))
        self._actions = np.zeros(N_ACTIONS, np.int64)
        self._events = np.zeros((0, N_COLUMNS), np.int64)
        self._outlook = np.zeros(1, OUTLOOK)

    def start(self, rules: RuleSet, seat: int) -> None:
        self._value.start(rules, seat)
        self._decisions = 0

    def see(self, event: Event) -> None:
        self._value.see(event)

    def choose(self, prompt: Prompt) -> int:
        self.playouts = 0
        if len(prompt.actions) == 1:
            return prompt.actions[0]
        chosen = self._value.choose(prompt)
        if chosen == WIN_BY_DRAW or prompt.kind == "rob":
            return chosen
        self._decisions += 1
        priors = self._candidates(prompt)
        if len({int(action) for action in self._rows[: len(priors), rollout.ACTION]}) < 2:
            return chosen
        return self._halve(priors)

    def _candidates(self, prompt: Prompt) -> npt.NDArray[np.float64]:
        """Writes the candidates into rows; what ``value`` expects of each."""
        notes = self._value.notes
        rated = [action for action in prompt.actions if np.isfinite(notes[action, value.TOTAL])]
        rated.sort(key=lambda action: -notes[action, value.TOTAL])
        rated = rated[:MOST_ACTIONS]
        priors: list[float] = []
        for place, action in enumerate(rated):
            plans = self._plans(action) if place < MOST_PLANS else [(-1, 0)]
            for aim, closed in plans:
                self._rows[len(priors)] = (action, aim, closed, 1)
                priors.append(float(notes[action, value.TOTAL]))
        return np.array(priors)

    def _plans(self, action: int) -> list[tuple[int, int]]:
        """Ways to go on after an action: with claims and without."""
        if action == WIN_BY_CLAIM:
            return [(0, 0)]
        sight = self._value.sight
        plans = [(-1, 0)]
        opened = any(laid.meld.form != CONCEALED_KONG for laid in sight.view.melds[sight.seat])
        if int(sight.rules[0]["priced"]) >> CONCEALED & 1 and not opened and (action < PASS + 1 or action > PASS + 100):
            plans.append((-1, 1))
        return plans

    def _halve(self, priors: npt.NDArray[np.float64]) -> int:
        n = len(priors)
        rounds = max(1, int(np.ceil(np.log2(n))))
        prior = self._prior()
        rows, sums = self._rows, self._sums
        sums[:] = 0.0
        begun = time.perf_counter()
        worlds = 0
        scores = priors
        for step in range(1, rounds + 1):
            alive = int(rows[:n, rollout.ALIVE].sum())
            if self.budget.playouts:
                share = self.budget.playouts * step // rounds - self.playouts
                worlds += self._try(worlds, max(1, share // alive), n)
            else:
                until = begun + self.budget.milliseconds / 1000 * step / rounds
                while worlds == 0 or time.perf_counter() < until:
                    worlds += self._try(worlds, CHUNK, n)
            self.playouts = int(sums[:n, rollout.COUNT].sum())
            scores = self._scores(priors, prior)
            order = sorted(range(n), key=lambda row: (-int(rows[row, rollout.ALIVE]), -scores[row]))
            reach = self._reach(order[0], prior)
            for place, row in enumerate(order[1:], 1):
                if place >= (alive + 1) // 2 or scores[row] < scores[order[0]] - reach:
                    rows[row, rollout.ALIVE] = 0
            if len({int(rows[row, rollout.ACTION]) for row in order if rows[row, rollout.ALIVE]}) == 1:
                break
        return int(rows[order[0], rollout.ACTION])

    def _try(self, first: int, worlds: int, n: int) -> int:
        """Every living candidate in so many more worlds; their chance follows from the seed, the decision and the world's number."""
        sight = self._value.sight
        rollout.try_worlds(
            hand_tables(), sight.rules, sight.states, sight.seat, self._generators(first, worlds), self._rows, n,
            sight.numbers, self._value.weights, self._value.chance, self._actions, self._events, self._outlook, self._sums,
        )  # fmt: skip
        return worlds

    def _generators(self, first: int, n: int) -> npt.NDArray[np.uint64]:
        mixed = (self._seed * 0x100000001B3 + self._decisions * 0x1000193 + self._value.sight.view.number) % (1 << 64)
        with np.errstate(over="ignore"):
            value = np.uint64(mixed) + np.arange(first + 1, first + n + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
            for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
                value = (value ^ (value >> np.uint64(shift))) * np.uint64(factor)
            value ^= value >> np.uint64(31)
        return np.where(value == 0, np.uint64(_GOLDEN), value)

    def _prior(self) -> float:
        """Playouts that ``value`` counts as at this time of the hand."""
        sight = self._value.sight
        left: float = sight.view.remaining / (int(sight.rules[0]["n_tiles"]) - 53)
        return PRIOR * left * left

    def _reach(self, row: int, prior: float) -> float:
        """How far the rest of the playouts may still move a score."""
        total, squares, count = (float(number) for number in self._sums[row])
        count = max(1.0, count)
        spread = math.sqrt(max(0.0, squares / count - (total / count) ** 2))
        last = max(count, self.budget.playouts / 2 if self.budget.playouts else 8 * count)
        return REACH * spread * math.sqrt(2 / last) * last / (last + prior)

    def _scores(self, priors: npt.NDArray[np.float64], prior: float) -> npt.NDArray[np.float64]:
        """What each candidate brings: the mean of its playouts, drawn towards what ``value`` expects."""
        n = len(priors)
        count = self._sums[:n, rollout.COUNT]
        mean = self._sums[:n, rollout.SUM] / np.maximum(1.0, count)
        level = float((mean - priors).mean())
        return np.asarray((count * mean + prior * (priors + level)) / (count + prior))
