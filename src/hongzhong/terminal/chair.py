"""The person's chair at a table with three bots: what happened waits in ``incoming`` until the screen shows it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from hongzhong import events
from hongzhong.bots import Bot
from hongzhong.match import Match
from hongzhong.round import IllegalAction, Prompt
from hongzhong.table import Pace, Question, Step, Table
from hongzhong.view import View


class Chair:
    """``view`` lags behind the table: it has seen what ``advance`` took from ``incoming``. ``step`` writes each answer down."""

    def __init__(self, match: Match, seat: int, bots: Mapping[int, Bot], step: Step) -> None:
        self.match = match
        self.seat = seat
        self.bots = dict(bots)
        self.view = View.start(match.rules, seat)
        self.incoming: deque[events.Event] = deque()
        self._table = Table(match, [seat], Pace(), step=step)
        self._table.arrive(seat, True, 0)
        self._heard = dict.fromkeys(range(4), 0)
        for bot_seat, bot in self.bots.items():
            bot.start(match.rules, bot_seat)
        self._hear()

    def _hear(self) -> None:
        """Everybody is told what happened since."""
        for seat in range(4):
            happened = self._table.since(seat, self._heard[seat])
            self._heard[seat] = self._table.seq[seat]
            if seat == self.seat:
                self.incoming.extend(happened)
            else:
                for event in happened:
                    self.bots[seat].see(event)

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
        if self.incoming or self._table.asked.keys() & self.bots.keys():
            return None
        asked = self._table.asked.get(self.seat)
        return None if asked is None else asked.prompt

    def heard(self) -> list[events.Event]:
        """What the person's seat saw of the hand in play."""
        return self._table.hand_so_far(self.seat)

    def question(self) -> Question | None:
        """What the first asked bot must answer, None if none is asked."""
        return next(iter(self._table.questions(0)), None)

    def bot_answers(self, question: Question, action: int) -> None:
        """A bot's answer. Raises ``IllegalAction``."""
        self._table.answer(question.seat, question.id, action, 0)
        self._hear()

    def answer(self, action: int) -> None:
        """The person's answer. Raises ``IllegalAction``."""
        asked = self._table.asked.get(self.seat)
        if asked is None:
            raise IllegalAction(f"seat {self.seat} is not asked")
        self._table.answer(self.seat, asked.id, action, 0)
        self._hear()
