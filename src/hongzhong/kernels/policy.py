"""How the built-in bots choose: ``random`` and ``greedy``. A policy reads the seat's own tiles and what lies open, nothing else.

``greedy`` depends on its view alone, so that the same kernel serves whole batches and a bot behind masked events.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import types as nt

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
from hongzhong.kernels.distance import distance
from hongzhong.kernels.hand import add_meld, add_tile, clear_seat, drop_meld, kong_to_pung, pung_to_kong, remove_tile
from hongzhong.kernels.jit import TYPES, entry, kernel
from hongzhong.layout import RIVER_CLAIMED
from hongzhong.tiles import CHOW as MELD_CHOW
from hongzhong.tiles import CONCEALED_KONG as MELD_CONCEALED
from hongzhong.tiles import EXPOSED_KONG as MELD_EXPOSED
from hongzhong.tiles import PUNG as MELD_PUNG

RANDOM, GREEDY = 0, 1
"""Policies by number."""
POLICIES: Final = ("random", "greedy")
UNSEEN: Final = 0
"""Row of ``work`` for the copies of each kind that the seat has not seen; the next ones: distance after a discard, kinds worth drawing."""
AFTER, WORTH = 1, 2
FAR: Final = 99
WORK_SHAPE: Final = (3, 40)

TYPES.update({"work": nt.int64[:, ::1], "policies": nt.int64[::1]})


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
def distance_after(tables, rules, state, seat, action, tile):
    """The seat's distance once it has done the action; ``PASS``: as it stands. A claimed hand cannot be won before it discards."""
    if action == PASS:
        return distance(tables, rules, state, seat)
    try_action(state, seat, action, tile)
    found = max(np.int64(0), distance(tables, rules, state, seat))
    untry_action(state, seat, action, tile)
    return found


@kernel
def count_unseen(rules, state, seat, work):
    """Copies of each kind that are neither in the seat's hand nor open on the table. Others' hidden kongs are not looked into (C7)."""
    for kind in range(34):
        work[UNSEEN, kind] = rules["copies"][kind] - state["count"][seat, kind]
    for other in range(4):
        for place in range(state["river_count"][other]):
            kind = np.int64(state["river"][other, place])
            if kind < RIVER_CLAIMED:
                work[UNSEEN, kind] -= 1
        for place in range(state["meld_count"][other]):
            form = state["meld_form"][other, place]
            kind = np.int64(state["meld_kind"][other, place])
            if form == MELD_CHOW:
                for step in range(3):
                    work[UNSEEN, kind + step] -= 1
            elif form != MELD_CONCEALED or other == seat or rules["concealed_kong_visible"]:
                work[UNSEEN, kind] -= 3 if form == MELD_PUNG else 4


@kernel
def drawn_distance(tables, rules, state, seat, lost, gained):
    """Distance with one tile more and, unless ``lost`` is -1, one less."""
    if lost >= 0:
        remove_tile(state, seat, lost)
    add_tile(state, seat, gained)
    found = distance(tables, rules, state, seat)
    remove_tile(state, seat, gained)
    if lost >= 0:
        add_tile(state, seat, lost)
    return found


@kernel
def mark_worth(tables, rules, state, seat, best, work):
    """Marks the unseen natural kinds that could bring a hand of 3n + 2 below ``best`` whatever it discards; their unseen copies.

    No discard makes a kind worth drawing that is not so with the tile kept.
    """
    copies = np.int64(0)
    for kind in range(34):
        work[WORTH, kind] = 0
        if work[UNSEEN, kind] <= 0 or state["count"][seat, kind] >= 4 or (state["wild"] >> kind) & 1:
            continue
        if drawn_distance(tables, rules, state, seat, np.int64(-1), np.int64(kind)) < best:
            work[WORTH, kind] = 1
            copies += work[UNSEEN, kind]
    return copies


@kernel
def worth_after(tables, rules, state, seat, best, kind, work):
    """Unseen copies that bring the hand nearer once ``kind`` is discarded."""
    copies = np.int64(0)
    for gained in range(34):
        if work[WORTH, gained] and gained != kind:
            if drawn_distance(tables, rules, state, seat, kind, np.int64(gained)) < best:
                copies += work[UNSEEN, gained]
    return copies


@kernel
def links(state, seat, kind):
    """How much of the hand lies around a kind: 4 a copy, 2 a neighbour, 1 next but one. Wild tiles go last."""
    if (state["wild"] >> kind) & 1:
        return np.int64(1000)
    total = 4 * np.int64(state["count"][seat, kind])
    if kind < 27:
        rank = kind % 9
        if rank > 0:
            total += 2 * np.int64(state["count"][seat, kind - 1])
        if rank < 8:
            total += 2 * np.int64(state["count"][seat, kind + 1])
        if rank > 1:
            total += np.int64(state["count"][seat, kind - 2])
        if rank < 7:
            total += np.int64(state["count"][seat, kind + 2])
    return total


@kernel
def loosest(state, seat, best, work):
    """Of the discards that keep ``best``, the kind with the fewest links, the highest of equals; -1 when none is left."""
    choice = np.int64(-1)
    fewest = np.int64(1 << 20)
    for kind in range(34):
        if work[AFTER, kind] == best:
            found = links(state, seat, np.int64(kind))
            if found <= fewest:
                fewest = found
                choice = np.int64(kind)
    return choice


@kernel
def best_discard(tables, rules, state, seat, best, work):
    """Among the discards that keep ``best``: most unseen copies to draw, then fewest links."""
    choice = loosest(state, seat, best, work)
    work[AFTER, choice] = FAR
    kind = loosest(state, seat, best, work)
    if kind < 0:
        return choice
    count_unseen(rules, state, seat, work)
    most = mark_worth(tables, rules, state, seat, best, work)
    copies = worth_after(tables, rules, state, seat, best, choice, work)
    while kind >= 0 and copies < most:
        found = worth_after(tables, rules, state, seat, best, kind, work)
        if found > copies:
            copies = found
            choice = kind
        work[AFTER, kind] = FAR
        kind = loosest(state, seat, best, work)
    return choice


@kernel
def greedy(tables, rules, state, seat, actions, n_actions, work):
    """Wins when it may; else the action that leaves the fewest tiles missing, claims only if they bring it nearer, kongs if not farther."""
    for kind in range(34):
        work[AFTER, kind] = FAR
    tile = state["offer_tile"]
    passing = np.int64(-1)
    best = np.int64(FAR)
    meld = np.int64(-1)
    meld_best = np.int64(FAR)
    for place in range(n_actions):
        action = actions[place]
        if action in (WIN_BY_DRAW, WIN_BY_CLAIM):
            return action
        if action == FALSE_WIN:
            continue
        if action == PASS:
            passing = action
            if n_actions == 1:
                return action
        found = distance_after(tables, rules, state, seat, action, tile)
        if action < PASS:
            work[AFTER, action] = found
        if action <= PASS:
            best = min(best, found)
        elif found < meld_best:
            meld_best = found
            meld = action
    if meld >= 0 and (meld_best < best or (meld_best == best and meld >= ADDED_KONG)):
        return meld
    if passing >= 0:
        return passing
    return best_discard(tables, rules, state, seat, best, work)


@kernel
def choose(tables, rules, state, seat, policy, actions, n_actions, random, place, work):
    """The action of a policy among ``actions[:n_actions]``."""
    if policy == RANDOM:
        return actions[below(random, place, n_actions)]
    return greedy(tables, rules, state, seat, actions, n_actions, work)


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
def choose_greedy(all_tables, all_rules, states, seat, tile, actions, n_actions, work, counts, rows, n_rows):
    """The greedy action of a seat that knows what ``show_table`` takes and is asked about ``tile``. ``states[0]``, ``work``: scratch."""
    state = states[0]
    show_table(all_rules[0], state, seat, counts, rows, n_rows)
    state["offer_tile"] = tile
    return greedy(all_tables[0], all_rules[0], state, seat, actions, n_actions, work)
