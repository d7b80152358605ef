"""Many requests at once: a hand laid out from bytes, scored, its reading and payments written as numbers."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from hongzhong.kernels.distance import formal_distance
from hongzhong.kernels.hand import add_meld, add_tile, clear_seat, remove_tile
from hongzhong.kernels.jit import entry, kernel, unit
from hongzhong.kernels.payment import pay_win
from hongzhong.kernels.readings import ROW_BEST, ROW_USED, SHOWN
from hongzhong.kernels.scoring import BEST_COUNT, BEST_FORM, BEST_PAIR, BEST_SETS, FORM_SETS, score_hand
from hongzhong.kernels.waits import find_waits
from hongzhong.layout import CLOSED_WAIT, EDGE_WAIT, MIDDLE_FIVE, SINGLE_WAIT
from hongzhong.tiles import CHOW, PUNG

NO_SEAT: Final = 255
WANT_TEXT, WANT_ADVICE = 1, 2
"""``wants`` of a request: the reading; for a hand that does not win, its waits."""
(
    ASK_RULES, ASK_RULES_HIGH, ASK_WANTS, ASK_TILE, ASK_HOW, ASK_FACTS, ASK_WINNER, ASK_DEALER, ASK_SOURCE,
    ASK_MELDS, ASK_TILES,
) = range(11)  # fmt: skip
ASK_MELD: Final = 11
"""Four melds follow, form and kind each, then the concealed tiles."""
ASK_CONCEALED: Final = ASK_MELD + 8
REQUEST_SIZE: Final = ASK_CONCEALED + 13
"""Bytes of a request."""
(
    SAID_POINTS, SAID_BITS, SAID_PASSED, SAID_FORM, SAID_COUNT, SAID_PAIR, SAID_WAITS,
) = range(7)  # fmt: skip
SAID_SETS: Final = 7
SAID_PAYMENTS: Final = 11
VERDICT_SIZE: Final = 15
"""Numbers of a verdict: four sets follow in display order, then four payments."""
IMPOSSIBLE: Final = -2
"""Points of a hand with too many copies of a kind."""
WAIT_BITS: Final = 1 << EDGE_WAIT | 1 << CLOSED_WAIT | 1 << SINGLE_WAIT | 1 << MIDDLE_FIVE


@kernel
def lay_out(rules, state, requests, row):
    """Seat 0 holds the hand of a request, without the winning tile."""
    clear_seat(state, np.int64(0))
    state["wild"] = rules["wild"]
    for i in range(requests[row, ASK_TILES]):
        add_tile(state, np.int64(0), np.int64(requests[row, ASK_CONCEALED + i]))
    for i in range(requests[row, ASK_MELDS]):
        place = ASK_MELD + 2 * i
        add_meld(state, np.int64(0), np.int64(requests[row, place]), np.int64(requests[row, place + 1]), np.int64(0))


@kernel
def too_many(rules, state, requests, row):
    """Whether a request holds more copies of a kind than the rule set has: such tiles cannot be laid out."""
    copies = state["scratch"][ROW_USED]
    for kind in range(34):
        copies[kind] = 0
    copies[requests[row, ASK_TILE]] += 1
    for i in range(requests[row, ASK_TILES]):
        copies[requests[row, ASK_CONCEALED + i]] += 1
    for i in range(requests[row, ASK_MELDS]):
        form = requests[row, ASK_MELD + 2 * i]
        kind = requests[row, ASK_MELD + 2 * i + 1]
        if form == CHOW:
            for step in range(3):
                copies[kind + step] += 1
        else:
            copies[kind] += 3 if form == PUNG else 4
    over = np.int64(0)
    for kind in range(34):
        over = max(over, copies[kind] - rules["copies"][kind])
    return over > 0


@unit
def advise(tables, rules, state, tile, verdicts, row):
    """What a hand waits for without the last tile, which it then holds in ``state``, so that its distance can be asked."""
    verdicts[row, SAID_WAITS] = find_waits(tables, rules, state, np.int64(0))
    if state["count"][0, tile] < 4:
        add_tile(state, np.int64(0), tile)


@kernel
def is_short(tables, rules, state, tile):
    """Whether tiles are missing even at best, so that no reading need be searched for where nobody asks why."""
    add_tile(state, np.int64(0), tile)
    short = formal_distance(tables, rules, state, np.int64(0)) >= 0
    remove_tile(state, np.int64(0), tile)
    return short


@kernel
def write_reading(state, verdicts, row):
    best = state["scratch"][ROW_BEST]
    verdicts[row, SAID_FORM] = best[BEST_FORM]
    verdicts[row, SAID_COUNT] = best[BEST_COUNT]
    verdicts[row, SAID_PAIR] = best[BEST_PAIR]
    if best[BEST_FORM] == FORM_SETS:
        for i in range(best[BEST_COUNT]):
            verdicts[row, SAID_SETS + i] = SHOWN[best[BEST_SETS + i]]


@entry
def judge(
    all_tables: Any, all_rules: Any, states: Any, requests: Any, verdicts: Any, out: Any, n_requests: int
) -> None:
    """Answers rows of ``requests`` in ``verdicts``. ``states`` and ``out`` are scratch; a request names its rules by number."""
    state = states[0]
    tables = all_tables[0]
    for row in range(n_requests):
        rules = all_rules[requests[row, ASK_RULES] + 256 * np.int64(requests[row, ASK_RULES_HIGH])]
        if too_many(rules, state, requests, row):
            verdicts[row, SAID_POINTS] = IMPOSSIBLE
            continue
        lay_out(rules, state, requests, row)
        wants = requests[row, ASK_WANTS]
        tile = np.int64(requests[row, ASK_TILE])
        how = np.int64(requests[row, ASK_HOW])
        if rules["priced"] & WAIT_BITS:
            find_waits(tables, rules, state, np.int64(0))
        with_text = wants & WANT_TEXT != 0
        facts = np.int64(requests[row, ASK_FACTS])
        if wants == 0 and is_short(tables, rules, state, tile):
            verdicts[row, SAID_POINTS] = -1
            verdicts[row, SAID_BITS] = 0
            continue
        points = score_hand(tables, rules, state, np.int64(0), tile, how, facts, np.int64(7), with_text)
        verdicts[row, SAID_POINTS] = points
        verdicts[row, SAID_BITS] = state["win_bits"][0]
        verdicts[row, SAID_PASSED] = state["win_passed"]
        if with_text:
            write_reading(state, verdicts, row)
        if points < 0:
            if wants & WANT_ADVICE:
                advise(tables, rules, state, tile, verdicts, row)
        elif requests[row, ASK_WINNER] != NO_SEAT:
            for seat in range(4):
                out[seat] = 0
            dealer = np.int64(requests[row, ASK_DEALER])
            winner = np.int64(requests[row, ASK_WINNER])
            pay_win(rules, dealer, winner, np.int64(requests[row, ASK_SOURCE]), how, points, out)
            for seat in range(4):
                verdicts[row, SAID_PAYMENTS + seat] = out[seat]
