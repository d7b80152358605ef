"""Playouts of the bot ``search``: hidden tiles as they may lie, one action, then quick play to the end of the hand.

All seats play nearly as ``greedy`` does, but count useful copies only once they are ready: before, the loosest tile that is not needed goes,
and a drawn tile with nothing beside it at once.
The seat that searches may follow an aim (aims.py) or keep its hand closed. All candidates are tried in the same worlds.
"""

from __future__ import annotations

import numpy as np

from hongzhong.actions import PASS, WIN_BY_CLAIM, WIN_BY_DRAW
from hongzhong.kernels.claims import ask
from hongzhong.kernels.follow import TURNS_AN_AIM, by_distance, follow_claim, follow_turn, pick_aim
from hongzhong.kernels.hand import add_tile, remove_tile
from hongzhong.kernels.jit import entry, kernel, unit
from hongzhong.kernels.legal import legal
from hongzhong.kernels.log import CLAIM, OVER, TURN
from hongzhong.kernels.outlook import rate_discards
from hongzhong.kernels.policy import any_tile, best_discard, greedy
from hongzhong.kernels.step import step
from hongzhong.kernels.table import asked_seat
from hongzhong.kernels.waits import find_waits
from hongzhong.kernels.worlds import fill_world, loosest

LAID, WORLD, PLAYED = range(3)
"""The states of a search: the table as seen, with hidden tiles filled in, a copy that is played to the end."""
ACTION, AIM, CLOSED, ALIVE = range(4)
"""Columns of a candidate: the action, the aim that is followed after it (0: none, -1: whichever may bring most at the time), whether claims
are declined, whether it is still tried."""
SUM, SQUARES, COUNT = range(3)
"""Columns of what playouts brought to a candidate."""


@kernel
def stands_alone(state, seat, kind):
    """Whether a tile just drawn has nothing beside it, in a suit of which the hand holds little."""
    if state["count"][seat, kind] != 1:
        return False
    if kind >= 27:
        return True
    rank = kind % 9
    near = np.int64(0)
    suit = np.int64(0)
    for other in range(9):
        held = np.int64(state["count"][seat, kind - rank + other])
        suit += held
        if abs(other - rank) <= 2:
            near += held
    return near == 1 and suit < 5


@unit
def quick(tables, rules, state, seat, actions, n_actions, outlook):
    """What any seat does in a playout."""
    if actions[0] >= PASS or actions[n_actions - 1] > PASS:
        return greedy(tables, rules, state, seat, actions, n_actions, outlook)
    drawn = state["drawn"]
    if (
        drawn >= 0
        and rules["aim_kinds"] == 0
        and (state["wild"] >> drawn) & 1 == 0
        and stands_alone(state, seat, drawn)
    ):
        return drawn
    if rate_discards(tables, rules, state, seat, outlook) == 0:
        return best_discard(tables, rules, state, seat, np.int64(0), outlook)
    kind = loosest(state, seat, outlook)
    return kind if kind >= 0 else any_tile(state, seat)


@kernel
def own_choice(tables, all_rules, state, seat, number, closed, actions, n_actions, outlook):
    """The searching seat's later answers, towards the aim of a number."""
    if closed and actions[0] == PASS:
        for place in range(n_actions):
            if actions[place] in (WIN_BY_CLAIM, WIN_BY_DRAW):
                return actions[place]
        return np.int64(PASS)
    aim = all_rules[number]
    if not by_distance(aim):
        return quick(tables, aim, state, seat, actions, n_actions, outlook)
    if state["phase"] == TURN:
        return follow_turn(tables, aim, state, seat, actions, n_actions, outlook)
    return follow_claim(tables, aim, state, seat, actions, n_actions)


@unit
def play_out(tables, all_rules, state, seat, action, number, closed, weights, chance, actions, events, outlook):
    """Plays the hand to its end, the seat beginning with ``action`` and going on towards an aim; the points that it ends with.
    ``weights``, ``chance``: those of ``value``, after it looked at the table."""
    rules = all_rules[0]
    first = True
    turns = np.int64(0)
    aim = number
    while state["phase"] != OVER:
        other = asked_seat(state)
        if other == seat and first:
            chosen = action
            first = False
        else:
            n_actions = legal(rules, state, other, actions)
            if other == seat:
                if number < 0 and (aim < 0 or state["phase"] == TURN):
                    if aim < 0 or turns % TURNS_AN_AIM == 0:
                        aim = pick_aim(tables, all_rules, state, seat, weights, chance)
                    turns += 1
                chosen = own_choice(tables, all_rules, state, seat, aim, closed, actions, n_actions, outlook)
            else:
                chosen = quick(tables, rules, state, other, actions, n_actions, outlook)
        step(tables, rules, state, events, other, chosen)
    return state["scores"][seat]


@kernel
def open_world(tables, rules, states, seat, random, place, out, outlook):
    """A world for the table in ``states[LAID]``, up to the prompt that the search is about."""
    states[WORLD] = states[LAID]
    state = states[WORLD]
    fill_world(tables, rules, state, seat, random, place, out, outlook)
    if state["phase"] == TURN:
        if state["drawn"] >= 0:
            remove_tile(state, seat, state["drawn"])
            find_waits(tables, rules, state, seat)
            add_tile(state, seat, state["drawn"])
        return True
    find_waits(tables, rules, state, seat)
    return ask(rules, state, np.int64(CLAIM), state["offer_tile"], state["offer_from"])


@entry
def try_worlds(
    all_tables, all_rules, states, seat, random, rows, n_rows, out, weights, chance, actions, events, outlooks, notes
):  # fmt: skip
    """Tries every living candidate of ``rows`` in a new world for each generator of ``random``; what they bring is added to ``notes``."""
    tables = all_tables[0]
    n_worlds = np.int64(0)
    for place in range(random.shape[0]):
        if not open_world(tables, all_rules[0], states, seat, random, np.int64(place), out, outlooks[0]):
            continue
        n_worlds += 1
        for row in range(n_rows):
            if not rows[row, ALIVE]:
                continue
            states[PLAYED] = states[WORLD]
            points = play_out(
                tables, all_rules, states[PLAYED], seat, rows[row, ACTION], rows[row, AIM], rows[row, CLOSED], weights,
                chance, actions, events, outlooks[0],
            )  # fmt: skip
            notes[row, SUM] += points
            notes[row, SQUARES] += points * points
            notes[row, COUNT] += 1.0
    return n_worlds
