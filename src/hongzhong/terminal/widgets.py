"""What lies on the table: the header, the four seats with melds and rivers, the message, the buttons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from hongzhong.rules.variant import RuleSet
from hongzhong.terminal.choices import Choice
from hongzhong.terminal.faces import (
    ACCENT,
    FAINT,
    FELT_DARK,
    INK,
    WIDTH,
    WIN,
    Faces,
)
from hongzhong.texts.terminal import say

if TYPE_CHECKING:  # it loads the engine
    from hongzhong.view import View

SEPARATE: Final = 6 * (WIDTH + 1)
"""Columns from which the tiles of a river stand apart."""


@dataclass(slots=True)
class Scene:
    """All that the table shows at one moment. ``round``: full rounds of dealers before this hand."""

    view: View
    rules: RuleSet
    names: list[str]
    faces: Faces
    lang: str
    message: str = ""
    question: str = ""
    choices: list[Choice] = field(default_factory=list)
    discards: frozenset[int] = frozenset()
    selected: int = -1
    round: int = 0

    def name(self, seat: int) -> str:
        return self.names[seat]

    def total(self, seat: int) -> int:
        return self.view.totals[seat] + self.view.scores[seat]


def signed(points: int) -> str:
    """+3, -3, 0."""
    return f"{points:+d}" if points else "0"


def spread(left: Text, right: Text, width: int) -> Text:
    """One line with its ends at both sides; the left end gives way."""
    room = width - right.cell_len
    left.truncate(max(room - 1, 0), overflow="ellipsis")
    left.append(" " * max(room - left.cell_len, 0))
    left.append_text(right)
    return left


class Piece(Widget):
    """A widget drawn from the scene; the screen sets it and refreshes."""

    scene: Scene | None = None

    def show(self, scene: Scene) -> None:
        self.scene = scene
        self.refresh()

    def render(self) -> Text:
        return Text() if self.scene is None else self.draw(self.scene)

    def draw(self, scene: Scene) -> Text:
        raise NotImplementedError


class Header(Piece):
    """Rule set, hand of the match, tiles left."""

    def draw(self, scene: Scene) -> Text:
        lang = scene.lang
        name = scene.rules.sheet.name
        left = Text(f" {say(lang, 'title')}  ", Style(color=ACCENT, bold=True))
        left.append(name.zh if lang == "zh" else name.en, Style(color=INK))
        number, rounds = scene.view.number + 1, scene.rules.get("rounds")
        if rounds:
            hand = say(lang, "hand_of_round", round=scene.round + 1, rounds=rounds, hand=number)
        else:
            hand = say(lang, "hand_no", hand=number, hands=scene.rules.get("hands"))
        right = Text(hand, Style(color=FAINT))
        right.append("   ")
        right.append(say(lang, "remaining", n=scene.view.remaining), Style(color=INK, bold=True))
        right.append(" ")
        return spread(left, right, self.size.width)


class Seat(Piece):
    """A seat's name, score, melds and river. ``own``: melds stand on the line of the name."""

    def __init__(self, offset: int, *, own: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.offset_from_me = offset
        self.own = own

    def draw(self, scene: Scene) -> Text:
        view = scene.view
        seat = (view.seat + self.offset_from_me) % 4
        width = self.content_size.width
        melds = [scene.faces.styled_meld(laid.meld, bool(i % 2)) for i, laid in enumerate(view.melds[seat])]
        lines = [self._title(scene, seat, melds if self.own else [], width)]
        if not self.own:
            rows = [melds[0:2], melds[2:4]] if melds else [[], []]
            lines += [Text().join(row) for row in rows]
        room = self.content_size.height - len(lines)
        lines += self._river(scene, seat, width, max(room, 1))
        return Text("\n", no_wrap=True, overflow="crop").join(lines)

    def _title(self, scene: Scene, seat: int, melds: list[Text], width: int) -> Text:
        view, lang = scene.view, scene.lang
        turn = view.turn == seat and not view.over
        left = Text("> " if turn else "  ", Style(color=ACCENT, bold=True))
        if view.dealer == seat:
            left.append(f" {say(lang, 'dealer')} ", Style(color=FELT_DARK, bgcolor=ACCENT, bold=True))
            left.append(" ")
        left.append(scene.name(seat), Style(color=ACCENT if turn else INK, bold=True))
        score = scene.total(seat)
        right = Text()
        if self.own:
            right.append_text(Text(" ").join(melds))
            right.append("  ")
        else:
            right.append(say(lang, "tiles_in_hand", n=view.sizes[seat]) + "  ", Style(color=FAINT))
        right.append(signed(score), Style(color=WIN if score > 0 else INK, bold=True))
        return spread(left, right, width)

    def _river(self, scene: Scene, seat: int, width: int, rows: int) -> list[Text]:
        view = scene.view
        river = list(view.rivers[seat])
        apart = width >= SEPARATE
        per_row = max((width + apart) // (WIDTH + apart), 1)
        hidden = max(len(river) - per_row * rows, 0)
        if hidden:
            hidden += 1
        tiles = [Text(f"+{hidden}".center(WIDTH), Style(color=FAINT))] if hidden else []
        newest = len(river) - 1
        last_is_here = view.last_discard is not None and view.last_discard[0] == seat
        for at, (kind, claimed) in enumerate(river):
            if at >= hidden:
                last = last_is_here and at == newest and not claimed
                tiles.append(scene.faces.styled_tile(kind, bool(at % 2), last=last, taken=claimed))
        gap = Text(" " if apart else "")
        return [gap.join(tiles[start : start + per_row]) for start in range(0, len(tiles), per_row)]


class Centre(Piece):
    """What just happened, and what is asked."""

    def draw(self, scene: Scene) -> Text:
        width = self.content_size.width
        happened = Text(scene.message, Style(color=FAINT), no_wrap=True)
        asked = Text(scene.question, Style(color=ACCENT, bold=True), no_wrap=True)
        out = Text(no_wrap=True, overflow="crop")
        for i, line in enumerate((happened, asked)):
            line.truncate(width, overflow="ellipsis")
            line.pad_left((width - line.cell_len) // 2)
            out.append_text(line)
            if i == 0:
                out.append("\n")
        return out


class Chosen(Message):
    """A button was clicked."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class Buttons(Piece):
    """The legal claims and declarations with their keys; they can be clicked."""

    def on_mount(self) -> None:
        self.spans: list[tuple[int, int, int, str]] = []

    def draw(self, scene: Scene) -> Text:
        width = self.content_size.width
        lines: list[tuple[Text, list[tuple[int, int, str]]]] = [(Text(), [])]
        for choice in scene.choices:
            key = say(scene.lang, "key_space") if choice.key == "space" else choice.key.upper()
            label = f" {key} {choice.label} "
            button = Text(f" {key} ", Style(color=INK, bgcolor=FELT_DARK, bold=True))
            button.append(
                f" {choice.label} ",
                Style(color="#ffffff", bgcolor=WIN, bold=True)
                if choice.key == "h"
                else Style(color=FELT_DARK, bgcolor=ACCENT if choice.key != "space" else FAINT, bold=True),
            )
            line, spans = lines[-1]
            if line.cell_len and line.cell_len + 2 + len(label) > width and len(lines) < self.content_size.height:
                lines.append((Text(), []))
                line, spans = lines[-1]
            if line.cell_len:
                line.append("  ")
            spans.append((line.cell_len, line.cell_len + button.cell_len, choice.key))
            line.append_text(button)
        self.spans = []
        for y, (line, spans) in enumerate(lines):
            shift = max((width - line.cell_len) // 2, 0)
            line.pad_left(shift)
            self.spans += [(y, start + shift, end + shift, key) for start, end, key in spans]
        return Text("\n", no_wrap=True, overflow="crop").join(line for line, _ in lines)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        for y, start, end, key in self.spans:
            if at is not None and y == at.y and start <= at.x < end:
                self.post_message(Chosen(key))
