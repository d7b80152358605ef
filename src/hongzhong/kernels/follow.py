"""How the searching seat goes on in a playout: towards the aim (aims.py) that may bring most, looked for anew every few turns.

Without it playouts would take every hand for a quick one, and dear hands, which ``value`` lives by under many sheets, for nothing.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.actions import ADDED_KONG, FALSE_WIN, PASS, WIN_BY_CLAIM, WIN_BY_DRAW
from hongzhong.aims import MIXED, PUNGS, SETS, STRAIGHT
from hongzhong.kernels.aiming import NO_AIM, aim_distance
from hongzhong.kernels.gains import aim_worth
from hongzhong.kernels.hand import add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.policy import any_tile, copies_around, try_action, untry_action

TURNS_AN_AIM: Final = 3
"""Own turns for which an aim is kept."""
_DEEPEST: Final = 6


@unit
def pick_aim(tables, all_rules, state, seat, weights, chance):
    """The aim that may bring most from the hand as it lies, by distance and income alone; 0 for the quickest hand."""
    choice = np.int64(0)
    best = -1e9
    for number in range(1, all_rules.shape[0]):
        aim = all_rules[number]
        depth = aim_distance(tables, aim, state, seat)
        if depth > _DEEPEST:
            continue
        worth = aim_worth(
            all_rules[0], aim, state, seat, weights, chance, np.int64(number), max(np.int64(0), depth), np.int64(-1),
            np.int64(0), np.int64(0),
        )  # fmt: skip
        if worth > best:
            best = worth
            choice = np.int64(0 if aim["aim_way"] == SETS and aim["aim_suit"] < 0 else number)
    return choice


@kernel
def by_distance(rules):
    """Whether an aim is none that narrowed rules alone describe, so that only its distance tells the way."""
    way = rules["aim_way"]
    return way in (PUNGS, STRAIGHT, MIXED) and rules["aim_kinds"] != 0


@kernel
def follow_turn(tables, aim, state, seat, actions, n_actions, outlook):
    """Wins if it may; else the loosest of the discards that leave the hand nearest to the aim."""
    nearest = np.int64(NO_AIM + 1)
    least = np.int64(0)
    choice = np.int64(-1)
    for place in range(n_actions):
        kind = actions[place]
        if kind in (WIN_BY_DRAW, PASS):
            return kind
        if kind > PASS or (state["wild"] >> kind) & 1:
            continue
        remove_tile(state, seat, kind)
        found = aim_distance(tables, aim, state, seat)
        add_tile(state, seat, kind)
        if found > nearest:
            continue
        around = copies_around(state, seat, kind, outlook)
        if found < nearest or around < least:
            nearest, least, choice = found, around, kind
    return choice if choice >= 0 else any_tile(state, seat)


@kernel
def follow_claim(tables, aim, state, seat, actions, n_actions):
    """The claim that brings the hand nearest to the aim, if it brings it nearer at all; a win if there is one."""
    best = aim_distance(tables, aim, state, seat)
    choice = np.int64(PASS)
    for place in range(n_actions):
        action = actions[place]
        if action == WIN_BY_CLAIM:
            return action
        if action in (PASS, FALSE_WIN) or action >= ADDED_KONG:
            continue
        try_action(state, seat, action, state["offer_tile"])
        found = aim_distance(tables, aim, state, seat)
        untry_action(state, seat, action, state["offer_tile"])
        if found < best:
            best = found
            choice = action
    return choice
