"""Hand analysis against its bars and beside xiangting and mahjong: ``uv run python benchmarks/analysis.py [--hands N] [--share 0.6]``.

A batch is timed from numpy counts to numpy answers, every row checked; a call from a parsed hand to its answer. One core, by processor
time, best of several rounds. Half the hands have a meld where a rule set is measured; the peers know neither wild tiles nor
conditions, so beside them the hands have neither. Exits with 1 where less than ``--share`` of a bar is reached.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
import xiangting
from mahjong.shanten import Shanten

from hongzhong import rules
from hongzhong.analysis import Held, analyst_of
from hongzhong.analysis.batch import batch_discards, batch_distance, batch_useful
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.tiles import PUNG, Meld

BAR_FREE_NS, BAR_NS, BAR_USEFUL_US, BAR_CALL_US, BAR_TABLE_US = 30.0, 150.0, 3.0, 2.0, 20.0
ROUNDS: Final = 7


def free_rules(name: str) -> RuleSet:
    """Tiles of a rule set, four sets and a pair, no condition."""
    base = rules.sheet(name)
    return resolve(replace(base, id=f"{name}_without_condition", conditions=(), forms=base.forms[:1], examples=()))


def deal(sheet: RuleSet, number: int, extra: int, melded: bool) -> tuple[Any, Any]:
    """``(counts, melds)`` of hands dealt from all tiles, every other one with a pung where ``melded``."""
    random = np.random.default_rng(1)
    wall = np.repeat(np.arange(34), sheet.sheet.copies)
    counts = np.zeros((number, 34), np.int8)
    melds = np.full((number, 4, 2), -1, np.int64)
    for i in range(number):
        tiles = random.permutation(wall)
        if melded and i % 2:
            melds[i, 0] = PUNG, next(kind for kind in tiles if kind < 27)
            tiles = tiles[tiles != melds[i, 0, 1]][: 10 + extra]
        np.add.at(counts[i], tiles[: 13 + extra], 1)
    return counts, melds


def best(run: Callable[[], object], number: int) -> float:
    """Seconds for one of ``number``, the best round."""
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        run()
        rounds.append(time.process_time() - start)
    return min(rounds) / number


def held(sheet: RuleSet, counts: Any, melds: Any) -> list[Held]:
    analyst = analyst_of(sheet)
    return [
        analyst.hold(np.repeat(np.arange(34), row).tolist(), [Meld(int(f), int(k)) for f, k in fixed if f >= 0])
        for row, fixed in zip(counts, melds, strict=True)
    ]


def each(ask: Callable[[Any], object], hands: list[Any]) -> Callable[[], None]:
    def run() -> None:
        for hand in hands:
            ask(hand)

    return run


class Report:
    """Prints each figure beside its bar, and remembers how much of it was reached."""

    def __init__(self) -> None:
        self.reached: list[float] = []

    def line(self, what: str, figure: float, unit: str, bar: float) -> None:
        self.reached.append(bar / figure)
        print(f"{what:<52} {figure:8.2f} {unit}   bar {bar:g} {unit}: {bar / figure:.2f} of it")

    def measure(self, sheet: RuleSet, number: int, bar: float) -> None:
        """A rule set: batches and calls."""
        counts, melds = deal(sheet, number, 0, melded=True)
        name = sheet.id
        self.line(
            f"batch distance, {name}", best(lambda: batch_distance(sheet, counts, melds), number) * 1e9, "ns", bar
        )
        bare, _ = deal(sheet, number, 0, melded=False)
        self.line(
            f"batch distance, no melds, {name}", best(lambda: batch_distance(sheet, bare), number) * 1e9, "ns", bar
        )
        some = number // 8
        took = best(lambda: batch_useful(sheet, counts[:some], melds[:some]), some)
        self.line(f"batch useful tiles, {name}", took * 1e6, "us", BAR_USEFUL_US)
        more, fixed = deal(sheet, number // 8, 1, melded=True)
        took = best(lambda: batch_discards(sheet, more, fixed), len(more))
        self.line(f"batch discard tables, {name}", took * 1e6, "us", BAR_TABLE_US)
        analyst = analyst_of(sheet)
        hands = held(sheet, counts[:1000], melds[:1000])
        self.line(
            f"one call, distance, {name}", best(each(analyst.distance, hands), len(hands)) * 1e6, "us", BAR_CALL_US
        )
        drawn = held(sheet, more[:300], fixed[:300])
        took = best(each(lambda hand: analyst.discards(hand, points=False), drawn), len(drawn))
        self.line(f"one call, discard table, {name}", took * 1e6, "us", BAR_TABLE_US)
        took = best(each(analyst.discards, drawn), len(drawn)) * 1e6
        print(f"{'one call, discards with points, ' + name:<52} {took:8.2f} us")


def beside_peers(number: int) -> None:
    """The same hands without wild tiles, conditions and melds, all in this process."""
    sheet = free_rules("hebei")
    counts, melds = deal(sheet, number, 0, melded=False)
    rows, hands = counts[:1000].tolist(), held(sheet, counts[:1000], melds[:1000])
    analyst = analyst_of(sheet)
    four = xiangting.PlayerCount.FOUR
    ours = {
        "one call, distance": best(each(analyst.distance, hands), len(hands)),
        "one call, useful tiles": best(each(analyst.useful, hands), len(hands)),
        "batch distance": best(lambda: batch_distance(sheet, counts), number),
        "batch useful tiles": best(lambda: batch_useful(sheet, counts), number),
    }
    distance = best(each(lambda row: xiangting.calculate_replacement_number(row, four), rows), len(rows))
    tiles = best(each(lambda row: xiangting.calculate_necessary_tiles(row, four), rows), len(rows))
    theirs = best(each(Shanten.calculate_shanten_for_regular_hand, rows[:200]), 200)
    for what, took in ours.items():
        peer = tiles if "useful" in what else distance
        told = f"xiangting {peer * 1e6:.2f} us a call, {peer / took:.1f}x"
        told += "" if "useful" in what else f"; mahjong {theirs * 1e6:.2f} us, {theirs / took:.1f}x"
        print(f"{what:<52} {took * 1e6:8.3f} us   {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--share", type=float, default=1.0, help="of each bar that must be reached")
    given = parser.parse_args()
    report = Report()
    report.measure(free_rules("qiqihar"), given.hands, BAR_FREE_NS)
    for name in rules.names():
        report.measure(rules.load(name), given.hands, BAR_NS)
    beside_peers(given.hands)
    if min(report.reached) < given.share:
        print(f"below {given.share:.0%} of a bar", file=sys.stderr)
        raise SystemExit(1)


if __name__ == "__main__":
    main()
