"""Tables run by the host: kept before shown, bots in threads, foreign bots that fail, stores that fail, files to resume from, draining."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hongzhong import bots, events, rules
from hongzhong.host import Host, Line, Live, Told
from hongzhong.ledger import Append, Change, EndMatch, StoreError
from hongzhong.match import Match
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.table import Pace, Table


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


class Memory:
    """A store that notes what was asked; ``slow``: seconds a write takes; after ``good`` writes it fails."""

    def __init__(self, slow: float = 0.0, good: int = 10**9) -> None:
        self.kept: list[Change] = []
        self.entries: list[bytes] = []
        self.slow, self.good = slow, good
        self.writes = 0

    async def write(self, *changes: Change) -> None:
        await asyncio.sleep(self.slow)
        self.writes += 1
        if self.writes > self.good:
            raise StoreError("the disk is full")
        for change in changes:
            self.kept.append(change)
            if isinstance(change, Append):
                assert change.number == len(self.entries), "entries out of order"
                self.entries += change.entries

    async def rooms(self) -> list[Any]:
        return []

    async def matches(self) -> list[Any]:
        return []


class File(Memory):
    """A store of one journal in a file, a line an entry."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.entries = path.read_bytes().splitlines() if path.exists() else []

    async def write(self, *changes: Change) -> None:
        before = len(self.entries)
        await super().write(*changes)
        with self.path.open("ab") as file:
            file.writelines(entry + b"\n" for entry in self.entries[before:])


class Onlooker:
    """A watcher that notes what was shown, and that every event of it was kept by then."""

    def __init__(self, store: Memory) -> None:
        self.store = store
        self.live: Live | None = None
        self.seen: list[events.Event] = []
        self.told = 0
        self.failure: StoreError | None = None
        self.over = asyncio.Event()

    def shown(self, changed: set[int], now: int) -> Told | None:
        assert self.live is not None
        table = self.live.table
        new, self.told = table.since(events.SPECTATOR, self.told), table.seq[events.SPECTATOR]
        needed, over = self.live.kept, table.over

        def told() -> None:
            assert len(self.store.entries) >= needed, "shown before it was kept"
            self.seen.extend(new)
            if over:
                assert any(isinstance(change, EndMatch) for change in self.store.kept)
                self.over.set()

        return told

    def ended(self) -> Sequence[Change]:
        return [EndMatch(match="m", record=None)]

    def failed(self, error: StoreError) -> None:
        self.failure = error
        assert self.live is not None
        self.live.stop()
        self.over.set()


def ruleset() -> RuleSet:
    return rules.load("hebei_108", {"hands": 2})


def table_of(persons: Sequence[int] = (), hold: int = 1, **more: int) -> Table:
    return Table(Match(ruleset(), seed=5), persons, Pace(hold=hold, **more))


async def opened(
    store: Memory, table: Table, threads: int | None = 2, names: dict[int, str] | None = None
) -> tuple[Host, Onlooker]:
    host = Host(store, begun=table.last_at, threads=threads)
    watcher = Onlooker(store)
    line = Line(store, watcher.failed)
    watcher.live = Live(host, "m", table, line, watcher, names or {}, len(store.entries))
    for seat in table.persons:
        table.arrive(seat, True, host.now())
    host.add(watcher.live)
    return host, watcher


@pytest.mark.parametrize("threads", [0, 2])
def test_bots_play_to_the_end_and_nothing_is_shown_before_it_is_kept(threads: int) -> None:
    async def test() -> None:
        store = Memory(slow=0.002)
        table = table_of()
        host, watcher = await opened(store, table, threads)
        await watcher.over.wait()
        assert watcher.seen == table.match.seen(events.SPECTATOR)
        assert isinstance(watcher.seen[-1], events.Result) and not host.lives
        twin = table_of()
        twin.replay(store.entries)
        assert twin.match.events == table.match.events
        await host.close()

    run(test)


def test_many_steps_are_written_in_one_go_while_the_store_is_busy() -> None:
    async def test() -> None:
        store = Memory(slow=0.02)
        host, watcher = await opened(store, table_of(hold=0), 0)
        await watcher.over.wait()
        assert store.writes < len(store.entries) / 4
        await host.close()

    run(test)


def test_bots_think_in_other_threads_and_do_not_hold_the_loop() -> None:
    async def test() -> None:
        thinking: set[str] = set()

        class Slow(type(bots.make("random"))):  # type: ignore[misc]
            def choose(self, prompt: Prompt) -> int:
                thinking.add(threading.current_thread().name)
                time.sleep(0.01)
                return int(super().choose(prompt))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hongzhong.bots.make", lambda name, seed=0: Slow(seed))
            host, watcher = await opened(Memory(), table_of())
            worst, last = 0.0, time.monotonic()
            while not watcher.over.is_set():
                await asyncio.sleep(0.001)
                worst, last = max(worst, time.monotonic() - last), time.monotonic()
                if len(watcher.seen) > 60:
                    break
            await host.close()
        assert thinking and all(name.startswith("bot") for name in thinking)

    run(test)


class Broken:
    """A foreign bot that fails in its own ways."""

    def __init__(self, way: str) -> None:
        self.way = way

    def start(self, rules: RuleSet, seat: int) -> None:
        if self.way == "start":
            raise RuntimeError("no")

    def see(self, event: events.Event) -> None:
        if self.way == "see":
            raise RuntimeError("no")

    def choose(self, prompt: Prompt) -> Any:
        if self.way == "choose":
            raise RuntimeError("no")
        return 143 if self.way == "illegal" else "x"


@pytest.mark.parametrize("way", ["start", "see", "choose", "illegal", "nonsense"])
def test_a_bot_that_fails_is_replaced_and_the_table_goes_on(way: str, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        real = bots.make
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                "hongzhong.bots.make", lambda name, seed=0: Broken(way) if name == "foreign" else real(name, seed)
            )
            host, watcher = await opened(Memory(), table_of(), names={2: "foreign"})
            await watcher.over.wait()
            await host.close()
        assert isinstance(watcher.seen[-1], events.Result)

    run(test)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1 and "foreign failed at seat 2" in told[0]
    assert not any(tile in told[0] for tile in ("1m", "5z", "discard"))


def test_when_nothing_can_be_kept_nothing_more_is_shown() -> None:
    async def test() -> None:
        store = Memory(good=20)
        host, watcher = await opened(store, table_of(), 0)
        await watcher.over.wait()
        assert watcher.failure is not None and watcher.live is not None and watcher.live.line.broken
        twin = table_of()
        twin.replay(store.entries)
        assert watcher.seen == twin.match.seen(events.SPECTATOR)[: len(watcher.seen)]
        assert len(watcher.seen) <= twin.seq[events.SPECTATOR]
        await host.close()

    run(test)


def test_a_table_goes_on_from_a_file_and_the_clock_counts_on(tmp_path: Path) -> None:
    async def part(seconds: float) -> tuple[Table, int]:
        store = File(tmp_path / "journal")
        table = table_of((0,), move=20_000, bank=20_000, hold=5)
        table.replay(store.entries)
        host, watcher = await opened(store, table)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not watcher.over.is_set():
            asked = table.asked.get(0)
            if asked is not None and watcher.live is not None:
                watcher.live.do(lambda table, now: table.answer(0, asked.id, asked.prompt.actions[0], now))  # noqa: B023
            await asyncio.sleep(0.002)
        assert watcher.live is not None
        await host.close([watcher.live.line])
        return table, host.now()

    async def test() -> None:
        played: list[events.Event] = []
        latest = 0
        for seconds in (0.2, 0.2, 0.2, 60):
            table, now = await part(seconds)
            assert table.match.events[: len(played)] == played and now >= table.last_at >= latest
            played, latest = list(table.match.events), table.last_at
        assert isinstance(played[-1], events.Result)
        times = [msgspec.json.decode(line)["at"] for line in File(tmp_path / "journal").entries]
        assert times == sorted(times)

    run(test)


def test_a_line_tells_in_order_and_only_what_is_kept() -> None:
    async def test() -> None:
        store = Memory(slow=0.01)
        line = Line(store, lambda error: None)
        told: list[int] = []
        line.put((), lambda: told.append(0))
        assert told == [0], "nothing waits: at once"
        line.put([EndMatch(match="a", record=None)], lambda: told.append(1))
        line.put((), lambda: told.append(2))
        line.put([EndMatch(match="b", record=None)], lambda: told.append(3))
        assert told == [0]
        await line.flush()
        assert told == [0, 1, 2, 3] and store.writes == 1
        broken = Line(Memory(good=0), lambda error: told.append(-1))
        broken.put([EndMatch(match="a", record=None)], lambda: told.append(4))
        broken.put((), lambda: told.append(5))
        await broken.flush()
        broken.put((), lambda: told.append(6))
        assert told == [0, 1, 2, 3, -1]

    run(test)


def test_the_time_is_set_forward_only_to_what_lies_ahead() -> None:
    """A room that is taken up again while others play must not move their clocks."""

    async def test() -> None:
        host = Host(Memory(), begun=1_000, threads=0)
        await asyncio.sleep(0.05)
        now = host.now()
        host.count_from(now - 20)
        assert now <= host.now() < now + 20
        host.count_from(now + 5_000)
        assert now + 5_000 <= host.now() < now + 5_020
        await host.close()

    run(test)
