"""The server that ``benchmarks/load.py`` loads: one core, its own database, no limits for the one address that all come from."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import uvicorn

from hongzhong.server import operate
from hongzhong.server.options import Options
from hongzhong.server.store import Database, database_url
from hongzhong.server.whole import build


async def serve(data: Path, port: int, hold_ms: int) -> None:
    options = Options(
        data=data,
        hold_ms=hold_ms,
        between_ms=0,
        max_rooms=10**6,
        rooms_per_minute=10**9,
        sockets_per_minute=10**9,
        messages_per_second=1e9,
    )
    async with await Database.open(database_url(data), claim=True) as database:
        gate = build(options, database, b"k" * 32)
        gate.addresses.rate = gate.addresses.burst = 1e9
        await uvicorn.Server(uvicorn.Config(gate, **operate.listening(host="127.0.0.1", port=port))).serve()


if __name__ == "__main__":
    os.sched_setaffinity(0, {int(sys.argv[4])})
    import uvloop

    uvloop.run(serve(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
