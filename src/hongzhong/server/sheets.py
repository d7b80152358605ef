"""Rule sheets as the forms that a browser shows. Loads no engine."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.metadata import entry_points
from typing import Final

from hongzhong import rules
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import MAX_PRICE, RuleSet, Sheet, resolve
from hongzhong.rules.vocabulary import OPTIONS, Value
from hongzhong.server.bodies import Choice, OptionForm, RulesChecked, SheetForm
from hongzhong.server.errors import Refusal
from hongzhong.texts.bots import LEVELS
from hongzhong.texts.records import Said
from hongzhong.texts.refusals import chinese
from hongzhong.texts.terminal import say_length, say_value
from hongzhong.tiles import KIND_NAMES


def load(name: str, options: dict[str, object]) -> RuleSet:
    """The rule set that a room asks for, by the name of an installed sheet. Raises ``Refusal`` in the sheet's words."""
    try:
        if name not in rules.names():
            raise RuleError(f"unknown rule set {name!r}; known: {', '.join(rules.names())}")
        return rules.load(name, options)
    except RuleError as error:
        why = Said(str(error), re.sub("“(\\w+)”", _option_name, chinese(str(error))))
        raise Refusal("rules", field="options" if name in rules.names() else "rules", why=why) from error


def _option_name(found: re.Match[str]) -> str:
    spec = OPTIONS.get(found[1])
    return found[0] if spec is None else f"“{spec.name.zh}”"


def checked(name: str, options: dict[str, object]) -> RulesChecked:
    """Raises ``Refusal``."""
    ruleset = load(name, options)
    zh, en = summary(ruleset)
    return RulesChecked(rules=ruleset.id, options=plain(ruleset.changed()), summary_zh=zh, summary_en=en)


def plain(options: dict[str, Value]) -> dict[str, object]:
    """Options as JSON has them."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}


@lru_cache(maxsize=1024)
def summary(ruleset: RuleSet) -> tuple[str, str]:
    """One line in Chinese and English: the rule set, its length, and what differs from its defaults."""
    sheet = ruleset.sheet
    length = "rounds" if ruleset.get("rounds") else "hands"
    parts_zh, parts_en = ([say_length(lang, length, ruleset.get(length))] for lang in ("zh", "en"))
    for name, value in ruleset.changed().items():
        if name in ("hands", "rounds"):
            continue
        row = sheet.pattern(name.removeprefix("price.")) if name.startswith("price.") else None
        if row is not None and row.option is not None and row.option in ruleset.changed():
            continue  # told by its option
        text = OPTIONS[name].name if row is None else row.name
        parts_zh.append(f"{text.zh}{_shown('zh', name, value)}")
        parts_en.append(f"{text.en}: {_shown('en', name, value)}")
    return f"{sheet.name.zh}·{'，'.join(parts_zh)}", f"{sheet.name.en}: {', '.join(parts_en)}"


def _shown(lang: str, name: str, value: Value) -> str:
    text = say_value(lang, name, value)
    return f"：{text}" if lang == "zh" else text


@lru_cache(maxsize=32)
def form_of(name: str) -> SheetForm:
    """The form of an installed sheet."""
    sheet = rules.sheet(name)
    ruleset = resolve(sheet)
    options = sorted(sheet.options.values(), key=lambda offer: not offer.asked)
    return SheetForm(
        id=sheet.id,
        zh=sheet.name.zh,
        en=sheet.name.en,
        summary_zh=sheet.summary.zh,
        summary_en=sheet.summary.en,
        tiles=[KIND_NAMES[kind] for kind, copies in enumerate(sheet.copies) if copies],
        wild=list(sheet.wild),
        clockwise=ruleset.get("play_direction") == "clockwise",
        options=[*(_option(offer.id, offer.default, offer.ruling, offer.asked) for offer in options), *_prices(sheet)],
    )


def _option(name: str, default: Value, ruling: str, asked: bool) -> OptionForm:
    spec = OPTIONS[name]
    values: list[Value] = [*([None] if spec.none else []), *spec.words, *spec.choices]
    return OptionForm(
        id=name,
        zh=spec.name.zh,
        en=spec.name.en,
        kind=spec.kind,
        default=list(default) if isinstance(default, tuple) else default,
        choices=[Choice(value=v, zh=say_value("zh", name, v), en=say_value("en", name, v)) for v in values],
        low=spec.low,
        high=spec.high,
        ruling=ruling,
        asked=asked,
        price=False,
    )


def bot_names() -> list[str]:
    """The levels from easy to hard, then as ``bots.names`` has them, without the engine that bots load."""
    return [*LEVELS, "random", *sorted(entry.name for entry in entry_points(group="hongzhong.bots"))]


_KINDS: Final = {"base": ("底", "base"), "fan": ("番", "fan"), "times": ("倍", "times")}


def _prices(sheet: Sheet) -> list[OptionForm]:
    prices = resolve(sheet).prices
    return [
        OptionForm(
            id=f"price.{row.id}",
            zh=f"{row.name.zh}（{_KINDS[row.kind][0]}）",
            en=f"{row.name.en} ({_KINDS[row.kind][1]})",
            kind="int",
            default=prices[row.id],
            choices=[],
            low=1 if row.kind == "times" else 0,
            high=MAX_PRICE,
            ruling=row.ruling,
            asked=False,
            price=True,
        )
        for row in sheet.patterns
        if row.option is None
    ]
