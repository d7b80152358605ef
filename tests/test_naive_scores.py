"""Wins, best readings, patterns, prices and payments: compiled equals naive on random hands under random options.

``HONGZHONG_NAIVE_HANDS`` sets the hands per rule set; tests/naive/long_run.py compares a million.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random

import pytest

from hongzhong import rules
from hongzhong.rules.vocabulary import OPTIONS
from tests import strategies

from .naive import compare

HANDS = int(os.environ.get("HONGZHONG_NAIVE_HANDS", "20000"))
PARTS = 4
SHEETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108", "tests/sheets/red_dragon.py")
ONCE = {  # patterns too rare to be sure of in every run
    "inner_mongolia": {"heaven", "earth", "thirteen_orphans"},
    "hebei": {"pure_seven_pairs", "full_flush_doubled"},
    "hebei_108": {"pure_seven_pairs", "full_flush_doubled"},
}


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", SHEETS)
def test_scores_are_those_of_the_second_opinion(name: str, part: int, pytestconfig: pytest.Config) -> None:
    sheet = rules.sheet(str(pytestconfig.rootpath / name) if name.endswith(".py") else name)
    tally: Counter[str] = Counter()
    found = list(compare.compare_scores(sheet, HANDS // PARTS, part, tally))
    assert not found, f"{len(found)} disagreements, such as\n" + "\n".join(found[:3])
    if HANDS // PARTS >= 2000:  # every row and every reason has been met, or the comparison proves little
        seen = (
            {row.id for row in sheet.patterns} | {condition.reason for condition in sheet.conditions} | {"incomplete"}
        )
        assert seen - ONCE.get(sheet.id, set()) <= set(tally)
        assert tally["wins"] > tally["hands"] // 8


@pytest.mark.parametrize("name", SHEETS[:4])
def test_random_options_reach_every_value(name: str) -> None:
    sheet = rules.sheet(name)
    random = Random(name)
    seen: dict[str, set[object]] = {}
    for _ in range(1500):
        for option, value in strategies.random_options(sheet, random).items():
            seen.setdefault(option, set()).add(value)
    for option in sheet.options:
        spec = OPTIONS[option]
        wanted: list[object] = [True, False] if spec.kind == "bool" else [*spec.choices]
        assert set(wanted) <= seen.get(option, set()), option
    assert all(f"price.{row.id}" in seen for row in sheet.patterns)
