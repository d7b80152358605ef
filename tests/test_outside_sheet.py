"""A rule set from outside the package, a file of one sheet, works everywhere: played, recorded, verified, scored, simulated."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from hongzhong import rules
from hongzhong.cli import main
from hongzhong.match import Match
from hongzhong.record import RecordWriter
from hongzhong.verification import verify

SHEET = str(Path(__file__).parent / "sheets" / "red_dragon.py")


@pytest.mark.parametrize("seed", range(3))
def test_a_match_is_played_recorded_and_verified(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    match = Match(rules.load(SHEET, {"hands": 4}), ["a", "b", "c", "d"], seed=seed)
    while not match.over:
        seat = match.asked()[0]
        match.step(seat, chance.choice(match.legal(seat)))
    path = tmp_path / "match.jsonl"
    with RecordWriter(path) as writer:
        writer.write(match.events)
    verdict = verify(path, rules.sheet(SHEET))
    assert verdict.ok, verdict
    assert sum(match.scores) == 0


def test_score_and_rules_take_the_file() -> None:
    runner = CliRunner()
    scored = runner.invoke(main, ["score", "--rules", SHEET, "--by", "draw", "--lang", "en", "123m456m789m55p23p + 7z"])
    assert scored.exit_code == 0, scored.output
    assert "2" in scored.output and "R1" in scored.output
    discard = runner.invoke(main, ["score", "--rules", SHEET, "--lang", "en", "123m456m789m55p23p + 1p"])
    assert "R3" in discard.output  # self-drawn only
    listed = runner.invoke(main, ["rules", SHEET, "--lang", "zh"])
    assert listed.exit_code == 0 and "红中麻将" in listed.output


def test_simulate_takes_the_file() -> None:
    result = CliRunner().invoke(
        main, ["simulate", "300", "--rules", SHEET, "--bots", "greedy", "--seed", "1", "--json"]
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["hands"] == 300
    assert told["wins_by"]["discard"] == 0 < told["wins_by"]["draw"]  # self-drawn only


def test_a_sheet_with_an_unknown_mechanism_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(
        Path(SHEET).read_text(encoding="utf-8").replace('Form("seven_pairs"', 'Form("knitted_tiles"'), encoding="utf-8"
    )
    for command in (
        ["score", "--rules", str(path), "1m + 1m"],
        ["rules", str(path)],
        ["simulate", "1", "--rules", str(path)],
    ):
        result = CliRunner().invoke(main, command)
        assert result.exit_code != 0
        assert "knitted_tiles" in result.stderr and "Traceback" not in result.output
