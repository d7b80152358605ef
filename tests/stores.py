"""Databases for tests: SQLite files, and databases of their own on the PostgreSQL server that HONGZHONG_TEST_POSTGRES tells."""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from hongzhong.ledger import Append, BeginMatch, EndMatch, Record, SaveRoom
from hongzhong.server.store import Database, database_url
from tests.required import missing

T = TypeVar("T")
OLD: Final = Path(__file__).parent / "databases"
SERVER: Final = os.environ.get("HONGZHONG_TEST_POSTGRES", "")
BOTH: Final = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs it in a loop of its own."""
    return asyncio.run(work)


def fresh_url(kind: str, folder: Path) -> Iterator[URL]:
    """The address of an empty database; one on a server is dropped afterwards."""
    if kind == "sqlite":
        yield database_url(folder)
        return
    if not SERVER:
        missing("postgres", 'HONGZHONG_TEST_POSTGRES names no server; start one: eval "$(.ci/postgres.sh start)"')
    name = f"hongzhong_{secrets.token_hex(6)}"
    run(_on_server(f"CREATE DATABASE {name} TEMPLATE template0"))
    try:
        yield make_url(SERVER).set(database=name)
    finally:
        run(_on_server(f"DROP DATABASE {name} WITH (FORCE)"))


async def _on_server(statement: str) -> None:
    engine = create_async_engine(SERVER, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(statement))
    await engine.dispose()


def old_file(revision: str, path: Path) -> Path:
    """A SQLite file as an old version left it."""
    connection = sqlite3.connect(path)
    connection.executescript((OLD / f"{revision}.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


def room(code: str, **more: Any) -> SaveRoom:
    given: dict[str, Any] = {"state": "waiting", "rules": "hebei", "players": ["阿红", "Bo", "", ""], "data": b"{}"}
    return SaveRoom(code=code, **(given | more))


def match_of(name: str, entries: int = 0, *, header: bytes = b'{"secret":"00"}') -> list[BeginMatch | Append]:
    """A match that has begun, with as many entries."""
    return [
        BeginMatch(match=name, room="r", header=header),
        Append(match=name, number=0, entries=[entry(number) for number in range(entries)]),
    ]


def entry(number: int) -> bytes:
    return b'{"type":"answer","seat":%d,"action":34}' % (number % 4)


def record_of(name: str, owners: dict[str, int], lines: bytes = b"") -> Record:
    return Record(
        id=name,
        rules="hebei",
        players=["阿红", "Bo", "Chen", "Du"],
        scores=[3, -1, -1, -1],
        hands=4,
        lines=lines or f'{{"type":"match","of":"{name}"}}\n'.encode(),
        owners=owners,
    )


def ended(match: str, name: str, owners: dict[str, int]) -> EndMatch:
    return EndMatch(match=match, record=record_of(name, owners))


async def entries_of(database: Database, match: str) -> list[bytes]:
    return next((found.entries for found in await database.matches() if found.match == match), [])
