"""How a hand ended, and the match: patterns with rulings, reading, payments, all hands, totals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from hongzhong import events
from hongzhong.rules.variant import RuleSet
from hongzhong.terminal.faces import ACCENT, FAINT, INK, WIN, Faces
from hongzhong.terminal.widgets import signed
from hongzhong.texts.terminal import say
from hongzhong.tiles import parse_meld, parse_mpsz, parse_tile


@dataclass(slots=True)
class Outcome:
    """What the events of one hand tell of its end."""

    wins: list[events.Win] = field(default_factory=list)
    false_win: int | None = None
    pays: list[events.Pay] = field(default_factory=list)
    end: events.End | None = None

    def add(self, event: events.Event) -> None:
        match event:
            case events.Hand():
                self.wins, self.false_win, self.pays, self.end = [], None, [], None
            case events.Win():
                self.wins.append(event)
            case events.FalseWin():
                self.false_win = event.seat
            case events.Pay():
                self.pays.append(event)
            case events.End():
                self.end = event


def padded(text: Text, width: int) -> Text:
    """Left-aligned in so many columns."""
    text.truncate(width, overflow="ellipsis")
    text.append(" " * (width - text.cell_len))
    return text


def _right(text: str, width: int, style: Style) -> Text:
    out = Text(text, style)
    out.pad_left(max(width - out.cell_len, 0))
    return out


def win_text(win: events.Win, names: Sequence[str], rules: RuleSet, faces: Faces, lang: str) -> Text:
    """One winner: how, on which tile, for how much, each pattern with value and ruling, the reading."""
    out = Text()
    out.append(f"{say(lang, 'winner_line', name=names[win.seat])}  ", Style(color=WIN, bold=True))
    source = "" if win.from_ is None else names[win.from_]
    out.append(f"{say(lang, f'won_by_{win.by}', name=source)}  ", Style(color=INK))
    out.append_text(faces.styled_tile(parse_tile(win.tile)))
    out.append(f"  {say(lang, 'points_line', points=win.points)}\n", Style(color=ACCENT, bold=True))
    known = {pattern.id: pattern.name for pattern in rules.sheet.patterns}
    cells = []
    for pattern in win.patterns:
        text = known.get(pattern.id)
        name = pattern.name if text is None else text.zh if lang == "zh" else text.en
        cell = Text("  ")
        cell.append(name, Style(color=INK))
        cell.append(f" {say(lang, f'kind_{pattern.kind}', value=pattern.value)}", Style(color=ACCENT))
        if pattern.count > 1:
            cell.append(f" ({pattern.count})", Style(color=ACCENT))
        cell.append(f" {pattern.ruling}", Style(color=FAINT))
        cells.append(cell)
    width = 37
    for left, right in zip(cells[::2], [*cells[1::2], None], strict=False):
        out.append_text(padded(left, width) if right is not None and left.cell_len <= width else left)
        if right is not None:
            out.append_text(right)
        out.append("\n")
    if win.reading:
        out.append(f"  {say(lang, 'reading')}  ", Style(color=FAINT))
        out.append(f"{faces.reading(win.reading)}\n", Style(color=INK))
    return out


def scores_text(outcome: Outcome, totals: Sequence[int], names: Sequence[str], faces: Faces, lang: str) -> Text:
    """A row for each seat: payments by cause, this hand, the total."""
    assert outcome.end is not None
    causes = list(dict.fromkeys(pay.for_ for pay in outcome.pays))
    heads = [say(lang, f"pay_{cause}") for cause in causes]
    columns = [[sum(p.deltas[seat] for p in outcome.pays if p.for_ == cause) for seat in range(4)] for cause in causes]
    if len(causes) != 1:
        heads.append(say(lang, "this_hand"))
        columns.append(list(outcome.end.scores))
    heads.append(say(lang, "total"))
    columns.append([before + now for before, now in zip(totals, outcome.end.scores, strict=True)])
    widths = [max(8, Text(head).cell_len + 2) for head in heads]
    out = padded(Text(f"  {say(lang, 'player')}", Style(color=FAINT)), 20)
    for head, width in zip(heads, widths, strict=True):
        out.append_text(_right(head, width, Style(color=FAINT)))
    for seat in range(4):
        out.append("\n")
        out.append_text(padded(Text(f"  {names[seat]}", Style(color=INK)), 20))
        for at, (column, width) in enumerate(zip(columns, widths, strict=True)):
            points = column[seat]
            colour = FAINT if points == 0 else WIN if points > 0 else INK
            out.append_text(_right(signed(points), width, Style(color=colour, bold=at == len(columns) - 1)))
    return out


def hands_text(outcome: Outcome, names: Sequence[str], faces: Faces) -> Text:
    """All four hands, melds first, winners in red."""
    end, winners = outcome.end, {win.seat for win in outcome.wins}
    assert end is not None
    out = Text()
    for seat in range(4):
        if seat:
            out.append("\n")
        out.append_text(
            padded(Text(f"  {names[seat]}", Style(color=WIN if seat in winners else INK, bold=seat in winners)), 12)
        )
        for i, meld in enumerate(end.melds[seat]):
            out.append_text(faces.styled_meld(parse_meld(meld), bool(i % 2)))
        if end.melds[seat]:
            out.append(" ")
        out.append_text(faces.row(sorted(parse_mpsz(end.hands[seat]))))
    return out


class HandResult(ModalScreen[None]):
    """Shown when a hand ends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss", show=False),
        Binding("space", "dismiss", show=False),
        Binding("escape", "dismiss", show=False),
    ]

    def __init__(
        self, outcome: Outcome, totals: Sequence[int], names: Sequence[str], rules: RuleSet, faces: Faces, lang: str
    ) -> None:
        super().__init__()
        self.outcome, self.totals, self.names = outcome, list(totals), list(names)
        self.rules, self.faces, self.lang = rules, faces, lang

    def compose(self) -> ComposeResult:
        end, lang = self.outcome.end, self.lang
        assert end is not None
        winning = " win" if end.reason == "win" else ""
        with Vertical(classes="window wide"):
            yield Static(say(lang, f"end_{end.reason}"), classes=f"window-title{winning}", markup=False)
            with VerticalScroll(can_focus=True):
                parts = [win_text(win, self.names, self.rules, self.faces, lang) for win in self.outcome.wins]
                if self.outcome.false_win is not None:
                    name = self.names[self.outcome.false_win]
                    parts.append(Text(say(lang, "false_win_line", name=name) + "\n", Style(color=WIN)))
                parts.append(hands_text(self.outcome, self.names, self.faces))
                parts.append(Text())
                parts.append(scores_text(self.outcome, self.totals, self.names, self.faces, lang))
                yield Static(Text("\n").join(parts))
            following = say(lang, "next_dealer", name=self.names[end.next_dealer])
            yield Static(f"{say(lang, 'continue')}   {following}", classes="window-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_click(self) -> None:
        self.dismiss()


class MatchResult(ModalScreen[None]):
    """The ranking at the end of a match."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss", show=False),
        Binding("escape", "dismiss", show=False),
    ]

    def __init__(self, result: events.Result, names: Sequence[str], lang: str, notes: Sequence[str]) -> None:
        super().__init__()
        self.result, self.names, self.lang, self.notes = result, list(names), lang, list(notes)

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(say(self.lang, "match_over"), classes="window-title win", markup=False)
            yield Static(self._ranking())
            for note in self.notes:
                yield Static(note, classes="window-keys", markup=False)
            yield Static(say(self.lang, "match_keys"), classes="window-keys", markup=False)

    def _ranking(self) -> Text:
        out = Text()
        for place, seat in enumerate(self.result.ranking, 1):
            points = self.result.scores[seat]
            style = Style(color=ACCENT if place == 1 else INK, bold=place == 1)
            out.append("\n")
            out.append_text(padded(Text(f"  {say(self.lang, 'rank', n=place)}", style), 14))
            out.append_text(padded(Text(self.names[seat], style), 20))
            out.append_text(_right(signed(points), 10, Style(color=WIN if points > 0 else INK, bold=True)))
        out.append("\n")
        return out
