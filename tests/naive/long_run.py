"""The comparison at length: ``python -m tests.naive.long_run [--hands N] [--waits N] [--seed S] [--sheet NAME ...]``.

Prints progress, and every disagreement, to standard error; figures at the end to standard output. Exit code 1 on any disagreement.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter

from hongzhong import rules

from . import compare

CHUNK = 2000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--hands", type=int, default=int(os.environ.get("HONGZHONG_NAIVE_HANDS", "1000000")), help="in all"
    )
    parser.add_argument("--waits", type=int, default=0, help="hands whose waits are compared, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheet", nargs="*", default=rules.names())
    asked = parser.parse_args()
    wrong = 0
    begun = time.monotonic()
    for kind, total, run in (
        ("scores", asked.hands, compare.compare_scores),
        ("waits", asked.waits, compare.compare_waits),
    ):
        for name in asked.sheet:
            tally: Counter[str] = Counter()
            sheet = rules.sheet(name)
            share = total // len(asked.sheet)
            for chunk in range(0, share, CHUNK):
                for found in run(sheet, min(CHUNK, share - chunk), f"long {asked.seed} {chunk}", tally):
                    wrong += 1
                    print(f"disagree: {found}", file=sys.stderr, flush=True)
                spent = time.monotonic() - begun
                print(
                    f"{kind} {name}: {tally['hands']:,} of {share:,}, {wrong} disagree, {spent:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
            print(json.dumps({"what": kind, "rules": name, "disagree": wrong, **tally}), flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
