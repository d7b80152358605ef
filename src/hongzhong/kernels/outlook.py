"""What each discard leaves, all of a seat's hand at once: the other suits are combined once, then each discard is a look-up.

Rows of ``work`` (``WORK_SHAPE`` int64) are scratch and results, row by name below.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.distance import (
    combine_shape,
    combine_terminal,
    has_meld_terminal,
    long_variant,
    other_missing,
    sets_missing,
    variant_of,
)
from hongzhong.kernels.hand import PLACES, add_tile, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.tables import ANY, FAR, NOTHING, TWO

UNSEEN: Final = 0
"""Copies of each kind that the seat has not seen."""
AFTER: Final = 1
"""By kind: natural tiles missing once it is discarded, ``NEVER`` where it is not held, ``LAST`` for a wild one."""
VARIANT, CLASS, FIXED, SHOWN = 2, 3, 4, 5
"""By suit: variant and class in the term at work; fewest missing tiles of the terms that do not look at the suit; variants in use."""
REST: Final = 6
"""Six rows a suit, one a variant: the fewest tiles that all the rest misses, as in the hand tables."""
TERMINAL: Final = 5
"""The variant of a suit that brings the terminal or the pair of 2, 5 or 8 (N2)."""
N_VARIANTS: Final = 6
WORK_SHAPE: Final = (REST + 3 * N_VARIANTS, 40)
NEVER, LAST = 99, 98


@kernel
def open_row(work, suit, variant):
    """The row of a suit's variant, cleared at first use."""
    row = REST + N_VARIANTS * suit + variant
    if (work[SHOWN, suit] >> variant) & 1 == 0:
        work[SHOWN, suit] |= np.int64(1) << variant
        for entry in range(10):
            work[row, entry] = FAR
    return row


@kernel
def merge_terminal(tables, work, row, suit_class, rest):
    """Another suit brings the terminal: its vector and that of the rest, min-plus, into the row."""
    for sets in range(5):
        a = np.int64(tables["terminal_vector"][suit_class, 2 * sets])
        b = np.int64(tables["terminal_vector"][suit_class, 2 * sets + 1])
        for more in range(5 - sets):
            c = np.int64(tables["rest_vector"][rest, 2 * more])
            d = np.int64(tables["rest_vector"][rest, 2 * more + 1])
            place = 2 * (sets + more)
            work[row, place] = min(work[row, place], a + c)
            work[row, place + 1] = min(work[row, place + 1], a + d, b + c)


@kernel
def rest_without(tables, work, suit, dropped, honours_variant, honours):
    """Number of the vector of what is beside ``suit`` and ``dropped`` (-1: all beside the suit)."""
    a = (suit + 1) % 3
    b = (suit + 2) % 3
    va = np.int64(NOTHING) if a == dropped else work[VARIANT, a]
    vb = np.int64(NOTHING) if b == dropped else work[VARIANT, b]
    pair = tables["pair"][va, vb, tables["shape"][work[CLASS, a]], tables["shape"][work[CLASS, b]]]
    return np.int64(tables["rest"][pair, honours_variant, honours])


@kernel
def add_term(tables, work, n_sets, special, honours_variant, honours):
    """One way to meet a plan: a variant for each suit, in ``work[VARIANT]``. ``special``: the suit with the terminal, -1 for none."""
    total = np.int64(FAR)
    for suit in range(3):
        variant = work[VARIANT, suit]
        if variant == NOTHING:
            continue
        row = open_row(work, suit, variant)
        if special >= 0 and special != suit:
            rest = rest_without(tables, work, suit, special, honours_variant, honours)
            merge_terminal(tables, work, row, work[CLASS, special], rest)
            continue
        rest = rest_without(tables, work, suit, np.int64(-1), honours_variant, honours)
        for entry in range(10):
            work[row, entry] = min(work[row, entry], np.int64(tables["rest_vector"][rest, entry]))
        if special == suit:
            total = combine_terminal(tables, n_sets, work[CLASS, suit], rest)
        elif total == FAR:
            total = combine_shape(tables, n_sets, variant, np.int64(tables["shape"][work[CLASS, suit]]), rest)
    if work[VARIANT, 0] == NOTHING and work[VARIANT, 1] == NOTHING and work[VARIANT, 2] == NOTHING:
        rest = np.int64(tables["rest"][tables["pair"][NOTHING, NOTHING, 0, 0], honours_variant, honours])
        total = np.int64(tables["rest_vector"][rest, 2 * n_sets + 1])
    for suit in range(3):
        if work[VARIANT, suit] == NOTHING:
            work[FIXED, suit] = min(work[FIXED, suit], total)


@kernel
def add_plan(tables, rules, state, seat, plan, work, n_sets, honours):
    """All terms of a plan (kernels/distance.py plan_missing has the same cases)."""
    holds = rules["set_plans"]
    melds = state["meld_suit_tiles"]
    vh = variant_of(holds[plan, 3], np.int64(melds[seat, 3]))
    if vh < 0:
        return
    h = np.int64(2) if vh == NOTHING else vh
    for suit in range(3):
        variant = variant_of(holds[plan, suit], np.int64(melds[seat, suit]))
        if variant < 0:
            return
        work[VARIANT, suit] = variant
    terminal = holds[plan, 5] != 0 and not has_meld_terminal(rules, state, seat)
    if not terminal and holds[plan, 4] == 0:
        add_term(tables, work, n_sets, np.int64(-1), h, honours)
        return
    for suit in range(3):
        plain = work[VARIANT, suit]
        if plain != NOTHING:
            work[VARIANT, suit] = TERMINAL if terminal else long_variant(plain, np.int64(melds[seat, suit]))
            add_term(tables, work, n_sets, np.int64(suit if terminal else -1), h, honours)
            work[VARIANT, suit] = plain
    if terminal and rules["honours_are_terminals"] and vh != NOTHING:
        add_term(tables, work, n_sets, np.int64(-1), np.int64(1), honours)


@kernel
def sets_with(tables, work, n_sets, suit, suit_class):
    """Natural tiles missing from four sets and a pair with another class in one suit."""
    best = work[FIXED, suit]
    shape = np.int64(tables["shape"][suit_class])
    for variant in range(N_VARIANTS):
        if (work[SHOWN, suit] >> variant) & 1 == 0:
            continue
        row = REST + N_VARIANTS * suit + variant
        for sets in range(n_sets + 1):
            other = 2 * (n_sets - sets)
            if variant == TERMINAL:
                a = np.int64(tables["terminal_vector"][suit_class, 2 * sets])
                b = np.int64(tables["terminal_vector"][suit_class, 2 * sets + 1])
            else:
                a = np.int64(tables["suit_vector"][variant, shape, 2 * sets])
                b = np.int64(tables["suit_vector"][variant, shape, 2 * sets + 1])
            best = min(best, a + work[row, other + 1], b + work[row, other])
    return best


@kernel
def combine_rests(tables, rules, state, seat, work, n_sets):
    """Fills the rows of the rest for every suit."""
    five = rules["five_copies"]
    honours = np.int64(tables["honour_class"][five, state["suit_key"][seat, 3]])
    for suit in range(3):
        work[CLASS, suit] = tables["suit_class"][five, state["suit_key"][seat, suit]]
        work[FIXED, suit] = FAR
        work[SHOWN, suit] = 0
    for plan in range(rules["n_set_plans"]):
        add_plan(tables, rules, state, seat, np.int64(plan), work, n_sets, honours)


@kernel
def rate_sets(tables, rules, state, seat, work):
    """Four sets and a pair after each discard, into ``work[AFTER]``; the fewest."""
    n_sets = 4 - state["meld_count"][seat]
    five = rules["five_copies"]
    combine_rests(tables, rules, state, seat, work, n_sets)
    best = np.int64(LAST)
    last_class = np.int64(-1)
    last_missing = np.int64(FAR)
    for kind in range(34):
        work[AFTER, kind] = NEVER
        if state["count"][seat, kind] == 0:
            continue
        if (state["wild"] >> kind) & 1:
            work[AFTER, kind] = LAST
            continue
        key = state["suit_key"][seat, kind // 9] - PLACES[kind]
        if kind < 27:
            found = sets_with(tables, work, n_sets, np.int64(kind // 9), np.int64(tables["suit_class"][five, key]))
        else:
            honour_class = np.int64(tables["honour_class"][five, key])
            if honour_class != last_class:
                remove_tile(state, seat, np.int64(kind))
                last_missing = sets_missing(tables, rules, state, seat)
                add_tile(state, seat, np.int64(kind))
                last_class = honour_class
            found = last_missing
        work[AFTER, kind] = found
        best = min(best, found)
    return best


@kernel
def rate_discards(tables, rules, state, seat, work):
    """Natural tiles missing after each discard, into ``work[AFTER]``; the fewest. 3n + 2 concealed tiles.

    A wild tile is rated ``LAST``: without it always one more is missing than without the loosest natural one.
    """
    if rules["form_four_sets"]:
        best = rate_sets(tables, rules, state, seat, work)
    else:
        best = np.int64(FAR)
        for kind in range(34):
            held = np.int64(state["count"][seat, kind])
            work[AFTER, kind] = NEVER if held == 0 else (LAST if (state["wild"] >> kind) & 1 else FAR)
    if other_missing(tables, rules, state, seat, best + 1) > best:
        return best
    for kind in range(34):
        if work[AFTER, kind] < LAST:
            remove_tile(state, seat, np.int64(kind))
            work[AFTER, kind] = other_missing(tables, rules, state, seat, work[AFTER, kind])
            add_tile(state, seat, np.int64(kind))
            best = min(best, work[AFTER, kind])
    return best


assert ANY < TWO < NOTHING < TERMINAL
