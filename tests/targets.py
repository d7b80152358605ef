"""The distance by its definition: of all winning hands, the one that needs the fewest tiles which the seat does not hold.

Each suit's sets and pairs are tried one by one, cut off once too many tiles are missing; what they show is put together
over the suits and tested against the conditions, read from the sheet. Slow and obvious.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import CHOW, KIND_OF, Meld

TRIPLETS: Final = [(kind, kind, kind) for kind in range(34)]
RUNS: Final = [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7]
ORPHANS: Final = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


class Hand(NamedTuple):
    """What a seat holds: concealed counts (wild ones apart), melds, wild tiles."""

    counts: list[int]
    melds: list[Meld]
    wild: int


class Part(NamedTuple):
    """What a target holds of one suit, or of several: missing tiles, sets, pairs, tiles of each suit, a 1 or 9, a pair of 2, 5, 8, a run,
    and how many of the missing tiles only a wild one can be."""

    missing: int
    sets: int
    pairs: int
    sizes: tuple[int, ...]
    terminal: bool
    pair_258: bool
    runs: bool
    forced: int


class Room(NamedTuple):
    """Of each kind: how many places a target may fill with it (Q5), how many natural tiles of it there are for that; and all wild tiles
    of the game."""

    places: list[int]
    natural: list[int]
    wild: int


class Asked(NamedTuple):
    """What the conditions look at; the rest need not be told apart. ``natural``: missing tiles are natural ones, as none is wild."""

    natural: bool
    terminal: bool
    runs: bool


@lru_cache(maxsize=200_000)
def _parts(
    counts: tuple[int, ...],
    places: tuple[int, ...],
    natural: tuple[int, ...],
    most: int,
    sets: int,
    pairs: int,
    wild: int,
    asked: Asked,
) -> list[Part]:
    """All that one suit can bring to a target of at most so many sets and pairs."""
    ranks = range(len(counts))
    blocks: list[tuple[int, ...]] = [(rank,) * 3 for rank in ranks]
    if len(counts) == 9:
        blocks += [(rank, rank + 1, rank + 2) for rank in range(7)]
    blocks += [(rank, rank) for rank in ranks]
    found: dict[tuple[int, int, tuple[int, ...], bool, bool, bool, int], int] = {}
    need = [0] * len(counts)

    def note(missing: int, n_sets: int, n_pairs: int, pair_258: bool, runs: bool, forced: int) -> None:
        here = need if asked.natural else [min(n, c) for n, c in zip(need, counts, strict=True)]
        terminal = asked.terminal and len(counts) == 9 and (here[0] > 0 or here[8] > 0)
        flags = (terminal, asked.terminal and pair_258, asked.runs and runs)
        size = sum(need) if asked.natural else min(1, sum(need))
        ways = [(size, forced)] if sum(here) or not size else [(size, forced), (0, missing)]
        for tiles, only_wild in ways:  # a suit of which nothing natural is held may come from wild tiles alone
            shows = (n_sets, n_pairs, (tiles,), *flags, only_wild)
            found[shows] = min(missing, found.get(shows, missing))

    def grow(start: int, missing: int, n_sets: int, n_pairs: int, pair_258: bool, runs: bool, forced: int) -> None:
        note(missing, n_sets, n_pairs, pair_258, runs, forced)
        for place in range(start, len(blocks)):
            tiles = blocks[place]
            pair = len(tiles) == 2
            if (n_pairs >= pairs) if pair else (n_sets >= sets):
                continue
            cost = only_wild = 0
            for tile in tiles:
                cost += need[tile] >= counts[tile]
                only_wild += need[tile] >= natural[tile]
                need[tile] += 1
            if (
                missing + cost <= most
                and forced + only_wild <= wild
                and all(need[tile] <= places[tile] for tile in tiles)
            ):
                grow(
                    place,
                    missing + cost,
                    n_sets + (not pair),
                    n_pairs + pair,
                    pair_258 or (pair and len(counts) == 9 and tiles[0] in (1, 4, 7)),
                    runs or tiles[0] != tiles[-1],
                    forced + only_wild,
                )
            for tile in tiles:
                need[tile] -= 1

    grow(0, 0, 0, 0, False, False, 0)
    return [Part(missing, *shows) for shows, missing in found.items()]


def _together(parts: list[list[Part]], most: int, sets: int, pairs: int, wild: int) -> list[Part]:
    """All ways to choose one part a suit with just so many sets and pairs, at most ``most`` tiles missing."""
    whole = [Part(0, 0, 0, (), False, False, False, 0)]
    for suit in parts:
        found: dict[tuple[int, int, tuple[int, ...], bool, bool, bool, int], int] = {}
        for a in whole:
            for b in suit:
                missing, forced = a.missing + b.missing, a.forced + b.forced
                if missing > most or forced > wild or a.sets + b.sets > sets or a.pairs + b.pairs > pairs:
                    continue
                flags = (a.terminal or b.terminal, a.pair_258 or b.pair_258, a.runs or b.runs)
                shows = (a.sets + b.sets, a.pairs + b.pairs, a.sizes + b.sizes, *flags, forced)
                found[shows] = min(missing, found.get(shows, missing))
        whole = [Part(missing, *shows) for shows, missing in found.items()]
    return [part for part in whole if part.sets == sets and part.pairs == pairs]


def _room(rules: RuleSet, hand: Hand, formal: bool) -> Room:
    """``formal``: own melds and held copies do not bar a kind (H18)."""
    wild = {KIND_OF[name] for name in rules.sheet.wild}
    melded = [0] * 34
    for meld in hand.melds:
        for kind in meld.kinds():
            melded[kind] += 1
    kinds = [copies if kind not in wild else 0 for kind, copies in enumerate(rules.sheet.copies)]
    if not wild:
        if formal:
            places = [max(copies, count) for copies, count in zip(kinds, hand.counts, strict=True)]
        else:
            places = [copies - gone for copies, gone in zip(kinds, melded, strict=True)]
        return Room(places, places, 0)
    there = rules.sheet.copies  # a wild tile stands for any kind of the game, its own too
    if rules.get("fifth_copy"):
        places = [14 if copies else 0 for copies in there]
    else:
        places = [4 - gone if copies else 0 for copies, gone in zip(there, melded, strict=True)]
    natural = places if formal else [copies - gone for copies, gone in zip(kinds, melded, strict=True)]
    return Room(places, natural, 99 if formal else sum(rules.sheet.copies[kind] for kind in wild))


def _meets(rules: RuleSet, hand: Hand, form: str, part: Part) -> bool:
    """Conditions of the sheet on the finished hand."""
    melds = [kind for meld in hand.melds for kind in meld.kinds()]
    sizes = [part.sizes[suit] + sum(min(kind // 9, 3) == suit for kind in melds) for suit in range(4)]
    suits = sum(size > 0 for size in sizes[:3])
    sets = form == "four_sets"
    runs = part.runs or any(meld.form == CHOW for meld in hand.melds)
    kong = any(meld.is_kong for meld in hand.melds)
    shown = {form}
    if suits == 1:
        shown.add("half_flush" if sizes[3] else "full_flush")
    barred = {bar.by for pattern in rules.sheet.patterns if pattern.id == "all_pungs" for bar in pattern.barred_by}
    if sets and not runs and not (kong and "any_kong" in barred):
        shown.add("all_pungs")
    if sets and not suits:
        shown.add("all_honours")
    shown &= {pattern.id for pattern in rules.sheet.patterns}
    terminal = part.terminal or any(kind < 27 and kind % 9 in (0, 8) for kind in melds)
    met = {
        "at_most_two_suits": suits <= 2,
        "three_suits": suits == 3,
        "suit_tile": suits > 0,
        "two_suits_or_honours": suits <= 2 or sizes[3] > 0,
        "eight_of_suit": max(sizes[:3]) >= 8,
        "terminal_or_258": terminal
        or (rules.get("honours_are_terminals") and sizes[3] > 0)
        or (part.pair_258 and (sets or (form == "seven_pairs" and rules.get("seven_pairs_258")))),
    }
    for condition in rules.sheet.conditions:
        exempt = set(condition.exempt) if rules.holds(condition.exempt_when) else set()
        if rules.holds(condition.when) and not met[condition.id] and not exempt & shown:
            return False
    return True


def _orphans_missing(rules: RuleSet, hand: Hand) -> int:
    """Only for rule sets without wild tiles and with all thirteen kinds."""
    pairs = ORPHANS if rules.get("any_orphan_pair") else range(31, 34)
    return min(sum(max(0, 1 + (kind == pair) - hand.counts[kind]) for kind in ORPHANS) for pair in pairs)


def _reachable(rules: RuleSet, hand: Hand, most: int, formal: bool) -> bool:
    """Whether a winning hand misses at most ``most`` natural tiles."""
    room = _room(rules, hand, formal)
    forms = {form.id for form in rules.sheet.forms if rules.holds(form.when)}
    conditions = {c.id for c in rules.sheet.conditions if rules.holds(c.when)}
    exempt = {name for c in rules.sheet.conditions if rules.holds(c.when) for name in c.exempt}
    asked = Asked(not rules.sheet.wild, "terminal_or_258" in conditions, "all_pungs" in exempt)
    for form, sets, pairs in (("four_sets", 4 - len(hand.melds), 1), ("seven_pairs", 0, 7)):
        if form not in forms or (form == "seven_pairs" and hand.melds):
            continue
        parts = [
            _parts(
                tuple(hand.counts[low : low + 9]),
                tuple(room.places[low : low + 9]),
                tuple(room.natural[low : low + 9]),
                most,
                sets,
                pairs,
                room.wild,
                asked,
            )
            for low in (0, 9, 18, 27)
        ]
        if any(_meets(rules, hand, form, found) for found in _together(parts, most, sets, pairs, room.wild)):
            return True
    return "thirteen_orphans" in forms and not hand.melds and _orphans_missing(rules, hand) <= most


def nearest(rules: RuleSet, hand: Hand, most: int, *, formal: bool = False) -> int:
    """The distance up to ``most``, else ``most + 1``. ``formal``: copies that the seat holds itself do not bar a wait (H18)."""
    for distance in range(-1, most + 1):
        if _reachable(rules, hand, distance + hand.wild + 1, formal):
            return distance
    return most + 1
