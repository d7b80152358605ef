"""Which suits a winning hand may hold, worked out once from a sheet's conditions for the distance kernels.

A plan says for each suit and the honours: anything, something, or nothing; and whether eight tiles of one suit, or a terminal or
2/5/8 pair, are needed beside. Together the plans of a rule set allow exactly what its conditions allow.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from hongzhong.rules.variant import Condition, RuleSet
from hongzhong.tiles import KIND_NAMES

ANYTHING, SOMETHING, NOTHING = range(3)
MAX_PLANS: Final = 24
_KNOWN: Final = {"full_flush", "half_flush", "seven_pairs", "thirteen_orphans", "all_honours", "all_pungs"}
_PRESENCE: Final = ("at_most_two_suits", "three_suits", "suit_tile", "two_suits_or_honours")


class Plan(NamedTuple):
    """``holds``: ANYTHING, SOMETHING or NOTHING of m, s, p, honours."""

    holds: tuple[int, int, int, int]
    eight: bool
    terminal: bool


class Plans(NamedTuple):
    """What a distance kernel needs to know. ``lack``: why the tables cannot express the sheet, empty if they can."""

    sets: list[Plan]
    pairs: list[Plan]
    pungs: bool
    orphans: bool
    lack: str


def plans_of(rules: RuleSet) -> Plans:
    """Plans of four sets and of seven pairs; whether all pungs are free of every condition; whether orphans meet them."""
    active = [c for c in rules.sheet.conditions if rules.holds(c.when)]
    rows = {p.id for p in rules.sheet.patterns}
    exempt = {c.id: set(c.exempt) & rows if rules.holds(c.exempt_when) else set() for c in active}
    lack = _lack(rules, active, exempt)
    # beyond the tables: the plans then allow more than the conditions do, so that the distance stays a lower bound
    bound = [c for c in active if exempt[c.id] <= _KNOWN]
    orphans = all(
        "thirteen_orphans" in exempt[c.id] or _met(c.id, (1, 1, 1, 1)) or c.id == "terminal_or_258" for c in bound
    )
    return Plans(
        _plans(rules, bound, exempt, frozenset()),
        _plans(rules, bound, exempt, frozenset({"seven_pairs"})),
        any("all_pungs" in exempt[c.id] for c in active),
        orphans,
        lack,
    )


def _met(condition: str, present: tuple[int, ...]) -> bool:
    suits = sum(present[:3])
    return {
        "at_most_two_suits": suits <= 2,
        "three_suits": suits == 3,
        "suit_tile": suits > 0,
        "two_suits_or_honours": suits <= 2 or present[3] == 1,
        "eight_of_suit": False,
        "terminal_or_258": False,
    }[condition]


def _shown(present: tuple[int, ...]) -> set[str]:
    """Patterns that the presence of suits alone decides."""
    suits, honours = sum(present[:3]), present[3]
    if suits == 1:
        return {"half_flush"} if honours else {"full_flush"}
    return {"all_honours"} if suits == 0 else set()


def _plans(rules: RuleSet, active: list[Condition], exempt: dict[str, set[str]], form: frozenset[str]) -> list[Plan]:
    copies = rules.sheet.copies
    there = [any(copies[9 * suit : 9 * suit + 9]) for suit in range(3)]
    wild = {kind for kind, name in enumerate(KIND_NAMES) if name in rules.sheet.wild}
    there.append(any(copies[kind] and kind not in wild for kind in range(27, 34)))
    rows = {p.id for p in rules.sheet.patterns}
    needs: dict[tuple[int, ...], tuple[bool, bool]] = {}
    for present in product(*[(0, 1) if t else (0,) for t in there]):
        if not any(present):
            continue
        shown = (_shown(present) & rows) | form
        binding = {c.id for c in active if not exempt[c.id] & shown}
        if all(_met(c, present) for c in binding if c in _PRESENCE):
            needs[present] = ("eight_of_suit" in binding, "terminal_or_258" in binding)
    plans: list[Plan] = []
    for need in sorted(set(needs.values())):
        allowed = {p for p, n in needs.items() if n[0] <= need[0] and n[1] <= need[1]}
        cubes = [c for c in product(range(3), repeat=4) if _covered(c, there, allowed)]
        for cube in cubes:
            plan = Plan((cube[0], cube[1], cube[2], cube[3]), *need)
            if not any(_within(plan, other) for other in plans) and not any(
                other != cube and _within(plan, Plan((other[0], other[1], other[2], other[3]), *need))
                for other in cubes
            ):
                plans.append(plan)
    if len(plans) > MAX_PLANS:
        raise AssertionError(f"{len(plans)} plans, room for {MAX_PLANS}")
    return plans


def _covered(cube: tuple[int, ...], there: list[bool], allowed: set[tuple[int, ...]]) -> bool:
    ways = [((0, 1) if t else (0,), (1,), (0,))[hold] for hold, t in zip(cube, there, strict=True)]
    if sorted(cube) == [ANYTHING, NOTHING, NOTHING, NOTHING]:
        return False  # the same as SOMETHING of it: no hand is empty
    if any(hold != NOTHING and not t for hold, t in zip(cube, there, strict=True)):
        return False
    presences = [p for p in product(*ways) if any(p)]
    return bool(presences) and all(p in allowed for p in presences)


def _within(plan: Plan, other: Plan) -> bool:
    """Whether the other plan allows all that this one allows."""
    holds = all(b in (ANYTHING, a) for a, b in zip(plan.holds, other.holds, strict=True))
    return holds and other.eight <= plan.eight and other.terminal <= plan.terminal


def _lack(rules: RuleSet, active: list[Condition], exempt: dict[str, set[str]]) -> str:
    pungs = [c.id for c in active if "all_pungs" in exempt[c.id]]
    conditions = {c.id for c in active}
    for condition in active:
        for pattern in sorted(exempt[condition.id] - _KNOWN):
            return f"the condition {condition.id} with its exception {pattern}"
    for row in rules.sheet.patterns:
        bars = {bar.by for bar in row.barred_by} - ({"any_kong"} if row.id == "all_pungs" else set())
        if (row.requires or row.requires_any or bars) and any(row.id in exempt[c.id] for c in active):
            return f"the exception {row.id}, which has requirements of its own"
    if pungs and len(pungs) < len(active):
        return f"all pungs exempt from {', '.join(pungs)} but not from every condition"
    if rules.sheet.wild and conditions - {"at_most_two_suits"}:
        return f"wild tiles together with the condition {min(conditions - {'at_most_two_suits'})}"
    if rules.sheet.wild and _absent(rules):
        return f"a wild tile that cannot stand for {_absent(rules)}"
    for name, copies in zip(KIND_NAMES, rules.sheet.copies, strict=True):
        if copies not in (0, 4):
            return f"{copies} copies of {name}, not four"
    if {"eight_of_suit", "terminal_or_258"} <= conditions:
        return "the conditions eight_of_suit and terminal_or_258 together"
    return ""


def _absent(rules: RuleSet) -> str:
    """A kind that is not in the game, beside natural ones of its suit."""
    for low in (0, 9, 18, 27):
        suit = range(low, min(low + 9, 34))
        natural = [kind for kind in suit if rules.sheet.copies[kind] and KIND_NAMES[kind] not in rules.sheet.wild]
        absent = [kind for kind in suit if not rules.sheet.copies[kind]]
        if natural and absent:
            return KIND_NAMES[absent[0]]
    return ""
