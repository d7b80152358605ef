"""Batches of hands measured: each state's seat 0 holds one. Floor 4 and the benchmarks call these."""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.bits import eight
from hongzhong.kernels.distance import formal
from hongzhong.kernels.hand import PLACES, add_meld, add_tile, clear_seat, remove_tile
from hongzhong.kernels.jit import entry, inlined, kernel, unit
from hongzhong.kernels.limits import distance
from hongzhong.kernels.outlook import all_gains, rate_discards, useful_after, useful_kinds
from hongzhong.kernels.readings import ROW_USED
from hongzhong.kernels.scoring import score_hand
from hongzhong.kernels.waits import find_waits
from hongzhong.layout import BY_DISCARD, BY_DRAW
from hongzhong.tiles import ADDED_KONG, CHOW, CONCEALED_KONG, EXPOSED_KONG, PUNG

NO_FAULT, NEGATIVE, TOO_MANY, WRONG_SIZE, IMPOSSIBLE_MELD, BARRED_MELD, MELDED, OVER = range(8)
"""What may be wrong with a hand of a batch: a count below 0, more copies of a kind than the rule set has (melds included), a number of
concealed tiles that is neither 13 - 3 melds nor one more, a meld that cannot be, one that the rule set does not allow; the last two await a closer look."""
TOP: Final = 5**8
LOW_SEVEN: Final = (1 << 56) - 1
FARTHEST: Final = 30
"""More tiles than any hand within reach of a win has to exchange; a kernel says more of one that can never win."""
FAULTY: Final = -9
UNREACHABLE: Final = 99
"""Distances in batches: of a row that is no hand, of one that can never win."""


@kernel
def wild_bounds(rules):
    """The lowest wild kind and the one behind the highest: 0 and 0 where none is wild."""
    first = last = np.int64(0)
    for kind in range(34):
        if (rules["wild"] >> kind) & 1:
            first = kind if last == 0 else first
            last = np.int64(kind + 1)
    return np.int64(first), last


@kernel
def drop_melds(state):
    """Seat 0 has no meld."""
    for suit in range(4):
        state["meld_suit_tiles"][0, suit] = 0
    state["meld_count"][0] = 0
    state["meld_terminals"][0] = 0
    state["meld_honours"][0] = 0
    state["chow_count"][0] = 0
    state["kong_count"][0] = 0
    state["concealed_kong_count"][0] = 0
    state["pung_kinds"][0] = 0
    state["waits"][0] = 0


@inlined
def key_of_eight(packed):
    """The base-5 key of eight counts below 5, a byte each: neighbours are joined by twos, fours and eights."""
    packed = (packed & 0x00FF00FF00FF00FF) + 5 * ((packed >> 8) & 0x00FF00FF00FF00FF)
    packed = (packed & 0x0000FFFF0000FFFF) + 25 * ((packed >> 16) & 0x0000FFFF0000FFFF)
    return (packed & 0xFFFFFFFF) + 625 * ((packed >> 32) & 0xFFFFFFFF)


@inlined
def sum_of_eight(packed):
    """Their sum."""
    packed = (packed & 0x00FF00FF00FF00FF) + ((packed >> 8) & 0x00FF00FF00FF00FF)
    return ((packed * 0x0001000100010001) >> 48) & 0xFFFF


@inlined
def lay_tiles(rules, state, hands, row, first_wild, last_wild):
    """Seat 0 holds the tiles of a row and no meld; how many."""
    if state["meld_count"][0] > 0:
        drop_melds(state)
    a, b = eight(hands, row, 0), eight(hands, row, 9)
    c, d = eight(hands, row, 18), (eight(hands, row, 26) >> 8) & LOW_SEVEN
    m = key_of_eight(a) + TOP * np.int64(hands[row, 8])
    s = key_of_eight(b) + TOP * np.int64(hands[row, 17])
    p = key_of_eight(c) + TOP * np.int64(hands[row, 26])
    z = key_of_eight(d)
    size = sum_of_eight(a) + sum_of_eight(b) + sum_of_eight(c) + sum_of_eight(d)
    size += np.int64(hands[row, 8]) + np.int64(hands[row, 17]) + np.int64(hands[row, 26])
    for kind in range(34):
        state["count"][0, kind] = hands[row, kind]
    state["wild"] = rules["wild"]
    state["wild_count"][0] = 0
    keys = state["suit_key"]
    keys[0, 0], keys[0, 1], keys[0, 2], keys[0, 3] = m, s, p, z
    for kind in range(first_wild, last_wild):
        if (rules["wild"] >> kind) & 1:
            count = np.int64(hands[row, kind])
            state["wild_count"][0] += count
            keys[0, kind // 9] -= count * PLACES[kind]
    return size


@kernel
def lay_melds(state, rows, row):
    """The melds of a row are added."""
    for place in range(4):
        if rows[row, 2 * place] >= 0:
            add_meld(state, np.int64(0), rows[row, 2 * place], rows[row, 2 * place + 1], np.int64(0))


@entry
def lay_hands(all_rules, states, hands, rows):
    """Seat 0 of ``states[i]`` holds ``hands[i]`` (copies of 34 kinds) and the melds ``rows[i]`` (form, kind, four times; form -1: none)."""
    first, last = wild_bounds(all_rules[0])
    for i in range(hands.shape[0]):
        lay_tiles(all_rules[0], states[i], hands, i, first, last)
        lay_melds(states[i], rows, i)


@kernel
def meld_fault(rules, form, kind):
    """What is wrong with a meld."""
    if form < CHOW or form > CONCEALED_KONG or kind < 0 or kind > 33 or (form == CHOW and (kind > 26 or kind % 9 > 6)):
        return np.int64(IMPOSSIBLE_MELD)
    claimed = (
        (form == CHOW and rules["chow"] != 0)
        or (form == PUNG and rules["pung"] != 0)
        or (form == EXPOSED_KONG and rules["exposed_kong"] != 0)
        or (form == ADDED_KONG and rules["added_kong"] != 0)
        or (form == CONCEALED_KONG and rules["concealed_kong"] != 0)
    )
    tiles = np.int64(7 if form == CHOW else 1) << kind
    return np.int64(NO_FAULT if claimed and rules["wild"] & tiles == 0 else BARRED_MELD)


@kernel
def count_used(state):
    """Fills ``scratch[ROW_USED]`` with the copies of each kind that the seat holds, melds included."""
    used = state["scratch"][ROW_USED]
    for kind in range(34):
        used[kind] = state["count"][0, kind]
    for place in range(state["meld_count"][0]):
        form, kind = np.int64(state["meld_form"][0, place]), np.int64(state["meld_kind"][0, place])
        for step in range(3):
            used[kind + (step if form == CHOW else 0)] += 1
        used[kind] += np.int64(form > PUNG)


@kernel
def add_checked_melds(rules, state, rows, row):
    """The melds of a row are added, one by one: what is wrong with the first that cannot be."""
    for place in range(4):
        form, kind = rows[row, 2 * place], rows[row, 2 * place + 1]
        if form == -1:
            continue
        fault = meld_fault(rules, form, kind)
        if fault != NO_FAULT:
            return fault
        add_meld(state, np.int64(0), form, kind, np.int64(0))
    return np.int64(NO_FAULT)


@kernel
def melds_over(rules, state):
    """Whether the melds and the concealed tiles hold more copies of a melded kind than there are."""
    used = state["scratch"][ROW_USED]
    for fill in range(2):
        for place in range(state["meld_count"][0]):
            form, kind = np.int64(state["meld_form"][0, place]), np.int64(state["meld_kind"][0, place])
            for step in range(4 if form > PUNG else 3):
                tile = kind + (step if form == CHOW else 0)
                if fill == 0:
                    used[tile] = state["count"][0, tile]
                else:
                    used[tile] += 1
                    if used[tile] > rules["copies"][tile]:
                        return True
    return False


@kernel
def count_fault(rules, hands, row):
    """What is wrong with the counts of a row by themselves: one below 0 reads as 128 or more."""
    fault = np.int64(NO_FAULT)
    for kind in range(34):
        if hands[row, kind] >= 128:
            return np.int64(NEGATIVE)
        if hands[row, kind] > rules["copies"][kind]:
            fault = np.int64(TOO_MANY)
    return fault


@kernel
def add_checked(rules, state, hands, rows, row, size, over):
    """The melds of a row join its ``size`` tiles: what is wrong with the hand. ``over``: too many copies are among the tiles alone."""
    fault = add_checked_melds(rules, state, rows, row)
    if fault == NO_FAULT and over:
        fault = count_fault(rules, hands, row)
    if fault == NO_FAULT and melds_over(rules, state):
        fault = np.int64(TOO_MANY)
    size += 3 * state["meld_count"][0]
    return np.int64(WRONG_SIZE) if fault == NO_FAULT and size != 13 and size != 14 else fault


@entry
def check_hands(all_rules, states, hands, rows, faults):
    """Lays the hands as ``lay_hands`` does, no tile where something is wrong: ``faults[i]`` says what."""
    rules = all_rules[0]
    first, last = wild_bounds(rules)
    for i in range(hands.shape[0]):
        size = lay_tiles(rules, states[i], hands, i, first, last)
        faults[i] = add_checked(rules, states[i], hands, rows, i, size, True)
        if faults[i] != NO_FAULT:
            clear_seat(states[i], np.int64(0))


@kernel
def sort_rows(hands, rows, limits, faults):
    """``faults[i]``: none where a row has no meld and no count beyond ``limits``, ``MELDED`` if it has melds, ``OVER`` otherwise."""
    for i in range(hands.shape[0]):
        over = False
        for kind in range(34):
            over |= hands[i, kind] > limits[kind]
        bare = rows.shape[0] == 0 or rows[i, 0] & rows[i, 2] & rows[i, 4] & rows[i, 6] == -1
        faults[i] = OVER if over else NO_FAULT if bare else MELDED


@entry
def check_distances(all_tables, all_rules, states, outlooks, hands, rows, limits, faults, out):
    """``check_hands`` and ``distances`` at once, on the first state, ``FAULTY`` and ``UNREACHABLE`` where there is none. ``limits``: copies of
    each kind in the rule set. No ``rows`` at all: no melds. Hands without melds first: they pass through a tighter loop."""
    state = states[0]
    rules = all_rules[0]
    first, last = wild_bounds(rules)
    sort_rows(hands, rows, limits, faults)
    for i in range(hands.shape[0]):
        if faults[i] == NO_FAULT:
            size = lay_tiles(rules, state, hands, i, first, last)
            found = formal(all_tables[0], rules, state, np.int64(0))  # without melds no copies have gone
            faults[i] = NO_FAULT if size == 13 or size == 14 else WRONG_SIZE
            out[i] = found if found < FARTHEST else UNREACHABLE
    for i in range(hands.shape[0]):
        if faults[i] == OVER and rows.shape[0] == 0:
            faults[i] = count_fault(rules, hands, i)
        elif faults[i] >= MELDED:
            size = lay_tiles(rules, state, hands, i, first, last)
            faults[i] = add_checked(rules, state, hands, rows, i, size, faults[i] == OVER)
            if faults[i] == NO_FAULT:
                found = distance(all_tables[0], rules, state, np.int64(0), outlooks[0])
                out[i] = found if found < FARTHEST else UNREACHABLE
        if faults[i] != NO_FAULT:
            out[i] = FAULTY


@entry
def free_masks(all_rules, states, out):
    """``out[i]``: mask of the kinds of which the seat does not hold all copies itself, melds included."""
    for i in range(states.shape[0]):
        count_used(states[i])
        out[i] = 0
        for kind in range(34):
            free = states[i]["scratch"][ROW_USED, kind] < all_rules[0]["copies"][kind]
            out[i] |= np.int64(free) << kind


@entry
def distances(all_tables, all_rules, states, outlooks, out):
    """``out[i]``: distance of the hand in ``states[i]``."""
    for i in range(states.shape[0]):
        out[i] = distance(all_tables[0], all_rules[0], states[i], np.int64(0), outlooks[0])


@entry
def wait_masks(all_tables, all_rules, states, out):
    """``out[i]``: mask of the kinds that the 3n + 1 hand in ``states[i]`` waits for (H18)."""
    for i in range(states.shape[0]):
        out[i] = find_waits(all_tables[0], all_rules[0], states[i], np.int64(0))


@entry
def useful_masks(all_tables, all_rules, states, outlooks, out):
    """``out[i]``: mask of the kinds that bring the 3n + 1 hand in ``states[i]`` nearer."""
    for i in range(states.shape[0]):
        _, out[i] = useful_kinds(all_tables[0], all_rules[0], states[i], np.int64(0), outlooks[0])


@entry
def discard_tables(all_tables, all_rules, states, outlooks, after, useful):
    """For the 3n + 2 hand in ``states[i]``: ``after[i, kind]`` is the distance that a discard leaves, ``useful[i, kind]`` the mask of
    the kinds that then bring it nearer. ``after`` is 99 where the kind is not held. ``outlooks[:2]``: scratch."""
    seat = np.int64(0)
    for i in range(states.shape[0]):
        state = states[i]
        best = rate_discards(all_tables[0], all_rules[0], state, seat, outlooks[0])
        gains = all_gains(all_tables[0], all_rules[0], state, seat, outlooks[0])
        for kind in range(34):
            after[i, kind] = 99
            useful[i, kind] = 0
            if state["count"][0, kind] == 0:
                continue
            if outlooks[0]["keeps"][kind]:
                after[i, kind] = best
                useful[i, kind] = useful_after(
                    all_tables[0], all_rules[0], state, seat, np.int64(kind), best, gains, outlooks[0]
                )
                continue
            remove_tile(state, seat, np.int64(kind))
            found, mask = useful_kinds(all_tables[0], all_rules[0], state, seat, outlooks[1])
            after[i, kind] = found
            useful[i, kind] = mask
            add_tile(state, seat, np.int64(kind))


@kernel
def win_worth(tables, rules, state, kind):
    """Points of a win on the kind, drawn or discarded, whichever pays more; the hand's waits are known."""
    seat = np.int64(0)
    points = score_hand(tables, rules, state, seat, kind, np.int64(BY_DRAW), np.int64(0), np.int64(7), False)
    if rules["discard_wins"] and ((rules["wild"] >> kind) & 1 == 0 or rules["wild_discard_wins"]):
        more = score_hand(tables, rules, state, seat, kind, np.int64(BY_DISCARD), np.int64(0), np.int64(7), False)
        points = max(points, more)
    return points


@unit
def ready_worth(tables, rules, state, unseen):
    """Most points of a win on a tile not yet seen, 0 if there is none."""
    waits = find_waits(tables, rules, state, np.int64(0))
    best = np.int64(0)
    for kind in range(34):
        if (waits >> kind) & 1 and unseen[kind] > 0:
            best = max(best, win_worth(tables, rules, state, np.int64(kind)))
    return best


@unit
def near_worth(tables, rules, state, unseen, mask, outlook):
    """The same of a hand at distance 1: a kind of ``mask`` is drawn, and whatever then leaves the hand ready is discarded."""
    seat = np.int64(0)
    best = np.int64(0)
    for kind in range(34):
        if (mask >> kind) & 1 == 0 or unseen[kind] <= 0:
            continue
        add_tile(state, seat, np.int64(kind))
        unseen[kind] -= 1
        for other in range(34):
            if state["count"][seat, other] > 0:
                remove_tile(state, seat, np.int64(other))
                if distance(tables, rules, state, seat, outlook) == 0:
                    best = max(best, ready_worth(tables, rules, state, unseen))
                add_tile(state, seat, np.int64(other))
        unseen[kind] += 1
        remove_tile(state, seat, np.int64(kind))
    return best


@entry
def discard_worths(all_tables, all_rules, states, outlooks, unseen, after, useful, out):
    """``out[kind]``: most points of a win reached in the fewest exchanges once ``states[0]`` discards the kind, from the first rows of
    ``after`` and ``useful`` (``discard_tables``); -1 where it leaves a distance above 1."""
    seat = np.int64(0)
    state = states[0]
    tables = all_tables[0]
    rules = all_rules[0]
    for kind in range(34):
        out[kind] = -1
        if after[0, kind] > 1:
            continue
        remove_tile(state, seat, np.int64(kind))
        if after[0, kind] == 0:
            out[kind] = ready_worth(tables, rules, state, unseen)
        else:
            out[kind] = near_worth(tables, rules, state, unseen, useful[0, kind], outlooks[0])
        add_tile(state, seat, np.int64(kind))


@kernel
def unseen_in(unseen, mask):
    """Unseen copies of all kinds in a mask."""
    copies = np.int64(0)
    for kind in range(34):
        copies += ((mask >> kind) & 1) * unseen[kind]
    return copies


@entry
def list_discards(states, unseen, after, useful, out, rows):
    """Fills ``rows`` with what each discard of ``states[0]`` leaves, in order of merit: kind, distance, unseen copies of the useful kinds,
    points (``out``, see ``discard_worths``), mask of the useful kinds. How many there are."""
    n_found = np.int64(0)
    for kind in range(34):
        if states[0]["count"][0, kind] == 0:
            continue
        left = after[0, kind]
        copies = unseen_in(unseen, useful[0, kind]) if left < FARTHEST else np.int64(0)
        place = n_found
        while place > 0 and (
            left < rows[place - 1, 1]
            or (
                left == rows[place - 1, 1]
                and (copies > rows[place - 1, 2] or (copies == rows[place - 1, 2] and out[kind] > rows[place - 1, 3]))
            )
        ):
            for column in range(5):
                rows[place, column] = rows[place - 1, column]
            place -= 1
        rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = kind, left, copies, out[kind]
        rows[place, 4] = useful[0, kind]
        n_found += 1
    return n_found
