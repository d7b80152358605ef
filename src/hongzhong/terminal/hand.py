"""The own hand: tiles of ivory, the drawn one apart, the chosen one raised, a key below each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message

from hongzhong.terminal.choices import TILE_KEYS
from hongzhong.terminal.faces import ACCENT, BACK, FAINT, FELT, IVORY, WIDTH, colour_of
from hongzhong.terminal.widgets import Piece, Scene
from hongzhong.tiles import KIND_NAMES

if TYPE_CHECKING:  # it loads the engine
    from hongzhong.view import View

HEIGHT: Final = 5
_GAP: Final = 1
_DRAWN_GAP: Final = 3


def in_order(view: View) -> list[int]:
    """The own tiles from the left, the drawn one last."""
    tiles = sorted(view.hand)
    if view.drawn is not None and view.drawn >= 0 and view.drawn in tiles:
        tiles.remove(view.drawn)
        tiles.append(view.drawn)
    return tiles


def has_drawn(view: View) -> bool:
    return view.drawn is not None and view.drawn >= 0


class Discarded(Message):
    """A tile was clicked: its place in the hand."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place


class Hand(Piece):
    """Five rows: a raised tile needs the first, keys stand in the last."""

    def places(self, scene: Scene) -> list[int]:
        """The first column of each tile."""
        tiles = in_order(scene.view)
        columns: list[int] = []
        at = 0
        for i in range(len(tiles)):
            if i:
                at += WIDTH + (_DRAWN_GAP if i == len(tiles) - 1 and has_drawn(scene.view) else _GAP)
            columns.append(at)
        width = columns[-1] + WIDTH if columns else 0
        shift = max((self.content_size.width - width) // 2, 0)
        return [column + shift for column in columns]

    def draw(self, scene: Scene) -> Text:
        tiles, columns = in_order(scene.view), self.places(scene)
        lines = [Text(no_wrap=True) for _ in range(HEIGHT)]
        for place, (kind, column) in enumerate(zip(tiles, columns, strict=True)):
            top = 0 if place == scene.selected else 1
            for y, line in enumerate(lines):
                line.append(" " * (column - line.cell_len))
                line.append_text(self._cell(scene, place, kind, y, y - top))
        return Text("\n", no_wrap=True, overflow="crop").join(lines)

    def _cell(self, scene: Scene, place: int, kind: int, y: int, row: int) -> Text:
        chosen = place == scene.selected
        playable = kind in scene.discards
        if y == HEIGHT - 1:
            key = TILE_KEYS[place] if playable and place < len(TILE_KEYS) else " "
            return Text(key.center(WIDTH), Style(color=ACCENT if chosen else FAINT, bold=chosen))
        face = Style(color=colour_of(kind), bgcolor=IVORY, bold=True)
        if row == 0:
            wild = KIND_NAMES[kind] in scene.rules.sheet.wild
            mark = ("癞" if scene.lang == "zh" else "wild") if wild else ""
            gap = " " * (WIDTH - Text(mark).cell_len)
            return Text(gap + mark, Style(color="#b06a10", bgcolor=IVORY))
        if row == 1:
            return Text(scene.faces.tile(kind), face)
        if row == 2:
            return Text(" " * WIDTH, Style(bgcolor=ACCENT if chosen else BACK))
        return Text(" " * WIDTH, Style(bgcolor=FELT))

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if self.scene is None or at is None or not 0 <= at.y < HEIGHT:
            return
        for place, column in enumerate(self.places(self.scene)):
            if column <= at.x < column + WIDTH:
                self.post_message(Discarded(place))
