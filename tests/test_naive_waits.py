"""Waits: the kernels' are those of the second opinion, formally counted (H18), under random options."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from hongzhong import rules

from .naive import compare

HANDS = int(os.environ.get("HONGZHONG_NAIVE_HANDS", "20000")) // 10


@pytest.mark.parametrize("name", ["qiqihar", "inner_mongolia", "hebei", "hebei_108", "tests/sheets/red_dragon.py"])
def test_waits_are_those_of_the_second_opinion(name: str, pytestconfig: pytest.Config) -> None:
    sheet = rules.sheet(str(pytestconfig.rootpath / name) if name.endswith(".py") else name)
    tally: Counter[str] = Counter()
    found = list(compare.compare_waits(sheet, HANDS, "ci", tally))
    assert not found, f"{len(found)} disagreements, such as\n" + "\n".join(found[:3])
    assert tally["ready"] > tally["hands"] // 10
