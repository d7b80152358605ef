"""Which discards keep a hand as near as it is, all of them at once.

A *term* is one way to win by four sets and a pair: what each suit may hold (plans.py), and which suit brings the eight tiles or the
terminal. Only terms as near as the whole hand can stay as near after a discard; for them the rest of the hand is combined once for
each suit, and then each discard is a look-up. ``outlook`` (layout.OUTLOOK) is scratch and result.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.distance import (
    combine_shape,
    combine_terminal,
    distance,
    has_meld_terminal,
    long_variant,
    other_missing,
    variant_of,
)
from hongzhong.kernels.hand import PLACES, add_tile, remove_tile
from hongzhong.kernels.jit import kernel
from hongzhong.kernels.tables import FAR, NOTHING

TERMINAL: Final = 5
"""The variant of a suit that brings the terminal or the pair of 2, 5 or 8 (N2); the others are those of the hand tables."""
N_VARIANTS: Final = 6


@kernel
def rest_beside(tables, outlook, suit, dropped, with_honours):
    """Number of the vector of the suits beside two (the same one twice: of both others), with or without the honours."""
    a = (suit + 1) % 3
    b = (suit + 2) % 3
    va = np.int64(NOTHING) if a == dropped else outlook["variant"][a]
    vb = np.int64(NOTHING) if b == dropped else outlook["variant"][b]
    pair = tables["pair"][va, vb, tables["shape"][outlook["class"][a]], tables["shape"][outlook["class"][b]]]
    return np.int64(tables["rest"][pair, outlook["variant"][3] if with_honours else np.int64(2), outlook["class"][3]])


@kernel
def term_missing(tables, outlook, n_sets, special):
    """Tiles missing in the term at work. ``special``: the suit that brings the terminal, -1 for none."""
    suit = max(np.int64(0), special)
    rest = rest_beside(tables, outlook, suit, suit, True)
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
def merge_suit(tables, outlook, to_suit, suit, rest, n_sets):
    """One suit and the rest beside it, min-plus, into the rest of ``to_suit``."""
    variant = outlook["variant"][to_suit]
    merged = outlook["rest"]
    for sets in range(n_sets + 1):
        a = entry_of(tables, outlook["variant"][suit], outlook["class"][suit], 2 * sets)
        b = entry_of(tables, outlook["variant"][suit], outlook["class"][suit], 2 * sets + 1)
        for more in range(n_sets + 1 - sets):
            c = np.int64(tables["rest_vector"][rest, 2 * more])
            d = np.int64(tables["rest_vector"][rest, 2 * more + 1])
            place = 2 * (sets + more)
            merged[to_suit, variant, place] = min(merged[to_suit, variant, place], a + c)
            merged[to_suit, variant, place + 1] = min(merged[to_suit, variant, place + 1], a + d, b + c)


@kernel
def keep_term(tables, outlook, n_sets, special):
    """Combines, for each suit and the honours, all that lies beside them in the term at work."""
    for suit in range(4):
        variant = outlook["variant"][suit]
        if variant == (NOTHING if suit < 3 else 2):
            outlook["free"][suit] = 1
            continue
        if (outlook["shown"][suit] >> variant) & 1 == 0:
            outlook["shown"][suit] |= np.int64(1) << variant
            for place in range(10):
                outlook["rest"][suit, variant, place] = FAR
        if suit == 3:
            first = max(np.int64(0), special)
            merge_suit(
                tables, outlook, np.int64(suit), first, rest_beside(tables, outlook, first, first, False), n_sets
            )
        elif special >= 0 and special != suit:
            merge_suit(
                tables,
                outlook,
                np.int64(suit),
                special,
                rest_beside(tables, outlook, np.int64(suit), special, True),
                n_sets,
            )
        else:
            rest = rest_beside(tables, outlook, np.int64(suit), np.int64(suit), True)
            for place in range(2 * n_sets + 2):
                outlook["rest"][suit, variant, place] = min(
                    outlook["rest"][suit, variant, place], np.int64(tables["rest_vector"][rest, place])
                )


@kernel
def take_term(tables, outlook, n_sets, special, term, best):
    """First pass (``best`` below 0): notes what the term misses. Second pass: keeps it if that is the best. The next term's number."""
    if best < 0:
        outlook["total"][term] = term_missing(tables, outlook, n_sets, special)
    elif outlook["total"][term] == best:
        keep_term(tables, outlook, n_sets, special)
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
            outlook["variant"][suit] = TERMINAL if terminal else long_variant(plain, np.int64(melds[seat, suit]))
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
def note_classes(tables, rules, state, seat, outlook):
    """The classes of the suits, and nothing kept of any term."""
    five = rules["five_copies"]
    for suit in range(4):
        key = state["suit_key"][seat, suit]
        outlook["class"][suit] = tables["honour_class"][five, key] if suit == 3 else tables["suit_class"][five, key]
        outlook["free"][suit] = 0
        outlook["shown"][suit] = 0


@kernel
def reaches(tables, rules, state, seat, kind, change, outlook, n_sets, best):
    """Whether four sets and a pair miss no more than ``best`` with one tile more (1) or less (-1) of a kind, in any of the kept terms."""
    suit = kind // 9
    if outlook["free"][suit] and change < 0:
        return True
    five = rules["five_copies"]
    key = state["suit_key"][seat, suit] + change * PLACES[kind]
    left = np.int64(tables["honour_class"][five, key] if suit == 3 else tables["suit_class"][five, key])
    for variant in range(N_VARIANTS):
        if (outlook["shown"][suit] >> variant) & 1 == 0:
            continue
        for sets in range(n_sets + 1):
            other = 2 * (n_sets - sets)
            if suit == 3:
                rest = np.int64(tables["rest"][tables["pair"][NOTHING, NOTHING, 0, 0], variant, left])
                a = np.int64(tables["rest_vector"][rest, 2 * sets])
                b = np.int64(tables["rest_vector"][rest, 2 * sets + 1])
            else:
                a = entry_of(tables, np.int64(variant), left, 2 * sets)
                b = entry_of(tables, np.int64(variant), left, 2 * sets + 1)
            if (
                a + outlook["rest"][suit, variant, other + 1] <= best
                or b + outlook["rest"][suit, variant, other] <= best
            ):
                return True
    return False


@kernel
def rate_one_by_one(tables, rules, state, seat, outlook):
    """The slow way, for a hand that is complete and may not win: whatever it discards, it is farther."""
    best = np.int64(FAR)
    for kind in range(34):
        if state["count"][seat, kind] > 0 and (state["wild"] >> kind) & 1 == 0:
            remove_tile(state, seat, np.int64(kind))
            outlook["total"][kind] = distance(tables, rules, state, seat)
            add_tile(state, seat, np.int64(kind))
            best = min(best, outlook["total"][kind])
    for kind in range(34):
        natural = state["count"][seat, kind] > 0 and (state["wild"] >> kind) & 1 == 0
        outlook["keeps"][kind] = np.int64(natural and outlook["total"][kind] == best)
    return best


@kernel
def rate_discards(tables, rules, state, seat, outlook):
    """Marks the discards that leave the fewest tiles missing in ``outlook["keeps"]``; the distance they leave. 3n + 2 concealed tiles.

    A hand that misses a tile holds one that it does not need, so the fewest is what it misses now.
    """
    n_sets = 4 - state["meld_count"][seat]
    note_classes(tables, rules, state, seat, outlook)
    total = np.int64(FAR)
    if rules["form_four_sets"]:
        total = take_plans(tables, rules, state, seat, outlook, n_sets, np.int64(-1))
    others = other_missing(tables, rules, state, seat, total + 1)
    best = min(total, others)
    if best <= state["wild_count"][seat]:
        return rate_one_by_one(tables, rules, state, seat, outlook)
    if total == best and total < FAR:
        take_plans(tables, rules, state, seat, outlook, n_sets, best)
    for kind in range(34):
        outlook["keeps"][kind] = 0
        if state["count"][seat, kind] == 0 or (state["wild"] >> kind) & 1:
            continue
        if best >= FAR or (
            total == best and reaches(tables, rules, state, seat, np.int64(kind), np.int64(-1), outlook, n_sets, best)
        ):
            outlook["keeps"][kind] = (
                1  # from beyond reach, as after a third suit is melded where one must be lacking, nothing is farther
            )
        elif others == best:
            remove_tile(state, seat, np.int64(kind))
            outlook["keeps"][kind] = np.int64(other_missing(tables, rules, state, seat, best + 1) == best)
            add_tile(state, seat, np.int64(kind))
    return best - state["wild_count"][seat] - 1


@kernel
def linked(state, seat, kind):
    """Whether a tile of this kind, or one that makes a run with it, is held, or a wild one that may be anything."""
    if state["count"][seat, kind] > 0 or state["wild_count"][seat] > 0:
        return True
    if kind >= 27:
        return False
    rank = kind % 9
    around = np.int64(0)
    for step in range(max(np.int64(-2), -rank), min(np.int64(3), 9 - rank)):
        around += state["count"][seat, kind + step]
    return around > 0


@kernel
def unseen_waits(tables, rules, state, seat, discarded, outlook):
    """Unseen copies of natural kinds that complete the hand once ``discarded`` has gone, which leaves it ready."""
    n_sets = 4 - state["meld_count"][seat]
    ready = state["wild_count"][seat] + 1
    remove_tile(state, seat, discarded)
    note_classes(tables, rules, state, seat, outlook)
    total = np.int64(FAR)
    if rules["form_four_sets"]:
        total = take_plans(tables, rules, state, seat, outlook, n_sets, np.int64(-1))
        if total == ready:
            take_plans(tables, rules, state, seat, outlook, n_sets, total)
    others = other_missing(tables, rules, state, seat, ready + 1)
    copies = np.int64(0)
    for kind in range(34):
        natural = (state["wild"] >> kind) & 1 == 0
        if outlook["unseen"][kind] <= 0 or kind == discarded or not natural or not linked(state, seat, np.int64(kind)):
            continue
        wins = total == ready and reaches(
            tables, rules, state, seat, np.int64(kind), np.int64(1), outlook, n_sets, ready - 1
        )
        if not wins and others == ready:
            add_tile(state, seat, np.int64(kind))
            wins = other_missing(tables, rules, state, seat, ready) < ready
            remove_tile(state, seat, np.int64(kind))
        if wins:
            copies += outlook["unseen"][kind]
    add_tile(state, seat, discarded)
    return copies
