"""A live table without I/O: one person's match against bots. What happened waits in ``incoming`` until the door shows it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from hongzhong import events
from hongzhong.match import Match
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.view import View

Step = Callable[[int, int], list[events.Event]]
"""Answers for a seat and returns the events that follow, unmasked; ``Match.step``, or one that also writes them down."""


class Player(Protocol):
    """What sits at a seat and is no person: told of masked events, asked with prompts."""

    def start(self, rules: RuleSet, seat: int) -> None: ...

    def see(self, event: events.Event) -> None: ...

    def choose(self, prompt: Prompt) -> int: ...


class Table:
    """Seats a person and three bots at a match, new or resumed.

    ``view`` lags behind the match: it has seen what ``advance`` took from ``incoming``, all of it through the person's mask.
    """

    def __init__(self, match: Match, seat: int, bots: Mapping[int, Player], step: Step | None = None) -> None:
        self.match = match
        self.seat = seat
        self.bots = dict(bots)
        self.view = View.start(match.rules, seat)
        self.incoming: deque[events.Event] = deque()
        self._step: Step = match.step if step is None else step
        for bot_seat, bot in self.bots.items():
            bot.start(match.rules, bot_seat)
        self._tell(match.events)

    def _tell(self, happened: Iterable[events.Event]) -> None:
        for event in happened:
            for seat, bot in self.bots.items():
                seen = events.masked(event, seat)
                if seen is not None:
                    bot.see(seen)
            mine = events.masked(event, self.seat)
            if mine is not None:
                self.incoming.append(mine)

    def advance(self) -> events.Event | None:
        """Folds the next event into the view and returns it; None when nothing waits."""
        if not self.incoming:
            return None
        event = self.incoming.popleft()
        self.view.apply(event)
        return event

    @property
    def prompt(self) -> Prompt | None:
        """What the person is asked, once everything before it was shown and every asked bot has answered."""
        if self.incoming or any(seat in self.bots for seat in self.match.asked()):
            return None
        return self.match.prompt(self.seat)

    def bot_answers(self) -> bool:
        """Lets the first asked bot answer; False if none is asked."""
        for seat in self.match.asked():
            if seat in self.bots:
                prompt = self.match.prompt(seat)
                assert prompt is not None
                self._tell(self._step(seat, self.bots[seat].choose(prompt)))
                return True
        return False

    def answer(self, action: int) -> None:
        """The person's answer. Raises ``IllegalAction``."""
        self._tell(self._step(self.seat, action))
