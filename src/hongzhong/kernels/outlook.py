"""Which discards keep a hand as near as it is, and which kinds then bring it nearer, all of them at once.

A *term* is one way to win by four sets and a pair: what each suit may hold (plans.py), and which suit brings the eight tiles or the
terminal. A *split* says how many sets and pairs each suit brings: a *column* of its vector, ``2 * sets + pair``, ten more where it
brings the terminal. A split is tight if it misses no more tiles than the whole hand. A discard keeps the hand as near if its suit,
in some tight split, can spare it; a kind brings it nearer if its suit, in some tight split, gains by it. So it is enough to know
which columns are tight together. ``outlook`` (layout.OUTLOOK) is scratch and result.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.distance import (
    combine_shape,
    combine_terminal,
    exchanges,
    has_meld_terminal,
    long_variant,
    other_missing,
    variant_of,
)
from hongzhong.kernels.hand import PLACES, add_tile, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.limits import TERMINAL, copies_in, crowded, distance
from hongzhong.kernels.tables import FAR, NOTHING
from hongzhong.tiles import CHOW

UNKNOWN: Final = -1


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
def entry_of(tables, variant, suit_class, place):
    """One entry of a suit's vector."""
    if variant == TERMINAL:
        return np.int64(tables["terminal_vector"][suit_class, place])
    return np.int64(tables["suit_vector"][variant, tables["shape"][suit_class], place])


@kernel
def mark_split(outlook, suits, columns):
    """Notes that four columns, of which ``columns`` holds eight bits each, are tight together; ``suits``: whose, likewise."""
    for one in range(4):
        suit = (suits >> (8 * one)) & 255
        column = (columns >> (8 * one)) & 255
        outlook["tight"][suit] |= np.int64(1) << column
        for two in range(4):
            outlook["together"][suit, column, (suits >> (8 * two)) & 255] |= np.int64(1) << ((columns >> (8 * two)) & 255)


@kernel
def mark_last_two(tables, outlook, suits, columns, left, missing):
    """Tight splits of a suit (the third of ``suits``) and the honours, which bring the column ``left`` together."""
    suit = (suits >> 16) & 255
    nothing = tables["pair"][NOTHING, NOTHING, 0, 0]
    honours = np.int64(tables["rest"][nothing, outlook["variant"][3], outlook["class"][3]])
    for column in range(left + 1):
        if column % 2 > left % 2:
            continue
        found = entry_of(tables, outlook["variant"][suit], outlook["class"][suit], column)
        if found + tables["rest_vector"][honours, left - column] == missing:
            mark_split(outlook, suits, columns | (np.int64(column) << 16) | ((left - column) << 24))


@kernel
def keep_term(tables, outlook, n_sets, special, missing):
    """Marks the tight splits of the term at work, which misses ``missing`` tiles."""
    first = max(np.int64(0), special)
    second = (first + 1) % 3
    suits = first | (second << 8) | (((first + 2) % 3) << 16) | (np.int64(3) << 24)
    rest = rest_beside(tables, outlook, first, first)
    later = rest_beside(tables, outlook, first, second)
    extra = np.int64(10 if special >= 0 else 0)
    whole = 2 * n_sets + 1
    for column in range(whole + 1):
        variant = np.int64(TERMINAL) if special >= 0 else outlook["variant"][first]
        a = entry_of(tables, variant, outlook["class"][first], column)
        left = whole - column
        if a + tables["rest_vector"][rest, left] != missing:
            continue
        for other in range(left + 1):
            if other % 2 > left % 2:
                continue
            b = entry_of(tables, outlook["variant"][second], outlook["class"][second], other)
            if a + b + tables["rest_vector"][later, left - other] == missing:
                columns = (column + extra) | (np.int64(other) << 8)
                mark_last_two(tables, outlook, suits, columns, left - other, missing - a - b)


@kernel
def take_term(tables, outlook, n_sets, special, term, best):
    """First pass (``best`` below 0): notes what the term misses. Second pass: keeps it if that is the best. The next term's number."""
    if best < 0:
        outlook["total"][term] = term_missing(tables, outlook, n_sets, special)
    elif outlook["total"][term] == best:
        keep_term(tables, outlook, n_sets, special, best)
    return term + 1


@kernel
def take_plan(tables, rules, state, seat, plan, outlook, n_sets, term, best):
    """All terms of a plan (kernels/distance.py plan_missing has the same cases). The next term's number."""
    holds = rules["set_plans"]
    melds = state["meld_suit_tiles"]
    for suit in range(4):
        variant = variant_of(holds[plan, suit], np.int64(melds[seat, suit]))
        if variant < 0:
            return term
        outlook["variant"][suit] = np.int64(2) if suit == 3 and variant == NOTHING else variant
    terminal = holds[plan, 5] != 0 and not has_meld_terminal(rules, state, seat)
    if not terminal and holds[plan, 4] == 0:
        return take_term(tables, outlook, n_sets, np.int64(-1), term, best)
    for suit in range(3):
        plain = outlook["variant"][suit]
        if plain != NOTHING:
            if not terminal:
                outlook["variant"][suit] = long_variant(plain, np.int64(melds[seat, suit]))
            term = take_term(tables, outlook, n_sets, np.int64(suit if terminal else -1), term, best)
            outlook["variant"][suit] = plain
    if terminal and rules["honours_are_terminals"] and outlook["variant"][3] != 2:
        outlook["variant"][3] = 1
        term = take_term(tables, outlook, n_sets, np.int64(-1), term, best)
    return term


@kernel
def take_plans(tables, rules, state, seat, outlook, n_sets, best):
    """One pass over all terms; the fewest tiles missing in any."""
    term = np.int64(0)
    for plan in range(rules["n_set_plans"]):
        term = take_plan(tables, rules, state, seat, np.int64(plan), outlook, n_sets, term, best)
    fewest = np.int64(FAR)
    for one in range(term):
        fewest = min(fewest, outlook["total"][one])
    return fewest


@kernel
def drawable_kinds(rules, state, seat):
    """Mask of the kinds of which the seat does not hold every copy itself."""
    mask = np.int64(0)
    for kind in range(34):
        if state["count"][seat, kind] < rules["copies"][kind]:
            mask |= np.int64(1) << kind
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
def survey(tables, rules, state, seat, outlook):
    """Notes tiles missing in sets and a pair, and in any form; and the columns that are tight together, if those are the nearest."""
    n_sets = 4 - state["meld_count"][seat]
    five = rules["five_copies"]
    for suit in range(4):
        key = state["suit_key"][seat, suit]
        outlook["class"][suit] = tables["honour_class"][five, key] if suit == 3 else tables["suit_class"][five, key]
        outlook["tight"][suit] = 0
        for column in range(20):
            outlook["gains"][suit, column] = UNKNOWN
            for other in range(4):
                outlook["together"][suit, column, other] = 0
    total = np.int64(FAR)
    if rules["form_four_sets"]:
        total = take_plans(tables, rules, state, seat, outlook, n_sets, np.int64(-1))
    best = other_missing(tables, rules, state, seat, total, np.int64(1))
    if total == best and total < FAR:
        take_plans(tables, rules, state, seat, outlook, n_sets, best)
    outlook["sets_missing"] = total
    outlook["missing"] = best
    outlook["drawable"] = drawable_kinds(rules, state, seat)
    outlook["natural"] = outlook["drawable"] & ~state["wild"]
    outlook["now"] = exchanges(state, seat, best)
    outlook["formal"] = outlook["now"]
    if crowded(rules, state, seat):
        outlook["now"] = distance(tables, rules, state, seat, outlook)


@kernel
def column_of(tables, rules, suit, key, column):
    """Tiles that a suit of this key misses in a column."""
    five = rules["five_copies"]
    if suit == 3:
        nothing = tables["pair"][NOTHING, NOTHING, 0, 0]
        return np.int64(tables["rest_vector"][tables["rest"][nothing, 0, tables["honour_class"][five, key]], column])
    suit_class = np.int64(tables["suit_class"][five, key])
    if column >= 10:
        return np.int64(tables["terminal_vector"][suit_class, column - 10])
    return np.int64(tables["suit_vector"][0, tables["shape"][suit_class], column])


@kernel
def gains_of(tables, rules, suit, key, column, outlook):
    """Mask of the drawable kinds of a suit by which the column misses a tile less than ``key`` does."""
    missing = column_of(tables, rules, suit, key, column)
    mask = np.int64(0)
    if missing == 0:
        return mask
    for rank in range(7 if suit == 3 else 9):
        kind = 9 * suit + rank
        if (outlook["natural"] >> kind) & 1 and column_of(tables, rules, suit, key + PLACES[kind], column) < missing:
            mask |= np.int64(1) << kind
    return mask


@kernel
def gains_of_columns(tables, rules, state, seat, suit, columns, outlook):
    """Mask of the kinds of a suit by which any of the columns in the mask misses a tile less; each worked out once."""
    mask = np.int64(0)
    column = np.int64(0)
    while columns >> column:
        if (columns >> column) & 1:
            if outlook["gains"][suit, column] == UNKNOWN:
                key = state["suit_key"][seat, suit]
                outlook["gains"][suit, column] = gains_of(tables, rules, suit, key, column, outlook)
            mask |= outlook["gains"][suit, column]
        column += 1
    return mask


@kernel
def sparing_columns(tables, rules, state, seat, kind, outlook):
    """Mask of the tight columns of a kind's suit that miss no more once a tile of it has gone."""
    suit = kind // 9
    key = state["suit_key"][seat, suit]
    tight = outlook["tight"][suit]
    spared = np.int64(0)
    column = np.int64(0)
    while tight >> column:
        if (tight >> column) & 1:
            now = column_of(tables, rules, suit, key, column)
            if column_of(tables, rules, suit, key - PLACES[kind], column) == now:
                spared |= np.int64(1) << column
        column += 1
    return spared


@kernel
def other_gains(tables, rules, state, seat, outlook):
    """Mask of the natural kinds by which a form beside sets and a pair comes to miss fewer tiles than the hand does."""
    mask = np.int64(0)
    for kind in range(34):
        if (outlook["natural"] >> kind) & 1:
            add_tile(state, seat, np.int64(kind))
            if other_missing(tables, rules, state, seat, outlook["missing"], np.int64(1)) < outlook["missing"]:
                mask |= np.int64(1) << kind
            remove_tile(state, seat, np.int64(kind))
    return mask


@kernel
def gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook):
    """Of the kinds in ``mask`` those that bring the hand nearer than ``now``. ``sure``: all of them do unless copies have run out."""
    for kind in range(34):
        if (mask >> kind) & 1:
            add_tile(state, seat, np.int64(kind))
            if not (sure and crowded(rules, state, seat) == 0):
                if distance(tables, rules, state, seat, outlook) >= now:
                    mask &= ~(np.int64(1) << kind)
            remove_tile(state, seat, np.int64(kind))
    return mask


@kernel
def useful_kinds(tables, rules, state, seat, outlook):
    """``(distance, mask)``: the drawable kinds that bring a hand of 3n + 1 concealed tiles nearer."""
    survey(tables, rules, state, seat, outlook)
    best = outlook["missing"]
    now = outlook["now"]
    if now >= FAR:
        return now, np.int64(0)
    sure = now == outlook["formal"]
    mask = outlook["drawable"] & state["wild"] if sure else outlook["drawable"]
    if sure and outlook["sets_missing"] == best:
        for suit in range(4):
            mask |= gains_of_columns(tables, rules, state, seat, np.int64(suit), outlook["tight"][suit], outlook)
    if sure and other_missing(tables, rules, state, seat, best + 1, np.int64(1)) == best:
        mask |= other_gains(tables, rules, state, seat, outlook)
    return now, gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook)


@kernel
def useful_after(tables, rules, state, seat, kind, now, outlook):
    """Mask of the kinds that bring the hand nearer once a natural tile has gone, a discard that leaves the fewest missing: ``now``."""
    if now >= FAR:
        return np.int64(0)
    suit = kind // 9
    best = outlook["missing"]
    sure = now == outlook["formal"]
    mask = outlook["drawable"] & state["wild"] if sure else outlook["drawable"] | (np.int64(1) << kind)
    spared = np.int64(0)
    if sure and outlook["sets_missing"] == best:
        spared = sparing_columns(tables, rules, state, seat, kind, outlook)
    remove_tile(state, seat, kind)
    beside = outlook["beside"]
    for other in range(4):
        beside[other] = 0
    column = np.int64(0)
    while spared >> column:
        if (spared >> column) & 1:
            mask |= gains_of(tables, rules, suit, state["suit_key"][seat, suit], column, outlook)
            for other in range(4):
                beside[other] |= outlook["together"][suit, column, other]
        column += 1
    for other in range(4):
        if other != suit:
            mask |= gains_of_columns(tables, rules, state, seat, np.int64(other), beside[other], outlook)
    if sure and other_missing(tables, rules, state, seat, best + 1, np.int64(1)) == best:
        mask |= other_gains(tables, rules, state, seat, outlook)
    mask = gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook)
    add_tile(state, seat, kind)
    return mask


@kernel
def rate_one_by_one(tables, rules, state, seat, outlook):
    """The slow way: for a hand that is complete and may not win, which any discard leaves farther, and where copies have run out."""
    best = np.int64(FAR)
    for kind in range(34):
        if state["count"][seat, kind] > 0 and (state["wild"] >> kind) & 1 == 0:
            remove_tile(state, seat, np.int64(kind))
            outlook["total"][kind] = distance(tables, rules, state, seat, outlook)
            add_tile(state, seat, np.int64(kind))
            best = min(best, outlook["total"][kind])
    for kind in range(34):
        natural = state["count"][seat, kind] > 0 and (state["wild"] >> kind) & 1 == 0
        outlook["keeps"][kind] = np.int64(natural and outlook["total"][kind] == best)
    return best


@kernel
def keeps_near(tables, rules, state, seat, kind, others, outlook):
    """Whether a discard leaves the fewest tiles missing, formally. ``others``: a form beside sets and a pair is as near as any."""
    best = outlook["missing"]
    if best >= FAR:
        return True  # as after a third suit is melded where one must be lacking: nothing is farther
    if outlook["sets_missing"] == best and sparing_columns(tables, rules, state, seat, kind, outlook) != 0:
        return True
    if not others:
        return False
    remove_tile(state, seat, kind)
    missing = other_missing(tables, rules, state, seat, best + 1, np.int64(1))
    add_tile(state, seat, kind)
    return missing == best


@kernel
def rate_discards(tables, rules, state, seat, outlook):
    """Marks the discards that leave the fewest tiles missing in ``outlook["keeps"]``; the distance they leave. 3n + 2 concealed tiles.

    A hand that misses a tile holds one that it does not need, so the fewest is what it misses now.
    """
    survey(tables, rules, state, seat, outlook)
    now = outlook["now"]
    best = outlook["missing"]
    if now < 0 or now != outlook["formal"]:
        return rate_one_by_one(tables, rules, state, seat, outlook)
    others = other_missing(tables, rules, state, seat, best + 1, np.int64(1)) == best
    for kind in range(34):
        outlook["keeps"][kind] = 0
        if state["count"][seat, kind] == 0 or (state["wild"] >> kind) & 1:
            continue
        if keeps_near(tables, rules, state, seat, np.int64(kind), others, outlook):
            remove_tile(state, seat, np.int64(kind))
            suits = crowded(rules, state, seat)
            sure = suits == 0 or distance(tables, rules, state, seat, outlook) == now
            add_tile(state, seat, np.int64(kind))
            outlook["keeps"][kind] = np.int64(sure)
    return now
