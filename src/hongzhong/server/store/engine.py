"""Connections to the database: SQLite in a file by default, or PostgreSQL. What is wrong with either is told in one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from hongzhong.ledger import StoreError

FILE_NAME: Final = "hongzhong.sqlite3"
BUSY_SECONDS: Final = 10
"""How long one process waits for another that writes to the same file."""
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_MAGIC: Final = b"SQLite format 3\0"


def database_url(data: Path, given: str | None = None) -> URL:
    """The given address, else a file in the data folder. Raises ``StoreError``."""
    if not given:
        return URL.create("sqlite+aiosqlite", database=str(data / FILE_NAME))
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        url = None
    if url is None or url.drivername not in _DRIVERS or not url.database or url.database == ":memory:":
        shown = given if url is None and "@" not in given else "***" if url is None else shown_url(url)
        raise StoreError(
            f"--database {shown}: unknown kind of address; give sqlite+aiosqlite:///FILE or "
            "postgresql+asyncpg://USER:PASSWORD@HOST/NAME"
        )
    return url.set(drivername=_DRIVERS[url.drivername])


def shown_url(url: URL) -> str:
    """The address as messages have it: a file's path, or the address without its password."""
    return str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database, None for PostgreSQL."""
    return Path(str(url.database)) if url.get_backend_name() == "sqlite" else None


@contextmanager
def told(url: URL, doing: str) -> Iterator[None]:
    """Turns whatever goes wrong inside into a ``StoreError`` of one line."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        if "malformed" in str(error):
            raise DamagedError(shown_url(url), _why(error)) from error
        raise StoreError(f"cannot {doing} the database {shown_url(url)}: {_why(error)}") from error


class DamagedError(StoreError):
    """A file that SQLite cannot make out; ``why`` in its own words."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where} is damaged: restore a backup with 'hongzhong restore' ({why})")
        self.why = why


def _why(error: Exception) -> str:
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
        if cause.__cause__ is not None:  # the driver's own words, not those of the adapter around it
            cause = cause.__cause__
    text = (cause.strerror if isinstance(cause, OSError) else None) or str(cause) or type(cause).__name__
    return text.splitlines()[0]


def create(url: URL) -> AsyncEngine:
    """An engine whose SQLite connections are durable (WAL, every commit on the disk) and check foreign keys."""
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, connect_args={"timeout": BUSY_SECONDS})
        event.listen(engine.sync_engine, "connect", _set_up)
        return engine
    return create_async_engine(url, pool_pre_ping=True)


def _set_up(connection: Any, record: object) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def check_file(path: Path, *, make: bool) -> None:
    """Looks at a SQLite file before it is opened; ``make``: it may be missing, its folder too. Raises ``StoreError``."""
    try:
        if make:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            with path.open("rb") as file:
                head = file.read(len(_MAGIC))
            if head and head != _MAGIC:
                raise StoreError(f"{path} is no SQLite database: give another file, or move this one away")
        elif not make:
            raise StoreError(f"no database at {path}: give the data folder of the server with --data, or --database")
    except OSError as error:
        raise StoreError(f"cannot open the database {path}: {error.strerror or error}") from error
    where = path if path.exists() else path.parent
    for place in {where, path.parent}:  # beside the file lie its journal and lock
        if not os.access(place, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise StoreError(
                f"cannot write the database {path}: {place} is read-only for this user; give another folder with --data"
            )
    if make and not path.exists():
        try:
            path.touch(0o600)  # it holds the secrets of matches in play; SQLite gives its journal the same mode
        except OSError as error:
            raise StoreError(f"cannot open the database {path}: {error.strerror or error}") from error
