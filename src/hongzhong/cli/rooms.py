"""``hongzhong rooms``: the rooms of a server, and an end to one of them."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import click

from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice
from hongzhong.cli.database import database_choice, opened, waited
from hongzhong.texts import language
from hongzhong.texts.operate import say
from hongzhong.texts.score import padded

PATIENCE_SECONDS: Final = 10
LOOK_SECONDS: Final = 0.25


@click.group("rooms")
def command() -> None:
    """The rooms of a server: list them, end one."""


@command.command("list")
@database_choice
@click.option("--json", "as_json", is_flag=True, help="JSON Lines on stdout.")
@language_choice
def list_rooms(data: Path, address: str | None, as_json: bool, lang: str | None) -> None:
    """List all rooms: code, state, rules, players, last change, answers given in the match."""
    rooms = waited(_going(data, address))
    if as_json:
        for room in rooms:
            print(json.dumps({name: getattr(room, name) for name in room.__struct_fields__}, ensure_ascii=False))
        return
    said = language(lang)
    if not rooms:
        print(say(said, "no_rooms"), file=sys.stderr)
        return
    rows = [say(said, "rooms").split("|")]
    for room in rooms:
        players = ", ".join(name for name in room.players if name)
        changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(room.touched / 1000))
        answers = "" if room.answers is None else str(room.answers)
        rows.append([room.code, say(said, room.state), room.rules, players, changed, answers])
    for row in rows:
        widths = (10, 10, 16, 40, 18, 0)
        print("".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip())


async def _going(data: Path, address: str | None) -> list[Any]:
    from hongzhong.server.store import library

    async with await opened(data, address) as database:
        return await library.going(database)


@command.command("end")
@click.argument("code")
@database_choice
@language_choice
def end_room(code: str, data: Path, address: str | None, lang: str | None) -> None:
    """End the room CODE: its match is broken off, the result so far stands and its record is kept."""
    print(say(language(lang), waited(_end(code, data, address)), code=code), file=sys.stderr)


async def _end(code: str, data: Path, address: str | None) -> str:
    """Asks the server, which looks into the database for it, and waits a while."""
    from hongzhong.server.store import OrderEnd, library

    async with await opened(data, address) as database:
        states = {room.code: room.state for room in await library.going(database)}
        if code not in states:
            raise CommandError(f"no room {code}: see 'hongzhong rooms list'")
        if states[code] == "ended":
            return "room_ended"
        await database.write(OrderEnd(code=code))
        if not await database.is_served():
            return "room_ordered"
        for _ in range(int(PATIENCE_SECONDS / LOOK_SECONDS)):
            await asyncio.sleep(LOOK_SECONDS)
            if {room.code: room.state for room in await library.going(database)}.get(code, "ended") == "ended":
                return "room_ended"
        return "room_slow"
