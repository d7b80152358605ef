"""Rule sets made up at random, of known mechanisms in any order and company: compiled equals naive, whatever a sheet says."""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from hongzhong.rules.checks import WAYS_OF_WINNING
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import COMMON_OFFERS, Bar, Condition, Form, Offer, Pattern, Sheet
from hongzhong.rules.vocabulary import CLAIMS, CONDITIONS, FACTS, FORMS, OPTIONS, PATTERNS, Text
from hongzhong.tiles import KIND_OF

from .naive import compare

SHEETS = int(os.environ.get("HONGZHONG_SHEETS", "48"))
PARTS = 4
WORDS = Text("made up", "编的")
TILES = ({"m": 4, "s": 4, "p": 4, "z": 4}, {"m": 4, "s": 4, "p": 4}, {"m": 4, "s": 4, "p": 4, "7z": 4})
OF_ONE_REGION = {"melded_hand_multiplier", "thirteen_orphans", "thirteen_orphans_fan", "three_suits", "colour_rule"}
"""Options that a form, a condition or a price of their sheet hangs on."""


def made_up(random: Random) -> Sheet:
    """Raises ``RuleError`` where an exception comes to depend on the way of winning."""
    tiles = random.choice(TILES)
    kinds = [name for name in KIND_OF if name in tiles or name[1] in tiles]
    names = random.sample(PATTERNS[1:], random.randrange(4, len(PATTERNS)))
    names.insert(random.randrange(3), "plain")
    free = [name for name in names if name not in WAYS_OF_WINNING]
    conditions = [
        Condition(id=name, ruling="X", reason=f"no_{name}", text=WORDS, exempt=tuple(random.sample(free, random.choice((0, 0, 1)))))
        for name in CONDITIONS
        if random.random() < 0.3
    ]  # fmt: skip
    random.shuffle(conditions)
    return Sheet(
        id="made_up",
        name=WORDS,
        summary=WORDS,
        revision=1,
        tiles=tiles,
        tiles_ruling="X",
        wild=tuple(random.sample(kinds, random.choice((0, 0, 1, 1, 2)))),
        claims=tuple(claim for claim in CLAIMS if random.random() < 0.85),
        forms=tuple(Form(form, "X") for form in FORMS if form == "four_sets" or random.random() < 0.6),
        conditions=tuple(conditions),
        patterns=tuple(row(random, names, place) for place in range(len(names))),
        first_dealer="random",
        first_dealer_ruling="X",
        offers=tuple(
            Offer(name, spec.neutral, "X")
            for name, spec in OPTIONS.items()
            if name not in OF_ONE_REGION and name not in {offer.id for offer in COMMON_OFFERS}
        ),
    )


def row(random: Random, names: list[str], place: int) -> Pattern:
    """A row that may name those above it, facts and conditions."""
    above = names[:place]
    known = [*above, *FACTS, *CONDITIONS]
    kind = random.choice(("base", "fan", "times"))
    return Pattern(
        id=names[place],
        kind=kind,  # type: ignore[arg-type]
        value=random.choice((1, 2, 2, 3)) if kind == "times" else random.randrange(1, 6),
        ruling="X",
        name=WORDS,
        requires=tuple(random.sample(known, 1)) if random.random() < 0.15 else (),
        requires_any=tuple(random.sample(known, 2)) if random.random() < 0.1 else (),
        barred_by=tuple(Bar(name) for name in random.sample(above, 1)) if above and random.random() < 0.25 else (),
    )


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_a_sheet_says(part: int) -> None:
    tally: Counter[str] = Counter()
    for number in range(part, SHEETS, PARTS):
        random = Random(f"sheet {number}")
        try:
            sheet = made_up(random)
        except RuleError:
            continue
        for found in compare.compare_scores(sheet, 100, number, tally):
            pytest.fail(f"sheet {number}: {found}\n{sheet}")
        for found in compare.compare_waits(sheet, 50, number, tally):
            pytest.fail(f"sheet {number}: {found}\n{sheet}")
    assert tally["wins"] > tally["hands"] // 20 and tally["ready"] > 20


@pytest.mark.parametrize("name", sorted(WAYS_OF_WINNING))
def test_an_exception_by_the_way_of_winning_is_refused(name: str) -> None:
    """What a seat waits for is known before anybody knows how it will come."""

    def sheet(*rows: Pattern, exempt: str) -> Sheet:
        condition = Condition(id="suit_tile", ruling="X", reason="no_suit_tile", text=WORDS, exempt=(exempt,))
        return Sheet(
            id="by_way", name=WORDS, summary=WORDS, revision=1, tiles=TILES[0], tiles_ruling="X", claims=(),
            forms=(Form("four_sets", "X"),), conditions=(condition,), patterns=rows, first_dealer="random", first_dealer_ruling="X",
        )  # fmt: skip

    way = Pattern(id=name, kind="fan", value=1, ruling="X", name=WORDS)
    pungs = Pattern(id="all_pungs", kind="fan", value=1, ruling="X", name=WORDS, barred_by=(Bar(name),))
    assert sheet(way, exempt="all_pungs").conditions
    for exempt in (name, "all_pungs"):
        with pytest.raises(RuleError, match=f"unknown mechanism '{exempt} exempt from suit_tile'"):
            sheet(way, pungs, exempt=exempt)
