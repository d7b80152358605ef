"""Makes the pictures of the terminal table: ``uv run python docs/pictures/make.py`` plays seeded hands without a screen.

Each character is placed in its own cells, because the exporter takes a Chinese character for one column.
"""

from __future__ import annotations

import asyncio
import html
import os
import re
import sys
import tempfile
from pathlib import Path

from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot

from hongzhong import actions
from hongzhong.terminal.app import TableApp
from hongzhong.terminal.settings import Settings

HERE = Path(__file__).parent
CELL = 12.2
FONTS = "'Noto Sans Mono CJK SC', 'Sarasa Mono SC', 'PingFang SC', 'Microsoft YaHei', Menlo, Consolas, monospace"
_TEXT = re.compile(
    r'<text class="(\S+-r\d+)" x="([\d.]+)" y="([\d.]+)" textLength="[\d.]+"( clip-path="[^"]+")>([^<]*)</text>'
)


def _placed(match: re.Match[str]) -> str:
    css, x, y, _clip, text = match.groups()
    out, at = [], float(x)
    for character in html.unescape(text):
        width = CELL * cell_len(character)
        if character.strip(" \xa0"):
            shown = html.escape(character)
            out.append(f'<text class="{css}" x="{at + width / 2:.1f}" y="{y}" text-anchor="middle">{shown}</text>')
        at += width
    return "\n".join(out)


def aligned(svg: str) -> str:
    """The exported picture with every character in its cells, and fonts that have Chinese."""
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: [^;]+;", f"font-family: {FONTS};", svg)
    svg = re.sub(r'<text class="\S+-title".*?</text>', "", svg)
    return _TEXT.sub(_placed, svg)


def save(app: App[int], name: str) -> None:
    (HERE / f"{name}.svg").write_text(aligned(app.export_screenshot(title="")), "utf-8")
    print(name)


async def ready(app: TableApp, pilot: Pilot[int]) -> None:
    """Until the engine is loaded."""
    while not app.engine.ready:
        if app.engine.failed:
            raise SystemExit(app.engine.failed)
        await pilot.pause(0.05)


async def until_asked(app: TableApp, pilot: Pilot[int], moves: int, *, claim: bool = False) -> None:
    """Plays on: wins where it can, else the first button, else the suggested tile; stops when asked after so many moves, or to claim."""
    from hongzhong.terminal.play import TableScreen

    for _ in range(4000):
        await pilot.pause(0.01)
        screen = app.screen
        if not isinstance(screen, TableScreen):
            return
        prompt = screen.table.prompt
        if prompt is None:
            continue
        if moves <= 0 and (not claim or actions.PUNG in prompt.actions or actions.CHOW_LOW in prompt.actions):
            return
        moves -= 1
        if actions.PASS in prompt.actions:
            await pilot.press(screen.scene().choices[0].key)
        else:
            await pilot.press("enter")


async def pictures() -> None:
    for lang in ("zh", "en"):
        app = TableApp(Settings(lang=lang, new=True))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause(0.3)
            await ready(app, pilot)
            await pilot.press("down", "down", "right", "tab", "down", "right")
            await pilot.pause(0.3)
            save(app, f"start-{lang}")
        for rules, seed, size in (("hebei", 5, (80, 24)), ("qiqihar", 4, (120, 36))):
            await table(lang, rules, seed, size)


async def table(lang: str, rules: str, seed: int, size: tuple[int, int]) -> None:
    """A table in the middle of a hand and its result, of the first seed from ``seed`` on where the hand lasts."""
    from hongzhong.terminal.play import TableScreen

    claim = rules == "qiqihar"
    while True:
        app = TableApp(Settings(lang=lang, rules=rules, seed=seed, fast=True, new=True))
        async with app.run_test(size=size) as pilot:
            await ready(app, pilot)
            await pilot.pause(0.2)
            await until_asked(app, pilot, 2 if claim else 7, claim=claim)
            if isinstance(app.screen, TableScreen):
                save(app, f"table-{rules}-{lang}")
                await until_asked(app, pilot, 1000)
                await pilot.pause(0.1)
                save(app, f"result-{rules}-{lang}")
                return
        seed += 1


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HONGZHONG_DATA"] = folder
        asyncio.run(pictures())
    sys.exit(0)
