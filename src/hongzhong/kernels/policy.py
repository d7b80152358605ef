"""How the built-in bots choose: ``random`` and ``greedy``. A policy reads the seat's own tiles and what lies open, nothing else.

``greedy`` depends on its view alone, so that the same kernel serves whole batches and a bot behind masked events.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.actions import (
    ADDED_KONG,
    CHOW_LOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    FALSE_WIN,
    PASS,
    PUNG,
    WIN_BY_CLAIM,
    WIN_BY_DRAW,
)
from hongzhong.kernels.bits import lowest
from hongzhong.kernels.hand import add_meld, add_tile, clear_seat, drop_meld, kong_to_pung, pung_to_kong, remove_tile
from hongzhong.kernels.jit import entry, kernel, unit
from hongzhong.kernels.limits import distance
from hongzhong.kernels.outlook import all_gains, is_sure, rate_discards, useful_after, watch_only
from hongzhong.kernels.splits import ALL_KINDS
from hongzhong.layout import RIVER_CLAIMED
from hongzhong.tiles import CHOW as MELD_CHOW
from hongzhong.tiles import CONCEALED_KONG as MELD_CONCEALED
from hongzhong.tiles import EXPOSED_KONG as MELD_EXPOSED
from hongzhong.tiles import PUNG as MELD_PUNG

LOOSE: Final = np.array(
    [*range(27, 34), *(9 * suit + rank for rank in (0, 8, 1, 7, 2, 6, 3, 5, 4) for suit in range(3))], np.int64
)
"""Kinds in the order in which ``greedy`` lets them go, other things equal: honours, then from the ends of the suits to the middle."""


@kernel
def below(random, place, bound):
    """A number below ``bound`` (at most 2^31) from the xorshift generator at ``random[place]``, never zero."""
    value = random[place]
    value ^= value << np.uint64(13)
    value ^= value >> np.uint64(7)
    value ^= value << np.uint64(17)
    random[place] = value
    return np.int64(((value >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))


@kernel
def try_action(state, seat, action, tile):
    """Does to the seat's own tiles what the action would do; ``tile`` is the claimed one."""
    if action < PASS:
        remove_tile(state, seat, action)
    elif action >= CONCEALED_KONG:
        kind = action - CONCEALED_KONG
        for _ in range(4):
            remove_tile(state, seat, kind)
        add_meld(state, seat, np.int64(MELD_CONCEALED), kind, seat)
    elif action >= ADDED_KONG:
        remove_tile(state, seat, action - ADDED_KONG)
        pung_to_kong(state, seat, action - ADDED_KONG)
    elif action == PUNG or action >= EXPOSED_KONG:
        for _ in range(2 if action == PUNG else 3):
            remove_tile(state, seat, tile)
        add_meld(state, seat, np.int64(MELD_PUNG if action == PUNG else MELD_EXPOSED), tile, seat)
    else:
        low = tile - (action - CHOW_LOW)
        for kind in range(low, low + 3):
            if kind != tile:
                remove_tile(state, seat, kind)
        add_meld(state, seat, np.int64(MELD_CHOW), low, seat)


@kernel
def untry_action(state, seat, action, tile):
    """Undoes ``try_action``."""
    if action < PASS:
        add_tile(state, seat, action)
    elif action >= CONCEALED_KONG:
        drop_meld(state, seat)
        for _ in range(4):
            add_tile(state, seat, action - CONCEALED_KONG)
    elif action >= ADDED_KONG:
        kong_to_pung(state, seat, action - ADDED_KONG)
        add_tile(state, seat, action - ADDED_KONG)
    elif action == PUNG or action >= EXPOSED_KONG:
        drop_meld(state, seat)
        for _ in range(2 if action == PUNG else 3):
            add_tile(state, seat, tile)
    else:
        drop_meld(state, seat)
        low = tile - (action - CHOW_LOW)
        for kind in range(low, low + 3):
            if kind != tile:
                add_tile(state, seat, kind)


@kernel
def distance_after(tables, rules, state, seat, action, tile, outlook):
    """The seat's distance once it has done the action. A hand that claimed cannot be won before it discards."""
    try_action(state, seat, action, tile)
    found = max(np.int64(0), distance(tables, rules, state, seat, outlook))
    untry_action(state, seat, action, tile)
    return found


@kernel
def count_unseen(rules, state, seat, outlook):
    """Copies of each kind that are neither in the seat's hand nor open on the table. Others' hidden kongs are not looked into (C7)."""
    for kind in range(34):
        outlook["unseen"][kind] = rules["copies"][kind] - state["count"][seat, kind]
    for other in range(4):
        for place in range(state["river_count"][other]):
            kind = np.int64(state["river"][other, place])
            outlook["unseen"][kind & (RIVER_CLAIMED - 1)] -= np.int64(kind < RIVER_CLAIMED)
        for place in range(state["meld_count"][other]):
            form = state["meld_form"][other, place]
            kind = np.int64(state["meld_kind"][other, place])
            if form == MELD_CHOW:
                for step in range(3):
                    outlook["unseen"][kind + step] -= 1
            elif form != MELD_CONCEALED or other == seat or rules["concealed_kong_visible"]:
                outlook["unseen"][kind] -= 3 if form == MELD_PUNG else 4


@kernel
def unseen_of(mask, outlook):
    """Unseen copies of the kinds in the mask."""
    copies = np.int64(0)
    while mask:
        copies += outlook["unseen"][lowest(mask)]
        mask &= mask - 1
    return copies


@kernel
def copies_around(state, seat, kind, outlook):
    """Unseen copies that could join a tile of this kind in a pair, triplet or run, the nearer the more; held ones count four times."""
    total = 3 * (outlook["unseen"][kind] + 4 * np.int64(state["count"][seat, kind]))
    if kind < 27:
        rank = kind % 9
        for step in range(max(np.int64(-2), -rank), min(np.int64(3), 9 - rank)):
            if step != 0:
                near = np.int64(3 - abs(step))
                total += near * (outlook["unseen"][kind + step] + 4 * np.int64(state["count"][seat, kind + step]))
    return total


@kernel
def any_tile(state, seat):
    """A tile of a hand of wild ones alone."""
    kind = np.int64(0)
    while state["count"][seat, kind] == 0:
        kind += 1
    return kind


@kernel
def best_discard(tables, rules, state, seat, now, outlook):
    """Among the marked discards, which leave the distance ``now``: the one with most unseen useful copies, of equal ones the first of
    ``LOOSE``.

    What is useful after a discard was so before, and where that is known (``is_sure``) the discarded kind is left out: that bounds its copies, so
    that most need no look.
    """
    ties = np.int64(0)
    for place in range(34):
        ties |= outlook["keeps"][LOOSE[place]] << place
    if ties == 0:
        return any_tile(state, seat)
    choice = np.int64(LOOSE[lowest(ties)])
    if ties & (ties - 1) == 0:
        return choice
    count_unseen(rules, state, seat, outlook)
    gains = np.int64(ALL_KINDS)
    lost = np.int64(0)
    if now == outlook["now"] and is_sure(outlook):
        gains = all_gains(tables, rules, state, seat, outlook)
        lost = gains
        watch_only(rules, state, seat, gains, outlook)
    bound = unseen_of(gains, outlook)
    most = np.int64(-1)
    while ties:
        kind = np.int64(LOOSE[lowest(ties)])
        ties &= ties - 1
        if bound - outlook["unseen"][kind] * ((lost >> kind) & 1) > most:
            copies = unseen_of(useful_after(tables, rules, state, seat, kind, now, gains, outlook), outlook)
            if copies > most:
                most = copies
                choice = kind
    return choice


@kernel
def greedy_turn(tables, rules, state, seat, actions, n_actions, outlook):
    """The discard that leaves the fewest tiles missing, or a kong that leaves no more."""
    best = rate_discards(tables, rules, state, seat, outlook)
    nearest = best
    choice = np.int64(-1)
    for place in range(n_actions):
        if actions[place] >= ADDED_KONG:
            found = distance_after(tables, rules, state, seat, actions[place], np.int64(-1), outlook)
            if found < nearest or (found == nearest and choice < 0):
                nearest = found
                choice = actions[place]
    return choice if choice >= 0 else best_discard(tables, rules, state, seat, best, outlook)


@kernel
def greedy_claim(tables, rules, state, seat, actions, n_actions, outlook):
    """The claim that brings the hand nearest, if it brings it nearer at all."""
    tile = state["offer_tile"]
    best = np.int64(-1)
    choice = np.int64(PASS)
    for place in range(n_actions):
        action = actions[place]
        if action in (PASS, FALSE_WIN):
            continue
        if best < 0:
            best = distance(tables, rules, state, seat, outlook)
        if best == 0:
            break
        found = distance_after(tables, rules, state, seat, action, tile, outlook)
        if found < best:
            best = found
            choice = action
    return choice


@unit
def greedy(tables, rules, state, seat, actions, n_actions, outlook):
    """Wins when it may, never calls a false win; else discards, claims and kongs by the distance they leave."""
    passes = False
    for place in range(n_actions):
        action = actions[place]
        if action in (WIN_BY_DRAW, WIN_BY_CLAIM):
            return action
        passes = passes or action == PASS
    if passes:
        return greedy_claim(tables, rules, state, seat, actions, n_actions, outlook)
    return greedy_turn(tables, rules, state, seat, actions, n_actions, outlook)


@kernel
def show_table(rules, state, seat, counts, rows, n_rows):
    """Lays out what a seat knows: its concealed tiles by kind, and rows of (seat, form, kind, source) for melds, form -1 for a river's tile."""
    state["wild"] = rules["wild"]
    for other in range(4):
        clear_seat(state, np.int64(other))
        state["river_count"][other] = 0
    for kind in range(34):
        for _ in range(counts[kind]):
            add_tile(state, seat, np.int64(kind))
    for row in range(n_rows):
        other = rows[row, 0]
        if rows[row, 1] >= 0:
            add_meld(state, other, rows[row, 1], rows[row, 2], rows[row, 3])
        else:
            state["river"][other, state["river_count"][other]] = rows[row, 2]
            state["river_count"][other] += 1


@entry
def choose_greedy(all_tables, all_rules, states, seat, tile, actions, n_actions, outlooks, counts, rows, n_rows):
    """The greedy action of a seat that knows what ``show_table`` takes and is asked about ``tile``. ``states[0]``, ``outlooks``: scratch."""
    state = states[0]
    show_table(all_rules[0], state, seat, counts, rows, n_rows)
    state["offer_tile"] = tile
    return greedy(all_tables[0], all_rules[0], state, seat, actions, n_actions, outlooks[0])


@entry
def rate_at(all_tables, all_rules, states, counts, rows, n_rows, outlooks):
    """``rate_discards`` of seat 0, laid out as by ``show_table``."""
    show_table(all_rules[0], states[0], np.int64(0), counts, rows, n_rows)
    return rate_discards(all_tables[0], all_rules[0], states[0], np.int64(0), outlooks[0])
