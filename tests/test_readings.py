"""Which reading is shown, and how: order, stand-ins, equals (C4, and the score contract)."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from hongzhong import rules
from hongzhong.score import Verdict, scorer_of
from hongzhong.tiles import KIND_NAMES, parse_meld, parse_mpsz, parse_tile

QQ, IM, HB = "qiqihar", "inner_mongolia", "hebei"


def verdict(rule_set: str, options: dict[str, Any], hand: str, by: str = "draw") -> Verdict:
    """``hand``: concealed tiles, melds, ``+`` winning tile."""
    held, _, tile = hand.partition(" + ")
    concealed, *melds = held.split()
    scorer = scorer_of(rules.load(rule_set, options))
    checked = scorer.check(parse_mpsz(concealed), [parse_meld(meld) for meld in melds], parse_tile(tile), by)
    found = scorer.verdict(checked)
    assert scorer.worth(checked) == ((found.points, found.bits) if found.win else (-1, 0))
    return found


@pytest.mark.parametrize(
    ("rule_set", "options", "hand", "reading"),
    [
        # suits m, s, p, z, then rank; the pair; the melds as given
        (IM, {}, "99p789p111z123s45m + 6m", "456m 123s 789p 111z 99p"),
        (IM, {}, "99s45m (777z) (123p) (111z) + 6m", "456m 99s (777z) (123p) (111z)"),
        (HB, {}, "5m (9999p+) [1111m] (234m) (567m) + 5m", "55m (9999p+) [1111m] (234m) (567m)"),
        # a stand-in has its star, natural tiles of equal kinds first
        (QQ, {}, "123m456m789m55p7z7z + 5p", "1*23m 456m 789m 555p 11*m"),
        (QQ, {}, "24m456m789m55p (111p) + 7z", "23*4m 456m 789m 55p (111p)"),
        # seven pairs, sorted alike; a pair of wild tiles stands for what reads smallest
        (QQ, {}, "1133557799m44p7z + 6p", "11m 33m 55m 77m 99m 44p 66*p"),
        (QQ, {}, "2233557799m44p7z + 7z", "1*1*m 22m 33m 55m 77m 99m 44p"),
        (QQ, {"fifth_copy": False}, "1111335577m44p7z + 7z", "11m 11m 2*2*m 33m 55m 77m 44p"),
        (HB, {}, "114477m225588s3z + 3z", "11m 44m 77m 22s 55s 88s 33z"),
        # thirteen orphans, the pair in its place
        (HB, {}, "19m19s19p1234567z + 6z", "19m19s19p12345667z"),
        (HB, {"any_orphan_pair": True}, "119m19s19p234567z + 1z", "119m19s19p1234567z"),
        # equal readings: more triplets first
        (QQ, {}, "111222333m55p46m + 5m", "111m 222m 333m 456m 55p"),
        (IM, {"price.all_pungs": 0}, "111222333m999s5p + 5p", "111m 222m 333m 999s 55p"),
    ],
)
def test_reading(rule_set: str, options: dict[str, Any], hand: str, reading: str) -> None:
    assert verdict(rule_set, options, hand).reading == reading


def test_the_best_paid_reading_is_shown() -> None:
    """C4 Q14 Q12: sets with a red pair above seven pairs; seven pairs above sets where they pay more."""
    sets = verdict(QQ, {}, "112233m445566m7m + 7z")
    assert (sets.points, sets.reading) == (12, "123m 123m 456m 456m 77*m")
    pairs = verdict(QQ, {}, "112233m445566m7m + 7m")
    assert (pairs.points, pairs.reading) == (9, "11m 22m 33m 44m 55m 66m 77m")
    assert [p.id for p in pairs.patterns] == ["plain", "seven_pairs", "full_flush"]


@pytest.mark.parametrize("options", [{"price.seven_pairs": 2}, {"price.seven_pairs": 2, "price.wild_pair": 1}])
def test_forms_that_pay_the_same_show_their_own_patterns(options: dict[str, Any]) -> None:
    """The patterns are those of the reading that is shown."""
    found = verdict(QQ, options, "112233445566m7p + 7p")
    assert found.points == 2
    assert ("11m" in found.reading.split()) == ("seven_pairs" in [p.id for p in found.patterns])
    assert ("123m" in found.reading) == ("concealed" in [p.id for p in found.patterns])


def tiles_of(reading: str) -> tuple[dict[str, int], int]:
    """Natural tiles by kind and how many stand-ins a reading shows, melds apart."""
    counts: dict[str, int] = {}
    stars = 0
    for part in reading.split():
        if part[0] in "([":
            continue
        letter = part[-1]
        for digit, after in pairwise(part):
            if digit == "*":
                continue
            if after == "*":
                stars += 1
            else:
                counts[digit + letter] = counts.get(digit + letter, 0) + 1
    return counts, stars


def test_a_reading_uses_every_tile_once() -> None:
    """Over generated hands with up to four wild tiles: naturals as held, a stand-in for each wild tile, one more pair than sets."""
    chance = random.Random(5)
    scorer = scorer_of(rules.load(QQ))
    wins = 0
    for _ in range(3000):
        tiles: list[int] = []
        for _ in range(4):
            start = 9 * chance.randrange(2) + chance.randrange(7)
            tiles += [start, start + 1, start + 2] if chance.random() < 0.6 else [start] * 3
        tiles += [chance.randrange(18)] * 2
        for place in chance.sample(range(14), chance.randrange(5)):
            tiles[place] = 33
        if any(tiles.count(kind) > 4 for kind in tiles):
            continue
        chance.shuffle(tiles)
        hand = scorer.check(tiles[1:], [], tiles[0], "draw")
        found = scorer.verdict(hand)
        assert found.win and scorer.worth(hand) == (found.points, found.bits)
        wins += 1
        counts, stars = tiles_of(found.reading)
        assert stars == tiles.count(33)
        assert counts == {KIND_NAMES[kind]: tiles.count(kind) for kind in set(tiles) - {33}}
        parts = found.reading.split()
        assert len(parts) == (7 if "seven_pairs" in [p.id for p in found.patterns] else 5)
    assert wins > 2000
