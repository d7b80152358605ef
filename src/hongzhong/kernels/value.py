"""How the bot ``value`` chooses: the points that each action may be expected to bring, from what the seat sees.

For each aim (aims.py) the chance to get there turn by turn, against the chance that another seat ends the hand, times what the
sheet pays for it; a hand that is ready is priced exactly, wait by wait. From a discard the danger of dealing in is taken off.
"""

from __future__ import annotations

import numpy as np

from hongzhong.actions import (
    ADDED_KONG,
    CHOW_LOW,
    CONCEALED_KONG,
    FALSE_WIN,
    PASS,
    PUNG,
    WIN_BY_CLAIM,
    WIN_BY_DRAW,
)
from hongzhong.aims import SETS
from hongzhong.kernels.aiming import NO_AIM, aim_distance, aim_useful
from hongzhong.kernels.claims import chow_offers
from hongzhong.kernels.danger import DEALS_IN, fill_danger
from hongzhong.kernels.gains import BASE, WINS, aim_worth, expect, fill_incomes, note_unseen, price_waits
from hongzhong.kernels.hand import add_tile, remove_tile
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.log import TURN
from hongzhong.kernels.payment import pay_win
from hongzhong.kernels.policy import copies_around, try_action, untry_action
from hongzhong.kernels.scoring import score_hand
from hongzhong.kernels.waits import find_waits
from hongzhong.kernels.weights import (
    CLAIM_COST,
    DEAL_LOSS,
    FARTHER,
    KONG,
    MIX,
    PASS_WIN,
)
from hongzhong.layout import BY_DISCARD, BY_DRAW

TOTAL, ATTACK, DANGER, DISTANCE, USEFUL, AIM = range(6)
"""Columns of ``notes``, a row for each action: points expected in all, to be gained by winning; the chance that the discard deals in; tiles
missing from the best aim, unseen copies that bring it nearer (of a ready hand: that win), the aim's number (0: a ready hand)."""
N_NOTES = 6
STAND = 34
"""The place of a hand that is looked at without a discard."""
DEEPEST = 8
"""Hands farther than this from an aim do not aim at it."""
LOOSE = 1e-5
"""Of discards that are as good the tile with least around it goes."""


@kernel
def ready_worth(tables, rules, state, seat, weights, chance, outlook, notes, slot, out):
    """Points to be gained by a ready hand."""
    copies = price_waits(tables, rules, state, seat, weights, chance, outlook, out)
    notes[slot, DISTANCE] = 0
    notes[slot, USEFUL] = copies
    notes[slot, AIM] = 0
    return expect(rules, state, weights, chance, np.int64(0), np.int64(WINS))


@kernel
def fill_distances(tables, all_rules, state, seat, standing, after):
    """``after[aim, kind]``: the distance that a discard leaves, at ``STAND`` that of the hand as it stands; in the next place the least."""
    nearest = np.int64(NO_AIM)
    for number in range(1, all_rules.shape[0]):
        after[number, STAND] = aim_distance(tables, all_rules[number], state, seat)
        nearest = min(nearest, after[number, STAND])
    for number in range(1, all_rules.shape[0]):
        after[number, STAND + 1] = after[number, STAND] if standing else NO_AIM
        far = after[number, STAND] > nearest + 3
        if far:
            after[number, STAND + 1] = NO_AIM
        if standing:
            continue
        for kind in range(34):
            after[number, kind] = NO_AIM
            if not far and state["count"][seat, kind] > 0:
                remove_tile(state, seat, np.int64(kind))
                after[number, kind] = aim_distance(tables, all_rules[number], state, seat)
                add_tile(state, seat, np.int64(kind))
                after[number, STAND + 1] = min(after[number, STAND + 1], after[number, kind])


@unit
def look(tables, all_rules, state, seat, number, slot, depth, weights, chance, outlook, notes):
    """Counts what brings the hand nearer to an aim, and what that is worth; notes it where it is the best so far."""
    aim = all_rules[number]
    mask = aim_useful(tables, aim, state, seat, depth, outlook)
    copies = np.int64(0)
    pungs = np.int64(0)
    chows = np.int64(0)
    for kind in range(34):
        if (mask >> kind) & 1 == 0:
            continue
        copies += outlook["unseen"][kind]
        if (state["wild"] >> kind) & 1:
            continue
        if state["count"][seat, kind] >= 2:
            pungs += outlook["unseen"][kind]
        elif all_rules[0]["chow"] and aim["aim_way"] == SETS and chow_offers(state, seat, np.int64(kind)) != 0:
            chows += outlook["unseen"][kind]
    worth = aim_worth(all_rules[0], aim, state, seat, weights, chance, number, depth, copies, pungs, chows)
    if worth > notes[slot, ATTACK]:
        notes[slot, ATTACK] = worth
        notes[slot, DISTANCE] = depth
        notes[slot, USEFUL] = copies
        notes[slot, AIM] = number
    return worth


@kernel
def guess(all_rules, state, seat, number, slot, depth, weights, chance, notes):
    """What an aim may bring that was not looked into, as the discard leads away from it; noted where it is the best so far."""
    worth = aim_worth(
        all_rules[0], all_rules[number], state, seat, weights, chance, number, depth, np.int64(-1), np.int64(0),
        np.int64(0),
    )  # fmt: skip
    worth *= 1.0 - weights[FARTHER]
    if worth > notes[slot, ATTACK]:
        notes[slot, ATTACK] = worth
        notes[slot, DISTANCE] = depth
        notes[slot, USEFUL] = -1
        notes[slot, AIM] = number
    return worth


@unit
def look_at(tables, all_rules, state, seat, slot, bar, weights, chance, outlook, notes, after, out):
    """All aims worth a look for the hand as it lies, after the discard named by ``slot``. ``bar``: place of the least worth a look."""
    notes[slot, ATTACK] = -1e9
    nearest = np.int64(NO_AIM)
    plain = 0.0
    for number in range(1, all_rules.shape[0]):
        nearest = min(nearest, after[number, slot])
    for number in range(1, all_rules.shape[0]):
        depth = after[number, slot]
        if depth > DEEPEST or depth <= 0:
            continue
        if depth <= after[number, STAND + 1] and chance[bar + number] >= chance[bar]:
            worth = look(tables, all_rules, state, seat, np.int64(number), slot, depth, weights, chance, outlook, notes)
        else:
            worth = guess(all_rules, state, seat, np.int64(number), slot, depth, weights, chance, notes)
        plain += worth
    if nearest <= 0:
        other = notes[slot, ATTACK]
        distance, useful, aim = notes[slot, DISTANCE], notes[slot, USEFUL], notes[slot, AIM]
        worth = ready_worth(tables, all_rules[0], state, seat, weights, chance, outlook, notes, slot, out)
        plain += worth
        notes[slot, ATTACK] = max(worth, other)
        if other > worth:
            notes[slot, DISTANCE] = distance
            notes[slot, USEFUL] = useful
            notes[slot, AIM] = aim
    return notes[slot, ATTACK] + weights[MIX] * (plain - notes[slot, ATTACK])


@kernel
def set_bars(all_rules, state, seat, bar, weights, chance, after):
    """What each aim may bring at its nearest, roughly; half of the most is the least worth a closer look."""
    most = 0.0
    for number in range(1, all_rules.shape[0]):
        depth = after[number, STAND + 1]
        chance[bar + number] = -1e9
        if depth <= DEEPEST:
            chance[bar + number] = aim_worth(
                all_rules[0], all_rules[number], state, seat, weights, chance, np.int64(number), max(np.int64(0), depth),
                np.int64(-1), np.int64(0), np.int64(0),
            )  # fmt: skip
            most = max(most, chance[bar + number])
    chance[bar] = 0.5 * most


@unit
def stand(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out):
    """Points to be gained by 3n + 1 concealed tiles as they stand; notes them at ``STAND``."""
    fill_incomes(all_rules, state, seat, chance, out)
    fill_distances(tables, all_rules, state, seat, np.int64(1), after)
    set_bars(all_rules, state, seat, np.int64(DEALS_IN + 40), weights, chance, after)
    return look_at(
        tables, all_rules, state, seat, np.int64(STAND), np.int64(DEALS_IN + 40), weights, chance, outlook, notes, after,
        out,
    )  # fmt: skip


@unit
def best_discard(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out):
    """The discard of 3n + 2 concealed tiles that may bring most, each noted in its row; wild tiles only where nothing else is held."""
    fill_incomes(all_rules, state, seat, chance, out)
    fill_distances(tables, all_rules, state, seat, np.int64(0), after)
    set_bars(all_rules, state, seat, np.int64(DEALS_IN + 40), weights, chance, after)
    natural = np.int64(0)
    for kind in range(34):
        if (state["wild"] >> kind) & 1 == 0:
            natural += state["count"][seat, kind]
    choice = np.int64(-1)
    for kind in range(34):
        if state["count"][seat, kind] == 0 or (natural > 0 and (state["wild"] >> kind) & 1):
            continue
        remove_tile(state, seat, np.int64(kind))
        worth = look_at(
            tables, all_rules, state, seat, np.int64(kind), np.int64(DEALS_IN + 40), weights, chance, outlook, notes,
            after, out,
        )  # fmt: skip
        add_tile(state, seat, np.int64(kind))
        danger = chance[DEALS_IN + kind]
        notes[kind, DANGER] = danger
        notes[kind, TOTAL] = (worth + chance[BASE]) * (1.0 - danger) - danger * weights[DEAL_LOSS]
        notes[kind, TOTAL] -= LOOSE * copies_around(state, seat, np.int64(kind), outlook)
        if choice < 0 or notes[kind, TOTAL] > notes[choice, TOTAL]:
            choice = np.int64(kind)
    return choice


@kernel
def copy_note(notes, source, action):
    for column in range(N_NOTES):
        notes[action, column] = notes[source, column]


@kernel
def kong_income(rules, action):
    """Points that a kong brings at once (C9)."""
    form = 0 if action < ADDED_KONG else (1 if action < CONCEALED_KONG else 2)
    payers = 1 if form == 0 and rules["kong_payer"] else 3
    return rules["kong_points"][form] * rules["base_point"] * payers


@kernel
def value_kong(tables, all_rules, state, seat, action, weights, chance, outlook, notes, after, out):
    """Notes what a kong may bring: the hand it leaves, a tile more to draw, what is paid for it."""
    try_action(state, seat, action, state["offer_tile"])
    worth = stand(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out)
    untry_action(state, seat, action, state["offer_tile"])
    copy_note(notes, np.int64(STAND), action)
    notes[action, DANGER] = 0.0
    notes[action, TOTAL] = worth * (1.0 + weights[KONG]) + chance[BASE] + kong_income(all_rules[0], action)


@kernel
def value_win(tables, rules, state, seat, action, tile, source, notes, out):
    """Notes what winning on a tile brings, but for the facts of the moment (a replacement, the last tile)."""
    how = np.int64(BY_DRAW if action == WIN_BY_DRAW else BY_DISCARD)
    kept = state["waits"][seat]
    find_waits(tables, rules, state, seat)
    points = score_hand(tables, rules, state, seat, tile, how, np.int64(0), np.int64(7), False)
    state["waits"][seat] = kept
    for other in range(4):
        out[other] = 0
    pay_win(rules, state["dealer"], seat, source, how, points, out)
    notes[action, TOTAL] = out[seat]
    notes[action, ATTACK] = out[seat]
    notes[action, DANGER] = 0.0
    notes[action, DISTANCE] = -1
    notes[action, USEFUL] = -1
    notes[action, AIM] = 0


@kernel
def value_turn(tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out):
    """The action on an own turn that may bring most; a hand that may win wins."""
    drawn = state["drawn"]
    for place in range(n_actions):
        if actions[place] == WIN_BY_DRAW:
            remove_tile(state, seat, drawn)
            value_win(tables, all_rules[0], state, seat, actions[place], drawn, seat, notes, out)
            add_tile(state, seat, drawn)
            return np.int64(WIN_BY_DRAW)
    if actions[0] == PASS:
        return np.int64(PASS)
    choice = best_discard(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out)
    for place in range(n_actions):
        if actions[place] >= ADDED_KONG:
            value_kong(tables, all_rules, state, seat, actions[place], weights, chance, outlook, notes, after, out)
            if notes[actions[place], TOTAL] > notes[choice, TOTAL]:
                choice = actions[place]
    return choice


@kernel
def value_claim(tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out):
    """The answer to another's tile that may bring most."""
    tile = state["offer_tile"]
    worth = stand(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out)
    copy_note(notes, np.int64(STAND), np.int64(PASS))
    notes[PASS, DANGER] = 0.0
    notes[PASS, TOTAL] = worth + chance[BASE]
    choice = np.int64(PASS)
    for place in range(n_actions):
        action = actions[place]
        if action in (PASS, FALSE_WIN):
            continue
        if action == WIN_BY_CLAIM:
            notes[PASS, TOTAL] = worth * weights[PASS_WIN] + chance[BASE]
            value_win(tables, all_rules[0], state, seat, action, tile, state["offer_from"], notes, out)
        elif action == PUNG or action in (CHOW_LOW, CHOW_LOW + 1, CHOW_LOW + 2):
            try_action(state, seat, action, tile)
            kind = best_discard(tables, all_rules, state, seat, weights, chance, outlook, notes, after, out)
            untry_action(state, seat, action, tile)
            copy_note(notes, kind, action)
            notes[action, TOTAL] -= weights[CLAIM_COST] * max(0.0, notes[action, ATTACK])
        else:
            value_kong(tables, all_rules, state, seat, action, weights, chance, outlook, notes, after, out)
        if notes[action, TOTAL] > notes[choice, TOTAL]:
            choice = action
    return choice


@unit
def value(tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out):
    """The action of ``value`` among ``actions[:n_actions]``; what speaks for each is left in ``notes``."""
    rules = all_rules[0]
    points, bits = state["win_points"][seat], state["win_bits"][seat]
    note_unseen(rules, state, seat, weights, outlook, chance)
    fill_danger(rules, state, seat, weights, outlook, chance)
    if state["phase"] == TURN:
        choice = value_turn(
            tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out
        )
    else:
        choice = value_claim(
            tables, all_rules, state, seat, weights, actions, n_actions, chance, outlook, notes, after, out
        )
    state["win_points"][seat] = points
    state["win_bits"][seat] = bits
    return choice
