"""The distance where copies run out: a tile in an own meld cannot be drawn again.

The hand tables (tables.py) know that a kind has four copies, not which of them lie in melds. Where a meld could matter
(``crowded``), the suits are worked out here one by one: for each number of sets and pairs the most held tiles that they use, a
lane of a packed integer each, rank after rank.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.distance import (
    exchanges,
    formal_distance,
    has_meld_terminal,
    long_variant,
    other_missing,
    sets_missing,
    variant_of,
)
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.tables import ANY, EIGHT, FAR, FIVE, GUARDS, LANE, NOTHING, ONES, TWO
from hongzhong.rules.vocabulary import CONDITIONS
from hongzhong.tiles import CHOW, PUNG

UNPAIRED: Final = sum(31 << (LANE * 2 * sets) for sets in range(5))
TERMINAL: Final = 5
"""The variant of a suit that brings the terminal or the pair of 2, 5 or 8 (N2); the others are those of the hand tables."""
TERMINAL_CONDITION: Final = CONDITIONS.index("terminal_or_258")


@kernel
def lane_max(first, second):
    """The greater of both in each lane."""
    won = ((first | GUARDS) - second) & GUARDS
    chosen = won - (won >> (LANE - 1))
    return (first & chosen) | (second & ~chosen)


@kernel
def use_tiles(lanes, used):
    """So many held tiles more in every lane that can be."""
    alive = ((lanes + 31 * ONES) & GUARDS) >> (LANE - 1)
    return lanes + used * alive


@kernel
def grow_rank(outlook, old, new, rank, runs, count, room, n_sets, terminal):
    """One rank more: from the lanes by runs begun one and two ranks ago at ``old`` to those at ``new``; the second nine are those with
    a terminal or pair of 2, 5 or 8, if ``terminal`` asks for them (N2)."""
    kept = (np.int64(1) << (2 * LANE * (n_sets + 1))) - 1
    for place in range(18):
        outlook["lanes"][new + place] = 0
    ends = runs and (rank == 0 or rank == 8)
    for before in range(3):
        for earlier in range(3):
            plain = outlook["lanes"][old + 3 * before + earlier]
            if plain == 0:
                continue
            marked = outlook["lanes"][old + 9 + 3 * before + earlier]
            for begun in range(min(3 if runs and rank < 7 else 1, n_sets + 1 - before - earlier)):
                need = before + earlier + begun
                if need > room:
                    break
                place = new + 3 * begun + before
                for more in range(3 if need + 3 <= room else (2 if need + 2 <= room else 1)):
                    used = min(count, need + more + np.int64(more > 0))  # nothing, a pair, a triplet
                    shift = 2 * LANE * (begun + np.int64(more == 2))
                    fit = np.int64(UNPAIRED) if more == 1 else np.int64(-1)
                    a = (use_tiles(plain & fit, used) << (shift + LANE * np.int64(more == 1))) & kept
                    outlook["lanes"][place] = lane_max(outlook["lanes"][place], a)
                    if terminal:
                        b = (use_tiles(marked & fit, used) << (shift + LANE * np.int64(more == 1))) & kept
                        if (ends and need + more > 0) or (runs and more == 1 and rank % 3 == 1):
                            b = lane_max(a, b)
                        outlook["lanes"][place + 9] = lane_max(outlook["lanes"][place + 9], b)


@kernel
def copies_in(state, seat, place, kind):
    """Copies of ``kind`` in one of the seat's melds."""
    form = state["meld_form"][seat, place]
    low = np.int64(state["meld_kind"][seat, place])
    if form == CHOW:
        return np.int64(low <= kind and kind < low + 3)
    return np.int64(0) if kind != low else np.int64(3 if form == PUNG else 4)


@kernel
def table_suit(tables, rules, state, seat, suit, outlook):
    """The suit's vectors (plain, then with a terminal or pair of 2, 5 or 8) into ``outlook["vector"]``, as if no copies had gone."""
    five = rules["five_copies"]
    key = state["suit_key"][seat, suit]
    if suit == 3:
        nothing = tables["pair"][NOTHING, NOTHING, 0, 0]
        honours = tables["rest"][nothing, 0, tables["honour_class"][five, key]]
        for entry in range(10):
            outlook["vector"][suit, entry] = tables["rest_vector"][honours, entry]
            outlook["vector"][suit, 10 + entry] = FAR
        return
    suit_class = np.int64(tables["suit_class"][five, key])
    shape = np.int64(tables["shape"][suit_class])
    for entry in range(10):
        outlook["vector"][suit, entry] = tables["suit_vector"][ANY, shape, entry]
        outlook["vector"][suit, 10 + entry] = tables["terminal_vector"][suit_class, entry]


@kernel
def limit_suit(rules, state, seat, suit, outlook, n_sets):
    """The same by the copies that melds have left, for up to ``n_sets`` sets; whether that is another vector."""
    terminal = suit < 3 and rules["condition_on"][TERMINAL_CONDITION] != 0
    for place in range(18):
        outlook["lanes"][place] = 0
    outlook["lanes"][0] = 1
    old = np.int64(0)
    for rank in range(7 if suit == 3 else 9):
        kind = 9 * suit + rank
        natural = (state["wild"] >> kind) & 1 == 0
        count = np.int64(state["count"][seat, kind]) if natural else np.int64(0)
        room = np.int64(4)
        for place in range(state["meld_count"][seat] if natural else 0):
            room -= copies_in(state, seat, np.int64(place), np.int64(kind))
        grow_rank(outlook, old, 18 - old, np.int64(rank), suit < 3, count, room, n_sets, terminal)
        old = 18 - old
    other = False
    for entry in range(2 * n_sets + 2):
        size = 3 * (entry // 2) + 2 * (entry % 2)
        for half in range(2 if terminal else 1):
            used = (outlook["lanes"][old + 9 * half] >> (LANE * entry)) & 31
            missing = size + 1 - used if used > 0 else np.int64(FAR)
            other = other or missing != outlook["vector"][suit, 10 * half + entry]
            outlook["vector"][suit, 10 * half + entry] = missing
    return other


@kernel
def limited_entry(outlook, suit, variant, entry):
    """One entry of the suit's vector in a variant (tables.py)."""
    if variant == NOTHING:
        return np.int64(0) if entry == 0 else np.int64(FAR)
    size = 3 * (entry // 2) + 2 * (entry % 2)
    if (variant == TWO and size < 2) or (variant == FIVE and size < 5) or (variant == EIGHT and size < 8):
        return np.int64(FAR)
    return outlook["vector"][suit, entry + (10 if variant == TERMINAL else 0)]


@kernel
def join_suits(outlook, first, second, to):
    """Two suits in the term at work, min-plus, to ``outlook["joined"][to]``."""
    for entry in range(10):
        outlook["joined"][to, entry] = FAR
    for one in range(10):
        a = limited_entry(outlook, first, outlook["variant"][first], np.int64(one))
        if a >= FAR:
            continue
        for two in range(10 - one):
            if one % 2 + two % 2 < 2:
                b = limited_entry(outlook, second, outlook["variant"][second], np.int64(two))
                outlook["joined"][to, one + two] = min(outlook["joined"][to, one + two], a + b)


@kernel
def limited_term(outlook, n_sets):
    """Tiles missing in the term that ``outlook["variant"]`` describes."""
    join_suits(outlook, np.int64(0), np.int64(1), 0)
    join_suits(outlook, np.int64(2), np.int64(3), 1)
    best = np.int64(FAR)
    for entry in range(2 * n_sets + 2):
        best = min(best, outlook["joined"][0, entry] + outlook["joined"][1, 2 * n_sets + 1 - entry])
    return best


@kernel
def limited_plan(rules, state, seat, plan, outlook, n_sets):
    """Tiles missing under one plan (distance.py ``plan_missing`` has the same cases)."""
    for suit in range(4):
        outlook["variant"][suit] = variant_of(
            rules["set_plans"][plan, suit], np.int64(state["meld_suit_tiles"][seat, suit])
        )
        if outlook["variant"][suit] < 0:
            return np.int64(FAR)
    terminal = rules["set_plans"][plan, 5] != 0 and not has_meld_terminal(rules, state, seat)
    if not terminal and rules["set_plans"][plan, 4] == 0:
        return limited_term(outlook, n_sets)
    best = np.int64(FAR)
    for suit in range(3):
        plain = outlook["variant"][suit]
        if plain != NOTHING:
            outlook["variant"][suit] = (
                TERMINAL if terminal else long_variant(plain, np.int64(state["meld_suit_tiles"][seat, suit]))
            )
            best = min(best, limited_term(outlook, n_sets))
            outlook["variant"][suit] = plain
    if terminal and rules["honours_are_terminals"] and outlook["variant"][3] != NOTHING:
        outlook["variant"][3] = TWO
        best = min(best, limited_term(outlook, n_sets))
    return best


@kernel
def beside(state, seat, kind):
    """Held tiles of the suit within two ranks of ``kind``, itself left out; 0 unless two of them make a run with it, or all four of
    a kind are among them, which can then be no other set."""
    if kind >= 27:
        return np.int64(0)
    rank = kind % 9
    below = np.int64(state["count"][seat, kind - 1]) if rank > 0 else np.int64(0)
    lower = np.int64(state["count"][seat, kind - 2]) if rank > 1 else np.int64(0)
    above = np.int64(state["count"][seat, kind + 1]) if rank < 8 else np.int64(0)
    higher = np.int64(state["count"][seat, kind + 2]) if rank < 7 else np.int64(0)
    if (below > 0 and (lower > 0 or above > 0)) or (above > 0 and higher > 0) or max(lower, below, above, higher) > 3:
        return lower + below + above + higher
    return np.int64(0)


@kernel
def at_edge(state, seat, kind):
    """Whether a tile is held that makes a run with ``kind`` and a terminal."""
    rank = kind % 9
    if kind >= 27 or (rank > 2 and rank < 6):
        return False
    low = kind - rank + (0 if rank < 3 else 6)
    held = np.int64(0)
    for other in range(low, low + 3):
        held += state["count"][seat, other] if other != kind else 0
    return held > 0


@kernel
def may_lack(rules, state, seat, kind, room):
    """Whether a nearest win might use more copies of ``kind`` than the ``room`` that melds leave.

    It must then draw copies that are gone. A set or pair of drawn tiles alone, or a set around one held tile, could be another one,
    no farther; what remains is a run of two held tiles with a drawn copy, a pair or triplet that lacks one tile, and where a
    terminal is asked for (N2) a run of one held tile that brings it.
    """
    count = np.int64(state["count"][seat, kind])
    around = beside(state, seat, kind)
    if room == 0:
        return around > 0 or (rules["condition_on"][TERMINAL_CONDITION] and at_edge(state, seat, kind))
    if room < 3:
        return count == room or around > 3
    return count == 3 and around > 0


@kernel
def crowded(rules, state, seat):
    """Mask of the suits where copies that are gone may matter to the seat's distance: a look at what lies around its melds."""
    suits = np.int64(0)
    if rules["five_copies"]:
        return suits  # a wild tile may be drawn instead (Q5)
    for place in range(state["meld_count"][seat]):
        form = state["meld_form"][seat, place]
        kind = np.int64(state["meld_kind"][seat, place])
        if form != CHOW:
            if may_lack(rules, state, seat, kind, np.int64(1 if form == PUNG else 0)):
                suits |= np.int64(1) << (kind // 9)
            continue
        for step in range(3):
            room = np.int64(3)
            for other in range(state["meld_count"][seat]):
                if other != place:
                    room -= copies_in(state, seat, np.int64(other), kind + step)
            if may_lack(rules, state, seat, kind + step, room):
                suits |= np.int64(1) << (kind // 9)
    return suits


@kernel
def melds_key(state, seat):
    """A number that differs where the seat's melds do; never 0."""
    key = np.int64(1)
    for place in range(state["meld_count"][seat]):
        key = (key << 9) | (np.int64(state["meld_form"][seat, place]) << 6) | np.int64(state["meld_kind"][seat, place])
    return key


@kernel
def find_vector(tables, rules, state, seat, suit, touched, melds, outlook, n_sets):
    """The suit's vectors into ``outlook["vector"]``, unless they are there from the hand before; whether copies that have gone matter."""
    if touched == 0:
        outlook["vector_melds"][suit] = 0
        table_suit(tables, rules, state, seat, suit, outlook)
        return False
    key = state["suit_key"][seat, suit]
    asks = (state["wild"] << 1) | rules["condition_on"][TERMINAL_CONDITION]
    if (
        outlook["vector_melds"][suit] != melds
        or outlook["vector_key"][suit] != key
        or outlook["vector_asks"][suit] != asks
    ):
        table_suit(tables, rules, state, seat, suit, outlook)
        outlook["vector_other"][suit] = np.int64(limit_suit(rules, state, seat, suit, outlook, n_sets))
        outlook["vector_melds"][suit] = melds
        outlook["vector_key"][suit] = key
        outlook["vector_asks"][suit] = asks
    return outlook["vector_other"][suit] != 0


@kernel
def sets_left(tables, rules, state, seat, suits, outlook):
    """Natural tiles missing from four sets and a pair, of those that there are, where copies may have run out in ``suits``."""
    n_sets = 4 - state["meld_count"][seat]
    melds = melds_key(state, seat)
    matters = False
    for suit in range(4):
        touched = (suits >> suit) & 1
        if find_vector(tables, rules, state, seat, np.int64(suit), touched, melds, outlook, n_sets):
            matters = True
    if not matters:
        return sets_missing(tables, rules, state, seat)
    best = np.int64(FAR)
    for plan in range(rules["n_set_plans"]):
        best = min(best, limited_plan(rules, state, seat, np.int64(plan), outlook, n_sets))
    return best


@unit
def distance(tables, rules, state, seat, outlook):
    """Fewest tiles to exchange until the seat's hand can win, with tiles that there are: 0 ready, -1 won, ``FAR`` never.

    The hand has 3n + 1 or 3n + 2 concealed tiles.
    """
    suits = crowded(rules, state, seat)
    if suits == 0:
        return formal_distance(tables, rules, state, seat)
    missing = np.int64(FAR)
    if rules["form_four_sets"]:
        missing = sets_left(tables, rules, state, seat, suits, outlook)
    return exchanges(state, seat, other_missing(tables, rules, state, seat, missing, np.int64(1)))
