"""Bots at the four seats of a hand, behind masked events: those that no compiled batch plays, and all of an arena."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from hongzhong import bots, events
from hongzhong.bots.external import ExternalBot, Verdict
from hongzhong.match import Match
from hongzhong.round import Prompt

T = TypeVar("T")


class SimulationError(ValueError):
    """A number of hands, jobs, seats or a seed that cannot be, or a bot that fails: says which and what would be right."""


class BotFailed(Exception):  # noqa: N818 - the name says what happened
    """A bot of an installed package raised something or answered nonsense; programs get a verdict instead."""

    def __init__(self, seat: int, text: str) -> None:
        super().__init__(text)
        self.seat = seat


class Failure(NamedTuple):
    """A program that was put off the table in a hand; ``greedy`` played on for it. ``hand`` counts from 1; ``prompt``: 0 at the start."""

    hand: int
    seat: int
    bot: str
    kind: str
    prompt: int
    text: str


class Bench:
    """Where bots come from: programs stay from hand to hand until ``close``, each with a key of its own; others are made anew."""

    def __init__(self) -> None:
        self._programs: dict[Hashable, ExternalBot] = {}

    def bot(self, key: Hashable, name: str, seed: int) -> bots.Bot:
        program = self._programs.get(key)
        if program is not None:
            program.seed = seed
            return program
        bot = bots.make(name, seed)
        if isinstance(bot, ExternalBot):
            self._programs[key] = bot
        return bot

    def close(self) -> None:
        """Ends the programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


def guarded(seat: int, call: Callable[..., T], *values: Any) -> T:
    """Raises ``BotFailed`` for whatever a foreign package raises: its user gets one line."""
    try:
        return call(*values)
    except Exception as error:
        raise BotFailed(seat, f"{type(error).__name__}: {error}") from error


def choose(bot: bots.Bot, prompt: Prompt) -> int:
    """What the bot answers. Raises ``BotFailed``, also for an action that is not legal."""
    action = guarded(prompt.seat, bot.choose, prompt)
    if action not in prompt.actions:
        raise BotFailed(prompt.seat, f"it answered {action!r}, legal are {list(prompt.actions)}")
    return action


def play_hand(match: Match, players: Sequence[bots.Bot], ask: Callable[[bots.Bot, Prompt], int] = choose) -> int:
    """Plays a match of one hand to its end; how many prompts were answered. ``ask``: how a bot is asked. Raises ``BotFailed``."""
    told = 0
    steps = 0
    for seat, bot in enumerate(players):
        guarded(seat, bot.start, match.rules, seat)
    while True:
        for event in match.events[told:]:
            for seat, bot in enumerate(players):
                seen = events.masked(event, seat)
                if seen is not None:
                    guarded(seat, bot.see, seen)
        if match.over:
            return steps
        told = len(match.events)
        for prompt in [prompt for prompt in map(match.prompt, match.asked()) if prompt is not None]:
            match.step(prompt.seat, ask(players[prompt.seat], prompt))
            steps += 1


def verdicts(players: Sequence[bots.Bot]) -> Iterator[tuple[int, Verdict]]:
    """The programs that were put off the table in the last hand, by seat."""
    for seat, bot in enumerate(players):
        if isinstance(bot, ExternalBot) and bot.verdict is not None:
            yield seat, bot.verdict
