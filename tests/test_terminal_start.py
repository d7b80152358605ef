"""How the table starts: without a terminal, with bad options, without waiting for the engine."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hongzhong", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)


@pytest.mark.parametrize("arguments", [("play",), ("play", "--rules", "hebei", "--seed", "1")])
def test_without_a_terminal_one_line_and_a_code(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1 and "needs a terminal" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rules", "chengdu"), "unknown rule set 'chengdu'"),
        (("--rules", "hebei", "--option", "base_point=0"), "option base_point: bad value 0"),
        (("--rules", "hebei", "--option", "base_point"), "NAME=VALUE"),
        (("--option", "base_point=2"), "--option needs --rules"),
        (("--bots", "greedy,clever,greedy"), "unknown bot 'clever'"),
        (("--bots", "greedy,greedy"), "2 bots"),
        (("--new", "--resume"), "give one of them"),
    ],
)
def test_bad_options_are_told_in_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = run("play", *arguments)
    assert done.returncode == 2
    assert told in done.stderr and done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_the_start_screen_loads_no_engine() -> None:
    code = "import sys, hongzhong.terminal.app; print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr
