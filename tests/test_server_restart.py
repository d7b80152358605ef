"""A server that is told to stop lets everything be written and says so; the next one has every room as it was."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from hongzhong import journal
from hongzhong.ledger import Append, BeginMatch, SaveRoom
from hongzhong.server.messages import Refused, Update, Welcome
from hongzhong.server.rooms import read_data
from tests.serving import Guest, Served, all_ready, database, guests, options, room_of, serving


def test_a_restart_keeps_every_room_in_its_state(tmp_path: Path) -> None:
    async def inside() -> None:
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            waiting = await room_of(served, 2, rules="hebei", options={"hands": 3}, name="Hall", password="pw")
            ended = await room_of(served, 4)
            async with guests(served, *ended):
                await all_ready(ended)
                await asyncio.gather(*(person.play() for person in ended))
            playing = await room_of(served, 4, rules="inner_mongolia", options={"hands": 8})
            for person in playing:
                await person.open()
            await all_ready(playing)
            plays = [asyncio.create_task(person.play()) for person in playing]
            lobby = served.server.lobby
            while lobby.rooms[playing[0].code].table is None or lobby.rooms[playing[0].code].table.seq[0] < 60:
                await asyncio.sleep(0.005)
            before = {code: picture(room) for code, room in lobby.rooms.items() if code != playing[0].code}
            table = lobby.rooms[playing[0].code].table
            await served.stop()
            await asyncio.gather(*plays, return_exceptions=True)
            for person in playing:
                while await person.hear() is not None:
                    pass
                told = [message for message in person.frames if isinstance(message, Refused)]
                assert {message.code for message in told} == {"restart"} and person.closed == 1012
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            rooms = served.server.lobby.rooms
            assert {code: picture(room) for code, room in rooms.items() if code != playing[0].code} == before
            again = rooms[playing[0].code].table
            assert again.match.events == table.match.events and again.paused
            assert again.views == table.views and again.asked.keys() == table.asked.keys()
            for guest in (*waiting, *ended, *playing):
                back = Guest(served, guest.code, guest.token)
                await back.open()
                welcome = await back.hear()
                assert isinstance(welcome, Welcome) and welcome.place >= 0
            assert rooms[waiting[0].code].rules.get("hands") == 3
            assert rooms[ended[0].code].data.totals == ended[0].room.totals  # type: ignore[union-attr]

    asyncio.run(asyncio.wait_for(inside(), 60))


def test_after_a_restart_nothing_is_told_again(tmp_path: Path) -> None:
    """Whoever comes back is shown the table as it stands; then only what is new, without a gap."""

    async def inside() -> None:
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            people = await room_of(served, 4, rules="hebei", settings={"move_seconds": 0})
            for person in people:
                await person.open()
            await all_ready(people)
            plays = [asyncio.create_task(person.play()) for person in people]
            lobby = served.server.lobby
            while lobby.rooms[people[0].code].table is None or lobby.rooms[people[0].code].table.seq[0] < 60:
                await asyncio.sleep(0.005)
            await served.stop()
            await asyncio.gather(*plays, return_exceptions=True)
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            back = [Guest(served, person.code, person.token) for person in people]
            for person in back:
                await person.open()
            await asyncio.gather(*(person.play() for person in back))
            for person in back:
                updates = [message for message in person.frames if isinstance(message, Update)]
                assert updates[0].events == [] and updates[0].seq >= 60 and len(updates) > 5
                for before, after in pairwise(updates):
                    assert after.seq - len(after.events) == before.seq

    asyncio.run(asyncio.wait_for(inside(), 60))


def picture(room: Any) -> bytes:
    return msgspec.json.encode(room.data)


def test_what_cannot_be_taken_up_harms_no_other_room(tmp_path: Path, caplog: Any) -> None:
    """A room of rules that are gone, one whose journal does not follow, and a sound one."""

    async def inside() -> None:
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            sound, broken = await room_of(served, 1), await room_of(served, 4)
            await room_of(served, 1, rules="hebei")
            for person in broken:
                await person.open()
            await all_ready(broken)
            await broken[0].until(lambda message: isinstance(message, Update))
            gone = next(code for code, room in served.server.lobby.rooms.items() if room.data.rules == "hebei")
        async with database(tmp_path) as store:
            (match,) = await store.matches()
            wrong = b'{"type":"answer","at":5,"seat":0,"action":143}'
            await store.write(Append(match=match.match, number=len(match.entries), entries=[wrong]))
            room = next(room for room in await store.rooms() if room.code == gone)
            data = read_data(room.data)
            data.rules = "no_such_rules"
            changed = msgspec.json.encode(data)
            await store.write(SaveRoom(code=gone, state="waiting", rules=data.rules, players=[""], data=changed))
            header = journal.read_header("a match", match.header)
            await store.write(BeginMatch(match="orphan", room="XXXXX", header=msgspec.json.encode(header)))
        async with database(tmp_path) as store, serving(options(tmp_path), store) as served:
            rooms = served.server.lobby.rooms
            assert set(rooms) == {sound[0].code, broken[0].code}
            assert gone in {room.code for room in await store.rooms()}, "its rules may be there at the next start"
            assert rooms[broken[0].code].data.state == "ended" and rooms[broken[0].code].data.match is None
            await rooms[broken[0].code].line.flush()
            assert [match.match for match in await store.matches() if match.match == "orphan"] == []
            await play_on(served, sound[0])

    asyncio.run(asyncio.wait_for(inside(), 60))
    told = "\n".join(record.getMessage() for record in caplog.records)
    assert "cannot be taken up" in told and "cannot go on" in told
    assert "discard" not in told and "secret" not in told


async def play_on(served: Served, guest: Guest) -> None:
    back = Guest(served, guest.code, guest.token)
    await back.open()
    assert isinstance(await back.hear(), Welcome)
