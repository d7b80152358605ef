"""The whole application in this process, called without sockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from hongzhong.server import operate
from hongzhong.server.operate import Gate
from hongzhong.server.options import Options
from hongzhong.server.store import Database, database_url
from hongzhong.server.whole import build

ANNA, BO = {"x-browser": "anna-0123456789abcdef"}, {"x-browser": "bo-0123456789abcdef"}


class Caller(httpx.AsyncClient):
    """Asks the application; ``gate`` is what is served, ``database`` what it keeps."""

    def __init__(self, gate: Gate, database: Database, address: str = "10.1.2.3", **more: Any) -> None:
        transport = httpx.ASGITransport(gate, client=(address, 1234))
        super().__init__(transport=transport, **({"base_url": "http://table.test"} | more))
        self.gate, self.database = gate, database

    async def said(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        """The answer's JSON; it must have this status."""
        answer = await self.request(method, path, **more)
        assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
        return answer.json()


@asynccontextmanager
async def whole(data: Path, **options: Any) -> AsyncIterator[Caller]:
    """Ready to be asked."""
    async with await Database.open(database_url(data), claim=True) as database:
        gate = build(Options(data=data, **options), database, b"k" * 32)
        async with gate.app.router.lifespan_context(gate.app), Caller(gate, database) as caller:
            while gate.app.state.server.lobby is None:
                assert not gate.app.state.server.problem
                await asyncio.sleep(0.01)
            yield caller


@asynccontextmanager
async def listening(caller: Caller) -> AsyncIterator[str]:
    """The same application on a port: the place of its sockets."""
    settings = operate.listening(host="127.0.0.1", port=0) | {"lifespan": "off", "loop": "none"}
    server = uvicorn.Server(uvicorn.Config(caller.gate, **settings))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield f"ws://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving
