"""The schema of a rule sheet and the options in force: types, limits, conflicts. A rule set is one ``Sheet`` of data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal

from hongzhong.rules.values import RuleError, check_value
from hongzhong.rules.vocabulary import COUNTED, OPTIONS, Text, Value
from hongzhong.tiles import KIND_OF

MAX_PRICE: Final = 1000


@dataclass(frozen=True, slots=True)
class When:
    """Holds while the option has one of the values."""

    option: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A shape that wins: ``four_sets`` (and a pair), ``seven_pairs``, ``thirteen_orphans``."""

    id: str
    ruling: str
    when: When | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What every win must meet, unless it shows one of the ``exempt`` patterns (while ``exempt_when`` holds).

    ``reason`` is the stable id given when it is not met, ``text`` what a player reads then.
    """

    id: str
    ruling: str
    reason: str
    text: Text
    exempt: tuple[str, ...] = ()
    exempt_when: When | None = None
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A pattern or fact that bars another, unless the option is true."""

    by: str
    unless: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A row of the price table. ``requires`` needs all, ``requires_any`` one of the named bits; it may name rows above it.

    ``option`` names an option that holds the value; ``price.<id>`` changes it too.
    """

    id: str
    kind: Literal["base", "fan", "times"]
    value: int
    ruling: str
    name: Text
    requires: tuple[str, ...] = ()
    requires_any: tuple[str, ...] = ()
    barred_by: tuple[Bar, ...] = ()
    option: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseWin:
    """Paid to each of the others, in stakes; ``dealer_steps_down`` if the dealer erred (H26)."""

    points: int
    dealer_points: int
    dealer_steps_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall:
    """``style``: ``flat``, or ``sides`` with dice and a break (H25). Each kong takes ``aside_per_kong`` tiles from the live wall and
    needs ``kong_needs`` live ones; ``keep_last``: the last live tile cannot be discarded (H16)."""

    style: Literal["flat", "sides"] = "flat"
    aside_per_kong: int = 1
    kong_needs: int = 1
    keep_last: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """An option that the sheet offers, its default here and its ruling; ``asked``: one that players of the region argue about."""

    id: str
    default: Value
    ruling: str
    asked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A worked hand: a request of the score contract without rule set, and its points (None: no win)."""

    title: Text
    request: Mapping[str, Any]
    points: int | None


COMMON_OFFERS: Final = (
    Offer("hands", 8, "C9"),
    Offer("rounds", 0, "C9"),
    Offer("base_point", 1, "C9"),
    Offer("cap", None, "C9"),
    Offer("calls", "assisted", "C10"),
    Offer("discard_wins", True, "C9"),
    Offer("discard_pays", "discarder", "C9"),
    Offer("dealer_multiplier", 1, "C9"),
    Offer("multi_win", "nearest", "C9"),
    Offer("rob_kong", False, "C9"),
    Offer("dealer_rule", "next", "C9"),
    Offer("pass_lock", "none", "C9"),
    Offer("kong_points", (0, 0, 0), "C9"),
    Offer("kong_payer", "three", "C9"),
    Offer("concealed_kong_visible", False, "C7"),
    Offer("play_direction", "counter_clockwise", "C1"),
)
"""What every sheet offers; a sheet's own offer of the same id replaces the default and ruling."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A rule set as data; reads like its document. ``tiles``: copies by suit letter (``m``) or kind (``7z``)."""

    id: str
    name: Text
    summary: Text
    revision: int
    tiles: Mapping[str, int]
    tiles_ruling: str
    claims: tuple[str, ...]
    forms: tuple[Form, ...]
    patterns: tuple[Pattern, ...]
    first_dealer: Literal["dice", "random", "winds"]
    first_dealer_ruling: str
    conditions: tuple[Condition, ...] = ()
    wild: tuple[str, ...] = ()
    sets: int = 4
    wall: Wall = field(default_factory=Wall)
    drawn_dealer: Literal["stay", "next"] = "stay"
    kong_drawn_dealer: Literal["stay", "next"] | None = None
    false_win: FalseWin | None = None
    offers: tuple[Offer, ...] = ()
    examples: tuple[Example, ...] = ()

    def __post_init__(self) -> None:
        from hongzhong.rules.checks import check_sheet  # which knows what a sheet is

        check_sheet(self)

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """Copies of each of the 34 kinds."""
        return tuple(self.tiles.get(name, self.tiles.get(name[1], 0)) for name in KIND_OF)

    @cached_property
    def options(self) -> dict[str, Offer]:
        """Every option offered, the common ones first, prices apart."""
        return {o.id: o for o in COMMON_OFFERS} | {o.id: o for o in self.offers}

    def pattern(self, pattern_id: str) -> Pattern:
        return next(p for p in self.patterns if p.id == pattern_id)


def check_price(where: str, pattern: Pattern, value: object) -> int:
    """A price is a whole number: base and fan from 0, a multiplier from 1. Raises ``RuleError``."""
    low = 1 if pattern.kind == "times" else 0
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= MAX_PRICE:
        raise RuleError(
            f"{where}: wrong price {value!r}; a {pattern.kind} price is a whole number from {low} to {MAX_PRICE}"
        )
    return value


@dataclass(frozen=True, eq=False)
class RuleSet:
    """A sheet with all options in force: what a hand is played and scored by. ``prices`` by pattern id."""

    sheet: Sheet
    options: Mapping[str, Value]
    prices: Mapping[str, int]

    @property
    def id(self) -> str:
        return self.sheet.id

    def holds(self, when: When | None) -> bool:
        return when is None or self.options[when.option] in when.values

    def get(self, option: str) -> Any:
        """The option's value, the neutral one where the sheet does not offer it."""
        return self.options[option] if option in self.options else OPTIONS[option].neutral

    def changed(self) -> dict[str, Value]:
        """Options and prices that differ from the sheet's defaults."""
        defaults = resolve(self.sheet).in_force()
        return {k: v for k, v in self.in_force().items() if k not in defaults or defaults[k] != v}

    def in_force(self) -> dict[str, Value]:
        """All options and prices, as a record stores them and ``resolve`` takes them back."""
        told = {k: v for k, v in self.options.items() if not self._untold(k, v)}
        return told | {f"price.{k}": v for k, v in self.prices.items()}

    def _untold(self, option: str, value: Value) -> bool:
        spec = OPTIONS[option]
        return spec.late and value == spec.neutral == self.sheet.options[option].default


def resolve(sheet: Sheet, given: Mapping[str, Any] | None = None) -> RuleSet:
    """The rule set under the given options. Raises ``RuleError`` for an unknown option, a bad value or a conflict."""
    options: dict[str, Value] = {o.id: check_value(o.id, OPTIONS[o.id], o.default) for o in sheet.options.values()}
    rows = {p.id: p for p in sheet.patterns}
    prices: dict[str, int] = {}
    for name, value in (given or {}).items():
        if name.startswith("price.") and name.removeprefix("price.") in rows:
            row = rows[name.removeprefix("price.")]
            prices[row.id] = check_price(f"option {name}", row, value)
        elif name in options:
            options[name] = check_value(name, OPTIONS[name], value)
        else:
            raise RuleError(f"unknown option {name!r} of {sheet.id}; see: hongzhong rules {sheet.id}")
    for row in sheet.patterns:
        standard = row.value if row.option is None else options[row.option]
        if row.option is not None and row.id in prices and prices[row.id] != standard:
            if standard != sheet.options[row.option].default:
                raise RuleError(
                    f"options {row.option}={standard} and price.{row.id}={prices[row.id]} conflict: give one of them"
                )
            options[row.option] = prices[row.id]
        prices.setdefault(row.id, int(standard))  # type: ignore[arg-type]
    rules = RuleSet(sheet, options, {row.id: prices[row.id] for row in sheet.patterns})
    _check_conflicts(rules)
    return rules


def _check_conflicts(rules: RuleSet) -> None:
    defaults = rules.sheet.options

    def changed(option: str) -> bool:
        return option in defaults and rules.options[option] != defaults[option].default

    if changed("hands") and rules.get("rounds"):
        raise RuleError(
            f"options hands={rules.get('hands')} and rounds={rules.get('rounds')} conflict: a match lasts a number of hands or of full "
            f"rounds of dealers; leave hands at {defaults['hands'].default} or set rounds=0"
        )
    if not rules.get("discard_wins"):
        for option in ("rob_kong", "discard_pays", "multi_win"):
            if changed("discard_wins") and changed(option) and rules.get(option) not in (False, "discarder", "nearest"):
                raise RuleError(
                    f"options discard_wins=false and {option}={rules.get(option)} conflict: without discard wins it never applies"
                )
    if changed("thirteen_orphans_fan") and not rules.get("thirteen_orphans"):
        raise RuleError(
            "options thirteen_orphans=false and thirteen_orphans_fan conflict: set thirteen_orphans=true to price it"
        )
    if changed("rob_kong") and rules.get("rob_kong") and "added_kong" not in rules.sheet.claims:
        raise RuleError("option rob_kong=true conflicts with a rule set that has no added kong")
    if changed("kong_payer") and not any(rules.get("kong_points")):
        raise RuleError("option kong_payer conflicts with kong_points=0,0,0: nothing is paid for kongs")
    _check_size(rules)


def _check_size(rules: RuleSet) -> None:
    """The dearest win must stay exact in every kernel and every JSON reader: below 2^53 for all payers."""
    absent = {form.id for form in rules.sheet.forms if not rules.holds(form.when)}
    rows = [(p.kind, p.id in COUNTED, rules.prices[p.id]) for p in rules.sheet.patterns if p.id not in absent]
    base = max([price for kind, _, price in rows if kind == "base"], default=0)
    kongs = [price for kind, counted, price in rows if kind == "fan" and counted]
    fan = (
        base + sum(price for kind, counted, price in rows if kind == "fan" and not counted) + 4 * max(kongs, default=0)
    )
    if rules.get("fan_points") == "doubling":
        if fan > 40:
            raise RuleError(
                f"option fan_points=doubling conflicts with prices that reach {fan} fan: at most 40 can be doubled"
            )
        fan = 1 << fan
    times = 1
    for kind, counted, price in rows:
        times *= price ** (4 if counted else 1) if kind == "times" else 1
    if fan * times * rules.get("base_point") * rules.get("dealer_multiplier") * 3 >= 1 << 53:
        raise RuleError(
            "the prices and stake in force conflict: a win could exceed 2^53 points; lower a price or base_point"
        )
