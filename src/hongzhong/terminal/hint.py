"""The hint at the table: how far the own hand is, what it waits for, which discards are best, from the seat's own view alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from hongzhong.texts.analysis import say

if TYPE_CHECKING:  # it loads the engine
    from hongzhong.view import View


def hint_lines(view: View, lang: str) -> list[str]:
    """What the analysis says of the hand in a view; why there is none where there is none."""
    from hongzhong.analysis import AnalysisError, analyst_of
    from hongzhong.analysis.words import analysis_text
    from hongzhong.score import ScoreError

    try:
        analyst = analyst_of(view.rules)
        found = analyst.analyse(analyst.hold_view(view))
    except AnalysisError as error:
        return [say(lang, "hint_refused", why=error)]
    except ScoreError:
        return [say(lang, "hint_no_hand")]
    return analysis_text(view.rules, found, lang, brief=True)


class Hint(ModalScreen[None]):
    """Shows the hint until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", show=False),
        Binding("enter", "dismiss", show=False),
        Binding("t", "dismiss", show=False),
    ]

    def __init__(self, lang: str, view: View) -> None:
        super().__init__()
        self.lang, self.view = lang, view

    def compose(self) -> ComposeResult:
        with Vertical(classes="window wide"):
            yield Static(say(self.lang, "hint_title"), classes="window-title", markup=False)
            with VerticalScroll(can_focus=True):
                yield Static("\n".join(hint_lines(self.view, self.lang)), markup=False)
            yield Static(say(self.lang, "hint_close"), classes="window-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
