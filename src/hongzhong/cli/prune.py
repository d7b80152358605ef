"""``hongzhong prune``: what is old goes, or one record."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Final

import click

from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice
from hongzhong.cli.database import database_choice, opened, waited
from hongzhong.texts import language
from hongzhong.texts.operate import say

_MS: Final = {"h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}


def parse_age(text: str) -> int:
    """Milliseconds of ``90d``, ``12h`` or ``8w``. Raises ``CommandError``."""
    found = re.fullmatch(r"(\d{1,6})([hdw])", text.strip().lower())
    if found is None:
        raise CommandError(f"--older-than {text}: write it as a number and h, d or w, such as 90d")
    return int(found[1]) * _MS[found[2]]


@click.command("prune")
@click.option("--older-than", "age", metavar="AGE", help="Records and journals of ended matches, such as 90d, 12h, 8w.")
@click.option("--record", "record_id", metavar="ID", help="One record, for everybody; the ID is in its link.")
@database_choice
@language_choice
def command(age: str | None, record_id: str | None, data: Path, address: str | None, lang: str | None) -> None:
    """Remove old records and journals, or one record, for good. Rooms in play are left alone."""
    if age is None and record_id is None:
        raise CommandError(
            "say what shall go: --older-than AGE, such as --older-than 90d, or --record ID for one record"
        )
    if age is not None and record_id is not None:
        raise CommandError("--older-than and --record together: give one of them")
    if record_id is not None and not record_id.strip():
        raise CommandError("--record is empty: give the id that stands in the record's link")
    said = language(lang)
    if age is not None:
        before = time.time_ns() // 1_000_000 - parse_age(age)
        records, matches = waited(_prune(before, data, address))
        print(say(said, "pruned", records=records, matches=matches), file=sys.stderr)
    else:
        assert record_id is not None
        waited(_delete(record_id, data, address))
        print(say(said, "deleted", id=record_id), file=sys.stderr)


async def _prune(before: int, data: Path, address: str | None) -> tuple[int, int]:
    from hongzhong.server.store import library

    async with await opened(data, address) as database:
        return await library.prune(database, before)


async def _delete(record_id: str, data: Path, address: str | None) -> None:
    from hongzhong.server.store import DeleteRecord, library

    async with await opened(data, address) as database:
        if await library.record(database, record_id) is None:
            raise CommandError(f"--record {record_id}: there is no such record")
        await database.write(DeleteRecord(id=record_id))
