"""The live table under a clock of our own: prompts, holding, clocks, auto-play, people who go and come, and what is resumed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import pytest

from hongzhong import actions, bots, events, rules
from hongzhong.match import Match
from hongzhong.round import IllegalAction, Prompt
from hongzhong.table import WATCHED, Pace, StaleAnswer, Table
from hongzhong.table.entries import EntryError
from hongzhong.table.prompts import auto_prompt

SHEETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")


def match_of(name: str = "qiqihar", seed: int = 1, **options: Any) -> Match:
    return Match(rules.load(name, {"hands": 2} | options), seed=seed)


class Evening:
    """A table and a clock that stops wherever something is due; ``late``: most milliseconds that a timer comes late."""

    def __init__(self, table: Table, seed: int = 0, *, late: int = 0, bot: str = "random") -> None:
        self.table = table
        self.random = random.Random(seed)
        self.late = late
        self.now = 0
        self.entries: list[bytes] = []
        self.shown: list[tuple[int, events.Event]] = []
        self._seen = 0
        self._bots = {seat: bots.make(bot, seed + seat) for seat in range(4)}
        self._told = dict.fromkeys(range(4), 0)
        for seat, player in self._bots.items():
            player.start(table.match.rules, seat)
        for seat in table.persons:
            table.arrive(seat, True, 0)
        self.look()

    def look(self) -> None:
        """Takes what is to be written and notes when each event was first shown to the seats."""
        self.entries += self.table.take_entries()
        self.shown += [(self.now, event) for event in self.table.since(events.SPECTATOR, self._seen)]
        self._seen = self.table.seq[events.SPECTATOR]

    def bots_answer(self) -> bool:
        answered = False
        for question in self.table.questions(self.now):
            seat = question.seat
            for event in self.table.since(seat, self._told[seat]):
                self._bots[seat].see(event)
            self._told[seat] = self.table.seq[seat]
            action = self._bots[seat].choose(question.prompt)
            self.table.answer(question.seat, question.id, action, self.now)
            self.look()
            answered = True
        return answered

    def wait(self, until: int) -> None:
        """Lets the time go on, with all that is due and all that bots answer."""
        while True:
            while self.bots_answer():
                pass
            due = self.table.due(self.now)
            if due is None or due > until:
                break
            self.now = due + self.random.randint(0, self.late)
            self.table.tick(self.now)
            self.look()
        self.now = max(self.now, until)

    def person(self) -> tuple[int, Any] | None:
        """A person who is asked, and the prompt."""
        machine = {question.seat for question in self.table.questions(self.now)}
        asked = [
            (seat, a) for seat, a in self.table.asked.items() if seat in self.table.persons and seat not in machine
        ]
        return self.random.choice(asked) if asked else None

    def answer(self, seat: int, action: int | None = None) -> None:
        asked = self.table.asked[seat]
        chosen = self.random.choice(asked.prompt.actions) if action is None else action
        self.table.answer(seat, asked.id, chosen, self.now)
        self.look()

    def play(self, think: Callable[[], int] = lambda: 0, stop: Callable[[], bool] = lambda: False) -> None:
        """Persons answer after ``think()`` milliseconds each, until the match is over."""
        for _ in range(20_000):
            if self.table.over or stop():
                return
            asked = self.person()
            if asked is not None:
                self.wait(self.now + think())
                if asked[0] in self.table.asked and self.table.asked[asked[0]] is asked[1]:
                    self.answer(asked[0])
            elif self.table.between and self.table.present - self.table.auto:
                for seat in list(self.table.present):
                    self.table.go_on(seat, self.now)
                self.look()
            elif not self.bots_answer():
                due = self.table.due(self.now)
                assert due is not None, "nothing is due and nobody is asked"
                self.wait(due)
        raise AssertionError("the match does not end")


def prompt_of(evening: Evening, wanted: Callable[[int, Prompt], bool], **play: Any) -> tuple[int, Any]:
    """Plays up to a prompt of a person for which ``wanted`` holds."""

    def there() -> bool:
        return any(wanted(seat, asked.prompt) for seat, asked in evening.table.asked.items())

    evening.play(stop=there, **play)
    return next((seat, asked) for seat, asked in evening.table.asked.items() if wanted(seat, asked.prompt))


# what is seen


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("persons", [(), (0,), (1, 3), (0, 1, 2, 3)], ids=str)
def test_any_mix_of_persons_and_bots_plays_to_the_end(name: str, persons: tuple[int, ...]) -> None:
    match = match_of(name)
    table = Table(match, persons, Pace(hold=900, bot=300))
    evening = Evening(table)
    evening.play()
    assert table.over and [event for _, event in evening.shown] == match.seen(events.SPECTATOR)
    for seat in WATCHED:
        assert table.views[seat] == match.round.view(seat)
        assert table.seq[seat] == len(match.seen(seat))


def test_a_view_is_never_ahead_of_what_was_shown() -> None:
    """While a discard lies, the next seat's draw is hidden from everybody, the drawer among them."""
    table = Table(match_of(), range(4), Pace(hold=900))
    evening = Evening(table)
    held = 0
    while not table.over:
        asked = evening.person()
        if asked is not None:
            evening.answer(asked[0])
        if len(table.match.seen(events.SPECTATOR)) > table.seq[events.SPECTATOR]:
            held += 1
            assert all(table.views[seat].last_discard is not None for seat in WATCHED)
            assert not table.thinking()
        due = table.due(evening.now)
        evening.wait(evening.now if due is None else due)
    assert held > 50


# holding: timing tells nothing


def test_every_discard_lies_as_long_whether_or_not_it_may_be_claimed() -> None:
    """Persons answer claims at once or late within the hold; what follows a discard comes at the same time."""
    waited: dict[bool, set[int]] = {True: set(), False: set()}
    for seed in range(6):
        for name in SHEETS:
            table = Table(match_of(name, seed), range(4), Pace(hold=1000, move=20_000, bank=20_000))
            evening = Evening(table, seed)
            asked_at: dict[int, bool] = {}

            def note(table: Table = table, asked_at: dict[int, bool] = asked_at) -> bool:
                if any(asked.prompt.kind == "claim" for asked in table.asked.values()):
                    asked_at[table.seq[events.SPECTATOR]] = True
                return False

            pick = random.Random(seed)
            evening.play(lambda pick=pick: pick.choice((0, 10, 200, 300)), note)  # type: ignore[misc]
            times = evening.shown
            for place, ((at, event), (then, _)) in enumerate(pairwise(times), 1):
                if isinstance(event, events.Discard):
                    waited[asked_at.get(place, False)].add(then - at)
    assert waited == {True: {1000}, False: {1000}}


def test_nobody_else_learns_that_a_claim_was_answered() -> None:
    table = Table(match_of("inner_mongolia"), range(4), Pace(hold=500))
    evening = Evening(table)
    alone = 0
    while not table.over:
        asked = evening.person()
        if asked is None:
            due = table.due(evening.now)
            assert due is not None
            evening.wait(due)
            continue
        table.take_changed()
        kind, others = asked[1].prompt.kind, table.asked.keys() - {asked[0]}
        evening.answer(asked[0])
        if kind == "claim" and (others or evening.now < table.due(evening.now - 1)):  # type: ignore[operator]
            assert table.take_changed() == {asked[0]}
            alone += 1
    assert alone > 20


def test_prompt_ids_of_a_seat_do_not_count_those_of_others() -> None:
    table = Table(match_of("inner_mongolia"), range(4), Pace(), first_prompt=1000)
    evening = Evening(table)
    met: dict[int, list[int]] = {seat: [] for seat in range(4)}
    while (asked := evening.person()) is not None:
        met[asked[0]].append(asked[1].id)
        evening.answer(asked[0])
    for ids in met.values():
        assert ids == list(range(1000, 1000 + len(ids)))


# answers


def test_all_answers_are_collected_and_a_repeated_one_is_a_quiet_yes() -> None:
    def two_asked(_: int, prompt: Prompt) -> bool:
        return prompt.kind == "claim" and len(table.asked) > 1

    for seed in range(40):
        table = Table(match_of("inner_mongolia", seed), range(4), Pace())
        evening = Evening(table, seed)
        evening.play(stop=lambda: any(two_asked(s, a.prompt) for s, a in table.asked.items()))  # noqa: B023
        if not table.over:
            break
    first, second = list(table.asked)[:2]
    asked, before = table.asked[first], table.seq[0]
    assert table.answer(first, asked.id, actions.PASS, 5)
    entries = table.take_entries()
    assert len(entries) == 1 and table.seq[0] == before and second in table.asked
    assert not table.answer(first, asked.id, actions.PASS, 6)
    assert table.take_entries() == []
    with pytest.raises(StaleAnswer, match="answered prompt") as told:
        table.answer(first, asked.id, actions.PUNG, 7)
    assert told.value.code == "answered"
    for seat in list(table.asked):
        table.answer(seat, table.asked[seat].id, actions.PASS, 8)
    assert not table.answer(first, asked.id, actions.PASS, 9), "simultaneous answers are not refused"
    with pytest.raises(StaleAnswer) as told:
        table.answer(first, asked.id + 100, actions.PASS, 9)
    assert told.value.code == "no_such_prompt"


@pytest.mark.parametrize("action", [-1, 33, 41, 143, 144, 10**9])
def test_an_illegal_answer_changes_nothing(action: int) -> None:
    table = Table(match_of(), range(4), Pace())
    evening = Evening(table)
    seat, asked = prompt_of(evening, lambda _, prompt: prompt.kind == "turn" and action not in prompt.actions)
    with pytest.raises(IllegalAction, match="it may answer"):
        table.answer(seat, asked.id, action, 1)
    assert table.asked[seat] is asked and not table.take_entries()


# clocks


CLOCKS = Pace(hold=1000, bot=100, move=10_000, bank=5_000, between=8_000)


def test_an_own_turn_has_the_move_time_and_then_the_bank() -> None:
    table = Table(match_of(), range(4), CLOCKS)
    evening = Evening(table)
    seat, _ = prompt_of(evening, lambda _, prompt: prompt.kind == "turn")
    begun = table.asked[seat].since
    assert table.left(seat, begun) == (15_000, 10_000)
    assert table.left(seat, begun + 12_000) == (3_000, 0)
    assert table.bank_left(seat, begun + 12_000) == 3_000
    evening.wait(begun + 12_000)
    evening.answer(seat, next(a for a in table.asked[seat].prompt.actions if a < 34))
    assert table.bank[seat] == 3_000
    assert [table.bank[other] for other in range(4) if other != seat] == [5_000] * 3


def test_a_claim_has_the_move_time_and_shows_on_no_clock() -> None:
    table = Table(match_of("inner_mongolia"), range(4), CLOCKS)
    evening = Evening(table)
    seat, asked = prompt_of(evening, lambda _, prompt: prompt.kind == "claim")
    assert table.left(seat, asked.since) == (10_000, 10_000)
    evening.wait(asked.since + 9_999)
    assert table.asked[seat] is asked and not table.thinking()
    assert [table.bank_left(s, evening.now) for s in range(4)] == [table.bank_left(s, asked.since) for s in range(4)]
    evening.wait(asked.since + 10_000)
    assert seat not in table.asked or table.asked[seat] is not asked
    assert seat not in table.auto, "that would tell who could have claimed"
    with pytest.raises(StaleAnswer) as told:
        table.answer(seat, asked.id, actions.PASS, evening.now)
    assert told.value.code == "too_late"


def test_the_bank_is_full_again_at_every_hand() -> None:
    table = Table(match_of(), range(4), CLOCKS)
    evening = Evening(table)
    seat, asked = prompt_of(evening, lambda _, prompt: prompt.kind == "turn")
    evening.wait(asked.since + 14_000)
    evening.answer(seat, next(a for a in asked.prompt.actions if a < 34))
    assert table.bank[seat] == 1_000
    evening.play(stop=lambda: table.between)
    evening.wait(evening.now + 8_000)
    assert table.views[0].number == 1 and table.bank == [5_000] * 4


def test_a_timer_that_comes_late_takes_no_time_from_anybody() -> None:
    punctual, late = (Evening(Table(match_of("hebei"), range(4), CLOCKS), late=lateness) for lateness in (0, 400))
    for evening in (punctual, late):
        seat, asked = prompt_of(evening, lambda _, prompt: prompt.kind == "turn")
        evening.answer(seat, next(a for a in asked.prompt.actions if a < 34))
        while not evening.table.asked:
            evening.wait(evening.table.due(evening.now) or 0)
    assert [a.since for a in punctual.table.asked.values()] == [a.since for a in late.table.asked.values()]


# auto-play


def test_when_the_time_is_up_auto_play_goes_on_until_one_tap() -> None:
    table = Table(match_of(), range(4), CLOCKS)
    evening = Evening(table)
    seat, asked = prompt_of(evening, lambda _, prompt: prompt.kind == "turn")
    evening.wait(asked.since + 15_000)
    assert seat in table.auto and seat not in table.asked
    with pytest.raises(StaleAnswer) as told:
        table.answer(seat, asked.id, 0, evening.now)
    assert told.value.code == "too_late"
    table.set_auto(seat, False, evening.now)
    assert seat not in table.auto
    again, later = prompt_of(evening, lambda s, prompt: s == seat and prompt.kind == "turn")
    evening.wait(later.since + 9_000)
    assert table.asked[again] is later, "the hand is the person's again"


class Asleep(Evening):
    """Counts the wins that auto-play is offered and takes."""

    wins = 0

    def bots_answer(self) -> bool:
        for question in self.table.questions(self.now):
            offered = set(self.table.asked[question.seat].prompt.actions) & {actions.WIN_BY_DRAW, actions.WIN_BY_CLAIM}
            assert question.auto and set(question.prompt.actions) <= {*range(actions.PASS + 1), *offered}
            if offered:
                assert set(question.prompt.actions) == offered
                self.wins += 1
        return super().bots_answer()


def test_auto_play_never_throws_away_a_won_hand() -> None:
    """Everybody sleeps: every win that is offered is taken, nothing is claimed."""
    wins = 0
    for seed in range(8):
        table = Table(
            match_of(SHEETS[seed % 4], seed, hands=4), range(4), Pace(move=3_000, bank=0, between=1, hold=100)
        )
        evening = Asleep(table, seed, bot="greedy")
        while not table.over:
            due = table.due(evening.now)
            assert due is not None
            evening.wait(due)
        assert not any(isinstance(event, events.FalseWin | events.Pung | events.Chow) for _, event in evening.shown)
        won = sum(isinstance(event, events.Win) for _, event in evening.shown)
        assert won <= evening.wins
        wins += won
    assert wins > 5


@pytest.mark.parametrize(
    ("offered", "kept"),
    [((0, 5, 35, 110), (35,)), ((34, 36, 37), (36,)), ((34, 37), (34,)), ((1, 2, 41, 110), (1, 2)), ((34, 41), (34,))],
)
def test_what_auto_play_chooses_from(offered: tuple[int, ...], kept: tuple[int, ...]) -> None:
    assert auto_prompt(Prompt("turn", 0, offered, 0, -1)).actions == kept


# going and coming


def test_a_bot_holds_the_seat_of_a_person_who_is_gone() -> None:
    table = Table(match_of(), (0, 1), Pace(hold=0, bot=50, away=20_000))
    evening = Evening(table)
    prompt_of(evening, lambda seat, prompt: seat == 1 and prompt.kind == "turn")
    gone = evening.now
    table.arrive(1, False, gone)
    evening.wait(gone + 19_999)
    assert 1 in table.asked and not table.is_away(1, evening.now)
    evening.wait(gone + 20_000)
    assert 1 not in table.asked and table.is_away(1, evening.now)
    table.arrive(1, True, evening.now)
    assert 1 not in table.auto
    _, asked = prompt_of(evening, lambda seat, prompt: seat == 1 and prompt.kind == "turn")
    evening.wait(evening.now + 60_000)
    assert table.asked[1] is asked


def test_the_table_stands_still_while_nobody_is_there() -> None:
    table = Table(match_of(), (2,), CLOCKS)
    evening = Evening(table)
    prompt_of(evening, lambda seat, prompt: seat == 2 and prompt.kind == "turn")
    evening.wait(table.asked[2].since + 11_000)
    table.arrive(2, False, evening.now)
    assert table.paused and table.due(evening.now) is None and table.questions(evening.now) == []
    evening.wait(evening.now + 3_600_000)
    assert table.left(2, evening.now) == (4_000, 0)
    table.arrive(2, True, evening.now)
    assert table.left(2, evening.now) == (4_000, 0)
    evening.wait(evening.now + 4_000)
    assert 2 in table.auto


def test_a_hand_goes_on_when_all_who_are_there_have_seen_it() -> None:
    table = Table(match_of(), (0, 1, 2), Pace(between=-1))
    evening = Evening(table)
    evening.play(stop=lambda: table.between)
    assert table.views[0].over and table.due(evening.now) is None
    table.go_on(0, evening.now)
    table.go_on(3, evening.now)  # a bot has nothing to say
    assert table.between and table.gone_on == {0}
    table.go_on(1, evening.now)
    table.arrive(2, False, evening.now)
    assert not table.between and table.views[0].number == 1


# ending and resuming


def test_ending_early_gives_kong_payments_back_and_stands() -> None:
    table = Table(match_of(), range(4), CLOCKS)
    evening = Evening(table)
    evening.play(stop=lambda: table.seq[0] > 40)
    table.abort(evening.now)
    evening.look()
    assert table.over and not table.asked and table.views[1].reason == "aborted"
    assert table.match.totals == [0, 0, 0, 0]


def state_of(table: Table, seats: Iterable[int] = WATCHED) -> dict[str, Any]:
    """All that must be the same after a restart."""
    return {
        "views": [table.views[seat] for seat in seats],
        "shown": [table.seq[seat] for seat in seats],
        "events": table.match.events,
        "asked": {seat: (a.id, a.prompt, a.since) for seat, a in table.asked.items()},
        "bank": table.bank,
        "auto": table.auto,
        "between": table.between,
    }


@pytest.mark.parametrize("seed", range(12))
def test_a_table_is_resumed_from_its_journal_at_any_moment(seed: int) -> None:
    """People come and go, time runs out, timers are late; the twin made from the journal equals the table at every stop."""
    name = SHEETS[seed % 4]
    pick = random.Random(seed)
    pace = Pace(hold=700, bot=200, move=6_000, bank=4_000, between=pick.choice((0, 3_000)), away=5_000)
    evening = Evening(Table(match_of(name, seed), (0, 1, 2), pace), seed, late=30)
    table = evening.table
    stops = 0
    while not table.over:
        before = table.seq[0] + pick.randint(0, 12)
        evening.play(lambda: pick.choice((0, 100, 2_000, 7_000, 12_000)), lambda: table.seq[0] >= before)  # noqa: B023
        seat = pick.choice((0, 1, 2))
        if pick.random() < 0.4 and not table.over:
            table.arrive(seat, seat not in table.present, evening.now)
            if not table.present:
                evening.now += 10_000
                table.arrive(0, True, evening.now)
        if pick.random() < 0.3:
            table.set_auto(seat, seat not in table.auto, evening.now)
        evening.look()
        twin = Table(match_of(name, seed), (0, 1, 2), pace)
        twin.replay(evening.entries)
        table.tick(evening.now)
        evening.look()
        twin.arrive(0, True, twin.last_at)
        twin.tick(evening.now)
        wanted = state_of(table)
        for asked in table.asked.values():
            asked.expired = False
        assert state_of(twin) == wanted
        stops += 1
    assert stops > 5


def test_a_crash_gives_back_no_more_than_the_time_since_the_last_entry() -> None:
    table = Table(match_of(), (0,), CLOCKS)
    evening = Evening(table)
    prompt_of(evening, lambda seat, prompt: seat == 0 and prompt.kind == "turn")
    evening.wait(table.asked[0].since + 12_000)
    table.keep_time(evening.now)
    evening.look()
    twin = Table(match_of(), (0,), CLOCKS)
    twin.replay(evening.entries)
    assert twin.paused and twin.left(0, 10**9) == (3_000, 0)
    twin.arrive(0, True, 10**9)
    assert twin.left(0, 10**9) == (3_000, 0)
    assert twin.take_entries(), "a second crash must know of the pause"


@pytest.mark.parametrize(
    "line",
    [b"", b"{}", b'{"type":"answer","at":1,"seat":0,"action":99}', b'{"type":"answer","at":1,"seat":7,"action":0}'],
)
def test_a_damaged_journal_is_told(line: bytes) -> None:
    with pytest.raises(EntryError, match="entry 0 of the journal"):
        Table(match_of(), (0,), Pace()).replay([line])


def test_who_sleeps_does_not_hold_up_the_next_hand() -> None:
    table = Table(match_of(), (0, 1), Pace(between=-1))
    evening = Evening(table)
    evening.play(stop=lambda: table.between)
    table.set_auto(1, True, evening.now)
    assert table.between
    table.go_on(0, evening.now)
    assert not table.between
