"""The slow second opinion agrees with cases worked out by hand and with the examples of the sheets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hongzhong import rules

from .naive import win as naive

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases/score.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["in"]["id"])
def test_handed_case(case: dict[str, Any]) -> None:
    ask, want = case["in"], case["out"]
    ruleset = rules.load(ask["rules"], ask["options"])
    said = naive.score(ruleset, naive.case_of(ruleset, ask))
    assert (said.win, said.points) == (want["win"], want.get("points", 0)), case["why"]


@pytest.mark.parametrize("name", ["qiqihar", "inner_mongolia", "hebei", "hebei_108"])
def test_examples_of_the_sheets(name: str) -> None:
    sheet = rules.sheet(name)
    for example in sheet.examples:
        ruleset = rules.resolve(sheet, example.request.get("options", {}))
        said = naive.score(ruleset, naive.case_of(ruleset, dict(example.request)))
        assert (said.points if said.win else None) == example.points, example.title.en
