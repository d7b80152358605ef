"""Batches of hands measured: each state's seat 0 holds one. Floor 4 and the benchmarks call these."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.distance import distance
from hongzhong.kernels.hand import add_meld, add_tile, clear_seat, remove_tile
from hongzhong.kernels.jit import entry
from hongzhong.kernels.waits import find_waits, useful_kinds


@entry
def lay_hands(all_rules, states, many_counts, rows):
    """Seat 0 of ``states[i]`` holds ``many_counts[i]`` (34 kinds) and the melds ``rows[i]`` (form, kind, four times; form -1: none)."""
    for i in range(many_counts.shape[0]):
        state = states[i]
        clear_seat(state, np.int64(0))
        state["wild"] = all_rules[0]["wild"]
        for kind in range(34):
            count = np.int64(many_counts[i, kind])
            state["count"][0, kind] = count
            if (state["wild"] >> kind) & 1:
                state["wild_count"][0] += count
            else:
                state["suit_key"][0, kind // 9] += count * 5 ** (kind % 9)
        for place in range(4):
            if rows[i, 2 * place] >= 0:
                add_meld(state, np.int64(0), rows[i, 2 * place], rows[i, 2 * place + 1], np.int64(0))


@entry
def distances(all_tables, all_rules, states, out):
    """``out[i]``: distance of the hand in ``states[i]``."""
    for i in range(states.shape[0]):
        out[i] = distance(all_tables[0], all_rules[0], states[i], np.int64(0))


@entry
def wait_masks(all_tables, all_rules, states, out):
    """``out[i]``: mask of the kinds that the 3n + 1 hand in ``states[i]`` waits for (H18)."""
    for i in range(states.shape[0]):
        out[i] = find_waits(all_tables[0], all_rules[0], states[i], np.int64(0))


@entry
def useful_masks(all_tables, all_rules, states, out):
    """``out[i]``: mask of the kinds that bring the 3n + 1 hand in ``states[i]`` nearer."""
    for i in range(states.shape[0]):
        _, out[i] = useful_kinds(all_tables[0], all_rules[0], states[i], np.int64(0))


@entry
def discard_tables(all_tables, all_rules, states, after, useful):
    """For the 3n + 2 hand in ``states[i]``: ``after[i, kind]`` is the distance that a discard leaves, ``useful[i, kind]`` the mask of
    the kinds that then bring it nearer. ``after`` is 99 where the kind is not held."""
    seat = np.int64(0)
    for i in range(states.shape[0]):
        state = states[i]
        for kind in range(34):
            after[i, kind] = 99
            useful[i, kind] = 0
            if state["count"][0, kind] > 0:
                remove_tile(state, seat, np.int64(kind))
                found, mask = useful_kinds(all_tables[0], all_rules[0], state, seat)
                after[i, kind] = found
                useful[i, kind] = mask
                add_tile(state, seat, np.int64(kind))
