"""``hongzhong rules [NAME]``: rule sets, options, prices. Loads no kernels, but to score the examples of a file."""

from __future__ import annotations

import json
from typing import Any

import click

from hongzhong import texts
from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice, load_rules, option_choice
from hongzhong.rules import RuleError, RuleSet, names, sheet
from hongzhong.rules.values import describe
from hongzhong.rules.variant import Sheet
from hongzhong.rules.vocabulary import OPTIONS, OptionSpec, Text, Value
from hongzhong.texts.score import padded, say
from hongzhong.tiles import CHINESE_SHORT, ENGLISH, KIND_OF


@click.command("rules")
@click.argument("name", required=False)
@click.option("--rules", "named", metavar="R", help="The same as NAME.")
@option_choice
@language_choice
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def command(name: str | None, named: str | None, options: tuple[str, ...], lang: str | None, as_json: bool) -> None:
    """Rule sets, and with NAME (or a sheet such as ./file.py) its options, conditions and prices."""
    if name is not None and named is not None:
        raise CommandError(f"two rule sets: {name} and --rules {named}; give one")
    name = name if name is not None else named
    language = texts.language(lang)
    try:
        if name is None:
            if options:
                raise CommandError("--option changes a rule set: give its name too")
            sheets = [sheet(known) for known in names()]
            print(_json([_head(one) for one in sheets]) if as_json else _list(sheets, language))
        else:
            rules = load_rules(name, options)
            if name.endswith(".py"):
                _check_examples(name, rules.sheet)
            print(_json(_whole(rules)) if as_json else _page(rules, language))
    except RuleError as error:
        raise CommandError(str(error)) from error


def _check_examples(name: str, one: Sheet) -> None:
    """Refuses a file whose examples do not score what they say: those of the package are scored by its tests."""
    if not one.examples:
        return
    from hongzhong.score.lines import Answerer

    requests = [_json({"rules": name} | dict(example.request)).encode() for example in one.examples]
    for number, (example, line) in enumerate(zip(one.examples, Answerer({name: one}).answer(requests), strict=True)):
        answer = json.loads(line)
        if "error" not in answer and answer.get("points") == example.points:
            continue
        told = "no win is" if example.points is None else f"{example.points} points are"
        found = f"it scores {answer['points']}" if answer.get("win") else f"it does not win ({answer.get('reason')})"
        problem = answer.get("error") or f"{told} told, {found}"
        raise CommandError(f"{name}: rule set {one.id!r}: examples[{number}] ({example.title.en}): {problem}")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(text: Text, lang: str) -> str:
    return text.zh if lang == "zh" else text.en


def _list(sheets: list[Sheet], lang: str) -> str:
    lines = [say(lang, "rule_sets")]
    for one in sheets:
        lines += [f"  {one.id}  {_text(one.name, lang)}", f"      {_text(one.summary, lang)}"]
    return "\n".join(lines)


def _head(one: Sheet) -> dict[str, Any]:
    return {
        "id": one.id,
        "revision": one.revision,
        "name": one.name._asdict(),
        "summary": one.summary._asdict(),
        "tiles": sum(one.copies),
        "wild": list(one.wild),
        "claims": list(one.claims),
    }


def _whole(rules: RuleSet) -> dict[str, Any]:
    one = rules.sheet
    return _head(one) | {
        "forms": [{"id": form.id, "ruling": form.ruling, "on": rules.holds(form.when)} for form in one.forms],
        "conditions": [
            {
                "id": c.id, "reason": c.reason, "ruling": c.ruling, "text": c.text._asdict(), "on": rules.holds(c.when),
                "exempt": list(c.exempt) if rules.holds(c.exempt_when) else [],
            }
            for c in one.conditions
        ],
        "options": [
            {
                "id": offer.id, "value": rules.options[offer.id], "default": offer.default, "takes": describe(OPTIONS[offer.id]),
                "name": OPTIONS[offer.id].name._asdict(), "ruling": offer.ruling, "asked": offer.asked,
            }
            for offer in one.options.values()
        ],
        "prices": [
            {
                "id": row.id, "kind": row.kind, "value": rules.prices[row.id], "default": _standard(one, row.id),
                "name": row.name._asdict(), "ruling": row.ruling,
            }
            for row in one.patterns
        ],
    }  # fmt: skip


def _standard(one: Sheet, pattern: str) -> Value:
    row = one.pattern(pattern)
    return row.value if row.option is None else one.options[row.option].default


def _value(value: Value, lang: str) -> str:
    if isinstance(value, bool) or value is None:
        return say(lang, str(value).lower())
    return ",".join(str(part) for part in value) if isinstance(value, tuple) else str(value)


def _takes(spec: OptionSpec) -> str:
    """The values in the terms in which they are typed, the same in every language."""
    if spec.kind == "bool":
        return "true false"
    if spec.kind == "choice":
        return " ".join(spec.choices)
    numbers = f"{spec.low}-{spec.high}"
    return ",".join([numbers] * 3) if spec.kind == "points" else " ".join([numbers, *spec.words, *["none"] * spec.none])


def _row(first: str, second: str, rest: list[str]) -> str:
    return f"  {padded(first, 32)}{padded(second, 19)}{'  '.join(part for part in rest if part)}"


def _page(rules: RuleSet, lang: str) -> str:
    one = rules.sheet
    comma = say(lang, "comma")
    wild = comma.join(CHINESE_SHORT[KIND_OF[name]] if lang == "zh" else ENGLISH[KIND_OF[name]] for name in one.wild)
    lines = [
        f"{one.id}  {_text(one.name, lang)}",
        _text(one.summary, lang),
        "",
        say(lang, "tiles", count=sum(one.copies))
        + (f" ({one.tiles_ruling})" + (comma + say(lang, "wild", tiles=wild) if wild else "")),
        say(lang, "claims", claims=comma.join(say(lang, f"claim_{claim}") for claim in one.claims)),
        "",
        say(lang, "forms"),
        *(_row(f.id, f.ruling, [say(lang, f"form_{f.id}")]) for f in one.forms if rules.holds(f.when)),
    ]
    active = [c for c in one.conditions if rules.holds(c.when)]
    if active:
        lines += ["", say(lang, "conditions")]
    for condition in active:
        exempt = ""
        if condition.exempt and rules.holds(condition.exempt_when):
            shown = {row.id: _text(row.name, lang) for row in one.patterns}
            exempt = say(lang, "exempt", patterns=comma.join(shown[p] for p in condition.exempt if p in shown))
        lines.append(_row(condition.reason, condition.ruling, [_text(condition.text, lang), exempt]))
    lines += ["", say(lang, "prices")]
    for row in one.patterns:
        value, standard = rules.prices[row.id], _standard(one, row.id)
        note = "" if value == standard else say(lang, "changed", value=standard)
        lines.append(_row(row.id, say(lang, row.kind, value=value), [row.ruling, _text(row.name, lang), note]))
    lines += ["", say(lang, "options")]
    for offer in one.options.values():
        chosen = rules.options[offer.id]
        note = "" if chosen == offer.default else say(lang, "changed", value=_value(offer.default, lang))
        takes = say(lang, "takes", values=_takes(OPTIONS[offer.id]))
        star = "*" if offer.asked else ""
        lines.append(
            _row(
                offer.id + star, _value(chosen, lang), [offer.ruling, _text(OPTIONS[offer.id].name, lang), takes, note]
            )
        )
    return "\n".join(lines)
