"""The store under many tables: `python benchmarks/store.py [--tables 500] [--every 1.2] [--database URL]`; JSON Lines.

``flat_out``: every table writes its next answer as soon as the last one is on the disk. ``paced``: each writes one every so many seconds, as
in play. Latency is from asking for a write until it is on the disk; CPU is of the whole process, asking included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import secrets
import tempfile
import time
from pathlib import Path

from hongzhong.ledger import Append, BeginMatch
from hongzhong.server.store import Database, database_url

ENTRY = b'{"type":"answer","at":1234567,"seat":1,"action":34}'


async def table(database: Database, name: str, until: float, every: float, took: list[float]) -> None:
    """One table's answers until the time is up."""
    number = 0
    while time.perf_counter() < until:
        if every:
            await asyncio.sleep(random.uniform(0.5, 1.5) * every)
        begun = time.perf_counter()
        await database.write(Append(match=name, number=number, entries=[ENTRY]))
        took.append(time.perf_counter() - begun)
        number += 1


async def measure(database: Database, tables: int, seconds: float, every: float) -> dict[str, float]:
    run = secrets.token_hex(4)
    names = [f"{run}-{number}" for number in range(tables)]
    await database.write(*(BeginMatch(match=name, room="r", header=b"{}") for name in names))
    took: list[float] = []
    commits, begun, cpu = database.commits, time.perf_counter(), time.process_time()
    await asyncio.gather(*(table(database, name, begun + seconds, every, took) for name in names))
    spent = time.perf_counter() - begun
    took.sort()
    return {
        "writes_per_s": round(len(took) / spent),
        "commits_per_s": round((database.commits - commits) / spent),
        "cpu": round((time.process_time() - cpu) / spent, 3),
        "p50_ms": round(took[len(took) // 2] * 1000, 2),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000, 2),
    }


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--every", type=float, default=1.2)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--database")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # a temporary file system would flatter the disk
        async with await Database.open(database_url(Path(folder), given.database), claim=True) as database:
            for name, every in (("flat_out", 0.0), ("paced", given.every)):
                found = await measure(database, given.tables, given.seconds, every)
                print(json.dumps({"what": name, "tables": given.tables} | found), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
