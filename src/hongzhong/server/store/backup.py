"""Backups: one SQLite file with everything, whatever the database is, taken while the server runs; and the way back."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection

from hongzhong.ledger import StoreError
from hongzhong.server.seats import KEY_FILE
from hongzhong.server.store import engine as engines
from hongzhong.server.store.database import Database, claim_file
from hongzhong.server.store.tables import META, METADATA, RECORDS, ROOMS

_AT_ONCE: Final = 1000
"""Rows copied in one step."""
_BESIDE: Final = ("-wal", "-shm")


class Restored(NamedTuple):
    """How much a backup held, and what went with it."""

    rooms: int
    records: int
    extras: dict[str, bytes]


async def backup(database: Database, target: Path, extras: Mapping[str, bytes]) -> tuple[int, int]:
    """Writes everything as of now into a new file, which ``extras`` go with; returns the numbers of rooms and records in it.
    Raises ``StoreError``; then there is no such file."""
    if target.exists():
        raise StoreError(f"{target} exists already: give the backup another name")
    if not target.parent.is_dir():  # a mistyped path would hide the backup
        raise StoreError(f"cannot write {target}: there is no folder {target.parent}; make it first, or give another")
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    url = URL.create("sqlite+aiosqlite", database=str(partial))
    try:
        with engines.told(url, "write the backup of"):
            if database.engine.dialect.name == "sqlite":
                async with database.reading() as connection:
                    await connection.exec_driver_sql("VACUUM INTO ?", (str(partial),))
            else:
                async with await Database.open(url) as copy, database.engine.connect() as source:
                    await source.execution_options(isolation_level="REPEATABLE READ")
                    async with copy.writing() as connection:
                        await _copy(source, connection)
            counted = await asyncio.to_thread(_finish, partial, extras)
            os.replace(partial, target)
            return counted
    finally:
        _remove(partial)


async def restore(url: URL, source: Path, *, replace: bool) -> Restored:
    """Puts a backup in the place of the database, which must be empty or is kept aside (SQLite) or replaced (PostgreSQL) where ``replace``
    says so. Raises ``StoreError``; then the database is as it was."""
    if not source.is_file():
        raise StoreError(f"no backup at {source}")
    path = engines.file_of(url)
    folder = source.parent if path is None else path.parent
    partial = folder / f".restore.{os.getpid()}.sqlite3"
    try:
        with engines.told(url, "restore"):
            folder.mkdir(parents=True, exist_ok=True)
            partial.touch(0o600)
            await asyncio.to_thread(shutil.copyfile, source, partial)
        copy_url = URL.create("sqlite+aiosqlite", database=str(partial))
        try:
            async with await Database.open(copy_url) as copy:  # damage, strangers and newer versions are found here
                extras = {row.name: row.value for row in await copy.rows(select(META))}
                counts = [
                    (await copy.rows(select(func.count()).select_from(table)))[0][0] for table in (ROOMS, RECORDS)
                ]
                async with copy.writing() as connection:
                    await connection.execute(delete(META))
                if path is None:
                    await _into_server(url, copy, replace)
        except engines.DamagedError as error:
            raise StoreError(f"{source} is damaged: nothing was restored; give another backup ({error.why})") from error
        except StoreError as error:
            raise StoreError(str(error).replace(str(partial), str(source))) from error
        if path is not None:
            await _into_file(path, partial, replace)
        return Restored(counts[0], counts[1], extras)
    finally:
        _remove(partial)


async def _into_server(url: URL, copy: Database, replace: bool) -> None:
    async with await Database.open(url, claim=True) as database, database.writing() as connection:
        if not replace and not await _is_empty(connection):
            raise _filled(url)
        for table in reversed(METADATA.sorted_tables):
            await connection.execute(delete(table))
        async with copy.reading() as source:
            await _copy(source, connection)


async def _into_file(path: Path, partial: Path, replace: bool) -> None:
    url = URL.create("sqlite+aiosqlite", database=str(path))
    with ExitStack() as held, engines.told(url, "restore"):
        held.callback(claim_file(path).close)
        if path.exists():
            if not replace:
                async with await Database.open(url) as database, database.reading() as connection:
                    if not await _is_empty(connection):
                        raise _filled(url)
            aside = path.with_name(f"{path.name}.before-restore-{time.strftime('%Y%m%d-%H%M%S')}")
            for beside in ("", *_BESIDE):
                old = path.with_name(path.name + beside)
                if old.exists():
                    os.replace(old, aside.with_name(aside.name + beside))
        os.replace(partial, path)


def _filled(url: URL) -> StoreError:
    return StoreError(
        f"the database {engines.shown_url(url)} is not empty: say --replace to put the backup in its place"
    )


async def _is_empty(connection: AsyncConnection) -> bool:
    for table in METADATA.sorted_tables:
        if (await connection.execute(select(func.count()).select_from(table))).scalar():
            return False
    return True


async def _copy(source: AsyncConnection, target: AsyncConnection) -> None:
    """Every row of every table, parents first."""
    for table in METADATA.sorted_tables:
        rows = await source.stream(select(table))
        async for part in rows.mappings().partitions(_AT_ONCE):
            await target.execute(insert(table), [dict(row) for row in part])


def _finish(path: Path, extras: Mapping[str, bytes]) -> tuple[int, int]:
    """Adds what goes with a backup, and makes it one file that is on the disk."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        with connection:
            rows: list[tuple[str, Any]] = list(extras.items())
            connection.executemany("INSERT INTO meta (name, value) VALUES (?, ?)", rows)
        rooms, records = (
            connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("rooms", "records")
        )
    os.chmod(path, 0o600)  # it holds secrets of matches in play, and the key
    with path.open("rb") as file:
        os.fsync(file.fileno())
    return rooms, records


def _remove(path: Path) -> None:
    for beside in ("", *_BESIDE, "-journal"):
        path.with_name(path.name + beside).unlink(missing_ok=True)


def read_key(data: Path) -> bytes | None:
    """The key that signs seats, where the data folder has one. Raises ``StoreError``."""
    try:
        return (data / KEY_FILE).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"cannot read {data / KEY_FILE}: {error.strerror or error}") from error


def put_key(data: Path, key: bytes) -> None:
    """Puts the key of a backup into a data folder that has none. Raises ``StoreError``."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        handle = os.open(data / KEY_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
    except OSError as error:
        raise StoreError(f"cannot write {data / KEY_FILE}: {error.strerror or error}") from error
