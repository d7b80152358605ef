"""A mistake in the arguments is one line on stderr, whatever the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from hongzhong.cli import main


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", "--rules", "hebei", "--by", "flying", "1m"],
        ["score", "--rules", "hebei", "--winner", "4", "1m"],
        ["score", "--lang", "zz", "--rules", "hebei", "1m"],
        ["simulate", "abc", "--rules", "hebei"],
        ["simulate", "5", "--rules", "hebei", "--seed", "x"],
        ["simulate", "5"],
        ["rules", "--nothing"],
        ["replay"],
        ["fly"],
        ["--fly"],
    ],
)
def test_a_mistake_is_one_line(arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("hongzhong: ") and result.stderr.count("\n") == 1
    assert "--help" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which Linux has")
def test_output_that_cannot_be_written_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "hongzhong", "rules", "hebei"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode == 2
    assert run.stderr == "hongzhong: cannot write: No space left on device\n"


def test_a_terminal_without_chinese_is_no_reason_to_fail() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "hongzhong", "rules", "hebei", "--lang", "zh"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
    )
    assert run.returncode == 0, run.stderr
    assert "\\u6cb3" in run.stdout
