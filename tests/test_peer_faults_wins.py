"""Faults that users of other engines reported, in wins and waits: each is a test here, with values worked out by hand.

Every hand is put to the compiled kernels and to the slow second opinion.
"""

from __future__ import annotations

from typing import Any

import pytest

from hongzhong import rules
from hongzhong.score import ScoreError, Scorer
from hongzhong.tiles import format_mpsz, parse_meld, parse_mpsz, parse_tile

from .naive import compare
from .naive import win as naive
from .strategies import Drawn


def judged(
    name: str, concealed: str, tile: str, *melds: str, by: str = "discard", options: dict[str, Any] | None = None
) -> tuple[int | None, str, set[str]]:
    """``(points, reading, pattern ids)``, points None for no win; compiled and naive agree on them."""
    ruleset = rules.load(name, options)
    scorer = Scorer(ruleset)
    sets = [parse_meld(meld) for meld in melds]
    hand = scorer.check(parse_mpsz(concealed), sets, parse_tile(tile), by)
    said = scorer.verdict(hand)
    want = naive.score(ruleset, naive.Case(tuple(parse_mpsz(concealed)), tuple(sets), parse_tile(tile), by))
    rows = tuple((row.id, row.count) for row in said.patterns)
    assert (said.win, said.points, said.reading) == (want.win, want.points, want.reading)
    assert rows in (want.ties or {()})
    return (said.points if said.win else None), said.reading, {row.id for row in said.patterns}


def waits(name: str, concealed: str, *melds: str, options: dict[str, Any] | None = None) -> str:
    """Kinds waited for as text; compiled and naive agree on them."""
    ruleset = rules.load(name, options)
    hand = Drawn(tuple(parse_mpsz(concealed)), tuple(parse_meld(meld) for meld in melds), 0)
    found = compare.compiled_waits(ruleset, [hand])[0]
    assert found == naive.waits(ruleset, hand.concealed, hand.melds)
    return format_mpsz(sorted(found))


def test_a_wild_tile_is_spent_once() -> None:
    """12m and 45p both want the one 红中: no win. With two of them both runs are filled and none is left for the pair."""
    assert judged("qiqihar", "12m45p678m999p88p7z", "5m")[0] is None
    assert judged("qiqihar", "12m45p678m999p88p7z", "7z")[0] == 2  # concealed


def test_too_few_wild_tiles_do_not_win() -> None:
    """13, 57 of two suits and 99p want four wild tiles: three and a lone 9m do not do."""
    assert judged("qiqihar", "13579m13579p777z", "9p")[0] is None
    assert judged("qiqihar", "1357m13579p7777z", "9p")[0] == 2  # concealed


def test_a_fifth_copy_through_a_wild_tile_is_an_option() -> None:
    """Q5. 111m and the pair 1m 红中, a fifth 1m: concealed 2 x red pair 2. Copies in own melds count too."""
    hand = ("qiqihar", "1111m345m678m234p", "7z")
    assert judged(*hand) == (4, "111m 345m 678m 234p 11*m", {"plain", "concealed", "wild_pair"})
    assert judged(*hand, options={"fifth_copy": False})[0] is None
    melded = ("qiqihar", "46p7z234m678m9m", "9m", "(5555p)")
    assert judged(*melded)[:2] == (1, "234m 678m 45*6p 99m (5555p)")
    assert judged(*melded, options={"fifth_copy": False})[0] is None


def test_four_melds_and_two_different_tiles_do_not_win() -> None:
    assert judged("qiqihar", "7p", "8p", "(111m)", "(333m)", "(5555p)", "(999p)")[0] is None
    assert judged("qiqihar", "7p", "7p", "(111m)", "(333m)", "(5555p)", "(999p)")[0] == 1
    assert judged("hebei", "7p", "8p", "(111m)", "(333m)", "(555m)", "(999p)")[0] is None
    assert judged("hebei", "7p", "7p", "(111m)", "(333m)", "(555m)", "(999p)")[0] == 4  # all pungs 2, single wait 2


@pytest.mark.parametrize("honours", ["123z", "234z", "345z", "567z"])
def test_honours_form_no_runs(honours: str) -> None:
    """C8."""
    assert judged("hebei", f"123m456m55m{honours}78m", "9m")[0] is None
    assert judged("inner_mongolia", f"123m456s55p{honours}78m", "9m")[0] is None


@pytest.mark.parametrize(
    ("concealed", "tile"), [("123m456m77m999p89m", "1s"), ("456m777m99p678p12s", "9m"), ("123s456s77s999m89s", "1p")]
)
def test_runs_do_not_cross_suits(concealed: str, tile: str) -> None:
    """9m and 1s, 9s and 1p stand side by side among the kinds, but in no suit."""
    assert judged("hebei_108", concealed, tile)[0] is None


def test_seven_pairs_takes_no_meld() -> None:
    """C6: pairs beside a pung or a concealed kong are no seven pairs; without one they are."""
    assert judged("qiqihar", "33m55m77m22p4p6p", "4p", "(111m)")[0] is None
    assert judged("hebei", "33m55m77m22p4p6p", "4p", "[9999m]")[0] is None
    assert judged("qiqihar", "33m55m77m22p44p66p9p", "9p")[0] == 3


def test_four_alike_are_two_of_seven_pairs() -> None:
    """C6; three alike and a wild tile are two as well."""
    assert judged("qiqihar", "1111m33m55m22p44p6p", "6p")[:2] == (3, "11m 11m 33m 55m 22p 44p 66p")
    assert judged("qiqihar", "111m7z33m55m22p44p6p", "6p")[:2] == (3, "11*m 11m 33m 55m 22p 44p 66p")
    assert judged("hebei", "1111m33m55m22p44p1z", "1z")[0] == 4  # seven pairs 2 x concealed 2 (H6)


def test_the_best_reading_counts() -> None:
    """C4, not the first one found."""
    # 111 222 333 as triplets: all pungs 2; as 123 three times: plain 1. Concealed doubles; 9p would win too, so no single wait
    assert judged("hebei", "111m222m333m99p11z", "1z")[:2] == (4, "111m 222m 333m 111z 99p")
    # 789m and the pair 9m 红中 (2) rather than 78m 红中 and 99m (1)
    assert judged("qiqihar", "123m56m789m9m7z", "4m", "(111p)")[:2] == (2, "123m 456m 789m 99*m (111p)")
    # pure seven pairs 12 x concealed 2, though it is four sets and a pair too
    assert judged("hebei", "112233m445566m7m", "7m")[0] == 24


def test_a_single_wait_is_the_only_wait() -> None:
    """H18."""
    assert judged("hebei", "123m456m567m8p", "8p", "(999p)")[::2] == (2, {"plain", "single_wait"})
    assert judged("hebei", "234m678m3456m", "3m", "(999p)")[::2] == (1, {"plain"})  # 6m wins too
    assert judged("hebei", "2345m678m678m", "2m", "(999p)")[::2] == (1, {"plain"})  # 5m and 8m win too


def test_the_winning_tile_completes_the_set_that_pays() -> None:
    """C4, H17, H18."""
    # 4556m and 5m: between 4 and 6 (closed 2, middle five 2) rather than in the pair (single 2); pure straight 3
    assert judged("hebei", "4556m123m789m", "5m", "(999p)") == (
        12,
        "123m 456m 789m 55m (999p)",
        {"pure_straight", "closed_wait", "middle_five"},
    )
    # 45m wait on both sides: nothing is added, though 567m has a 6 as well
    assert judged("hebei", "45m567m11m234m", "6m", "(999p)")[::2] == (1, {"plain"})


def test_equal_forms_list_the_rows_of_the_one_shown() -> None:
    """H7, H18: plain 1 x single wait 2 and seven pairs 2 pay the same; ``11m`` is the smaller text, so seven pairs it is."""
    assert judged("hebei", "112233m5m445566p", "5m") == (
        4,
        "11m 22m 33m 55m 44p 55p 66p",
        {"seven_pairs", "concealed"},
    )


def test_ready_on_a_tile_held_four_times() -> None:
    """H18 counts it formally; where no fifth copy may be used (Q5) it is no wait."""
    assert waits("hebei", "1111m678m789m", "(999p)") == "1m"
    assert waits("qiqihar", "1111m345m678m234p") == "1m7z"
    assert waits("qiqihar", "1111m345m678m234p", options={"fifth_copy": False}) == ""


def test_copies_in_own_melds() -> None:
    """46p wait for 5p, all four of which are melded: a wait only formally (H18), none without fifth copies (Q5)."""
    assert waits("hebei", "46p234m678m99m", "[5555p]") == "5p"
    assert waits("qiqihar", "46p234m678m99m", "[5555p]") == "5p7z"
    assert waits("qiqihar", "46p234m678m99m", "[5555p]", options={"fifth_copy": False}) == ""


@pytest.mark.parametrize(
    ("concealed", "melds", "wanted"),
    [
        ("5m", ("(111m)", "(222m)", "(333m)", "(999p)"), "5m"),
        ("23m55m", ("(111m)", "(444m)", "(999p)"), "14m"),
        ("23m55m678m", ("(111m)", "(999p)"), "14m"),
        ("23m55m678m678m", ("(999p)",), "14m"),
        ("23m55m678m678m999p", (), "14m"),
    ],
)
def test_hands_of_every_size_have_waits(concealed: str, melds: tuple[str, ...], wanted: str) -> None:
    """1, 4, 7, 10 and 13 concealed tiles."""
    assert waits("hebei", concealed, *melds) == wanted


def test_a_fifth_natural_copy_is_no_hand() -> None:
    """Own tiles count, melded and concealed, the winning tile too."""
    with pytest.raises(ScoreError, match="5 copies of 5p"):
        judged("hebei", "46p234m678m99m", "5p", "[5555p]")
