"""The bot ``random``: every legal action is as likely."""

from __future__ import annotations

import random

from hongzhong.events import Event
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet


class RandomBot:
    """Chooses uniformly among the legal actions."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def start(self, rules: RuleSet, seat: int) -> None:
        """Needs to know neither."""

    def see(self, event: Event) -> None:
        """Looks at nothing."""

    def choose(self, prompt: Prompt) -> int:
        return self._random.choice(prompt.actions)
