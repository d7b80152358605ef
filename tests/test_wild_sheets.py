"""Sheets from outside whose wild tiles are of any kind: a suit tile, several kinds, an honour among natural ones. Wins, readings,
patterns, prices, waits, play and, where it is offered, the distance are those of the second opinion."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hongzhong import rules
from hongzhong.analysis import AnalysisError, Analyst
from hongzhong.kernels import measure
from hongzhong.plans import plans_of
from hongzhong.rules.variant import Offer, Sheet, resolve
from hongzhong.score import ScoreError, Scorer
from hongzhong.tiles import parse_meld, parse_mpsz, parse_tile
from tests import strategies
from tests.targets import nearest
from tests.test_distance import MOST, masks, measured, random_hand, with_tile
from tests.test_naive_flow import Walls, play

from .naive import compare

HANDS = int(os.environ.get("HONGZHONG_NAIVE_HANDS", "20000")) // 10
OFFERS = (Offer("fifth_copy", True, "test"), Offer("wild_discard_wins", True, "test"))
HEBEI, HEBEI_108 = rules.sheet("hebei"), rules.sheet("hebei_108")
INNER, QIQIHAR = rules.sheet("inner_mongolia"), rules.sheet("qiqihar")


def made(base: Sheet, *wild: str, pair: bool = False, **changed: Any) -> Sheet:
    """A rule set of its own that plays as ``base`` with these tiles wild."""
    rows = base.patterns + ((QIQIHAR.pattern("wild_pair"),) if pair else ())
    offers = base.offers if base is QIQIHAR else base.offers + OFFERS
    return replace(base, **{"id": "wild", "examples": (), "wild": wild, "patterns": rows, "offers": offers} | changed)


SHEETS = {
    "hebei, 5m": made(HEBEI, "5m", pair=True),
    "hebei, 1m and 7z": made(HEBEI, "1m", "7z"),
    "hebei_108, 9s": made(HEBEI_108, "9s", pair=True),
    "inner_mongolia, 2p": made(INNER, "2p"),
    "inner_mongolia, 1z": made(INNER, "1z"),
    "qiqihar, 5m": made(QIQIHAR, "5m"),
    "136 tiles, 7z": made(QIQIHAR, "7z", tiles=HEBEI.tiles, claims=HEBEI.claims),
    "108 tiles, 5m and 9p": made(QIQIHAR, "5m", "9p", tiles=HEBEI_108.tiles, conditions=()),
    "without 2-8m": made(QIQIHAR, "7z", tiles={"1m": 4, "9m": 4, "s": 4, "p": 4, "7z": 4}),
}
EXACT = [name for name, sheet in SHEETS.items() if not plans_of(resolve(sheet)).lack]


@pytest.mark.parametrize("name", SHEETS)
def test_scores_are_those_of_the_second_opinion(name: str) -> None:
    tally: Counter[str] = Counter()
    found = list(compare.compare_scores(SHEETS[name], HANDS, name, tally))
    assert not found, f"{len(found)} disagreements, such as\n" + "\n".join(found[:3])
    assert tally["wins"] > tally["hands"] // 8


@pytest.mark.parametrize("name", SHEETS)
def test_waits_are_those_of_the_second_opinion(name: str) -> None:
    tally: Counter[str] = Counter()
    found = list(compare.compare_waits(SHEETS[name], max(50, HANDS // 10), name, tally))
    assert not found, f"{len(found)} disagreements, such as\n" + "\n".join(found[:3])
    assert tally["ready"] > tally["hands"] // 10


@pytest.mark.parametrize("name", SHEETS)
def test_the_flow_is_that_of_the_second_opinion(name: str) -> None:
    random = Random(f"flow {name}")
    walls = Walls(SHEETS[name], random)
    tally: Counter[str] = Counter()
    for _ in range(40):
        found = play(SHEETS[name], walls, random, tally)
        assert not found, f"hand {tally['hands']}: {found}"


@pytest.mark.parametrize("fifth_copy", [True, False])
@pytest.mark.parametrize("name", EXACT)
def test_distance_and_waits_are_those_of_the_nearest_winning_hand(name: str, fifth_copy: bool) -> None:
    sheet = resolve(SHEETS[name], {"fifth_copy": fifth_copy})
    chance = Random(f"distance {name} {fifth_copy}")
    hands = [random_hand(sheet, chance, extra) for extra in (0, 1) for _ in range(60)]
    for hand, found in zip(hands, measured(sheet, hands), strict=True):
        assert min(found, MOST + 1) == nearest(sheet, hand, MOST), hand
    for hand, mask in zip(hands[:60], masks(sheet, hands[:60], measure.wait_masks), strict=True):
        kinds = [kind for kind in range(34) if sheet.sheet.copies[kind]]
        wanted = sum(1 << k for k in kinds if nearest(sheet, with_tile(sheet, hand, k), -1, formal=True) == -1)
        assert mask == wanted, hand


def test_two_sheets_are_exact_and_the_others_say_why_not() -> None:
    """No distance is told where it would only be a bound: the analysis is refused by what it lacks."""
    assert EXACT == ["136 tiles, 7z", "108 tiles, 5m and 9p"]
    for name in set(SHEETS) - set(EXACT):
        with pytest.raises(AnalysisError, match=r"cannot be analysed: the hand tables do not know .*wild tile"):
            Analyst(resolve(SHEETS[name]))


def test_no_distance_is_told_with_a_hand_that_does_not_win_either() -> None:
    """135p is one exchange away, but with a wild tile under a condition the tables only know a bound; the waits are exact."""
    for name, distance in (("hebei, 5m", -1), ("108 tiles, 5m and 9p", 0)):
        scorer = Scorer(resolve(SHEETS[name]))
        hand = scorer.check(parse_mpsz("123m678m999s88s46p"), (), parse_tile("1p"), "draw")
        said = scorer.verdict(hand, advise=True)
        assert (said.win, said.distance) == (False, distance), name


def test_a_wild_tile_plays_its_own_kind_too() -> None:
    """4m 5m 6m with 5m wild is a run; so are 4m 6m and any other wild tile."""
    scorer = Scorer(resolve(SHEETS["108 tiles, 5m and 9p"]))
    for concealed in ("456m111s234s88s67p", "46m9p111s234s88s67p"):
        said = scorer.verdict(scorer.check(parse_mpsz(concealed), (), parse_tile("8p"), "draw"))
        assert said.win and said.reading == "45*6m 111s 234s 678p 88s"


@pytest.mark.parametrize("meld", ["(345m)", "(456m)", "(567m)", "(555m)", "[5555m]"])
def test_no_meld_holds_a_wild_tile(meld: str) -> None:
    """Q3, whichever place of a chow it has."""
    sheet = resolve(SHEETS["hebei, 5m"])
    scorer = Scorer(sheet)
    with pytest.raises(ScoreError, match="5m is wild and is never melded"):
        scorer.check(parse_mpsz("111s22s345p88p"), [parse_meld(meld)], parse_tile("8p"), "draw")
    laid, meld_fault = parse_meld(meld), getattr(measure.meld_fault, "py_func", measure.meld_fault)
    assert meld_fault(scorer.record[0], laid.form, laid.kind) == measure.BARRED_MELD


def test_a_bar_by_what_a_reading_shows_is_weighed_by_both_ways_of_scoring() -> None:
    """Triplets would be all pungs, which bars the dearer full flush here: the runs pay more."""
    sheet = replace(
        SHEETS["108 tiles, 5m and 9p"],
        patterns=(
            replace(HEBEI.pattern("all_pungs"), barred_by=()),
            replace(HEBEI.pattern("full_flush"), requires=(), barred_by=HEBEI.pattern("full_flush").barred_by[:1]),
        ),
        forms=QIQIHAR.forms[:1],
    )
    scorer = Scorer(resolve(sheet))
    hand = scorer.check(parse_mpsz("1112223338889s"), (), parse_tile("9s"), "draw")
    assert scorer.verdict(hand).points == 3 == scorer.worth(hand)[0]


def test_the_fourth_of_a_kind_is_paired_with_a_wild_tile() -> None:
    """Q5 and all pungs, free of the colour rule: 222z, 2z and a wild 2z, 999p or 555p, a wild third."""
    sheet = resolve(SHEETS["hebei, 5m"])
    hand = strategies.Drawn(tuple(parse_mpsz("55m5599p2222z")), (parse_meld("(111z)"),), 0)
    assert compare.compiled_waits(sheet, [hand]) == [set(parse_mpsz("5m59p2z"))]


def test_two_triplets_of_an_honour_with_wild_tiles() -> None:
    """Q5: 444z and 4z with two wild tiles beside 22s, the one pair that a 2, 5 or 8 makes (N2)."""
    sheet = resolve(SHEETS["inner_mongolia, 2p"])
    hand = strategies.Drawn(tuple(parse_mpsz("22s222p14444z")), (parse_meld("(333z)"),), 0)
    assert compare.compiled_waits(sheet, [hand]) == [set(parse_mpsz("2p14z"))]


def test_random_hands_meld_no_wild_tile() -> None:
    maker = strategies.Maker(SHEETS["hebei, 5m"], Random(1))
    melds = [meld for _ in range(500) for meld in maker.hand().melds]
    assert melds and all(4 not in meld.kinds() for meld in melds)
