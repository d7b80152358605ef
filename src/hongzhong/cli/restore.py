"""``hongzhong restore FILE``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hongzhong.cli.choices import language_choice
from hongzhong.cli.database import database_choice, waited
from hongzhong.texts import language
from hongzhong.texts.operate import say


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Even if the database holds something; a SQLite file is kept aside.")
@database_choice
@language_choice
def command(file: Path, replace: bool, data: Path, address: str | None, lang: str | None) -> None:
    """Put the backup FILE in the place of the database; the server must not run.

    Backups go from SQLite to PostgreSQL and back, and from an older version to a newer one.
    """
    rooms, records, key_kept = waited(_restore(file, replace, data, address))
    said = language(lang)
    print(say(said, "restored", path=file, rooms=rooms, records=records), file=sys.stderr)
    if replace and address is None:
        print(say(said, "set_aside"), file=sys.stderr)
    if key_kept:
        print(say(said, "key_kept", folder=data), file=sys.stderr)


async def _restore(file: Path, replace: bool, data: Path, address: str | None) -> tuple[int, int, bool]:
    from hongzhong.server.seats import KEY_FILE
    from hongzhong.server.store import backup, database_url

    restored = await backup.restore(database_url(data, address), file, replace=replace)
    key = restored.extras.get(KEY_FILE)
    kept = backup.read_key(data)
    if key is not None and kept is None:
        backup.put_key(data, key)
    return restored.rooms, restored.records, key is not None and kept not in (None, key)
