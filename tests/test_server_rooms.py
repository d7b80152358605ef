"""Rooms over HTTP and sockets: making and joining, seats, the host's powers, matches one after another, tabs and reconnecting."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from hongzhong import actions, events, fair
from hongzhong.ledger import StoreError
from hongzhong.server import messages
from hongzhong.server.messages import (
    Answer,
    Auto,
    Manage,
    Ready,
    Refused,
    RoomChanged,
    Superseded,
    Update,
    Vote,
    Welcome,
)
from hongzhong.server.seats import BadName, clean_name
from hongzhong.tiles import parse_mpsz
from hongzhong.verification import verify
from tests.serving import Guest, Served, all_ready, at_a_server, guests, room_of


def room_where(test: Any) -> Any:
    """A message after which the room is so."""
    return lambda message: isinstance(message, RoomChanged) and test(message.room)


async def play_all(*people: Guest) -> None:
    await asyncio.gather(*(person.play() for person in people))


async def own_turn(guest: Guest) -> Any:
    """Passes up to the first own turn."""
    while True:
        update: Update = await guest.until(lambda m: isinstance(m, Update) and m.prompt is not None)
        assert update.prompt is not None
        if update.prompt.kind == "turn":
            return update
        await guest.say(Answer(prompt=update.prompt.id, action=34))


# making and joining


@at_a_server()
async def test_four_people_play_a_match_and_its_record_verifies(served: Served) -> None:
    people = await room_of(served, rules="hebei", options={"hands": 2})
    async with guests(served, *people):
        assert [person.place for person in people] == [0, 1, 2, 3]
        await people[0].until(room_where(lambda room: all(place.connected for place in room.places)))
        commitment = people[0].room.commitment  # type: ignore[union-attr]
        await all_ready(people)
        await play_all(*people)
        room = people[0].room
        assert room is not None and room.state == "ended" and room.record and sum(room.totals) == 0
        assert room.commitment != commitment, "the next match has another secret"
        record = await record_of(served, room.record)
        first, last = events.decode(record[0]), events.decode(record[-1])
        assert isinstance(first, events.Match) and isinstance(last, events.Result) and last.secret
        assert first.commitment == commitment == fair.commit(bytes.fromhex(last.secret))
        assert first.nonces == [f"nonce {n}" for n in range(4)]
        assert sorted(first.players) == ["P0", "P1", "P2", "P3"]
        by_seat = [room.scores[room.seat_of.index(seat)] for seat in range(4)]
        assert last.scores == by_seat


async def record_of(served: Served, name: str) -> list[bytes]:
    """The lines of a record, which verify."""
    answer = await served.http.get(f"records/{name}/file")
    assert answer.status_code == 200
    assert verify(answer.content).ok
    return answer.content.splitlines()


@at_a_server()
async def test_alone_with_three_bots_in_one_request(served: Served) -> None:
    seat = await served.post("quick", rules="qiqihar", nickname="Ann", options={"hands": 1})
    ann = Guest(served, seat["code"], seat["token"], nonce="mine")
    async with guests(served, ann):
        await ann.play()
        assert ann.room is not None and [place.kind for place in ann.room.places] == ["person", "bot", "bot", "bot"]
        first = events.decode((await record_of(served, ann.room.record or ""))[0])
        assert isinstance(first, events.Match) and first.nonces == ["mine", "", "", ""]
        assert first.commitment == seat["commitment"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_empty"),
        ("  ", "name_empty"),
        ("x" * 17, "name_too_long"),
        ("a\u202eb", "name_characters"),
        ("a\u0000b", "name_characters"),
        ("a\u200bb", "name_characters"),
        ("\u3164", "name_characters"),
        ("\ud83d\ude00", None),
        ("  老  王 ", None),
    ],
)
def test_nicknames(name: str, code: str | None) -> None:
    text = name.encode("utf-16", "surrogatepass").decode("utf-16")
    if code is None:
        assert clean_name(text) == " ".join(text.split())
    else:
        with pytest.raises(BadName) as told:
            clean_name(text)
        assert f"name_{told.value.why}" == code


@at_a_server()
async def test_what_is_refused_when_a_room_is_made_or_joined(served: Served) -> None:
    async def refused(path: str, **body: Any) -> tuple[int, str, str | None]:
        answer = await served.http.post(path, json=body)
        said = answer.json()
        assert said["type"] == "error" and said["zh"] and said["en"]
        return answer.status_code, said["code"], said["field"]

    made = {"rules": "hebei", "nickname": "Ann"}
    conflict = {"discard_wins": False, "multi_win": "all"}
    assert await refused("rooms", **made | {"options": conflict}) == (422, "rules", "options")
    assert await refused("rooms", **made | {"rules": "./evil.py"}) == (422, "rules", "rules")
    assert await refused("rooms", **made | {"settings": {"move_seconds": 2}}) == (422, "clock", "settings")
    assert await refused("rooms", **made | {"settings": {"bot": "nobody"}}) == (422, "unknown_bot", "settings")
    assert await refused("rooms", **made | {"surplus": 1}) == (422, "not_json", None)
    assert await refused("rooms", **made | {"nickname": "\u202ex"}) == (422, "name_characters", "nickname")
    assert await refused("rooms/NOONE/join", nickname="Bo") == (404, "no_room", "code")
    seat = await served.post("rooms", **made, password="pw")
    path = f"rooms/{seat['code']}/join"
    assert await refused(path, nickname="Bo") == (403, "password", "password")
    assert await refused(path, nickname="Ann", password="pw") == (409, "name_taken", "nickname")
    assert await refused(path, nickname="Bo", password="pw", place=0) == (409, "place_taken", "place")
    assert await refused(path, nickname="Bo", password="pw", place=9) == (422, "no_such_place", "place")
    for number in range(3):
        await served.post(path, nickname=f"B{number}", password="pw")
    assert await refused(path, nickname="Late", password="pw") == (409, "no_place", None)
    assert (await served.http.get(f"rooms/{seat['code'].lower()}")).json()["free"] == 0


@at_a_server()
async def test_the_list_of_open_rooms(served: Served) -> None:
    await served.post("rooms", rules="hebei", nickname="Shy")
    await served.post("rooms", rules="hebei", nickname="Ann", name="Hall", settings={"public": True})
    rooms = (await served.http.get("rooms")).json()["rooms"]
    assert [(room["name"], room["free"], room["players"]) for room in rooms] == [("Hall", 3, ["Ann"])]


@at_a_server()
async def test_false_seats_and_old_ones_are_turned_away(served: Served) -> None:
    people = await room_of(served, 2)
    async with guests(served, *people):
        for token, code in (("nonsense", "bad_seat"), (people[0].token[:-2] + "xx", "bad_seat")):
            stranger = Guest(served, people[0].code, token)
            await stranger.open()
            assert (await stranger.hear()).code == code and await stranger.hear() is None
        other = await room_of(served, 1)
        stranger = Guest(served, people[0].code, other[0].token)
        await stranger.open()
        assert (await stranger.hear()).code == "bad_seat"
        await people[0].say(Manage(do="remove", place=1))
        gone = await people[1].until(lambda message: isinstance(message, Refused))
        assert gone.code == "seat_gone" and gone.fatal and await people[1].hear() is None
        again = Guest(served, people[0].code, people[1].token)
        await again.open()
        assert (await again.hear()).code == "seat_gone"


# the host


@at_a_server()
async def test_the_host_swaps_seats_bots_and_hands_over(served: Served) -> None:
    ann, bo = await room_of(served, 2)
    async with guests(served, ann, bo):
        await bo.say(Manage(do="start"))
        assert (await bo.until(lambda m: isinstance(m, Refused))).code == "not_host"
        await ann.say(Manage(do="swap", place=0, other=2))
        welcome = await ann.until(lambda m: isinstance(m, Welcome))
        assert welcome.place == 2 and welcome.room.places[2].name == "P0" and welcome.room.places[2].host
        await ann.say(Manage(do="bot", place=0, bot="random"))
        await ann.until(room_where(lambda room: room.places[0].bot == "random"))
        await ann.say(Manage(do="bot", place=1))
        assert (await ann.until(lambda m: isinstance(m, Refused))).code == "place_taken"
        await ann.say(Manage(do="start"))
        assert (await ann.until(lambda m: isinstance(m, Refused))).code == "not_everybody"
        await ann.say(Manage(do="hand_over", place=1))
        await bo.until(room_where(lambda room: room.places[1].host))
        await ann.say(Ready(on=True, nonce="a"))
        await bo.until(room_where(lambda room: room.places[2].ready))
        await bo.say(Manage(do="start"))
        await play_all(ann, bo)
        assert bo.room is not None and [place.kind for place in bo.room.places] == ["bot", "person", "person", "bot"]


@at_a_server()
async def test_in_play_a_place_is_emptied_and_taken_over(served: Served) -> None:
    ann, bo = await room_of(served, 2, options={"hands": 4})
    async with guests(served, ann, bo):
        await bo.say(Ready(on=True))
        await ann.until(room_where(lambda room: room.places[1].ready))
        await ann.say(Manage(do="start"))
        await ann.until(lambda m: isinstance(m, Update))
        await ann.say(Manage(do="remove", place=1))
        await ann.until(room_where(lambda room: room.places[1].kind == "empty"))
        seat = await served.post(f"rooms/{ann.code}/join", nickname="Cy")
        assert seat["place"] == 1
        cy = Guest(served, ann.code, seat["token"], 5)
        async with guests(served, cy):
            await play_all(ann, cy)
        assert cy.room is not None and cy.room.places[1].name == "Cy" and cy.room.state == "ended"


@at_a_server()
async def test_who_leaves_hands_the_room_on_and_the_last_one_ends_it(served: Served) -> None:
    ann, bo = await room_of(served, 2)
    async with guests(served, ann, bo):
        await ann.say(messages.Leave())
        await bo.until(room_where(lambda room: room.places[1].host and room.places[0].kind == "empty"))
        await bo.say(messages.Leave())
        while await bo.hear() is not None:
            pass
    assert (await served.http.get(f"rooms/{ann.code}")).status_code == 404
    while await served.server.store.rooms():
        await asyncio.sleep(0.01)


# in play


@at_a_server(bot_ms=60_000)
async def test_the_newest_tab_wins_and_sees_exactly_the_seats_view(served: Served) -> None:
    ann, bo = await room_of(served, 2)
    async with guests(served, ann, bo):
        await bo.say(Ready(on=True))
        await ann.until(room_where(lambda room: room.places[1].ready))
        await ann.say(Manage(do="start"))
        await ann.until(lambda m: isinstance(m, Update))
        tab = Guest(served, ann.code, ann.token)
        async with guests(served, tab):
            await ann.until(lambda m: isinstance(m, Superseded))
            assert await ann.hear() is None and ann.closed == 4001
            await tab.until(lambda m: isinstance(m, Update))
            assert tab.update is not None and ann.update is not None
            assert tab.update.events == [] and tab.update.view == ann.update.view
            assert tab.update.seq == ann.update.seq


@at_a_server()
async def test_who_comes_back_in_the_middle_of_a_claim_is_asked_the_same(served: Served) -> None:
    people = await room_of(served, 4, rules="inner_mongolia", settings={"move_seconds": 0})
    async with guests(served, *people):
        await all_ready(people)
        room = served.server.lobby.rooms[people[0].code]
        await people[0].until(room_where(lambda room: room.state == "playing"))
        table, seat_of = room.table, room.data.seat_of
        while not (claims := [seat for seat, asked in table.asked.items() if asked.prompt.kind == "claim"]):
            seat, asked = next(iter(table.asked.items()))
            await people[seat_of.index(seat)].say(Answer(prompt=asked.id, action=asked.prompt.actions[0]))
            await asyncio.sleep(0.01)
        person = people[seat_of.index(claims[0])]
        before = await person.until(
            lambda m: isinstance(m, Update) and m.prompt is not None and m.prompt.kind == "claim"
        )
        assert person.socket is not None
        await person.socket.close()
        again = Guest(served, person.code, person.token)
        async with guests(served, again):
            now = await again.until(lambda m: isinstance(m, Update))
            assert now.events == [] and now.prompt == before.prompt and now.view == before.view
            await again.say(Answer(prompt=now.prompt.id, action=34))
            later = await again.until(lambda m: isinstance(m, Update))
            assert later.prompt is None or later.prompt.id != now.prompt.id


@at_a_server(bot_ms=60_000)
async def test_when_the_store_fails_the_table_goes_on_from_what_was_kept(served: Served) -> None:
    seat = await served.post("quick", rules="hebei", nickname="Ann", settings={"move_seconds": 0})
    lobby, store = served.server.lobby, served.server.store
    ann = Guest(served, seat["code"], seat["token"])
    async with guests(served, ann):
        await ann.until(lambda m: isinstance(m, Update))
        kept = lobby.rooms[ann.code].table.match.events[:]
        write = store.write

        async def full(*changes: Any) -> None:
            raise StoreError("the disk is full")

        store.write = full
        await ann.say(Auto(on=True))
        told = await ann.until(lambda m: isinstance(m, Refused))
        assert told.code == "storage" and not told.fatal and await ann.hear() is None
        assert (await served.http.get(f"rooms/{ann.code}")).status_code == 503
        store.write = write
        while ann.code not in lobby.rooms:  # the lobby tries every few seconds
            await asyncio.sleep(0.1)
        again = Guest(served, ann.code, ann.token)
        async with guests(served, again):
            await again.until(lambda m: isinstance(m, Update))
            assert again.room is not None and not again.room.places[0].auto, "what could not be kept did not happen"
            assert lobby.rooms[ann.code].table.match.events == kept


@at_a_server()
async def test_a_repeated_answer_is_a_quiet_yes_and_a_stale_one_an_error(served: Served) -> None:
    seat = await served.post("quick", rules="hebei", nickname="Ann", settings={"move_seconds": 0})
    ann = Guest(served, seat["code"], seat["token"])
    async with guests(served, ann):
        asked = await own_turn(ann)
        discards = [action.action for action in asked.prompt.actions if action.kind == "discard"]
        answer = Answer(prompt=asked.prompt.id, action=discards[0])
        for message in (answer, answer, Answer(prompt=asked.prompt.id, action=discards[1]), answer):
            await ann.say(message)
        said = await ann.until(lambda m: isinstance(m, Refused))
        assert (said.code, said.field, said.fatal) == ("answered", "prompt", False)
        await ann.say(Answer(prompt=10**6 + 1, action=0))
        assert (await ann.until(lambda m: isinstance(m, Refused))).code == "no_such_prompt"
        view = ann.update.view if ann.update is not None else None
        assert (
            view is not None
            and sum(tile.tile == asked.view.seats[view.seat].hand[0] for tile in view.seats[view.seat].river) <= 4
        )
        own = [m for m in ann.frames if isinstance(m, Update)]
        mine = [e for m in own for e in m.events if isinstance(e, events.Discard) and e.seat == view.seat]
        assert len(mine) == 1, "one click, one discard"


@at_a_server(between_ms=60_000)
async def test_between_hands_all_say_that_they_have_seen_it(served: Served) -> None:
    people = await room_of(served, 4, options={"hands": 2})
    async with guests(served, *people):
        await all_ready(people)

        async def to_the_end(person: Guest) -> None:
            answered = -1
            while True:
                update = await person.until(lambda m: isinstance(m, Update))
                if update.view.over:
                    return
                if update.prompt is not None and update.prompt.id != answered:
                    answered = update.prompt.id
                    await person.say(Answer(prompt=answered, action=person.choose(update.prompt)))

        await asyncio.gather(*(to_the_end(person) for person in people))
        update = people[0].update
        assert update is not None and 0 < update.clock.next_hand <= 60_000
        assert all(len(seat.hand) == seat.size for seat in update.view.seats), "all hands lie open"
        for person in people[:3]:
            await person.say(Ready(on=True))
        await people[3].until(room_where(lambda room: [p.ready for p in room.places] == [True, True, True, False]))
        await people[3].say(Ready(on=True))
        later = await people[3].until(lambda m: isinstance(m, Update) and m.view.number == 1)
        assert isinstance(later.events[0], events.Hand) and later.events[0].wall == ""


@at_a_server(bot_ms=60_000)
async def test_a_vote_of_all_who_are_there_ends_the_match_and_a_rematch_goes_on(served: Served) -> None:
    ann, bo = await room_of(served, 2, options={"hands": 8})
    async with guests(served, ann, bo):
        await bo.say(Ready(on=True))
        await ann.until(room_where(lambda room: room.places[1].ready))
        await ann.say(Manage(do="start"))
        await ann.until(lambda m: isinstance(m, Update))
        await ann.say(Vote(on=True))
        await bo.until(room_where(lambda room: room.votes == [0]))
        await bo.say(Vote(on=True))
        await ann.until(room_where(lambda room: room.state == "ended"))
        last = [m for m in ann.frames if isinstance(m, Update)][-1]
        assert last.view.reason == "aborted"
        await bo.say(messages.Rematch())
        again = await ann.until(room_where(lambda room: room.state == "waiting"))
        assert again.room.matches == 1 and not again.room.places[0].ready
        await ann.say(Ready(on=True, nonce="x"))
        await bo.say(Ready(on=True, nonce="y"))
        await ann.until(lambda m: isinstance(m, Update))
        assert ann.update is not None and (ann.update.prompt is None or ann.update.prompt.id > 200_000)


@at_a_server()
async def test_auto_play_hints_phrases_and_a_seats_link(served: Served) -> None:
    seat = await served.post("quick", rules="inner_mongolia", nickname="Ann")
    ann = Guest(served, seat["code"], seat["token"])
    watcher = Guest(served, seat["code"])
    async with guests(served, ann, watcher):
        assert watcher.place == -1
        asked = await own_turn(ann)
        await ann.say(messages.Hint(prompt=asked.prompt.id))
        hint = await ann.until(lambda m: isinstance(m, messages.HintGiven))
        assert hint.action in [action.action for action in asked.prompt.actions]
        tiles = {action.tiles[0] for action in asked.prompt.actions if action.kind == "discard"}
        assert {discard.tile for discard in hint.discards} == tiles
        others = hint.discards
        if hint.action < actions.PASS:
            assert parse_mpsz(hint.discards[0].tile) == [hint.action]
            others = hint.discards[1:]
        assert [d.away for d in others] == sorted(d.away for d in others)
        assert any(discard.kinds and discard.copies for discard in hint.discards)
        await ann.say(messages.Say(phrase=2))
        said = await watcher.until(lambda m: isinstance(m, messages.Said))
        assert (said.place, said.phrase) == (0, 2)
        for wrong in (messages.Say(phrase=99), messages.Say(phrase=-1)):
            await ann.say(wrong)
            assert (await ann.until(lambda m: isinstance(m, Refused))).code == "phrase"
        await watcher.say(messages.Say(phrase=1))
        assert (await watcher.until(lambda m: isinstance(m, Refused))).code == "not_seated"
        await ann.say(messages.AskSeat())
        assert (await ann.until(lambda m: isinstance(m, messages.SeatGiven))).token == ann.token
        await ann.say(Auto(on=True))
        await ann.until(room_where(lambda room: room.places[0].auto))
        await ann.say(Auto(on=False))
        await ann.until(room_where(lambda room: not room.places[0].auto or room.state == "ended"))


@at_a_server()
async def test_spectators_and_hints_may_be_forbidden(served: Served) -> None:
    seat = await served.post("quick", rules="hebei", nickname="Ann", settings={"spectators": False, "hints": False})
    ann, watcher = Guest(served, seat["code"], seat["token"]), Guest(served, seat["code"])
    await watcher.open()
    assert (await watcher.hear()).code == "no_spectators" and await watcher.hear() is None
    async with guests(served, ann):
        asked = await ann.until(lambda m: isinstance(m, Update) and m.prompt is not None)
        await ann.say(messages.Hint(prompt=asked.prompt.id))
        assert (await ann.until(lambda m: isinstance(m, Refused))).code == "no_hints"
        assert all(m.view.waits == [] for m in ann.frames if isinstance(m, Update))


@at_a_server()
async def test_calls_by_hand_show_right_and_false_wins_alike(served: Served) -> None:
    people = await room_of(served, 4, rules="hebei", options={"calls": "manual", "hands": 1})
    async with guests(served, *people):
        await all_ready(people)
        await play_all(*people)
        prompts = [m.prompt for person in people for m in person.frames if isinstance(m, Update) and m.prompt]
        for prompt in prompts:
            wins = [action for action in prompt.actions if action.kind in ("draw_win", "claim_win")]
            assert len(wins) <= 1 and all(action.action in (35, 36) for action in prompt.actions if action in wins)
        assert any(isinstance(e, events.FalseWin) for m in people[0].frames if isinstance(m, Update) for e in m.events)


# limits


@at_a_server(hello_seconds=0.2, idle_seconds=0.4)
async def test_silent_sockets_are_closed(served: Served) -> None:
    (ann,) = await room_of(served, 1)
    mute = Guest(served, ann.code)
    mute.socket = await served.socket(ann.code)
    assert (await mute.hear()).code == "hello_first" and await mute.hear() is None
    async with guests(served, ann):
        assert (await ann.until(lambda m: isinstance(m, Refused))).code == "idle"
        assert await ann.hear() is None and ann.closed == 1001


@at_a_server(messages_per_second=1.0, message_burst=5)
async def test_a_flood_is_refused_and_then_cut_off(served: Served) -> None:
    (ann,) = await room_of(served, 1)
    async with guests(served, ann):
        for _ in range(400):
            await ann.say(messages.Ping())
        pongs = refused = 0
        while (message := await ann.hear()) is not None:
            pongs += isinstance(message, messages.Pong)
            refused += isinstance(message, Refused) and message.code == "too_fast"
        assert pongs <= 6 and refused > 100


@at_a_server(sockets_per_minute=5)
async def test_sockets_of_one_address_are_limited(served: Served) -> None:
    (ann,) = await room_of(served, 1, password="pw")
    codes = []
    for _ in range(7):
        stranger = Guest(served, ann.code)
        stranger.socket = await served.socket(ann.code)
        with contextlib.suppress(ConnectionClosed):
            await stranger.say(messages.Hello(protocol=messages.PROTOCOL, password="guess"))
        codes.append((await stranger.hear()).code)
    assert codes == ["password"] * 5 + ["too_many"] * 2


@at_a_server()
async def test_a_socket_from_another_site_is_refused(served: Served) -> None:
    (ann,) = await room_of(served, 1)
    for origin, fine in (
        (f"{served.base.removesuffix('/api')}", True),
        ("https://evil.example", False),
        ("null", False),
    ):
        guest = Guest(served, ann.code, ann.token)
        guest.socket = await served.socket(ann.code, additional_headers={"origin": origin})
        if fine:
            await guest.say(messages.Hello(protocol=messages.PROTOCOL, token=ann.token))
        first = await guest.hear()
        assert isinstance(first, Welcome) if fine else first.code == "origin"
        await guest.close()


@at_a_server(room_idle_seconds=0.0)
async def test_rooms_are_freed_when_nobody_is_there(served: Served) -> None:
    people = await room_of(served, 2)
    lobby = served.server.lobby
    async with guests(served, people[0]):
        lobby.free_idle()
        assert people[0].code in lobby.rooms
    await asyncio.sleep(0.05)
    lobby.free_idle()
    assert lobby.rooms == {} and (await served.http.get(f"rooms/{people[0].code}")).status_code == 404


def test_settings_have_one_default_everywhere() -> None:
    assert msgspec.json.decode(b"{}", type=messages.Settings) == messages.Settings()


@at_a_server()
async def test_another_person_is_host_when_the_host_is_gone_for_long(served: Served) -> None:
    ann, bo = await room_of(served, 2)
    async with guests(served, ann, bo):
        assert ann.socket is not None
        await ann.socket.close()
        await bo.until(room_where(lambda room: not room.places[0].connected))
        room = served.server.lobby.rooms[ann.code]
        room.pass_on()
        assert room.data.host == 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("hongzhong.server.rooms.HOSTLESS_SECONDS", -1.0)
            room.pass_on()
        await bo.until(room_where(lambda room: room.places[1].host))


@at_a_server()
async def test_a_fault_of_ours_ends_one_socket_and_nothing_else(served: Served) -> None:
    ann, bo = await room_of(served, 2)
    async with guests(served, ann, bo):
        with pytest.MonkeyPatch.context() as patch:

            def fault(*_: Any) -> None:
                raise KeyError("a fault")

            patch.setattr("hongzhong.server.play._vote", fault)
            await ann.say(Vote(on=True))
            while await ann.hear() is not None:
                pass
        await bo.until(room_where(lambda room: not room.places[0].connected))
        again = Guest(served, ann.code, ann.token)
        async with guests(served, again):
            assert again.place == 0


@at_a_server(bot_ms=60_000)
async def test_a_table_that_fails_goes_on_from_what_was_kept(served: Served) -> None:
    seat = await served.post("quick", rules="hebei", nickname="Ann", settings={"move_seconds": 0})
    lobby = served.server.lobby
    ann = Guest(served, seat["code"], seat["token"])
    async with guests(served, ann):
        await ann.until(lambda m: isinstance(m, Update))
        kept = lobby.rooms[ann.code].table.match.events[:]
        with pytest.MonkeyPatch.context() as patch:

            def fault(*_: Any) -> None:
                raise KeyError("a fault")

            patch.setattr(lobby.rooms[ann.code].table, "tick", fault)
            await ann.say(Auto(on=True))
            assert (await ann.until(lambda m: isinstance(m, Refused))).code == "storage"
        while ann.code not in lobby.rooms:
            await asyncio.sleep(0.1)
        again = Guest(served, ann.code, ann.token)
        async with guests(served, again):
            await again.until(lambda m: isinstance(m, Update))
            assert lobby.rooms[ann.code].table.match.events == kept
