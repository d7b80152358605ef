"""What the commands share that look after a server's database: where it is, and how they wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click

from hongzhong.cli import CommandError

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class FolderPath(click.Path):
    """A folder; an empty text is no name for the current one, but mostly a variable that is not set."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            raise CommandError("--data is empty: give a folder, such as ./data")
        return super().convert(value, param, ctx)


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    if value is not None and not value.strip():
        raise CommandError("--database is empty: give an address, or leave it out for a SQLite file in the data folder")
    return value


def database_choice(function: F) -> F:
    """``--data`` and ``--database``, passed as ``data`` and ``address``."""
    data = click.option(
        "--data",
        type=FolderPath(file_okay=False, path_type=Path),
        envvar="HONGZHONG_DATA",
        default=data_folder,
        help="The server's data folder; else HONGZHONG_DATA, else the user's.",
    )
    address = click.option(
        "--database",
        "address",
        envvar="HONGZHONG_DATABASE",
        metavar="URL",
        callback=_address,
        help="postgresql+asyncpg://USER@HOST/NAME instead of a SQLite file in the data folder; else HONGZHONG_DATABASE.",
    )
    return data(address(function))


def data_folder() -> Path:
    """The user's own data folder."""
    import platformdirs

    return Path(platformdirs.user_data_dir("hongzhong"))


def waited(work: Coroutine[Any, Any, T]) -> T:
    """What the work gives. Raises ``CommandError`` for what the store tells."""
    from hongzhong.ledger import StoreError

    try:
        return asyncio.run(work)
    except StoreError as error:
        raise CommandError(str(error)) from error


async def opened(data: Path, address: str | None) -> Any:
    """The database of a server, which must be there. Raises ``StoreError``."""
    from hongzhong.server.store import Database, database_url

    return await Database.open(database_url(data, address), make=False)
