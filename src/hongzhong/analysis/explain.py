"""Why a hand wins or not, which condition is missing, and what a disputed option would change, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hongzhong.analysis import Copies, Held, analyst_of
from hongzhong.layout import BY_DRAW
from hongzhong.rules.variant import Condition, RuleError, RuleSet, resolve
from hongzhong.rules.vocabulary import BITS, OPTIONS, Text, Value
from hongzhong.score import INCOMPLETE, WAYS, Hand, ScoreError, Seats, Verdict, scorer_of
from hongzhong.texts import score as score_texts
from hongzhong.texts.analysis import say
from hongzhong.texts.terminal import say_value
from hongzhong.tiles import CHINESE_SHORT, KIND_NAMES, Meld


@dataclass(frozen=True, slots=True)
class Barred:
    """Kinds that would complete a shape which a condition bars."""

    kinds: tuple[int, ...]
    reason: str
    ruling: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rule set says of a hand. ``verdict``: of 3n + 2 tiles. ``distance``: None if no win is within reach; ``waits`` and ``barred``:
    of the 3n + 1 tiles, without the last of 3n + 2."""

    verdict: Verdict | None
    distance: int | None
    waits: tuple[int, ...]
    barred: tuple[Barred, ...]

    def differs(self, other: Answer) -> bool:
        """Whether a player would care."""

        def key(one: Answer) -> tuple[Any, ...]:
            won = one.verdict and (one.verdict.win, one.verdict.points, one.verdict.bits, one.verdict.reason)
            return won, one.distance, () if one.verdict else one.waits

        return key(self) != key(other)


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What another value of a disputed option would give; None: the hand cannot be under it."""

    option: str
    value: Value
    ruling: str
    rules: RuleSet
    answer: Answer


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hand wins or not. ``useful``: kinds that bring 3n + 1 tiles nearer. ``text`` tells it in words."""

    rules: RuleSet
    how: int
    answer: Answer
    useful: tuple[Copies, ...]
    others: tuple[Otherwise, ...]

    def text(self, lang: str) -> list[str]:
        """Lines in ``zh`` or ``en``."""
        return [*_told(self, lang), *(_told_otherwise(one, lang) for one in self.others)]


@lru_cache(maxsize=64)
def alternatives(rules: RuleSet) -> tuple[tuple[str, Value, RuleSet], ...]:
    """The rule set with each disputed option of its sheet set to each of its other values; of numbers the default and the least but one."""
    found = []
    for offer in rules.sheet.options.values():
        spec = OPTIONS[offer.id]
        values: tuple[Value, ...] = (False, True) if spec.kind == "bool" else spec.choices
        if spec.kind == "int":
            values = (offer.default, spec.low + 1)
        for value in dict.fromkeys(values) if offer.asked else ():
            if value == rules.get(offer.id):
                continue
            given = {name: old for name, old in rules.changed().items() if name != offer.id}
            for row in rules.sheet.patterns:
                if row.option == offer.id:
                    given.pop(f"price.{row.id}", None)
            try:
                found.append((offer.id, value, resolve(rules.sheet, given | {offer.id: value})))
            except RuleError:
                continue  # the two would contradict each other
    return tuple(found)


def explain(
    rules: RuleSet,
    concealed: Sequence[int],
    melds: Sequence[Meld] = (),
    *,
    tile: int | None = None,
    by: str = "draw",
    flags: Mapping[str, bool] | None = None,
    seats: Seats | None = None,
    seen: Sequence[int] = (),
) -> Explanation:
    """Explains 3n + 1 concealed tiles, with ``tile`` as one that may win ``by`` draw, discard or kong. ``flags`` and ``seats`` as in
    ``Scorer.check``. Raises ``ScoreError`` for a hand that cannot be, ``AnalysisError`` for rules beyond the tables."""
    analyst = analyst_of(rules)
    held = analyst.hold(concealed if tile is None else [*concealed, tile], melds, seen)
    given = (tuple(concealed), tuple(melds), tile, by, dict(flags or {}), seats)
    answer = _answer(rules, *given)
    others = []
    for option, value, other in alternatives(rules):
        try:
            found = _answer(other, *given)
        except (ScoreError, RuleError):
            continue
        if found.differs(answer):
            others.append(Otherwise(option, value, rules.sheet.options[option].ruling, other, found))
    useful = () if held.drawn else analyst.useful(held)
    return Explanation(rules, WAYS.index(by), answer, useful, tuple(others))


def _answer(
    rules: RuleSet,
    concealed: tuple[int, ...],
    melds: tuple[Meld, ...],
    tile: int | None,
    by: str,
    flags: dict[str, bool],
    seats: Seats | None,
) -> Answer:
    analyst, scorer = analyst_of(rules), scorer_of(rules)
    before = analyst.hold(concealed, melds)
    verdict = None
    distance = analyst.distance(before)
    if tile is not None:
        hand = scorer.check(concealed, melds, tile, by, seats=seats, **flags)
        verdict = scorer.verdict(hand)
        distance = analyst.distance(analyst.hold([*concealed, tile], melds))
    waits = analyst.wait_kinds(before)
    barred = {} if verdict and verdict.win else _barred(rules, before, waits)
    return Answer(verdict, distance, tuple(waits), tuple(Barred(tuple(kinds), *why) for why, kinds in barred.items()))


def _barred(rules: RuleSet, hand: Held, waits: list[int]) -> dict[tuple[str, str], list[int]]:
    """Kinds that complete a shape which a condition bars, by reason and ruling."""
    found: dict[tuple[str, str], list[int]] = {}
    for kind in range(34):
        if hand.free >> kind & 1 and kind not in waits:
            verdict = scorer_of(rules).verdict(Hand(hand.concealed, hand.melds, kind, BY_DRAW))
            if not verdict.win and verdict.reason != INCOMPLETE:
                found.setdefault((verdict.reason, verdict.ruling), []).append(kind)
    return found


# in words


def _word(text: Text, lang: str) -> str:
    return text.zh if lang == "zh" else text.en


def tile_names(kinds: Sequence[int], lang: str) -> str:
    """The kinds as players write them."""
    names = CHINESE_SHORT if lang == "zh" else KIND_NAMES
    return " ".join(names[kind] for kind in kinds) or say(lang, "nothing")


def why_not(rules: RuleSet, reason: str, lang: str) -> str:
    """A reason of ``Verdict`` in words."""
    if reason in score_texts.REASONS:
        return score_texts.say(lang, reason)
    return _word(next(c.text for c in rules.sheet.conditions if c.reason == reason and rules.holds(c.when)), lang)


def pattern_names(rules: RuleSet, verdict: Verdict, lang: str) -> str:
    """The names of what a win shows, in sheet order."""
    names = {row.id: row.name for row in rules.sheet.patterns}
    return say(lang, "comma").join(_word(names[row.id], lang) for row in verdict.patterns)


def _told(one: Explanation, lang: str) -> list[str]:
    rules, answer, verdict = one.rules, one.answer, one.answer.verdict
    if verdict is not None and verdict.win:
        way = score_texts.say(lang, f"way_{WAYS[one.how]}")
        lines = [say(lang, "wins", way=way, points=verdict.points, reading=verdict.reading)]
        names = {row.id: row.name for row in rules.sheet.patterns}
        for row in verdict.patterns:
            price = score_texts.say(lang, row.kind, value=row.value)
            price += score_texts.say(lang, "count", count=row.count) if row.count > 1 else ""
            lines.append("  " + say(lang, "row", name=_word(names[row.id], lang), price=price, ruling=row.ruling))
        return lines + [
            f"  {_condition(rules, c, verdict, lang)}" for c in rules.sheet.conditions if rules.holds(c.when)
        ]
    lines = []
    if verdict is not None:
        lines.append(say(lang, "fails", why=why_not(rules, verdict.reason, lang), ruling=verdict.ruling))
        if answer.distance is not None and answer.distance >= 0:
            lines.append(say(lang, "missing", count=answer.distance + 1))
        if answer.waits:
            lines.append(say(lang, "waits_without", tiles=tile_names(answer.waits, lang)))
    elif answer.waits:
        lines.append(say(lang, "waits_for", tiles=tile_names(answer.waits, lang)))
    elif answer.distance is None:
        lines.append(say(lang, "out_of_reach"))
    else:
        lines.append(say(lang, "missing", count=answer.distance + 1))
        lines.append(say(lang, "brings_nearer", tiles=tile_names([kind for kind, _ in one.useful], lang)))
    for bar in answer.barred:
        why = why_not(rules, bar.reason, lang)
        lines.append(say(lang, "barred_kind", tiles=tile_names(bar.kinds, lang), why=why, ruling=bar.ruling))
    return lines


def _condition(rules: RuleSet, condition: Condition, verdict: Verdict, lang: str) -> str:
    """That a winning hand meets a condition, or which exception frees it."""
    exempt = condition.exempt if rules.holds(condition.exempt_when) else ()
    shown = [row.name for row in rules.sheet.patterns if row.id in exempt and verdict.bits >> BITS[row.id] & 1]
    text = _word(condition.text, lang)
    if shown:
        names = say(lang, "comma").join(_word(name, lang) for name in shown)
        return say(lang, "condition_exempt", text=text, names=names, ruling=condition.ruling)
    return say(lang, "condition_met", text=text, ruling=condition.ruling)


def _told_otherwise(one: Otherwise, lang: str) -> str:
    answer, verdict = one.answer, one.answer.verdict
    if verdict is not None and verdict.win:
        patterns = pattern_names(one.rules, verdict, lang)
        told = say(lang, "other_wins", points=verdict.points, patterns=patterns)
    elif verdict is not None:
        told = say(lang, "other_fails", why=why_not(one.rules, verdict.reason, lang))
        if answer.distance is not None and answer.distance >= 0:
            told += say(lang, "pause") + say(lang, "missing", count=answer.distance + 1)
    elif answer.waits:
        told = say(lang, "other_waits", tiles=tile_names(answer.waits, lang))
    elif answer.distance is None:
        told = say(lang, "other_out")
    else:
        told = say(lang, "other_distance", distance=answer.distance)
    name, value = _word(OPTIONS[one.option].name, lang), say_value(lang, one.option, one.value)
    return say(lang, "otherwise", name=name, value=value, ruling=one.ruling, answer=told)
