"""Which discards keep a hand as near as it is, and which kinds then bring it nearer, all of them at once.

A *term* is one way to win by four sets and a pair: what each suit may hold (plans.py), and which suit brings the eight tiles or the
terminal. A *split* says how many sets and pairs each suit brings: a *column* of its vector, ``2 * sets + pair``. A split is tight if it
misses no more tiles than the whole hand. A discard keeps the hand as near if its suit, in some tight split, can spare it; a kind
brings it nearer if its suit, in some tight split, gains by it.

Vectors are packed, ten lanes in one integer (tables.py), and a set of columns is a mask of guard bits, so that all columns are
compared at once. A *part* is a suit (0-2), the honours (3), or a suit that brings the terminal (4-6). ``outlook`` (layout.OUTLOOK)
is scratch and result.
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
    other_missing_of,
    twos_and_ones,
    variant_of,
)
from hongzhong.kernels.hand import PLACES, add_tile, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.limits import copies_in, crowded, distance
from hongzhong.kernels.tables import FAR, GUARDS, LANE, LANE_MOST, NOTHING, ONES
from hongzhong.layout import MAX_SPLITS
from hongzhong.tiles import CHOW

N_PARTS: Final = 7
TERMINAL: Final = 4
"""What is added to a suit for its part that brings the terminal."""
VALUES: Final = LANE_MOST * ONES
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
    [
        sum(1 << (LANE * lane + LANE - 1) for lane in range(left + 1) if lane % 2 <= left % 2)
        for left in range(10)
    ],
    np.int64,
)
"""By column: the columns that can be a part of it."""
LANE_OF: Final = np.array([next((lane for lane in range(10) if (1 << (LANE * lane + LANE - 1)) % 67 == n), 0) for n in range(67)], np.int64)
"""The lane of a guard bit, by the bit modulo 67."""


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
    if part > 3:
        return tables["terminal_lanes"][suit_class]
    nothing = tables["pair"][NOTHING, NOTHING, 0, 0]
    backwards = tables["rest_lanes"][tables["rest"][nothing, 0, suit_class]]
    lanes = np.int64(0)
    for lane in range(10):
        lanes = (lanes << LANE) | ((backwards >> (LANE * lane)) & LANE_MOST)
    return lanes


@kernel
def term_lanes(tables, outlook, suit):
    """The packed vector of a suit in its variant."""
    variant = outlook["variant"][suit]
    lanes = tables["suit_lanes"][outlook["class"][suit]]
    return (lanes | LEAST[variant]) & ~np.int64(LANE_MOST) if variant == NOTHING else lanes | LEAST[variant]


@kernel
def add_split(outlook, first, bit_first, second, bit_second, third, bit_third, bit_honours):
    """Notes a tight split: a column of each part, as guard bits."""
    place = outlook["n_splits"]
    outlook["n_splits"] = place + 1
    if place >= MAX_SPLITS:
        return
    split = outlook["split"][place]
    for part in range(N_PARTS):
        split[part] = 0
    split[first] = bit_first
    split[second] = bit_second
    split[third] = bit_third
    split[3] = bit_honours
    for part in range(N_PARTS):
        outlook["tight"][part] |= split[part]


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
        bit = columns & -columns
        columns ^= bit
        lane = LANE_OF[bit % 67]
        remaining = missing - ((b >> (LANE * lane)) & LANE_MOST)
        last = left - lane
        ends = equal(c + (honours >> (LANE * (9 - last))), remaining) & BESIDE[last]
        while ends:
            end = ends & -ends
            ends ^= end
            lane = last - LANE_OF[end % 67]
            add_split(outlook, first, bit_first, second, bit, third, end, np.int64(1) << (LANE * lane + LANE - 1))


@kernel
def keep_term(tables, outlook, n_sets, special, missing):
    """Notes the tight splits of the term at work, which misses ``missing`` tiles."""
    suit = max(np.int64(0), special)
    a = tables["terminal_lanes"][outlook["class"][suit]] if special >= 0 else term_lanes(tables, outlook, suit)
    rest = tables["rest_lanes"][rest_beside(tables, outlook, suit, suit)] >> (LANE * (8 - 2 * n_sets))
    whole = 2 * n_sets + 1
    columns = equal(a + rest, missing) & BESIDE[whole]
    while columns:
        bit = columns & -columns
        columns ^= bit
        lane = LANE_OF[bit % 67]
        part = suit + TERMINAL if special >= 0 else suit
        split_rest(tables, outlook, part, bit, whole - lane, missing - ((a >> (LANE * lane)) & LANE_MOST))


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
    outlook["formal"] = exchanges(state, seat, best)
    outlook["now"] = outlook["formal"]
    if crowded(rules, state, seat):
        outlook["now"] = distance(tables, rules, state, seat, outlook)


@kernel
def find_gains(tables, rules, state, seat, suit, outlook):
    """For each kind of a suit the columns, plain and with the terminal, that miss a tile less with one more of it."""
    five = rules["five_copies"]
    key = state["suit_key"][seat, suit]
    plain = lanes_of(tables, suit, outlook["class"][suit])
    terminal = suit < 3 and outlook["tight"][suit + TERMINAL] != 0
    marked = lanes_of(tables, suit + TERMINAL, outlook["class"][suit]) if terminal else np.int64(0)
    for kind in range(9 * suit, min(9 * suit + 9, 34)):
        there = (outlook["natural"] >> kind) & 1
        suit_class = class_of(tables, five, suit, key + PLACES[kind] * there)
        outlook["gains"][0, kind] = fewer(plain, lanes_of(tables, suit, suit_class))
        if terminal:
            outlook["gains"][1, kind] = fewer(marked, lanes_of(tables, suit + TERMINAL, suit_class))
    outlook["known"][suit] = 1


@kernel
def gains_of(tables, rules, state, seat, suit, columns, marked, outlook):
    """Mask of the kinds of a suit by which any of its ``columns`` (``marked``: those with the terminal) misses a tile less."""
    mask = np.int64(0)
    if columns | marked == 0:
        return mask
    if outlook["known"][suit] == 0:
        find_gains(tables, rules, state, seat, suit, outlook)
    for kind in range(9 * suit, min(9 * suit + 9, 34)):
        gained = outlook["gains"][0, kind] & columns
        if marked:
            gained |= outlook["gains"][1, kind] & marked
        mask |= np.int64(gained != 0) << kind
    return mask


@kernel
def gains_without(tables, rules, state, seat, kind, outlook):
    """Mask of the kinds of its suit that the columns which can spare a tile of ``kind`` gain by once it has gone."""
    five = rules["five_copies"]
    suit = kind // 9
    key = state["suit_key"][seat, suit] - PLACES[kind]
    plain = lanes_of(tables, suit, outlook["class"][suit])
    spared = outlook["spared"][0, kind]
    marked = outlook["spared"][1, kind]
    mask = np.int64(0)
    for other in range(9 * suit, min(9 * suit + 9, 34)):
        there = (outlook["natural"] >> other) & 1
        suit_class = class_of(tables, five, suit, key + PLACES[other] * there)
        gained = fewer(plain, lanes_of(tables, suit, suit_class)) & spared
        if marked:
            old = lanes_of(tables, suit + TERMINAL, outlook["class"][suit])
            gained |= fewer(old, lanes_of(tables, suit + TERMINAL, suit_class)) & marked
        mask |= np.int64(gained != 0) << other
    return mask


@kernel
def find_spared(tables, rules, state, seat, kind, outlook):
    """Notes the tight columns of a kind's suit that miss no more once a tile of it has gone; whether there are any."""
    suit = kind // 9
    suit_class = class_of(tables, rules["five_copies"], suit, state["suit_key"][seat, suit] - PLACES[kind])
    now = lanes_of(tables, suit, outlook["class"][suit])
    spared = outlook["tight"][suit] & ~fewer(lanes_of(tables, suit, suit_class), now)
    marked = np.int64(0)
    if suit < 3 and outlook["tight"][suit + TERMINAL] != 0:
        part = suit + TERMINAL
        now = lanes_of(tables, part, outlook["class"][suit])
        marked = outlook["tight"][part] & ~fewer(lanes_of(tables, part, suit_class), now)
    outlook["spared"][0, kind] = spared
    outlook["spared"][1, kind] = marked
    return spared | marked != 0


@kernel
def other_gains(tables, rules, state, seat, outlook):
    """Mask of the natural kinds by which a form beside sets and a pair comes to miss fewer tiles than the hand does."""
    packed = twos_and_ones(tables, state, seat)
    best = outlook["missing"]
    mask = np.int64(0)
    for kind in range(34):
        if (outlook["natural"] >> kind) & 1:
            odd = np.int64(state["count"][seat, kind]) & 1
            state["count"][seat, kind] += 1
            state["suit_key"][seat, kind // 9] += PLACES[kind]
            pairs = (packed >> 4) + odd
            singles = (packed & 15) + 1 - 2 * odd
            if other_missing_of(tables, rules, state, seat, pairs, singles, best, np.int64(1)) < best:
                mask |= np.int64(1) << kind
            state["count"][seat, kind] -= 1
            state["suit_key"][seat, kind // 9] -= PLACES[kind]
    return mask


@kernel
def gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook):
    """Of the kinds in ``mask`` those that bring the hand nearer than ``now``. ``sure``: all of them do unless copies have run out."""
    if sure and (rules["five_copies"] or state["meld_count"][seat] == 0):
        return mask
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
    sure = now == outlook["formal"] and outlook["n_splits"] <= MAX_SPLITS
    mask = outlook["drawable"] & state["wild"] if sure else outlook["drawable"]
    if sure and outlook["sets_missing"] == best:
        for suit in range(4):
            marked = outlook["tight"][suit + TERMINAL] if suit < 3 else np.int64(0)
            mask |= gains_of(tables, rules, state, seat, np.int64(suit), outlook["tight"][suit], marked, outlook)
    if sure and other_missing(tables, rules, state, seat, best + 1, np.int64(1)) == best:
        mask |= other_gains(tables, rules, state, seat, outlook)
    return now, gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook)


@kernel
def gains_beside(tables, rules, state, seat, kind, outlook):
    """Mask of the kinds of the other suits that gain in a tight split which can spare a tile of ``kind``."""
    suit = kind // 9
    beside = outlook["beside"]
    for part in range(N_PARTS):
        beside[part] = 0
    spared = outlook["spared"][0, kind]
    marked = outlook["spared"][1, kind]
    for place in range(outlook["n_splits"]):
        split = outlook["split"][place]
        spares = split[suit] & spared
        if suit < 3:
            spares |= split[suit + TERMINAL] & marked
        if spares:
            for part in range(N_PARTS):
                beside[part] |= split[part]
    mask = np.int64(0)
    for other in range(4):
        if other != suit:
            terminal = beside[other + TERMINAL] if other < 3 else np.int64(0)
            mask |= gains_of(tables, rules, state, seat, np.int64(other), beside[other], terminal, outlook)
    return mask


@kernel
def useful_after(tables, rules, state, seat, kind, now, outlook):
    """Mask of the kinds that bring the hand nearer once a natural tile has gone, a discard that leaves the fewest missing: ``now``."""
    if now >= FAR:
        return np.int64(0)
    best = outlook["missing"]
    sure = now == outlook["formal"] and outlook["n_splits"] <= MAX_SPLITS
    mask = outlook["drawable"] & state["wild"] if sure else outlook["drawable"] | (np.int64(1) << kind)
    if sure and outlook["sets_missing"] == best and find_spared(tables, rules, state, seat, kind, outlook):
        mask |= gains_without(tables, rules, state, seat, kind, outlook)
        mask |= gains_beside(tables, rules, state, seat, kind, outlook)
    remove_tile(state, seat, kind)
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
    if outlook["sets_missing"] == best and find_spared(tables, rules, state, seat, kind, outlook):
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
    if now < 0 or now != outlook["formal"] or outlook["n_splits"] > MAX_SPLITS:
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
