"""The hint at the table: what to do, how far the own hand is, what it waits for, which discards are fastest. From the seat's view alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from hongzhong import actions
from hongzhong.terminal.choices import choices
from hongzhong.terminal.faces import Faces
from hongzhong.texts.analysis import say

if TYPE_CHECKING:  # it loads the engine
    from hongzhong import events
    from hongzhong.analysis import Discard
    from hongzhong.round import Prompt
    from hongzhong.view import View

_WHY: Final = {
    "fastest": "hint_fastest",
    "dearer": "hint_dearer",
    "safer": "hint_safer",
    "open": "hint_open",
    "close": "hint_about",
}


def hint_lines(
    view: View, lang: str, prompt: Prompt | None = None, heard: Sequence[events.Event] = (), glyphs: bool = False
) -> list[str]:
    """What the bot ``value`` would answer to the prompt, if there is one, after what it heard of the hand; then what the analysis says of
    the hand in a view, and why nothing where it says nothing."""
    from hongzhong.analysis import AnalysisError, analyst_of
    from hongzhong.analysis.words import analysis_text
    from hongzhong.score import ScoreError

    try:
        analyst = analyst_of(view.rules)
        found = analyst.analyse(analyst.hold_view(view))
    except AnalysisError as error:
        return [*_advised(view, lang, prompt, heard, glyphs, []), say(lang, "hint_refused", why=error)]
    except ScoreError:
        return [say(lang, "hint_no_hand")]
    return [
        *_advised(view, lang, prompt, heard, glyphs, found.discards),
        *analysis_text(view.rules, found, lang, brief=True),
    ]


def _advised(
    view: View,
    lang: str,
    prompt: Prompt | None,
    heard: Sequence[events.Event],
    glyphs: bool,
    discards: Sequence[Discard],
) -> list[str]:
    """The suggestion and what it leaves, unless that stands first in the list of discards anyway."""
    if prompt is None:
        return []
    from hongzhong.analysis.words import discard_text
    from hongzhong.bots.advice import advise

    rows = [row for row in discards if row.kind in prompt.actions]
    fastest = [row.kind for row in rows if (row.distance, row.copies) == (rows[0].distance, rows[0].copies)]
    action, why = advise(view.rules, heard, prompt, fastest)
    faces = Faces(lang, glyphs)
    if action >= actions.PASS:
        label = next(one.label for one in choices(prompt.actions, prompt.tile, faces, lang) if one.action == action)
        return [say(lang, "hint_act", act=label), ""]
    line = say(lang, "hint_discard", tile=faces.name(action)) + (say(lang, _WHY[why]) if why else "")
    return [line, *("  " + discard_text(row, lang) for row in rows[1:] if row.kind == action), ""]


class Hint(ModalScreen[None]):
    """Shows the hint until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", show=False),
        Binding("enter", "dismiss", show=False),
        Binding("t", "dismiss", show=False),
    ]

    def __init__(self, lines: Sequence[str], lang: str) -> None:
        super().__init__()
        self.lines, self.lang = lines, lang

    def compose(self) -> ComposeResult:
        with Vertical(classes="window wide"):
            yield Static(say(self.lang, "hint_title"), classes="window-title", markup=False)
            with VerticalScroll(can_focus=True):
                yield Static("\n".join(self.lines), markup=False)
            yield Static(say(self.lang, "hint_close"), classes="window-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
