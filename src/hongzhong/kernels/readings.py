"""All readings of a hand as sets and a pair, wild tiles assigned, by a search with an explicit stack.

The search takes the pair first, then always covers the lowest natural tile left, so that each set is found once; sets of wild
tiles alone come last. A set is a number: ``start kind * 12 + code``; codes 0-3 are triplets with that many wild tiles, code
4 + mask is a run whose set bits are wild places.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from hongzhong.kernels.jit import kernel
from hongzhong.tiles import KIND_NAMES, N_KINDS, suit_of

N_CODES: Final = 12
RUN: Final = 4
ROW_COUNT, ROW_USED, ROW_OPTION, ROW_KIND, ROW_SET, ROW_WILD, ROW_BEST, ROW_SORTED = range(8)
"""Rows of ``state["scratch"]``: naturals left, copies used with melds (fifth copies), and the stack by depth."""


def _set_text(kind: int, code: int) -> str:
    letter = KIND_NAMES[kind][1]
    if code < RUN:
        return KIND_NAMES[kind][0] * (3 - code) + (KIND_NAMES[kind][0] + "*") * code + letter
    return "".join(KIND_NAMES[kind + i][0] + "*" * (code - RUN >> i & 1) for i in range(3)) + letter


def _valid(kind: int, code: int) -> bool:
    return code < RUN or (suit_of(kind) < 3 and kind % 9 < 7)


SET_TEXT: Final = {
    kind * N_CODES + code: _set_text(kind, code)
    for kind in range(N_KINDS)
    for code in range(N_CODES)
    if _valid(kind, code)
}
PAIR_TEXT: Final = [
    KIND_NAMES[kind][0] * (2 - wild) + (KIND_NAMES[kind][0] + "*") * wild + KIND_NAMES[kind][1]
    for kind in range(N_KINDS)
    for wild in range(3)
]
"""Text of a pair by ``kind * 3 + wild tiles``."""


def _places(order: list[int]) -> list[int]:
    places = [0] * (N_KINDS * N_CODES)
    for place, number in enumerate(order):
        places[number] = place
    return places


DISPLAY_ORDER: Final = sorted(SET_TEXT, key=lambda number: (number // N_CODES, SET_TEXT[number]))
"""Sets as a reading shows them: by suit and rank, then text."""
DISPLAY_PLACE: Final = np.array(_places(DISPLAY_ORDER), np.int64)
TEXT_PLACE: Final = np.array(_places(sorted(SET_TEXT, key=lambda number: SET_TEXT[number])), np.int64)
"""Sets in the order of their texts, for the smallest text of a reading."""
PAIR_PLACE: Final = np.array([sorted(PAIR_TEXT).index(text) for text in PAIR_TEXT], np.int64)
SHOWN: Final = np.array(DISPLAY_ORDER, np.int64)


@kernel
def text_key(state, n_sets, pair):
    """A number that grows with the reading's text; ``scratch[ROW_SORTED]`` then holds the sets in display order."""
    scratch = state["scratch"]
    for i in range(n_sets):
        place = DISPLAY_PLACE[scratch[ROW_SET, i]]
        j = i
        while j > 0 and scratch[ROW_SORTED, j - 1] > place:
            scratch[ROW_SORTED, j] = scratch[ROW_SORTED, j - 1]
            j -= 1
        scratch[ROW_SORTED, j] = place
    key = np.int64(0)
    for i in range(n_sets):
        key = key * 512 + TEXT_PLACE[SHOWN[scratch[ROW_SORTED, i]]]
    return key * 128 + PAIR_PLACE[pair]


@kernel
def may_stand(rules, kind, used):
    """Whether a wild tile may stand for ``kind`` of which ``used`` copies are in the reading (Q5): any kind of the game, a wild one too."""
    if rules["copies"][kind] == 0:
        return False
    return rules["fifth_copy"] != 0 or used < 4


@kernel
def pair_repeats(rules, pair):
    """Whether a pair of wild tiles would pay the same and read less well than one of a lower kind: there are only three sorts
    of them, 2/5/8, other suit tiles and honours. Not where copies are limited (Q5).
    """
    if pair % 3 < 2 or rules["fifth_copy"] == 0:
        return False
    kind = pair // 3
    repeats = False
    for other in range(34):
        same = (other < 27) == (kind < 27) and (kind >= 27 or (other % 3 == 1) == (kind % 3 == 1))
        if same and PAIR_PLACE[other * 3 + 2] < PAIR_PLACE[pair] and may_stand(rules, other, np.int64(0)):
            repeats = True
    return repeats


@kernel
def set_repeats(rules, option):
    """Likewise for a set of wild tiles alone: the lowest triplet of a suit and of honours, runs that may be of a straight, and
    one that is not; all of them where the lowest tiles are not in the rule set.
    """
    if rules["fifth_copy"] == 0:
        return False
    for kind in range(4):
        if not may_stand(rules, kind, np.int64(0)):
            return False
    if option < 27:
        return option > 0
    if option < 34:
        lower = False
        for other in range(27, option):
            lower = lower or may_stand(rules, other, np.int64(0))
        return lower
    start = option - 34
    return start % 9 % 3 != 0 and start != 1


@kernel
def place_tile(rules, state, kind, by_wild):
    """One tile of a set or pair: a natural one taken, or a wild one standing in. False if it cannot be."""
    scratch = state["scratch"]
    if by_wild:
        if not may_stand(rules, kind, np.int64(scratch[ROW_USED, kind])):
            return False
        scratch[ROW_USED, kind] += 1
        return True
    if scratch[ROW_COUNT, kind] == 0:
        return False
    scratch[ROW_COUNT, kind] -= 1
    return True


@kernel
def lift_tile(state, kind, by_wild):
    scratch = state["scratch"]
    if by_wild:
        scratch[ROW_USED, kind] -= 1
    else:
        scratch[ROW_COUNT, kind] += 1


@kernel
def set_tile(number, place):
    """``(kind, wild or not)`` of a set's tile 0-2."""
    start = number // 12
    code = number % 12
    if code < 4:
        return start, np.int64(place >= 3 - code)
    return start + place, (code - 4 >> place) & 1


@kernel
def lift_set(state, number):
    for place in range(3):
        kind, by_wild = set_tile(number, place)
        lift_tile(state, kind, by_wild)


@kernel
def place_set(rules, state, number):
    """Takes a set's tiles; nothing is taken if it cannot be."""
    for place in range(3):
        kind, by_wild = set_tile(number, place)
        if not place_tile(rules, state, kind, by_wild):
            for back in range(place):
                kind, by_wild = set_tile(number, back)
                lift_tile(state, kind, by_wild)
            return False
    return True


@kernel
def covering_set(lowest, option):
    """The set number of the option-th way to cover the lowest natural tile, -1 if there is none; 10 ways in all."""
    if option < 3:
        return lowest * 12 + option
    start = lowest
    code = np.int64(0)
    if option < 7:
        code = (option - 3) << 1
    elif option < 9:
        start = lowest - 1
        code = 1 + ((option - 7) << 2)
    else:
        start = lowest - 2
        code = np.int64(3)
    if start < 0 or lowest >= 27 or start // 9 != lowest // 9 or start % 9 > 6:
        return np.int64(-1)
    return start * 12 + 4 + code


BY_WILD_TILES: Final = np.array([0, 3, 1, 4, 5, 7, 2, 6, 8, 9], np.int64)
"""Ways to cover a tile, those that need fewer wild tiles first."""
WITHIN: Final = np.array([2, 6, 10], np.int64)
"""How many ways need at most 0, 1, 2 wild tiles."""


@kernel
def wild_set(option):
    """Sets of wild tiles alone: 34 triplets, then 27 starts of runs; -1 where no run starts."""
    if option < 34:
        return option * 12 + 3
    start = option - 34
    if start % 9 > 6:
        return np.int64(-1)
    return start * 12 + 4 + 7


@kernel
def wild_tiles_of(number):
    code = number % 12
    if code < 4:
        return code
    mask = code - 4
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1)


@kernel
def begin_pair(rules, state, pair, left):
    """Takes the pair ``kind * 3 + wild tiles``; returns the wild tiles left after it, -1 if it cannot be."""
    scratch = state["scratch"]
    kind = pair // 3
    stand_ins = pair % 3
    if stand_ins > left or scratch[ROW_COUNT, kind] < 2 - stand_ins:
        return np.int64(-1)
    for place in range(2):
        if not place_tile(rules, state, kind, np.int64(place >= 2 - stand_ins)):
            if place == 1:
                lift_tile(state, kind, np.int64(2 - stand_ins <= 0))
            return np.int64(-1)
    scratch[ROW_OPTION, 0] = -1
    scratch[ROW_KIND, 0] = -1
    scratch[ROW_WILD, 0] = left - stand_ins
    return left - stand_ins


@kernel
def end_pair(state, pair):
    stand_ins = pair % 3
    for place in range(2):
        lift_tile(state, pair // 3, np.int64(place >= 2 - stand_ins))


@kernel
def next_sets(rules, state, n_sets, depth):
    """Moves the stack to the next complete choice of ``n_sets`` sets; returns its depth, -1 when there is none.

    Call with depth 0 after ``begin_pair``, then with the value returned; the sets chosen are in ``scratch[ROW_SET]``.
    """
    scratch = state["scratch"]
    fresh = depth == 0 and scratch[ROW_OPTION, 0] == -1
    if n_sets == 0:
        if not fresh:
            return np.int64(-1)
        scratch[ROW_OPTION, 0] = 0
        return np.int64(0) if scratch[ROW_WILD, 0] == 0 else np.int64(-1)
    if not fresh:
        depth -= 1
        lift_set(state, np.int64(scratch[ROW_SET, depth]))
    while depth >= 0:
        if scratch[ROW_OPTION, depth] == -1:
            lowest = np.int64(scratch[ROW_KIND, depth - 1]) if depth > 0 else np.int64(0)
            while lowest < 34 and scratch[ROW_COUNT, lowest] == 0:
                lowest += 1
            scratch[ROW_KIND, depth] = lowest
        option = np.int64(scratch[ROW_OPTION, depth]) + 1
        scratch[ROW_OPTION, depth] = option
        lowest = np.int64(scratch[ROW_KIND, depth])
        left = np.int64(scratch[ROW_WILD, depth])
        if option >= (WITHIN[min(left, np.int64(2))] if lowest < 34 else 61):
            depth -= 1
            if depth >= 0:
                lift_set(state, np.int64(scratch[ROW_SET, depth]))
            continue
        if lowest == 34 and set_repeats(rules, option):
            continue
        number = covering_set(lowest, BY_WILD_TILES[option]) if lowest < 34 else wild_set(option)
        if number < 0 or wild_tiles_of(number) > left or not place_set(rules, state, number):
            continue
        left -= wild_tiles_of(number)
        scratch[ROW_SET, depth] = number
        depth += 1
        if depth == n_sets:
            # tiles always fit: sets x 3 + 2 are held, so nothing is left here
            return depth
        scratch[ROW_OPTION, depth] = -1
        scratch[ROW_WILD, depth] = left
    return np.int64(-1)
