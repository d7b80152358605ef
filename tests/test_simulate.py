"""Whole hands in batches: the same whatever the split, the same as hands replayed step by step, records that verify."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hongzhong import rules
from hongzhong.bots import BotError
from hongzhong.cli import main
from hongzhong.layout import RESULT
from hongzhong.record import RecordWriter
from hongzhong.simulate import SimulationError, Table, default_jobs, fill_result, generators, seat_bots, simulate
from hongzhong.verification import verify

RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
MIXED = ("greedy", "random", "greedy", "random")
ODD_OPTIONS: dict[str, dict[str, Any]] = {
    "qiqihar": {"kong_points": (1, 1, 2), "multi_win": "all", "calls": "manual", "pass_lock": "both"},
    "inner_mongolia": {"rob_kong": True, "thirteen_orphans": True, "fan_points": "doubling", "kong_payer": "three"},
    "hebei": {"reserve_stacks": "dice", "calls": "manual", "follow_dealer": True, "four_kongs_abort": False},
    "hebei_108": {"reserve_stacks": "dice", "discard_pays": "discarder_for_all", "cap": 8, "kong_points": (1, 2, 3)},
}


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("odd", [False, True], ids=["standard", "odd options"])
def test_a_hand_of_the_batch_replayed_step_by_step_is_the_same(name: str, odd: bool) -> None:
    table = Table(rules.load(name, ODD_OPTIONS[name] if odd else {}), MIXED, 7)
    together = table.play(0, 40)
    for number in range(40):
        result, events = table.play_one(number)
        assert result[0] == together[number]
        told = np.zeros(1, RESULT)
        told["dealer"], told["dice"] = result["dealer"], result["dice"]
        fill_result(told[0], events, int(result[0]["steps"]))
        assert told[0] == result[0], f"hand {number}"


@pytest.mark.parametrize("name", RULE_SETS)
def test_jobs_and_chunks_change_nothing(name: str) -> None:
    ruleset = rules.load(name)
    one = simulate(ruleset, 450, bots=MIXED, seed=11, jobs=1).as_data()
    assert simulate(ruleset, 450, bots=MIXED, seed=11, jobs=3).as_data() == one
    assert simulate(ruleset, 450, bots=MIXED, seed=12, jobs=1).as_data() != one
    table = Table(ruleset, MIXED, 11)
    parts = np.concatenate([table.play(0, 7), table.play(7, 30), table.play(37, 3)])
    assert np.array_equal(parts, Table(ruleset, MIXED, 11).play(0, 40))


def test_generators_differ_and_are_never_zero() -> None:
    many = np.concatenate([generators(seed, 0, 5000) for seed in (0, 1, 2, 1 << 63)])
    assert len(np.unique(many)) == len(many)
    assert np.all(many != 0)
    assert np.array_equal(generators(9, 100, 5), generators(9, 0, 105)[100:])


def test_sums_add_up() -> None:
    stats = simulate(rules.load("hebei"), 500, bots=("greedy",), seed=3)
    assert stats.hands == sum(stats.ends.values()) == 500
    assert sum(stats.ways.values()) == stats.ends["win"]
    assert sum(seat.wins for seat in stats.seats) == stats.winners == sum(stats.points.values())
    assert sum(seat.score for seat in stats.seats) == 0
    assert sum(seat.gave for seat in stats.seats) == stats.ways["discard"] + stats.ways["kong"]
    assert stats.patterns["plain"] > 0
    assert stats.patterns["self_drawn"] == stats.ways["draw"]


def test_walls_are_shuffled_evenly() -> None:
    """Each kind is as likely at the first place, each seat to deal, each die to show."""
    ruleset = rules.load("qiqihar")
    table = Table(ruleset, ("random",) * 4, 5)
    first = np.zeros(34, np.int64)
    dealers = np.zeros(4, np.int64)
    for number in range(2800):
        results = table.play(number, 1)
        first[table.wall[0]] += 1
        dealers[results["dealer"][0]] += 1
    expected = np.array(ruleset.sheet.copies) * 2800 / 112
    held = expected > 0
    assert first[~held].sum() == 0
    assert ((first[held] - expected[held]) ** 2 / expected[held]).sum() < 60  # 27 degrees of freedom, p < 0.001
    assert ((dealers - 700) ** 2 / 700).sum() < 17


def test_greedy_beats_random() -> None:
    for name in RULE_SETS:
        by_bot = simulate(rules.load(name), 300, bots=MIXED, seed=1).by_bot()
        assert by_bot["greedy"][1].wins > 10 * by_bot["random"][1].wins
        assert by_bot["greedy"][1].score > 0


@pytest.mark.parametrize("name", RULE_SETS)
def test_records_of_hands_verify(name: str, tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    with RecordWriter(path) as writer:
        stats = simulate(rules.load(name, ODD_OPTIONS[name]), 25, bots=MIXED, seed=2, record=writer.write)
    verdict = verify(path)
    assert verdict.ok, verdict.message
    assert verdict.matches == verdict.hands == 25
    assert stats.as_data() == simulate(rules.load(name, ODD_OPTIONS[name]), 25, bots=MIXED, seed=2).as_data()


def test_bad_numbers_are_refused() -> None:
    ruleset = rules.load("qiqihar")
    for hands, seed, jobs in ((0, 0, 1), (-4, 0, 1), (3, -1, 1), (3, 1 << 64, 1), (3, 0, 0), (3, 0, 100_000)):
        with pytest.raises(SimulationError, match="whole number from"):
            simulate(ruleset, hands, seed=seed, jobs=jobs)
    with pytest.raises(SimulationError, match="3 bots for four seats"):
        seat_bots(["greedy"] * 3)
    with pytest.raises(BotError, match="unknown bot 'gredy'; known: random, beginner, greedy, value, search"):
        simulate(ruleset, 3, bots=("gredy",))
    assert seat_bots(["random"]) == ("random",) * 4
    assert default_jobs() >= 1


def test_an_interrupt_keeps_what_was_done() -> None:
    calls = 0

    def stop(done: int) -> None:
        nonlocal calls
        calls += 1
        if done >= 100:
            raise KeyboardInterrupt

    stats = simulate(rules.load("hebei"), 10_000_000, bots=("random",), seed=1, jobs=2, progress=stop)
    assert stats.interrupted
    assert 100 <= stats.hands < 10_000_000
    assert sum(stats.ends.values()) == stats.hands
    recorded = simulate(rules.load("hebei"), 500, seed=1, progress=stop, record=lambda _: None)
    assert recorded.interrupted and recorded.hands == 100


def test_a_fault_of_a_worker_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(self: Table, first: int, n: int) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(Table, "play", fault)
    with pytest.raises(RuntimeError, match="a fault"):
        simulate(rules.load("qiqihar"), 300, jobs=2)


# the command


def run(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_text_and_json() -> None:
    text = run("200", "--rules", "hebei", "--seed", "4", "--bots", "greedy,greedy,random,random", "--lang", "en")
    assert text.exit_code == 0, text.output
    for part in ("200 hands of Hebei, seed 4", "self-drawn", "plain win", "seat 3 random", "random (2 seats)"):
        assert part in text.stdout
    chinese = run("200", "--rules", "hebei", "--seed", "4", "--lang", "zh")
    assert "屁和" in chinese.stdout and "自摸" in chinese.stdout
    told = run("200", "--rules", "hebei", "--seed", "4", "--json", "--option", "base_point=2", "--jobs", "1")
    data = json.loads(told.stdout)
    assert data["hands"] == 200 and data["seed"] == 4 and data["options"] == {"base_point": 2}
    assert data["interrupted"] is False
    assert data["patterns"][0]["id"] == "plain"
    assert run("200", "--rules", "hebei", "--seed", "4", "--json", "--option", "base_point=2").stdout == told.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("0", "--rules", "hebei"), "number of hands 0: give a whole number from 1"),
        (("5", "--rules", "hebe"), "unknown rule set 'hebe'"),
        (
            ("5", "--rules", "hebei", "--bots", "nobody"),
            "unknown bot 'nobody'; known: random, beginner, greedy, value, search",
        ),
        (("5", "--rules", "hebei", "--bots", "greedy,random"), "2 bots for four seats"),
        (("5", "--rules", "hebei", "--seed", "-1"), "seed -1: give a whole number from 0"),
        (("5", "--rules", "hebei", "--jobs", "0"), "number of jobs 0: give a whole number from 1"),
        (("5", "--rules", "hebei", "--option", "cap"), "write it as NAME=VALUE"),
        (("5", "--rules", "hebei", "--record", "/nowhere/hands.jsonl"), "cannot write /nowhere/hands.jsonl"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], message: str) -> None:
    ran = run(*arguments)
    assert ran.exit_code == 2
    assert message in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert ran.stdout == ""


def test_record_from_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "hands.jsonl"
    assert run("5", "--rules", "qiqihar", "--seed", "1", "--record", str(path)).exit_code == 0
    assert verify(path).hands == 5
    again = run("5", "--rules", "qiqihar", "--seed", "1", "--record", str(path))
    assert again.exit_code == 2 and "holds a record already" in again.stderr
    assert verify(path).hands == 5


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_prints_what_was_done() -> None:
    command = [
        sys.executable,
        "-m",
        "hongzhong",
        "simulate",
        "900000000",
        "--rules",
        "qiqihar",
        "--seed",
        "1",
        "--json",
    ]
    short = [*command[:4], "10", *command[5:]]
    subprocess.run(short, check=True, capture_output=True)  # kernels are compiled now
    start = time.monotonic()
    subprocess.run(short, check=True, capture_output=True)
    wait = 3 + 3 * (time.monotonic() - start)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"LANG": "C"})
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err.decode()
    assert b"Traceback" not in err
    data = json.loads(out)
    assert data["interrupted"] is True
    assert 0 < data["hands"] < 900_000_000
