"""The public API: its page of examples runs, its names load lazily."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import hongzhong

PAGE = Path(__file__).parent.parent / "docs" / "api.md"


def test_the_page_of_examples_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted >= 12 and result.failed == 0


def test_the_docstring_runs() -> None:
    result = doctest.testmod(hongzhong)
    assert result.attempted == 3 and result.failed == 0


def test_every_public_name_exists_and_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(hongzhong.__all__) == set(dir(hongzhong)) - {"__version__"}
    for name in hongzhong.__all__:
        assert getattr(hongzhong, name).__doc__, name
    assert [
        n for n in ("score_hand", "load_rules", "Match", "Round", "replay", "verify", "simulate_hands") if n not in text
    ] == []
    with pytest.raises(AttributeError, match="it has"):
        _ = hongzhong.nothing


def test_importing_loads_no_numpy_and_no_numba() -> None:
    code = "import sys, hongzhong; dir(hongzhong); sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
