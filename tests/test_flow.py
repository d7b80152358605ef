"""The course of a hand, ruling by ruling, on walls made to order."""

from __future__ import annotations

from typing import Any

import pytest

from hongzhong import actions, events, rules
from hongzhong.round import IllegalAction, Round
from tests.rigged import rigged_wall

WAITS_4P = "12345556789m23p"
"""Ready for 1p and 4p in Qiqihar and Hebei."""


def begin(name: str, hands: list[str], draws: str = "", tail: str = "", dealer: int = 0, **options: Any) -> Round:
    """Hands and draws are given from the dealer on."""
    ruleset = rules.load(name, options)
    return Round(ruleset, rigged_wall(ruleset, hands, draws, tail), dealer=dealer)


def do(table: Round, *answers: str) -> list[events.Event]:
    """Answers such as ``0 discard 5m``; the events of the last one."""
    found: list[events.Event] = []
    for answer in answers:
        seat, _, action = answer.partition(" ")
        found = table.step(int(seat), actions.number_of(action))
    return found


def names(table: Round, seat: int) -> list[str]:
    return [actions.name_of(action) for action in table.legal(seat)]


def kinds(found: list[events.Event]) -> list[str]:
    return [type(event).__name__ for event in found]


def test_dealing() -> None:
    """C11: three rounds of four, then 48 to the dealer, 49-51, and 52 to the dealer as a draw."""
    ruleset = rules.load("inner_mongolia")
    wall = [kind for kind, n in enumerate(ruleset.sheet.copies) for _ in range(n)]
    table = Round(ruleset, wall, dealer=2)
    deals = [event for event in table.events if isinstance(event, events.Deal)]
    assert [deal.seat for deal in deals] == [2, 3, 0, 1]
    assert [len(events.masked(deal, 0).tiles) for deal in deals[:1]] == [13]  # type: ignore[union-attr]
    assert table.events[-1] == events.Draw(seat=2, tile="5s", from_="wall")
    assert deals[0].tiles == "111155559999m4s"


def test_one_prompt_for_all_and_the_higher_claim_goes_first() -> None:
    """C2: win over pung over chow; answers in any order."""
    table = begin("hebei", ["", "46p19m19s1234567z", "44p19m19s1234567z", WAITS_4P], "4p")
    do(table, "0 discard 4p")
    assert table.asked() == [2, 3]
    assert names(table, 3) == ["pass", "win-claim"] and names(table, 2) == ["pass", "pung"]
    twin = table.copy()
    assert kinds(do(table, "3 win-claim", "2 pung")) == ["Win", "Pay", "End"]
    assert kinds(do(twin, "2 pung", "3 pass")) == ["Pung"] and twin.asked() == [2]


def test_chow_only_from_the_upper_seat_and_below_a_pung() -> None:
    """C2 N0 H0."""
    table = begin("hebei", ["", "56p19m19s1234567z", "44p19m19s1234567z", "56p19m19s1234567z"], "4p")
    do(table, "0 discard 4p")
    assert names(table, 1) == ["pass", "chow-low"] and table.asked() == [1, 2]
    assert kinds(do(table, "1 chow-low", "2 pass")) == ["Chow"]
    assert table.events[-1] == events.Chow(seat=1, tile="4p", with_="56p", from_=0)
    assert all(action < actions.PASS for action in table.legal(1))  # C3: no kong, no win after a claim
    with pytest.raises(IllegalAction, match="pass is not legal here; it may answer: discard 1m"):
        table.step(1, actions.PASS)


def test_a_robbed_kong() -> None:
    """Q18: kong, then win by kong; the pung stays, no draw, no kong payment; its owner pays as the discarder."""
    table = begin("qiqihar", ["44p", "", WAITS_4P], "9s4p19s9s4p", kong_points=(1, 1, 1), multi_win="nearest")
    do(table, "0 discard 9s", "1 discard 4p")
    while table.asked() != [0]:
        seat = table.asked()[-1]
        table.step(seat, actions.PUNG if actions.PUNG in table.legal(seat) else actions.PASS)
    do(table, "0 pung")
    table.step(0, table.legal(0)[-1])
    while "kong-added 4p" not in names(table, 0):
        seat = table.asked()[0]
        prompt = table.prompt(seat)
        assert prompt is not None
        table.step(seat, actions.PASS if prompt.kind != "turn" else prompt.tile)
    found = do(table, "0 kong-added 4p")
    assert kinds(found) == ["Kong"] and table.asked() == [2]
    assert table.view(1).melds[0][0].meld.form == 3
    found = do(table, "2 win-claim")
    assert kinds(found) == ["Win", "Pay", "End"]
    assert isinstance(found[0], events.Win) and found[0].by == "kong" and found[0].from_ == 0
    assert isinstance(found[2], events.End) and found[2].melds[0] == ["(444p)"]
    assert table.scores[0] == -table.scores[2] and table.scores[1] == table.scores[3] == 0


def test_heaven_and_the_same_after_a_kong() -> None:
    """N12: heaven only on the dealt fourteen, before any kong."""
    table = begin("inner_mongolia", ["123m456p789s111z5m"], "5m")
    found = do(table, "0 win-draw")
    assert isinstance(found[0], events.Win) and "heaven" in [p.id for p in found[0].patterns]
    after = begin("inner_mongolia", ["1111m456p789s11z5m"], "1z", tail="5m")
    do(after, "0 kong-concealed 1m")
    found = do(after, "0 win-draw")
    assert isinstance(found[0], events.Win) and "heaven" not in [p.id for p in found[0].patterns]
    assert "replacement_tile" in [p.id for p in found[0].patterns]


def test_earth_on_the_dealers_first_discard() -> None:
    """N12."""
    table = begin("inner_mongolia", ["", "", "123m456p789s55m23p"], "4p")
    found = do(table, "0 discard 4p", "2 win-claim")
    assert isinstance(found[0], events.Win) and "earth" in [p.id for p in found[0].patterns]


def test_kong_payments_and_their_reversal() -> None:
    """C9 H24: paid after the robbing window, before the replacement; a drawn hand takes all back first."""
    table = begin("hebei", ["1111m2222m3333m4m"], "4m", tail="4m4m9p9s", kong_points=(1, 2, 3), base_point=2)
    assert kinds(do(table, "0 kong-concealed 1m")) == ["Kong", "Pay", "Draw"]
    assert table.scores == [18, -6, -6, -6]
    found = do(table, "0 kong-concealed 2m", "0 kong-concealed 3m", "0 kong-concealed 4m")
    assert kinds(found) == ["Kong", "Pay", "Pay", "End"]
    assert isinstance(found[2], events.Pay) and found[2].for_ == "kong_void" and found[2].deltas == [-72, 24, 24, 24]
    assert isinstance(found[3], events.End) and found[3].reason == "four_kongs"
    assert table.next_dealer == 1  # H22: a kong was made


def test_abort_reverses_kongs_and_keeps_the_dealer() -> None:
    """C9."""
    table = begin("qiqihar", ["1111m"], "9s", dealer=3, kong_points=(1, 1, 2))
    do(table, "3 kong-concealed 1m")
    found = table.abort()
    assert kinds(found) == ["Pay", "End"] and table.scores == [0, 0, 0, 0] and table.next_dealer == 3
    assert table.abort() == []


def test_false_wins() -> None:
    """C10 H26: every seat is asked; legal wins first, then the nearest false win; the dealer pays twice and steps down."""
    table = begin("hebei", ["", "", "", WAITS_4P], "4p", calls="manual")
    assert "false-win" in names(table, 0)
    own = table.copy()
    found = do(own, "0 false-win")
    assert kinds(found) == ["FalseWin", "Pay", "End"] and own.scores == [-6, 2, 2, 2] and own.next_dealer == 1
    do(table, "0 discard 4p")
    assert table.asked() == [1, 2, 3] and "false-win" not in names(table, 3)
    twin = table.copy()
    assert kinds(do(table, "1 false-win", "2 false-win", "3 win-claim")) == ["Win", "Pay", "End"]
    found = do(twin, "2 false-win", "1 false-win", "3 pass")
    assert found[0] == events.FalseWin(seat=1) and twin.scores == [1, -3, 1, 1] and twin.next_dealer == 0


def test_a_false_win_without_punishment_is_a_pass() -> None:
    """C10: and on an own turn it may be called once."""
    table = begin("qiqihar", ["", "", ""], "9p", calls="manual")
    assert do(table, "0 false-win") == [] and "false-win" not in names(table, 0)
    do(table, "0 discard 9p")
    assert table.asked() == [1, 2, 3]
    for seat in (1, 2, 3):
        found = do(table, f"{seat} false-win")
    assert kinds(found) == ["Draw"]


def test_the_last_live_tile_is_not_discarded_in_hebei() -> None:
    """H16: with a reserve of 20 stacks 43 tiles are drawn, the last by a seat that may only win."""
    table = begin("hebei", [], reserve_stacks=20)
    while not table.over:
        seat = table.asked()[0]
        legal = table.legal(seat)
        table.step(seat, actions.PASS if actions.PASS in legal else legal[0])
    assert kinds(table.events[-2:]) == ["Draw", "End"] and table.remaining == 0


def test_following_the_dealer() -> None:
    """H23: the dealer pays each when the fourth discard is not claimed; play goes on."""
    table = begin("hebei", [], "1z1z1z1z", follow_dealer=True, base_point=3)
    found = do(table, *(f"{seat} discard 1z" for seat in range(4)))
    assert kinds(found) == ["Discard", "Pay", "Draw"] and table.scores == [-9, 3, 3, 3]
