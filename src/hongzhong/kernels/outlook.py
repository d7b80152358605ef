"""Which discards keep a hand as near as it is, and which kinds then bring it nearer, all of them at once.

A discard keeps the hand as near if its suit, in some tight split (splits.py), can spare it; a kind brings it nearer if its suit, in
some tight split, gains by it. ``outlook`` (layout.OUTLOOK) is scratch and result.
"""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.distance import (
    ORPHANS,
    first_pairs,
    orphans_missing,
    other_missing,
    pairs_missing,
    pungs_count,
    pungs_missing,
    twos_and_ones,
)
from hongzhong.kernels.hand import PLACES, add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.limits import crowded, distance
from hongzhong.kernels.splits import ALL_KINDS, N_PARTS, TERMINAL, class_of, fewer, lanes_of, survey
from hongzhong.kernels.tables import FAR
from hongzhong.layout import MAX_SPLITS


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
    columns &= fewer(lanes_of(tables, suit, outlook["class"][suit]), np.int64(0))
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
def gains_without(tables, rules, state, seat, kind, among, outlook):
    """Mask of the kinds of its suit, ``among`` these, that the columns which can spare a tile of ``kind`` gain by once it has gone."""
    five = rules["five_copies"]
    suit = kind // 9
    key = state["suit_key"][seat, suit] - PLACES[kind]
    plain = lanes_of(tables, suit, outlook["class"][suit])
    spared = outlook["spared"][0, kind] & fewer(plain, np.int64(0))
    marked = outlook["spared"][1, kind]
    mask = np.int64(0)
    if spared | marked == 0 or (among >> (9 * suit)) & 511 == 0:
        return mask
    for other in range(9 * suit, min(9 * suit + 9, 34)):
        there = (among >> other) & 1
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
def pung_gains(rules, state, seat, best, among):
    """Mask of the kinds ``among`` these by which all pungs come to miss fewer than ``best``: whether one does is up to how many are held."""
    found = np.int64(0)  # by copies held: known to gain, eight bits on: known
    mask = np.int64(0)
    for kind in range(34):
        if (among >> kind) & 1:
            count = np.int64(state["count"][seat, kind])
            if (found >> (8 + count)) & 1 == 0:
                state["count"][seat, kind] += 1
                found |= np.int64(256 + (pungs_missing(rules, state, seat, np.int64(1)) < best)) << count
                state["count"][seat, kind] -= 1
            mask |= ((found >> count) & 1) << kind
    return mask


@kernel
def pair_gains(tables, rules, state, seat, best, among):
    """The same for seven pairs: it is up to the suit, whether a tile becomes a pair, and whether it is a terminal or 2, 5 or 8."""
    packed = twos_and_ones(tables, state, seat)
    found = np.int64(0)  # two bits each: known, known to gain
    mask = np.int64(0)
    for kind in range(34):
        if (among >> kind) & 1 == 0:
            continue
        odd = np.int64(state["count"][seat, kind]) & 1
        least = first_pairs((packed >> 4) + odd, (packed & 15) + 1 - 2 * odd, np.int64(7))
        if least >= best:
            continue
        rank = kind % 9
        sort = 6 * (kind // 9) + 3 * odd + (1 if rank == 0 or rank == 8 else (2 if rank % 3 == 1 else 0))
        if (found >> (2 * sort)) & 1 == 0:
            add_tile(state, seat, np.int64(kind))
            gains = pairs_missing(tables, rules, state, seat, least) < best
            remove_tile(state, seat, np.int64(kind))
            found |= np.int64(3 if gains else 1) << (2 * sort)
        mask |= ((found >> (2 * sort + 1)) & 1) << kind
    return mask


@kernel
def orphan_gains(rules, state, seat, best, among):
    """The same for thirteen orphans."""
    mask = np.int64(0)
    for place in range(13):
        kind = ORPHANS[place]
        if (among >> kind) & 1:
            state["count"][seat, kind] += 1
            mask |= np.int64(orphans_missing(rules, state, seat) < best) << kind
            state["count"][seat, kind] -= 1
    return mask


@kernel
def other_gains(tables, rules, state, seat, among, outlook):
    """Mask of the kinds ``among`` these by which a form beside sets and a pair comes to miss fewer tiles than the hand does."""
    best = outlook["missing"]
    mask = np.int64(0)
    if pungs_count(rules, state, seat) and pungs_missing(rules, state, seat, np.int64(1)) == best:
        mask |= pung_gains(rules, state, seat, best, among)
    if state["meld_count"][seat] == 0:
        if rules["form_seven_pairs"] and pairs_missing(tables, rules, state, seat, best - 1) == best:
            mask |= pair_gains(tables, rules, state, seat, best, among)
        if rules["form_thirteen_orphans"] and rules["orphans_allowed"]:
            if orphans_missing(rules, state, seat) == best:
                mask |= orphan_gains(rules, state, seat, best, among)
    return mask


@kernel
def gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook):
    """Of the kinds in ``mask`` those that bring the hand nearer than ``now``. ``sure``: all of them do unless copies have run out."""
    doubtful = mask & outlook["watched"] if sure else mask
    if doubtful == 0:
        return mask
    for kind in range(34):
        if (doubtful >> kind) & 1:
            add_tile(state, seat, np.int64(kind))
            if not (sure and crowded(rules, state, seat) == 0):
                if distance(tables, rules, state, seat, outlook) >= now:
                    mask &= ~(np.int64(1) << kind)
            remove_tile(state, seat, np.int64(kind))
    return mask


@kernel
def all_gains(tables, rules, state, seat, outlook):
    """Mask of the kinds by which the hand surveyed misses a tile less, if no copies have run out."""
    mask = outlook["drawable"] & state["wild"]
    if outlook["sets_missing"] == outlook["missing"]:
        for suit in range(4):
            marked = outlook["tight"][suit + TERMINAL] if suit < 3 else np.int64(0)
            mask |= gains_of(tables, rules, state, seat, np.int64(suit), outlook["tight"][suit], marked, outlook)
    if outlook["others"]:
        mask |= other_gains(tables, rules, state, seat, outlook["natural"], outlook)
    return mask


@kernel
def is_sure(outlook):
    """Whether all that is read off the tight splits holds."""
    return outlook["now"] == outlook["formal"] and outlook["n_splits"] <= MAX_SPLITS


@unit
def useful_kinds(tables, rules, state, seat, outlook):
    """``(distance, mask)``: the drawable kinds that bring a hand of 3n + 1 concealed tiles nearer."""
    survey(tables, rules, state, seat, outlook)
    now = outlook["now"]
    if now >= FAR:
        return now, np.int64(0)
    sure = is_sure(outlook)
    mask = all_gains(tables, rules, state, seat, outlook) if sure else outlook["drawable"]
    return now, gains_one_by_one(tables, rules, state, seat, mask, now, sure, outlook)


@kernel
def spares_all(outlook, kind):
    """Whether every tight split can spare a tile of ``kind``, so that the other suits gain by what they did; no other form counts."""
    suit = kind // 9
    alive = outlook["spared"][0, kind] == outlook["tight"][suit]
    if suit < 3:
        alive = alive and outlook["spared"][1, kind] == outlook["tight"][suit + TERMINAL]
    return alive and outlook["others"] == 0


@kernel
def gains_beside(tables, rules, state, seat, kind, outlook):
    """Mask of the kinds of the other suits that gain in a tight split which can spare a tile of ``kind``."""
    suit = kind // 9
    for part in range(N_PARTS):
        outlook["beside"][part] = 0
    spared = outlook["spared"][0, kind]
    marked = outlook["spared"][1, kind]
    for place in range(outlook["n_splits"]):
        spares = outlook["split"][place, suit] & spared
        if suit < 3:
            spares |= outlook["split"][place, suit + TERMINAL] & marked
        if spares:
            for part in range(N_PARTS):
                outlook["beside"][part] |= outlook["split"][place, part]
    mask = np.int64(0)
    for other in range(4):
        if other != suit:
            terminal = outlook["beside"][other + TERMINAL] if other < 3 else np.int64(0)
            mask |= gains_of(tables, rules, state, seat, np.int64(other), outlook["beside"][other], terminal, outlook)
    return mask


@unit
def useful_after(tables, rules, state, seat, kind, now, gains, outlook):
    """Mask of the kinds that bring the hand nearer once a natural tile has gone, a discard that ``rate_discards`` marked, which leaves ``now``.

    ``gains``: what ``all_gains`` gives.
    """
    if now >= FAR:
        return np.int64(0)
    best = outlook["missing"]
    sure = now == outlook["now"] and is_sure(outlook)
    mask = outlook["drawable"] & state["wild"] if sure else outlook["drawable"] | (np.int64(1) << kind)
    if sure and outlook["sets_missing"] == best and (outlook["spared"][0, kind] | outlook["spared"][1, kind]):
        mask |= gains_without(tables, rules, state, seat, kind, gains & outlook["natural"], outlook)
        if spares_all(outlook, kind):
            mask |= gains & ~(np.int64(511) << (kind - kind % 9))
        else:
            mask |= gains_beside(tables, rules, state, seat, kind, outlook)
    remove_tile(state, seat, kind)
    if sure and outlook["others"]:
        mask |= other_gains(tables, rules, state, seat, gains & outlook["natural"], outlook)
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
def keeps_near(tables, rules, state, seat, kind, outlook):
    """Whether a discard leaves the fewest tiles missing, formally."""
    best = outlook["missing"]
    if best >= FAR:
        return True  # as after a third suit is melded where one must be lacking: nothing is farther
    if outlook["sets_missing"] == best and find_spared(tables, rules, state, seat, kind, outlook):
        return True
    if not outlook["others"]:
        return False
    remove_tile(state, seat, kind)
    missing = other_missing(tables, rules, state, seat, best + 1, np.int64(1))
    add_tile(state, seat, kind)
    return missing == best


@unit
def rate_discards(tables, rules, state, seat, outlook):
    """Marks the discards that leave the fewest tiles missing in ``outlook["keeps"]``; the distance they leave. 3n + 2 concealed tiles.

    A hand that misses a tile holds one that it does not need, so the fewest is what it misses now.
    """
    survey(tables, rules, state, seat, outlook)
    now = outlook["now"]
    if now < 0 or not is_sure(outlook):
        return rate_one_by_one(tables, rules, state, seat, outlook)
    for kind in range(34):
        outlook["keeps"][kind] = 0
        if state["count"][seat, kind] == 0 or (state["wild"] >> kind) & 1:
            continue
        if keeps_near(tables, rules, state, seat, np.int64(kind), outlook):
            outlook["keeps"][kind] = 1
            if outlook["watched"] == ALL_KINDS:
                remove_tile(state, seat, np.int64(kind))
                outlook["keeps"][kind] = np.int64(distance(tables, rules, state, seat, outlook) == now)
                add_tile(state, seat, np.int64(kind))
    return now
