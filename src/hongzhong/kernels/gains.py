"""What a hand may gain: incomes of aims and of waits, and the chance to get there before another seat ends the hand."""

from __future__ import annotations

import numpy as np

from hongzhong.aims import PUNGS, SETS, STRAIGHT
from hongzhong.kernels.jit import kernel, unit
from hongzhong.kernels.patterns import way_bits
from hongzhong.kernels.payment import pay_win
from hongzhong.kernels.policy import count_unseen
from hongzhong.kernels.price import price, resolve_rows
from hongzhong.kernels.scoring import score_hand
from hongzhong.kernels.waits import find_waits
from hongzhong.kernels.wall import live_tiles
from hongzhong.kernels.weights import (
    CLAIM_LATER,
    CLAIM_RATE,
    COPIES_MORE,
    COPIES_READY,
    EXTRA,
    HAZARD,
    LAST_ROUND,
    LOSS,
    NARROW,
    WIN_RATE,
)
from hongzhong.layout import BY_DISCARD, BY_DRAW, CONCEALED
from hongzhong.rules.vocabulary import FIRST_CONDITION

ALL_CONDITIONS = 63 << FIRST_CONDITION
RATE, FILLED, WINS, BASE, INCOME = 0, 16, 32, 48, 64
"""Places in ``chance``: by level the chance a turn to get nearer; by level the chance to stand there; chances to win by draw and by discard
and their incomes; what a hand that never wins may expect; four incomes of each aim."""


@kernel
def income_of(rules, state, seat, how, points, out):
    """What the seat is paid for a win, by discard the mean over the three discarders."""
    for other in range(4):
        out[other] = 0
    if how == BY_DRAW:
        pay_win(rules, state["dealer"], seat, seat, how, points, out)
        return out[seat] * 1.0
    for step in range(1, 4):
        pay_win(rules, state["dealer"], seat, (seat + step) % 4, how, points, out)
    return out[seat] / 3.0


@kernel
def aim_income(rules, aim, state, seat, how, closed, out):
    """Income of a hand that shows what the aim is sure to show; ``closed`` 0: as if it had claimed."""
    raw = aim["aim_bits"] | way_bits(rules, state, seat, how, np.int64(0)) | np.int64(ALL_CONDITIONS)
    if not closed:
        raw &= ~(np.int64(1) << CONCEALED)
    kept, _ = resolve_rows(rules, raw)
    closed_kongs = state["concealed_kong_count"][seat]
    points, _ = price(rules, kept, state["kong_count"][seat] - closed_kongs, closed_kongs)
    return income_of(rules, state, seat, how, points, out)


@kernel
def fill_incomes(all_rules, state, seat, chance, out):
    """Income of each aim: closed by draw and by discard, opened by draw and by discard."""
    rules = all_rules[0]
    for number in range(1, all_rules.shape[0]):
        for closed in range(2):
            for way in range(2):
                how = np.int64(BY_DISCARD if way else BY_DRAW)
                place = INCOME + 4 * number + 2 * (1 - closed) + way
                chance[place] = aim_income(rules, all_rules[number], state, seat, how, np.int64(closed), out)


@unit
def expect(rules, state, weights, chance, depth, wins):
    """Points that a hand ``depth`` tiles from ready may gain over one that never wins: ``chance`` holds the chance a turn to leave each level, ``wins`` the place of
    its chances to win by draw and by discard and of the two incomes."""
    rounds = (live_tiles(rules, state) + 3) // 4
    turn = state["discards"][0] + state["discards"][1] + state["discards"][2] + state["discards"][3]
    for level in range(depth):
        chance[FILLED + level] = 0.0
    chance[FILLED + depth] = 1.0
    alive = 1.0
    total = 0.0
    for step in range(rounds):
        hazard = weights[HAZARD + min(np.int64(LAST_ROUND), turn // 4 + step)]
        drawn = chance[FILLED] * chance[wins]
        given = (chance[FILLED] - drawn) * chance[wins + 1]
        total += drawn * chance[wins + 2] + given * chance[wins + 3]
        chance[FILLED] -= drawn + given
        alive -= drawn + given
        for level in range(1, depth + 1):
            moved = chance[FILLED + level] * chance[RATE + level]
            chance[FILLED + level - 1] += moved
            chance[FILLED + level] -= moved
        total -= hazard * alive * weights[LOSS]
        alive *= 1.0 - hazard
        for level in range(depth + 1):
            chance[FILLED + level] *= 1.0 - hazard
    return total - chance[BASE]


@unit
def aim_worth(rules, aim, state, seat, weights, chance, place, depth, copies, pungs, chows):
    """Points to be gained by one aim, closed or opened, whichever is more. ``copies``: unseen ones that bring it nearer, below 0 where they
    were not counted; ``pungs``, ``chows``: those of them that could be claimed from anyone, from the upper seat."""
    way = aim["aim_way"]
    unseen = max(1.0, chance[FILLED - 1])
    start = 1.0 * (rules["n_tiles"] - 13)
    room = weights[NARROW] * unseen
    if aim["aim_suit"] >= 0 and way == SETS:
        honours = chance[INCOME - 1] if aim["aim_suit"] < 3 and (aim["aim_kinds"] >> 27) & 1 else 0.0
        room = weights[NARROW] * (chance[INCOME - 4 + aim["aim_suit"]] + honours)
    best = -1e9
    for opened in range(2):
        melds = state["meld_count"][seat] - state["concealed_kong_count"][seat]
        if (not opened and melds > 0) or (opened and way not in (SETS, PUNGS, STRAIGHT)):
            continue
        for level in range(depth + 1):
            guess = min(room, weights[COPIES_READY + way] + level * weights[COPIES_MORE + way])
            chance[RATE + level] = min(0.9, guess / start * (1.0 + opened * weights[CLAIM_LATER + way]))
        given = min(0.9, 3.0 * weights[WIN_RATE] * chance[RATE])
        if copies >= 0:
            claims = weights[CLAIM_RATE] * (3 * pungs + chows) if opened else 0.0
            chance[RATE + depth] = min(0.95, (copies + claims) / unseen)
            if depth == 0:
                given = min(0.9, 3.0 * weights[WIN_RATE] * copies / unseen)
        chance[WINS] = chance[RATE]
        chance[WINS + 1] = given if rules["discard_wins"] else 0.0
        income = INCOME + 4 * place + 2 * opened
        chance[WINS + 2] = chance[income] * weights[EXTRA]
        chance[WINS + 3] = chance[income + 1] * weights[EXTRA]
        best = max(best, expect(rules, state, weights, chance, depth, np.int64(WINS)))
    return best


@kernel
def price_waits(tables, rules, state, seat, weights, chance, outlook, out):
    """Each kind that a ready hand waits for, priced as the sheet prices it: writes its chances and incomes (see ``expect``), returns the
    unseen copies."""
    kept = state["waits"][seat]
    waits = find_waits(tables, rules, state, seat)
    copies = np.int64(0)
    given = 0.0
    drawn_income = 0.0
    given_income = 0.0
    for kind in range(34):
        unseen = outlook["unseen"][kind]
        if (waits >> kind) & 1 == 0 or unseen <= 0:
            continue
        copies += unseen
        points = score_hand(
            tables, rules, state, seat, np.int64(kind), np.int64(BY_DRAW), np.int64(0), np.int64(7), False
        )
        drawn_income += unseen * income_of(rules, state, seat, np.int64(BY_DRAW), points, out)
        if rules["discard_wins"] and (state["wild"] >> kind) & 1 == 0:
            points = score_hand(
                tables, rules, state, seat, np.int64(kind), np.int64(BY_DISCARD), np.int64(0), np.int64(7), False
            )
            given += unseen
            given_income += unseen * income_of(rules, state, seat, np.int64(BY_DISCARD), points, out)
    state["waits"][seat] = kept
    chance[WINS] = copies / max(1.0, chance[FILLED - 1])
    chance[WINS + 1] = min(0.95, 3.0 * weights[WIN_RATE] * given / max(1.0, chance[FILLED - 1]))
    chance[WINS + 2] = drawn_income / max(np.int64(1), copies)
    chance[WINS + 3] = given_income / max(1.0, given)
    return copies


@kernel
def note_unseen(rules, state, seat, weights, outlook, chance):
    """Unseen copies by kind in the outlook, in all and by suit in ``chance``; what a hand that never wins may expect."""
    count_unseen(rules, state, seat, outlook)
    chance[FILLED - 1] = 0.0
    for suit in range(4):
        chance[INCOME - 4 + suit] = 0.0
    for kind in range(34):
        copies = max(np.int64(0), outlook["unseen"][kind])
        chance[FILLED - 1] += copies
        chance[INCOME - 4 + kind // 9] += copies
    for column in range(4):
        chance[WINS + column] = 0.0
    chance[BASE] = 0.0
    chance[BASE] = expect(rules, state, weights, chance, np.int64(0), np.int64(WINS))
