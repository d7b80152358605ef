"""The public API: its page of examples runs, its names load lazily."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import hongzhong

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "api.md"


@pytest.mark.parametrize(("page", "examples"), [("api.md", 15), ("analysis.md", 10)])
def test_the_examples_of_a_page_run(page: str, examples: int) -> None:
    result = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted >= examples and result.failed == 0


def test_the_docstring_runs() -> None:
    result = doctest.testmod(hongzhong)
    assert result.attempted == 3 and result.failed == 0


def test_every_public_name_exists_and_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert set(hongzhong.__all__) == set(dir(hongzhong)) - {"__version__"}
    for name in hongzhong.__all__:
        assert getattr(hongzhong, name).__doc__, name
    assert [
        n
        for n in (
            "score_hand",
            "analyse_hand",
            "explain_hand",
            "Analyst",
            "load_rules",
            "Match",
            "Round",
            "replay",
            "verify",
            "simulate_hands",
        )
        if n not in text
    ] == []
    with pytest.raises(AttributeError, match="it has"):
        _ = hongzhong.nothing


def test_importing_loads_no_numpy_and_no_numba() -> None:
    code = "import sys, hongzhong; dir(hongzhong); sys.exit('numpy' in sys.modules or 'numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
