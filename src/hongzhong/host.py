"""Runs live tables with asyncio: the time, bots in worker threads, and the ledger, so that nothing is shown before it is kept."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Final, Protocol, TypeVar

from hongzhong import bots, events
from hongzhong.ledger import Append, Change, Store, StoreError
from hongzhong.round import Prompt
from hongzhong.table import Question, Table

log: Final = logging.getLogger("hongzhong.host")
KEEP_TIME_MS: Final = 1000
"""How often the time of a running clock is written down: the most that a crash gives back."""
FALLBACK: Final = "greedy"

T = TypeVar("T")
Told = Callable[[], None]


class Watcher(Protocol):
    """Who shows a table to people."""

    def shown(self, changed: set[int], now: int) -> Told | None:
        """Builds, now, what the changed seats see; the result is called once that is kept."""

    def ended(self) -> Sequence[Change]:
        """What is written together with the end of the match."""

    def failed(self, error: StoreError) -> None:
        """Nothing more can be kept, or the table failed: it is as the store has it, not as it is here."""


class Line:
    """One room's way to the store, in order: changes, then what may be told once they are kept."""

    def __init__(self, store: Store, failed: Callable[[StoreError], None]) -> None:
        self._store = store
        self._failed = failed
        self._waiting: list[tuple[Sequence[Change], Told | None]] = []
        self._working: asyncio.Task[None] | None = None
        self.broken = False

    def put(self, changes: Sequence[Change], told: Told | None = None) -> None:
        """``told`` is called after these changes and all before them are on the disk, or never."""
        if self.broken:
            return
        if not changes and self._working is None:
            if told is not None:
                told()
            return
        self._waiting.append((changes, told))
        if self._working is None:
            self._working = asyncio.get_running_loop().create_task(self._work(), name="line")

    async def flush(self) -> None:
        """Waits until all is written."""
        while self._working is not None:
            await asyncio.wait([self._working])

    async def _work(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                changes = [change for part, _ in batch for change in part]
                if changes:
                    await self._store.write(*changes)
                for _, told in batch:
                    if told is not None:
                        told()
        except StoreError as error:
            self.broken = True
            self._waiting.clear()
            self._failed(error)
        finally:
            self._working = None


class Robot:
    """A bot at a seat and how far it has been told; it is asked in a worker thread, one question at a time."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.seed = seed
        self.bot: bots.Bot | None = None
        self.told = 0
        self.waiting: list[events.Event] = []

    def hear(self, table: Table, seat: int) -> None:
        """Takes what happened since, to be told in the thread."""
        if self.bot is None:
            self.bot = bots.make(self.name, self.seed)
            self.bot.start(table.match.rules, seat)
            self.waiting = list(table.hand_so_far(seat))
        else:
            self.waiting += table.since(seat, self.told)
        self.told = table.seq[seat]

    def choose(self, heard: list[events.Event], prompt: Prompt) -> int:
        """In a worker thread."""
        assert self.bot is not None
        for event in heard:
            self.bot.see(event)
        return self.bot.choose(prompt)


class Live:
    """A table in play. Whatever is done to it goes through ``do``; then its changes are written, shown, and the next timer is set.

    ``robots``: a bot's name by seat; any seat may need one when its person is away.
    """

    def __init__(
        self,
        host: Host,
        match_id: str,
        table: Table,
        line: Line,
        watcher: Watcher,
        robots: Mapping[int, str],
        kept: int,
    ) -> None:
        self.host = host
        self.match_id = match_id
        self.table = table
        self.line = line
        self.watcher = watcher
        self.kept = kept
        self.stopped = False
        self._robots = {seat: Robot(robots.get(seat, FALLBACK), seat) for seat in range(4)}
        self._busy: set[int] = set()
        self._timer: asyncio.TimerHandle | None = None

    def do(self, what: Callable[[Table, int], T]) -> T:
        """Calls ``what`` with the table and the time, and lets all follow that follows. Errors of ``what`` pass through."""
        try:
            return what(self.table, self.host.now())
        finally:
            self.settle()

    def robot_is(self, seat: int, name: str) -> None:
        """Another bot takes the seat when one is needed."""
        if self._robots[seat].name != name:
            self._robots[seat] = Robot(name, seat)

    def settle(self) -> None:
        """Writes and shows what changed, asks bots, sets the timer."""
        if self.stopped:
            return
        try:
            self._settle()
        except Exception as error:  # a fault of ours: the table goes on from what was kept, the others are not touched
            log.error("match %s failed: %s", self.match_id, type(error).__name__, exc_info=error)
            self.stop()
            self.watcher.failed(StoreError(f"a fault at the table: {type(error).__name__}"))

    def _settle(self) -> None:
        now = self.host.now()
        self.table.tick(now)
        while self._ask_bots(now):  # those that need no thinking
            now = self.host.now()
            self.table.tick(now)
        self._put(now)
        if self.table.over:
            self.stop()
        else:
            self._set_timer(now)

    def stop(self) -> None:
        """Nothing more happens here."""
        self.stopped = True
        self.host.lives.discard(self)
        if self._timer is not None:
            self._timer.cancel()

    def _put(self, now: int) -> None:
        entries = self.table.take_entries()
        changed = self.table.take_changed()
        changes: list[Change] = []
        if entries:
            changes.append(Append(match=self.match_id, number=self.kept, entries=entries))
            self.kept += len(entries)
        if self.table.over:
            changes += self.watcher.ended()
        told = self.watcher.shown(changed, now) if changed else None
        if changes or told is not None:
            self.line.put(changes, told)

    def _set_timer(self, now: int) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self.table.due(now)
        if due is not None:
            self._timer = self.host.call_at(due, self.settle)

    # bots

    def _ask_bots(self, now: int) -> bool:
        """Asks those who must answer now; whether one answered at once."""
        for question in self.table.questions(now):
            if len(question.prompt.actions) == 1:
                self._answer(question, question.prompt.actions[0])
                return True
            if question.seat not in self._busy:
                robot = self._robots[question.seat]
                try:
                    robot.hear(self.table, question.seat)
                except Exception as error:  # whatever a foreign bot raises must not stop the table
                    self._replace(question.seat, error)
                    return True
                heard, robot.waiting = robot.waiting, []
                if self.host.pool is None:
                    self._done(question, self._chosen(question, robot, heard))
                    return True
                self._busy.add(question.seat)
                thought = self.host.pool.submit(self._chosen, question, robot, heard)
                thought.add_done_callback(partial(self._hand_over, asyncio.get_running_loop(), question))
        return False

    def _chosen(self, question: Question, robot: Robot, heard: list[events.Event]) -> int | Exception:
        """In a worker thread."""
        try:
            action = robot.choose(heard, question.prompt)
            if action not in question.prompt.actions:
                raise ValueError(f"it chose {action}, which is not legal")
            return action
        except Exception as error:  # whatever a foreign bot raises must not stop the table
            return error

    def _hand_over(self, loop: asyncio.AbstractEventLoop, question: Question, thought: Future[int | Exception]) -> None:
        """From the worker thread to the loop."""
        if not thought.cancelled():
            loop.call_soon_threadsafe(self._thought, question, thought.result())

    def _thought(self, question: Question, chosen: int | Exception) -> None:
        self._busy.discard(question.seat)
        if not self.stopped:
            self._done(question, chosen)
            self.settle()

    def _done(self, question: Question, chosen: int | Exception) -> None:
        if isinstance(chosen, Exception):
            self._replace(question.seat, chosen)
        elif any(q.seat == question.seat and q.id == question.id for q in self.table.questions(self.host.now())):
            self._answer(question, chosen)  # else its person came back, or answered meanwhile

    def _answer(self, question: Question, action: int) -> None:
        self.table.answer(question.seat, question.id, action, self.host.now())

    def _replace(self, seat: int, error: Exception) -> None:
        """A bot that fails is replaced for good."""
        name = self._robots[seat].name
        log.error("bot %s failed at seat %d of match %s: %s", name, seat, self.match_id, type(error).__name__)
        if name == FALLBACK:
            raise error
        self._robots[seat] = Robot(FALLBACK, seat)


class Host:
    """Keeps the time of all tables: milliseconds that count on from ``begun``, the latest time in any journal, so that downtime is none.

    ``threads``: 0 lets bots think on the loop, for tests.
    """

    def __init__(self, store: Store, *, begun: int = 0, threads: int | None = None) -> None:
        self.store = store
        self.lives: set[Live] = set()
        count = max(2, os.cpu_count() or 1) if threads is None else threads
        self.pool = ThreadPoolExecutor(count, "bot") if count else None
        self._begun = begun
        self._loop = asyncio.get_running_loop()
        self._started = self._loop.time()
        self._keeper = self._loop.call_later(KEEP_TIME_MS / 1000, self._keep_time)

    def now(self) -> int:
        return self._begun + int((self._loop.time() - self._started) * 1000)

    def call_at(self, due: int, what: Callable[[], None]) -> asyncio.TimerHandle:
        """Calls at a time of ``now``, never a millisecond early."""
        return self._loop.call_at(self._started + (due - self._begun) / 1000 + 0.0005, what)

    def count_from(self, begun: int) -> None:
        """The time goes on from there, if it is later than now; before any timer is set."""
        self._begun += max(begun - self.now(), 0)

    def add(self, live: Live) -> None:
        self.lives.add(live)
        live.settle()

    def _keep_time(self) -> None:
        now = self.now()
        for live in list(self.lives):
            if now - live.table.last_at >= KEEP_TIME_MS:
                live.do(Table.keep_time)
        self._keeper = self._loop.call_later(KEEP_TIME_MS / 1000, self._keep_time)

    async def close(self, lines: Iterable[Line] = ()) -> None:
        """Writes the time down, stops all tables, waits for what is being written."""
        self._keeper.cancel()
        for live in list(self.lives):
            live.do(Table.keep_time)
            live.stop()
        for line in lines:
            await line.flush()
        if self.pool is not None:
            self.pool.shutdown(wait=True, cancel_futures=True)
