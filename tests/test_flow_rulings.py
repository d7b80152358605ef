"""A hand of play for rulings of the flow: dealing, drawn hands, who deals next, several winners, false wins."""

from __future__ import annotations

from typing import Any

import pytest

from hongzhong import actions, events
from hongzhong.round import Round
from hongzhong.rules import load
from hongzhong.tiles import format_mpsz, parse_tile
from tests.rigged import rigged_wall

FAR = "147m258s369p1234z"
"""Thirteen tiles that are far from everything."""


def deal(
    name: str, options: dict[str, Any], hands: list[str], draws: str = "", tail: str = "", dealer: int = 0
) -> Round:
    rules = load(name, options)
    return Round(rules, rigged_wall(rules, hands, draws, tail), dealer=dealer)


def discard(tile: str) -> int:
    return actions.DISCARD + parse_tile(tile)


def answer(hand: Round, answers: dict[int, int]) -> None:
    """Answers of the asked seats; who is not named passes."""
    for seat in hand.asked():
        hand.step(seat, answers.get(seat, actions.PASS))


def drain(hand: Round) -> events.End:
    """Everybody passes, and discards what was drawn, until the hand ends."""
    while not hand.over:
        for seat in hand.asked():
            legal = hand.legal(seat)
            drawn = int(hand.state["drawn"])
            hand.step(seat, actions.PASS if actions.PASS in legal else drawn if drawn in legal else legal[0])
    return end_of(hand)


def end_of(hand: Round) -> events.End:
    (end,) = [event for event in hand.events if isinstance(event, events.End)]
    return end


def paid(hand: Round, what: str) -> list[list[int]]:
    return [event.deltas for event in hand.events if isinstance(event, events.Pay) and event.for_ == what]


@pytest.mark.parametrize("dealer", range(4))
def test_dealing(dealer: int) -> None:
    """C11: three rounds of four, one each, the dealer's fourteenth; replacements from the end."""
    rules = load("inner_mongolia")
    wall = rigged_wall(rules, ["1111m", "", "", ""], tail="9p")
    hand = Round(rules, wall, dealer=dealer)
    deals = [event for event in hand.events if isinstance(event, events.Deal)]
    assert [event.seat for event in deals] == [(dealer + i) % 4 for i in range(4)]
    for i, event in enumerate(deals):
        taken = [*wall[4 * i : 4 * i + 4], *wall[16 + 4 * i : 20 + 4 * i], *wall[32 + 4 * i : 36 + 4 * i], wall[48 + i]]
        assert event.tiles == format_mpsz(taken)
    assert hand.events[-1] == events.Draw(seat=dealer, tile=format_mpsz([wall[52]]), from_="wall")
    hand.step(dealer, actions.CONCEALED_KONG + parse_tile("1m"))
    assert hand.events[-1] == events.Draw(seat=dealer, tile="9p", from_="tail")


@pytest.mark.parametrize(
    ("name", "next_dealer"), [("qiqihar", 2), ("inner_mongolia", 3), ("hebei", 2), ("hebei_108", 2)]
)
def test_drawn_hand(name: str, next_dealer: int) -> None:
    """Q22, N20, H22: who deals after a drawn hand in which nobody made a kong; nobody pays."""
    hand = deal(name, {}, [], dealer=2)
    end = drain(hand)
    assert (end.reason, end.next_dealer, end.scores) == ("exhausted", next_dealer, [0, 0, 0, 0])


@pytest.mark.parametrize("name", ["qiqihar", "inner_mongolia"])
def test_every_tile_is_drawn(name: str) -> None:
    """Q7, N19: no tile is kept back, and the last one may be discarded."""
    hand = deal(name, {}, [])
    drain(hand)
    drawn = sum(isinstance(event, events.Draw) for event in hand.events)
    assert drawn == sum(load(name).sheet.copies) - 52
    assert isinstance(hand.events[-2], events.Discard)


def test_a_kong_in_a_drawn_hand_moves_the_deal() -> None:
    """H22."""
    hand = deal("hebei", {}, ["1111m"])
    hand.step(0, actions.CONCEALED_KONG + parse_tile("1m"))
    end = drain(hand)
    assert (end.reason, end.next_dealer) == ("exhausted", 1)


@pytest.mark.parametrize(("stays", "next_dealer"), [(True, 0), (False, 1)])
def test_plain_win_and_the_deal(stays: bool, next_dealer: int) -> None:
    """H23: another seat's plain win leaves the deal where it is."""
    hand = deal("hebei", {"dealer_stays_on_plain_win": stays}, [FAR, "123m456m55m789p34p"], draws="5p")
    hand.step(0, discard("5p"))
    answer(hand, {1: actions.WIN_BY_CLAIM})
    assert (end_of(hand).reason, end_of(hand).next_dealer) == ("win", next_dealer)


@pytest.mark.parametrize("follow", [True, False])
def test_following_the_dealer(follow: bool) -> None:
    """H23 ``follow_dealer``: four first discards of one kind, and the dealer pays each the stake."""
    options = {"follow_dealer": follow, "base_point": 2}
    hand = deal("hebei", options, ["147m258s369p2345z"], draws="1z1z1z1z")
    for seat in range(4):
        hand.step(seat, discard("1z"))
        while not hand.over and hand.state["turn"] == seat and hand.asked() != [(seat + 1) % 4]:
            answer(hand, {})
    assert paid(hand, "follow_dealer") == ([[-6, 2, 2, 2]] if follow else [])
    assert not hand.over


def test_false_win_of_a_player() -> None:
    """H26, C10: pays the stake to each, the dealer stays."""
    hand = deal("hebei", {"calls": "manual", "base_point": 3}, [FAR, FAR], draws="9m")
    hand.step(0, discard("9m"))
    answer(hand, {1: actions.FALSE_WIN})
    assert paid(hand, "false_win") == [[3, -9, 3, 3]]
    assert (end_of(hand).reason, end_of(hand).next_dealer) == ("false_win", 0)


def test_false_win_of_the_dealer() -> None:
    """H26, C10: pays twice the stake to each and steps down."""
    hand = deal("hebei", {"calls": "manual"}, [FAR], draws="9m")
    hand.step(0, actions.FALSE_WIN)
    assert paid(hand, "false_win") == [[-6, 2, 2, 2]]
    assert (end_of(hand).reason, end_of(hand).next_dealer) == ("false_win", 1)


def test_false_win_without_punishment_is_a_pass() -> None:
    """C10: Inner Mongolia has no price for it."""
    hand = deal("inner_mongolia", {"calls": "manual"}, [FAR, FAR], draws="9m")
    hand.step(0, discard("9m"))
    answer(hand, {1: actions.FALSE_WIN})
    assert not hand.over
    assert hand.asked() == [1]
    assert hand.scores == [0, 0, 0, 0]


TWO_SIDED = "123m456s789p55p23s"
"""Waits for 1s and 4s in Inner Mongolia."""
ALSO = "789m789s123p22p56s"
"""Waits for 4s and 7s."""


def test_first_of_several_winners_deals() -> None:
    """C12, under a ``winner`` rule: the first in turn order from the discarder; C2: all were asked at once."""
    hand = deal("inner_mongolia", {"multi_win": "all"}, [FAR, TWO_SIDED, ALSO], draws="4s")
    hand.step(0, discard("4s"))
    assert {1, 2} <= set(hand.asked())
    answer(hand, {1: actions.WIN_BY_CLAIM, 2: actions.WIN_BY_CLAIM})
    wins = [event.seat for event in hand.events if isinstance(event, events.Win)]
    assert wins == [1, 2]
    assert len(paid(hand, "win")) == 2
    assert end_of(hand).next_dealer == 1


def test_a_dealer_among_the_winners_stays() -> None:
    """C12."""
    hand = deal("inner_mongolia", {"multi_win": "all"}, [TWO_SIDED, ALSO], draws="1z2z4s")
    for seat, tile in ((0, "1z"), (1, "2z")):
        hand.step(seat, discard(tile))
        while hand.asked() != [seat + 1]:
            answer(hand, {})
    hand.step(2, discard("4s"))
    answer(hand, {0: actions.WIN_BY_CLAIM, 1: actions.WIN_BY_CLAIM})
    assert [event.seat for event in hand.events if isinstance(event, events.Win)] == [0, 1]
    assert end_of(hand).next_dealer == 0
