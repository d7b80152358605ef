"""All rooms of a server: made, found, taken up again after a restart, freed when nobody needs them."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Mapping
from typing import Final

import msgspec

from hongzhong import bots, fair, journal, rules
from hongzhong.host import Host
from hongzhong.ledger import Change, EndMatch, Store, StoredMatch, StoredRoom, StoreError
from hongzhong.server import bodies, messages
from hongzhong.server.errors import Refusal
from hongzhong.server.options import Options
from hongzhong.server.play import checked_name, join
from hongzhong.server.rooms import Place, Room, RoomData, bot_place, new_place, read_data
from hongzhong.server.seats import MAX_PASSWORD, MAX_ROOM_NAME, Seals, new_code, sealed_password
from hongzhong.server.sheets import load, plain
from hongzhong.table.entries import EntryError

log: Final = logging.getLogger("hongzhong.lobby")
SWEEP_SECONDS: Final = 30.0
TAKE_UP_SECONDS: Final = 2.0
COLLECT_SECONDS: Final = 600.0


class Lobby:
    """``rooms`` by code."""

    def __init__(self, store: Store, seals: Seals, options: Options) -> None:
        self.store = store
        self.seals = seals
        self.options = options
        self.host = Host(store, threads=options.bot_threads)
        self.rooms: dict[str, Room] = {}
        self._lost: set[str] = set()
        self._skipped: set[str] = set()
        self._alarm = asyncio.Event()
        self._collected = time.monotonic()
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep(), name="sweep")

    # finding and making

    def room(self, code: str) -> Room:
        """Raises ``Refusal``."""
        found = self.rooms.get(code.upper())
        if found is None:
            if code.upper() in self._lost:
                raise Refusal("storage")
            raise Refusal("no_room", field="code", fatal=True, code=code[:12])
        return found

    def open_rooms(self) -> bodies.OpenRooms:
        """Rooms in the list that somebody may still join."""
        cards = [
            room.card() for room in self.rooms.values() if room.data.settings.public and room.data.state != "ended"
        ]
        return bodies.OpenRooms(rooms=[card for card in cards if card.free or card.spectators])

    async def create(self, wanted: bodies.CreateRoom) -> bodies.Seated:
        """A room whose first place is the creator's. Raises ``Refusal``."""
        name = checked_name(wanted.name, "name", MAX_ROOM_NAME) if wanted.name else ""
        return await self._open(wanted, name, wanted.password, quick=False)

    async def quick(self, wanted: bodies.QuickStart) -> bodies.Seated:
        """A table alone with three bots. Raises ``Refusal``."""
        return await self._open(wanted, "", "", quick=True)

    async def _open(
        self, wanted: bodies.CreateRoom | bodies.QuickStart, name: str, password: str, *, quick: bool
    ) -> bodies.Seated:
        if len(self.rooms) >= self.options.max_rooms:
            raise Refusal("full_server", most=self.options.max_rooms)
        if len(password) > MAX_PASSWORD:
            raise Refusal("password_long", field="password", most=MAX_PASSWORD)
        rules = load(wanted.rules, wanted.options)
        _check_settings(wanted.settings)
        nickname = checked_name(wanted.nickname, "nickname")
        bot = wanted.settings.bot
        data = RoomData(
            code=new_code(self.rooms),
            name=name or nickname,
            rules=rules.id,
            options=plain(rules.changed()),
            settings=wanted.settings,
            password=sealed_password(password),
            places=[
                new_place(nickname, wanted.owner[:64]),
                *(bot_place(number, bot) if quick else Place() for number in range(1, 4)),
            ],
            secret=fair.new_secret().hex(),
            quick=quick,
        )
        room = self._add(data)
        room.line.put([room.save()])
        await room.line.flush()
        if room.line.broken:
            raise Refusal("storage")
        log.info("room %s is opened: %s", data.code, data.rules)
        return self._seated(room, 0)

    async def join(self, code: str, wanted: bodies.JoinRoom) -> bodies.Seated:
        """Raises ``Refusal``."""
        room = self.room(code)
        place = join(room, wanted.nickname, wanted.password, wanted.place, wanted.owner[:64])
        await room.line.flush()
        if room.line.broken:
            raise Refusal("storage")
        return self._seated(room, place)

    def _seated(self, room: Room, place: int) -> bodies.Seated:
        return bodies.Seated(
            code=room.data.code,
            place=place,
            token=room.token(place),
            commitment=fair.commit(bytes.fromhex(room.data.secret)),
        )

    def _add(self, data: RoomData) -> Room:
        rules = load(data.rules, data.options)
        room = Room(data, rules, self.host, self.options, self.seals, self._dropped)
        self.rooms[data.code] = room
        return room

    def _dropped(self, room: Room) -> None:
        self.rooms.pop(room.data.code, None)
        if room.line.broken:
            self._lost.add(room.data.code)
            self._alarm.set()

    # after a restart

    async def take_up(self) -> None:
        """Every room and table that the store holds goes on as it stood. Raises ``StoreError``."""
        matches = await self._take_up_rooms()
        known = {room.data.match for room in self.rooms.values()}
        orphans: list[Change] = [
            EndMatch(match=name, record=None)
            for name, match in matches.items()
            if name not in known and match.room not in self._skipped
        ]
        if orphans:
            await self.store.write(*orphans)

    async def _take_up_rooms(self) -> Mapping[str, StoredMatch]:
        """The rooms that are not in memory; the matches in play of all."""
        kept, matches = await self.store.rooms(), {match.match: match for match in await self.store.matches()}
        for stored in kept:
            if stored.code not in self.rooms:
                await self._take_up(stored, matches)
                await asyncio.sleep(0)  # there may be hundreds
        return matches

    async def _take_up(self, stored: StoredRoom, matches: Mapping[str, StoredMatch]) -> None:
        try:
            data = read_data(stored.data)
            room = self._add(data)
        except (msgspec.DecodeError, Refusal) as error:
            # kept as it is: its rule set may only be missing at this start
            log.error("room %s cannot be taken up: %s", stored.code, error)
            self._skipped.add(stored.code)
            return
        if data.state != "playing":
            return
        match = matches.get(data.match or "")
        try:
            if match is None:
                raise EntryError("its match is not in the store")
            where = f"match {match.match}"
            header = journal.read_header(where, match.header)
            if header.sheet not in rules.names():  # never a file: what is restored may come from anybody
                raise EntryError(f"no rule set {header.sheet!r} is installed")
            room.take_up(journal.begin(where, header), match.match, header, match.entries)
        except (EntryError, journal.JournalError) as error:
            log.error("the match of room %s cannot go on: %s", data.code, error)
            data.state, data.match, data.secret = "ended", None, fair.new_secret().hex()
            room.live = None
            room.changed()

    # freeing

    async def _sweep(self) -> None:
        while True:
            if self._lost:
                await asyncio.sleep(TAKE_UP_SECONDS)
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._alarm.wait(), SWEEP_SECONDS)
                    self._alarm.clear()
                    continue
            try:
                if self._lost:
                    await self._take_up_rooms()
                    self._lost.clear()
            except StoreError as error:
                log.error("the store does not answer: %s", error)
            self.free_idle()
            self._collect()

    def _collect(self) -> None:
        """Collects garbage: at once while nobody is connected, else every few minutes."""
        now = time.monotonic()
        empty = not any(room.connections or room.watchers for room in self.rooms.values())
        if empty or now - self._collected > COLLECT_SECONDS:
            self._collected = now
            gc.collect()

    def free_idle(self) -> None:
        """Frees the rooms where nobody has been for long."""
        now, options = time.monotonic(), self.options
        for room in list(self.rooms.values()):
            patience = options.match_idle_seconds if room.data.state == "playing" else options.room_idle_seconds
            room.pass_on()
            if room.everyone():
                room.touched = now
            elif now - room.touched > patience:
                room.free()

    async def close(self, said: messages.Refused) -> None:
        """Lets everything be written, then closes every socket."""
        self._sweeper.cancel()
        rooms = list(self.rooms.values())
        await self.host.close(room.line for room in rooms)
        for room in rooms:
            room.close_all(said)


def _check_settings(settings: messages.Settings) -> None:
    if not (settings.move_seconds == 0 or 3 <= settings.move_seconds <= 300) or not 0 <= settings.bank_seconds <= 600:
        raise Refusal("clock", field="settings")
    if settings.bot not in bots.names():
        raise Refusal("unknown_bot", field="settings", bot=settings.bot[:40], known=", ".join(bots.names()))
