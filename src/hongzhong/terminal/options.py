"""The house rules of a rule set as a form, made from its sheet: the disputed options first, then the rest, then prices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from hongzhong.rules.values import RuleError, describe, parse_value
from hongzhong.rules.variant import MAX_PRICE, RuleSet, Sheet, resolve
from hongzhong.rules.vocabulary import OPTIONS, OptionSpec, Value
from hongzhong.terminal.faces import ACCENT, FAINT, FELT_DARK, INK, WIN
from hongzhong.texts.terminal import say_value


class Row(NamedTuple):
    """An option or price: its id as ``resolve`` takes it, its specification (None: a price), its default and ruling."""

    id: str
    spec: OptionSpec | None
    default: Value
    ruling: str
    low: int
    high: int


def rows_of(sheet: Sheet) -> list[Row]:
    """All that a table may change, in the order shown."""
    offers = sorted(sheet.options.values(), key=lambda offer: not offer.asked)
    rows = [Row(o.id, OPTIONS[o.id], o.default, o.ruling, OPTIONS[o.id].low, OPTIONS[o.id].high) for o in offers]
    prices = resolve(sheet).prices
    for pattern in sheet.patterns:
        if pattern.option is None:
            low = 1 if pattern.kind == "times" else 0
            rows.append(Row(f"price.{pattern.id}", None, prices[pattern.id], pattern.ruling, low, MAX_PRICE))
    return rows


def row_name(sheet: Sheet, row: Row, lang: str) -> str:
    """What a player reads."""
    text = sheet.pattern(row.id.removeprefix("price.")).name if row.spec is None else row.spec.name
    return text.zh if lang == "zh" else text.en


def stepped(row: Row, value: Value, by: int) -> Value:
    """The value one to the right or left: the other truth, the next choice, one more or less, the words beside a number."""
    spec = row.spec
    if spec is not None and spec.kind == "bool":
        return not value
    if spec is not None and spec.kind == "choice":
        return spec.choices[(spec.choices.index(str(value)) + by) % len(spec.choices)]
    if spec is not None and spec.kind == "points":
        return value
    words: list[Value] = [] if spec is None else [*([None] if spec.none else []), *spec.words]
    if not isinstance(value, int):  # words stand below the lowest number
        at = words.index(value) + by
        return words[at] if 0 <= at < len(words) else (row.low if at >= len(words) else value)
    if value + by < row.low and words:
        return words[-1]
    return min(max(value + by, row.low), row.high)


class OptionForm(Widget, can_focus=True):
    """A list of options; arrows move and change, Enter asks for a typed value. ``error`` says why the options conflict."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move(-8)", show=False),
        Binding("pagedown", "move(8)", show=False),
        Binding("left", "change(-1)", show=False),
        Binding("right", "change(1)", show=False),
        Binding("enter", "type", show=False),
        Binding("d", "default", show=False),
    ]

    class Changed(Message):
        """The options in force changed."""

    class Typing(Message):
        """A value shall be typed for a row."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    def __init__(self, sheet: Sheet, given: Mapping[str, Any], lang: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lang = lang
        self.load(sheet, given)

    def load(self, sheet: Sheet, given: Mapping[str, Any]) -> None:
        """Shows another sheet."""
        self.sheet = sheet
        self.rows = rows_of(sheet)
        self.values: dict[str, Value] = {row.id: given.get(row.id, row.default) for row in self.rows}
        self.at = 0
        self.top = 0
        self.error = ""
        self._check()

    def changed(self) -> dict[str, Value]:
        """What differs from the defaults, as ``resolve`` takes it."""
        return {row.id: self.values[row.id] for row in self.rows if self.values[row.id] != row.default}

    def _check(self) -> RuleSet | None:
        try:
            rules = resolve(self.sheet, self.changed())
        except RuleError as error:
            self.error = str(error)
            return None
        self.error = ""
        return rules

    def put(self, row: Row, typed: str) -> None:
        """Takes a typed value; ``error`` says what is wrong with it, and the old one stays."""
        before = self.values[row.id]
        self.values[row.id] = parse_value(typed)
        if self._check() is None:
            wrong = self.error
            self.values[row.id] = before
            self._check()
            self.error = wrong
        self.post_message(self.Changed())
        self.refresh()

    def action_move(self, by: int) -> None:
        self.at = min(max(self.at + by, 0), len(self.rows) - 1)
        self.refresh()

    def action_change(self, by: int) -> None:
        row = self.rows[self.at]
        self.values[row.id] = stepped(row, self.values[row.id], by)
        self._check()
        self.post_message(self.Changed())
        self.refresh()

    def action_default(self) -> None:
        row = self.rows[self.at]
        self.values[row.id] = row.default
        self._check()
        self.post_message(self.Changed())
        self.refresh()

    def action_type(self) -> None:
        row = self.rows[self.at]
        if row.spec is not None and row.spec.kind in ("bool", "choice"):
            self.action_change(1)
        else:
            self.post_message(self.Typing(row))

    def on_click(self, event: events.Click) -> None:
        self.focus()
        at = self.top + event.y
        if at == self.at:
            self.action_change(1)
        elif 0 <= at < len(self.rows):
            self.at = at
            self.refresh()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-1)

    def render(self) -> Text:
        width, height = self.content_size
        self.top = min(max(self.top, self.at - height + 1), self.at)
        lines = [self._line(at, width) for at in range(self.top, min(self.top + height, len(self.rows)))]
        return Text("\n", no_wrap=True, overflow="crop").join(lines)

    def _line(self, at: int, width: int) -> Text:
        row = self.rows[at]
        value = self.values[row.id]
        here = at == self.at and self.has_focus
        changed = value != row.default
        shown = say_value(self.lang, row.id, value)
        right = Text(
            f"< {shown} >" if here else f"  {shown}  ", Style(color=ACCENT if changed else INK, bold=changed or here)
        )
        left = Text(f" {row_name(self.sheet, row, self.lang)} ", Style(color=INK))
        left.append(row.ruling, Style(color=FAINT, dim=True))
        left.truncate(max(width - right.cell_len - 1, 4), overflow="ellipsis")
        left.append(" " * max(width - left.cell_len - right.cell_len, 0))
        left.append_text(right)
        if here:
            left.stylize(Style(bgcolor=FELT_DARK if not self.error else WIN))
        return left


def takes(row: Row) -> str:
    """The values that a row takes."""
    return f"{row.low} - {row.high}" if row.spec is None else describe(row.spec)
