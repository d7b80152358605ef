"""Malformed, stale, duplicate, out-of-turn and oversized messages: a clear error each, no crash, no change, other tables unaffected."""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections import Counter
from typing import Any

import msgspec
import pytest

from hongzhong import actions
from hongzhong.server import messages
from hongzhong.server.messages import Manage, Ready, Refused, RoomChanged, Update
from tests.serving import Guest, Served, at_a_server, guests, room_of

MESSAGES = int(os.environ.get("HONGZHONG_FUZZ", "100000"))
"""100,000 for the whole run; see CONTRIBUTING.md."""

HELLO = {"type": "hello", "protocol": messages.PROTOCOL, "token": "", "nonce": "", "password": ""}
SOUND: list[dict[str, Any]] = [
    {"type": "answer", "prompt": 1, "action": 0},
    {"type": "auto", "on": False},
    {"type": "say", "phrase": 1},
    {"type": "vote", "on": False},
    {"type": "ask_hint", "prompt": 3},
    {"type": "manage", "do": "swap", "place": 0, "other": 1},
    {"type": "ready", "on": True, "nonce": "x"},
]
STRANGE: list[Any] = [
    None, True, -1, 0, 144, 2**31, 2**63, -(2**64), 1e308, "", "x" * 3000, "\u202e", "\ud83d\ude00", [], {}, [[[[]]]], {"a": {"b": []}},
]  # fmt: skip


class Storm:
    """Makes messages that must change nothing, from a seat that knows its own prompts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.old: list[dict[str, Any]] = []

    def text(self, prompt: int, asked: bool) -> str:
        """``prompt``: the open prompt, or one that never was; ``asked``: whether it is open."""
        pick = self.random
        kind = pick.randrange(9)
        if kind == 0:  # no JSON at all
            return pick.choice(["", "{", "nul", "\x00", "[1,2", '{"type":', "\ufffd" * 40, "[" * 1500, '{"a":' * 400])
        if kind == 1:  # JSON that is no message
            return json.dumps(
                pick.choice([*STRANGE, {"type": pick.choice(STRANGE)}, {"type": "update"}, {"type": "welcome"}])
            )
        if kind == 2:  # one field is strange
            message = dict(pick.choice(SOUND))
            message[pick.choice(list(message))] = pick.choice(STRANGE)
            return self._harmless(message, prompt)
        if kind == 3:  # a surplus field, or one is missing
            message = dict(pick.choice(SOUND)) | {pick.choice("abc"): pick.choice(STRANGE)}
            return json.dumps(message)
        if kind == 4:  # too large
            return json.dumps({"type": "say", "phrase": 1, "pad": "x" * pick.randint(4096, 9000)})
        if kind == 5:  # hello again, with anything in it
            return json.dumps(HELLO | {pick.choice(list(HELLO)): pick.choice(["", "x" * 100, messages.PROTOCOL])})
        if kind == 6:  # an answer to no prompt of this seat
            return json.dumps(
                {"type": "answer", "prompt": prompt + pick.choice([1, 2, 99, 10**6]), "action": pick.randrange(144)}
            )
        if kind == 7:  # not legal, or out of turn
            action = pick.choice([-5, 34 if asked else 3, 143, 144, 75, 10**9])
            return json.dumps({"type": "answer", "prompt": prompt if action != 34 else prompt + 5, "action": action})
        others = [*range(4, 9), -2]
        manage = {
            "type": "manage",
            "do": pick.choice(["swap", "remove", "bot", "hand_over", "start"]),
            "place": pick.choice(others),
        }
        return json.dumps(manage)

    def _harmless(self, message: dict[str, Any], prompt: int) -> str:
        """What strangeness happens to make a message that means something is left out."""
        try:
            read = msgspec.json.decode(json.dumps(message), type=messages.ClientMessage)
        except (msgspec.DecodeError, UnicodeEncodeError):
            return json.dumps(message)
        if isinstance(read, messages.Answer) and read.prompt != prompt:
            return json.dumps(message)
        return "{}"


async def storm(served: Served, people: list[Guest], other: list[Guest], count: int, seed: int) -> Counter[str]:
    """Everybody at the first table sends rubbish; the codes of what came back."""
    room = served.server.lobby.rooms[people[0].code]
    table, before = room.table, picture(room)
    codes: Counter[str] = Counter()
    aside = served.server.lobby.rooms[other[0].code]
    elsewhere = picture(aside)

    async def send(person: Guest, number: int) -> None:
        weather = Storm(seed * 10 + number)
        seat = room.data.seat_of[person.place]
        for first in range(0, count // len(people), 50):
            for _ in range(min(50, count // len(people) - first)):
                asked = table.asked.get(seat)
                await person.say(weather.text(asked.id if asked is not None else 10**7, asked is not None))
            await person.say(messages.Ping())
            while not isinstance(message := await person.hear(), messages.Pong):
                assert isinstance(message, Refused), f"{type(message).__name__} for rubbish"
                assert message.zh and message.en and not message.fatal and "Traceback" not in message.en
                codes[message.code] += 1

    await asyncio.gather(*(send(person, number) for number, person in enumerate(people)))
    await room.line.flush()
    assert picture(room) == before and picture(aside) == elsewhere
    return codes


def picture(room: Any) -> Any:
    """All of a room and its table."""
    table = room.table
    return (
        msgspec.json.encode(room.data), table.seq, table.bank, table.auto, table.last_at, room.live.kept,
        {seat: (asked.id, asked.prompt, asked.since) for seat, asked in table.asked.items()},
        [table.views[seat] for seat in range(4)], len(table.match.events),
    )  # fmt: skip


async def begun(served: Served, rules: str) -> list[Guest]:
    """Four persons at a table in play, all of whom have heard everything."""
    people = await room_of(served, 4, rules=rules, settings={"move_seconds": 0})
    for person in people:
        await person.open()
    for person in people[1:]:
        await person.say(Ready(on=True))
    await people[0].until(lambda m: isinstance(m, RoomChanged) and all(place.ready for place in m.room.places[1:]))
    await people[0].say(Manage(do="start"))
    for person in people:
        await person.until(lambda message: isinstance(message, Update))
        await person.say(messages.Ping())
        await person.until(lambda message: isinstance(message, messages.Pong))
    return people


async def rubbish(served: Served, count: int) -> Counter[str]:
    people, other = await begun(served, "hebei"), await begun(served, "qiqihar")
    codes: Counter[str] = Counter()
    for seed in range(3):  # at the beginning of the hand and further on
        codes += await storm(served, people, other, count // 3, seed)
        await go_on(served, people, 8)
    await asyncio.gather(*(person.play() for person in other))
    assert other[0].room is not None and other[0].room.state == "ended"
    return codes


async def go_on(served: Served, people: list[Guest], answers: int) -> None:
    """A few sound answers between; then everybody hears everything."""
    room = served.server.lobby.rooms[people[0].code]
    for _ in range(answers):
        seat, asked = next(iter(room.table.asked.items()))
        person = people[room.data.seat_of.index(seat)]
        action = actions.PASS if asked.prompt.kind != "turn" else asked.prompt.actions[0]
        await person.say(messages.Answer(prompt=asked.id, action=action))
        await person.until(lambda message: isinstance(message, Update))
    await room.line.flush()
    for person in people:
        await person.say(messages.Ping())
        await person.until(lambda message: isinstance(message, messages.Pong))


@at_a_server(messages_per_second=1e9, message_burst=10**9, timeout=570.0)
async def test_rubbish_is_refused_with_a_clear_error_and_changes_nothing(served: Served) -> None:
    codes = await rubbish(served, MESSAGES)
    print(dict(codes))
    assert sum(codes.values()) >= MESSAGES * 0.95
    assert {
        "not_json",
        "too_large",
        "hello_twice",
        "no_such_prompt",
        "illegal",
        "no_such_place",
        "not_host",
    } <= codes.keys()


@at_a_server()
async def test_bytes_that_are_no_text_and_frames_that_are_huge(served: Served) -> None:
    people, other = await room_of(served, 1), await room_of(served, 1)
    async with guests(served, *people, *other):
        assert people[0].socket is not None
        await people[0].socket.send(b"\xff\xfe\x00")
        assert (await people[0].until(lambda m: isinstance(m, Refused))).code == "not_json"
        await people[0].socket.send("x" * 10_000)
        assert (await people[0].until(lambda m: isinstance(m, Refused))).code == "too_large"
        await people[0].socket.send("x" * 200_000)  # cut off by the server before it is read
        while await people[0].hear() is not None:
            pass
        assert people[0].closed == 1009
        await other[0].say(messages.Ping())
        await other[0].until(lambda m: isinstance(m, messages.Pong))


@pytest.mark.parametrize("first", ['{"type":"answer","prompt":1,"action":0}', "{}", "x", '{"type":"ping"}'])
def test_nothing_is_heard_before_hello(first: str, tmp_path: Any) -> None:
    @at_a_server()
    async def inside(served: Served) -> None:
        (ann,) = await room_of(served, 1)
        ann.socket = await served.socket(ann.code)
        await ann.say(first)
        said = await ann.hear()
        assert isinstance(said, Refused) and said.code in ("hello_first", "not_json")

    inside(tmp_path)
