"""The first screen: rule sets, their house rules, bots by level, a match to resume; meanwhile the engine loads."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from hongzhong import rules
from hongzhong.rules.variant import RuleSet, Sheet, resolve
from hongzhong.terminal.engine import Engine
from hongzhong.terminal.faces import ACCENT, FAINT, FELT_DARK, INK, IVORY, WIN, Faces
from hongzhong.terminal.levels import LevelRow
from hongzhong.terminal.options import OptionForm, row_name, takes
from hongzhong.terminal.settings import Settings, Unfinished
from hongzhong.terminal.windows import Help, TypeValue
from hongzhong.texts.terminal import say, say_value


class RuleList(Widget, can_focus=True):
    """The rule sets, two lines each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("left", "level(-1)", show=False),
        Binding("right", "level(1)", show=False),
    ]

    class Level(Message):
        """Stronger or weaker bots are wanted."""

        def __init__(self, by: int) -> None:
            super().__init__()
            self.by = by

    class Moved(Message):
        """Another rule set is shown."""

    def __init__(self, names: list[str], sheets: list[Sheet], at: int, lang: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names, self.sheets, self.at, self.lang = names, sheets, at, lang

    def action_move(self, by: int) -> None:
        self.pick((self.at + by) % len(self.sheets))

    def action_level(self, by: int) -> None:
        self.post_message(self.Level(by))

    def pick(self, at: int) -> None:
        if at != self.at:
            self.at = at
            self.post_message(self.Moved())
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        self.focus()
        if 0 <= event.y // 2 < len(self.sheets):
            self.pick(event.y // 2)

    def render(self) -> Text:
        width = self.content_size.width
        lines = []
        for at, sheet in enumerate(self.sheets):
            here = at == self.at
            name = sheet.name.zh if self.lang == "zh" else sheet.name.en
            top = Text(f"{'>' if here else ' '} {name}", Style(color=ACCENT if here else INK, bold=here))
            top.truncate(width, overflow="ellipsis")
            top.append(" " * (width - top.cell_len))
            if here and self.has_focus:
                top.stylize(Style(bgcolor=FELT_DARK))
            lines += [top, Text(f"  {sheet.id}, {sum(sheet.copies)}", Style(color=FAINT))]
        return Text("\n", no_wrap=True, overflow="crop").join(lines)


class StartScreen(Screen[None]):
    """Chooses what is played."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "switch", show=False, priority=True),
        Binding("enter", "play", show=False),
        Binding("r", "resume", show=False),
        Binding("l", "language", show=False),
        Binding("f2", "language", show=False),
        Binding("f1", "help", show=False),
    ]

    class Play(Message):
        """A match shall begin."""

        def __init__(self, rules: RuleSet, name: str) -> None:
            super().__init__()
            self.rules, self.name = rules, name

    class Resume(Message):
        """The unfinished match shall go on."""

    def __init__(self, settings: Settings, engine: Engine, unfinished: Unfinished | None) -> None:
        super().__init__()
        self.settings, self.engine, self.unfinished = settings, engine, unfinished
        self.names = rules.names()
        if settings.rules is not None and settings.rules not in self.names:
            self.names.append(settings.rules)
        self.sheets = [rules.sheet(name) for name in self.names]
        self.given = {name: dict(settings.options) if name == settings.rules else {} for name in self.names}
        self.problem = ""

    @property
    def lang(self) -> str:
        return self.settings.lang

    def compose(self) -> ComposeResult:
        at = 0 if self.settings.rules is None else self.names.index(self.settings.rules)
        yield Static(id="banner")
        yield LevelRow(self.settings.bots, self.lang, id="levels")
        with Horizontal(id="choice"):
            with Vertical(id="rule-box"):
                yield Static(id="rule-title", markup=False)
                yield RuleList(self.names, self.sheets, at, self.lang, id="rules")
                yield Static(id="summary", markup=False)
            with Vertical(id="form-box"):
                yield Static(id="form-title", markup=False)
                yield OptionForm(self.sheets[at], self.given[self.names[at]], self.lang, id="form")
        yield Static(id="status")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(RuleList).focus()
        self.tell()
        self.set_interval(0.2, self.tell_status)

    def on_descendant_focus(self) -> None:
        self.tell()

    def tell(self) -> None:
        """Writes every text anew, in the language of the moment."""
        lang, form, chosen = self.lang, self.query_one(OptionForm), self.query_one(RuleList)
        levels = self.query_one(LevelRow)
        form.lang = chosen.lang = levels.lang = lang
        levels.refresh()
        form.refresh()
        chosen.refresh()
        sheet = self.sheets[chosen.at]
        banner = Text()
        banner.append("        \n", Style(bgcolor=IVORY))
        banner.append("  红中  ", Style(color=WIN, bgcolor=IVORY, bold=True))
        banner.append(f"   {say(lang, 'title')}", Style(color=ACCENT, bold=True))
        banner.append(f"  {say(lang, 'subtitle')}\n", Style(color=FAINT))
        banner.append("        ", Style(bgcolor=IVORY))
        self.query_one("#summary", Static).update(sheet.summary.zh if lang == "zh" else sheet.summary.en)
        self.query_one("#banner", Static).update(banner)
        self.query_one("#rule-title", Static).update(say(lang, "choose_rules"))
        self.query_one("#form-title", Static).update(say(lang, "options"))
        self.query_one("#keys", Static).update(say(lang, "form_keys" if form.has_focus else "start_keys"))
        self.tell_status()

    def tell_status(self) -> None:
        """What can be resumed, what is wrong, how far the engine is."""
        lang, form = self.lang, self.query_one(OptionForm)
        out = Text()
        problem = self.problem or form.error
        if problem:
            out.append(problem, Style(color=WIN, bold=True))
        elif form.has_focus:
            row = form.rows[form.at]
            default = say_value(lang, row.id, row.default)
            out.append(f"{row_name(form.sheet, row, lang)}  ", Style(color=INK))
            out.append(f"{say(lang, 'default')} {default}  {row.ruling}  {row.id}", Style(color=FAINT))
        elif self.unfinished is not None:
            name = self.unfinished.rules.sheet.name
            out.append(
                say(lang, "resume_offer", rules=name.zh if lang == "zh" else name.en, when=self.unfinished.when),
                Style(color=ACCENT, bold=True),
            )
        else:
            out.append(self.query_one(LevelRow).about(), Style(color=FAINT))
        status = self.query_one("#status", Static)
        long_problem = bool(problem) and out.cell_len > status.content_size.width
        status.styles.text_wrap = "wrap" if long_problem else "nowrap"
        if not long_problem:  # else it takes both lines
            out.append("\n")
            out.append(self.engine.told(lang), Style(color=FAINT if not self.engine.failed else WIN))
        status.update(out)

    def on_rule_list_moved(self) -> None:
        form, at = self.query_one(OptionForm), self.query_one(RuleList).at
        form.load(self.sheets[at], self.given[self.names[at]])
        self.problem = ""
        self.tell()

    def on_rule_list_level(self, message: RuleList.Level) -> None:
        self.query_one(LevelRow).move(message.by)

    def on_level_row_changed(self) -> None:
        self.settings.bots = self.query_one(LevelRow).bots
        self.tell_status()

    def on_option_form_changed(self) -> None:
        form = self.query_one(OptionForm)
        self.given[self.names[self.query_one(RuleList).at]] = form.changed()
        self.tell()

    def on_option_form_typing(self, message: OptionForm.Typing) -> None:
        form, row = self.query_one(OptionForm), message.row

        def typed(text: str | None) -> None:
            if text:
                form.put(row, text)

        value = form.values[row.id]
        shown = ",".join(map(str, value)) if isinstance(value, tuple) else "none" if value is None else str(value)
        self.app.push_screen(TypeValue(self.lang, row_name(form.sheet, row, self.lang), takes(row), shown), typed)

    def action_switch(self) -> None:
        form, chosen = self.query_one(OptionForm), self.query_one(RuleList)
        (chosen if form.has_focus else form).focus()
        form.error = ""
        self.tell()

    def action_play(self) -> None:
        form, at = self.query_one(OptionForm), self.query_one(RuleList).at
        if not form.error:
            self.post_message(self.Play(resolve(self.sheets[at], form.changed()), self.names[at]))

    def action_resume(self) -> None:
        if self.unfinished is not None:
            self.post_message(self.Resume())

    def action_language(self) -> None:
        self.settings.lang = "en" if self.lang == "zh" else "zh"
        self.tell()

    def action_help(self) -> None:
        form = self.query_one(OptionForm)
        chosen = resolve(form.sheet) if form.error else resolve(form.sheet, form.changed())
        self.app.push_screen(Help(self.lang, chosen, Faces(self.lang, self.settings.glyphs)))

    def complain(self, problem: str) -> None:
        """Says why a match cannot begin."""
        self.problem = problem
        self.tell_status()
