"""What a sheet may not be: fields of a wrong type, names that nobody knows, numbers out of range, parts that contradict each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from hongzhong.rules.types import misfit, shown
from hongzhong.rules.values import RuleError, check_value
from hongzhong.rules.variant import MAX_PRICE, Example, Pattern, Sheet, When, check_price, resolve
from hongzhong.rules.vocabulary import BITS, CLAIMS, CONDITIONS, FORMS, OPTIONS, PATTERNS
from hongzhong.tiles import KIND_OF, UNKNOWN, TileError, parse_meld, parse_mpsz, parse_tile

MOST_REVISIONS: Final = 1_000_000
LEAST_TILES: Final = 4 * 14
MOST_BY_DICE: Final = 24
"""Stacks that two throws of two dice keep in reserve, at most."""
MOST_ASIDE: Final = 4
MOST_NEEDED: Final = 20
MOST_EXAMPLE_POINTS: Final = 1 << 53
_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_REQUEST: Final[dict[str, Any]] = {
    "concealed": str,
    "win_tile": str,
    "by": str,
    "melds": tuple[str, ...],
    "options": Mapping[str, Any],
    "replacement": bool,
    "last_tile": bool,
    "first_turn": bool,
    "winner": int,
    "dealer": int,
    "from": int,
}
"""The fields of an example's request by type: those of the score contract without ``rules`` and ``id``."""
_NEEDED: Final = ("concealed", "win_tile", "by")
WAYS_OF_WINNING: Final = frozenset(
    ("self_drawn", "concealed", "replacement_tile", "last_tile", "heaven", "earth")
    + ("edge_wait", "closed_wait", "single_wait", "middle_five")
)
"""Patterns that depend on how a hand is won, not on its tiles alone."""


def check_sheet(sheet: Sheet) -> None:
    """Refuses a sheet that names what we lack or contradicts itself. Raises ``RuleError`` naming the part."""
    try:
        wrong = misfit(Sheet, sheet, "")
        if wrong is not None:
            raise RuleError(wrong)
        _check_head(sheet)
        _check_tiles(sheet)
        _check_parts(sheet)
        _check_patterns(sheet)
        _check_exceptions(sheet)
        for number, example in enumerate(sheet.examples):
            _check_example(sheet, example, f"examples[{number}]")
    except RuleError as error:
        raise RuleError(f"rule set {shown(sheet.id)}: {error}") from None


def _known(what: str, name: str, vocabulary: Collection[str]) -> None:
    if name not in vocabulary:
        raise RuleError(f"unknown mechanism {name!r} ({what}); known: {', '.join(sorted(vocabulary))}")


def _once(what: str, names: Iterable[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise RuleError(f"{what}: {name!r} stands {'twice' if count == 2 else f'{count} times'}; name it once")


def _range(what: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise RuleError(f"{what} is {shown(value)}; it must be a whole number from {low} to {high}")


def _check_id(what: str, name: str) -> None:
    if not _ID.fullmatch(name):
        raise RuleError(
            f"{what} is {shown(name)}; it must be lower-case letters, digits and underscores after a letter, 40 at most"
        )


def _check_head(sheet: Sheet) -> None:
    _check_id("id", sheet.id)
    _range("revision", sheet.revision, 1, MOST_REVISIONS)
    if sheet.sets != 4:
        raise RuleError(f"unknown mechanism 'sets = {sheet.sets}'; hands have 4 sets and a pair")
    if sheet.false_win is not None:
        _range("false_win.points", sheet.false_win.points, 0, MAX_PRICE)
        _range("false_win.dealer_points", sheet.false_win.dealer_points, 0, MAX_PRICE)
    _range("wall.aside_per_kong", sheet.wall.aside_per_kong, 1, MOST_ASIDE)
    # a kong cannot take more than it needs
    _range("wall.kong_needs", sheet.wall.kong_needs, sheet.wall.aside_per_kong, MOST_NEEDED)


def _check_tiles(sheet: Sheet) -> None:
    for name, copies in sheet.tiles.items():
        _known("tiles", name, {*"mspz", *KIND_OF})
        if not 0 <= copies <= 4:
            raise RuleError(f"{copies} copies of {name}; a kind has 0 to 4")
    total = sum(sheet.copies)
    if total < LEAST_TILES:
        raise RuleError(f"{total} tiles are too few for four seats; give at least {LEAST_TILES}")
    if sheet.wall.style == "sides" and total % 8:
        raise RuleError(f"{total} tiles do not make four sides of stacks; use a flat wall")
    _once("wild", sheet.wild)
    for name in sheet.wild:
        _known("wild", name, KIND_OF)
        if not sheet.copies[KIND_OF[name]]:
            raise RuleError(f"the wild tile {name} is not among its tiles")


def _check_parts(sheet: Sheet) -> None:
    """Claims, forms, conditions and offers."""
    for claim in sheet.claims:
        _known("claims", claim, CLAIMS)
    _once("claims", sheet.claims)
    for offer in sheet.offers:
        _known("options", offer.id, OPTIONS)
        check_value(offer.id, OPTIONS[offer.id], offer.default)
    _once("offers", (offer.id for offer in sheet.offers))
    reserve, total = sheet.options.get("reserve_stacks"), sum(sheet.copies)
    if reserve is not None:
        left = total - 2 * (reserve.default if isinstance(reserve.default, int) else MOST_BY_DICE)
        if left < LEAST_TILES:
            raise RuleError(
                f"reserve_stacks={reserve.default} leaves {left} of {total} tiles; four seats need {LEAST_TILES}"
            )
    for form in sheet.forms:
        _known("forms", form.id, FORMS)
        _check_when(sheet, f"forms[{form.id!r}].when", form.when)
    _once("forms", (form.id for form in sheet.forms))
    if all(form.when is not None for form in sheet.forms):
        raise RuleError("forms must have one at least that wins whatever the options, such as Form('four_sets', 'R0')")
    for condition in sheet.conditions:
        what = f"conditions[{condition.id!r}]"
        _known("conditions", condition.id, CONDITIONS)
        _check_id(f"{what}.reason", condition.reason)
        for name in condition.exempt:
            _known(f"exempt from {condition.id}", name, PATTERNS)
        _once(f"{what}.exempt", condition.exempt)
        _check_when(sheet, f"{what}.when", condition.when)
        _check_when(sheet, f"{what}.exempt_when", condition.exempt_when)
    _once("conditions", (condition.id for condition in sheet.conditions))


def _check_when(sheet: Sheet, what: str, when: When | None) -> None:
    if when is None:
        return
    _known(what, when.option, sheet.options)
    if not when.values:
        raise RuleError(f"{what}.values is (), so it never holds; give values of the option {when.option}")
    for value in when.values:
        check_value(when.option, OPTIONS[when.option], value)


def _check_patterns(sheet: Sheet) -> None:
    if not sheet.patterns:
        raise RuleError("patterns is (), so no win is worth anything; give at least a row 'plain'")
    below = [pattern.id for pattern in sheet.patterns]
    _once("patterns", below)
    for pattern in sheet.patterns:
        _known("patterns", pattern.id, PATTERNS)
        check_price(f"pattern {pattern.id!r}", pattern, pattern.value)
        for part in ("requires", "requires_any"):
            _once(f"patterns[{pattern.id!r}].{part}", getattr(pattern, part))
        _once(f"patterns[{pattern.id!r}].barred_by", (bar.by for bar in pattern.barred_by))
        for name in (*pattern.requires, *pattern.requires_any, *(bar.by for bar in pattern.barred_by)):
            _known(f"named by {pattern.id}", name, BITS)
            if name in below:
                raise RuleError(f"pattern {pattern.id!r} names {name!r}, which must stand above it")
        _check_options_of(sheet, pattern)
        below.remove(pattern.id)


def _check_options_of(sheet: Sheet, pattern: Pattern) -> None:
    for bar in pattern.barred_by:
        if bar.unless is not None:
            _known(f"option of {pattern.id}", bar.unless, sheet.options)
            if OPTIONS[bar.unless].kind != "bool":
                raise RuleError(f"pattern {pattern.id!r} is barred unless {bar.unless}, which is not true or false")
    if pattern.option is not None:
        _known(f"option of {pattern.id}", pattern.option, sheet.options)
        spec = OPTIONS[pattern.option]
        if spec.kind != "int" or spec.none or spec.words:
            raise RuleError(f"pattern {pattern.id!r} has its price from {pattern.option}, which is no whole number")
        check_price(f"pattern {pattern.id!r} by {pattern.option}", pattern, spec.low)
        check_price(f"pattern {pattern.id!r} by {pattern.option}", pattern, spec.high)


def _check_exceptions(sheet: Sheet) -> None:
    """What a hand waits for is known before it is won, so no condition's exception may depend on the way."""
    by_way = set(WAYS_OF_WINNING)
    for pattern in sheet.patterns:
        if by_way.intersection((*pattern.requires, *pattern.requires_any, *(bar.by for bar in pattern.barred_by))):
            by_way.add(pattern.id)
    for condition in sheet.conditions:
        for name in sorted(by_way.intersection(condition.exempt)):
            what = f"unknown mechanism '{name} exempt from {condition.id}'"
            raise RuleError(f"{what}: an exception may depend on tiles and melds, not on how they win")


def _check_example(sheet: Sheet, example: Example, where: str) -> None:
    """A hand of the sheet's tiles, well formed; what it scores is checked where there is a scorer."""
    if example.points is not None:
        _range(f"{where}.points", example.points, 0, MOST_EXAMPLE_POINTS)
    request = example.request
    lacking = [name for name in _NEEDED if name not in request]
    if lacking:
        raise RuleError(f"{where}.request lacks {lacking[0]!r}; it needs {', '.join(_NEEDED[:-1])} and {_NEEDED[-1]}")
    for name, value in request.items():
        place = f"{where}.request[{name!r}]"
        if name not in _REQUEST:
            raise RuleError(f"{where}.request has the unknown field {name!r}; fields: {', '.join(_REQUEST)}")
        given = tuple(value) if name == "melds" and isinstance(value, list) else value
        wrong = None if given == "" and name == "concealed" else misfit(_REQUEST[name], given, place)
        if wrong is not None:
            raise RuleError(wrong)
        if _REQUEST[name] is int:
            _range(place, value, 0, 3)
    if request["by"] not in ("draw", "discard", "kong"):
        raise RuleError(f"{where}.request['by'] is {shown(request['by'])}; it must be 'draw', 'discard' or 'kong'")
    try:
        melds = [parse_meld(text) for text in request.get("melds", ())]
        concealed, tile = parse_mpsz(request["concealed"]), parse_tile(request["win_tile"])
    except TileError as error:
        raise RuleError(f"{where}.request: {error}") from error
    kinds = [*concealed, tile, *(kind for meld in melds for kind in meld.kinds())]
    if UNKNOWN in kinds:
        raise RuleError(f"{where}.request has an unknown tile; every tile of an example must be known")
    if len(concealed) + 3 * len(melds) != 13:
        right = 13 - 3 * len(melds)
        raise RuleError(
            f"{where}.request['concealed'] has {len(concealed)} tiles; beside {len(melds)} melds it must have {right}"
        )
    for kind, count in Counter(kinds).items():
        if count > sheet.copies[kind]:
            name = next(name for name, known in KIND_OF.items() if known == kind)
            raise RuleError(f"{where}.request has {count} copies of {name}; the rule set has {sheet.copies[kind]}")
    try:
        resolve(sheet, request.get("options"))
    except RuleError as error:
        raise RuleError(f"{where}.request['options']: {error}") from error
