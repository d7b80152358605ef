"""``kill -9`` at any moment: what anybody was shown is in the journal, and every table goes on from there as it stood."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy.engine import URL
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from hongzhong import events, journal
from hongzhong.ledger import StoredMatch
from hongzhong.server import messages
from hongzhong.server.messages import Answer, Manage, Ready, Update, Welcome
from hongzhong.server.present import table_view
from hongzhong.server.rooms import PROMPTS_A_MATCH, RoomData, read_data
from hongzhong.server.store import Database
from hongzhong.table import Pace, Table
from hongzhong.verification import verify
from tests.serving import DECODE
from tests.stores import BOTH, fresh_url

KILLS = int(os.environ.get("HONGZHONG_KILLS", "10"))


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    yield from fresh_url(request.param, tmp_path)


class Victim:
    """The server's processes, one after another, on one database and port."""

    def __init__(self, data: Path, url: URL) -> None:
        self.data, self.url = data, url
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}/api/"
        self.child = 0
        self._parent: asyncio.subprocess.Process | None = None

    @contextlib.asynccontextmanager
    async def ready(self) -> AsyncIterator[Victim]:
        self._parent = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.killed_server", str(self.data), str(self.port),
            self.url.render_as_string(hide_password=False),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
            cwd=Path(__file__).parent.parent,
        )  # fmt: skip
        try:
            yield self
        finally:
            if self.child:
                await self.kill()
            self._parent.kill()
            await self._parent.wait()

    async def start(self) -> None:
        assert self._parent is not None and self._parent.stdin is not None and self._parent.stdout is not None
        self._parent.stdin.write(b"\n")
        self.child = int(await asyncio.wait_for(self._parent.stdout.readline(), 120))
        async with httpx.AsyncClient(base_url=self.base) as http:
            for _ in range(1500):
                with contextlib.suppress(httpx.TransportError):
                    if (await http.get("status")).json()["ready"]:
                        return
                await asyncio.sleep(0.02)
        raise AssertionError("the server does not start")

    async def kill(self) -> None:
        assert self._parent is not None and self._parent.stdout is not None
        os.kill(self.child, signal.SIGKILL)
        assert await self._parent.stdout.readline() == b"gone\n"
        self.child = 0


class Player:
    """Plays through every restart and keeps all that the server ever told: events by number, answers that were taken."""

    def __init__(self, victim: Victim, code: str, token: str, seed: int) -> None:
        self.victim, self.code, self.token = victim, code, token
        self.random = random.Random(seed)
        self.shown: dict[int, events.Event] = {}
        self.taken: list[tuple[int, int]] = []
        self.welcome: messages.Welcome | None = None
        self.first: Update | None = None
        self.room: messages.Room | None = None
        self.seq = 0
        self.slow = False
        self._socket: ClientConnection | None = None
        self._given: tuple[int, int] | None = None

    async def enter(self) -> None:
        """Comes back; ``first`` is the table as it stands."""
        address = f"ws://127.0.0.1:{self.victim.port}/api/rooms/{self.code}/socket"
        self._socket = await connect(address, compression=None)
        hello = messages.Hello(protocol=messages.PROTOCOL, token=self.token, nonce="n")
        await self.say(hello)
        self.first = None
        while self.first is None or self.welcome is None:
            self.hear(await asyncio.wait_for(self._socket.recv(), 20))
            if self.room is not None and self.room.state != "playing":
                return

    async def say(self, message: msgspec.Struct) -> None:
        assert self._socket is not None
        await self._socket.send(msgspec.json.encode(message).decode())

    def hear(self, text: str | bytes) -> Any:
        message = DECODE(text)
        if isinstance(message, Welcome | messages.RoomChanged):
            self.room = message.room
            self.welcome = message if isinstance(message, Welcome) else self.welcome
        if isinstance(message, Update):
            begun = message.seq - len(message.events)
            came_in = self.first is None and not message.events
            assert came_in or begun == self.seq, "events left out or told again"
            self.first, self.seq = self.first or message, message.seq
            for place, event in enumerate(message.events, message.seq - len(message.events)):
                assert self.shown.setdefault(place, event) == event, "another event at the same place"
            if self._given is not None and (message.prompt is None or message.prompt.id != self._given[0]):
                self.taken.append(self._given)
                self._given = None
        return message

    async def play(self) -> None:
        """Until the server is gone or the match is over."""
        assert self._socket is not None
        message: Any = self.first
        answered = -1
        with contextlib.suppress(ConnectionClosed, ConnectionError):
            while True:
                if isinstance(message, Update) and message.prompt is not None and message.prompt.id != answered:
                    answered = message.prompt.id
                    action = self.random.choice(message.prompt.actions).action
                    if not self.slow:
                        self._given = (answered, action)
                        await self.say(Answer(prompt=answered, action=action))
                if self.room is not None and self.room.state == "ended":
                    return
                message = self.hear(await self._socket.recv())
        self._given = None


async def held(url: URL) -> tuple[dict[str, StoredMatch], dict[str, RoomData]]:
    """Matches in play by id, and rooms by code, as they are kept. Claimed, so that whatever the killed one still had under way is done."""
    async with await Database.open(url, claim=True) as database:
        matches = {match.match: match for match in await database.matches()}
        return matches, {room.code: read_data(room.data) for room in await database.rooms()}


def taken_up(stored: StoredMatch, room: RoomData) -> Table:
    """The table that follows from the journal."""
    header = journal.read_header("a match", stored.header)
    match = journal.begin("a match", header)
    persons = [room.seat_of[number] for number, place in enumerate(room.places) if place.kind == "person"]
    settings = room.settings
    pace = Pace(hold=0, bot=1, move=settings.move_seconds * 1000, bank=settings.bank_seconds * 1000)
    first = 1 + PROMPTS_A_MATCH * room.matches
    table = Table(match, persons, pace, int(header.extra["at"]), first_prompt=first)
    table.replay(stored.entries)
    return table


async def two_and_two(victim: Victim, rules: str, seed: int, **settings: Any) -> list[Player]:
    """A room of two persons and two bots, begun."""
    async with httpx.AsyncClient(base_url=victim.base) as http:
        made = {"rules": rules, "nickname": "Ann", "options": {"hands": 4}, "settings": settings}
        one = (await http.post("rooms", json=made)).json()
        two = (await http.post(f"rooms/{one['code']}/join", json={"nickname": "Bo"})).json()
    people = [Player(victim, one["code"], seat["token"], seed + n) for n, seat in enumerate((one, two))]
    for person in people:
        await person.enter()
    await people[1].say(Ready(on=True, nonce="b"))
    await asyncio.sleep(0.05)
    await people[0].say(Manage(do="start"))
    return people


def check(person: Player, table: Table, room: RoomData) -> None:
    """All that a person was shown, and every answer that was taken, is in the journal."""
    assert person.welcome is not None
    seat = room.seat_of[person.welcome.place]
    seen = table.match.seen(seat)
    for number, event in person.shown.items():
        assert seen[number] == event, f"event {number} was shown and is not in the journal"
    for prompt, action in person.taken[-20:]:
        assert table.answer(seat, prompt, action, table.last_at) is False, "an answer that was taken is lost"


async def kill_and_look(data: Path, url: URL, kills: int) -> int:
    """How many events were compared."""
    chance = random.Random(1)
    compared = 0
    async with Victim(data, url).ready() as victim:
        await victim.start()
        rooms = [
            await two_and_two(victim, rules, seed, move_seconds=0) for seed, rules in enumerate(("qiqihar", "hebei"))
        ]
        for _ in range(kills):
            playing = [asyncio.create_task(person.play()) for people in rooms for person in people]
            await asyncio.sleep(chance.uniform(0.02, 0.5))
            await victim.kill()
            await asyncio.gather(*playing)
            matches, kept = await held(url)
            twins: dict[str, Table] = {}
            for people in rooms:
                data_of = kept[people[0].code]
                if data_of.match is None:
                    continue
                twin = twins[people[0].code] = taken_up(matches[data_of.match], data_of)
                for person in people:
                    check(person, twin, data_of)
                    compared += len(person.shown)
            await victim.start()
            for number, people in enumerate(rooms):
                twin_, data_of = twins.get(people[0].code), kept[people[0].code]
                if twin_ is None or twin_.over:
                    rooms[number] = await two_and_two(victim, data_of.rules, chance.randint(0, 999), move_seconds=0)
                    continue
                await people[0].enter()
                first, seat = people[0].first, data_of.seat_of[0]
                assert first is not None and first.seq == twin_.seq[seat]
                assert first.view == shown(twin_, seat)
                await people[1].enter()
        await finish(rooms)
        await verified(victim, rooms)
    return compared


def shown(table: Table, seat: int) -> messages.TableView:
    """The view as it comes over the wire."""
    return msgspec.json.decode(msgspec.json.encode(table_view(table, seat, hints=True)), type=messages.TableView)


async def finish(rooms: list[list[Player]]) -> None:
    await asyncio.wait_for(asyncio.gather(*(person.play() for people in rooms for person in people)), 60)


async def verified(victim: Victim, rooms: list[list[Player]]) -> None:
    """The records of the matches that were killed verify: nothing was dealt anew."""
    async with httpx.AsyncClient(base_url=victim.base) as http:
        for people in rooms:
            room = people[0].room
            assert room is not None and room.state == "ended" and room.record
            answer = await http.get(f"records/{room.record}/file")
            found = verify(answer.content)
            assert found.ok, found.message


@pytest.mark.slow
def test_random_kills_lose_nothing_and_deal_nothing_anew(tmp_path: Path, url: URL) -> None:
    """10 kills, or as many as HONGZHONG_KILLS says."""
    assert asyncio.run(kill_and_look(tmp_path, url, KILLS)) > KILLS * 20


@pytest.mark.slow
def test_clocks_stand_as_they_stood_and_downtime_costs_nothing(tmp_path: Path, url: URL) -> None:
    async def inside() -> None:
        async with Victim(tmp_path, url).ready() as victim:
            await victim.start()
            people = await two_and_two(victim, "hebei_108", 3, move_seconds=20, bank_seconds=10)
            for person in people:
                person.slow = True  # both only look on, one of them with a clock that runs
            asked = await thinking(people)
            await asyncio.sleep(3.2)
            before = 30_000 if asked.prompt.kind == "turn" else 20_000
            await victim.kill()
            await asyncio.sleep(1.5)
            await victim.start()
            begun = time.monotonic()
            await asyncio.gather(*(person.enter() for person in people))
            again = next(p.first for p in people if p.first is not None and p.first.prompt is not None)
            assert again.prompt is not None and again.prompt.id == asked.prompt.id
            spent = before - again.prompt.until
            assert 2_000 <= spent <= 3_600 + 1000 * (time.monotonic() - begun), spent

    asyncio.run(inside())


async def thinking(people: list[Player]) -> Any:
    """The first update that asks one of them."""
    while True:
        for person in people:
            with contextlib.suppress(TimeoutError):
                assert person._socket is not None
                message = person.hear(await asyncio.wait_for(person._socket.recv(), 0.05))
                if isinstance(message, Update) and message.prompt is not None:
                    return message
