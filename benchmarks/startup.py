"""Start-up of the installed script: ``uv run python benchmarks/startup.py [--share 0.6]``.

``--help`` under 0.2 s; a warm score within ``import numba`` + 0.6 s; the first score on an empty cache under 15 s; ``warm`` on an empty
cache under 40 s. Processor time of the process and its children, medians; exits with 1 where a bar is missed by more than ``--share``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("hongzhong")
SCORE = [str(SCRIPT), "score", "--rules", "hebei", "123m456m55m23p(999p)+4p"]


def spent(command: list[str], cache: str | None = None) -> float:
    """Processor seconds of a command."""
    environment = os.environ | ({"HONGZHONG_CACHE": cache} if cache else {})
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(command: list[str]) -> float:
    return statistics.median(spent(command) for _ in range(5))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--share", type=float, default=1.0)
    share = parser.parse_args().share
    spent(SCORE)
    numba = median([sys.executable, "-c", "import numba"])
    found = {"help": (median([str(SCRIPT), "--help"]), 0.2), "warm score": (median(SCORE), numba + 0.6)}
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as whole:
        found["first score"] = (spent(SCORE, first), 15.0)
        found["hongzhong warm"] = (spent([str(SCRIPT), "warm"], whole), 40.0)
    failed = 0
    for what, (seconds, bar) in found.items():
        failed += seconds > bar / share
        print(json.dumps({"what": what, "seconds": round(seconds, 3), "bar": round(bar, 3), "share_wanted": share}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
