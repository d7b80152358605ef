"""How long a match lasts: a number of hands, or full rounds of dealers however many hands these take (C9)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from hongzhong import events, rules
from hongzhong.actions import PASS, WIN_BY_CLAIM, WIN_BY_DRAW
from hongzhong.match import Match, full_rounds
from hongzhong.record import RecordWriter
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import Offer, resolve
from hongzhong.server import replays
from hongzhong.server.sheets import summary
from hongzhong.texts.replay import describe
from hongzhong.verification import replay, verify
from tests.playing import PLAYERS, greedily, play_on, played

DEALERS = ("next", "winner")


def rounds_of(dealers: Sequence[int]) -> int:
    """The slow way: turns at the deal, however long each was, but for the last one, which is not given up yet."""
    turns = [dealer for dealer, _ in groupby(dealers)]
    return len(range(4, len(turns), 4))


@pytest.mark.parametrize(
    ("dealers", "rounds"),
    [
        ([0], 0),
        ([0, 1, 2, 3], 0),
        ([0, 1, 2, 3, 0], 1),
        ([2, 2, 3, 3, 3, 0, 1, 1], 0),
        ([2, 2, 3, 3, 3, 0, 1, 1, 2], 1),
        ([0, 2, 0, 2], 0),
        ([0, 2, 0, 2, 2, 0, 0], 1),
        ([0, 2, 1, 2, 3, 2], 1),
        ([0, 1, 2, 3, 0, 1, 2, 3, 1], 2),
    ],
)
def test_four_changes_of_the_deal_are_a_round(dealers: list[int], rounds: int) -> None:
    assert full_rounds(dealers) == rounds == rounds_of(dealers)


def told(match: Match) -> tuple[list[int], list[int]]:
    """From the record alone: who dealt each hand, and who would deal after it."""
    dealers = [event.dealer for event in match.events if isinstance(event, events.Hand)]
    return dealers, [event.next_dealer for event in match.events if isinstance(event, events.End)]


@pytest.mark.parametrize("dealer_rule", DEALERS)
@pytest.mark.parametrize("name", rules.names())
def test_a_match_ends_with_its_last_round(name: str, dealer_rule: str, tmp_path: Path) -> None:
    """Over many matches: not one hand too few or too many, and the record follows."""
    for seed in range(4):
        rounds = 1 + seed % 2
        match = played(name, {"rounds": rounds, "dealer_rule": dealer_rule}, seed=seed)
        dealers, following = told(match)
        assert [rounds_of([*dealers[: n + 1], following[n]]) >= rounds for n in range(len(dealers))] == (
            [False] * (len(dealers) - 1) + [True]
        )
        if dealer_rule == "next":
            turns = [dealer for dealer, _ in groupby([*dealers, following[-1]])]
            assert turns == [(dealers[0] + n) % 4 for n in range(4 * rounds + 1)]
        head = match.events[0]
        assert isinstance(head, events.Match) and head.hands == 0 and head.options["rounds"] == rounds
        path = tmp_path / f"{seed}.jsonl"
        with RecordWriter(path) as writer:
            writer.write(match.events)
        verdict = verify(path)
        assert verdict.ok and verdict.hands == len(dealers), verdict.message
        assert [position.event for position in replay(path)] == match.events


@pytest.mark.parametrize("kept", [1, 2])
def test_a_record_of_another_length_is_refused(kept: int, tmp_path: Path) -> None:
    """One that goes on after its last round, and one that ends before it."""
    path = tmp_path / "match.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played("inner_mongolia", {"rounds": kept}, seed=3).events)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["options"]["rounds"] = 3 - kept
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    verdict = verify(path)
    assert not verdict.ok
    wanted = "result" if kept == 2 else "hand"
    stands = lines[verdict.line - 1]["type"]
    assert stands == ("hand" if kept == 2 else "result") and lines[verdict.line - 2]["type"] == "end"
    assert wanted in verdict.message


def test_a_match_of_hands_is_recorded_as_ever() -> None:
    for options in ({"hands": 2}, {"hands": 2, "rounds": 0}):
        head = played("hebei", options).events[0]
        assert isinstance(head, events.Match) and head.hands == 2 and "rounds" not in head.options


def test_a_record_that_says_so_in_another_way(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played("qiqihar", {"hands": 1}).events)
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    head = json.loads(first)
    head["options"]["rounds"] = 0
    path.write_text(json.dumps(head) + "\n" + "".join(rest), encoding="utf-8")
    assert verify(path).message == "line 1: match: option rounds has no place here"


def never_winning(match: Match) -> Match:
    while match.asked():
        seat = match.asked()[0]
        legal = match.legal(seat)
        match.step(seat, PASS if PASS in legal else next(a for a in legal if a not in (WIN_BY_DRAW, WIN_BY_CLAIM)))
    return match


def test_a_dealer_who_never_steps_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q22: a drawn hand keeps the dealer, so that no round would ever be full; the match ends all the same."""
    monkeypatch.setattr("hongzhong.match.MOST_HANDS", 5)
    match = never_winning(Match(rules.load("qiqihar", {"rounds": 1}), PLAYERS, seed=2))
    assert match.over and len(set(match.dealers)) == 1 and len(match.dealers) == 5


def test_a_seat_that_never_wins_keeps_nobody() -> None:
    """Where the winner deals next (N20), who never wins never deals; the match ends all the same after four changes."""
    match = Match(rules.load("inner_mongolia", {"rounds": 1}), PLAYERS, seed=5)
    choose = greedily(match)
    while match.asked():
        seat = match.asked()[0]
        legal = match.legal(seat)
        idle = seat == 3 and PASS in legal
        match.step(seat, PASS if idle else choose(seat, legal))
    assert full_rounds([*match.dealers, match.round.next_dealer]) == 1 and len(match.dealers) < 40


def test_an_aborted_match_of_rounds() -> None:
    match = Match(rules.load("hebei", {"rounds": 2}), PLAYERS, seed=1)
    play_on(match, greedily(match), 100)
    assert isinstance(match.abort()[-1], events.Result) and match.over


def test_hands_and_rounds_are_not_given_together() -> None:
    with pytest.raises(RuleError, match="hands=4 and rounds=2 conflict"):
        rules.load("hebei", {"hands": 4, "rounds": 2})
    for wrong in (-1, 101, True, "two", None):
        with pytest.raises(RuleError, match="rounds"):
            rules.load("hebei", {"rounds": wrong})
    given: dict[str, Any] = rules.load("hebei", {"rounds": 2}).in_force()
    assert rules.load("hebei", given) is rules.load("hebei", {"rounds": 2, "hands": 8})


def test_a_sheet_of_rounds_tells_them() -> None:
    """Where a sheet plays rounds unless asked otherwise, a match of hands must say so."""
    sheet = rules.sheet("hebei")
    fields = {name: getattr(sheet, name) for name in sheet.__dataclass_fields__}
    ours = type(sheet)(**fields | {"offers": (*sheet.offers, Offer("rounds", 2, "C9"))})
    assert Match(resolve(ours), PLAYERS, seed=1).rounds == 2
    by_hands = resolve(ours, {"rounds": 0, "hands": 3})
    assert by_hands.in_force()["rounds"] == 0 and by_hands.changed() == {"rounds": 0, "hands": 3}


def test_pages_tell_the_round() -> None:
    match = played("inner_mongolia", {"rounds": 2}, seed=3)
    dealers, _ = told(match)
    shown = [next(replays.frames(match.rules, match.events, n, 1, open_hands=False)).view for n in range(len(dealers))]
    assert [view.round for view in shown] == [rounds_of(dealers[: n + 1]) for n in range(len(dealers))]
    assert {view.round for view in shown} == {0, 1} and {(view.hands, view.rounds) for view in shown} == {(0, 2)}
    by_hands = played("inner_mongolia", {"hands": 2})
    view = next(replays.frames(by_hands.rules, by_hands.events, 1, 1, open_hands=False)).view
    assert (view.number, view.hands, view.round, view.rounds) == (1, 2, 0, 0)


def test_summaries_tell_the_length() -> None:
    assert [text.split("·")[-1] for text in summary(rules.load("hebei", {"rounds": 1}))] == [
        "1圈",
        "Hebei: 1 full round",
    ]
    assert summary(rules.load("hebei", {"rounds": 2, "cap": 8})) == (
        "河北麻将·2圈，封顶：8",
        "Hebei: 2 full rounds, most that one payer pays for one win: 8",
    )
    assert summary(rules.load("hebei", {"hands": 1}))[1] == "Hebei: 1 hand"
    head = played("hebei", {"rounds": 1}).events[0]
    assert "共1圈" in describe(head, "zh") and "1 full rounds of dealers" in describe(head)
