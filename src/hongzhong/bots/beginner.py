"""The bot ``beginner``: plays as ``greedy`` does, with mistakes that beginners make. It wins when it may."""

from __future__ import annotations

import random
from typing import Final

from hongzhong import actions
from hongzhong.bots.greedy import GreedyBot
from hongzhong.events import Event
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet

MISSED: Final = 0.5
"""How often it overlooks what it could claim or declare as a kong."""
LOOSE: Final = 0.25
"""How often it discards whatever tile it looks at first, the drawn one as likely as all others together."""


class BeginnerBot:
    """Its mistakes follow from the seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._greedy = GreedyBot(seed)

    def start(self, rules: RuleSet, seat: int) -> None:
        self._greedy.start(rules, seat)

    def see(self, event: Event) -> None:
        self._greedy.see(event)

    def choose(self, prompt: Prompt) -> int:
        chosen = self._greedy.choose(prompt)
        if chosen in (actions.PASS, actions.WIN_BY_DRAW, actions.WIN_BY_CLAIM):
            return chosen
        if prompt.kind != "turn":
            return actions.PASS if self._random.random() < MISSED else chosen
        discards = [action for action in prompt.actions if action < actions.PASS]
        overlooked = chosen >= actions.PASS and self._random.random() < MISSED
        if not discards or not (overlooked or self._random.random() < LOOSE):
            return chosen
        if prompt.tile in discards and self._random.random() < 0.5:
            return prompt.tile
        return self._random.choice(discards)
