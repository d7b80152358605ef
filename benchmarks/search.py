"""Playouts a second of the bot ``search`` from mid-hand positions: ``uv run python benchmarks/search.py [--seconds S] [--share 0.6]``.

Positions are those in which a seat chooses a discard after half of the discards that a hand of the rule set has on the mean. One core,
processor time; worlds, candidates and the bookkeeping of the search are in it. The bar is 20,000 a second for each rule set, and 5 ms for
a decision of ``value``, of which whole hands in a compiled batch are shown beside; exits with 1 where less than ``--share`` of a bar is reached.
"""

from __future__ import annotations

import argparse
import sys
import time

from hongzhong import bots, events, rules
from hongzhong.bots.search import SearchBot
from hongzhong.bots.value import ValueBot
from hongzhong.round import Prompt
from hongzhong.simulate import Table

BAR = 20_000.0
DECISION_MS = 5.0
RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
PLAYOUTS = 1000
HANDS = 500


def positions(name: str, n: int) -> list[tuple[SearchBot, ValueBot, Prompt]]:
    """Bots that have seen a hand up to its middle, and what they are asked."""
    ruleset = rules.load(name)
    table = Table(ruleset, ("greedy",) * 4, 3)
    middle = int(table.play(0, 200)["discards"].mean()) // 2
    found: list[tuple[SearchBot, ValueBot, Prompt]] = []
    number = 0
    while len(found) < n:
        number += 1
        _, played = table.play_one(number)
        made = 0
        seat = -1
        upto = 0
        for event in played:
            upto += 1
            made += isinstance(event, events.Discard)
            if made >= middle and isinstance(event, events.Draw):
                seat = event.seat
                break
        if seat < 0:
            continue
        search, value = SearchBot(number), ValueBot()
        for bot in (search, value):
            bot.start(ruleset, seat)
            for event in played[:upto]:
                seen = events.masked(event, seat)
                if seen is not None:
                    bot.see(seen)
        view = value.sight.view
        discards = tuple(sorted(set(view.hand)))
        found.append((search, value, Prompt("turn", seat, discards, view.drawn if view.drawn is not None else -1, -1)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--share", type=float, default=1.0)
    asked = parser.parse_args()
    assert "search" in bots.names()
    good = True
    for name in RULE_SETS:
        found = positions(name, 40)
        for search, value, prompt in found[:2]:
            search.choose(prompt)
            value.choose(prompt)
        playouts = 0
        spent = 0.0
        place = 0
        while spent < asked.seconds:
            search, _, prompt = found[place % len(found)]
            place += 1
            began = time.process_time()
            search.choose(prompt)
            spent += time.process_time() - began
            playouts += search.playouts
        began = time.process_time()
        for _, value, prompt in found * 10:
            value.choose(prompt)
        decision = (time.process_time() - began) / (10 * len(found)) * 1000
        table = Table(rules.load(name), ("value",) * 4, 1)
        table.play(0, 20)
        began = time.process_time()
        table.play(100, HANDS)
        hands = HANDS / (time.process_time() - began)
        rate = playouts / spent
        good &= rate >= asked.share * BAR and decision <= DECISION_MS / asked.share
        print(
            f"{name:15} {rate:9,.0f} playouts/s ({rate / BAR:.1f} of the bar)   value {decision:.3f} ms a decision, {hands:,.0f} hands/s in a batch"
        )
    sys.exit(not good)


if __name__ == "__main__":
    main()
