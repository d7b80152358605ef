"""Rulings of the flow that meet in one hand, with values worked out by hand: robbing, kongs and their payments, the last tiles,
locks, false wins, following the dealer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hongzhong import actions, events, rules
from hongzhong.round import Round
from tests.rigged import rigged_wall
from tests.test_flow import begin, do, kinds, names

WAITS_1P_4P = "123456789m55p23p"
WAITS_4P_7P = "123456789s88p56p"


def answer(table: Round, **calls: str) -> list[events.Event]:
    """The answers of all seats asked about a discard, ``s2="pung"``; the others pass."""
    found: list[events.Event] = []
    for seat in table.asked():
        found = table.step(seat, actions.number_of(calls.get(f"s{seat}", "pass")))
    return found


def drift(table: Round, seat: int) -> None:
    """All pass and discard what they draw until it is the seat's turn."""
    while not table.over:
        asked = table.asked()[0]
        prompt = table.prompt(asked)
        assert prompt is not None
        if prompt.kind == "turn" and asked == seat:
            return
        table.step(asked, prompt.tile if prompt.kind == "turn" else actions.PASS)


def wins(found: list[events.Event]) -> list[tuple[int, str, int | None, int]]:
    return [(e.seat, e.by, e.from_, e.points) for e in found if isinstance(e, events.Win)]


def pays(table: Round) -> list[tuple[str, list[int]]]:
    return [(e.for_, e.deltas) for e in table.events if isinstance(e, events.Pay)]


def before_a_robbing(**options: Any) -> Round:
    """Seat 1 has punged the dealer's 4p and drawn the last one; seats 2 and 3 wait for it, and let the first one go."""
    hands = ["", "44p2233s2288m77m9p", WAITS_1P_4P, WAITS_4P_7P]
    table = begin("qiqihar", hands, "4p9p9p3m4p", **options)
    do(table, "0 discard 4p")
    answer(table, s1="pung")
    do(table, "1 discard 9p")
    drift(table, 1)
    return table


def test_two_seats_rob_one_kong_and_it_is_paid_for_by_nobody() -> None:
    """Q18 Q20 C9: each is paid by the owner, 2 for the concealed hand at a stake of 2; the pung stays."""
    table = before_a_robbing(kong_points=(1, 2, 3), base_point=2)
    do(table, "1 kong-added 4p")
    assert table.asked() == [2, 3]
    found = do(table, "3 win-claim", "2 win-claim")
    assert wins(found) == [(2, "kong", 1, 4), (3, "kong", 1, 4)]
    assert pays(table) == [("win", [0, -4, 4, 0]), ("win", [0, -4, 0, 4])]
    end = table.events[-1]
    assert (
        isinstance(end, events.End)
        and end.melds[1] == ["(444p)"]
        and (end.scores, end.next_dealer) == ([0, -8, 4, 4], 1)
    )


def test_the_nearest_robs_and_deals_next() -> None:
    """C9 C12: ``multi_win`` nearest, ``dealer_rule`` winner."""
    table = before_a_robbing(multi_win="nearest", dealer_rule="winner")
    found = do(table, "1 kong-added 4p", "2 win-claim", "3 win-claim")
    assert wins(found) == [(2, "kong", 1, 2)] and table.next_dealer == 2


def test_a_kong_that_nobody_robs_is_paid_for_and_replaced() -> None:
    """C9: past the robbing window, before the replacement; an aborted hand takes it back and keeps the dealer."""
    table = before_a_robbing(kong_points=(1, 2, 3), base_point=2)
    found = do(table, "1 kong-added 4p", "2 pass", "3 pass")
    assert kinds(found) == ["Pay", "Draw"] and pays(table) == [("kong", [-4, 12, -4, -4])]
    assert isinstance(found[1], events.Draw) and found[1].from_ == "tail"
    table.abort()
    assert table.scores == [0, 0, 0, 0] and pays(table)[-1] == ("kong_void", [4, -12, 4, 4]) and table.next_dealer == 0


def test_an_own_draw_opens_a_lock_again_before_a_robbing() -> None:
    """C9 ``pass_lock``: both let the first 4p go, and have drawn since."""
    table = before_a_robbing(pass_lock="win")
    do(table, "1 kong-added 4p")
    assert table.asked() == [2, 3]


def test_three_winners_on_one_discard_are_paid_together() -> None:
    """Q20 C12: the discarder pays each; no dealer among them, so the next seat deals."""
    hands = ["", WAITS_1P_4P, WAITS_4P_7P, "111222777m56p99p"]
    table = begin("qiqihar", hands, "4p", base_point=3)
    do(table, "0 discard 4p")
    found = answer(table, s1="win-claim", s2="win-claim", s3="win-claim")
    assert wins(found) == [(seat, "discard", 0, 6) for seat in (1, 2, 3)]
    assert table.scores == [-18, 6, 6, 6] and table.next_dealer == 1


def test_the_dealer_among_several_winners_stays() -> None:
    """C12 Q20: in turn order from the discarder."""
    table = begin("qiqihar", [WAITS_1P_4P, "147m258s369p4p1p69s", "", WAITS_4P_7P], "2s4p")
    do(table, "0 discard 2s", "1 discard 4p")
    found = answer(table, s0="win-claim", s3="win-claim")
    assert [seat for seat, *_ in wins(found)] == [3, 0] and table.next_dealer == 0


def test_red_dragons_are_neither_punged_nor_konged() -> None:
    """Q3 Q4: two in hand and a third discarded, only the seat that waits is asked; none where it may not be won on."""
    hands = ["", "77z1122m3344s111p", WAITS_1P_4P]
    table = begin("qiqihar", hands, "7z")
    do(table, "0 discard 7z")
    assert table.asked() == [2]
    table = begin("qiqihar", hands, "7z", wild_discard_wins=False)
    assert kinds(do(table, "0 discard 7z")) == ["Discard", "Draw"]
    table = begin("qiqihar", ["7777z11m"], "9p")
    assert "kong-concealed 7z" not in names(table, 0)


def test_out_with_the_replacement_of_an_exposed_kong() -> None:
    """Q17: all three pay 2, and the kong's 5 each stay paid."""
    table = begin("qiqihar", ["", "", "111m456789m23p55p"], "1m", tail="4p", kong_points=(5, 1, 1))
    do(table, "0 discard 1m", "2 kong-exposed 1m")
    assert wins(do(table, "2 win-draw")) == [(2, "draw", None, 2)]
    assert table.scores == [-7, -7, 21, -7]


def test_the_discarder_alone_pays_an_exposed_kong() -> None:
    """C9 ``kong_payer``."""
    table = begin("qiqihar", ["", "", "111m44p55p66s88s99s"], "1m", kong_points=(5, 1, 1), kong_payer="discarder")
    do(table, "0 discard 1m", "2 kong-exposed 1m")
    assert table.scores == [-5, 0, 5, 0]


@pytest.mark.parametrize("aborts", [True, False])
def test_the_fourth_kong_by_another_seat(aborts: bool) -> None:
    """H24 H22 C9: all seats together; paid, taken back, no replacement, the dealer steps down."""
    hands = ["1111m2222m3333m4s", "", "", "444s99m99s99p1234z"]
    table = begin("hebei", hands, "9p", kong_points=(1, 1, 1), four_kongs_abort=aborts)
    do(table, "0 kong-concealed 1m", "0 kong-concealed 2m", "0 kong-concealed 3m", "0 discard 4s")
    found = do(table, "3 kong-exposed 4s")
    assert kinds(found) == (["Kong", "Pay", "Pay", "End"] if aborts else ["Kong", "Pay", "Draw"])
    if aborts:
        assert (table.scores, table.next_dealer) == ([0, 0, 0, 0], 1)


@pytest.mark.parametrize("live", [3, 2, 1])
def test_a_kong_near_the_end_of_the_wall(live: int) -> None:
    """C3 H16 H22: it needs two live tiles; where none is left after it the seat may only win, else the hand is drawn with a kong."""
    hands = ["1111m147s258p123z", "2222m147s258p123z", "3333m147s258p123z", "4444m369s369p444z"]
    table = begin("hebei", hands, reserve_stacks=0)
    while table.remaining != live or table.prompt(table.asked()[0]).kind != "turn":  # type: ignore[union-attr]
        for seat in table.asked():
            prompt = table.prompt(seat)
            assert prompt is not None
            table.step(seat, prompt.tile if prompt.kind == "turn" else actions.PASS)
    seat = table.asked()[0]
    kong = f"kong-concealed {seat + 1}m"
    assert (kong in names(table, seat)) == (live > 1)
    if live > 1:
        do(table, f"{seat} {kong}")
        assert table.over == (live == 2) and table.remaining == live - 2
    if live == 2:
        end = table.events[-1]
        assert isinstance(end, events.End) and (end.reason, end.next_dealer) == ("exhausted", 1)


@pytest.mark.parametrize(("quad", "paid"), [(0, True), (1, False)])
def test_a_kong_between_the_discards_that_follow_the_dealer(quad: int, paid: bool) -> None:
    """H23: one before the dealer's first discard is not in between. The dealer multiplier is for wins."""
    hands = ["147m258s369p2345z", "258m147s369p2345z", "369m369s147p2345z", "147m369s258p2345z"]
    hands[quad] = hands[quad][:9] + "6666z" if quad else "6666z258m369s234z"
    draws, tail = "1z1z1z1z", "7m"
    table = begin("hebei", hands, draws, tail, follow_dealer=True, base_point=7, dealer_multiplier=5)
    if quad == 0:
        do(table, "0 kong-concealed 6z")
    do(table, "0 discard 1z")
    if quad == 1:
        do(table, "1 kong-concealed 6z")
    do(table, "1 discard 1z", "2 discard 1z", "3 discard 1z")
    assert pays(table) == ([("follow_dealer", [-21, 7, 7, 7])] if paid else [])


def test_a_locked_seat_that_calls_errs() -> None:
    """C10 H26 C9: 4p was offered and let go; the call on 1p before an own draw is a false win, paid at the stake, the dealer stays."""
    hands = ["", "147m258s369p1234z", "147s258p369m1234z", WAITS_1P_4P]
    table = begin("hebei", hands, "4p1p", calls="manual", pass_lock="win", base_point=3)
    do(table, "0 discard 4p")
    answer(table)
    do(table, "1 discard 1p")
    assert names(table, 3) == ["pass", "false-win"]
    answer(table, s3="false-win")
    assert (table.scores, table.next_dealer) == ([3, 3, 3, -9], 0)


def test_a_false_win_leaves_kong_payments() -> None:
    """C9 H26: 2 from each for the kong, 2 to each for the dealer's error."""
    table = begin("hebei", ["1111m", "47m258s3699p1234z"], "4p", tail="9s", calls="manual", kong_points=(0, 0, 2))
    do(table, "0 kong-concealed 1m", "0 false-win")
    assert (table.scores, pays(table)[-1], table.next_dealer) == ([0, 0, 0, 0], ("false_win", [-6, 2, 2, 2]), 1)


def test_earth_after_the_dealers_own_kong() -> None:
    """N12: a concealed kong is no claim, and the discard after it is the dealer's first."""
    hands = ["6666z258m369s234z", "147m258s369p1123z", "123m456p789s55m23p"]
    table = begin("inner_mongolia", hands, "1p", tail="4p")
    do(table, "0 kong-concealed 6z", "0 discard 4p")
    (win, *_) = answer(table, s2="win-claim")
    assert isinstance(win, events.Win) and [row.id for row in win.patterns] == ["plain", "concealed", "earth"]


@pytest.mark.parametrize(
    ("options", "hand", "points", "next_dealer"),
    [
        ({}, "123m456m678m55m34p", 2, 0),
        ({"dealer_stays_on_plain_win": False}, "123m456m678m55m34p", 2, 1),
        ({"dealer_stays_on_plain_win": False, "dealer_rule": "winner"}, "123m456m678m55m34p", 2, 2),
        ({"dealer_rule": "winner"}, "123m456m678m55m34p", 2, 0),
        ({}, "123456789m55m34p", 6, 1),
        ({"dealer_rule": "winner"}, "123456789m55m34p", 6, 2),
    ],
)
def test_who_deals_after_another_seat_won(options: dict[str, Any], hand: str, points: int, next_dealer: int) -> None:
    """H23 H27."""
    table = begin("hebei", ["147m258s369p1234z", "19s147p258m36p", hand], "5p", **options)
    do(table, "0 discard 5p")
    (win, *_) = answer(table, s2="win-claim")
    assert isinstance(win, events.Win) and (win.points, table.next_dealer) == (points, next_dealer)
    assert table.scores == [-2 * points, -points, 4 * points, -points]


def test_where_plain_is_no_base_nobody_keeps_the_deal_by_it() -> None:
    """H23 speaks of the base: in a sheet whose plain win is a fan, every hand shows it."""
    sheet = rules.sheet("hebei")
    rows = tuple(replace(row, kind="fan") if row.id == "plain" else row for row in sheet.patterns)
    in_force = rules.resolve(replace(sheet, id="fan", patterns=rows, examples=()))
    hands = ["147m258s369p1234z", "19s147p258m36p", "123m456m678m55m34p"]
    table = Round(in_force, rigged_wall(in_force, hands, "5p"))
    do(table, "0 discard 5p")
    answer(table, s2="win-claim")
    assert table.over and table.next_dealer == 1
