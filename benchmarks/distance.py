"""Nanoseconds a hand for distance, waits and useful kinds in a batch, one core: ``uv run python benchmarks/distance.py [--hands N] [--share 0.6]``.

Random hands of 13 tiles, half of them with a meld, laid out beforehand (analysis.py measures what a caller of the library gets); one JSON
line a rule set. ``no_condition``: Qiqihar's tiles, conditions and seven pairs left out. Bars: 30 ns for a distance without conditions, 150 ns
with, 3,000 ns for useful kinds; exits with 1 where less than ``--share`` of one is reached.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np

from hongzhong import layout, rules
from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.tiles import PUNG


def deal(sheet: RuleSet, n_hands: int) -> tuple[Any, Any]:
    """``(record, states)``: hands dealt from the sheet's tiles, every other one with a pung."""
    chance = random.Random(1)
    wall = [kind for kind, copies in enumerate(sheet.sheet.copies) for _ in range(copies)]
    counts = np.zeros((n_hands, 34), np.uint8)
    melds = np.full((n_hands, 8), -1, np.int64)
    for i in range(n_hands):
        size = 13
        tiles = chance.sample(wall, 13)
        if i % 2:
            size = 10
            melds[i, :2] = PUNG, chance.choice([kind for kind in range(27) if kind not in tiles])
        for kind in tiles[:size]:
            counts[i, kind] += 1
    record = layout.compile_rules(sheet)
    states = np.zeros(n_hands, layout.STATE)
    measure.lay_hands(record, states, counts, melds)
    return record, states


def nanoseconds(entry: Any, record: Any, states: Any) -> float:
    """Best of five runs, a hand."""
    out = np.zeros(len(states), np.int64)
    scratch = () if entry is measure.wait_masks else (np.zeros(1, layout.OUTLOOK),)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        entry(hand_tables(), record, states, *scratch, out)
        best = min(best, time.perf_counter() - start)
    return round(best / len(states) * 1e9, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--share", type=float, default=1.0)
    asked = parser.parse_args()
    free = replace(
        rules.sheet("qiqihar"), id="no_condition", conditions=(), forms=rules.sheet("qiqihar").forms[:1], examples=()
    )
    failed = 0
    for sheet in [resolve(free), *(rules.load(name) for name in rules.names())]:
        record, states = deal(sheet, asked.hands)
        entries = {"distance": measure.distances, "waits": measure.wait_masks, "useful": measure.useful_masks}
        found = {name: nanoseconds(entry, record, states) for name, entry in entries.items()}
        failed += found["distance"] > (30 if sheet.sheet.id == free.id else 150) / asked.share
        failed += found["useful"] > 3000 / asked.share
        print(json.dumps({"rules": sheet.id} | {f"{name}_ns": spent for name, spent in found.items()}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
