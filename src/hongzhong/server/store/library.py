"""Records and house rules read back, and old ones removed."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
from sqlalchemy import delete, func, select

from hongzhong.server.store.database import Database
from hongzhong.server.store.tables import ENTRIES, HOUSE_RULES, MATCHES, OWNERS, RECORDS, ROOMS

AT_ONCE = 50
"""Matches removed in one transaction, so that tables in play never wait long."""


class KeptRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record without its lines. ``seat``: where the browser that asks sat, -1 where it did not; ``kept``: milliseconds since 1970."""

    id: str
    rules: str
    players: list[str]
    scores: list[int]
    hands: int
    kept: int
    seat: int


class KeptRules(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    rules: str
    options: dict[str, Any]
    created: int


class Going(msgspec.Struct, frozen=True, kw_only=True):
    """A room for ``hongzhong rooms list``. ``answers``: those of its match in play, None without one."""

    code: str
    state: str
    rules: str
    players: list[str]
    touched: int
    answers: int | None


def _kept(row: Any, seat: int) -> KeptRecord:
    return KeptRecord(
        id=row.id,
        rules=row.rules,
        players=msgspec.json.decode(row.players),
        scores=msgspec.json.decode(row.scores),
        hands=row.hands,
        kept=row.kept,
        seat=seat,
    )


_HEAD = (RECORDS.c.id, RECORDS.c.rules, RECORDS.c.players, RECORDS.c.scores, RECORDS.c.hands, RECORDS.c.kept)


async def records_of(database: Database, browser: str, limit: int, before: int | None = None) -> list[KeptRecord]:
    """A browser's own records, newest first; ``before``: only those kept earlier. Raises ``StoreError``."""
    query = select(*_HEAD, OWNERS.c.seat).join(OWNERS, OWNERS.c.record == RECORDS.c.id)
    query = query.where(OWNERS.c.browser == browser)
    if before is not None:
        query = query.where(RECORDS.c.kept < before)
    query = query.order_by(RECORDS.c.kept.desc(), RECORDS.c.id).limit(limit)
    return [_kept(row, row.seat) for row in await database.rows(query)]


async def count_records(database: Database, browser: str) -> int:
    """How many records a browser has. Raises ``StoreError``."""
    query = select(func.count()).select_from(OWNERS).where(OWNERS.c.browser == browser)
    return int((await database.rows(query))[0][0])


async def record(database: Database, id: str, browser: str = "") -> tuple[KeptRecord, bytes] | None:
    """A record and its lines. Raises ``StoreError``."""
    found = await database.rows(select(*_HEAD, RECORDS.c.lines).where(RECORDS.c.id == id))
    if not found:
        return None
    seats = await database.rows(select(OWNERS.c.seat).where(OWNERS.c.record == id, OWNERS.c.browser == browser))
    return _kept(found[0], seats[0].seat if seats else -1), zlib.decompress(found[0].lines)


async def record_of_digest(database: Database, digest: str) -> str | None:
    """The id of the record whose lines have this SHA-256. Raises ``StoreError``."""
    found = await database.rows(select(RECORDS.c.id).where(RECORDS.c.digest == digest))
    return found[0].id if found else None


async def house_rules_of(database: Database, browser: str) -> list[KeptRules]:
    """A browser's own house rules, newest first. Raises ``StoreError``."""
    query = select(HOUSE_RULES).where(HOUSE_RULES.c.browser == browser).order_by(HOUSE_RULES.c.created.desc())
    return [_rules(row) for row in await database.rows(query)]


async def house_rules(database: Database, id: str) -> KeptRules | None:
    """Raises ``StoreError``."""
    found = await database.rows(select(HOUSE_RULES).where(HOUSE_RULES.c.id == id))
    return _rules(found[0]) if found else None


def _rules(row: Any) -> KeptRules:
    options = msgspec.json.decode(row.options)
    return KeptRules(id=row.id, name=row.name, rules=row.rules, options=options, created=row.created)


async def going(database: Database) -> list[Going]:
    """All rooms, oldest first. Raises ``StoreError``."""
    answers = (
        select(MATCHES.c.room, func.count(ENTRIES.c.number).label("answers"))
        .outerjoin(ENTRIES, ENTRIES.c.match == MATCHES.c.id)
        .where(MATCHES.c.ended.is_(None))
        .group_by(MATCHES.c.room)
        .subquery()
    )
    query = select(ROOMS, answers.c.answers).outerjoin(answers, answers.c.room == ROOMS.c.code)
    return [
        Going(
            code=row.code,
            state=row.state,
            rules=row.rules,
            players=msgspec.json.decode(row.players),
            touched=row.touched,
            answers=row.answers,
        )
        for row in await database.rows(query.order_by(ROOMS.c.created, ROOMS.c.code))
    ]


async def prune(database: Database, before: int) -> tuple[int, int]:
    """Removes the records kept and the matches ended before that time; how many of each. Raises ``StoreError``."""
    removed = []
    for table, old in ((RECORDS, RECORDS.c.kept < before), (MATCHES, MATCHES.c.ended < before)):
        count = 0
        while ids := [row.id for row in await database.rows(select(table.c.id).where(old).limit(AT_ONCE))]:
            async with database.writing() as connection:
                await connection.execute(delete(table).where(table.c.id.in_(ids)))
            count += len(ids)
        removed.append(count)
    return removed[0], removed[1]
