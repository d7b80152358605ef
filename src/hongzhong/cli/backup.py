"""``hongzhong backup FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hongzhong.cli.choices import language_choice
from hongzhong.cli.database import database_choice, opened, waited
from hongzhong.texts import language
from hongzhong.texts.operate import say


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@database_choice
@language_choice
def command(file: Path, data: Path, address: str | None, lang: str | None) -> None:
    """Write everything that a server keeps into FILE, as of now, also while it runs.

    FILE holds the secrets of matches in play and the key that signs seats: keep it as safe as the data folder.
    """
    rooms, records = waited(_backup(file, data, address))
    size = max(1, file.stat().st_size // 1000)
    print(say(language(lang), "backed_up", path=file, size=size, rooms=rooms, records=records), file=sys.stderr)


async def _backup(file: Path, data: Path, address: str | None) -> tuple[int, int]:
    from hongzhong.server.seats import KEY_FILE
    from hongzhong.server.store import backup

    async with await opened(data, address) as database:
        key = backup.read_key(data)
        return await backup.backup(database, file, {} if key is None else {KEY_FILE: key})
