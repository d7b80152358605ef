"""What the people of a room may do: each message of a socket, checked and carried out."""

from __future__ import annotations

import hmac
from typing import Final

from hongzhong import bots, events
from hongzhong.round import IllegalAction
from hongzhong.server import hints, messages
from hongzhong.server.connection import GONE_AWAY, REFUSED, SUPERSEDED, Connection
from hongzhong.server.errors import Refusal
from hongzhong.server.present import action_shown, meant
from hongzhong.server.rooms import Place, Room, bot_place, new_place
from hongzhong.server.seats import BadName, clean_name, opens
from hongzhong.table import StaleAnswer, Table
from hongzhong.texts.room import PHRASES

MAX_NONCE: Final = 64


# coming and going


def enter(room: Room, connection: Connection, hello: messages.Hello) -> None:
    """A socket takes its place: the seat of its token, where the newest one wins, else among the spectators. Raises ``Refusal``."""
    if hello.protocol != messages.PROTOCOL:
        raise Refusal("protocol", fatal=True, wanted=messages.PROTOCOL)
    nonce = checked_nonce(hello.nonce)
    place = _place_of(room, hello)
    connection.place = place
    if place < 0:
        room.watchers.add(connection)
        room.greet(connection)
        room.changed(keep=False)
        return
    old = room.connections.pop(place, None)
    if old is not None:
        old.say(messages.Superseded())
        old.close(SUPERSEDED)
    if room.live is not None and room.data.state == "playing":
        seat = room.data.seat_of[place]
        room.live.do(lambda table, now: table.arrive(seat, True, now))
    room.connections[place] = connection  # only now: the welcome comes before any update
    room.greet(connection)
    room.changed(keep=False)
    if room.data.quick and room.data.state == "waiting" and place == room.data.host:
        room.data.places[place].nonce = nonce
        room.begin()


def _place_of(room: Room, hello: messages.Hello) -> int:
    if hello.token:
        seat = room.seals.read(hello.token)
        if seat is None or not hmac.compare_digest(seat[0], room.data.code):
            raise Refusal("bad_seat", fatal=True)
        place = room.find(seat[1])
        if place < 0:
            raise Refusal("seat_gone", fatal=True)
        return place
    if not room.data.settings.spectators:
        raise Refusal("no_spectators", fatal=True)
    if not opens(room.data.password, hello.password):
        raise Refusal("password", field="password", fatal=True)
    if len(room.watchers) >= room.options.max_spectators:
        raise Refusal("many_spectators", fatal=True)
    return -1


def depart(room: Room, connection: Connection) -> None:
    """A socket is closed."""
    if room.gone:
        return
    if connection in room.watchers:
        room.watchers.discard(connection)
        room.changed(keep=False)
    elif room.connections.get(connection.place) is connection:
        del room.connections[connection.place]
        if room.live is not None and room.data.state == "playing":
            seat = room.data.seat_of[connection.place]
            room.live.do(lambda table, now: table.arrive(seat, False, now))
        room.changed(keep=False)
        _count_votes(room)


def join(room: Room, name: str, password: str, place: int, owner: str) -> int:
    """A person sits down; the place. In play whoever joins takes over what a bot held. Raises ``Refusal``."""
    if not opens(room.data.password, password):
        raise Refusal("password", field="password")
    name = checked_name(name, "nickname")
    if any(other.name == name and other.kind != "empty" for other in room.data.places):
        raise Refusal("name_taken", field="nickname", name=name)
    free = [number for number, other in enumerate(room.data.places) if other.kind == "empty"]
    if place != -1:
        _check_place(place)
        if place not in free:
            raise Refusal("place_taken", field="place", place=place)
    elif not free:
        raise Refusal("no_place")
    number = free[0] if place == -1 else place
    room.data.places[number] = new_place(name, owner)
    if room.data.places[room.data.host].kind != "person":
        room.data.host = number
    if room.data.state == "playing":
        _seat_changed(room, number)
        if owner:
            room.data.owners[owner] = room.data.seat_of[number]
    room.changed()
    return number


def checked_name(name: str, field: str, most: int = 16) -> str:
    """Raises ``Refusal``."""
    try:
        return clean_name(name, most)
    except BadName as error:
        raise Refusal(f"name_{error.why}", field=field, most=most) from error


def checked_nonce(nonce: str) -> str:
    """Raises ``Refusal``."""
    if len(nonce) > MAX_NONCE or len(nonce.encode("utf-8", "replace")) > 4 * MAX_NONCE or not nonce.isprintable():
        raise Refusal("nonce", field="nonce", most=MAX_NONCE)
    return nonce


def _check_place(place: int) -> None:
    if place not in range(4):
        raise Refusal("no_such_place", field="place")


def _seat_changed(room: Room, number: int) -> None:
    """Somebody else holds a place of the match in play."""
    place, seat = room.data.places[number], room.data.seat_of[number]
    room.playing.robot_is(seat, place.bot or room.data.settings.bot)
    room.playing.do(lambda table, now: table.sit(seat, place.kind == "person", now))


def _vacate(room: Room, number: int) -> None:
    """Nobody holds the place any more; the room ends when no person is left."""
    data = room.data
    data.places[number] = Place(name=data.places[number].name if data.state == "playing" else "")
    data.votes = [vote for vote in data.votes if vote != number]
    persons = room.persons()
    if number == data.host and persons:
        data.host = next((p for p in persons if p in room.connections), persons[0])
    if data.state == "playing":
        _seat_changed(room, number)
    connection = room.connections.pop(number, None)
    if connection is not None:
        connection.say(Refusal("seat_gone", fatal=True).said)
        connection.close(REFUSED)
    if not persons:
        room.free()
        return
    room.changed()
    _count_votes(room)


# messages


def handle(room: Room, connection: Connection, message: messages.ClientMessage) -> None:
    """Raises ``Refusal``; then nothing changed."""
    match message:
        case messages.Ping():
            connection.say(messages.Pong())
        case messages.Hello():
            raise Refusal("hello_twice")
        case _ if connection.place < 0:
            raise Refusal("not_seated")
        case messages.Answer():
            _answer(room, connection, message)
        case messages.Auto():
            seat = room.seat(connection.place) if room.data.state == "playing" else -1
            room.playing.do(lambda table, now: table.set_auto(seat, message.on, now))
        case messages.Ready():
            _ready(room, connection.place, message)
        case messages.Say():
            if message.phrase not in range(len(PHRASES)):
                raise Refusal("phrase", field="phrase", phrase=message.phrase)
            room.say(messages.Said(place=connection.place, phrase=message.phrase))
        case messages.Vote():
            _vote(room, connection.place, message.on)
        case messages.Hint():
            _hint(room, connection, message.prompt)
        case messages.Leave():
            del room.connections[connection.place]
            connection.close(GONE_AWAY)
            _vacate(room, connection.place)
        case messages.AskSeat():
            connection.say(messages.SeatGiven(place=connection.place, token=room.token(connection.place)))
        case messages.Manage():
            if connection.place != room.data.host:
                raise Refusal("not_host")
            _manage(room, message)
        case messages.Rematch():
            _rematch(room)


def _answer(room: Room, connection: Connection, answer: messages.Answer) -> None:
    live, seat = room.playing, room.seat(connection.place)
    asked = live.table.asked.get(seat)
    action = answer.action
    if asked is not None and asked.id == answer.prompt:
        action = meant(asked.prompt, action)
    try:
        new = live.do(lambda table, now: table.answer(seat, answer.prompt, action, now))
    except StaleAnswer as error:
        raise Refusal(error.code, field="prompt") from error
    except IllegalAction as error:
        raise Refusal("illegal", field="action", why=str(error)) from error
    if not new:  # the first answer's update may have been lost
        text = room.standing(connection.place)
        room.line.put((), lambda: connection.send(text))


def _ready(room: Room, place: int, ready: messages.Ready) -> None:
    if room.data.state == "playing":
        seat = room.data.seat_of[place]
        room.playing.do(lambda table, now: table.go_on(seat, now))
        return
    if room.data.state == "ended":
        raise Refusal("not_waiting")
    mine = room.data.places[place]
    mine.nonce = checked_nonce(ready.nonce) if ready.on else mine.nonce
    mine.ready = ready.on
    if _all_ready(room):
        room.begin()
    else:
        room.changed()


def _all_ready(room: Room) -> bool:
    return all(place.kind == "bot" or (place.kind == "person" and place.ready) for place in room.data.places)


def _vote(room: Room, place: int, on: bool) -> None:
    _ = room.playing
    votes = set(room.data.votes) - {place} | ({place} if on else set())
    room.data.votes = sorted(votes)
    room.changed()
    _count_votes(room)


def _count_votes(room: Room) -> None:
    """The match ends when everybody who is there wants it."""
    voted, here = set(room.data.votes), set(room.connections)
    if room.data.state == "playing" and room.live is not None and voted and here and here <= voted:
        room.live.do(Table.abort)


def _hint(room: Room, connection: Connection, prompt_id: int) -> None:
    if not room.data.settings.hints:
        raise Refusal("no_hints")
    table, seat = room.playing.table, room.seat(connection.place)
    asked = table.asked.get(seat)
    if asked is None or asked.id != prompt_id:
        raise Refusal("no_such_prompt", field="prompt")
    heard: list[events.Event] = table.hand_so_far(seat)
    advised = hints.advice(table.views[seat], heard, asked.prompt)
    shown = action_shown(asked.prompt, advised)
    found = hints.discards(table.views[seat], asked.prompt, advised)
    connection.say(messages.HintGiven(prompt=prompt_id, action=shown.action, discards=found))


def _rematch(room: Room) -> None:
    if room.data.state != "ended":
        raise Refusal("not_ended")
    room.data.state = "waiting"
    room.live = None
    room.changed()


# the host's


def _manage(room: Room, wanted: messages.Manage) -> None:
    data = room.data
    if wanted.do == "start":
        _start(room)
        return
    _check_place(wanted.place)
    place = data.places[wanted.place]
    if wanted.do == "swap":
        _check_place(wanted.other)
        _swap(room, wanted.place, wanted.other)
    elif wanted.do == "hand_over":
        if place.kind != "person":
            raise Refusal("no_person", field="place")
        data.host = wanted.place
        room.changed()
    elif wanted.do == "remove":
        if place.kind == "empty":
            raise Refusal("no_person", field="place")
        _vacate(room, wanted.place)
    else:
        if place.kind != "empty":
            raise Refusal("place_taken", field="place", place=wanted.place)
        _check_bots(room)
        bot = wanted.bot or data.settings.bot
        if bot not in bots.names():
            raise Refusal("unknown_bot", field="bot", bot=bot, known=", ".join(bots.names()))
        data.places[wanted.place] = bot_place(wanted.place, bot)
        if data.state == "playing":
            _seat_changed(room, wanted.place)
        room.changed()


def _check_bots(room: Room) -> None:
    if not room.data.settings.bots:
        raise Refusal("no_bots")


def _start(room: Room) -> None:
    """Bots fill up; the host is ready with that, the others must be."""
    data = room.data
    if data.state != "waiting":
        raise Refusal("not_waiting")
    if any(p.kind == "empty" for p in data.places):
        _check_bots(room)
    if any(p.kind == "person" and not p.ready for number, p in enumerate(data.places) if number != data.host):
        raise Refusal("not_everybody")
    for number, place in enumerate(data.places):
        if place.kind == "empty":
            data.places[number] = bot_place(number, data.settings.bot)
    room.begin()


def _swap(room: Room, one: int, other: int) -> None:
    """Two places change everything: who sits there, totals, connections."""
    data = room.data
    if data.state == "playing":
        raise Refusal("not_waiting")
    data.places[one], data.places[other] = data.places[other], data.places[one]
    for row in (data.totals, data.scores):
        if row:
            row[one], row[other] = row[other], row[one]
    exchanged = {one: other, other: one}
    data.host = exchanged.get(data.host, data.host)
    data.ranking = [exchanged.get(place, place) for place in data.ranking]
    data.seat_of = []
    room.live = None
    room.connections = {exchanged.get(place, place): c for place, c in room.connections.items()}
    for place, connection in room.connections.items():
        if connection.place != place:
            connection.place = place
            room.greet(connection)
    room.changed()
