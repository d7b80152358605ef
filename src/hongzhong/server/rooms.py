"""A room: four places, whoever sits there, one match after another. Whatever changes is kept before anybody is told."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any, Final, Literal

import msgspec

from hongzhong import events, fair, journal
from hongzhong.host import Host, Line, Live, Told
from hongzhong.ledger import BeginMatch, Change, DropRoom, EndMatch, Record, SaveRoom, StoreError
from hongzhong.match import Match
from hongzhong.rules.variant import RuleSet
from hongzhong.server import bodies, messages
from hongzhong.server.connection import Connection, encode
from hongzhong.server.errors import Refusal
from hongzhong.server.options import Options
from hongzhong.server.present import update
from hongzhong.server.seats import Seals, new_holder
from hongzhong.server.sheets import summary
from hongzhong.table import WATCHED, Pace, Table
from hongzhong.texts.room import BOT_NAMES

log: Final = logging.getLogger("hongzhong.rooms")
HOSTLESS_SECONDS: Final = 60.0
PROMPTS_A_MATCH: Final = 100_000
"""Prompt ids of one match lie this far from those of the next."""


class Place(msgspec.Struct):
    """``holder``: who may sit here, as in the token; ``owner``: the browser's id; ``nonce``: the share in the walls."""

    kind: Literal["empty", "person", "bot"] = "empty"
    name: str = ""
    bot: str = ""
    holder: str = ""
    owner: str = ""
    ready: bool = False
    nonce: str = ""


class RoomData(msgspec.Struct, kw_only=True):
    """What is kept of a room. ``secret``: of the match in play, else of the next one; ``match``: the one in play;
    ``owners``: browsers that played it and their seats."""

    code: str
    name: str
    rules: str
    options: dict[str, Any]
    settings: messages.Settings
    password: str
    places: list[Place]
    secret: str
    host: int = 0
    state: Literal["waiting", "playing", "ended"] = "waiting"
    quick: bool = False
    votes: list[int] = msgspec.field(default_factory=list)
    matches: int = 0
    totals: list[int] = msgspec.field(default_factory=lambda: [0] * 4)
    scores: list[int] = msgspec.field(default_factory=list)
    ranking: list[int] = msgspec.field(default_factory=list)
    seat_of: list[int] = msgspec.field(default_factory=list)
    owners: dict[str, int] = msgspec.field(default_factory=dict)
    match: str | None = None
    record: str | None = None


_ENCODER: Final = msgspec.json.Encoder()
read_data: Final = msgspec.json.Decoder(RoomData).decode


class Room:
    """``connections`` by place; ``live`` is the table in play, or the last one until the room waits again."""

    def __init__(
        self,
        data: RoomData,
        rules: RuleSet,
        host: Host,
        options: Options,
        seals: Seals,
        dropped: Callable[[Room], None],
    ) -> None:
        self.data = data
        self.rules = rules
        self.host = host
        self.options = options
        self.seals = seals
        self.line = Line(host.store, self.failed)
        self.live: Live | None = None
        self.connections: dict[int, Connection] = {}
        self.watchers: set[Connection] = set()
        self.touched = time.monotonic()
        self.gone = False
        self._hostless = time.monotonic()
        self._dropped = dropped
        self._told = dict.fromkeys(WATCHED, 0)
        self._seen_state: object = None

    # what it is

    @property
    def pace(self) -> Pace:
        settings, options = self.data.settings, self.options
        return Pace(
            hold=options.hold_ms,
            bot=options.bot_ms,
            move=settings.move_seconds * 1000,
            bank=settings.bank_seconds * 1000,
            between=options.between_ms if settings.move_seconds or not options.between_ms else -1,
            away=options.away_ms,
        )

    @property
    def table(self) -> Table | None:
        return None if self.live is None else self.live.table

    @property
    def playing(self) -> Live:
        """The table in play. Raises ``Refusal``."""
        if self.live is None or self.data.state != "playing":
            raise Refusal("not_playing")
        if self.live.stopped:  # what is answered now is not kept any more
            raise Refusal("restart")
        return self.live

    def seat(self, place: int) -> int:
        """Where a place sits at the table, ``events.SPECTATOR`` for a watcher."""
        return events.SPECTATOR if place < 0 else self.data.seat_of[place]

    def persons(self) -> list[int]:
        return [i for i, place in enumerate(self.data.places) if place.kind == "person"]

    def find(self, holder: str) -> int:
        """The place of a holder, -1 if he has none."""
        found = (i for i, p in enumerate(self.data.places) if p.kind == "person" and p.holder == holder)
        return next(found, -1)

    def token(self, place: int) -> str:
        return self.seals.token(self.data.code, self.data.places[place].holder)

    def _shown_place(self, number: int) -> messages.Player:
        place, table, playing = self.data.places[number], self.table, self.data.state == "playing"
        seat = self.data.seat_of[number] if playing else -1
        here = number in self.connections
        between = playing and table is not None and table.between
        return messages.Player(
            name=place.name,
            kind=place.kind,
            bot=place.bot,
            connected=here,
            ready=(table is not None and seat in table.gone_on) if between else place.ready or place.kind == "bot",
            auto=playing and table is not None and seat in table.auto,
            away=playing and place.kind == "person" and table is not None and table.is_away(seat, self.host.now()),
            host=number == self.data.host and place.kind == "person",
        )

    def shown_room(self) -> messages.Room:
        """As all in it may know it."""
        data = self.data
        zh, en = summary(self.rules)
        return messages.Room(
            code=data.code,
            name=data.name,
            rules=data.rules,
            options=data.options,
            summary_zh=zh,
            summary_en=en,
            state=data.state,
            places=[self._shown_place(number) for number in range(4)],
            seat_of=data.seat_of if data.state != "waiting" else [],
            spectators=len(self.watchers),
            votes=data.votes,
            settings=data.settings,
            password=bool(data.password),
            matches=data.matches,
            totals=data.totals,
            scores=data.scores,
            ranking=data.ranking,
            commitment=fair.commit(bytes.fromhex(data.secret)),
            record=data.record,
        )

    def card(self) -> bodies.RoomCard:
        """What one who is about to join may know."""
        data = self.data
        zh, en = summary(self.rules)
        return bodies.RoomCard(
            code=data.code,
            name=data.name,
            rules=data.rules,
            summary_zh=zh,
            summary_en=en,
            state=data.state,
            players=[place.name for place in data.places if place.kind != "empty"],
            free=sum(place.kind == "empty" for place in data.places),
            password=bool(data.password),
            spectators=data.settings.spectators,
        )

    # telling

    def everyone(self) -> list[Connection]:
        return [*self.connections.values(), *self.watchers]

    def save(self) -> SaveRoom:
        data = self.data
        return SaveRoom(
            code=data.code,
            state=data.state,
            rules=data.rules,
            players=[place.name for place in data.places],
            data=_ENCODER.encode(data),
        )

    def changed(self, *before: Change, keep: bool = True) -> None:
        """Tells all what the room is now, once it is kept (unless nothing of it is to be kept)."""
        self.touched = time.monotonic()
        self.line.put([*before, self.save()] if keep else before, self._tell(self.shown_room()))

    def _tell(self, room: messages.Room) -> Told:
        text, to = encode(messages.RoomChanged(room=room)), self.everyone()
        return lambda: _send(to, text)

    def say(self, message: msgspec.Struct) -> None:
        """To everybody, in its place among all that is told."""
        text, to = encode(message), self.everyone()
        self.line.put((), lambda: _send(to, text))

    # a match

    def begin(self) -> None:
        """Deals. All four places are taken."""
        data = self.data
        names = [place.name for place in data.places]
        match_id = secrets.token_urlsafe(9)
        header = journal.Header(
            format=journal.JOURNAL_FORMAT,
            engine=metadata.version("hongzhong"),
            sheet=data.rules,
            rules_revision=self.rules.sheet.revision,
            options=dict(self.rules.in_force()),
            players=names,
            secret=data.secret,
            committed=True,
            nonces=[place.nonce for place in data.places],
            extra={"at": self.host.now()},
        )
        match = journal.begin(f"match {match_id}", header)
        data.match, data.state, data.quick = match_id, "playing", False
        data.matches += 1
        data.seat_of = [match.seat_of(place) for place in range(4)]
        data.votes, data.scores, data.ranking, data.record = [], [], [], None
        data.owners = {place.owner: data.seat_of[number] for number, place in enumerate(data.places) if place.owner}
        for place in data.places:
            place.ready = False
        log.info("match %s begins in room %s: %s", match_id, data.code, data.rules)
        self.changed(BeginMatch(match=match_id, room=data.code, header=_ENCODER.encode(header)))
        self.take_up(match, match_id, header, ())

    def take_up(self, match: Match, match_id: str, header: journal.Header, entries: Sequence[bytes]) -> None:
        """Plays on from a match and its journal so far. Raises ``EntryError``."""
        data = self.data
        seats = {data.seat_of[number]: place for number, place in enumerate(data.places)}
        persons = [seat for seat, place in seats.items() if place.kind == "person"]
        first = 1 + PROMPTS_A_MATCH * data.matches
        table = Table(match, persons, self.pace, int(header.extra.get("at", 0)), first_prompt=first)
        table.replay(entries)
        self.host.count_from(table.last_at)
        robots = {seat: place.bot or data.settings.bot for seat, place in seats.items()}
        self._told = dict.fromkeys(WATCHED, 0)
        self.live = Live(self.host, match_id, table, self.line, self, robots, len(entries))
        for number in self.connections:
            table.arrive(data.seat_of[number], True, self.host.now())
        self.host.add(self.live)

    def shown(self, changed: set[int], now: int) -> Told | None:
        """The table's changes for those who look on (``host.Watcher``)."""
        table = self.table
        assert table is not None
        sent: list[tuple[list[Connection], str]] = []
        for number, connection in self.connections.items():
            seat = self.data.seat_of[number]
            if seat in changed:
                sent.append(([connection], self._update(seat, now)))
        if self.watchers and events.SPECTATOR in changed:
            sent.append((list(self.watchers), self._update(events.SPECTATOR, now)))
        self._told = dict(table.seq)  # also of who is not there: whoever comes in is shown the table as it stands
        state = (table.gone_on.copy(), table.auto.copy(), table.between, [table.is_away(s, now) for s in range(4)])
        if state != self._seen_state or table.over:
            self._seen_state = state
            sent.append((self.everyone(), encode(messages.RoomChanged(room=self.shown_room()))))
        if not sent:
            return None

        def told() -> None:
            for to, text in sent:
                _send(to, text)

        return told

    def _update(self, seat: int, now: int) -> str:
        table = self.table
        assert table is not None
        return encode(update(table, seat, self._told[seat], now, hints=self.data.settings.hints))

    def greet(self, connection: Connection) -> None:
        """A connection's first messages: who it is, and the table as it stands."""
        welcome = messages.Welcome(
            protocol=messages.PROTOCOL,
            version=metadata.version("hongzhong"),
            place=connection.place,
            room=self.shown_room(),
        )
        texts = [encode(welcome)]
        if self.table is not None and self.data.state != "waiting":
            texts.append(self.standing(connection.place))

        def told() -> None:
            for text in texts:
                connection.send(text)

        self.line.put((), told)

    def standing(self, place: int) -> str:
        """The whole update of a place, without events."""
        table, seat = self.table, self.seat(place)
        assert table is not None
        now, hints = self.host.now(), self.data.settings.hints
        return encode(update(table, seat, table.seq[seat], now, hints=hints))

    def ended(self) -> Sequence[Change]:
        """The match is over: the record is public from now on (``host.Watcher``)."""
        data, table = self.data, self.table
        assert table is not None and data.match is not None
        match, match_id = table.match, data.match
        scores = [match.totals[data.seat_of[number]] for number in range(4)]
        seats = [data.seat_of.index(seat) for seat in match.ranking]
        data.totals = [a + b for a, b in zip(data.totals, scores, strict=True)]
        data.scores, data.ranking, data.state, data.match, data.votes = scores, seats, "ended", None, []
        data.secret = fair.new_secret().hex()
        record = None
        if any(isinstance(event, events.Discard | events.Win) for event in match.events):
            data.record = secrets.token_urlsafe(12)
            record = Record(
                id=data.record,
                rules=data.rules,
                players=match.players,
                scores=match.totals,
                hands=sum(isinstance(event, events.End) for event in match.events),
                lines=b"".join(events.encode(event) + b"\n" for event in match.events),
                owners=data.owners,
            )
        for place in data.places:
            place.ready, place.nonce = False, ""
        log.info("match %s in room %s is over", match_id, data.code)
        self.touched = time.monotonic()
        return [EndMatch(match=match_id, record=record), self.save()]

    def failed(self, error: StoreError) -> None:
        """What is here may be ahead of the store: the room is dropped from memory and taken up again from there."""
        log.error("room %s cannot be kept: %s", self.data.code, error)
        self.line.broken = True
        said = Refusal("storage", fatal=False).said
        self.close_all(said)
        self._dropped(self)

    def pass_on(self) -> None:
        """Another person is the host when the host has been gone for a minute."""
        here = [place for place in self.persons() if place in self.connections]
        if self.data.host in self.connections or not here:
            self._hostless = time.monotonic()
        elif time.monotonic() - self._hostless > HOSTLESS_SECONDS:
            self.data.host = here[0]
            self.changed()

    def free(self) -> None:
        """Ends the room for good."""
        if self.live is not None and self.data.state == "playing":
            self.live.do(Table.abort)
        self.line.put([DropRoom(code=self.data.code)])
        log.info("room %s is freed", self.data.code)
        self.close_all(Refusal("no_room", code=self.data.code, fatal=True).said)
        self._dropped(self)

    def close_all(self, said: messages.Refused, code: int = 1012) -> None:
        """Stops the table and closes every socket."""
        self.gone = True
        if self.live is not None:
            self.live.stop()
        for connection in self.everyone():
            connection.say(said)
            connection.close(code)
        self.connections.clear()
        self.watchers.clear()


def _send(to: list[Connection], text: str) -> None:
    for connection in to:
        connection.send(text)


def new_place(name: str, owner: str) -> Place:
    """A person's place."""
    return Place(kind="person", name=name, holder=new_holder(), owner=owner)


def bot_place(number: int, bot: str) -> Place:
    return Place(kind="bot", name=BOT_NAMES[number], bot=bot)
