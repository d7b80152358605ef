"""Every frame that a seat or a spectator is sent, on every path, holds no tile that it cannot know; timing tells nothing either."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from hongzhong import events
from hongzhong.server import messages
from hongzhong.server.messages import Answer, Manage, Refused, RoomChanged, Update, Welcome
from hongzhong.tiles import KIND_NAMES
from hongzhong.view import View
from tests.serving import Guest, Served, all_ready, at_a_server, room_of

TILE = re.compile(r"\d[mspz]|[1-9?]+[mspz]")
NO_TILES = {
    "code",
    "name",
    "rules",
    "token",
    "bot",
    "zh",
    "en",
    "version",
    "commitment",
    "record",
    "summary_zh",
    "summary_en",
}
"""Fields of text that players or the server made up."""


class Audit:
    """Follows one seat (-1: a spectator) through its own frames alone and says what it may know by then."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.frames = 0
        self.seen: list[events.Event] = []
        self._view: View | None = None
        self._folded = 0

    def check(self, raw: str, rules: Any, truth: list[events.Event]) -> None:
        """``truth``: what the seat may know so far and the fold of it; the frame must say nothing else."""
        frame = msgspec.json.decode(raw)
        self.frames += 1
        assert "wall" not in keys(frame) or all(not wall for wall in values(frame, "wall"))
        kind = frame["type"]
        if kind == "update":
            self.seen = truth[: frame["seq"]]
        assert "secret" not in keys(frame) or truth_is_over(self.seen), "a secret before the end"
        if kind == "update":
            self._update(frame, rules, self.seen)
        elif kind == "hint":
            view = self._fold(rules)
            own = {KIND_NAMES[tile] for tile in view.hand}
            assert {discard["tile"] for discard in frame["discards"]} <= own
        else:
            loose = [text for text in texts(frame) if TILE.fullmatch(text)]
            assert not loose, f"{kind} holds tiles: {loose}"

    def _fold(self, rules: Any) -> View:
        """The fold of what the seat has seen, from where it was left."""
        if self._view is None or self._folded > len(self.seen):
            self._view, self._folded = View.start(rules, self.seat), 0
        for event in self.seen[self._folded :]:
            self._view.apply(event)
        self._folded = len(self.seen)
        return self._view

    def _update(self, frame: dict[str, Any], rules: Any, seen: list[events.Event]) -> None:
        told = [msgspec.convert(event, events.AnyEvent) for event in frame["events"]]
        assert told == seen[len(seen) - len(told) :] if told else True, "an event that is not the seat's own mask"
        view, shown = self._fold(rules), frame["view"]
        assert shown["seat"] == self.seat
        open_hands = view.hands is not None
        for owner, seat in enumerate(shown["seats"]):
            hand = view.hands[owner] if view.hands is not None else view.hand if owner == self.seat else []
            assert seat["hand"] == [KIND_NAMES[tile] for tile in hand], (owner, open_hands)
            assert seat["size"] == view.sizes[owner]
            assert [tile["tile"] for tile in seat["river"]] == [KIND_NAMES[tile] for tile, _ in view.rivers[owner]]
            for meld, laid in zip(seat["melds"], view.melds[owner], strict=True):
                assert sorted(meld["tiles"]) == sorted(
                    "?" if t < 0 or t > 33 else KIND_NAMES[t] for t in kinds_of(laid)
                )
        assert shown["drawn"] == (None if view.drawn is None else KIND_NAMES[view.drawn])
        assert shown["remaining"] == view.remaining
        prompt = frame["prompt"]
        if prompt is not None:
            last = view.last_discard
            assert self.seat >= 0
            assert prompt["kind"] != "turn" or view.turn == self.seat
            assert prompt["kind"] != "claim" or (last is not None and prompt["tile"] == KIND_NAMES[last[1]])
        own = {KIND_NAMES[tile] for tile in range(34)} if self.seat >= 0 else set()
        assert {wait["tile"] for wait in shown["waits"]} <= own
        assert frame["clock"]["thinking"] in ([], [view.turn])


def kinds_of(laid: Any) -> list[int]:
    from hongzhong.tiles import UNKNOWN

    return [UNKNOWN] * 4 if laid.meld.kind == UNKNOWN else list(laid.meld.kinds())


def truth_is_over(truth: list[events.Event]) -> bool:
    return any(isinstance(event, events.Result) for event in truth)


def keys(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*(keys(inner) for inner in value.values()))
    return set().union(*(keys(inner) for inner in value)) if isinstance(value, list) else set()


def values(value: Any, key: str) -> Iterator[Any]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield inner
            yield from values(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from values(inner, key)


def texts(value: Any) -> Iterator[str]:
    """Every text but in fields that hold no tiles."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in NO_TILES:
                yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


class Restless(Guest):
    """Now and then loses its connection, opens a second tab, says nonsense, asks for a hint, repeats an answer."""

    resumed = wrong = 0

    def choose(self, prompt: messages.Prompt) -> int:
        """Seldom a win, so that hands last, and false ones do not end them at once."""
        others = [action.action for action in prompt.actions if not action.kind.endswith("_win")]
        return self.random.choice(others) if others and self.random.random() < 0.9 else super().choose(prompt)

    async def play(self) -> None:
        answered = -1
        while True:
            message = await self.hear()
            assert message is not None, f"closed with {self.closed}"
            if isinstance(message, RoomChanged | Welcome) and message.room.state == "ended":
                return
            if isinstance(message, Refused):
                self.wrong += 1
            if not isinstance(message, Update) or message.prompt is None or message.prompt.id == answered:
                continue
            chance = self.random.random()
            if chance < 0.05:
                await self.say(messages.Hint(prompt=message.prompt.id))
            elif chance < 0.10:
                await self.say(Answer(prompt=message.prompt.id, action=143))
            elif chance < 0.13:
                await self.say("{not json")
            elif chance < 0.18:
                assert self.socket is not None
                await self.socket.close()
            if 0.13 <= chance < 0.21:
                await self.open()  # the old tab, if still there, is told; this one goes on
                self.resumed += 1
                continue
            answered = message.prompt.id
            answer = Answer(prompt=answered, action=self.choose(message.prompt))
            await self.say(answer)
            if chance > 0.95:
                await self.say(answer)


async def audited(served: Served, seed: int, name: str, options: dict[str, Any]) -> tuple[int, int]:
    """Plays a room of four restless people and a spectator who comes in the middle; the frames looked at, and how often somebody came back."""
    hosts = await room_of(served, 4, rules=name, options=options, settings={"move_seconds": 0})
    people = [Restless(served, guest.code, guest.token, seed * 10 + place) for place, guest in enumerate(hosts)]
    watcher = Guest(served, people[0].code)
    for guest in people:
        await guest.open()
        await guest.until(lambda message: isinstance(message, Welcome))
    await all_ready(people)  # type: ignore[arg-type]
    await people[3].until(lambda message: isinstance(message, RoomChanged) and message.room.state == "playing")
    room = served.server.lobby.rooms[people[0].code]
    match, rules, seats = room.table.match, room.rules, list(room.data.seat_of)
    await watcher.open()
    await asyncio.gather(*(person.play() for person in people), watcher.play())
    looked = 0
    everybody: list[Guest] = [*people, watcher]
    for person in everybody:
        seat = events.SPECTATOR if person is watcher else seats[person.place]
        audit, truth = Audit(seat), match.seen(seat)
        for raw in person.raw:
            audit.check(raw, rules, truth)
        looked += audit.frames
        await person.close()
    return looked, sum(person.resumed for person in people)


CASES: list[tuple[str, dict[str, Any]]] = [
    ("qiqihar", {"hands": 2}),
    ("inner_mongolia", {"hands": 2, "concealed_kong_visible": False}),
    ("hebei", {"hands": 2, "calls": "manual"}),
    ("hebei_108", {"hands": 2, "rob_kong": True}),
]


@at_a_server(timeout=120.0)
async def test_no_frame_holds_what_the_seat_cannot_know(served: Served) -> None:
    await audit_many(served, 8)


@pytest.mark.slow
@at_a_server(timeout=1500.0)
async def test_no_frame_of_hundreds_of_tables_does(served: Served) -> None:
    await audit_many(served, int(os.environ.get("HONGZHONG_AUDIT_TABLES", "100")))


async def audit_many(served: Served, tables: int) -> None:
    looked = resumed = 0
    for first in range(0, tables, 4):
        rooms = [audited(served, seed, *CASES[seed % len(CASES)]) for seed in range(first, min(first + 4, tables))]
        for frames, times in await asyncio.gather(*rooms):
            looked, resumed = looked + frames, resumed + times
    print(f"{tables} tables, {looked} frames, {resumed} times back")
    assert looked > tables * 300 and resumed > tables * 2


def test_the_audit_sees_a_leak() -> None:
    """An audit that could not fail would be none."""
    from hongzhong import rules
    from hongzhong.match import Match
    from hongzhong.server.present import update
    from hongzhong.table import Pace, Table

    match = Match(rules.load("hebei"), seed=3)
    table = Table(match, (), Pace())
    honest = msgspec.json.encode(update(table, 1, 0, 0, hints=True)).decode()
    Audit(1).check(honest, match.rules, match.seen(1))
    leaks = {
        "a deal": honest.replace("???", "123", 1),
        "a wall": honest.replace('"type":"hand"', '"type":"hand","wall":"1m"'),
        "a hand": honest.replace('"hand":[]', '"hand":["1m"]', 1),
        "a view": honest.replace('"view":{"seat":1', '"view":{"seat":2'),
    }
    for leak in leaks.values():
        assert leak != honest
        with pytest.raises((AssertionError, msgspec.ValidationError)):
            Audit(1).check(leak, match.rules, match.seen(1))
    room_with_a_tile = msgspec.json.encode({"type": "room", "room": {"code": "1m", "hint": "5z"}}).decode()
    with pytest.raises(AssertionError, match="holds tiles"):
        Audit(1).check(room_with_a_tile, match.rules, [])


# time


@at_a_server(hold_ms=120)
async def test_the_time_from_a_discard_to_the_next_draw_does_not_tell_who_could_claim(served: Served) -> None:
    """Over real sockets, everybody passes at once: the waits after discards with and without a claim are alike."""
    waits: dict[bool, list[float]] = {True: [], False: []}
    people = await room_of(served, 4, rules="inner_mongolia", settings={"move_seconds": 0}, options={"hands": 2})
    clock = asyncio.get_running_loop()
    claimable: set[int] = set()

    async def play(person: Guest) -> None:
        answered, lay, number = -1, 0.0, -1
        while (message := await person.hear()) is not None:
            if isinstance(message, RoomChanged) and message.room.state == "ended":
                return
            if not isinstance(message, Update):
                continue
            for place, event in enumerate(message.events, message.seq - len(message.events)):
                if isinstance(event, events.Discard):
                    lay, number = clock.time(), place
                elif isinstance(event, events.Draw) and number >= 0:
                    waits[number in claimable].append(clock.time() - lay) if person is people[0] else None
                    number = -1
            prompt = message.prompt
            if prompt is not None and prompt.id != answered:
                answered = prompt.id
                if prompt.kind == "claim":
                    claimable.add(message.seq - 1)
                await person.say(
                    Answer(prompt=prompt.id, action=34 if prompt.kind != "turn" else prompt.actions[0].action)
                )

    for person in people:
        await person.open()
        await person.until(lambda message: isinstance(message, Welcome))
    await all_ready(people)
    await asyncio.gather(*(play(person) for person in people))
    with_claim, without = sorted(waits[True]), sorted(waits[False])
    assert len(with_claim) > 8 and len(without) > 8
    middle = [found[len(found) // 2] for found in (with_claim, without)]
    assert min(middle) > 0.1 and abs(middle[0] - middle[1]) < 0.03, middle


@at_a_server(bot_ms=60_000)
async def test_a_stranger_with_a_room_code_sees_nothing_but_what_is_public(served: Served) -> None:
    (ann,) = await room_of(served, 1, password="pw")
    stranger = Guest(served, ann.code)
    await stranger.open()
    refused = await stranger.hear()
    assert isinstance(refused, Refused) and refused.code == "password" and await stranger.hear() is None
    await ann.open()
    await ann.say(Manage(do="start"))
    await ann.until(lambda message: isinstance(message, Update))
    card = (await served.http.get(f"rooms/{ann.code}")).text
    assert ann.token not in card and "secret" not in card
    for raw in ann.raw:
        assert ann.token not in raw and served.server.lobby.rooms[ann.code].data.secret not in raw
