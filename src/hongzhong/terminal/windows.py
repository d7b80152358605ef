"""Windows over the table: help, a question before leaving, a typed value, a terminal that is too small."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import OPTIONS
from hongzhong.terminal.faces import ACCENT, FAINT, Faces
from hongzhong.texts.terminal import say, say_value
from hongzhong.tiles import KIND_OF


class TooSmall(ModalScreen[None]):
    """Covers everything until the window is large enough."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang

    def compose(self) -> ComposeResult:
        yield Static(id="too-small")

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        width, height = self.app.size
        self.query_one(Static).update(Text(say(self.lang, "too_small", width=width, height=height), justify="center"))


class Leave(ModalScreen[bool]):
    """Asks before the table is left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "answer(True)", show=False),
        Binding("escape", "answer(False)", show=False),
    ]

    def __init__(self, lang: str) -> None:
        super().__init__()
        self.lang = lang

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(say(self.lang, "leave_title"), classes="window-title", markup=False)
            yield Static(say(self.lang, "leave_text"), markup=False)
            yield Static(say(self.lang, "leave_keys"), classes="window-keys", markup=False)

    def action_answer(self, leave: bool) -> None:
        self.dismiss(leave)


class TypeValue(ModalScreen[str]):
    """Asks for the value of an option; an empty answer leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", show=False)]

    def __init__(self, lang: str, name: str, allowed: str, value: str) -> None:
        super().__init__()
        self.lang, self.option_name, self.allowed, self.value = lang, name, allowed, value

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield Static(say(self.lang, "type_value", name=self.option_name), markup=False)
            yield Input(self.value)
            yield Static(say(self.lang, "takes", values=self.allowed), classes="window-keys", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class Help(ModalScreen[None]):
    """Keys, and the rules of this table told from its sheet."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", show=False),
        Binding("f1", "dismiss", show=False),
        Binding("enter", "dismiss", show=False),
    ]

    def __init__(self, lang: str, rules: RuleSet, faces: Faces, commitment: str | None = None) -> None:
        super().__init__()
        self.lang, self.rules, self.faces, self.commitment = lang, rules, faces, commitment

    def compose(self) -> ComposeResult:
        with Vertical(classes="window wide"):
            yield Static(say(self.lang, "help_title"), classes="window-title", markup=False)
            with VerticalScroll(can_focus=True):
                if self.commitment is not None:
                    yield Static(say(self.lang, "commitment", commitment=self.commitment), markup=False)
                yield Static(help_text(self.lang, self.rules, self.faces))
            yield Static(say(self.lang, "help_close"), classes="window-keys", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()


def help_text(lang: str, rules: RuleSet, faces: Faces) -> Text:
    """Keys and a short account of the rules in force."""

    def told(text: tuple[str, str]) -> str:
        return text[1 if lang == "zh" else 0]

    def heading(line: str) -> None:
        out.append(f"\n{line}\n", f"bold {ACCENT}")

    sheet = rules.sheet
    out = Text()
    heading(say(lang, "help_keys_title"))
    out.append(say(lang, "help_keys") + "\n")
    for line in ("help_marks", "help_faces"):
        out.append(say(lang, line) + "\n" if say(lang, line) else "", FAINT)
    heading(say(lang, "help_rules_title", name=told(sheet.name)))
    out.append(told(sheet.summary) + "\n")
    comma = "、" if lang == "zh" else ", "
    out.append(say(lang, "help_tiles", n=sum(sheet.copies)) + "\n")
    if sheet.wild:
        out.append(say(lang, "help_wild", tiles=comma.join(faces.name(KIND_OF[name]) for name in sheet.wild)) + "\n")
    out.append(
        say(lang, "help_claims", claims=comma.join(say(lang, f"claim_{claim}") for claim in sheet.claims)) + "\n"
    )
    forms = [say(lang, f"form_{form.id}") for form in sheet.forms if rules.holds(form.when)]
    out.append(say(lang, "help_forms", forms=comma.join(forms)) + "\n")
    names = {pattern.id: told(pattern.name) for pattern in sheet.patterns}
    for condition in sheet.conditions:
        if rules.holds(condition.when):
            exempt = [names[p] for p in condition.exempt if p in names] if rules.holds(condition.exempt_when) else []
            out.append(say(lang, "help_conditions", text=told(condition.text)))
            out.append(say(lang, "help_exempt", names=comma.join(exempt)) if exempt else "")
            out.append(f"  {condition.ruling}\n", FAINT)
    heading(say(lang, "help_prices"))
    for pattern in sheet.patterns:
        price = rules.prices[pattern.id]
        if price != (1 if pattern.kind == "times" else 0):
            row = Text(f"{names[pattern.id]}  ")
            row.append(say(lang, f"kind_{pattern.kind}", value=price), ACCENT)
            row.append(f"  {pattern.ruling}\n", FAINT)
            out.append_text(row)
    changed = {name: value for name, value in rules.changed().items() if name in OPTIONS}
    if changed:
        heading(say(lang, "help_changed"))
        for name, value in changed.items():
            out.append(f"{told(OPTIONS[name].name)}: {say_value(lang, name, value)}\n")
    return out
