"""The best reading of a winning hand and its price (C4)."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.patterns import bit, colour_bits, is_258, reading_bits, wait_bits, way_bits
from hongzhong.kernels.price import price, resolve_rows
from hongzhong.kernels.readings import (
    ROW_BEST,
    ROW_COUNT,
    ROW_SET,
    ROW_SORTED,
    ROW_USED,
    SHOWN,
    begin_pair,
    end_pair,
    may_stand,
    next_sets,
    pair_repeats,
    text_key,
)
from hongzhong.layout import (
    FOUR_SETS,
    MIXED_SEVEN_PAIRS,
    PURE_SEVEN_PAIRS,
    READING_MASK,
    SEVEN_PAIRS,
    TERMINAL_OR_258,
    THIRTEEN_ORPHANS,
)
from hongzhong.rules.vocabulary import FIRST_CONDITION
from hongzhong.tiles import CHOW

FORM_SETS, FORM_PAIRS, FORM_ORPHANS = 1, 2, 4
"""Forms to look at, as a mask, and the form of the best reading in ``scratch[ROW_BEST, 0]``."""
BEST_FORM, BEST_COUNT, BEST_SETS, BEST_PAIR = 0, 1, 2, 6
"""``scratch[ROW_BEST]``: form, number of concealed sets, their display places, the pair."""


@kernel
def failed_condition(rules, raw, shown):
    """How many conditions of the sheet are passed before the first that is neither met nor exempt; all: ``n_conditions``."""
    for row in range(rules["n_conditions"]):
        index = rules["condition_order"][row]
        if (raw >> (FIRST_CONDITION + index)) & 1 == 0 and rules["condition_exempt"][index] & shown == 0:
            return row
    return rules["n_conditions"]


@kernel
def consider(rules, state, seat, raw, passed):
    """``(points, bits, conditions passed)`` of one reading; points -1 if a condition bars it."""
    kept, shown = resolve_rows(rules, raw)
    now = failed_condition(rules, raw, shown)
    passed = max(passed, now)
    if now < rules["n_conditions"]:
        return np.int64(-1), np.int64(0), passed
    closed_kongs = state["concealed_kong_count"][seat]
    points, bits = price(rules, kept, state["kong_count"][seat] - closed_kongs, closed_kongs)
    return points, bits, passed


@kernel
def load_counts(state, seat, tile):
    """Fills the search's counts with natural tiles and copies used, the winning tile included; returns the wild tiles."""
    scratch = state["scratch"]
    wild = np.int64(0)
    for kind in range(34):
        held = np.int64(state["count"][seat, kind]) + np.int64(kind == tile)
        if (state["wild"] >> kind) & 1:
            wild += held
            held = np.int64(0)
        scratch[ROW_COUNT, kind] = held
        scratch[ROW_USED, kind] = held
    for place in range(state["meld_count"][seat]):
        kind = np.int64(state["meld_kind"][seat, place])
        form = state["meld_form"][seat, place]
        if form == CHOW:
            for i in range(3):
                scratch[ROW_USED, kind + i] += 1
        else:
            scratch[ROW_USED, kind] += 3 if form == 1 else 4
    return wild


@kernel
def fifth_natural(rules, state, seat, tile):
    """Whether the winning tile is a fifth copy where none may be (Q5); such hands are only asked about for waits."""
    if rules["fifth_copy"] or (state["wild"] >> tile) & 1:
        return False
    load_counts(state, seat, tile)
    return state["scratch"][ROW_USED, tile] > 4


@kernel
def triplets_in(state, n_sets):
    scratch = state["scratch"]
    total = np.int64(0)
    for i in range(n_sets):
        if scratch[ROW_SET, i] % 12 < 4:
            total += 1
    return total


@kernel
def keep_sets(state, n_sets, pair):
    """Notes the reading just found as the best; ``text_key`` has sorted it."""
    scratch = state["scratch"]
    scratch[ROW_BEST, BEST_FORM] = FORM_SETS
    scratch[ROW_BEST, BEST_COUNT] = n_sets
    for i in range(n_sets):
        scratch[ROW_BEST, BEST_SETS + i] = scratch[ROW_SORTED, i]
    scratch[ROW_BEST, BEST_PAIR] = pair


@kernel
def natural_in(state, suit):
    """Natural tiles of a suit that the search still has to place."""
    total = np.int64(0)
    for kind in range(suit * 9, min(suit * 9 + 9, 34)):
        total += state["scratch"][ROW_COUNT, kind]
    return total


@kernel
def wild_needed(m, s, p, z, pair):
    """Fewest wild tiles that bring each suit to whole sets once the pair's natural tiles are taken: a suit holds threes."""
    taken = 2 - pair % 3
    suit = pair // 27
    m -= taken if suit == 0 else 0
    s -= taken if suit == 1 else 0
    p -= taken if suit == 2 else 0
    z -= taken if suit == 3 else 0
    return -m % 3 + -s % 3 + -p % 3 + -z % 3


@kernel
def open_pair(rules, state, wild, pair, m, s, p, z):
    """Begins the search beside a pair; False where the pair cannot be, repeats another, or leaves a suit without whole sets."""
    if pair % 3 > wild or state["scratch"][ROW_COUNT, pair // 3] < 2 - pair % 3:
        return False
    if wild_needed(m, s, p, z, pair) > wild - pair % 3:
        return False
    if pair % 3 == 2 and pair_repeats(rules, pair):
        return False
    return begin_pair(rules, state, pair, wild) >= 0


@kernel
def best_wait(rules, state, seat, raw, n_sets, pair, tile, single, passed):
    """``(points, bits, conditions passed)`` of a reading, the winning tile where it pays most (H17, H18)."""
    points = np.int64(-1)
    bits = np.int64(0)
    for role in range(n_sets + 1 if single else 1):
        waits = wait_bits(state, n_sets, pair, tile, np.int64(role)) if single else np.int64(0)
        if waits < 0:
            continue
        value, found, passed = consider(rules, state, seat, raw | waits, passed)
        if value > points or (value == points and bits & waits == 0):  # worth nothing: still the wait is named
            points = value
            bits = found
    return points, bits, passed


@kernel
def best_sets(rules, state, seat, tile, common, single, with_text, passed):
    """Best of all readings as sets and a pair: ``(points, bits, triplets, conditions passed)``; points -1 if none wins.

    ``single``: the winning tile is the only kind waited for (H18). Without text the search stops once every priced row that
    depends on the reading is met.
    """
    n_sets = 4 - state["meld_count"][seat]
    wild = load_counts(state, seat, tile)
    top = np.int64(-1)
    top_bits = np.int64(0)
    top_triplets = np.int64(-1)
    top_key = np.int64(0)
    wanted = rules["priced"] & READING_MASK
    m, s, p, z = natural_in(state, 0), natural_in(state, 1), natural_in(state, 2), natural_in(state, 3)
    last_raw = np.int64(-1)
    points = np.int64(-1)
    bits = np.int64(0)
    for pair in range(102):
        if not open_pair(rules, state, wild, np.int64(pair), m, s, p, z):
            continue
        depth = next_sets(rules, state, n_sets, np.int64(0))
        while depth >= 0:
            raw = common | bit(FOUR_SETS) | reading_bits(state, seat, n_sets, pair)
            if single or raw != last_raw:  # readings in a row mostly show the same
                last_raw = raw
                points, bits, passed = best_wait(rules, state, seat, raw, n_sets, np.int64(pair), tile, single, passed)
            if points > top or (with_text and points == top and points >= 0):
                triplets = triplets_in(state, n_sets)
                key = np.int64(0)
                if with_text and (points > top or triplets >= top_triplets):
                    key = text_key(state, n_sets, np.int64(pair))
                if points > top or triplets > top_triplets or (triplets == top_triplets and key < top_key):
                    top = points
                    top_bits = bits
                    top_triplets = triplets
                    top_key = key
                    if with_text:
                        keep_sets(state, n_sets, np.int64(pair))
            if not with_text and top >= 0 and rules["stops_early"] and top_bits & wanted == wanted:
                return top, top_bits, top_triplets, passed
            depth = next_sets(rules, state, n_sets, depth)
        end_pair(state, pair)
    return top, top_bits, top_triplets, passed


@kernel
def pairs_fit(state, seat, tile):
    """Wild tiles beside those needed to pair single tiles: below 0 if the hand is no seven pairs."""
    singles = np.int64(0)
    scratch = state["scratch"]
    wild = load_counts(state, seat, tile)
    for kind in range(34):
        singles += scratch[ROW_COUNT, kind] & 1
    return wild - singles


@kernel
def pair_tiles(state, suit):
    """Pairs of a suit with at least one natural tile."""
    scratch = state["scratch"]
    total = np.int64(0)
    for kind in range(suit * 9, suit * 9 + 9):
        total += (scratch[ROW_COUNT, kind] + 1) // 2
    return total


@kernel
def best_pairs(rules, state, seat, tile, common, passed):
    """Seven pairs (C6): ``(points, bits, conditions passed)``. Pairs of wild tiles alone join the fullest suit or stay out of it."""
    spare = pairs_fit(state, seat, tile)
    if spare < 0:
        return np.int64(-1), np.int64(0), passed
    scratch = state["scratch"]
    raw = common | bit(SEVEN_PAIRS)
    fullest = max(pair_tiles(state, 0), pair_tiles(state, 1), pair_tiles(state, 2))
    if rules["seven_pairs_258"]:
        for kind in range(27):
            if is_258(kind) and (scratch[ROW_COUNT, kind] > 0 or spare >= 2):
                raw |= bit(FIRST_CONDITION + TERMINAL_OR_258)
    points = np.int64(-1)
    bits = np.int64(0)
    for joined in range(spare // 2, -1, -1):
        shown = np.int64(0)
        if fullest + joined == 7:
            shown = bit(PURE_SEVEN_PAIRS)
        elif fullest + joined >= 5:
            shown = bit(MIXED_SEVEN_PAIRS)
        value, found, passed = consider(rules, state, seat, raw | shown, passed)
        if value > points:
            points = value
            bits = found
    return points, bits, passed


@kernel
def pairs_shown(rules, state, triplets, spare):
    """Whether seven pairs is shown rather than the best reading as sets that pays the same: that one has no triplet and the
    greater text. ``scratch[ROW_COUNT]`` holds the naturals; the first run and the first pair always differ.
    """
    if triplets > 0:
        return False
    scratch = state["scratch"]
    number = np.int64(SHOWN[scratch[ROW_BEST, BEST_SETS]])
    by_wild = (number % 12 - 4) & 1 != 0
    lowest = np.int64(0)
    loose = False
    while lowest < 33:  # a pair of wild tiles stands for the lowest kind
        held = np.int64(scratch[ROW_COUNT, lowest])
        loose = spare >= 2 and may_stand(rules, lowest, 2 * ((held + 1) // 2))
        if held > 0 or loose:
            break
        lowest += 1
    run_rank = number // 12 % 9
    rank = lowest % 9
    return rank < run_rank or (rank == run_rank and (loose or not by_wild))


@kernel
def orphans_fit(rules, state, seat, tile):
    """Whether the hand is thirteen orphans (N3, H11): one of each, one twice; unless any may pair, a dragon."""
    wild = load_counts(state, seat, tile)
    scratch = state["scratch"]
    missing = np.int64(0)
    held = np.int64(0)
    paired = False
    for kind in range(34):
        if kind < 27 and kind % 9 % 8 != 0:
            continue
        count = np.int64(scratch[ROW_COUNT, kind])
        held += count
        if count == 0:
            missing += 1
            if not may_stand(rules, kind, np.int64(0)):
                return False
        if count > 2:
            return False
        if count == 2:
            if paired or (kind < 31 and not rules["any_orphan_pair"]):
                return False
            paired = True
    return held + wild == 14 and missing + np.int64(not paired) == wild


@unit
def score_hand(tables, rules, state, seat, tile, how, facts, forms, with_text):
    """Points (stake x price) of the best reading, -1 if the hand does not win; sets ``win_points``, ``win_bits``.

    The seat's concealed tiles are those before the winning tile; ``state["waits"]`` are theirs. ``facts``: kernels/patterns.py.
    With text, ``scratch[ROW_BEST]`` tells the reading, of equals the one with more triplets, then the smallest text. ``state["win_passed"]``: conditions passed at best, -1: no reading at all.
    """
    common = way_bits(rules, state, seat, how, facts) | colour_bits(rules, state, seat, tile)
    waits = state["waits"][seat] & ~state["wild"]
    single = waits == bit(tile)
    passed = np.int64(-1)
    top = np.int64(-1)
    bits = np.int64(0)
    form = np.int64(0)
    triplets = np.int64(0)
    if fifth_natural(rules, state, seat, tile):
        forms = np.int64(0)
    if forms & FORM_SETS and rules["form_four_sets"]:
        top, bits, triplets, passed = best_sets(rules, state, seat, tile, common, single, with_text, passed)
        form = np.int64(FORM_SETS)
    if state["meld_count"][seat] == 0:
        for other in range(2):
            points = np.int64(-1)
            found = np.int64(0)
            this = np.int64(FORM_PAIRS)
            if other == 0 and forms & FORM_PAIRS and rules["form_seven_pairs"]:
                points, found, passed = best_pairs(rules, state, seat, tile, common, passed)
            elif other == 1 and forms & FORM_ORPHANS and rules["form_thirteen_orphans"]:
                this = np.int64(FORM_ORPHANS)
                if orphans_fit(rules, state, seat, tile):
                    points, found, passed = consider(rules, state, seat, common | bit(THIRTEEN_ORPHANS), passed)
            better = points > top
            if with_text and points == top and points >= 0 and form == FORM_SETS and this == FORM_PAIRS:
                better = pairs_shown(rules, state, triplets, pairs_fit(state, seat, tile))
            if better:
                top = points
                bits = found
                form = this
    state["scratch"][ROW_BEST, BEST_FORM] = form
    state["win_passed"] = passed
    state["win_points"][seat] = top
    state["win_bits"][seat] = bits
    return top
