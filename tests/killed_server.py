"""A server that is killed again and again: loads the engine once, then starts a fresh process for every line on stdin."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib import import_module
from pathlib import Path

import uvicorn
from sqlalchemy.engine import URL, make_url

from hongzhong.kernels.jit import hand_tables
from hongzhong.server import operate
from hongzhong.server.app import ENGINE
from hongzhong.server.options import Options
from hongzhong.server.store import Database
from hongzhong.server.whole import build


async def serve(data: Path, port: int, url: URL) -> None:
    options = Options(
        data=data,
        hold_ms=0,
        bot_ms=1,
        between_ms=0,
        messages_per_second=1e6,
        rooms_per_minute=10**6,
        sockets_per_minute=10**6,
    )
    async with await Database.open(url, claim=True) as database:
        gate = build(options, database, b"k" * 32)
        settings = operate.listening(host="127.0.0.1", port=port) | {"loop": "none"}
        await uvicorn.Server(uvicorn.Config(gate, **settings)).serve()


def main() -> None:
    data, port, url = Path(sys.argv[1]), int(sys.argv[2]), make_url(sys.argv[3])
    for module in ENGINE:
        import_module(module)
    hand_tables()
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            asyncio.run(serve(data, port, url))
            os._exit(0)
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)


if __name__ == "__main__":
    main()
