"""Analyses and explanations in words, Chinese and English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hongzhong.analysis import Analysis, Copies, Discard, Wait
from hongzhong.rules.variant import Condition, RuleSet
from hongzhong.rules.vocabulary import BITS, OPTIONS, Text
from hongzhong.score import WAYS, Verdict
from hongzhong.texts import score as score_texts
from hongzhong.texts.analysis import say
from hongzhong.texts.terminal import say_value
from hongzhong.tiles import CHINESE, KIND_NAMES

if TYPE_CHECKING:
    from hongzhong.analysis.explain import Explanation, Otherwise

BRIEF: Final = 6
"""Discards of a brief text."""


def _word(text: Text, lang: str) -> str:
    return text.zh if lang == "zh" else text.en


def tile_names(kinds: Sequence[int], lang: str) -> str:
    """The kinds as players write them."""
    names = CHINESE if lang == "zh" else KIND_NAMES
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


def explanation_text(one: Explanation, lang: str) -> list[str]:
    """What a hand shows or lacks, a line each."""
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


def otherwise_text(one: Otherwise, lang: str) -> str:
    """What another value of a disputed option would give."""
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


# the analysis


def distance_text(distance: int | None, lang: str) -> str:
    """How far a hand is."""
    if distance is None:
        return say(lang, "out_of_reach")
    return say(lang, "won" if distance < 0 else "ready" if distance == 0 else "far", distance=distance)


def useful_text(useful: Sequence[Copies], lang: str) -> str:
    """Each useful kind with the copies left, and their sum."""
    if not useful:
        return say(lang, "no_useful")
    names = CHINESE if lang == "zh" else KIND_NAMES
    tiles = " ".join(say(lang, "useful_tile", tile=names[kind], unseen=unseen) for kind, unseen in useful)
    return say(lang, "useful", tiles=tiles, copies=sum(unseen for _, unseen in useful))


def wait_text(rules: RuleSet, one: Wait, lang: str) -> str:
    """A wait with what it pays and shows."""
    name = "wait_no_discard" if one.discard is None else "wait_same" if one.draw == one.discard else "wait_points"
    points = say(lang, name, draw=one.draw, discard=one.discard)
    tile = tile_names([one.kind], lang)
    return say(
        lang, "wait", tile=tile, unseen=one.unseen, points=points, patterns=pattern_names(rules, one.drawn, lang)
    )


def discard_text(one: Discard, lang: str) -> str:
    """A discard with what it leaves."""
    tile = tile_names([one.kind], lang)
    if one.distance is None:
        return say(lang, "discard_far", tile=tile)
    points = "" if one.points is None else say(lang, "best_points", points=one.points)
    return say(lang, "discard", tile=tile, distance=one.distance, copies=one.copies, points=points).rstrip()


def analysis_text(rules: RuleSet, one: Analysis, lang: str, *, brief: bool = False) -> list[str]:
    """The whole analysis, a line each: useful tiles are listed for the discards that leave the smallest distance. ``brief``: the first
    discards, and useful tiles for the best alone."""
    lines = [distance_text(one.distance, lang)]
    if one.discards:
        lines.append(say(lang, "discards"))
        least = one.discards[0].distance
        for place, row in enumerate(one.discards[:BRIEF] if brief else one.discards):
            lines.append("  " + discard_text(row, lang))
            if row.distance == least is not None and not (brief and place):
                lines.append("    " + useful_text(row.useful, lang))
        return lines
    if one.waits:
        return lines + [say(lang, "waits"), *("  " + wait_text(rules, row, lang) for row in one.waits)]
    return lines if one.distance is None else lines + [useful_text(one.useful, lang)]
