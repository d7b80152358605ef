"""Matches: first dealer, hands, totals, ranking, early ends; everything in the order of the record."""

from __future__ import annotations

import pytest

from hongzhong import events, fair, rules
from hongzhong.match import Match
from hongzhong.round import IllegalAction
from tests.playing import PLAYERS, by_chance, play_on, played

SECRET = bytes(range(32))
NONCES = ["alpha", "", "红中", "delta"]


@pytest.mark.parametrize("name", rules.names())
def test_a_whole_match(name: str) -> None:
    match = played(name, {"hands": 4})
    heads = [e for e in match.events if isinstance(e, events.Hand)]
    ends = [e for e in match.events if isinstance(e, events.End)]
    result = match.events[-1]
    assert isinstance(match.events[0], events.Match) and isinstance(result, events.Result)
    assert [h.number for h in heads] == [0, 1, 2, 3] and len(ends) == 4
    assert heads[0].dealer == match.events[0].first_dealer
    assert [h.dealer for h in heads[1:]] == [e.next_dealer for e in ends[:-1]]
    totals = [0, 0, 0, 0]
    for head, end in zip(heads, ends, strict=True):
        assert head.scores == totals and sum(end.scores) == 0
        totals = [a + b for a, b in zip(totals, end.scores, strict=True)]
    assert result.scores == totals == match.scores
    assert match.over and match.asked() == [] and match.prompt(0) is None
    assert len({tuple(h.wall) for h in heads}) == 4


@pytest.mark.parametrize("name", rules.names())
def test_the_same_seed_gives_the_same_match(name: str) -> None:
    assert played(name, seed=5).events == played(name, seed=5).events
    assert played(name, seed=5).events[1] != played(name, seed=6).events[1]


def test_first_dealer_by_dice_q2() -> None:
    match = Match(rules.load("qiqihar"), PLAYERS, secret=SECRET, nonces=NONCES)
    head = match.events[0]
    assert isinstance(head, events.Match)
    assert head.dealer_throws == [[5, 1], [2, 1], [4, 2], [2, 4], [5, 5], [6, 1], [6, 3]] and head.first_dealer == 0
    assert head.seat_draw is None and match.players == list(PLAYERS) and match.seat_of(2) == 2


def test_first_dealer_at_random_n20() -> None:
    dealers = set()
    for seed in range(30):
        head = Match(rules.load("inner_mongolia"), PLAYERS, seed=seed).events[0]
        assert isinstance(head, events.Match) and head.dealer_throws is None
        dealers.add(head.first_dealer)
    assert dealers == {0, 1, 2, 3}


def test_seats_are_drawn_h25() -> None:
    match = Match(rules.load("hebei"), PLAYERS, secret=SECRET, nonces=NONCES)
    head, hand = match.events[:2]
    assert isinstance(head, events.Match) and isinstance(hand, events.Hand)
    assert head.seat_draw == [2, 1, 3, 0]
    assert head.players == ["Du", "Bo", "Ann", "Chen"]
    assert [match.seat_of(joined) for joined in range(4)] == [2, 1, 3, 0]
    assert hand.dice == [[3, 2], [3, 2]] and hand.break_ == 10


def test_reserve_by_dice_h25() -> None:
    """With reserve_stacks=dice the whole sum stays behind: a drawn hand leaves twice the break, and two tiles a kong."""
    for name in ("hebei", "hebei_108"):
        match = Match(rules.load(name, {"hands": 1, "reserve_stacks": "dice"}), PLAYERS, secret=SECRET, nonces=NONCES)
        from hongzhong.actions import PASS, WIN_BY_DRAW

        while match.asked():
            seat = match.asked()[0]
            legal = match.legal(seat)
            match.step(seat, PASS if PASS in legal else next(a for a in legal if a != WIN_BY_DRAW))
        draws = sum(isinstance(e, events.Draw) for e in match.events)
        end = match.events[-2]
        assert isinstance(end, events.End) and end.reason == "exhausted"
        assert 52 + draws == sum(match.rules.sheet.copies) - 2 * 10


def test_a_committed_match_opens_its_secret() -> None:
    match = played("qiqihar", {"hands": 1}, seed=3, committed=True, nonces=NONCES)
    head, result = match.events[0], match.events[-1]
    assert isinstance(head, events.Match) and isinstance(result, events.Result) and result.secret is not None
    assert head.commitment == fair.commit(fair.parse_secret(result.secret)) and head.nonces == NONCES
    plain = played("qiqihar", {"hands": 1}, seed=3)
    assert isinstance(plain.events[-1], events.Result) and plain.events[-1].secret is None


def test_without_a_seed_every_match_is_new() -> None:
    ruleset = rules.load("qiqihar")
    assert Match(ruleset, PLAYERS).events[1] != Match(ruleset, PLAYERS).events[1]


def test_an_aborted_match_counts_what_was_finished() -> None:
    match = Match(rules.load("qiqihar", {"hands": 9}), PLAYERS, seed=4)
    choose = by_chance(4)
    while match.number < 2:
        play_on(match, choose, 1)
    play_on(match, choose, 5)
    before = list(match.totals)
    new = match.abort()
    assert next(e for e in new if isinstance(e, events.End)).reason == "aborted"
    result = new[-1]
    assert isinstance(result, events.Result) and result.scores == before and match.over
    assert match.abort() == []


def test_an_aborted_hand_gives_kong_points_back() -> None:
    match = Match(rules.load("qiqihar", {"kong_points": [1, 1, 2]}), PLAYERS, seed=0)
    for seed in range(200):
        match = Match(rules.load("qiqihar", {"kong_points": [1, 1, 2]}), PLAYERS, seed=seed)
        choose = by_chance(seed)
        while match.number == 0 and not match.over and not any(isinstance(e, events.Pay) for e in match.events):
            play_on(match, choose, 1)
        if match.number == 0 and any(match.scores):
            break
    assert any(match.scores)
    new = match.abort()
    assert isinstance(new[0], events.Pay) and new[0].for_ == "kong_void"
    assert match.scores == [0, 0, 0, 0]


def test_ranking_ties_go_by_seat() -> None:
    match = Match(rules.load("qiqihar"), PLAYERS, seed=1)
    match.totals = [3, -6, 3, 0]
    assert match.ranking == [0, 2, 3, 1]


def test_what_a_seat_has_seen() -> None:
    match = played("hebei", {"hands": 1}, committed=True)
    for seat in (events.SPECTATOR, 0, 1, 2, 3):
        seen = match.seen(seat)
        assert len(seen) == len(match.events)
        assert all(not e.wall for e in seen if isinstance(e, events.Hand))
        assert all("?" in e.tiles for e in seen if isinstance(e, events.Deal) and e.seat != seat)


def test_wrong_players_nonces_and_answers() -> None:
    ruleset = rules.load("qiqihar")
    with pytest.raises(fair.FairError, match="four players"):
        Match(ruleset, ["a"], seed=1)
    with pytest.raises(fair.FairError, match="one for each"):
        Match(ruleset, PLAYERS, seed=1, nonces=["a"])
    with pytest.raises(fair.FairError, match="32 bytes"):
        Match(ruleset, PLAYERS, secret=b"")
    match = Match(ruleset, PLAYERS, seed=1)
    seat = match.asked()[0]
    with pytest.raises(IllegalAction):
        match.step((seat + 1) % 4, 0)
    before = list(match.events)
    with pytest.raises(IllegalAction):
        match.step(seat, 143)
    assert match.events == before
    over = played("qiqihar", {"hands": 1})
    with pytest.raises(IllegalAction):
        over.step(0, 0)
