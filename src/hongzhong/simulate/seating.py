"""Bots at the four seats of one hand after another, behind masked events: those that no compiled batch plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from hongzhong import bots, events
from hongzhong.bots.external import ExternalBot
from hongzhong.match import Match

T = TypeVar("T")


class SimulationError(ValueError):
    """A number of hands, jobs, seats or a seed that cannot be, or a bot that fails: says which and what would be right."""


class Failure(NamedTuple):
    """A program that was put off the table in a hand; ``greedy`` played on for it. ``hand`` counts from 1; ``prompt``: 0 at the start."""

    hand: int
    seat: int
    bot: str
    kind: str
    prompt: int
    text: str


class Players:
    """Programs stay from hand to hand until ``close``; other bots are made anew for each."""

    def __init__(self, seated: Sequence[str]) -> None:
        self.seated = seated
        self._programs: dict[int, ExternalBot] = {}

    def play(self, match: Match, number: int, seeds: Sequence[int]) -> tuple[int, list[Failure]]:
        """Plays a hand to its end; the prompts answered, the programs that failed. Raises ``SimulationError`` for any other bot that does."""
        players = [self._bot(seat, seed) for seat, seed in enumerate(seeds)]
        for seat, bot in enumerate(players):
            self._guarded(number, seat, bot.start, match.rules, seat)
        told = 0
        steps = 0
        while True:
            for event in match.events[told:]:
                for seat, bot in enumerate(players):
                    seen = events.masked(event, seat)
                    if seen is not None:
                        self._guarded(number, seat, bot.see, seen)
            if match.over:
                return steps, self._failures(players, number)
            told = len(match.events)
            for prompt in [prompt for prompt in map(match.prompt, match.asked()) if prompt is not None]:
                action = self._guarded(number, prompt.seat, players[prompt.seat].choose, prompt)
                if action not in prompt.actions:
                    raise SimulationError(
                        f"bot {self.seated[prompt.seat]!r} on seat {prompt.seat} of hand {number + 1} answered {action!r}, "
                        f"legal are {list(prompt.actions)}"
                    )
                match.step(prompt.seat, action)
                steps += 1

    def close(self) -> None:
        """Ends the programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()

    def _bot(self, seat: int, seed: int) -> bots.Bot:
        program = self._programs.get(seat)
        if program is not None:
            program.seed = seed
            return program
        bot = bots.make(self.seated[seat], seed)
        if isinstance(bot, ExternalBot):
            self._programs[seat] = bot
        return bot

    def _failures(self, players: Sequence[bots.Bot], number: int) -> list[Failure]:
        return [
            Failure(number + 1, seat, self.seated[seat], bot.verdict.kind, bot.verdict.prompt, bot.verdict.text)
            for seat, bot in enumerate(players)
            if isinstance(bot, ExternalBot) and bot.verdict is not None
        ]

    def _guarded(self, number: int, seat: int, call: Callable[..., T], *values: Any) -> T:
        try:
            return call(*values)
        except Exception as error:  # whatever a foreign package raises, its user gets one line
            raise SimulationError(
                f"bot {self.seated[seat]!r} on seat {seat} of hand {number + 1}: {type(error).__name__}: {error}"
            ) from error
