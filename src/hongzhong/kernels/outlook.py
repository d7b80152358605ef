"""Which discards keep a hand as near as it is, and which kinds then bring it nearer, all of them at once.

A discard keeps the hand as near if its suit, in some tight split (splits.py), can spare it; a kind brings it nearer if its suit, in
some tight split, gains by it. ``outlook`` (layout.OUTLOOK) is scratch and result.
"""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.bits import lowest, over
from hongzhong.kernels.forms import NONE_GONE, form_gains, forms_without, note_kept, pair_case
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
def all_gains(tables, rules, state, seat, outlook):
    """Mask of the kinds by which the hand surveyed misses a tile less, if no copies have run out."""
    mask = outlook["drawable"] & state["wild"]
    if outlook["sets_missing"] == outlook["missing"]:
        for suit in range(4):
            marked = outlook["tight"][suit + TERMINAL] if suit < 3 else np.int64(0)
            mask |= gains_of(tables, rules, state, seat, np.int64(suit), outlook["tight"][suit], marked, outlook)
    if outlook["forms"]:
        forms, best, among = outlook["forms"], outlook["missing"], outlook["natural"]
        mask |= form_gains(tables, rules, state, seat, forms, best, among, np.int64(NONE_GONE), outlook)
    return mask


@kernel
def gains_without(tables, rules, state, seat, kind, among, outlook):
    """Mask of the kinds of its suit, ``among`` these, that the columns which can spare a tile of ``kind`` gain by once it has gone."""
    suit = kind // 9
    among &= np.int64(511) << (9 * suit)
    mask = np.int64(0)
    if among == 0:
        return mask
    five = rules["five_copies"]
    key = state["suit_key"][seat, suit] - PLACES[kind]
    plain = lanes_of(tables, suit, outlook["class"][suit])
    spared = outlook["spared"][0, kind] & fewer(plain, np.int64(0))
    marked = outlook["spared"][1, kind]
    old = lanes_of(tables, suit + TERMINAL, outlook["class"][suit]) if marked else np.int64(0)
    while among:
        other = lowest(among)
        among &= among - 1
        suit_class = class_of(tables, five, suit, key + PLACES[other])
        gained = fewer(plain, lanes_of(tables, suit, suit_class)) & spared
        if marked:
            gained |= fewer(old, lanes_of(tables, suit + TERMINAL, suit_class)) & marked
        mask |= np.int64(gained != 0) << other
    return mask


@kernel
def note_spared(tables, rules, state, seat, held, outlook):
    """Notes for the natural kinds ``held`` the tight columns of their suits that miss no more once a tile has gone. The mask of the kinds
    of which there are any."""
    mask = np.int64(0)
    for suit in range(4):
        old = outlook["class"][suit]
        key = state["suit_key"][seat, suit]
        tight = outlook["tight"][suit]
        marked = outlook["tight"][suit + TERMINAL] if suit < 3 else np.int64(0)
        plain = lanes_of(tables, suit, old)
        ended = tables["terminal_lanes"][old] if marked else np.int64(0)
        kinds = held & (np.int64(511) << (9 * suit))
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            suit_class = class_of(tables, rules["five_copies"], np.int64(suit), key - PLACES[kind])
            spared = tight & ~fewer(lanes_of(tables, suit, suit_class), plain)
            other = marked & ~fewer(tables["terminal_lanes"][suit_class], ended) if marked else np.int64(0)
            outlook["spared"][0, kind] = spared
            outlook["spared"][1, kind] = other
            mask |= np.int64(spared | other != 0) << kind
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
    return alive and outlook["forms"] == 0


@kernel
def turn_gains(tables, rules, state, seat, outlook):
    """Notes for each tight column the kinds that it gains by."""
    for part in range(N_PARTS):
        suit = part % TERMINAL
        left = outlook["tight"][part]
        if left and outlook["known"][suit] == 0:
            find_gains(tables, rules, state, seat, np.int64(suit), outlook)
        while left:
            bit = lowest(left)
            left &= left - 1
            mask = np.int64(0)
            for kind in range(9 * suit, min(9 * suit + 9, 34)):
                mask |= ((outlook["gains"][part // TERMINAL, kind] >> bit) & 1) << kind
            outlook["gaining"][64 * part + bit] = mask
    outlook["turned"] = 1


@kernel
def gains_beside(outlook, kind):
    """Mask of the kinds of the other suits that gain in a tight split which can spare a tile of ``kind``."""
    suit = kind // 9
    mask = np.int64(0)
    for place in range(outlook["n_splits"]):
        column = outlook["split"][place, suit]
        if (outlook["spared"][np.int64(column >= 64 * TERMINAL), kind] >> (column & 63)) & 1:
            for other in range(4):
                mask |= outlook["gaining"][outlook["split"][place, other]]
    return mask & ~(np.int64(511) << (9 * suit))


@kernel
def watch_only(rules, state, seat, among, outlook):
    """Of the kinds watched only those stay, ``among`` these, with which copies in melds may matter: without them they do not once a
    tile more has gone either (limits.py ``crowded``)."""
    if outlook["watched"] in (0, ALL_KINDS):
        return
    left = outlook["watched"] & among & outlook["natural"]
    outlook["watched"] = 0
    while left:
        kind = lowest(left)
        left &= left - 1
        add_tile(state, seat, kind)
        if crowded(rules, state, seat):
            outlook["watched"] |= np.int64(1) << kind
        remove_tile(state, seat, kind)


@kernel
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
            if outlook["turned"] == 0:
                turn_gains(tables, rules, state, seat, outlook)
            mask |= gains_beside(outlook, kind)
    forms = forms_without(outlook, kind) if sure else np.int64(0)
    if forms == 0 and sure and mask & outlook["watched"] == 0:
        return mask
    gone = pair_case(rules, state, seat, kind) if forms else np.int64(NONE_GONE)
    remove_tile(state, seat, kind)
    if forms:
        among = gains & outlook["natural"] & ~(np.int64(1) << kind)  # itself would only come back
        mask |= form_gains(tables, rules, state, seat, forms, best, among, gone, outlook)
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
def near_discards(tables, rules, state, seat, held, outlook):
    """Mask of the kinds ``held`` that may go and leave the fewest tiles missing, formally."""
    best = outlook["missing"]
    if best >= FAR:
        return held  # as after a third suit is melded where one must be lacking: nothing is farther
    mask = np.int64(0)
    if outlook["sets_missing"] == best:
        mask = note_spared(tables, rules, state, seat, held, outlook)
    return mask | note_kept(tables, rules, state, seat, best, held, outlook)


@unit
def rate_discards(tables, rules, state, seat, outlook):
    """Marks the discards that leave the fewest tiles missing in ``outlook["keeps"]``; the distance they leave. 3n + 2 concealed tiles.

    A hand that misses a tile holds one that it does not need, so the fewest is what it misses now.
    """
    survey(tables, rules, state, seat, outlook)
    now = outlook["now"]
    if now < 0 or not is_sure(outlook):
        return rate_one_by_one(tables, rules, state, seat, outlook)
    mask = near_discards(tables, rules, state, seat, over(state["count"][seat], np.int64(0)) & ~state["wild"], outlook)
    for kind in range(34):
        outlook["keeps"][kind] = (mask >> kind) & 1
    if outlook["watched"] == ALL_KINDS:
        while mask:
            kind = lowest(mask)
            mask &= mask - 1
            remove_tile(state, seat, kind)
            outlook["keeps"][kind] = np.int64(distance(tables, rules, state, seat, outlook) == now)
            add_tile(state, seat, kind)
    return now
