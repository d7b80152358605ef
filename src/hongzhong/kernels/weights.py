"""The numbers that ``value`` weighs with: places in its array of weights, and how fast hands of a rule set end.

The first part was tuned by play (docs/bots.md). The rest is the tempo of the rule set at hand, measured on hands that greedy bots
play under it, so that a new sheet needs no numbers of its own.
"""

from __future__ import annotations

from typing import Final

from hongzhong.aims import N_WAYS

WIN_RATE, CLAIM_RATE, EXTRA, MIX, NARROW, KONG, PASS_WIN, FARTHER = range(8)
"""How much likelier than chance a wanted tile is discarded for a win, for a claim; what a finished hand pays beyond its aim; how much aims beside
the best count; the part of unseen tiles that may serve a narrow aim; what a replacement draw adds; what a passed win is worth; what
a discard loses for an aim that it leads away from."""
RIVER_SAFE, SUIT_SAFE, RUN_RISK, PAIR_RISK, SINGLE_RISK, WAIT_KINDS, MELD_READY = range(8, 15)
"""Danger: how much a tile that the seat discarded itself, or whose suit it discards, is safer; the odds of runs, pairs and singles waiting for
it; how many kinds a ready hand waits for; how much likelier a seat with melds is ready."""
COPIES_READY, COPIES_MORE, CLAIM_LATER = 16, 24, 32
"""By way of aim: unseen copies that a hand not yet looked into waits for when ready, how many more a tile away, how much claims add."""
LOSS, DEAL_LOSS, CLAIM_COST = 40, 41, 42
"""Points that a seat pays for another's win, on the mean and as the discarder; the part of its gain that
a chow or pung must bring beyond waiting, as tiles that bring nothing nearer better a hand too."""
LAST_ROUND: Final = 31
HAZARD, READY = 48, 80
"""By round (four discards): the chance that another seat wins in it; that a given seat is ready in it."""
N_WEIGHTS: Final = 112
assert COPIES_READY + N_WAYS <= COPIES_MORE

TUNED: Final = {
    WIN_RATE: 1.0, CLAIM_RATE: 0.54, EXTRA: 0.81, MIX: 0.1, NARROW: 0.6, KONG: 0.08, PASS_WIN: 0.88, FARTHER: 0.7,
    RIVER_SAFE: 0.4, SUIT_SAFE: 0.19, RUN_RISK: 1.0, PAIR_RISK: 0.6, SINGLE_RISK: 0.19, WAIT_KINDS: 1.41,
    MELD_READY: 0.255, CLAIM_COST: 0.1,
}  # fmt: skip
BY_WAY: Final = {
    COPIES_READY: (5.5, 4.0, 4.3, 5.2, 6.5, 2.8),
    COPIES_MORE: (7.8, 3.5, 4.5, 3.8, 3.7, 4.1),
    CLAIM_LATER: (0.76, 0.9, 0.0, 0.0, 0.4, 0.0),
}
