"""A mistake in the arguments is one line on stderr, whatever the command."""

from __future__ import annotations

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
