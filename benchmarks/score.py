"""Scoring against its bars: ``uv run python benchmarks/score.py [--hands N] [--share 0.6]``.

One Python call on a parsed hand, points and pattern bits out: at most 5 us. ``hongzhong score --jsonl``, the whole process from a
file to a file: at least 50,000 hands a second. Both by processor time, so that a busy machine counts less. Exits with 1 where less than ``--share`` of a bar is reached.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from hongzhong import rules
from hongzhong.score import scorer_of
from hongzhong.tiles import KIND_NAMES, format_meld, format_mpsz, parse_meld, parse_mpsz, parse_tile

BAR_CALL_US = 5.0
BAR_HANDS = 50_000
RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")


def request_of(chance: random.Random, name: str, number: int) -> dict[str, Any]:
    """A hand near a win: four sets and a pair, melds, wild tiles where there are some, one tile in three hands changed."""
    while True:
        suits = chance.sample(range(3), 2) if name == "qiqihar" else [0, 1, 2]
        sets = []
        for _ in range(4):
            suit = chance.choice(suits)
            run = chance.random() < 0.6
            start = 9 * suit + chance.randrange(7 if run else 9)
            sets.append([start, start + 1, start + 2] if run else [start] * 3)
        chow = name in ("inner_mongolia", "hebei")
        melds = [one for one in sets[: chance.choice((0, 0, 1, 2))] if chow or one[0] == one[1]]
        pair = [9 * chance.choice(suits) + chance.randrange(9)] * 2
        held = [kind for one in sets if not any(one is meld for meld in melds) for kind in one] + pair
        chance.shuffle(held)
        if name == "qiqihar":
            held = [33 if chance.random() < 0.08 else kind for kind in held]
        if chance.random() < 0.3:
            held[0] = (held[0] + 1) % 27
        tiles = held + [kind for meld in melds for kind in meld]
        if all(tiles.count(kind) <= 4 for kind in tiles):
            break
    by = chance.choice(("draw", "discard"))
    winner = chance.randrange(4)
    seats = {"winner": winner, "dealer": chance.randrange(4)}
    if by == "discard":
        seats["from"] = (winner + 1 + chance.randrange(3)) % 4
    fixed = [parse_meld(f"({format_mpsz(meld)})") for meld in melds]
    return {
        "id": number, "rules": name, "options": {}, "concealed": format_mpsz(sorted(held[1:])),
        "melds": [format_meld(meld) for meld in fixed], "win_tile": KIND_NAMES[held[0]], "by": by, **seats,
    }  # fmt: skip


def call_us(requests: list[dict[str, Any]]) -> float:
    """Microseconds of one call: the median of five rounds over hands of one rule set."""
    scorer = scorer_of(rules.load(requests[0]["rules"]))
    hands = [
        scorer.check(
            parse_mpsz(one["concealed"]),
            [parse_meld(meld) for meld in one["melds"]],
            parse_tile(one["win_tile"]),
            one["by"],
        )
        for one in requests
    ]
    times = []
    for _ in range(5):
        start = time.process_time()
        for hand in hands:
            scorer.worth(hand)
        times.append(time.process_time() - start)
    return statistics.median(times) / len(hands) * 1e6


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def lines_a_second(requests: list[dict[str, Any]]) -> float:
    """Hands a second of the whole command, its start included: the best of three runs."""
    command = [sys.executable, "-m", "hongzhong", "score", "--jsonl"]
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder, "in.jsonl"), Path(folder, "out.jsonl")
        asked.write_text("".join(json.dumps(one) + "\n" for one in requests), encoding="utf-8")
        seconds = []
        for _ in range(3):
            with asked.open("rb") as source, answered.open("wb") as out:
                start = _children()
                subprocess.run(command, stdin=source, stdout=out, check=True)
                seconds.append(_children() - start)
        answers = answered.read_bytes().splitlines()
    assert len(answers) == len(requests)
    wins = sum(b'"win":true' in answer for answer in answers)
    print(f"score --jsonl: {len(answers)} hands, {wins / len(answers):.0%} win")
    return len(requests) / min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--share", type=float, default=1.0, help="of each bar that must be reached")
    given = parser.parse_args()
    chance = random.Random(1)
    requests = [request_of(chance, RULE_SETS[number % 4], number) for number in range(given.hands)]
    reached = []
    for place, name in enumerate(RULE_SETS):
        took = call_us(requests[place : 4000 + place : 4])
        reached.append(BAR_CALL_US / took)
        print(f"score, one call, {name:<15} {took:6.2f} us   bar {BAR_CALL_US} us: {reached[-1]:.2f} of it")
    rate = lines_a_second(requests)
    reached.append(rate / BAR_HANDS)
    print(f"score --jsonl, whole command    {rate:9,.0f} hands/s   bar {BAR_HANDS:,}: {reached[-1]:.2f} of it")
    if min(reached) < given.share:
        print(f"below {given.share:.0%} of a bar", file=sys.stderr)
        raise SystemExit(1)


if __name__ == "__main__":
    main()
