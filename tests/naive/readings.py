"""Every reading of a hand: all decompositions with all assignments of wild tiles (C4, C6, C8)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from hongzhong.tiles import SUIT_LETTERS

SUIT_KINDS = range(27)
ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))


class Group(NamedTuple):
    """Tiles that belong together: rising from ``kind`` if ``run``, else alike. ``wild`` says of each place who stands there."""

    kind: int
    run: bool
    wild: tuple[bool, ...]

    def kinds(self) -> list[int]:
        return [self.kind + place if self.run else self.kind for place in range(len(self.wild))]

    def natural(self, kind: int) -> bool:
        return any(k == kind and not wild for k, wild in zip(self.kinds(), self.wild, strict=True))

    def text(self) -> str:
        ranks = (f"{kind % 9 + 1}{'*' if wild else ''}" for kind, wild in zip(self.kinds(), self.wild, strict=True))
        return "".join(ranks) + SUIT_LETTERS[self.kind // 9]


class Reading(NamedTuple):
    """``groups``: sets and then the pair, seven pairs, or none for orphans, whose doubled kind is ``double``.

    ``loose_set``, ``loose_pair``: that many sets or pairs of nothing but wild tiles, whose stand-in is still free.
    """

    form: str
    groups: tuple[Group, ...]
    pair: Group | None = None
    loose_sets: int = 0
    loose_pairs: int = 0
    double: int = -1


def alike(kind: int, size: int, wild: int) -> Group:
    return Group(kind, False, (False,) * (size - wild) + (True,) * wild)


Split = tuple[tuple[Group, ...], Group | None]


@lru_cache(maxsize=300_000)
def splits(first: int, counts: tuple[int, ...], wild: int, sets: int, pairs: int) -> tuple[tuple[Split, int], ...]:
    """All ways to use up the naturals of one suit with at most so many wild tiles, sets and pairs, each group with a natural.

    ``first``: kind of the lowest count. Yields the groups and the wild tiles used.
    """
    if not any(counts):
        return ((((), None), 0),)
    lowest = next(at for at, count in enumerate(counts) if count)
    kind = first + lowest
    found: set[tuple[Split, int]] = set()

    def go(group: Group, is_pair: bool) -> None:
        left = list(counts)
        used = sum(group.wild)
        for k, w in zip(group.kinds(), group.wild, strict=True):
            if not w:
                left[k - first] -= 1
        if used > wild or min(left) < 0:
            return
        for (rest, pair), more in splits(first, tuple(left), wild - used, sets - (not is_pair), pairs - is_pair):
            new: Split = (rest, group) if is_pair else (tuple(sorted((*rest, group))), pair)
            found.add((new, used + more))

    if pairs:
        for stand_ins in (0, 1):
            go(alike(kind, 2, stand_ins), True)
    if sets:
        for stand_ins in (0, 1, 2):
            go(alike(kind, 3, stand_ins), False)
        if first < 27:
            for start in range(max(lowest - 2, 0), min(lowest, 6) + 1):
                for pattern in product((False, True), repeat=3):
                    if not pattern[lowest - start]:
                        go(Group(first + start, True, pattern), False)
    return tuple(found)


def four_sets(counts: list[int], wild: int, melds: int) -> Iterator[Reading]:
    """Readings as sets and a pair; ``counts`` holds naturals only, ``wild`` the number of wild tiles."""
    want = 4 - melds
    bounds = (0, 9, 18, 27, 34)
    suits = [
        splits(bounds[s], tuple(counts[bounds[s] : bounds[s + 1]]), wild, want, 1) for s in range(4)
    ]  # a suit without tiles has the empty split alone
    totals = [sorted({(len(sets), pair is not None, used) for (sets, pair), used in suit}) for suit in suits]
    by_total: list[dict[tuple[int, bool, int], list[Split]]] = []
    for suit in suits:
        table: dict[tuple[int, bool, int], list[Split]] = {}
        for split, used in suit:
            table.setdefault((len(split[0]), split[1] is not None, used), []).append(split)
        by_total.append(table)
    for shape in product(*totals):
        n_sets, n_pairs, used = (sum(int(part[i]) for part in shape) for i in range(3))
        loose_sets, loose_pairs = want - n_sets, 1 - n_pairs
        if min(loose_sets, loose_pairs) < 0 or used + 3 * loose_sets + 2 * loose_pairs != wild:
            continue
        for chosen in product(*(by_total[s][shape[s]] for s in range(4))):
            groups = tuple(group for sets, _ in chosen for group in sets)
            pair = next((p for _, p in chosen if p is not None), None)
            yield Reading("four_sets", groups, pair, loose_sets, loose_pairs)


def seven_pairs(counts: list[int], wild: int) -> Iterator[Reading]:
    """Readings as seven pairs; four alike are two of them (C6)."""
    odd = sum(count % 2 for count in counts)
    if odd > wild:
        return
    choices: list[list[tuple[Group, ...]]] = []
    for kind, count in enumerate(counts):
        if count:
            ways = [
                (alike(kind, 2, 0),) * ((count - mixed) // 2) + (alike(kind, 2, 1),) * mixed
                for mixed in range(count % 2, count + 1, 2)
                if mixed - count % 2 <= wild - odd
            ]
            choices.append(ways)
    for chosen in product(*choices):
        pairs = tuple(pair for way in chosen for pair in way)
        left = wild - sum(sum(pair.wild) for pair in pairs)
        if left >= 0 and left % 2 == 0 and len(pairs) + left // 2 == 7:
            yield Reading("seven_pairs", pairs, loose_pairs=left // 2)


def thirteen_orphans(counts: list[int], wild: int, any_pair: bool) -> Iterator[Reading]:
    """Thirteen different terminals and honours and one of them twice (H11, N3); ``groups``: each with its wild tiles."""
    for double in ORPHANS if any_pair else ORPHANS[-3:]:
        groups = []
        for kind in ORPHANS:
            size = 1 + (kind == double)
            groups.append(alike(kind, size, max(0, size - counts[kind])))
        fits = all(counts[kind] <= 1 + (kind == double) for kind in ORPHANS)
        if fits and sum(counts[kind] for kind in ORPHANS) + wild == 14:
            yield Reading("thirteen_orphans", tuple(groups), double=double)


def spelled(reading: Reading, kinds: list[int]) -> Iterator[Reading]:
    """Every choice of what sets and pairs of wild tiles alone stand for, of the ``kinds`` in the game."""
    sets = [alike(kind, 3, 3) for kind in kinds]
    sets += [Group(kind, True, (True,) * 3) for kind in kinds if kind < 27 and kind % 9 < 7]
    pairs = [alike(kind, 2, 2) for kind in kinds]
    for more in combinations_with_replacement(sets, reading.loose_sets):
        for loose in combinations_with_replacement(pairs, reading.loose_pairs):
            groups, pair = (*reading.groups, *more), reading.pair
            if reading.form == "seven_pairs":
                groups = (*groups, *loose)
            elif loose:
                pair = loose[0]
            yield Reading(reading.form, groups, pair)


def stood_for(reading: Reading) -> set[int]:
    """The kinds that wild tiles stand for."""
    groups = [*reading.groups, *([reading.pair] if reading.pair else [])]
    return {kind for group in groups for kind, wild in zip(group.kinds(), group.wild, strict=True) if wild}


def copies(reading: Reading, melded: list[int]) -> list[int]:
    """How many of each kind a reading uses, stand-ins and melds included."""
    held = list(melded)
    for group in (*reading.groups, *([reading.pair] if reading.pair else [])):
        for kind in group.kinds():
            held[kind] += 1
    return held


def texts(reading: Reading, melds: list[str], melded: list[int], limit: int, kinds_there: list[int]) -> Iterator[str]:
    """Every text of a reading; loose groups stand for any suit kinds in the game with at most ``limit`` copies in all."""
    if reading.form == "thirteen_orphans":
        yield "".join(
            "".join(group.text()[:-1] for group in reading.groups if SUIT_LETTERS[group.kind // 9] == letter) + letter
            for letter in SUIT_LETTERS
        )
        return
    used = copies(reading, melded)
    suit_kinds = [kind for kind in kinds_there if kind in SUIT_KINDS]
    for kinds in product(suit_kinds, repeat=reading.loose_sets + reading.loose_pairs):
        held = list(used)
        sets, pairs = kinds[: reading.loose_sets], kinds[reading.loose_sets :]
        for kind in sets:
            held[kind] += 3
        for kind in pairs:
            held[kind] += 2
        if (sets or pairs) and max(held[kind] for kind in kinds) > limit:
            continue
        groups = [*reading.groups, *(alike(kind, 3, 3) for kind in sets)]
        loose = [alike(kind, 2, 2) for kind in pairs]
        if reading.form == "seven_pairs":
            groups, pair = groups + loose, []
        else:
            pair = loose if reading.pair is None else [reading.pair]
        ordered = sorted(groups, key=lambda group: (group.kind, group.text()))
        yield " ".join([group.text() for group in (*ordered, *pair)] + melds)
