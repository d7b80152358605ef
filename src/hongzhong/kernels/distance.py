"""Hand distance: the fewest tiles missing from a win under the rule set's own conditions, over all forms.

Natural tiles are looked up in the hand tables, suit by suit, under each plan of what a winning hand may hold (plans.py); every
wild tile then fills one missing place. Copies in melds are not looked at here: a wait on tiles that are all gone is a wait (H18).
The distance that players ask for looks at them too (limits.py).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.bits import over, size
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.tables import ANY, EIGHT, FAR, FIVE, NOTHING, TWO
from hongzhong.plans import NOTHING as HOLDS_NOTHING
from hongzhong.plans import SOMETHING

ORPHANS: Final = sum(1 << kind for kind in (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33))
ENDS: Final = sum(1 << kind for kind in (0, 8, 9, 17, 18, 26))
MIDDLES: Final = sum(1 << kind for kind in range(27) if kind % 9 % 3 == 1)
HONOURS: Final = sum(1 << kind for kind in range(27, 34))
DRAGONS: Final = sum(1 << kind for kind in (31, 32, 33))


@kernel
def combine_shape(tables, n_sets, variant, shape, rest):
    """Fewest missing tiles of ``n_sets`` sets and a pair: one suit's vector and that of all the rest."""
    return np.int64(tables["missing"][n_sets, tables["piece"][variant, shape], rest])


@kernel
def combine_terminal(tables, n_sets, suit_class, rest):
    """The same where this suit brings the terminal or the pair of 2, 5 or 8 (N2)."""
    return np.int64(tables["missing"][n_sets, tables["terminal_piece"][suit_class], rest])


@kernel
def variant_of(hold, meld_tiles):
    """The variant of a suit's vector for what a plan lets it hold; -1 if a meld breaks the plan."""
    if hold == HOLDS_NOTHING:
        return np.int64(NOTHING) if meld_tiles == 0 else np.int64(-1)
    return np.int64(TWO) if hold == SOMETHING and meld_tiles == 0 else np.int64(ANY)


@kernel
def long_variant(hold, meld_tiles):
    """The variant of a suit that must reach eight tiles with its melds (H3)."""
    low = 8 - meld_tiles
    if low <= 0:
        return np.int64(ANY)
    if low <= 2:
        return np.int64(TWO)
    return np.int64(FIVE) if low <= 5 else np.int64(EIGHT)


@kernel
def has_meld_terminal(rules, state, seat):
    return state["meld_terminals"][seat] > 0 or (
        rules["honours_are_terminals"] != 0 and state["meld_honours"][seat] > 0
    )


@kernel
def plan_missing(tables, rules, state, seat, plan, m, s, p, honours, least):
    """Tiles missing from four sets and a pair under one plan; ``m, s, p`` are suit classes, ``honours`` that of the honours;
    fewer than ``least`` cannot be."""
    vm = variant_of(rules["set_plans"][plan, 0], np.int64(state["meld_suit_tiles"][seat, 0]))
    vs = variant_of(rules["set_plans"][plan, 1], np.int64(state["meld_suit_tiles"][seat, 1]))
    vp = variant_of(rules["set_plans"][plan, 2], np.int64(state["meld_suit_tiles"][seat, 2]))
    vh = variant_of(rules["set_plans"][plan, 3], np.int64(state["meld_suit_tiles"][seat, 3]))
    if vm < 0 or vs < 0 or vp < 0 or vh < 0:
        return np.int64(FAR)
    h = np.int64(2) if vh == NOTHING else vh
    n_sets = 4 - state["meld_count"][seat]
    terminal = rules["set_plans"][plan, 5] != 0 and not has_meld_terminal(rules, state, seat)
    a, b, c = np.int64(tables["shape"][m]), np.int64(tables["shape"][s]), np.int64(tables["shape"][p])
    rest_m = np.int64(tables["rest"][tables["pair"][vs, vp, b, c], h, honours])
    if not terminal and rules["set_plans"][plan, 4] == 0:
        return combine_shape(tables, n_sets, vm, a, rest_m)
    rest_s = np.int64(tables["rest"][tables["pair"][vm, vp, a, c], h, honours])
    rest_p = np.int64(tables["rest"][tables["pair"][vm, vs, a, b], h, honours])
    best = np.int64(FAR)
    if terminal:
        if vm != NOTHING:
            best = min(best, combine_terminal(tables, n_sets, m, rest_m))
        if vs != NOTHING and best > least:
            best = min(best, combine_terminal(tables, n_sets, s, rest_s))
        if vp != NOTHING and best > least:
            best = min(best, combine_terminal(tables, n_sets, p, rest_p))
        if rules["honours_are_terminals"] and vh != NOTHING and best > least:
            rest_m = np.int64(tables["rest"][tables["pair"][vs, vp, b, c], 1, honours])
            best = min(best, combine_shape(tables, n_sets, vm, a, rest_m))
        return best
    if vm != NOTHING:
        best = min(
            best,
            combine_shape(tables, n_sets, long_variant(vm, np.int64(state["meld_suit_tiles"][seat, 0])), a, rest_m),
        )
    if vs != NOTHING and best > least:
        best = min(
            best,
            combine_shape(tables, n_sets, long_variant(vs, np.int64(state["meld_suit_tiles"][seat, 1])), b, rest_s),
        )
    if vp != NOTHING and best > least:
        best = min(
            best,
            combine_shape(tables, n_sets, long_variant(vp, np.int64(state["meld_suit_tiles"][seat, 2])), c, rest_p),
        )
    return best


@kernel
def sets_missing(tables, rules, state, seat):
    """Natural tiles missing from four sets and a pair under the rule set's conditions.

    Without any condition no more can be missing; most hands meet that under one plan or another, and then the rest need no look.
    """
    five = rules["five_copies"]
    m = np.int64(tables["suit_class"][five, state["suit_key"][seat, 0]])
    s = np.int64(tables["suit_class"][five, state["suit_key"][seat, 1]])
    p = np.int64(tables["suit_class"][five, state["suit_key"][seat, 2]])
    honours = np.int64(tables["honour_class"][five, state["suit_key"][seat, 3]])
    pair = tables["pair"][ANY, ANY, tables["shape"][s], tables["shape"][p]]
    rest = np.int64(tables["rest"][pair, 0, honours])
    least = combine_shape(tables, 4 - state["meld_count"][seat], ANY, np.int64(tables["shape"][m]), rest)
    if rules["sets_are_free"]:
        return least
    best = np.int64(FAR)
    for plan in range(rules["n_set_plans"]):
        best = min(best, plan_missing(tables, rules, state, seat, plan, m, s, p, honours, least))
        if best <= least:
            break
    return best


@kernel
def first_pairs(pairs, singles, wanted):
    """Tiles missing from the cheapest ``wanted`` pairs of a suit."""
    return max(np.int64(0), wanted - pairs) + max(np.int64(0), wanted - pairs - singles)


@kernel
def pair_hand(rules, state, seat):
    """What seven pairs ask of the natural tiles, 12 bits a suit: pairs, four of a kind are two, single tiles, four bits each, and tiles
    missing from a pair that serves N2: a terminal, or 2, 5, 8 where that is agreed."""
    counts = state["count"][seat]
    one, two = over(counts, np.int64(0)), over(counts, np.int64(1))
    three, four = over(counts, np.int64(2)), over(counts, np.int64(3))
    single = ((one & ~two) | (three & ~four)) & ~state["wild"]
    serving = ENDS | (MIDDLES if rules["seven_pairs_258"] else 0) | (HONOURS if rules["honours_are_terminals"] else 0)
    hand = np.int64(0)
    for suit in range(4):
        kinds = np.int64(511) << (9 * suit)
        pairs = size(two & kinds & ~state["wild"]) + size(four & kinds & ~state["wild"])
        cost = 2 - np.int64(one & kinds & serving != 0) - np.int64(two & kinds & serving != 0)
        hand |= (pairs | (size(single & kinds) << 4) | (cost << 8)) << (12 * suit)
    return hand


@kernel
def pair_plan_missing(rules, plan, hand, long_suit, serving):
    """Tiles missing from seven pairs under one plan, with four pairs of ``long_suit`` and N2 served by ``serving`` (-1: not asked).

    A suit's pairs cost 0, 1 or 2 tiles in that order, so forced ones first and the cheapest after them is exact.
    """
    missing = np.int64(0)
    wanted = np.int64(7)
    pairs_left = np.int64(0)
    singles_left = np.int64(0)
    for suit in range(4):
        if rules["pair_plans"][plan, suit] == HOLDS_NOTHING:
            continue
        packed = hand >> (12 * suit)
        pairs = packed & 15
        singles = (packed >> 4) & 15
        forced = np.int64(4 if suit == long_suit else (rules["pair_plans"][plan, suit] == SOMETHING))
        if suit == serving:
            cost = (packed >> 8) & 3
            missing += cost
            wanted -= 1
            forced = max(np.int64(0), forced - 1)
            pairs -= np.int64(cost == 0)
            singles -= np.int64(cost == 1)
        missing += first_pairs(pairs, singles, forced)
        wanted -= forced
        taken = min(pairs, forced)
        singles -= min(singles, forced - taken)
        pairs -= taken
        pairs_left += pairs
        singles_left += singles
    return missing + first_pairs(pairs_left, singles_left, max(np.int64(0), wanted))


@kernel
def pairs_missing(rules, state, seat, least):
    """Natural tiles missing from seven pairs under the rule set's conditions, known to be ``least`` or more."""
    best = np.int64(FAR)
    hand = pair_hand(rules, state, seat)
    for plan in range(rules["n_pair_plans"]):
        eight = rules["pair_plans"][plan, 4] != 0
        terminal = rules["pair_plans"][plan, 5] != 0
        for long_suit in range(3 if eight else 1):
            if eight and rules["pair_plans"][plan, long_suit] == HOLDS_NOTHING:
                continue
            for serving in range(4 if terminal else 1):
                if terminal and rules["pair_plans"][plan, serving] == HOLDS_NOTHING:
                    continue
                found = pair_plan_missing(
                    rules,
                    np.int64(plan),
                    hand,
                    np.int64(long_suit if eight else -1),
                    np.int64(serving if terminal else -1),
                )
                best = min(best, found)
                if best <= least:
                    return best
    return best


@kernel
def pungs_missing(rules, state, seat, limited):
    """Natural tiles missing from triplets and a pair, whatever their suits (all pungs are free of the conditions).

    ``limited``: the fourth copy of a kind that lies in an own pung is of no use, unless wild tiles can join it (Q5), as they can the fourth
    beside a concealed triplet.
    """
    n_sets = 4 - state["meld_count"][seat]
    counts = state["count"][seat]
    natural = ~state["wild"]
    held = over(counts, np.int64(0)) & natural
    pairs = over(counts, np.int64(1)) & natural
    threes = size(over(counts, np.int64(2)) & natural)
    twos = size(pairs) - threes
    single = held & ~pairs
    if rules["five_copies"]:
        ones = size(single) + size(over(counts, np.int64(3)) & natural)
    else:
        ones = size(single & ~(state["pung_kinds"][seat] * limited))
    sets = min(threes, n_sets)
    open_sets = n_sets - sets
    pairs = min(twos + threes - sets, open_sets + 1)
    singles = min(ones, open_sets + 1 - pairs)
    return 3 * open_sets + 2 - 2 * pairs - singles


@kernel
def orphans_missing(rules, state, seat):
    """Natural tiles missing from thirteen orphans (N3, H11)."""
    counts = state["count"][seat]
    natural = ORPHANS & ~state["wild"]
    pairs = over(counts, np.int64(1)) & natural
    paired = np.int64(pairs & (ORPHANS if rules["any_orphan_pair"] else DRAGONS) != 0)
    return 14 - size(over(counts, np.int64(0)) & natural) - paired


@kernel
def twos_and_ones(tables, state, seat):
    """Pairs among the natural tiles, four of a kind as two, times 16, and tiles left single."""
    packed = np.int64(tables["honour_pairs"][state["suit_key"][seat, 3]])
    for suit in range(3):
        packed += tables["suit_pairs"][state["suit_key"][seat, suit]]
    return packed


@kernel
def pungs_count(rules, state, seat):
    """Whether the seat may still win by all pungs of any suits."""
    return (
        rules["form_four_sets"] != 0
        and rules["free_pungs"] != 0
        and state["chow_count"][seat] == 0
        and (state["kong_count"][seat] == 0 or not rules["pungs_without_kong"])
    )


@kernel
def other_missing_of(tables, rules, state, seat, pairs, singles, bound, limited):
    """Natural tiles missing from the forms beside four sets and a pair of any kind, or something no better than ``bound``.

    ``pairs`` (four of a kind are two) and ``singles`` among the natural tiles tell the least that all pungs or seven pairs can miss;
    mostly that is enough.
    """
    missing = bound
    if pungs_count(rules, state, seat):
        groups = 5 - state["meld_count"][seat]
        thirds = min(singles + pairs // 2, groups)  # four of a kind are two pairs here, and a triplet there
        if 3 * groups - 1 - 2 * min(pairs, groups) - thirds < missing:
            missing = min(missing, pungs_missing(rules, state, seat, limited))
    if state["meld_count"][seat] == 0:
        if rules["form_seven_pairs"]:
            least = first_pairs(pairs, singles, np.int64(7))
            if least < missing:
                missing = min(missing, pairs_missing(rules, state, seat, least))
        if rules["form_thirteen_orphans"] and rules["orphans_allowed"]:
            missing = min(missing, orphans_missing(rules, state, seat))
    return missing


@kernel
def other_missing(tables, rules, state, seat, bound, limited):
    """The same, counting pairs and single tiles. ``limited``: as for ``pungs_missing``."""
    if not rules["free_pungs"]:
        if state["meld_count"][seat] > 0 or not (rules["form_seven_pairs"] or rules["form_thirteen_orphans"]):
            return bound
    packed = twos_and_ones(tables, state, seat)
    return other_missing_of(tables, rules, state, seat, packed >> 4, packed & 15, bound, limited)


@kernel
def exchanges(state, seat, missing):
    """The distance of a hand that misses so many natural tiles: wild ones fill them, and the last one is drawn to win."""
    return missing - state["wild_count"][seat] - 1 if missing < FAR else np.int64(FAR)


@kernel
def formal(tables, rules, state, seat):
    """``formal_distance`` as a part of its caller."""
    missing = np.int64(FAR)
    if rules["form_four_sets"]:
        missing = sets_missing(tables, rules, state, seat)
    return exchanges(state, seat, other_missing(tables, rules, state, seat, missing, np.int64(0)))


@unit
def formal_distance(tables, rules, state, seat):
    """The distance if every kind had four copies left beside the concealed ones (H18): never more than the true one (limits.py)."""
    return formal(tables, rules, state, seat)
