"""The store of the server: every table's writes in one transaction at a time, each caller awake only after its commit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from hongzhong.ledger import StoredMatch, StoredRoom, StoreError
from hongzhong.record import AppendFile
from hongzhong.server.store import changes as written
from hongzhong.server.store import engine as engines
from hongzhong.server.store import schema
from hongzhong.server.store.tables import ENTRIES, MATCHES, ROOMS

SERVER_LOCK: Final = 0x48_5A_00_02
"""Of PostgreSQL: one server at a time plays on a database."""
CLAIM_SECONDS: Final = 2.0
BUSY_SECONDS: Final = 0.02
GATHER_SECONDS: Final = 0.004
"""A commit so soon after the last one waits so long for other tables' writes: fewer commits, less of the processor for each table."""

PROBLEM_SECONDS: Final = 30.0
"""How long a failed write makes the server look unwell."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Waiting(msgspec.Struct, frozen=True):
    changes: Sequence[written.AnyChange]
    done: asyncio.Future[None]


class Database:
    """An open database; see ``ledger.Store``. ``commits`` and ``written`` count what ``write`` committed."""

    def __init__(self, url: URL, engine: AsyncEngine) -> None:
        self.url = url
        self.engine = engine
        self.commits = 0
        self.written = 0
        self._problem, self._failed = "", 0.0
        self._lock: AppendFile | None = None
        self._claims = False
        self._writer: AsyncConnection | None = None
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None
        self._committed = 0.0
        self._closed = False

    @classmethod
    async def open(cls, url: URL, *, claim: bool = False, make: bool = True) -> Database:
        """Opens and, where needed, upgrades the database; ``claim``: as the one server that plays on it; ``make``: it may be
        missing. Raises ``StoreError``."""
        database = cls(url, engines.create(url))
        try:
            await database._open(claim, make)
        except BaseException:
            await database.close()
            raise
        return database

    async def _open(self, claim: bool, make: bool) -> None:
        path, where = engines.file_of(self.url), engines.shown_url(self.url)
        if path is not None:
            engines.check_file(path, make=make)
            if claim:
                self._lock = claim_file(path)
        self._claims = claim and path is None
        with engines.told(self.url, "open"):
            connection = await self._connected()
            if path is not None and path.stat().st_size <= schema.CHECKED_BYTES:
                await connection.run_sync(schema.check_damage, where)
            await connection.run_sync(schema.upgrade, where)
            await connection.commit()
            if path is not None:
                await connection.exec_driver_sql("PRAGMA foreign_keys=ON")

    async def close(self) -> None:
        """Waits for what is being written; later writes fail."""
        self._closed = True
        if self._working is not None:
            await self._working
        if self._writer is not None:
            await self._writer.close()
        await self.engine.dispose()
        if self._lock is not None:
            self._lock.close()

    async def __aenter__(self) -> Database:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def is_served(self) -> bool:
        """Whether a server plays on this database now. Raises ``StoreError``."""
        path = engines.file_of(self.url)
        if path is not None:
            try:
                claim_file(path).close()
            except StoreError:
                return True
            return False
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = :key AND database = "
        (row,) = await self.rows(
            text(held + "(SELECT oid FROM pg_database WHERE datname = current_database())").bindparams(key=SERVER_LOCK)
        )
        return bool(row[0])

    @property
    def problem(self) -> str:
        """Why writing failed last, until it goes well again; empty after a while, so that somebody may try."""
        return self._problem if time.monotonic() - self._failed < PROBLEM_SECONDS else ""

    # -- writing

    async def write(self, *changes: written.AnyChange) -> None:
        if self._closed:
            raise StoreError(f"the database {engines.shown_url(self.url)} is closed")
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(changes, done))
        if self._working is None:
            self._working = asyncio.create_task(self._work(), name="database writer")
        await asyncio.shield(done)

    async def _work(self) -> None:
        """Commits until nothing waits. A batch that fails is tried again caller by caller, so that only the guilty one fails."""
        clock = asyncio.get_running_loop().time
        while self._waiting:
            if clock() - self._committed < BUSY_SECONDS:
                await asyncio.sleep(GATHER_SECONDS)
            batch, self._waiting = self._waiting, []
            error = await self._commit(batch)
            self._committed = clock()
            if (
                error is None or len(batch) == 1 or self._writer is None
            ):  # without a connection it may be written, or none is to be had
                _answer(batch, error)
            else:
                for one in batch:
                    _answer([one], await self._commit([one]))
        self._working = None

    async def _commit(self, batch: Sequence[Waiting]) -> StoreError | None:
        """What went wrong, if anything. A connection that was lost is given up: then nobody knows whether it was written."""
        try:
            with engines.told(self.url, "write to"):
                connection = await self._connected()
                try:
                    await written.apply(connection, [change for one in batch for change in one.changes], now_ms())
                    await connection.commit()
                except BaseException:
                    await self._roll_back(connection)
                    raise
        except StoreError as error:
            if not isinstance(error.__cause__, IntegrityError):  # that is the caller's fault
                self._problem, self._failed = str(error), time.monotonic()
            return error
        except Exception as error:  # a fault of ours must not leave the callers waiting
            failed = StoreError(f"cannot write to the database {engines.shown_url(self.url)}: {error!r}")
            failed.__cause__ = error
            return failed
        self._problem = ""
        self.commits += 1
        self.written += len(batch)
        return None

    async def _roll_back(self, connection: AsyncConnection) -> None:
        try:
            lost = connection.invalidated
            if not lost:
                await connection.rollback()
        except (SQLAlchemyError, OSError):
            lost = True
        if lost:
            self._writer = None
            await connection.invalidate()
            await connection.close()

    async def _connected(self) -> AsyncConnection:
        """The writer's connection; a lost one is opened anew."""
        if self._writer is None:
            writer = await self.engine.connect()
            try:
                if self._claims:
                    await self._claim(writer)
            except BaseException:
                await writer.close()
                raise
            self._writer = writer
        return self._writer

    async def _claim(self, connection: AsyncConnection) -> None:
        """As the one server; what a killed one had under way may hold its claim a moment longer than it lived."""
        until = time.monotonic() + CLAIM_SECONDS
        while True:
            claimed = await connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": SERVER_LOCK})
            await connection.commit()
            if claimed.scalar():
                return
            if time.monotonic() > until:
                raise _taken(engines.shown_url(self.url))
            await asyncio.sleep(0.05)

    # -- reading

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to read by. Raises ``StoreError``."""
        with engines.told(self.url, "read"):
            async with self.engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction beside the writer's, for commands. Raises ``StoreError``."""
        with engines.told(self.url, "write to"):
            async with self.engine.begin() as connection:
                yield connection

    async def rows(self, statement: Any) -> Sequence[Any]:
        """All rows of a query. Raises ``StoreError``."""
        async with self.reading() as connection:
            return (await connection.execute(statement)).all()

    async def rooms(self) -> list[StoredRoom]:
        return [
            StoredRoom(
                code=row.code,
                state=row.state,
                rules=row.rules,
                players=msgspec.json.decode(row.players),
                data=row.data,
                created=row.created,
                touched=row.touched,
                ordered=row.ordered,
            )
            for row in await self.rows(select(ROOMS).order_by(ROOMS.c.created, ROOMS.c.code))
        ]

    async def ordered(self) -> list[str]:
        """Codes of the rooms that a command asks to end."""
        return [row.code for row in await self.rows(select(ROOMS.c.code).where(ROOMS.c.ordered))]

    async def matches(self) -> list[StoredMatch]:
        going = {
            row.id: StoredMatch(match=row.id, room=row.room, header=row.header, entries=[])
            for row in await self.rows(select(MATCHES).where(MATCHES.c.ended.is_(None)).order_by(MATCHES.c.begun))
        }
        entries = (
            select(ENTRIES)
            .join(MATCHES, MATCHES.c.id == ENTRIES.c.match)
            .where(MATCHES.c.ended.is_(None))
            .order_by(ENTRIES.c.match, ENTRIES.c.number)
        )
        for row in await self.rows(entries):
            if row.match in going:
                going[row.match].entries.append(row.data)
        return list(going.values())


def _answer(batch: Sequence[Waiting], error: StoreError | None) -> None:
    for one in batch:
        if not one.done.done():  # its caller may have gone
            if error is None:
                one.done.set_result(None)
            else:
                one.done.set_exception(error)


def _taken(where: str) -> StoreError:
    return StoreError(
        f"another hongzhong server plays on {where}: stop that one first, or give another --data or --database"
    )


def claim_file(path: Path) -> AppendFile:
    """Keeps a SQLite file for this process as the one server on it, until it is closed. Raises ``StoreError``."""
    lock = path.with_name(path.name + ".lock")
    try:
        file = AppendFile(lock)
        file.lock()
    except BlockingIOError as error:
        raise _taken(str(path)) from error
    except OSError as error:
        raise StoreError(f"cannot write {lock}: {error.strerror or error}") from error
    return file
