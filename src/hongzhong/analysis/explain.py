"""Why a hand wins or not, which condition is missing, and what a disputed option would change, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hongzhong.analysis import Copies, Held, analyst_of
from hongzhong.analysis.words import explanation_text, otherwise_text
from hongzhong.layout import BY_DRAW
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.rules.vocabulary import OPTIONS, Value
from hongzhong.score import INCOMPLETE, WAYS, Hand, ScoreError, Seats, Verdict, scorer_of
from hongzhong.tiles import Meld


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
        return [*explanation_text(self, lang), *(otherwise_text(one, lang) for one in self.others)]


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
