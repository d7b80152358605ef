"""Every ruling of the rule pages is built somewhere and tested somewhere; the pages say what the sheets say."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from hongzhong.rules import names, sheet
from hongzhong.rules.variant import Sheet
from tests.doc_tables import DOCS, MARK, PAGES, parts, tables

ROOT: Final = DOCS.parent
IDS: Final = {
    page.stem: re.findall(r"^### ([CQNH]\d+) · ", page.read_text(encoding="utf-8"), re.MULTILINE)
    for page in sorted((DOCS / "rules").glob("*.md"))
}
"""Ruling ids by page, one heading each."""
ALL_IDS: Final = [ruling for ids in IDS.values() for ruling in ids]
THESE: Final = {Path(__file__).name, "doc_tables.py"}


def cited(files: Iterable[Path]) -> set[str]:
    """The ruling ids that stand in the text of the files."""
    return {
        ruling
        for path in files
        if path.name not in THESE
        for ruling in re.findall(r"(?<![\w.])[CQNH]\d+\b", path.read_text(encoding="utf-8"))
    }


BUILT: Final = cited((ROOT / "src").rglob("*.py"))
TESTED: Final = cited(path for ending in ("*.py", "*.jsonl") for path in (ROOT / "tests").rglob(ending))


def test_pages_hold_the_rulings() -> None:
    assert {page: len(ids) for page, ids in IDS.items()} == {
        "common": 12,
        "hebei": 27,
        "inner_mongolia": 18,
        "qiqihar": 21,
    }
    assert len(set(ALL_IDS)) == len(ALL_IDS), "a ruling stands twice"


@pytest.mark.parametrize("ruling", ALL_IDS)
def test_ruling_is_built(ruling: str) -> None:
    assert ruling in BUILT, f"{ruling} of docs/rules is cited by no code or sheet under src"


@pytest.mark.parametrize("ruling", ALL_IDS)
def test_ruling_is_tested(ruling: str) -> None:
    assert ruling in TESTED, f"{ruling} of docs/rules is cited by no test"


def rulings_of(rules: Sheet) -> set[str]:
    """Every ruling that a sheet can show to a player."""
    return {
        rules.tiles_ruling,
        rules.first_dealer_ruling,
        *(row.ruling for row in rules.forms),
        *(row.ruling for row in rules.conditions),
        *(row.ruling for row in rules.patterns),
        *(row.ruling for row in rules.options.values()),
    }


@pytest.mark.parametrize("name", [name for page in PAGES.values() for name in page])
def test_sheet_cites_known_rulings(name: str) -> None:
    assert rulings_of(sheet(name)) <= set(ALL_IDS)


def test_every_sheet_has_a_page() -> None:
    assert {name for page in PAGES.values() for name in page} == set(names())
    assert set(IDS) == {*PAGES, "common"}


@pytest.mark.parametrize("page", PAGES)
def test_page_shows_its_sheet(page: str) -> None:
    above, below = parts(page)
    assert below == tables(page), f"docs/rules/{page}.md is behind its sheet: uv run python -m tests.doc_tables"
    assert MARK not in above


@pytest.mark.parametrize("page", PAGES)
def test_page_explains_each_option(page: str) -> None:
    above, _ = parts(page)
    common, _ = parts("common")
    known = set(re.findall(r"`(\w+)`", above + common))
    for name in PAGES[page]:
        assert set(sheet(name).options) <= known
