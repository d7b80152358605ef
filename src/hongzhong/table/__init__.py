"""A live table without I/O: who sits there, prompts, clocks, and what each seat has seen. Answers and the time come in from outside.

Times are whole milliseconds of the host's clock. A table follows from its match and its journal entries alone, so that it can be
resumed as it stood. What happens is shown in order: every discard and added kong lies for the same time before anything follows,
whether or not anybody may claim it; a hand that ended lies until all went on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hongzhong import actions, events
from hongzhong.match import Match
from hongzhong.round import IllegalAction
from hongzhong.table.entries import (
    Answered,
    AnyEntry,
    Ended,
    EntryError,
    Switched,
    Ticked,
    Waited,
    WentOn,
    decode,
    encode,
)
from hongzhong.table.prompts import Asked, Pace, Question, StaleAnswer, auto_prompt
from hongzhong.tiles import KIND_OF
from hongzhong.view import View

__all__ = ["SEATS", "WATCHED", "Asked", "Pace", "Question", "StaleAnswer", "Step", "Table"]

SEATS: Final = range(4)
WATCHED: Final = (*SEATS, events.SPECTATOR)
KEPT_PROMPTS: Final = 32
"""Prompts of a seat that a late answer is still compared with."""

Step = Callable[[int, int], list[events.Event]]
"""Answers for a seat and returns the events that follow; ``Match.step``, or one that also writes them down."""


class Table:
    """Any number of persons and bots at one match. ``persons``: the seats that people hold; nothing moves while none of them is ``present``.

    After each call ``take_entries`` has what must be written down before anyone is told, ``take_changed`` the seats (``events.SPECTATOR``
    among them) whose update differs. ``first_prompt``: where prompt ids begin, so that those of an earlier match are never met again. ``claimed``: by seat
    the claimed kind of each meld, -1 for none.
    """

    def __init__(
        self,
        match: Match,
        persons: Iterable[int],
        pace: Pace,
        now: int = 0,
        *,
        first_prompt: int = 1,
        step: Step | None = None,
    ) -> None:
        self.match = match
        self._step: Step = match.step if step is None else step
        self.pace = pace
        self.persons = set(persons)
        self.present: set[int] = set()
        self.auto: set[int] = set()
        self.asked: dict[int, Asked] = {}
        self.bank = [pace.bank] * 4
        self.views = {seat: View.start(match.rules, seat) for seat in WATCHED}
        self.claimed: list[list[int]] = [[] for _ in SEATS]
        self.seq = dict.fromkeys(WATCHED, 0)
        self.between = False
        self.gone_on: set[int] = set()
        self.last_at = now
        self._paused: int | None = now if self.persons else None
        self._away = dict.fromkeys(SEATS, now)
        self._shown: dict[int, list[events.Event]] = {seat: [] for seat in WATCHED}
        self._hand_from = dict.fromkeys(WATCHED, 0)
        self._queue = deque(match.events)
        self._free_at = now
        self._next_id = [first_prompt] * 4
        self._answers: list[dict[int, int]] = [{} for _ in SEATS]
        self._entries: list[bytes] = []
        self._changed: set[int] = set()
        self._show(now)

    # what the outside reads

    @property
    def over(self) -> bool:
        """The match is over and its result was shown."""
        return self.match.over and not self._queue

    @property
    def paused(self) -> bool:
        return self._paused is not None and not self.over

    def is_away(self, seat: int, now: int) -> bool:
        """Whether a bot answers for the person of the seat, who is gone."""
        if seat not in self.persons or seat in self.present:
            return False
        return (now if self._paused is None else self._paused) >= self._away[seat] + self.pace.away

    def take_entries(self) -> list[bytes]:
        """Journal entries since the last call."""
        taken, self._entries = self._entries, []
        return taken

    def take_changed(self) -> set[int]:
        """Seats for whom something changed since the last call."""
        taken, self._changed = self._changed, set()
        return taken

    def since(self, seat: int, seq: int) -> list[events.Event]:
        """The events that a seat saw after its first ``seq``; older than the hand before this one are not kept."""
        shown = self._shown[seat]
        return shown[max(len(shown) - (self.seq[seat] - seq), 0) :]

    def hand_so_far(self, seat: int) -> list[events.Event]:
        """What a seat saw of the hand in play, for a bot that takes it over."""
        return self._shown[seat][self._hand_from[seat] :]

    def thinking(self) -> list[int]:
        """The seats asked on an own turn, which everybody may know."""
        return [seat for seat, asked in self.asked.items() if asked.prompt.kind == "turn"]

    def left(self, seat: int, now: int) -> tuple[int, int]:
        """Milliseconds to answer in all, and before the bank is drawn on; -1 without clocks."""
        asked = self.asked[seat]
        if not self.pace.move:
            return -1, -1
        now = now if self._paused is None else self._paused
        passed = now - asked.since
        return max(self._time_of(seat, asked) - passed, 0), max(self.pace.move - passed, 0)

    def bank_left(self, seat: int, now: int) -> int:
        """Of the bank as all may see it; -1 without clocks."""
        if not self.pace.move:
            return -1
        asked = self.asked.get(seat)
        if asked is None or asked.prompt.kind != "turn":
            return self.bank[seat]
        return min(self.bank[seat], self.left(seat, now)[0])

    def next_hand(self, now: int) -> int:
        """Milliseconds until the next hand begins by itself, -1 if none waits or nothing begins it but the players."""
        if not self.between or self.pace.between < 0:
            return -1
        return max(self._free_at - (now if self._paused is None else self._paused), 0)

    # what comes in

    def answer(self, seat: int, prompt_id: int, action: int, now: int) -> bool:
        """A seat's answer; False for the same one again. Raises ``StaleAnswer``, ``IllegalAction``; then nothing changed."""
        asked = self.asked.get(seat)
        if asked is None or asked.id != prompt_id:
            return self._again(seat, prompt_id, action)
        if action not in asked.prompt.actions:
            choices = ", ".join(map(actions.name_of, asked.prompt.actions))
            named = actions.name_of(action) if 0 <= action < actions.N_ACTIONS else f"action {action}"
            raise IllegalAction(f"seat {seat}: {named} is not legal here; it may answer: {choices}")
        self._write(Answered(at=now, seat=seat, action=action))
        self._answered(seat, action, now)
        return True

    def set_auto(self, seat: int, on: bool, now: int) -> None:
        """Auto-play on or off; off is the one tap that takes a hand back."""
        if on != (seat in self.auto):
            self._write(Switched(at=now, seat=seat, on=on))
            self._switch(seat, on)
            self._check_gone_on(now)

    def go_on(self, seat: int, now: int) -> None:
        """A person has seen the end of the hand; the next begins when all who are there, auto-play apart, have."""
        if self.between and seat in self.persons:
            self.gone_on.add(seat)
            self._changed.update(WATCHED)
            self._check_gone_on(now)

    def sit(self, seat: int, person: bool, now: int) -> None:
        """A person takes the seat, or a bot does."""
        if person:
            self.persons.add(seat)
            self._away[seat] = now
        else:
            self.persons.discard(seat)
            self.auto.discard(seat)
            self.arrive(seat, False, now)
        self._changed.update(WATCHED)

    def arrive(self, seat: int, here: bool, now: int) -> None:
        """The person of a seat came or went."""
        if here:
            self.present.add(seat)
            if self._paused is not None and seat in self.persons:
                long, self._paused = max(now - self._paused, 0), None
                self._write(Waited(at=now, long=long))
                self._shift(long)
                self._changed.update(WATCHED)
        elif seat in self.present:
            self.present.discard(seat)
            self._away[seat] = now
            if not self.present & self.persons:
                self._paused = now
                self._changed.update(WATCHED)
            self._check_gone_on(now)

    def abort(self, now: int) -> None:
        """Ends the match early."""
        if not self.match.over:
            self._write(Ended(at=now))
            self._end(now)

    def tick(self, now: int) -> None:
        """What the time alone brings: events that were held, a hand that goes on, prompts that run out."""
        if self._paused is not None:
            return
        self._show(now)
        if self.between and self.pace.between >= 0 and now >= self._free_at:
            self._next_hand(now)
        for seat, asked in list(self.asked.items()):
            if not asked.expired and seat in self.persons and self._out_of_time(seat, asked, now):
                asked.expired = True
                if asked.prompt.kind == "turn" and seat in self.present:
                    self.set_auto(seat, True, now)

    def keep_time(self, now: int) -> None:
        """Writes the time down while a clock runs, so that it stands there after a crash."""
        if self._paused is None and self.pace.move and now > self.last_at and self.asked.keys() & self.persons:
            self._write(Ticked(at=now))

    def questions(self, now: int) -> list[Question]:
        """The open prompts that somebody other than a person must answer now."""
        if self._paused is not None:
            return []
        found = []
        for seat, asked in self.asked.items():
            if 0 <= self._by_machine(seat, asked) <= now:
                auto = seat in self.persons and seat in self.present
                found.append(Question(seat, asked.id, auto_prompt(asked.prompt) if auto else asked.prompt, auto))
        return found

    def due(self, now: int) -> int | None:
        """When ``tick`` and ``questions`` should next be called, None if only an answer can bring anything."""
        if self._paused is not None:
            return None
        times = [self._free_at] if self._queue and not (self.between and self.pace.between < 0) else []
        for seat, asked in self.asked.items():
            if (ready := self._by_machine(seat, asked)) >= 0:
                times.append(ready)
            elif self.pace.move:
                times.append(asked.since + self._time_of(seat, asked))
            if seat in self.persons and seat not in self.present:
                times.append(self._away[seat] + self.pace.away)
        return min((time for time in times if time > now), default=None)

    # resuming

    def replay(self, entries: Sequence[bytes]) -> None:
        """Goes through the journal again; nobody is there after it. Raises ``EntryError``."""
        for number, line in enumerate(entries):
            try:
                entry = decode(line)
                self._follow(entry)
            except EntryError as error:
                raise EntryError(f"entry {number} of the journal does not follow: {error}") from error
            except (IllegalAction, KeyError) as error:  # which would tell what hand the seat holds
                raise EntryError(
                    f"entry {number} of the journal does not follow: the seat could not answer so"
                ) from error
            self.last_at = max(self.last_at, entry.at)
        self._paused = self.last_at
        self._away = dict.fromkeys(SEATS, self.last_at)
        self._changed.update(WATCHED)

    def _follow(self, entry: AnyEntry) -> None:
        self._show(
            entry.at - entry.long if isinstance(entry, Waited) else entry.at, at_once=isinstance(entry, Answered)
        )
        match entry:
            case Answered():
                self._answered(entry.seat, entry.action, entry.at)
            case Switched():
                self._switch(entry.seat, entry.on)
            case WentOn():
                self._open(entry.at)
            case Waited():
                self._shift(entry.long)
            case Ended():
                self._end(entry.at)

    # how it goes on

    def _write(self, entry: AnyEntry) -> None:
        self._entries.append(encode(entry))
        self.last_at = max(self.last_at, entry.at)

    def _answered(self, seat: int, action: int, now: int) -> None:
        asked = self.asked[seat]
        happened = self._step(seat, action)
        del self.asked[seat]
        if self.pace.move and asked.prompt.kind == "turn":
            over = now - asked.since - self.pace.move
            self.bank[seat] -= min(max(over, 0), self.bank[seat])
        answers = self._answers[seat]
        answers[asked.id] = -1 if asked.expired else action
        if len(answers) > KEPT_PROMPTS:
            del answers[next(iter(answers))]
        self._changed.add(seat)
        self._queue.extend(happened)
        self._free_at = max(self._free_at, now)
        self._show(now)

    def _again(self, seat: int, prompt_id: int, action: int) -> bool:
        given = self._answers[seat].get(prompt_id)
        if given == action:
            return False
        if given is None:
            raise StaleAnswer("no_such_prompt", f"seat {seat} is not asked prompt {prompt_id}")
        if given < 0:
            raise StaleAnswer("too_late", f"seat {seat}: the time for prompt {prompt_id} was up")
        raise StaleAnswer("answered", f"seat {seat} answered prompt {prompt_id} with {actions.name_of(given)}")

    def _switch(self, seat: int, on: bool) -> None:
        if on:
            self.auto.add(seat)
        else:
            self.auto.discard(seat)
        self._changed.update(WATCHED)

    def _shift(self, long: int) -> None:
        self._free_at += long
        for asked in self.asked.values():
            asked.since += long
        for seat in SEATS:
            self._away[seat] += long

    def _end(self, now: int) -> None:
        self.asked.clear()
        self._queue.extend(self.match.abort())
        self.between = False
        self._free_at = now
        self._show(now, at_once=True)

    def _show(self, now: int, *, at_once: bool = False) -> None:
        """Shows what is no longer held, then asks. Held events go at their own time, however late the call."""
        while self._queue and (at_once or (now >= self._free_at and not self.between)):
            event = self._queue.popleft()
            self.between = False
            if isinstance(event, events.Hand):
                self.bank = [self.pace.bank] * 4
                for seat in WATCHED:
                    del self._shown[seat][: self._hand_from[seat]]
                    self._hand_from[seat] = len(self._shown[seat])
            self._note_claim(event)
            for seat in WATCHED:
                seen = events.masked(event, seat)
                if seen is not None:
                    self.views[seat].apply(seen)
                    self._shown[seat].append(seen)
                    self.seq[seat] += 1
            self._changed.update(WATCHED)
            if isinstance(event, events.Discard) or (isinstance(event, events.Kong) and event.kind == "added"):
                self._free_at += self.pace.hold
            elif isinstance(event, events.End) and not self.match.over and self.pace.between:
                self.between = True
                self.gone_on.clear()
                self._free_at += max(self.pace.between, 0)
        if not self._queue:
            self._ask()

    def _note_claim(self, event: events.Event) -> None:
        if isinstance(event, events.Hand):
            self.claimed = [[] for _ in SEATS]
        elif isinstance(event, events.Chow | events.Pung) or (isinstance(event, events.Kong) and event.kind != "added"):
            self.claimed[event.seat].append(-1 if event.from_ is None else KIND_OF[event.tile])

    def _ask(self) -> None:
        for seat in self.match.asked():
            if seat not in self.asked:
                prompt = self.match.prompt(seat)
                assert prompt is not None
                lies = self._free_at - (self.pace.hold if prompt.kind != "turn" else 0)
                self.asked[seat] = Asked(self._next_id[seat], prompt, lies)
                self._next_id[seat] += 1
                self._changed.update(WATCHED if prompt.kind == "turn" else (seat,))

    def _check_gone_on(self, now: int) -> None:
        looking = (self.present & self.persons) - self.auto
        if self.between and self._paused is None and not looking - self.gone_on and (looking or self.pace.between < 0):
            self._next_hand(now)

    def _next_hand(self, now: int) -> None:
        self._write(WentOn(at=now))
        self._open(now)

    def _open(self, now: int) -> None:
        self.between = False
        self._free_at = now
        self._show(now)

    def _time_of(self, seat: int, asked: Asked) -> int:
        return self.pace.move + (self.bank[seat] if asked.prompt.kind == "turn" else 0)

    def _out_of_time(self, seat: int, asked: Asked, now: int) -> bool:
        return bool(self.pace.move) and now - asked.since >= self._time_of(seat, asked)

    def _by_machine(self, seat: int, asked: Asked) -> int:
        """When a bot or auto-play answers, -1 for a person's prompt."""
        own_turn = self.pace.bot if asked.prompt.kind == "turn" else 0
        if seat not in self.persons or seat in self.auto:
            return asked.since + own_turn
        if asked.expired:
            return asked.since
        if seat not in self.present:
            return max(asked.since + own_turn, self._away[seat] + self.pace.away)
        return -1
