"""A server in this process on a free port, and people who play at it over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from hongzhong.server import messages, operate
from hongzhong.server.draining import Draining
from hongzhong.server.operate import Gate
from hongzhong.server.options import Options
from hongzhong.server.store import Database, database_url
from hongzhong.server.whole import build

KEY = b"k" * 32
DECODE: Callable[[str | bytes], Any] = msgspec.json.Decoder(messages.ServerMessage).decode


def options(data: Path, **more: Any) -> Options:
    """A server that never makes anybody wait."""
    fast: dict[str, Any] = {
        "hold_ms": 0,
        "bot_ms": 0,
        "between_ms": 0,
        "messages_per_second": 1e6,
        "rooms_per_minute": 10**6,
        "sockets_per_minute": 10**6,
    }
    return Options(data=data, **(fast | more))


class Served:
    """``base``: where its API is; ``server`` holds the lobby."""

    def __init__(self, gate: Gate, port: int) -> None:
        self.server = gate.app.state.server
        self.base = f"http://127.0.0.1:{port}/api"
        self.sockets: list[ClientConnection] = []
        self.running: tuple[Draining, asyncio.Task[None]] | None = None
        self.http = httpx.AsyncClient(base_url=self.base + "/", timeout=60)

    async def post(self, path: str, **body: Any) -> Any:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def socket(self, code: str, **more: Any) -> ClientConnection:
        """Open until the server goes."""
        address = f"{self.base.replace('http', 'ws')}/rooms/{code}/socket"
        self.sockets.append(await connect(address, compression=None, max_size=None, close_timeout=1, **more))
        return self.sockets[-1]

    async def stop(self) -> None:
        """As a signal would."""
        assert self.running is not None
        self.running[0].should_exit = True
        await self.running[1]

    async def close(self) -> None:
        await asyncio.gather(*(socket.close() for socket in self.sockets))
        await self.http.aclose()


@contextlib.asynccontextmanager
async def serving(given: Options, store: Database) -> AsyncIterator[Served]:
    """Ready to play."""
    gate = build(given, store, KEY)
    config = uvicorn.Config(gate, **(operate.listening(host="127.0.0.1", port=0) | {"loop": "none"}))
    server = Draining(gate, config)
    running = asyncio.create_task(server.serve())
    try:
        while not server.started:
            await asyncio.sleep(0.01)
            if running.done():
                await running
        state = gate.app.state.server
        while state.lobby is None:
            assert not state.problem, state.problem
            await asyncio.sleep(0.01)
        served = Served(gate, server.servers[0].sockets[0].getsockname()[1])
        served.running = server, running
        try:
            yield served
        finally:
            await served.close()
    finally:
        server.should_exit = True
        await running


@contextlib.asynccontextmanager
async def database(data: Path) -> AsyncIterator[Database]:
    async with await Database.open(database_url(data), claim=True) as opened:
        yield opened


class Guest:
    """A person at a socket who answers at random; ``frames`` are all the messages in order, ``raw`` as they came."""

    def __init__(self, served: Served, code: str, token: str = "", seed: int = 0, nonce: str = "") -> None:
        self.served, self.code, self.token, self.nonce = served, code, token, nonce
        self.random = random.Random(seed)
        self.raw: list[str] = []
        self.frames: list[Any] = []
        self.room: messages.Room | None = None
        self.update: messages.Update | None = None
        self.place = -1
        self.socket: ClientConnection | None = None
        self.closed: int | None = None

    async def open(self) -> None:
        self.socket = await self.served.socket(self.code)
        await self.say(messages.Hello(protocol=messages.PROTOCOL, token=self.token, nonce=self.nonce))

    async def say(self, message: msgspec.Struct | str) -> None:
        assert self.socket is not None
        await self.socket.send(message if isinstance(message, str) else msgspec.json.encode(message).decode())

    async def hear(self, seconds: float = 20.0) -> Any:
        """The next message, None once the socket is closed."""
        assert self.socket is not None
        try:
            text = await asyncio.wait_for(self.socket.recv(), seconds)
        except ConnectionClosed as error:
            self.closed = error.rcvd.code if error.rcvd is not None else -1
            return None
        assert isinstance(text, str)
        message = DECODE(text)
        self.raw.append(text)
        self.frames.append(message)
        if isinstance(message, messages.Welcome):
            self.place, self.room = message.place, message.room
        elif isinstance(message, messages.RoomChanged):
            self.room = message.room
        elif isinstance(message, messages.Update):
            self.update = message
        return message

    async def until(self, seen: Callable[[Any], bool], seconds: float = 20.0) -> Any:
        """Hears up to the first message of which ``seen`` holds."""
        while (message := await self.hear(seconds)) is not None:
            if seen(message):
                return message
        raise AssertionError("the socket closed first")

    def choose(self, prompt: messages.Prompt) -> int:
        return self.random.choice(prompt.actions).action

    async def play(self) -> None:
        """Answers until the match is over or the socket closes; also what it was asked last."""
        answered = -1
        message: Any = self.update
        while True:
            if isinstance(message, messages.Update) and message.prompt is not None and message.prompt.id != answered:
                answered = message.prompt.id
                await self.say(messages.Answer(prompt=answered, action=self.choose(message.prompt)))
            if isinstance(message, messages.RoomChanged | messages.Welcome) and message.room.state == "ended":
                return
            if (message := await self.hear()) is None:
                return

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()


def at_a_server(timeout: float = 60.0, **given: Any) -> Callable[[Callable[[Served], Any]], Callable[[Path], None]]:
    """A test of a server with these options, on a database of its own."""

    def decorate(test: Callable[[Served], Any]) -> Callable[[Path], None]:
        def run(tmp_path: Path) -> None:
            async def inside() -> None:
                async with database(tmp_path) as store, serving(options(tmp_path, **given), store) as served:
                    await asyncio.wait_for(test(served), timeout)

            asyncio.run(inside())

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return decorate


@contextlib.asynccontextmanager
async def guests(served: Served, *people: Guest) -> AsyncIterator[None]:
    """All say hello and are welcomed; all leave at the end."""
    for person in people:
        await person.open()
        await person.until(lambda message: isinstance(message, messages.Welcome))
    try:
        yield
    finally:
        for person in people:
            await person.close()


async def room_of(served: Served, people: int = 4, rules: str = "qiqihar", **more: Any) -> list[Guest]:
    """A new room with so many persons, who have not opened their sockets yet; the first is the host."""
    body: dict[str, Any] = {"rules": rules, "nickname": "P0", "options": {"hands": 1}} | more
    seats = [await served.post("rooms", **body)]
    code = seats[0]["code"]
    for number in range(1, people):
        password = more.get("password", "")
        seats.append(await served.post(f"rooms/{code}/join", nickname=f"P{number}", password=password))
    return [Guest(served, code, seat["token"], seed) for seed, seat in enumerate(seats)]


async def all_ready(people: list[Guest]) -> None:
    for number, person in enumerate(people):
        await person.say(messages.Ready(on=True, nonce=f"nonce {number}"))
