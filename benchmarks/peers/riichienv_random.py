"""Random play on RiichiEnv 0.4.11, without encoded observations and without its log: decisions a CPU second.

    uv run --no-project --with riichienv==0.4.11 python benchmarks/peers/riichienv_random.py [HANDS] [REPEATS]

Prints one JSON line. A decision is one prompt answered: one seat asked, one action given. RiichiEnv is always stepped from
Python, so the same figure is its rate for steps driven from Python. Runs without this project installed.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from importlib import metadata

from riichienv import RiichiEnv

MODE = "4p-red-single"
"""One deal a game, four seats: the peer's counterpart of one hand of play."""


def play(hands: int, seed: int) -> tuple[int, float]:
    """Plays so many hands with uniformly random legal actions; decisions made and CPU seconds used."""
    choose = random.Random(seed)
    decisions = 0
    start = time.process_time()
    for _ in range(hands):
        table = RiichiEnv(game_mode=MODE, skip_mjai_logging=True, seed=choose.randrange(1 << 30))
        asked = table.reset()
        while not table.done():
            answers = {seat: choose.choice(observation.legal_actions()) for seat, observation in asked.items()}
            decisions += len(answers)
            asked = table.step(answers)
    return decisions, time.process_time() - start


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    runs = [play(hands, seed) for seed in range(repeats)]
    rates = [decisions / seconds for decisions, seconds in runs]
    print(
        json.dumps(
            {
                "peer": "riichienv",
                "version": metadata.version("riichienv"),
                "policy": "random",
                "hands": hands,
                "repeats": repeats,
                "decisions_per_hand": round(statistics.median(d / hands for d, _ in runs), 1),
                "decisions_per_s": round(statistics.median(rates)),
                "hands_per_s": round(statistics.median(hands / s for _, s in runs), 1),
            }
        )
    )


if __name__ == "__main__":
    main()
