"""The flat records that kernels work on: a compiled rule set and one hand of play. Sheet and options become numbers here.

Scalars are int64, so that a kernel has one specialisation; masks stay below 63 bits. The large arrays are narrow, so that a
hand clones in well under a microsecond: read them through ``np.int64(...)`` where arithmetic could leave their range.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hongzhong.plans import MAX_PLANS, plans_of
from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import BITS, CONDITIONS, FIRST_CONDITION, PATTERNS
from hongzhong.tiles import KIND_OF, N_KINDS

N_PATTERNS: Final = len(PATTERNS)
N_CONDITIONS: Final = len(CONDITIONS)
PATTERN_BITS: Final = (1 << N_PATTERNS) - 1

PLAIN, SELF_DRAWN, CONCEALED, ALL_PUNGS, FULL_FLUSH, HALF_FLUSH, SEVEN_PAIRS, EXPOSED_KONGS = range(8)
CONCEALED_KONGS, REPLACEMENT_TILE, LAST_TILE, HEAVEN, EARTH, THIRTEEN_ORPHANS, WILD_PAIR, MELDED_HAND = range(8, 16)
PURE_STRAIGHT, MIXED_SEVEN_PAIRS, PURE_SEVEN_PAIRS, ALL_HONOURS, EDGE_WAIT, CLOSED_WAIT, SINGLE_WAIT = range(16, 23)
MIDDLE_FIVE, FULL_FLUSH_DOUBLED = 23, 24
READING_ROWS: Final = (
    ALL_PUNGS, PURE_STRAIGHT, WILD_PAIR, ALL_HONOURS, EDGE_WAIT, CLOSED_WAIT, SINGLE_WAIT, MIDDLE_FIVE,
)  # fmt: skip
READING_MASK: Final = sum(1 << row for row in READING_ROWS)
"""What depends on how a hand of sets is read."""
FOUR_SETS, ANY_KONG = BITS["four_sets"], BITS["any_kong"]
AT_MOST_TWO_SUITS, THREE_SUITS, SUIT_TILE, TERMINAL_OR_258, EIGHT_OF_SUIT, TWO_SUITS_OR_HONOURS = range(N_CONDITIONS)
"""Index of a condition; its bit is ``FIRST_CONDITION`` more."""

BY_DRAW, BY_DISCARD, BY_KONG = 0, 1, 2
"""How a hand is won; robbing a kong is like a discard."""

_FLAGS: Final = (
    "chow", "pung", "exposed_kong", "added_kong", "concealed_kong",
    "form_four_sets", "form_seven_pairs", "form_thirteen_orphans",
    "keep_last", "drawn_dealer_stays", "kong_drawn_dealer_stays", "false_win_steps_down",
)  # fmt: skip
_NUMBERS: Final = (
    "n_tiles", "wild", "aside_per_kong", "kong_needs", "reserve_tiles", "false_win_points", "false_win_dealer_points",
    "n_conditions", "n_patterns", "doubling", "free_pungs", "pungs_without_kong", "orphans_allowed", "five_copies", "check_waits",
    "stops_early", "sets_are_free",
)  # fmt: skip
_OPTION_FLAGS: Final = (
    "discard_wins", "rob_kong", "concealed_kong_visible", "wild_discard_wins", "fifth_copy", "concealed_on_discard",
    "concealed_kong_keeps_concealed", "last_discard_counts", "honours_are_terminals", "seven_pairs_258",
    "earth_on_first_draw", "any_orphan_pair", "dealer_stays_on_plain_win", "follow_dealer", "four_kongs_abort",
)  # fmt: skip
_OPTION_NUMBERS: Final = ("base_point", "dealer_multiplier")
_OPTION_CHOICES: Final = {
    "calls": ("assisted", "manual"),
    "discard_pays": ("discarder", "all", "discarder_for_all"),
    "multi_win": ("nearest", "all"),
    "dealer_rule": ("next", "winner"),
    "pass_lock": ("none", "win", "pung", "both"),
    "kong_payer": ("three", "discarder"),
}
"""Options compiled to the position of their value."""
MANUAL: Final = 1
PAYS_DISCARDER, PAYS_ALL, PAYS_FOR_ALL = 0, 1, 2
RIVER_CLAIMED: Final = 64

RULES: Final = np.dtype(
    [(name, "i8") for name in (*_FLAGS, *_NUMBERS, *_OPTION_FLAGS, *_OPTION_NUMBERS, *_OPTION_CHOICES, "cap")]
    + [
        ("kong_points", "i8", 3),
        ("copies", "i1", N_KINDS),
        ("condition_order", "i8", N_CONDITIONS),
        ("condition_on", "i8", N_CONDITIONS),
        ("condition_exempt", "i8", N_CONDITIONS),
        ("pattern_order", "i8", N_PATTERNS),
        ("pattern_base", "i8", N_PATTERNS),
        ("pattern_fan", "i8", N_PATTERNS),
        ("pattern_times", "i8", N_PATTERNS),
        ("pattern_requires", "i8", N_PATTERNS),
        ("pattern_requires_any", "i8", N_PATTERNS),
        ("pattern_barred", "i8", N_PATTERNS),
        ("priced", "i8"),
        ("pair_sorts", "i8"),
        ("n_set_plans", "i8"),
        ("n_pair_plans", "i8"),
        ("set_plans", "i8", (MAX_PLANS, 6)),
        ("pair_plans", "i8", (MAX_PLANS, 6)),
        # only in an aim (aims.py)
        ("aim_way", "i8"),
        ("aim_suit", "i8"),
        ("aim_bits", "i8"),
        ("aim_kinds", "i8"),
        ("aim_free", "i8"),
    ],
    align=True,
)
"""A compiled rule set. ``wild``: mask of wild kinds. ``reserve_tiles``: -1 for the dice. ``cap``: 0 for none.
``priced``: mask of patterns whose price is not switched off; ``pattern_order`` holds the rows in sheet order. ``set_plans``:
what four sets may hold (plans.py). ``pair_sorts``: what the plans of seven pairs tell apart, 0 nothing, 1 suits, 2 terminals and 2, 5, 8 too.
``check_waits``: the distance is only a lower bound, waits are checked by scoring. ``stops_early``: a reading that shows all it could is the
best, as no row is barred by such a one."""

STATE: Final = np.dtype(
    [
        # concealed tiles of a seat: kernels/hand.py keeps these together
        ("count", "i1", (4, N_KINDS)),  # concealed tiles by kind, wild ones included
        ("suit_key", "i8", (4, 4)),  # natural concealed tiles of a suit in base 5, rank 1 the lowest digit
        ("wild_count", "i8", 4),
        # melds of a seat
        ("meld_count", "i8", 4),
        ("meld_form", "i1", (4, 4)),
        ("meld_kind", "i1", (4, 4)),  # lowest kind of a chow
        ("meld_from", "i1", (4, 4)),  # the seat that the claimed tile came from, own seat for a concealed kong
        ("meld_suit_tiles", "i1", (4, 4)),  # tiles in melds by suit, a kong is four
        ("meld_terminals", "i8", 4),  # melds that hold a 1 or 9 of a suit
        ("meld_honours", "i8", 4),  # melds of honours
        ("chow_count", "i8", 4),
        ("kong_count", "i8", 4),  # of any form
        ("concealed_kong_count", "i8", 4),
        ("pung_kinds", "i8", 4),  # mask of kinds punged, for added kongs
        ("waits", "i8", 4),  # mask of kinds that complete the seat's hand as it stood after its last discard or claim
        ("stale", "i8"),  # mask of seats whose waits must be found anew
        # the table
        ("wall", "i1", 136),
        ("position", "i8"),  # next tile from the front
        ("tail", "i8"),  # tiles taken from the end
        ("reserve", "i8"),  # tiles kept in reserve in this hand
        ("kongs", "i8"),  # all seats together
        ("dealer", "i8"),
        ("playing", "i8"),  # mask of seats still playing
        ("wild", "i8"),  # mask of wild kinds in this hand
        ("phase", "i8"),  # kernels/log.py
        ("turn", "i8"),  # the seat that drew, claimed or discarded last
        ("pending", "i8"),  # the draw that follows, kernels/log.py
        ("drawn", "i8"),  # kind just drawn by the seat to act, -1 after a claim, a discard or a kong
        ("replaced", "i8"),  # the drawn tile came from the tail
        ("last_tile", "i8"),  # no live tile is left after the last draw
        ("claimed", "i8"),  # discards claimed so far (N12)
        ("following", "i8"),  # nothing claimed or konged since the dealer's first discard (H23)
        ("called_false", "i8"),  # the seat to act has made an unpunished false call in this turn
        ("offer_tile", "i8"),  # the tile that a prompt is about
        ("offer_from", "i8"),
        ("asked", "i8"),  # mask of seats whose answer is awaited
        ("offers", "i8", 4),  # what each asked seat may call, kernels/claims.py
        ("answers", "i8", 4),
        ("win_lock", "i8"),  # mask of seats (C9 pass_lock)
        ("pung_lock", "i8", 4),  # masks of kinds
        ("discards", "i8", 4),  # how many a seat has made
        ("first_discard", "i8", 4),
        ("last_discarder", "i8"),  # -1 once that tile has been claimed
        ("river", "i1", (4, 60)),  # kinds discarded; RIVER_CLAIMED is added to a tile that was claimed away
        ("river_count", "i8", 4),  # claimed ones included
        ("ledger", "i8", (4, 4)),  # kong payments: payer, payee
        ("erred", "i8"),  # the seat of a punished false win, -1
        ("scores", "i8", 4),
        ("winners", "i8"),  # mask
        ("win_points", "i8", 4),
        ("win_bits", "i8", 4),
        ("win_passed", "i8"),  # conditions passed by the best reading, -1 where no form fits
        ("reason", "i8"),
        ("next_dealer", "i8"),
        ("steps", "i8"),  # prompts answered
        ("n_events", "i8"),
        ("deltas", "i8", 4),  # scratch of payments
        # scratch of the reading search (kernels/readings.py)
        ("scratch", "i2", (8, 40)),
    ],
    align=True,
)
"""One hand of play."""


RESULT: Final = np.dtype(
    [
        ("dealer", "i8"),
        ("dice", "i8", 4),  # the dealer's throw, the second thrower's
        ("reason", "i8"),  # kernels/log.py END_*
        ("how", "i8"),  # BY_*, -1 without a win
        ("source", "i8"),  # the seat that the winning tile came from, -1 without a win
        ("winners", "i8"),  # mask
        ("points", "i8", 4),
        ("bits", "i8", 4),
        ("scores", "i8", 4),
        ("kongs", "i8"),  # all seats together
        ("open_kongs", "i8", 4),  # exposed and added
        ("concealed_kongs", "i8", 4),
        ("discards", "i8"),
        ("steps", "i8"),  # prompts answered
    ],
    align=True,
)
"""What became of a hand in a batch (kernels/batch.py)."""

MAX_SPLITS: Final = 128
MAX_TERMS: Final = 104
"""Tight splits that are noted (kernels/outlook.py); a hand with more is worked out kind by kind."""
OUTLOOK: Final = np.dtype(
    [
        ("unseen", "i8", N_KINDS),  # copies that the seat has not seen
        ("keeps", "i8", N_KINDS),  # 1 where a discard leaves the fewest tiles missing; wild tiles never
        # masks of the kinds of which the seat does not hold every copy, and of the natural ones among them
        ("drawable", "i8"),
        ("natural", "i8"),
        ("now", "i8"),  # the distance, and what it would be if no copies had run out (kernels/limits.py)
        ("formal", "i8"),
        ("sets_missing", "i8"),  # natural tiles missing from sets and a pair, and from the nearest form
        ("missing", "i8"),
        # the forms beside sets and a pair (kernels/forms.py): bits of those that are as near; masks of the discards that leave each as near;
        # by case of a tile gone, the cases of which it is known whether they bring seven pairs nearer, and which do
        ("forms", "i8"),
        ("kept", "i8", 3),
        ("pairs_known", "i8", 26),
        ("pairs_found", "i8", 26),
        # mask of the kinds that could make copies in own melds matter, all of them where they may already
        ("watched", "i8"),
        # the tight splits (kernels/splits.py)
        ("variant", "i8", 4),  # of each suit, honours last, in the term at work
        ("class", "i8", 4),
        ("term", "i8", MAX_TERMS),  # the ways to win by four sets and a pair, and what each misses
        ("total", "i8", MAX_TERMS),
        ("tight", "i8", 7),  # by part: the columns that are in a tight split
        ("n_splits", "i8"),
        ("split", "i8", (MAX_SPLITS, 4)),  # by suit, 64 times its part and its column's guard bit
        # what they gain by and can spare (kernels/outlook.py)
        ("known", "i8", 4),  # by suit: whether its gains are found
        ("gains", "i8", (2, N_KINDS)),  # by kind: the columns, plain and with the terminal, that gain by one more
        ("turned", "i8"),  # whether they are turned round
        ("gaining", "i8", 7 * 64),  # by part and guard bit of a tight column: mask of the kinds that it gains by
        ("spared", "i8", (2, N_KINDS)),  # by kind: the tight columns, plain and with the terminal, that can spare one
        # where copies run out (kernels/limits.py): of each suit missing tiles, ten for any target, ten for one with a terminal or 2/5/8 pair;
        # of which hand they are, by melds, suit, and what is wild and asked for; whether copies gone matter
        ("lanes", "i8", 36),
        ("vector", "i8", (4, 20)),
        ("vector_melds", "i8", 4),
        ("vector_key", "i8", 4),
        ("vector_asks", "i8", 4),
        ("vector_other", "i8", 4),
        ("joined", "i8", (2, 10)),  # of two suits together
    ],
    align=True,
)
"""What a bot works out about its hand."""


def _mask(names: tuple[str, ...]) -> int:
    return sum(1 << BITS[name] for name in names)


def compile_rules(rules: RuleSet) -> npt.NDArray[np.void]:
    """The rule set as an array of one ``RULES`` record."""
    sheet = rules.sheet
    out = np.zeros(1, RULES)
    record: Any = out[0]
    for claim in sheet.claims:
        record[claim] = 1
    for form in sheet.forms:
        record[f"form_{form.id}"] = int(rules.holds(form.when))
    for name in _OPTION_FLAGS + _OPTION_NUMBERS:
        record[name] = int(rules.get(name))
    for name, values in _OPTION_CHOICES.items():
        record[name] = values.index(rules.get(name))
    record["fifth_copy"] = int(rules.get("fifth_copy") or not sheet.wild)  # of wild tiles only (Q5)
    record["rob_kong"] = int(rules.get("rob_kong") and rules.get("discard_wins"))
    record["doubling"] = int(rules.get("fan_points") == "doubling")
    record["cap"] = rules.get("cap") or 0
    record["kong_points"] = rules.get("kong_points")
    record["copies"] = sheet.copies
    record["n_tiles"] = sum(sheet.copies)
    record["wild"] = sum(1 << KIND_OF[name] for name in sheet.wild)
    reserve = rules.get("reserve_stacks")
    record["reserve_tiles"] = -1 if reserve == "dice" else 2 * reserve
    for name in ("aside_per_kong", "kong_needs", "keep_last"):
        record[name] = int(getattr(sheet.wall, name))
    record["drawn_dealer_stays"] = int(sheet.drawn_dealer == "stay")
    record["kong_drawn_dealer_stays"] = int((sheet.kong_drawn_dealer or sheet.drawn_dealer) == "stay")
    if sheet.false_win is not None:
        record["false_win_points"] = sheet.false_win.points
        record["false_win_dealer_points"] = sheet.false_win.dealer_points
        record["false_win_steps_down"] = int(sheet.false_win.dealer_steps_down)
    _compile_conditions(rules, record)
    _compile_patterns(rules, record)
    _compile_plans(rules, record)
    return out


def _compile_conditions(rules: RuleSet, record: Any) -> None:
    active = [c for c in rules.sheet.conditions if rules.holds(c.when)]
    record["n_conditions"] = len(active)
    for row, condition in enumerate(active):
        index = CONDITIONS.index(condition.id)
        record["condition_order"][row] = index
        record["condition_on"][index] = 1
        if rules.holds(condition.exempt_when):
            record["condition_exempt"][index] = _mask(condition.exempt)


def pair_sorts(record: Any) -> int:
    """The field of that name, from the plans of a record."""
    plans = record["pair_plans"][: record["n_pair_plans"]]
    return 2 if plans[:, 5].any() else int(plans.any())


def sets_are_free(record: Any) -> int:
    """The field of that name: whether one of the plans of four sets asks for nothing."""
    plans = record["set_plans"][: record["n_set_plans"]]
    return int((plans == 0).all(axis=1).any())


def _compile_plans(rules: RuleSet, record: Any) -> None:
    plans = plans_of(rules)
    for name, rows in (("set", plans.sets), ("pair", plans.pairs)):
        record[f"n_{name}_plans"] = len(rows)
        for i, plan in enumerate(rows):
            record[f"{name}_plans"][i] = (*plan.holds, plan.eight, plan.terminal)
    record["pair_sorts"] = pair_sorts(record)
    record["sets_are_free"] = sets_are_free(record)
    record["free_pungs"] = int(plans.pungs)
    record["pungs_without_kong"] = int(bool(record["pattern_barred"][ALL_PUNGS] & (1 << ANY_KONG)))
    record["orphans_allowed"] = int(plans.orphans)
    record["five_copies"] = int(bool(rules.sheet.wild) and rules.get("fifth_copy"))
    record["check_waits"] = int(bool(plans.lack) or (bool(rules.sheet.wild) and not rules.get("fifth_copy")))


def _compile_patterns(rules: RuleSet, record: Any) -> None:
    record["n_patterns"] = len(rules.sheet.patterns)
    record["pattern_times"] = 1
    record["stops_early"] = 1
    for row, pattern in enumerate(rules.sheet.patterns):
        bit = BITS[pattern.id]
        price = rules.prices[pattern.id]
        record["pattern_order"][row] = bit
        record[f"pattern_{pattern.kind}"][bit] = price
        if price != (1 if pattern.kind == "times" else 0):
            record["priced"] |= 1 << bit
        record["pattern_requires"][bit] = _mask(pattern.requires)
        record["pattern_requires_any"][bit] = _mask(pattern.requires_any)
        barred = tuple(bar.by for bar in pattern.barred_by if bar.unless is None or not rules.get(bar.unless))
        record["pattern_barred"][bit] = _mask(barred)
        if record["pattern_barred"][bit] & READING_MASK:
            record["stops_early"] = 0


assert FIRST_CONDITION + N_CONDITIONS < 63
