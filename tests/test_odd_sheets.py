"""Waits stay exact under sheets that the hand tables cannot express: there the distance is a lower bound, and says so."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hongzhong import rules
from hongzhong.kernels import measure
from hongzhong.plans import plans_of
from hongzhong.rules.variant import Condition, RuleSet, Sheet, resolve
from hongzhong.rules.vocabulary import Text
from hongzhong.tiles import KIND_OF, counts_of, parse_mpsz
from tests.naive import win
from tests.targets import Hand
from tests.test_distance import masks, random_hand

WORDS = Text("condition", "条件")


def condition(name: str, *exempt: str) -> Condition:
    return Condition(id=name, ruling="test", reason=name, text=WORDS, exempt=exempt)


def changed(name: str, *conditions: Condition, wild: tuple[str, ...] | None = None) -> Sheet:
    base = rules.sheet(name)
    return replace(base, id="odd", conditions=conditions, examples=(), wild=base.wild if wild is None else wild)


ODD = {
    "all pungs exempt from one condition of two": changed(
        "hebei", condition("eight_of_suit", "all_pungs"), condition("two_suits_or_honours")
    ),
    "an exception that only a reading shows": changed("hebei", condition("two_suits_or_honours", "pure_straight")),
    "wild tiles and three suits": changed("qiqihar", condition("three_suits", "full_flush")),
    "wild tiles, eight of a suit, a terminal": changed(
        "qiqihar", condition("eight_of_suit"), condition("terminal_or_258")
    ),
    "eight of a suit and a terminal": changed(
        "inner_mongolia", condition("eight_of_suit"), condition("terminal_or_258")
    ),
    "an exempt row that has needs of its own": changed("hebei", condition("three_suits", "full_flush")),
    "a wild tile of a suit": changed("hebei", condition("eight_of_suit"), wild=("5m",)),
}

BY_EXCEPTION = ("111m333m22s555z77z", "123456789m11p23s", "111m222s333p444m9p", "123456789m1112p", "1199m2288s3355p6p")
"""Waiting hands that meet a condition only by an exception, or nearly."""


@pytest.mark.parametrize("what", ODD)
def test_waits_are_those_of_the_second_opinion(what: str) -> None:
    sheet: RuleSet = resolve(ODD[what])
    chance = random.Random(what)
    hands = [random_hand(sheet, chance, 0) for _ in range(60)]
    if not sheet.sheet.wild:
        hands += [Hand(counts_of(parse_mpsz(text)), [], 0) for text in BY_EXCEPTION]
    assert plans_of(sheet).lack
    waiting = 0
    for hand, found in zip(hands, masks(sheet, hands, measure.wait_masks), strict=True):
        tiles = [kind for kind in range(34) for _ in range(hand.counts[kind])] + [
            KIND_OF[name] for name in sheet.sheet.wild
        ] * hand.wild
        wanted = sum(1 << kind for kind in win.waits(sheet, tiles, hand.melds))
        assert found == wanted, f"{hand}: {found:b}, not {wanted:b}"
        waiting += wanted > 0
    assert waiting > 3
