"""A whole server in a thread, for browsers in this process; and the real command in a process of its own, to be killed."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Final

import uvicorn

from hongzhong.server import operate
from hongzhong.server.options import Options
from hongzhong.server.store import Database, database_url
from hongzhong.server.whole import build

FAST: Final[dict[str, Any]] = {
    "hold_ms": 40,
    "bot_ms": 0,
    "between_ms": 20_000,
    "messages_per_second": 1e6,
    "rooms_per_minute": 10**6,
}


class Site:
    """``url``: where it answers, once entered as a context."""

    def __init__(self, data: Path, **options: Any) -> None:
        self.options = Options(data=data, **(FAST | options))
        self.port = 0
        self._server: uvicorn.Server | None = None
        self._failed: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="site", daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:
            self._failed = error

    async def _serve(self) -> None:
        async with await Database.open(database_url(self.options.data), claim=True) as database:
            gate = build(self.options, database, b"k" * 32)
            config = uvicorn.Config(gate, **(operate.listening(host="127.0.0.1", port=0) | {"loop": "none"}))
            self._server = uvicorn.Server(config)
            serving = asyncio.create_task(self._server.serve())
            while not self._server.started:
                await asyncio.sleep(0.01)
            state: Any = gate.app.state
            while state.server.lobby is None:
                assert not state.server.problem, state.server.problem
                await asyncio.sleep(0.01)
            self.port = self._server.servers[0].sockets[0].getsockname()[1]
            await serving

    def __enter__(self) -> Site:
        self._thread.start()
        while not self.port:
            if self._failed is not None:
                raise self._failed
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join(20)
        if self._failed is not None:
            raise self._failed


class Process:
    """``hongzhong serve`` as a user runs it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}/"
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "hongzhong", "serve", "--no-browser", "--host", "127.0.0.1"]
        self._running = subprocess.Popen(
            [*command, "--port", str(self.port), "--data", str(self.data)], stderr=subprocess.DEVNULL
        )
        for _ in range(1200):
            try:
                with urllib.request.urlopen(self.url + "api/status", timeout=2) as answer:
                    if b'"ready":true' in answer.read():
                        return
            except OSError:
                assert self._running.poll() is None, "the server stopped"
            time.sleep(0.1)
        raise AssertionError("the server did not become ready")

    def kill(self) -> None:
        """``kill -9``."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()
