"""Whether a hand wins, its best reading, patterns, price and payments, straight from the rulings and the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import COUNTED, FACTS
from hongzhong.tiles import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KIND_NAMES,
    KIND_OF,
    PUNG,
    Meld,
    format_meld,
    parse_meld,
    parse_mpsz,
    parse_tile,
)

from . import readings
from .readings import Group, Reading

FIVES = frozenset((1, 4, 7, 10, 13, 16, 19, 22, 25))
"""2, 5 and 8 of each suit (N2)."""
LOOKS_AT_WILD_SETS = frozenset(
    ("all_pungs", "all_honours", "pure_straight", "mixed_seven_pairs", "pure_seven_pairs", "terminal_or_258")
)
"""Where it matters what sets and pairs of wild tiles alone stand for."""
WAIT_ROWS = frozenset(("edge_wait", "closed_wait", "single_wait", "middle_five"))


@dataclass(frozen=True)
class Case:
    """A hand that may win: ``concealed`` without ``tile``. ``waits``: the kinds that win, worked out when None."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int
    by: str
    replacement: bool = False
    last_tile: bool = False
    heaven: bool = False
    earth: bool = False


@dataclass(frozen=True)
class Verdict:
    """``patterns``: ids, each with how often it counts; ``ties``: other sets of ids worth as much in the very same text."""

    win: bool
    points: int = 0
    patterns: tuple[tuple[str, int], ...] = ()
    reading: str = ""
    reason: str = ""
    ties: frozenset[tuple[tuple[str, int], ...]] = field(default_factory=frozenset)


class Hand:
    """The facts of fourteen tiles that no reading changes."""

    def __init__(self, rules: RuleSet, concealed: Sequence[int], melds: Sequence[Meld]) -> None:
        self.rules, self.melds = rules, list(melds)
        wild = {KIND_OF[name] for name in rules.sheet.wild}
        self.counts = [0] * 34
        self.wild = 0
        for kind in concealed:
            if kind in wild:
                self.wild += 1
            else:
                self.counts[kind] += 1
        self.melded = [0] * 34
        for meld in melds:
            for kind in meld.kinds():
                self.melded[kind] += 1
        self.tiles = [a + b for a, b in zip(self.counts, self.melded, strict=True)]
        self.suits = [sum(self.tiles[9 * suit : 9 * suit + 9]) for suit in range(3)]
        self.honours = sum(self.tiles[27:])
        self.limit = 99 if rules.get("fifth_copy") or not wild else 4
        self.kinds = [kind for kind in range(34) if rules.sheet.copies[kind]]
        named = {row.id for row in rules.sheet.patterns} | {condition.id for condition in rules.sheet.conditions}
        self.spells = bool(named & LOOKS_AT_WILD_SETS)

    def readings(self) -> Iterator[Reading]:
        """Every reading of every form in force."""
        for form in self.rules.sheet.forms:
            if not self.rules.holds(form.when):
                continue
            found: Iterator[Reading] = iter(())
            if form.id == "four_sets":
                found = readings.four_sets(self.counts, self.wild, len(self.melds))
            elif not self.melds and form.id == "seven_pairs":
                found = readings.seven_pairs(self.counts, self.wild)
            elif not self.melds:
                found = readings.thirteen_orphans(self.counts, self.wild, self.rules.get("any_orphan_pair"))
            for reading in found:
                for whole in readings.spelled(reading, self.kinds) if self.spells else (reading,):
                    there = readings.stood_for(whole) <= set(self.kinds)
                    if there and (self.limit > 4 or max(readings.copies(whole, self.melded)) <= self.limit):
                        yield whole

    def met(self, condition: str, reading: Reading) -> bool:
        """Whether a winning condition is met (natural tiles, melds included)."""
        n_suits = sum(1 for tiles in self.suits if tiles)
        if condition == "at_most_two_suits":
            return n_suits <= 2
        if condition == "three_suits":
            return n_suits == 3
        if condition == "suit_tile":
            return n_suits > 0
        if condition == "eight_of_suit":
            return max(self.suits) >= 8
        if condition == "two_suits_or_honours":
            return n_suits <= 2 or self.honours > 0
        assert condition == "terminal_or_258"
        terminals = any(self.tiles[kind] for kind in (0, 8, 9, 17, 18, 26))
        if self.rules.get("honours_are_terminals"):
            terminals = terminals or self.honours > 0
        if terminals:
            return True
        if reading.form == "seven_pairs":
            return bool(self.rules.get("seven_pairs_258")) and any(pair.kind in FIVES for pair in reading.groups)
        if reading.pair is None:  # two wild tiles stand for any pair
            return reading.loose_pairs > 0
        return reading.pair.kind in FIVES

    def failed(self, reading: Reading, shown: set[str]) -> int | None:
        """Index among the conditions in force of the first one neither met nor exempt; None if the reading wins."""
        in_force = [c for c in self.rules.sheet.conditions if self.rules.holds(c.when)]
        for index, condition in enumerate(in_force):
            exempt = self.rules.holds(condition.exempt_when) and bool(shown & set(condition.exempt))
            if not exempt and not self.met(condition.id, reading):
                return index
        return None


def shapes(hand: Hand, reading: Reading) -> set[str]:
    """Pattern ids that the tiles and the reading show, rows and bars not considered."""
    shown = {"plain"}
    n_suits = sum(1 for tiles in hand.suits if tiles)
    if n_suits == 1:
        shown |= {"half_flush"} if hand.honours else {"full_flush", "full_flush_doubled"}
    if len(hand.melds) == 4:
        shown.add("melded_hand")
    for meld in hand.melds:
        if meld.form in (EXPOSED_KONG, ADDED_KONG):
            shown |= {"exposed_kong", "any_kong"}
        elif meld.form == CONCEALED_KONG:
            shown |= {"concealed_kong", "any_kong"}
    if reading.form == "seven_pairs":
        shown.add("seven_pairs")
        most = max(sum(1 for pair in reading.groups if pair.kind // 9 == suit) for suit in range(3))
        if most in (5, 6):
            shown.add("mixed_seven_pairs")
        if most == 7:
            shown.add("pure_seven_pairs")
    elif reading.form == "thirteen_orphans":
        shown.add("thirteen_orphans")
    else:
        shown.add("four_sets")
        runs = {group.kind for group in reading.groups if group.run}
        runs |= {meld.kind for meld in hand.melds if meld.form == CHOW}
        if not runs:
            shown.add("all_pungs")
            kinds = [group.kind for group in reading.groups] + [meld.kind for meld in hand.melds]
            if all(kind >= 27 for kind in (*kinds, *([reading.pair.kind] if reading.pair else []))):
                shown.add("all_honours")
        if any({first, first + 3, first + 6} <= runs for first in (0, 9, 18)):
            shown.add("pure_straight")
        if reading.pair is None or any(reading.pair.wild):
            shown.add("wild_pair")
    return shown


def is_concealed(rules: RuleSet, melds: Sequence[Meld], by: str) -> bool:
    """Nothing melded but, under the option, concealed kongs (Q10, Q11, N9, H6)."""
    kept = (CONCEALED_KONG,) if rules.get("concealed_kong_keeps_concealed") else ()
    return all(meld.form in kept for meld in melds) and (by == "draw" or bool(rules.get("concealed_on_discard")))


def waiting_shapes(reading: Reading, tile: int) -> Iterator[set[str]]:
    """What each place of the winning tile shows, were it the only kind that wins (H17, H18)."""
    if reading.form != "four_sets":
        yield set()
        return
    if reading.pair is not None and reading.pair.natural(tile):
        yield {"single_wait"}
    for group in set(reading.groups):
        if not group.natural(tile):
            continue
        if not group.run:
            yield set()
        elif tile == group.kind + 1:
            yield {"closed_wait", "middle_five"} if tile % 9 == 4 else {"closed_wait"}
        elif (tile % 9, group.kind % 9) in ((2, 0), (6, 6)):
            yield {"edge_wait"}
        else:
            yield set()


def resolve_rows(rules: RuleSet, shown: set[str]) -> tuple[set[str], set[str]]:
    """``(kept, counting)``: rows that hold, and those of them whose price is not switched off (C9), from the top."""
    kept: set[str] = set()
    basis = {name for name in shown if name in FACTS or name.startswith("met ")}
    named = {name.removeprefix("met ") for name in basis}
    counting: set[str] = set()
    for row in rules.sheet.patterns:
        held = named | counting
        barred = any(bar.by in held and not (bar.unless and rules.get(bar.unless)) for bar in row.barred_by)
        asked = set(row.requires) <= held and (not row.requires_any or bool(set(row.requires_any) & held))
        if row.id in shown and asked and not barred:
            kept.add(row.id)
            if rules.prices[row.id] != (1 if row.kind == "times" else 0):
                counting.add(row.id)
    return kept, counting


def price(rules: RuleSet, melds: Sequence[Meld], counting: set[str]) -> tuple[int, tuple[tuple[str, int], ...]]:
    """``(points, rows)``: stake x curve(highest base + fan) x times; of the bases the highest alone counts (H10)."""
    kongs = {
        "exposed_kong": sum(1 for meld in melds if meld.form in (EXPOSED_KONG, ADDED_KONG)),
        "concealed_kong": sum(1 for meld in melds if meld.form == CONCEALED_KONG),
    }
    base, fan, times = 0, 0, 1
    best_base = ""
    for row in rules.sheet.patterns:
        if row.id not in counting:
            continue
        value = rules.prices[row.id]
        if row.kind == "base" and value > base:
            base, best_base = value, row.id
        elif row.kind == "fan":
            fan += value * (kongs[row.id] if row.id in COUNTED else 1)
        elif row.kind == "times":
            times *= value ** (kongs[row.id] if row.id in COUNTED else 1)
    total = base + fan
    if rules.get("fan_points") == "doubling":
        total = 2 ** (total - 1) if total else 0
    rows = tuple(
        (row.id, kongs[row.id] if row.id in COUNTED else 1)
        for row in rules.sheet.patterns
        if row.id in counting and (row.kind != "base" or row.id == best_base)
    )
    return rules.get("base_point") * total * times, rows


def wins(rules: RuleSet, concealed: Sequence[int], melds: Sequence[Meld]) -> bool:
    """Whether 3n + 2 tiles win under the rule set's forms and conditions, however the last one came."""
    hand = Hand(rules, concealed, melds)
    done: set[tuple[frozenset[str], bool]] = set()
    for reading in hand.readings():
        shown = shapes(hand, reading)
        key = (frozenset(shown), hand.met("terminal_or_258", reading))
        if key in done:
            continue
        done.add(key)
        kept, _ = resolve_rows(rules, shown | {f"met {c}" for c in met_of(hand, reading)})
        if hand.failed(reading, kept) is None:
            return True
    return False


def met_of(hand: Hand, reading: Reading) -> set[str]:
    """Conditions that are met; those not in force are (rules/vocabulary.py)."""
    in_force = {c.id for c in hand.rules.sheet.conditions if hand.rules.holds(c.when)}
    every = (
        "at_most_two_suits",
        "three_suits",
        "suit_tile",
        "terminal_or_258",
        "eight_of_suit",
        "two_suits_or_honours",
    )
    return {name for name in every if name not in in_force or hand.met(name, reading)}


def waits(rules: RuleSet, concealed: Sequence[int], melds: Sequence[Meld]) -> set[int]:
    """Kinds with which 3n + 1 concealed tiles win, counted formally (H18)."""
    kinds = [kind for kind in range(34) if rules.sheet.copies[kind]]
    return {kind for kind in kinds if wins(rules, [*concealed, kind], melds)}


def barred_way(rules: RuleSet, case: Case) -> str:
    """Why this way of winning is never allowed, or nothing."""
    if case.by == "draw":
        return ""
    if not rules.get("discard_wins"):
        return "no_discard_win"
    if case.by == "kong" and not rules.get("rob_kong"):
        return "no_robbing"
    wild = KIND_NAMES[case.tile] in rules.sheet.wild
    return "no_wild_discard_win" if case.by == "discard" and wild and not rules.get("wild_discard_wins") else ""


def score(rules: RuleSet, case: Case) -> Verdict:
    """The verdict on a hand by its best reading (C4)."""
    barred = barred_way(rules, case)
    if barred:
        return Verdict(False, reason=barred)
    hand = Hand(rules, [*case.concealed, case.tile], case.melds)
    flags = set()
    if case.by == "draw":
        flags.add("self_drawn")
        if case.replacement:
            flags.add("replacement_tile")
    if case.last_tile and (case.by == "draw" or rules.get("last_discard_counts")):
        flags.add("last_tile")
    flags |= {name for name, on in (("heaven", case.heaven), ("earth", case.earth)) if on}
    if is_concealed(rules, case.melds, case.by):
        flags.add("concealed")
    rows = {row.id for row in rules.sheet.patterns}
    only: bool | None = None
    furthest = -1
    best = -1
    winners: list[tuple[Reading, tuple[tuple[str, int], ...]]] = []
    known: dict[tuple[frozenset[str], bool], tuple[int, tuple[tuple[str, int], ...], int | None]] = {}
    for reading in hand.readings():
        tiles = shapes(hand, reading) | flags
        met = met_of(hand, reading)
        places: list[set[str]] = [set()]
        if rows & WAIT_ROWS:
            if only is None:
                wild = {KIND_OF[name] for name in rules.sheet.wild}  # a wild tile completes whatever waits (H18)
                only = waits(rules, case.concealed, case.melds) - wild == {case.tile}
            if only:
                places = list(waiting_shapes(reading, case.tile))
        for place in places:
            key = (frozenset(tiles | place), "terminal_or_258" in met)
            if key not in known:
                kept, counting = resolve_rows(rules, tiles | place | {f"met {name}" for name in met})
                points, listed = price(rules, case.melds, counting)
                known[key] = (points, listed, hand.failed(reading, kept))
            points, listed, failed = known[key]
            if failed is not None:
                furthest = max(furthest, failed)
            elif points >= best:
                if points > best:
                    winners.clear()
                best = points
                winners.append((reading, listed))
    if best >= 0:
        return choose(hand, best, winners)
    in_force = [c for c in rules.sheet.conditions if rules.holds(c.when)]
    return Verdict(False, reason=in_force[furthest].reason if furthest >= 0 else "incomplete")


def choose(hand: Hand, points: int, winners: list[tuple[Reading, tuple[tuple[str, int], ...]]]) -> Verdict:
    """Of equal readings the one with more triplets, then the smallest text."""

    def triplets(reading: Reading) -> int:
        own = [group for group in reading.groups if not group.run] if reading.form == "four_sets" else []
        return len(own) + reading.loose_sets

    most = max(triplets(reading) for reading, _ in winners)
    melds = [format_meld(meld) for meld in hand.melds]
    cheapest: dict[Reading, str] = {}
    for reading, _ in winners:
        if triplets(reading) == most and reading not in cheapest:
            cheapest[reading] = min(readings.texts(reading, melds, hand.melded, hand.limit, hand.kinds))
    text = min(cheapest.values())
    listed = [rows for reading, rows in winners if cheapest.get(reading) == text]
    return Verdict(True, points, listed[0], text, ties=frozenset(listed))


def payments(rules: RuleSet, points: int, winner: int, dealer: int, source: int | None) -> list[int]:
    """What each seat gains: shares, dealer doubling, then the cap on each payer's whole amount (C9)."""
    owed = {}
    for seat in range(4):
        if seat != winner:
            owed[seat] = points * (rules.get("dealer_multiplier") if dealer in (seat, winner) else 1)
    who = "all" if source is None else rules.get("discard_pays")
    if who == "discarder":
        owed = {seat: due for seat, due in owed.items() if seat == source}
    elif who == "discarder_for_all":
        assert source is not None
        owed = {source: sum(owed.values())}
    deltas = [0] * 4
    for seat, due in owed.items():
        paid = due if rules.get("cap") is None else min(due, rules.get("cap"))
        deltas[seat] -= paid
        deltas[winner] += paid
    return deltas


def case_of(rules: RuleSet, request: dict[str, object]) -> Case:
    """A valid request of the score contract as a case."""
    by = str(request["by"])
    first = bool(request.get("first_turn"))
    draw_by_dealer = by == "draw" and request.get("winner") == request.get("dealer")
    earth = by == "discard" and request.get("from") == request.get("dealer")
    earth = earth or (by == "draw" and not draw_by_dealer and bool(rules.get("earth_on_first_draw")))
    melds = request.get("melds", [])
    assert isinstance(melds, list)
    return Case(
        tuple(parse_mpsz(str(request["concealed"]))),
        tuple(parse_meld(text) for text in melds),
        parse_tile(str(request["win_tile"])),
        by,
        bool(request.get("replacement")),
        bool(request.get("last_tile")),
        heaven=first and draw_by_dealer,
        earth=first and earth,
    )


__all__ = ["PUNG", "Case", "Group", "Verdict", "case_of", "payments", "score", "waits", "wins"]
