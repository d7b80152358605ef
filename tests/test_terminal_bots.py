"""The other seats at the terminal: bots by level on the first screen, and bots that think while the screen stays awake."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Static

from hongzhong import bots
from hongzhong.bots.greedy import GreedyBot
from hongzhong.cli.play import parse_bots
from hongzhong.round import Prompt
from hongzhong.terminal.app import TableApp
from hongzhong.terminal.levels import LevelRow
from hongzhong.terminal.play import TableScreen
from hongzhong.terminal.settings import games_folder
from hongzhong.terminal.windows import Help, Leave
from hongzhong.texts.bots import ABOUT, LEVELS
from tests.test_terminal import at_table, lines_of, settings, table_of, until


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONGZHONG_DATA", str(tmp_path))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_first_screen_offers_the_four_levels(lang: str) -> None:
    names = [name[lang == "zh"] for name in LEVELS.values()]

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        (line,) = [line for line in lines_of(app) if all(name in line for name in names)]
        assert f"[ {LEVELS['greedy'][lang == 'zh']} ]" in line
        for key, level in (("left", "beginner"), ("right", "greedy"), ("right", "value"), ("right", "search")):
            await pilot.press(key)
            shown = "\n".join(lines_of(app))
            assert f"[ {LEVELS[level][lang == 'zh']} ]" in shown and ABOUT[level][lang == "zh"] in shown
        await pilot.press("right", "left", "left")  # around and back
        assert app.settings.bots == ("value",) * 3
        row = app.screen.query_one(LevelRow)
        at = cell_len(line[: line.index(names[3])])
        await pilot.click(offset=(at, row.region.y))
        assert app.settings.bots == ("search",) * 3
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert {type(bot).__name__ for bot in table_of(app).table.bots.values()} == {"SearchBot"}
        (journal,) = games_folder().glob("*.journal")
        assert json.loads(journal.read_text("utf-8").splitlines()[0])["extra"]["bots"] == ["search"] * 3

    at_table(play, settings(lang=lang))


def test_levels_do_not_move_in_the_house_rules() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await pilot.press("tab", "right")
        assert app.settings.bots == ("greedy",) * 3

    at_table(play, settings())


def test_bots_that_the_command_line_names_stand_beside_the_levels() -> None:
    named = parse_bots("greedy,search:50,random")

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        assert "[ greedy,search:50,random ]" in "\n".join(lines_of(app))
        await pilot.press("right", "left")
        assert app.settings.bots == named

    at_table(play, settings(bots=named))
    assert parse_bots("value") == ("value",) * 3


class Slow(GreedyBot):
    """Thinks until it is let go."""

    go = threading.Event()
    asked = threading.Event()

    def choose(self, prompt: Prompt) -> int:
        Slow.asked.set()
        assert Slow.go.wait(60)
        return super().choose(prompt)


class Failing(GreedyBot):
    def choose(self, prompt: Prompt) -> int:
        raise RuntimeError("out of ideas")


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    Slow.go.clear()
    Slow.asked.clear()
    monkeypatch.setattr(bots, "make", lambda name, seed=0: Slow(seed))


@pytest.mark.usefixtures("_slow")
def test_the_screen_stays_awake_while_a_bot_thinks() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await until(pilot, Slow.asked.is_set)
        table = table_of(app)
        before = len(table.table.match.events)
        await pilot.press("f1")
        assert isinstance(app.screen, Help)
        await pilot.press("escape")
        await pilot.press("f2")
        assert "Esc leave" in str(table.query_one("#keys", Static).render())
        await pilot.press("escape")
        assert isinstance(app.screen, Leave)
        assert len(table.table.match.events) == before
        Slow.go.set()
        await until(pilot, lambda: len(table.table.match.events) > before)

    at_table(play, settings(rules="hebei", seed=1, options={"hands": 1}, seat=2))


@pytest.mark.usefixtures("_slow")
def test_whoever_leaves_does_not_wait_for_a_bot() -> None:
    left = 0.0

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        nonlocal left
        await until(pilot, Slow.asked.is_set)
        left = time.monotonic()
        await pilot.press("ctrl+q")

    at_table(play, settings(rules="hebei", seed=1, seat=2))
    took = time.monotonic() - left
    assert not Slow.go.is_set()
    Slow.go.set()
    assert took < 5


def test_a_bot_that_fails_ends_the_table_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "make", lambda name, seed=0: Failing(seed))
    seen: list[TableApp] = []

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        seen.append(app)
        await until(pilot, lambda: app.return_code == 2)

    at_table(play, settings(rules="hebei", seed=1, lang="en", seat=2))
    (problem,) = seen[0].problems
    assert "failed: RuntimeError: out of ideas" in problem
