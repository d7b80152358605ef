"""Playing whole hands beside RiichiEnv, in one run: ``uv run python benchmarks/play.py [--seconds S] [--share 0.6]``.

Decisions (prompts answered) a second of processor time on one core: random play in a batch at least 30 times RiichiEnv without
observations, greedy at least 10 times, steps driven from Python at least 3 times. RiichiEnv is installed into a throw-away
environment and measured before and after. Exits with 1 where less than ``--share`` of a bar is reached.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from hongzhong import rules
from hongzhong.kernels import table
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import STATE, compile_rules
from hongzhong.rules.variant import RuleSet
from hongzhong.simulate import Table

BARS = {"random": 30.0, "greedy": 12.0, "python": 3.0}
RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
PEER = Path(__file__).parent / "peers" / "riichienv_random.py"
CHUNK = 500


def peer(hands: int) -> float:
    """Decisions a second of RiichiEnv 0.4.11, random play."""
    command = ["uv", "run", "--no-project", "--with", "riichienv==0.4.11", "python", str(PEER), str(hands), "1"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(json.loads(told)["decisions_per_s"])


def batch(ruleset: RuleSet, policy: str, seconds: float) -> tuple[float, float]:
    """Decisions and hands a second of whole hands in compiled batches."""
    bench = Table(ruleset, (policy,) * 4, 1)
    bench.play(0, 20)
    decisions = hands = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        decisions += int(bench.play(hands, CHUNK)["steps"].sum())
        hands += CHUNK
    spent = time.process_time() - start
    return decisions / spent, hands / spent


def driven(ruleset: RuleSet, seconds: float) -> tuple[float, float]:
    """Decisions and hands a second with each step called from Python, actions chosen there."""
    compiled = compile_rules(ruleset)
    states, out = np.zeros(1, STATE), np.zeros(144, np.int64)
    log = np.zeros((64, 10), np.int64)
    tiles = [kind for kind, copies in enumerate(ruleset.sheet.copies) for _ in range(copies)]
    chance = random.Random(1)
    choose, step, hand = chance.random, table.step_at, hand_tables()
    decisions = hands = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        chance.shuffle(tiles)
        wall = np.zeros(136, np.int8)
        wall[: len(tiles)] = tiles
        prompt = table.start_at(hand, compiled, states, 0, log, wall, hands % 4, -1, out)
        while prompt >= 0:
            action = int(out[int(choose() * (prompt & 255))])
            prompt = step(hand, compiled, states, 0, log, prompt >> 8, action, out)
            decisions += 1
        hands += 1
    spent = time.process_time() - start
    return decisions / spent, hands / spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--peer-hands", type=int, default=400)
    parser.add_argument("--share", type=float, default=1.0)
    given = parser.parse_args()
    before = peer(given.peer_hands)
    found = []
    for name in RULE_SETS:
        ruleset = rules.load(name)
        for way in BARS:
            rates = [
                driven(ruleset, given.seconds / 3) if way == "python" else batch(ruleset, way, given.seconds / 3)
                for _ in range(3)
            ]
            found.append((name, way, *(statistics.median(column) for column in zip(*rates, strict=True))))
    base = (before + peer(given.peer_hands)) / 2
    print(f"riichienv 0.4.11: {base:,.0f} decisions/s", file=sys.stderr)
    failed = 0
    for name, way, decisions, hands in found:
        ratio = decisions / base
        failed += ratio < BARS[way] * given.share
        row = {"rules": name, "way": way, "decisions_per_s": round(decisions), "hands_per_s": round(hands)}
        print(json.dumps(row | {"ratio": round(ratio, 1), "bar": BARS[way], "share_wanted": given.share}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
