"""How each change is written: one function a kind, given all neighbours of that kind at once, inside the caller's transaction."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from hongzhong import ledger
from hongzhong.server.store.tables import ENTRIES, HOUSE_RULES, MATCHES, OWNERS, RECORDS, ROOMS

_UPSERT: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
"""Both have the same words for it, but no common type."""


class KeepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record from elsewhere. Where the same lines are kept already, its owners join those of that one."""

    record: ledger.Record


class ForgetRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Takes a record off a browser's list; once nobody has it any more it is gone."""

    id: str
    browser: str


class DeleteRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Removes a record for everybody."""

    id: str


class KeepHouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """A named choice of options, of a browser. The ``id`` is in the link that shares it."""

    id: str
    browser: str
    name: str
    rules: str
    options: dict[str, Any]


class DropHouseRules(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    browser: str


class OrderEnd(msgspec.Struct, frozen=True, kw_only=True):
    """A command asks the server to end a room."""

    code: str


AnyChange = ledger.Change | KeepRecord | ForgetRecord | DeleteRecord | KeepHouseRules | DropHouseRules | OrderEnd


async def apply(connection: AsyncConnection, changes: Iterable[AnyChange], now: int) -> None:
    """Writes the changes in their order."""
    for kind, alike in groupby(changes, type):
        await _HOW[kind](connection, list(alike), now)


def json_text(value: object) -> str:
    return msgspec.json.encode(value).decode()


async def _save_rooms(connection: AsyncConnection, changes: Sequence[ledger.SaveRoom], now: int) -> None:
    latest = {change.code: change for change in changes}
    statement = _UPSERT[connection.dialect.name](ROOMS)
    kept = ("state", "rules", "players", "data", "touched")
    statement = statement.on_conflict_do_update(
        index_elements=[ROOMS.c.code], set_={name: statement.excluded[name] for name in kept}
    )
    rows = [
        {
            "code": change.code,
            "state": change.state,
            "rules": change.rules,
            "players": json_text(change.players),
            "data": change.data,
            "created": now,
            "touched": now,
        }
        for change in latest.values()
    ]
    await connection.execute(statement, rows)


async def _drop_rooms(connection: AsyncConnection, changes: Sequence[ledger.DropRoom], now: int) -> None:
    await connection.execute(delete(ROOMS).where(ROOMS.c.code.in_([change.code for change in changes])))


async def _begin(connection: AsyncConnection, changes: Sequence[ledger.BeginMatch], now: int) -> None:
    rows = [{"id": change.match, "room": change.room, "header": change.header, "begun": now} for change in changes]
    await connection.execute(insert(MATCHES), rows)


async def _append(connection: AsyncConnection, changes: Sequence[ledger.Append], now: int) -> None:
    rows = [
        {"match": change.match, "number": number, "data": entry}
        for change in changes
        for number, entry in enumerate(change.entries, change.number)
    ]
    if rows:
        await connection.execute(insert(ENTRIES), rows)


async def _end(connection: AsyncConnection, changes: Sequence[ledger.EndMatch], now: int) -> None:
    ended = [change.match for change in changes]
    await connection.execute(update(MATCHES).where(MATCHES.c.id.in_(ended)).values(ended=now))
    for change in changes:
        if change.record is not None:
            await _keep(connection, change.record, change.match, now)


async def _keep_records(connection: AsyncConnection, changes: Sequence[KeepRecord], now: int) -> None:
    for change in changes:
        await _keep(connection, change.record, None, now)


async def _keep(connection: AsyncConnection, record: ledger.Record, match: str | None, now: int) -> None:
    upsert = _UPSERT[connection.dialect.name]
    digest = hashlib.sha256(record.lines).hexdigest()
    row = {
        "id": record.id,
        "match": match,
        "rules": record.rules,
        "players": json_text(record.players),
        "scores": json_text(record.scores),
        "hands": record.hands,
        "kept": now,
        "digest": digest,
        "lines": zlib.compress(record.lines),
    }
    await connection.execute(upsert(RECORDS).values(row).on_conflict_do_nothing(index_elements=[RECORDS.c.digest]))
    kept = (await connection.execute(select(RECORDS.c.id).where(RECORDS.c.digest == digest))).scalar_one()
    owners = [{"browser": browser, "record": kept, "seat": seat} for browser, seat in record.owners.items()]
    if owners:
        await connection.execute(upsert(OWNERS).on_conflict_do_nothing(), owners)


async def _forget_records(connection: AsyncConnection, changes: Sequence[ForgetRecord], now: int) -> None:
    for change in changes:
        mine = (OWNERS.c.record == change.id) & (OWNERS.c.browser == change.browser)
        forgotten = await connection.execute(delete(OWNERS).where(mine))
        if forgotten.rowcount:
            left = select(OWNERS.c.record).where(OWNERS.c.record == change.id)
            await connection.execute(delete(RECORDS).where(RECORDS.c.id == change.id, ~left.exists()))


async def _delete_records(connection: AsyncConnection, changes: Sequence[DeleteRecord], now: int) -> None:
    await connection.execute(delete(RECORDS).where(RECORDS.c.id.in_([change.id for change in changes])))


async def _keep_house_rules(connection: AsyncConnection, changes: Sequence[KeepHouseRules], now: int) -> None:
    rows = [
        {
            "id": change.id,
            "browser": change.browser,
            "name": change.name,
            "rules": change.rules,
            "options": json_text(change.options),
            "created": now,
        }
        for change in changes
    ]
    await connection.execute(insert(HOUSE_RULES), rows)


async def _drop_house_rules(connection: AsyncConnection, changes: Sequence[DropHouseRules], now: int) -> None:
    for change in changes:
        mine = (HOUSE_RULES.c.id == change.id) & (HOUSE_RULES.c.browser == change.browser)
        await connection.execute(delete(HOUSE_RULES).where(mine))


async def _order_ends(connection: AsyncConnection, changes: Sequence[OrderEnd], now: int) -> None:
    codes = [change.code for change in changes]
    await connection.execute(update(ROOMS).where(ROOMS.c.code.in_(codes)).values(ordered=True))


_HOW: Final[dict[type, Callable[[AsyncConnection, Any, int], Awaitable[None]]]] = {
    ledger.SaveRoom: _save_rooms,
    ledger.DropRoom: _drop_rooms,
    ledger.BeginMatch: _begin,
    ledger.Append: _append,
    ledger.EndMatch: _end,
    KeepRecord: _keep_records,
    ForgetRecord: _forget_records,
    DeleteRecord: _delete_records,
    KeepHouseRules: _keep_house_rules,
    DropHouseRules: _drop_house_rules,
    OrderEnd: _order_ends,
}
