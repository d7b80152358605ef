"""A hand for each ruling that scoring obeys, and for each option the value that plays it otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from hongzhong.rules import load
from hongzhong.score import ScoreError, Scorer, Seats, Verdict
from hongzhong.tiles import parse_meld, parse_mpsz, parse_tile

QQ, IM, HB, HB_108 = "qiqihar", "inner_mongolia", "hebei", "hebei_108"
FLAGS = ("replacement", "last_tile", "first_turn")


def judge(rules: str, options: dict[str, Any], hand: str, seats: Seats | None = None) -> Verdict:
    """``hand``: concealed tiles, melds, ``+`` winning tile, way, flags."""
    held, _, won = hand.partition(" + ")
    concealed, *melds = held.split()
    tile, by, *flags = won.split()
    assert set(flags) <= set(FLAGS)
    scorer = Scorer(load(rules, options))
    checked = scorer.check(
        parse_mpsz(concealed),
        [parse_meld(meld) for meld in melds],
        parse_tile(tile),
        by,
        replacement="replacement" in flags,
        last_tile="last_tile" in flags,
        first_turn="first_turn" in flags,
        seats=seats,
    )
    return scorer.verdict(checked)


CASES: list[tuple[str, str, dict[str, Any], str, int | str]] = [
    # common
    ("C4", QQ, {}, "112233m445566m7m + 7z draw", 12),  # as seven pairs it would be 9
    ("C4", HB, {}, "111222333m9p9p45m + 6m discard", 2),  # 111 222 333 or 123 123 123: plain, concealed
    ("C5", QQ, {}, "123m456m55m23p (111s) + 4p draw", "three_suits"),
    ("C5", IM, {}, "234m345m33m45p (666s) + 6p discard", "no_terminal_or_258"),
    ("C5", IM, {}, "234m345m33m45p (999s) + 6p discard", 1),
    ("C6", QQ, {}, "1111335577m224p + 4p draw", 3),
    ("C6", QQ, {}, "3355m7799m22p (111m) + 2p draw", "incomplete"),
    ("C8", IM, {}, "123m456s789p99p12z + 3z draw", "incomplete"),
    ("C9", QQ, {"base_point": 5}, "123m456m55m23p (999p) + 4p draw", 5),
    ("C9", QQ, {"price.plain": 7}, "123m456m55m23p (999p) + 4p draw", 7),
    ("C9", HB, {"price.concealed": 1}, "123m456m55m789p34p + 5p discard", 1),
    ("C9", QQ, {"discard_wins": False}, "123m456m55m23p (999p) + 4p discard", "no_discard_win"),
    # Qiqihar
    ("Q0", QQ, {}, "123m456m789m55p23p + 1p draw", 2),
    ("Q4", QQ, {}, "123m456m789m55p23p + 7z discard", 2),
    ("Q4", QQ, {"wild_discard_wins": False}, "123m456m789m55p23p + 7z discard", "no_wild_discard_win"),
    ("Q4", QQ, {"wild_discard_wins": False}, "123m456m789m55p23p + 7z draw", 2),
    ("Q5", QQ, {}, "89m123m456m99p (7777m) + 7z draw", 1),
    ("Q5", QQ, {"fifth_copy": False}, "89m123m456m99p (7777m) + 7z draw", "incomplete"),
    ("Q7", QQ, {}, "123m456m55m23p (999p) + 4p discard last_tile", 1),
    ("Q9", QQ, {}, "123m456m789s55p23p + 4p draw", "three_suits"),
    ("Q9", QQ, {}, "123m456m777z55m23p + 4p discard", 4),
    ("Q10", QQ, {}, "123m456m789m55p23p + 1p discard", 2),
    ("Q10", QQ, {"concealed_on_discard": False}, "123m456m789m55p23p + 1p discard", 1),
    ("Q10", QQ, {"concealed_on_discard": False}, "123m456m789m55p23p + 1p draw", 2),
    ("Q11", QQ, {}, "234m55p678p23p [1111m] + 4p draw", 1),
    ("Q11", QQ, {"concealed_kong_keeps_concealed": True}, "234m55p678p23p [1111m] + 4p draw", 2),
    ("Q12", QQ, {}, "11335577m22446p + 6p discard", 3),
    ("Q12", QQ, {"seven_pairs_adds_concealed": True}, "11335577m22446p + 6p discard", 6),
    ("Q14", QQ, {}, "123m456m789m23p5p7z + 4p discard", 4),
    ("Q14", QQ, {}, "11335577m22p44p7z + 6p discard", 3),  # not in seven pairs
    ("Q16", QQ, {}, "123m456m55m23p (999p) + 4p draw last_tile", 2),
    ("Q16", QQ, {"last_discard_counts": True}, "123m456m55m23p (999p) + 4p discard last_tile", 2),
    ("Q17", QQ, {}, "234m55p678p23p (1111m) + 4p draw replacement", 2),
    ("Q17", QQ, {}, "234m55p678p23p (1111m) + 4p draw replacement last_tile", 4),
    ("Q18", QQ, {}, "123m456m55m23p (999p) + 4p kong", 1),
    ("Q18", QQ, {"rob_kong": False}, "123m456m55m23p (999p) + 4p kong", "no_robbing"),
    ("Q23", QQ, {}, "5p (111m) (222m) (333p) (4444p) + 5p draw", 1),
    ("Q23", QQ, {"melded_hand_multiplier": 4}, "5p (111m) (222m) (333p) (4444p) + 5p draw", 4),
    ("Q24", QQ, {}, "44p5p5p (111m) (222m) (333p) + 5p draw", 1),
    ("Q24", QQ, {}, "123m456m789m7777z + 5p draw", 4),
    # Inner Mongolia
    ("N0", IM, {}, "456s789p55p23p (123m) + 4p discard", 1),
    ("N1", IM, {}, "123m456m789m55m23m + 4m discard", 5),
    ("N1", IM, {"three_suits": "strict"}, "123m456m789m55m23m + 4m discard", "missing_suit"),
    ("N1", IM, {}, "123m456m99m23p (777p) + 4p draw", "missing_suit"),
    ("N1", IM, {"three_suits": "off"}, "123m456m99m23p (777p) + 4p draw", 2),
    ("N1", IM, {}, "1122335577m99m2m + 2m discard", 7),
    ("N2", IM, {}, "234m345m678s45p33p + 6p discard", "no_terminal_or_258"),
    ("N2", IM, {}, "234m345m678s45p22p + 6p discard", 2),
    ("N2", IM, {}, "234m345s33p45p (111z) + 6p discard", "no_terminal_or_258"),
    ("N2", IM, {"honours_are_terminals": True}, "234m345s33p45p (111z) + 6p discard", 1),
    ("N2", IM, {}, "2244m33665s4488p + 5s discard", "no_terminal_or_258"),
    ("N2", IM, {"seven_pairs_258": True}, "2244m33665s4488p + 5s discard", 4),
    ("N3", IM, {}, "19m19s19p1234567z + 1m draw", "incomplete"),
    ("N3", IM, {"thirteen_orphans": True}, "19m19s19p1234567z + 1m draw", 13),
    ("N3", IM, {"thirteen_orphans": True, "thirteen_orphans_fan": 20}, "19m19s19p1234567z + 1m draw", 23),
    ("N3", IM, {"thirteen_orphans": True, "any_orphan_pair": False}, "19m19s19p1234567z + 1m draw", "incomplete"),
    ("N4", IM, {"fan_points": "doubling"}, "123m456m789m55m23m + 4m discard", 16),
    ("N7", IM, {}, "45p99p345s (1111m) [2222s] + 6p discard", 4),
    ("N7", IM, {}, "45p99p345s (1111m+) (2222s) + 6p draw", 4),
    ("N9", IM, {}, "333m555m77m99m [1111m] + 9m draw", 10),
    ("N9", IM, {"concealed_kong_keeps_concealed": False}, "333m555m77m99m [1111m] + 9m draw", 9),
    ("N9", IM, {"concealed_on_discard": False}, "234m345m678s45p22p + 6p discard", 1),
    ("N11", IM, {}, "1122m3344s55667p + 7p discard", 4),
    ("N11", IM, {"seven_pairs_adds_concealed": False}, "1122m3344s55667p + 7p discard", 3),
    ("N13", IM, {}, "456s789p55p23p (123m) + 4p draw last_tile", 3),
    ("N13", IM, {}, "456s789p55p23p (123m) + 4p discard last_tile", 1),
    ("N13", IM, {"last_discard_counts": True}, "456s789p55p23p (123m) + 4p discard last_tile", 2),
    ("N14", IM, {}, "456s789p55p23p [1111m] + 4p draw replacement", 7),
    ("N15", IM, {}, "456s789p55p23p (123m) + 4p kong", "no_robbing"),
    ("N15", IM, {"rob_kong": True}, "456s789p55p23p (123m) + 4p kong", 1),
    ("N21", IM, {}, "111222333z4455z + 4z draw", "no_suit_tile"),
    ("N21", IM, {"three_suits": "off", "honours_are_terminals": True}, "111222333z4455z + 4z draw", "no_suit_tile"),
    ("N22", IM, {}, "123m456m99m78m (111z) + 9m discard", 2),
    ("N22", IM, {}, "222s333p99m55z (1111m) + 9m discard", 4),
    # Hebei
    ("H0", HB_108, {}, "123m456m55m67s345p + 8s discard", 2),
    ("H2", HB, {"base_point": 5}, "123m456m55m34p (999p) + 5p draw", 10),
    ("H3", HB, {}, "123m456m55m678s34p + 5p discard", "three_suits"),
    ("H3", HB, {"colour_rule": "eight_only"}, "123m456m55m678s34p + 5p discard", 2),
    ("H3", HB, {}, "123m456m55m34p (111z) + 5p discard", 1),
    ("H3", HB, {}, "34p555z22s (1111m) (6666m) + 5p discard", 1),
    ("H4", HB_108, {}, "123m456m55m678s34p + 5p discard", 2),
    ("H4", HB_108, {"colour_rule": "two_suits"}, "123m456m55m678s34p + 5p discard", "three_suits"),
    ("H5", HB, {}, "123m456m55z34p (111z) + 5p discard", "no_eight_of_suit"),
    ("H5", HB, {}, "345678p5p (1111m) (2222m) + 5p discard", 1),
    ("H6", HB, {}, "123m456m55m789p34p + 5p discard", 2),
    ("H6", HB, {"concealed_on_discard": False}, "123m456m55m789p34p + 5p discard", 1),
    ("H6", HB, {}, "234m567m55p34p [1111m] + 5p discard", 1),
    ("H6", HB, {"concealed_kong_keeps_concealed": True}, "234m567m55p34p [1111m] + 5p discard", 2),
    ("H6", HB, {}, "1133m5577s2299p1z + 1z discard", 4),
    ("H6", HB, {"seven_pairs_adds_concealed": False}, "1133m5577s2299p1z + 1z discard", 2),
    ("H6", HB, {"seven_pairs_adds_concealed": False}, "19m19s19p1234567z + 7z discard", 15),
    ("H7", HB, {}, "234m456m78m55z (111z) + 9m discard", 2),
    ("H7", HB, {}, "44z55z (111m) (222s) (333p) + 4z discard", 2),
    ("H7", HB, {}, "234m567m99m78m (111m) + 6m discard", 3),
    ("H7", HB, {}, "1122335599m44s6p + 6p discard", 12),
    ("H7", HB, {}, "112244m557788m9m + 9m discard", 24),
    ("H7", HB, {}, "19m19s19p1234567z + 7z discard", 30),
    ("H7", HB, {}, "4455z (111z) (222z) (333z) + 4z discard", 15),
    ("H8", HB, {}, "99p88p (1111m) (222m) (333m) + 9p discard", 1),
    ("H8", HB, {}, "44z55z (1111m) (222s) (333p) + 4z discard", "no_eight_of_suit"),
    ("H9", HB, {}, "5567p (123m) (456m) (789m) + 8p discard", 3),
    ("H9", HB, {}, "5p (123m) (456m) (789m) (1111p) + 5p discard", 6),
    ("H9", HB, {}, "1567m89m9p (234m) (999s) + 9p discard", "incomplete"),
    ("H10", HB, {}, "1155z (123m) (456m) (789m) + 1z discard", 3),
    ("H11", HB, {}, "19m19s19p1234567z + 1m discard", "incomplete"),
    ("H11", HB, {"any_orphan_pair": True}, "19m19s19p1234567z + 1m discard", 30),
    ("H12", HB, {}, "1122334455667z + 7z discard", 4),
    ("H13", HB, {}, "77m99m (111m) (333m) (555m) + 7m discard", 4),
    ("H13", HB, {}, "5567m (123m) (456m) (789m) + 8m discard", 6),
    ("H15", HB, {}, "123m456m55m34p (999p) + 5p draw", 2),
    ("H15", HB, {}, "123m456m34p55m (9999p) + 5p draw replacement", 4),
    ("H16", HB, {}, "123m456m55m34p (999p) + 5p draw last_tile", 4),
    ("H16", HB, {}, "123m456m34p55m (9999p) + 5p draw replacement last_tile", 8),
    ("H17", HB, {}, "123m678m22m46m (999p) + 5m discard", 4),
    ("H17", HB, {"middle_five_stacks": False}, "123m678m22m46m (999p) + 5m discard", 2),
    ("H18", HB, {}, "456m678m55m12m (999p) + 3m discard", 2),
    ("H18", HB, {}, "123m456m55m24p (999m) + 3p discard", 2),
    ("H18", HB, {}, "123m456m888m9p (777p) + 9p discard", 2),
    # 5m alone wins; it completes 456 as well as the pair, and the middle five pays more (C4)
    ("H18", HB, {}, "123m456m5m888m (777p) + 5m discard", 4),
]


@pytest.mark.parametrize(("ruling", "rules", "options", "hand", "expected"), CASES)
def test_ruling(ruling: str, rules: str, options: dict[str, Any], hand: str, expected: int | str) -> None:
    verdict = judge(rules, options, hand)
    assert (verdict.points if verdict.win else verdict.reason) == expected


BLESSED = [
    ("N12", IM, {}, "123m456p789s111z5m + 5m draw first_turn", Seats(0, 0), 8),
    ("N12", IM, {}, "123m456p789s55p23p + 4p discard first_turn", Seats(2, 0, 0), 5),
    ("N12", IM, {}, "123m456p789s55p23p + 4p draw first_turn", Seats(2, 0), 3),
    ("N12", IM, {"earth_on_first_draw": True}, "123m456p789s55p23p + 4p draw first_turn", Seats(2, 0), 6),
    ("Q21", QQ, {}, "123m456m789m55p23p + 4p draw first_turn", Seats(0, 0), 2),
]


@pytest.mark.parametrize(("ruling", "rules", "options", "hand", "seats", "points"), BLESSED)
def test_blessings(ruling: str, rules: str, options: dict[str, Any], hand: str, seats: Seats, points: int) -> None:
    assert judge(rules, options, hand, seats).points == points


WON = "123m456m55m23p (999p) + 4p"
"""Worth 1 in Qiqihar and Hebei by discard; seat 2 wins, seat 1 deals, seat 0 discards."""
PAID = [
    ("Q17", QQ, {}, "234m55p678p23p (1111m) + 4p draw replacement", (-2, -2, 6, -2)),
    ("Q19", QQ, {}, f"{WON} discard", (-1, 0, 1, 0)),
    ("Q19", QQ, {}, f"{WON} draw", (-1, -1, 3, -1)),
    ("Q18", QQ, {}, f"{WON} kong", (-1, 0, 1, 0)),
    ("C9", QQ, {"discard_pays": "all"}, f"{WON} discard", (-1, -1, 3, -1)),
    ("C9", QQ, {"discard_pays": "discarder_for_all", "dealer_multiplier": 2}, f"{WON} discard", (-4, 0, 4, 0)),
    ("C9", QQ, {"discard_pays": "discarder_for_all", "cap": 3}, f"{WON} discard", (-3, 0, 3, 0)),
    ("C9", QQ, {"cap": 2, "base_point": 3}, f"{WON} draw", (-2, -2, 6, -2)),
    ("N5", IM, {}, "456s789p55p23p (123m) + 4p discard", (-1, 0, 1, 0)),
    ("N5", IM, {}, "456s789p55p23p (123m) + 4p draw", (-2, -2, 6, -2)),
    ("H19", HB, {}, f"{WON} discard", (-1, -2, 4, -1)),
    ("H19", HB, {"dealer_multiplier": 1}, f"{WON} discard", (-1, -1, 3, -1)),
    ("H20", HB, {"discard_pays": "discarder"}, f"{WON} discard", (-1, 0, 1, 0)),
    ("H20", HB, {"discard_pays": "discarder_for_all"}, f"{WON} discard", (-4, 0, 4, 0)),
]


@pytest.mark.parametrize(("ruling", "rules", "options", "hand", "payments"), PAID)
def test_payments(ruling: str, rules: str, options: dict[str, Any], hand: str, payments: tuple[int, ...]) -> None:
    source = -1 if " draw" in hand else 0
    assert judge(rules, options, hand, Seats(2, 1, source)).payments == payments


def test_a_winning_dealer_is_paid_double() -> None:
    """H19, also self-drawn (H15)."""
    assert judge(HB, {}, f"{WON} draw", Seats(2, 2)).payments == (-4, -4, 12, -4)


BARRED = [
    ("Q0", QQ, "456m55m23p (123m) (999p) + 4p draw"),
    ("Q3", QQ, "123m456m55m23p (777z) + 4p draw"),
    ("Q3", QQ, "456m55m23p2p2p7z (7777z) + 4p draw"),
    ("C3", QQ, "123m456m55m23p (999p) + 4p draw replacement"),
    ("H0", HB_108, "123m55m23p67s (456m) + 8s discard"),
    ("H0", HB_108, "123m456m55m23p (111z) + 4p draw"),
    ("H16", HB, "123m456m55m34p (999p) + 5p discard last_tile"),
]


@pytest.mark.parametrize(("ruling", "rules", "hand"), BARRED)
def test_hands_that_cannot_be(ruling: str, rules: str, hand: str) -> None:
    with pytest.raises(ScoreError):
        judge(rules, {}, hand)
