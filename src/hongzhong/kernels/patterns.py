"""What a winning hand shows: pattern bits, condition bits. Each detector is named after what it finds."""

from __future__ import annotations

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.kernels.readings import ROW_SET
from hongzhong.layout import (
    ALL_HONOURS,
    ALL_PUNGS,
    ANY_KONG,
    AT_MOST_TWO_SUITS,
    BY_DRAW,
    CLOSED_WAIT,
    CONCEALED,
    CONCEALED_KONGS,
    EARTH,
    EDGE_WAIT,
    EIGHT_OF_SUIT,
    EXPOSED_KONGS,
    FULL_FLUSH,
    FULL_FLUSH_DOUBLED,
    HALF_FLUSH,
    HEAVEN,
    LAST_TILE,
    MELDED_HAND,
    MIDDLE_FIVE,
    PLAIN,
    PURE_STRAIGHT,
    REPLACEMENT_TILE,
    SELF_DRAWN,
    SINGLE_WAIT,
    SUIT_TILE,
    TERMINAL_OR_258,
    THREE_SUITS,
    TWO_SUITS_OR_HONOURS,
    WILD_PAIR,
)
from hongzhong.rules.vocabulary import FIRST_CONDITION
from hongzhong.tiles import CHOW

FACT_REPLACEMENT, FACT_LAST_TILE, FACT_HEAVEN, FACT_EARTH = 1, 2, 4, 8
"""The ``facts`` of a win: out with a replacement tile, on the last tile, blessings of heaven and earth."""


@kernel
def bit(index):
    return np.int64(1) << index


@kernel
def natural_tiles(state, seat, tile, suit):
    """Natural tiles of a suit (3: honours) in melds and hand, the winning tile included."""
    total = np.int64(state["meld_suit_tiles"][seat, suit])
    for kind in range(suit * 9, min(suit * 9 + 9, 34)):
        if (state["wild"] >> kind) & 1 == 0:
            total += state["count"][seat, kind]
            if kind == tile:
                total += 1
    return total


@kernel
def way_bits(rules, state, seat, how, facts):
    """Bits of the way of winning and of the melds, the same for every reading."""
    bits = bit(PLAIN)
    if how == BY_DRAW:
        bits |= bit(SELF_DRAWN)
        if facts & 1:
            bits |= bit(REPLACEMENT_TILE)
    if facts & 2 and (how == BY_DRAW or rules["last_discard_counts"]):
        bits |= bit(LAST_TILE)
    if facts & 4:
        bits |= bit(HEAVEN)
    if facts & 8:
        bits |= bit(EARTH)
    closed_kongs = state["concealed_kong_count"][seat]
    kongs = state["kong_count"][seat]
    if kongs > 0:
        bits |= bit(ANY_KONG)
    if kongs > closed_kongs:
        bits |= bit(EXPOSED_KONGS)
    if closed_kongs > 0:
        bits |= bit(CONCEALED_KONGS)
    exposed = state["meld_count"][seat] - closed_kongs
    may_be_discard = how == BY_DRAW or rules["concealed_on_discard"]
    if exposed == 0 and (closed_kongs == 0 or rules["concealed_kong_keeps_concealed"]) and may_be_discard:
        bits |= bit(CONCEALED)
    if state["meld_count"][seat] == 4:
        bits |= bit(MELDED_HAND)
    return bits


@kernel
def has_terminal(rules, state, seat, tile, honours):
    """A natural 1 or 9 of a suit in hand or melds (N2), or an honour where honours count as terminals."""
    if state["meld_terminals"][seat] > 0 or (rules["honours_are_terminals"] and honours > 0):
        return True
    for suit in range(3):
        for kind in (suit * 9, suit * 9 + 8):
            if (state["count"][seat, kind] > 0 or kind == tile) and (state["wild"] >> kind) & 1 == 0:
                return True
    return False


@kernel
def colour_bits(rules, state, seat, tile):
    """Flush bits, and the bits of the conditions that look at natural tiles only, met or not in force."""
    m = natural_tiles(state, seat, tile, 0)
    s = natural_tiles(state, seat, tile, 1)
    p = natural_tiles(state, seat, tile, 2)
    honours = natural_tiles(state, seat, tile, 3)
    suits = np.int64(m > 0) + np.int64(s > 0) + np.int64(p > 0)
    bits = np.int64(0)
    if suits == 1:
        bits |= bit(HALF_FLUSH) if honours > 0 else bit(FULL_FLUSH) | bit(FULL_FLUSH_DOUBLED)
    on = rules["condition_on"]
    if not on[AT_MOST_TWO_SUITS] or suits <= 2:
        bits |= bit(FIRST_CONDITION + AT_MOST_TWO_SUITS)
    if not on[THREE_SUITS] or suits == 3:
        bits |= bit(FIRST_CONDITION + THREE_SUITS)
    if not on[SUIT_TILE] or suits > 0:
        bits |= bit(FIRST_CONDITION + SUIT_TILE)
    if not on[EIGHT_OF_SUIT] or max(m, s, p) >= 8:
        bits |= bit(FIRST_CONDITION + EIGHT_OF_SUIT)
    if not on[TWO_SUITS_OR_HONOURS] or suits <= 2 or honours > 0:
        bits |= bit(FIRST_CONDITION + TWO_SUITS_OR_HONOURS)
    if not on[TERMINAL_OR_258] or has_terminal(rules, state, seat, tile, honours):
        bits |= bit(FIRST_CONDITION + TERMINAL_OR_258)
    return bits


@kernel
def is_258(kind):
    return kind < 27 and kind % 9 % 3 == 1


@kernel
def reading_bits(state, seat, n_sets, pair):
    """Bits of one reading as sets and a pair: its sets in ``scratch``, the pair ``kind * 3 + wild tiles``, and the melds."""
    bits = np.int64(0)
    runs = state["chow_count"][seat]
    all_honours = state["meld_honours"][seat] == state["meld_count"][seat] and pair // 3 >= 27
    starts = np.int64(0)
    for i in range(n_sets):
        number = np.int64(state["scratch"][ROW_SET, i])
        start = number // 12
        if number % 12 >= 4:
            runs += 1
            starts |= bit(start)
        if start < 27:
            all_honours = False
    for place in range(state["meld_count"][seat]):
        if state["meld_form"][seat, place] == CHOW:
            starts |= bit(np.int64(state["meld_kind"][seat, place]))
    if runs == 0:
        bits |= bit(ALL_PUNGS)
        if all_honours:
            bits |= bit(ALL_HONOURS)
    for suit in range(3):
        if (starts >> (9 * suit)) & 0b1001001 == 0b1001001:
            bits |= bit(PURE_STRAIGHT)
    if pair % 3 > 0:
        bits |= bit(WILD_PAIR)
    if is_258(pair // 3):
        bits |= bit(FIRST_CONDITION + TERMINAL_OR_258)
    return bits


@kernel
def wait_bits(state, n_sets, pair, tile, role):
    """Bits of the wait (H17, H18) if the winning tile completes the pair (role 0) or set ``role - 1`` of the reading; -1 where no such
    tile is, or only a wild one for it."""
    if role == 0:
        return bit(SINGLE_WAIT) if pair // 3 == tile and pair % 3 < 2 else np.int64(-1)
    number = np.int64(state["scratch"][ROW_SET, role - 1])
    start = number // 12
    code = number % 12
    place = tile - start
    if code < 4:
        return np.int64(0 if start == tile and code < 3 else -1)
    if place < 0 or place > 2 or (code - 4 >> place) & 1:
        return np.int64(-1)
    if place == 1:
        return bit(CLOSED_WAIT) | (bit(MIDDLE_FIVE) if tile % 9 == 4 else np.int64(0))
    if (place == 2 and start % 9 == 0) or (place == 0 and start % 9 == 6):
        return bit(EDGE_WAIT)
    return np.int64(0)
