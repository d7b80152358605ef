"""Random hands of a sheet put to the kernels and to the second opinion: what they disagree on, as text."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

from hongzhong import layout
from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.rules.variant import RuleSet, Sheet
from hongzhong.score import ScoreError, Scorer, Seats
from hongzhong.tiles import Meld, format_meld, format_mpsz
from tests import strategies

from . import win as naive

HANDS_A_RULE_SET = 50
"""Hands under the same random options, before new ones are drawn."""


def describe(rules: RuleSet, concealed: Sequence[int], melds: Sequence[Meld], more: object) -> str:
    """A hand as a person would type it, with the options in force that differ from the defaults."""
    options = " ".join(f"{name}={value}" for name, value in rules.changed().items())
    return f"{rules.id} [{options}] {format_mpsz(concealed)} {' '.join(map(format_meld, melds))} {more}"


def disagreement(scorer: Scorer, drawn: strategies.Drawn, flags: dict[str, Any], tally: Counter[str]) -> str | None:
    """What the two say of one hand, if not the same."""
    rules = scorer.rules
    seats = Seats(flags["winner"], flags["dealer"], flags["source"])
    plain = {name: flags[name] for name in ("replacement", "last_tile", "first_turn")}
    hand = scorer.check(drawn.concealed, drawn.melds, drawn.tile, flags["by"], seats=seats, **plain)
    said = scorer.verdict(hand)
    first = flags["first_turn"]
    heaven = first and flags["by"] == "draw" and seats.winner == seats.dealer
    earth = first and flags["by"] == "discard" and seats.source == seats.dealer
    earth = earth or (first and flags["by"] == "draw" and not heaven and bool(rules.get("earth_on_first_draw")))
    case = naive.Case(
        drawn.concealed, drawn.melds, drawn.tile, flags["by"], flags["replacement"], flags["last_tile"], heaven, earth
    )
    want = naive.score(rules, case)
    tally["hands"] += 1
    tally["wins"] += want.win
    for name, _ in want.patterns:
        tally[name] += 1
    if not want.win:
        tally[want.reason] += 1
        right = not said.win and said.reason == want.reason
    else:
        source = None if flags["by"] == "draw" else seats.source
        paid = naive.payments(rules, want.points, seats.winner, seats.dealer, source)
        rows = tuple((row.id, row.count) for row in said.patterns)
        right = said.win and (said.points, said.reading) == (want.points, want.reading) and rows in want.ties
        right = right and said.payments is not None and list(said.payments) == paid
        quick = scorer.worth(hand)
        right = right and quick[0] == want.points
    if right:
        return None
    ours = [
        said.win,
        said.points,
        said.reading,
        [(row.id, row.count) for row in said.patterns],
        said.reason,
        said.payments,
    ]
    theirs = dataclasses.astuple(want)[:5]
    return describe(
        rules,
        drawn.concealed,
        drawn.melds,
        f"+ {format_mpsz([drawn.tile])} {flags}\n   compiled {ours}\n   naive {theirs}",
    )


def compare_scores(sheet: Sheet, hands: int, seed: object, tally: Counter[str]) -> Iterator[str]:
    """Disagreements among so many random hands under random options; ``tally`` counts what was seen."""
    random = Random(f"{sheet.id} {seed}")
    maker = strategies.Maker(sheet, random)
    scorer: Scorer | None = None
    for number in range(hands):
        if scorer is None or number % HANDS_A_RULE_SET == 0:
            scorer = Scorer(strategies.random_rules(sheet, random))
        drawn = maker.hand()
        flags = strategies.random_flags(drawn, scorer.rules, random)
        try:
            found = disagreement(scorer, drawn, flags, tally)
        except ScoreError as error:
            found = describe(
                scorer.rules, drawn.concealed, drawn.melds, f"+ {format_mpsz([drawn.tile])} {flags}: {error}"
            )
        if found is not None:
            yield found


def compiled_waits(rules: RuleSet, hands: Sequence[strategies.Drawn]) -> list[set[int]]:
    """Waits of the concealed tiles of each hand, by the kernels."""
    states = np.zeros(len(hands), layout.STATE)
    counts = np.array([[hand.concealed.count(kind) for kind in range(34)] for hand in hands], np.uint8)
    melds = np.full((len(hands), 8), -1, np.int64)
    for row, hand in enumerate(hands):
        for place, meld in enumerate(hand.melds):
            melds[row, 2 * place : 2 * place + 2] = meld
    record = layout.compile_rules(rules)
    measure.lay_hands(record, states, counts, melds)
    masks = np.zeros(len(hands), np.int64)
    measure.wait_masks(hand_tables(), record, states, masks)
    return [{kind for kind in range(34) if int(mask) >> kind & 1} for mask in masks]


def compare_waits(sheet: Sheet, hands: int, seed: object, tally: Counter[str]) -> Iterator[str]:
    """Disagreements about the waits of random hands."""
    random = Random(f"waits {sheet.id} {seed}")
    maker = strategies.Maker(sheet, random)
    for _ in range(0, hands, HANDS_A_RULE_SET):
        rules = strategies.random_rules(sheet, random)
        drawn = [maker.hand() for _ in range(HANDS_A_RULE_SET)]
        for hand, found in zip(drawn, compiled_waits(rules, drawn), strict=True):
            want = naive.waits(rules, hand.concealed, hand.melds)
            tally["hands"] += 1
            tally["ready"] += bool(want)
            tally["waits"] += len(want)
            if found != want:
                yield describe(
                    rules,
                    hand.concealed,
                    hand.melds,
                    f"compiled {format_mpsz(sorted(found))} naive {format_mpsz(sorted(want))}",
                )
