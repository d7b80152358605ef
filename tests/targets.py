"""The distance by its definition: of all winning hands, the one that needs the fewest tiles which the seat does not hold.

Each suit's sets and pairs are tried one by one, cut off once too many tiles are missing; what they show is put together
over the suits and tested against the conditions, read from the sheet. Slow and obvious.
"""

from __future__ import annotations

from collections.abc import Iterator
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
    """What a target holds of one suit: missing tiles, sets, pairs, natural tiles, a 1 or 9, a pair of 2, 5, 8, a run."""

    missing: int
    sets: int
    pairs: int
    size: int
    terminal: bool
    pair_258: bool
    runs: bool


@lru_cache(maxsize=200_000)
def _parts(
    counts: tuple[int, ...], room: tuple[int, ...], most: int, sets: int, pairs: int, natural: bool
) -> list[Part]:
    """All that one suit can bring to a target of at most so many sets and pairs; ``natural``: missing tiles count as natural ones."""
    ranks = range(len(counts))
    blocks: list[tuple[int, ...]] = [(rank,) * 3 for rank in ranks]
    if len(counts) == 9:
        blocks += [(rank, rank + 1, rank + 2) for rank in range(7)]
    blocks += [(rank, rank) for rank in ranks]
    found: dict[tuple[int, int, int, bool, bool, bool], int] = {}
    need = [0] * len(counts)

    def grow(start: int, missing: int, n_sets: int, n_pairs: int, pair_258: bool, runs: bool) -> None:
        here = need if natural else [min(n, c) for n, c in zip(need, counts, strict=True)]
        terminal = len(counts) == 9 and (here[0] > 0 or here[8] > 0)
        shows = (n_sets, n_pairs, sum(here) if natural else min(1, sum(here)), terminal, pair_258, runs)
        found[shows] = min(missing, found.get(shows, missing))
        for place in range(start, len(blocks)):
            tiles = blocks[place]
            pair = len(tiles) == 2
            if (n_pairs >= pairs) if pair else (n_sets >= sets):
                continue
            cost = 0
            for tile in tiles:
                cost += need[tile] >= counts[tile]
                need[tile] += 1
            if missing + cost <= most and all(need[tile] <= room[tile] for tile in tiles):
                grow(
                    place,
                    missing + cost,
                    n_sets + (not pair),
                    n_pairs + pair,
                    pair_258 or (pair and len(counts) == 9 and tiles[0] in (1, 4, 7)),
                    runs or tiles[0] != tiles[-1],
                )
            for tile in tiles:
                need[tile] -= 1

    grow(0, 0, 0, 0, False, False)
    return [Part(missing, *shows) for shows, missing in found.items()]


def _together(parts: list[list[Part]], most: int, sets: int, pairs: int) -> Iterator[tuple[int, list[Part]]]:
    """Every choice of one part a suit with just so many sets and pairs, at most ``most`` tiles missing."""
    for m in parts[0]:
        for s in parts[1]:
            if m.missing + s.missing > most or m.sets + s.sets > sets or m.pairs + s.pairs > pairs:
                continue
            for p in parts[2]:
                missing = m.missing + s.missing + p.missing
                if missing > most:
                    continue
                for z in parts[3]:
                    right = m.sets + s.sets + p.sets + z.sets == sets and m.pairs + s.pairs + p.pairs + z.pairs == pairs
                    if right and missing + z.missing <= most:
                        yield missing + z.missing, [m, s, p, z]


def _room(rules: RuleSet, hand: Hand, formal: bool) -> list[int]:
    """How many of each kind a target may hold concealed, natural ones always; ``formal``: own melds are not looked at (H18)."""
    wild = [KIND_OF[name] for name in rules.sheet.wild]
    room = [4 if rules.sheet.copies[kind] and kind not in wild else 0 for kind in range(34)]
    if wild and rules.get("fifth_copy"):
        return [14 if r else 0 for r in room]
    if wild or not formal:
        for meld in hand.melds:
            for kind in meld.kinds():
                room[kind] -= 1
    if wild:
        return room  # without fifth copies a fifth natural one is none either (Q5)
    return [max(r, count) for r, count in zip(room, hand.counts, strict=True)]


def _meets(rules: RuleSet, hand: Hand, form: str, parts: list[Part]) -> bool:
    """Conditions of the sheet on the finished hand."""
    melds = [kind for meld in hand.melds for kind in meld.kinds()]
    sizes = [parts[suit].size + sum(min(kind // 9, 3) == suit for kind in melds) for suit in range(4)]
    suits = sum(size > 0 for size in sizes[:3])
    sets = form == "four_sets"
    runs = any(part.runs for part in parts) or any(meld.form == CHOW for meld in hand.melds)
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
    terminal = any(p.terminal for p in parts) or any(kind < 27 and kind % 9 in (0, 8) for kind in melds)
    pair_258 = any(p.pair_258 for p in parts)
    met = {
        "at_most_two_suits": suits <= 2,
        "three_suits": suits == 3,
        "suit_tile": suits > 0,
        "two_suits_or_honours": suits <= 2 or sizes[3] > 0,
        "eight_of_suit": max(sizes[:3]) >= 8,
        "terminal_or_258": terminal
        or (rules.get("honours_are_terminals") and sizes[3] > 0)
        or (pair_258 and (sets or (form == "seven_pairs" and rules.get("seven_pairs_258")))),
    }
    for condition in rules.sheet.conditions:
        exempt = set(condition.exempt) if rules.holds(condition.exempt_when) else set()
        if rules.holds(condition.when) and not met[condition.id] and not exempt & shown:
            return False
    return True


def _orphans_missing(rules: RuleSet, hand: Hand) -> int:
    pairs = ORPHANS if rules.get("any_orphan_pair") else range(31, 34)
    return min(sum(max(0, 1 + (kind == pair) - hand.counts[kind]) for kind in ORPHANS) for pair in pairs)


def _reachable(rules: RuleSet, hand: Hand, most: int, formal: bool) -> bool:
    """Whether a winning hand misses at most ``most`` natural tiles."""
    room = _room(rules, hand, formal)
    forms = {form.id for form in rules.sheet.forms if rules.holds(form.when)}
    for form, sets, pairs in (("four_sets", 4 - len(hand.melds), 1), ("seven_pairs", 0, 7)):
        if form not in forms or (form == "seven_pairs" and hand.melds):
            continue
        parts = [
            _parts(
                tuple(hand.counts[low : low + 9]), tuple(room[low : low + 9]), most, sets, pairs, not rules.sheet.wild
            )
            for low in (0, 9, 18, 27)
        ]
        if any(_meets(rules, hand, form, found) for _, found in _together(parts, most, sets, pairs)):
            return True
    return "thirteen_orphans" in forms and not hand.melds and _orphans_missing(rules, hand) <= most


def nearest(rules: RuleSet, hand: Hand, most: int, *, formal: bool = False) -> int:
    """The distance up to ``most``, else ``most + 1``."""
    for distance in range(-1, most + 1):
        if _reachable(rules, hand, distance + hand.wild + 1, formal):
            return distance
    return most + 1
