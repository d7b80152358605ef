"""The ways to win that miss fewest tiles: which columns of the suits are tight together.

A *term* is one way to win by four sets and a pair: what each suit may hold (plans.py), and which suit brings the eight tiles or the
terminal. A *split* says how many sets and pairs each suit brings: a *column* of its vector, ``2 * sets + pair``. A split is tight if it
misses no more tiles than the whole hand.

Vectors are packed, ten lanes in one integer (tables.py), and a set of columns is a mask of guard bits, so that all columns are
compared at once. A *part* is a suit (0-2), the honours (3), or a suit that brings the terminal (4-6). ``outlook`` (layout.OUTLOOK)
is scratch and result.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.bits import lowest, under
from hongzhong.kernels.distance import (
    combine_shape,
    combine_terminal,
    exchanges,
    has_meld_terminal,
    long_variant,
    other_missing,
    variant_of,
)
from hongzhong.kernels.forms import KEEPING, PAIRS, nearest_forms
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.limits import copies_in, crowded, distance
from hongzhong.kernels.tables import FAR, GUARDS, LANE, LANE_MOST, NOTHING, ONES
from hongzhong.layout import MAX_SPLITS
from hongzhong.tiles import CHOW

ALL_KINDS: Final = (1 << 34) - 1
N_PARTS: Final = 7
TERMINAL: Final = 4
"""What is added to a suit for its part that brings the terminal."""
VALUES: Final = LANE_MOST * ONES
GUARD: Final = LANE - 1
"""The guard bit of the lowest lane."""
LEAST: Final = np.array(
    [
        sum(LANE_MOST << (LANE * lane) for lane in range(10) if 3 * (lane // 2) + 2 * (lane % 2) < least)
        for least in (0, 2, 5, 8)
    ]
    + [VALUES - LANE_MOST],
    np.int64,
)
"""By variant of a suit's vector: what makes the lanes full that it may not use."""
BESIDE: Final = np.array(
    [sum(1 << (LANE * lane + LANE - 1) for lane in range(left + 1) if lane % 2 <= left % 2) for left in range(10)],
    np.int64,
)
"""By column: the columns that can be a part of it."""


@kernel
def rest_beside(tables, outlook, first, second):
    """Number of the vector of the suits beside ``first`` and ``second`` (the same one twice: of both others), with the honours."""
    a = (first + 1) % 3
    b = (first + 2) % 3
    va = np.int64(NOTHING) if a == second else outlook["variant"][a]
    vb = np.int64(NOTHING) if b == second else outlook["variant"][b]
    pair = tables["pair"][va, vb, tables["shape"][outlook["class"][a]], tables["shape"][outlook["class"][b]]]
    return np.int64(tables["rest"][pair, outlook["variant"][3], outlook["class"][3]])


@kernel
def term_missing(tables, outlook, n_sets, special):
    """Tiles missing in the term at work. ``special``: the suit that brings the terminal, -1 for none."""
    suit = max(np.int64(0), special)
    rest = rest_beside(tables, outlook, suit, suit)
    if special >= 0:
        return combine_terminal(tables, n_sets, outlook["class"][suit], rest)
    return combine_shape(
        tables, n_sets, outlook["variant"][suit], np.int64(tables["shape"][outlook["class"][suit]]), rest
    )


@kernel
def fewer(old, new):
    """The columns where ``new`` misses fewer tiles than ``old``."""
    return ((old | GUARDS) - new - ONES) & GUARDS


@kernel
def equal(lanes, number):
    """The columns where a sum of two packed vectors is ``number``."""
    other = lanes ^ (number * ONES)
    return ~(((other & VALUES) + VALUES) | other) & GUARDS


@kernel
def lanes_of(tables, part, suit_class):
    """The packed vector of a part."""
    if part < 3:
        return tables["suit_lanes"][suit_class]
    return tables["terminal_lanes"][suit_class] if part > 3 else tables["honour_lanes"][suit_class]


@kernel
def term_lanes(tables, outlook, suit):
    """The packed vector of a suit in its variant."""
    variant = outlook["variant"][suit]
    lanes = tables["suit_lanes"][outlook["class"][suit]]
    return (lanes | LEAST[variant]) & ~np.int64(LANE_MOST) if variant == NOTHING else lanes | LEAST[variant]


@kernel
def add_split(outlook, first, bit_first, second, bit_second, third, bit_third, bit_honours):
    """Notes a tight split: a column of each part, by the place of its guard bit. ``first`` is a part, the others are suits."""
    place = outlook["n_splits"]
    outlook["n_splits"] = place + 1
    if place >= MAX_SPLITS:
        return
    outlook["split"][place, first % TERMINAL] = 64 * first + bit_first
    outlook["split"][place, second] = 64 * second + bit_second
    outlook["split"][place, third] = 64 * third + bit_third
    outlook["split"][place, 3] = 64 * 3 + bit_honours
    outlook["tight"][first] |= np.int64(1) << bit_first
    outlook["tight"][second] |= np.int64(1) << bit_second
    outlook["tight"][third] |= np.int64(1) << bit_third
    outlook["tight"][3] |= np.int64(1) << bit_honours


@kernel
def split_rest(tables, outlook, first, bit_first, left, missing):
    """The tight splits where the two suits after ``first`` (a part) and the honours bring the column ``left`` and miss ``missing``."""
    second = (first % 4 + 1) % 3
    third = (first % 4 + 2) % 3
    b = term_lanes(tables, outlook, second)
    c = term_lanes(tables, outlook, third)
    nothing = tables["pair"][NOTHING, NOTHING, 0, 0]
    honours = tables["rest_lanes"][tables["rest"][nothing, outlook["variant"][3], outlook["class"][3]]]
    later = tables["rest_lanes"][rest_beside(tables, outlook, first % 4, second)] >> (LANE * (9 - left))
    columns = equal(b + later, missing) & BESIDE[left]
    while columns:
        bit = lowest(columns)
        columns &= columns - 1
        remaining = missing - ((b >> (bit - GUARD)) & LANE_MOST)
        last = left - bit // LANE
        ends = equal(c + (honours >> (LANE * (9 - last))), remaining) & BESIDE[last]
        while ends:
            end = lowest(ends)
            ends &= ends - 1
            add_split(outlook, first, bit_first, second, bit, third, end, LANE * last + 2 * GUARD - end)


@kernel
def keep_term(tables, outlook, n_sets, special, missing):
    """Notes the tight splits of the term at work, which misses ``missing`` tiles."""
    suit = max(np.int64(0), special)
    a = tables["terminal_lanes"][outlook["class"][suit]] if special >= 0 else term_lanes(tables, outlook, suit)
    rest = tables["rest_lanes"][rest_beside(tables, outlook, suit, suit)] >> (LANE * (8 - 2 * n_sets))
    whole = 2 * n_sets + 1
    columns = equal(a + rest, missing) & BESIDE[whole]
    while columns:
        bit = lowest(columns)
        columns &= columns - 1
        part = suit + TERMINAL if special >= 0 else suit
        split_rest(tables, outlook, part, bit, whole - bit // LANE, missing - ((a >> (bit - GUARD)) & LANE_MOST))


@kernel
def note_term(tables, outlook, n_sets, special, term):
    """Notes the term at work and what it misses. The next term's number."""
    packed = special + 1
    for suit in range(4):
        packed = 8 * packed + outlook["variant"][suit]
    outlook["term"][term] = packed
    outlook["total"][term] = term_missing(tables, outlook, n_sets, special)
    return term + 1


@kernel
def note_plan(tables, rules, state, seat, plan, outlook, n_sets, term):
    """All terms of a plan (kernels/distance.py plan_missing has the same cases). The next term's number."""
    for suit in range(4):
        variant = variant_of(rules["set_plans"][plan, suit], np.int64(state["meld_suit_tiles"][seat, suit]))
        if variant < 0:
            return term
        outlook["variant"][suit] = np.int64(2) if suit == 3 and variant == NOTHING else variant
    terminal = rules["set_plans"][plan, 5] != 0 and not has_meld_terminal(rules, state, seat)
    if not terminal and rules["set_plans"][plan, 4] == 0:
        return note_term(tables, outlook, n_sets, np.int64(-1), term)
    for suit in range(3):
        plain = outlook["variant"][suit]
        if plain != NOTHING:
            if not terminal:
                outlook["variant"][suit] = long_variant(plain, np.int64(state["meld_suit_tiles"][seat, suit]))
            term = note_term(tables, outlook, n_sets, np.int64(suit if terminal else -1), term)
            outlook["variant"][suit] = plain
    if terminal and rules["honours_are_terminals"] and outlook["variant"][3] != 2:
        outlook["variant"][3] = 1
        term = note_term(tables, outlook, n_sets, np.int64(-1), term)
    return term


@kernel
def note_terms(tables, rules, state, seat, outlook, n_sets):
    """Notes all terms, how many; ``(number, fewest tiles missing in any)``."""
    term = np.int64(0)
    for plan in range(rules["n_set_plans"]):
        term = note_plan(tables, rules, state, seat, np.int64(plan), outlook, n_sets, term)
    fewest = np.int64(FAR)
    for one in range(term):
        fewest = min(fewest, outlook["total"][one])
    return term, fewest


@kernel
def keep_terms(tables, outlook, n_sets, terms, best):
    """Notes the tight splits of all terms that miss ``best`` tiles."""
    for term in range(terms):
        if outlook["total"][term] == best:
            packed = outlook["term"][term]
            for back in range(4):
                outlook["variant"][3 - back] = (packed >> (3 * back)) & 7
            keep_term(tables, outlook, n_sets, (packed >> 12) - 1, best)


@kernel
def drawable_kinds(rules, state, seat):
    """Mask of the kinds of which the seat does not hold every copy itself."""
    mask = under(state["count"][seat], rules["copies"])
    for place in range(state["meld_count"][seat]):
        low = np.int64(state["meld_kind"][seat, place])
        for kind in range(low, low + (3 if state["meld_form"][seat, place] == CHOW else 1)):
            held = np.int64(state["count"][seat, kind])
            for other in range(state["meld_count"][seat]):
                held += copies_in(state, seat, np.int64(other), np.int64(kind))
            if held >= rules["copies"][kind]:
                mask &= ~(np.int64(1) << kind)
    return mask


@kernel
def near_melds(rules, state, seat):
    """Mask of the kinds that could make copies in melds matter, where none do yet (limits.py)."""
    mask = np.int64(0)
    if rules["five_copies"]:
        return mask
    for place in range(state["meld_count"][seat]):
        low = np.int64(state["meld_kind"][seat, place])
        span = np.int64(127 if state["meld_form"][seat, place] == CHOW else 31)
        mask |= (span << low) >> 2
    return mask


@kernel
def class_of(tables, five, suit, key):
    """The class of a suit's key."""
    return np.int64(tables["honour_class"][five, key] if suit == 3 else tables["suit_class"][five, key])


@kernel
def survey(tables, rules, state, seat, outlook):
    """Notes tiles missing in sets and a pair, and in any form; and the tight splits, if sets and a pair are the nearest."""
    n_sets = 4 - state["meld_count"][seat]
    for suit in range(4):
        key = state["suit_key"][seat, suit]
        outlook["class"][suit] = class_of(tables, rules["five_copies"], np.int64(suit), key)
        outlook["known"][suit] = 0
    for part in range(N_PARTS):
        outlook["tight"][part] = 0
    outlook["n_splits"] = 0
    outlook["turned"] = 0
    total = np.int64(FAR)
    terms = np.int64(0)
    if rules["form_four_sets"]:
        terms, total = note_terms(tables, rules, state, seat, outlook, n_sets)
    others = other_missing(tables, rules, state, seat, total + 1, np.int64(1))
    best = min(total, others)
    if total == best and total < FAR:
        keep_terms(tables, outlook, n_sets, terms, best)
    outlook["sets_missing"] = total
    outlook["missing"] = best
    outlook["drawable"] = drawable_kinds(rules, state, seat)
    outlook["natural"] = outlook["drawable"] & ~state["wild"]
    outlook["formal"] = exchanges(state, seat, best)
    outlook["now"] = outlook["formal"]
    outlook["forms"] = nearest_forms(tables, rules, state, seat, best) if others == best and best < FAR else np.int64(0)
    for case in range(KEEPING + 1 if outlook["forms"] & PAIRS else 0):
        outlook["pairs_known"][case] = 0
        outlook["pairs_found"][case] = 0
    outlook["watched"] = near_melds(rules, state, seat)
    if outlook["watched"] and crowded(rules, state, seat):
        outlook["watched"] = ALL_KINDS
        outlook["now"] = distance(tables, rules, state, seat, outlook)
