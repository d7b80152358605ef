"""Distance, waits and useful tiles of the compiled kernels against the search over all winning hands in ``targets``."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from hongzhong import layout, rules
from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import CHOW, CONCEALED_KONG, EXPOSED_KONG, KIND_NAMES, KIND_OF, PUNG, Meld
from tests.naive import win
from tests.targets import ORPHANS, RUNS, TRIPLETS, Hand, nearest

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "qiqihar": {"fifth_copy": (True, False)},
    "inner_mongolia": {
        "three_suits": ("except_flush", "strict", "off"),
        "honours_are_terminals": (False, True),
        "seven_pairs_258": (False, True),
        "thirteen_orphans": (False, True),
    },
    "hebei": {"colour_rule": ("two_suits", "eight_only"), "any_orphan_pair": (False, True)},
    "hebei_108": {"colour_rule": ("two_suits", "eight_only")},
}
"""Every option that a distance depends on."""
CASES: list[tuple[str, dict[str, Any]]] = [
    (name, dict(zip(options, values, strict=True)))
    for name, options in OPTIONS.items()
    for values in product(*options.values())
]
MOST = 3
HANDS = 150
WAITING = 120


def random_hand(sheet: RuleSet, chance: random.Random, extra: int) -> Hand:
    """Tiles of a hand that is nearly complete: sets of few suits, some of them melded, a few tiles exchanged."""
    copies = list(sheet.sheet.copies)
    wild = [KIND_OF[name] for name in sheet.sheet.wild]
    for kind in wild:
        copies[kind] = 0
    suits = chance.sample(range(4), chance.choice([1, 2, 2, 3, 3, 4]))
    everything = [b for b in [*TRIPLETS, *RUNS, *RUNS] if all(copies[kind] for kind in b)]
    blocks = [b for b in everything if min(b[0] // 9, 3) in suits] * 9 + everything
    if chance.random() < 0.25:  # crowded: melds and hand compete for the same copies
        low = 9 * chance.randrange(3) + chance.randrange(5)
        blocks = [b for b in everything if low <= b[0] and b[2] < low + 5] * 50 + everything
    held: list[int] = []
    melds: list[Meld] = []

    def take(tiles: tuple[int, ...]) -> bool:
        if any(copies[kind] < tiles.count(kind) for kind in tiles):
            return False
        for kind in tiles:
            copies[kind] -= 1
        return True

    melded = chance.choice([0, 0, 1, 2, 3, 4])
    while len(melds) < melded:
        block = chance.choice(blocks)
        form = CHOW if block[0] != block[1] else chance.choice([PUNG, PUNG, EXPOSED_KONG, CONCEALED_KONG])
        if form == CHOW and "chow" not in sheet.sheet.claims:
            continue
        if take(block if form <= PUNG else (block[0],) * 4):
            melds.append(Meld(form, block[0]))
    style = chance.random()
    size = 13 - 3 * melded + extra
    while len(held) < size:
        tiles: tuple[int, ...]
        if style < 0.15 and not melded:
            tiles = (chance.choice([b[0] for b in blocks]),) * 2
        elif style < 0.2 and not melded:
            tiles = (chance.choice(ORPHANS),)
        else:
            tiles = chance.choice(blocks) if chance.random() < 0.7 else (chance.choice(blocks)[0],) * 2
        if take(tiles):
            held += tiles
    held = chance.sample(held, size)
    for _ in range(chance.choice([0, 1, 1, 2, 3])):
        at = chance.randrange(size)
        kind = chance.choice([kind for kind in range(34) if copies[kind]])
        copies[kind] -= 1
        held[at] = kind
    wilds = min(size, chance.choice([0, 1, 1, 2, 3, 4])) if wild else 0
    held = held[wilds:]
    return Hand([held.count(kind) for kind in range(34)], melds, wilds)


def lay(sheet: RuleSet, hands: list[Hand]) -> tuple[Any, Any, Any]:
    """``(tables, rules, states)`` for the kernels."""
    record = layout.compile_rules(sheet)
    states = np.zeros(len(hands), layout.STATE)
    counts = np.array([hand.counts for hand in hands], np.uint8)
    if sheet.sheet.wild:
        counts[:, KIND_OF[sheet.sheet.wild[0]]] = [hand.wild for hand in hands]
    melds = np.full((len(hands), 8), -1, np.int64)
    for i, hand in enumerate(hands):
        for place, meld in enumerate(hand.melds):
            melds[i, 2 * place : 2 * place + 2] = meld
    measure.lay_hands(record, states, counts, melds)
    return hand_tables(), record, states


def measured(sheet: RuleSet, hands: list[Hand]) -> list[int]:
    tables, record, states = lay(sheet, hands)
    out = np.zeros(len(hands), np.int64)
    measure.distances(tables, record, states, np.zeros(1, layout.OUTLOOK), out)
    return [int(d) for d in out]


def masks(sheet: RuleSet, hands: list[Hand], entry: Any) -> list[int]:
    tables, record, states = lay(sheet, hands)
    out = np.zeros(len(hands), np.int64)
    scratch = () if entry is measure.wait_masks else (np.zeros(1, layout.OUTLOOK),)
    entry(tables, record, states, *scratch, out)
    return [int(mask) for mask in out]


def with_tile(sheet: RuleSet, hand: Hand, kind: int) -> Hand:
    if KIND_NAMES[kind] in sheet.sheet.wild:
        return hand._replace(wild=hand.wild + 1)
    return hand._replace(counts=[count + (k == kind) for k, count in enumerate(hand.counts)])


@pytest.mark.parametrize(("name", "options"), CASES)
def test_distance_is_that_of_the_nearest_winning_hand(name: str, options: dict[str, Any]) -> None:
    sheet = rules.load(name, options)
    chance = random.Random(f"{name} {options}")
    seen = set()
    for extra in (0, 1):
        hands = [random_hand(sheet, chance, extra) for _ in range(HANDS)]
        for hand, found in zip(hands, measured(sheet, hands), strict=True):
            wanted = nearest(sheet, hand, MOST)
            seen.add(wanted)
            assert min(found, MOST + 1) == wanted, hand
    assert seen >= {-1, 0, 1, 2, 3}


@pytest.mark.parametrize(("name", "options"), CASES)
def test_waits_are_the_kinds_that_complete_a_winning_hand(name: str, options: dict[str, Any]) -> None:
    sheet = rules.load(name, options)
    chance = random.Random(f"waits {name} {options}")
    hands = [random_hand(sheet, chance, 0) for _ in range(WAITING)]
    waiting = 0
    for hand, found in zip(hands, masks(sheet, hands, measure.wait_masks), strict=True):
        kinds = [kind for kind in range(34) if sheet.sheet.copies[kind]]
        wanted = sum(1 << k for k in kinds if nearest(sheet, with_tile(sheet, hand, k), -1, formal=True) == -1)
        assert found == wanted, f"{hand}: {found:b}, not {wanted:b}"
        waiting += wanted > 0
    assert waiting >= 3


@pytest.mark.parametrize(("name", "options"), CASES)
def test_useful_kinds_bring_the_hand_nearer_and_no_other_does(name: str, options: dict[str, Any]) -> None:
    sheet = rules.load(name, options)
    chance = random.Random(f"useful {name} {options}")
    hands = [random_hand(sheet, chance, 0) for _ in range(1000)]
    before = measured(sheet, hands)
    found = masks(sheet, hands, measure.useful_masks)
    drawable = [Exchange(sheet).drawable(hand) for hand in hands]
    for kind in range(34):
        held = [i for i, kinds in enumerate(drawable) if kind in kinds]
        if not held:
            continue  # the sheet has no such tile
        after = measured(sheet, [with_tile(sheet, hands[i], kind) for i in held])
        for i, distance in zip(held, after, strict=True):
            assert before[i] - distance == found[i] >> kind & 1, hands[i]
    for hand, mask, kinds in zip(hands, found, drawable, strict=True):
        assert not mask & ~sum(1 << kind for kind in kinds), hand


def held_copies(hand: Hand) -> list[int]:
    """Natural copies of each kind in hand and melds."""
    held = list(hand.counts)
    for meld in hand.melds:
        for kind in meld.kinds():
            held[kind] += 1
    return held


class Exchange:
    """Breadth first over all exchanges of tiles that are there, by the slow win check."""

    def __init__(self, sheet: RuleSet) -> None:
        self.sheet = sheet
        self.wild = [KIND_OF[name] for name in sheet.sheet.wild]
        self.won: dict[tuple[tuple[int, ...], int], bool] = {}

    def drawable(self, hand: Hand) -> list[int]:
        held = held_copies(hand)
        for kind in self.wild:
            held[kind] += hand.wild
        return [kind for kind, copies in enumerate(self.sheet.sheet.copies) if held[kind] < copies]

    def wins(self, hand: Hand) -> bool:
        key = (tuple(hand.counts), hand.wild)
        if key not in self.won:
            tiles = [kind for kind in range(34) for _ in range(hand.counts[kind])] + self.wild * hand.wild
            self.won[key] = win.wins(self.sheet, tiles, hand.melds)
        return self.won[key]

    def ready(self, hand: Hand) -> bool:
        return any(self.wins(with_tile(self.sheet, hand, kind)) for kind in self.drawable(hand))

    def ready_after_one(self, hand: Hand) -> bool:
        return any(self.ready(left) for kind in self.drawable(hand) for left in self.less(hand, kind))

    def less(self, hand: Hand, drawn: int) -> Iterator[Hand]:
        """The hand with ``drawn`` in place of each of its natural tiles: no shortest way discards a wild one, or draws what it discarded."""
        more = with_tile(self.sheet, hand, drawn)
        for kind in range(34):
            if hand.counts[kind]:
                yield more._replace(counts=[count - (k == kind) for k, count in enumerate(more.counts)])


@pytest.mark.parametrize("name", OPTIONS)
def test_distances_0_and_1_by_exchanging_tiles_over_the_slow_win_check(name: str) -> None:
    chance = random.Random(f"exchange {name}")
    tally = [0, 0, 0]
    for options in (options for other, options in CASES if other == name):
        sheet = rules.load(name, options)
        many = [random_hand(sheet, chance, 0) for _ in range(400 // sum(other == name for other, _ in CASES))]
        small = [hand for hand in many if sum(hand.counts) + hand.wild <= 7]
        for hand, found in zip(many, measured(sheet, many), strict=True):
            exchange = Exchange(sheet)
            ready = exchange.ready(hand)
            assert ready == (found <= 0), hand
            tally[0] += ready
            if hand in small and not ready:
                near = exchange.ready_after_one(hand)
                assert near == (found == 1), hand
                tally[1 if near else 2] += 1
    assert min(tally) > 10
