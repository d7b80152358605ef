"""The server's door opens before the engine is there: what it loads at once has no kernels, and says how far they are."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from itertools import pairwise

import pytest

from hongzhong.warming import _kernels

PROGRESS = """
import time
from hongzhong.server.app import ENGINE
from hongzhong.warming import Warming
warming, seen = Warming(ENGINE), []
warming.start()
while not warming.ready:
    assert not warming.failed, warming.failed
    percent = warming.percent
    seen += [percent] if seen[-1:] != [percent] else []
    time.sleep(0.002)
print(*seen, warming.percent)
"""


def test_the_progress_grows_with_every_kernel_compiled() -> None:
    """Finely, never backwards, 100 only when all is there; also from the cache, where it takes a few seconds."""
    done = subprocess.run([sys.executable, "-c", PROGRESS], capture_output=True, text=True, timeout=550, check=True)
    *seen, last = map(int, done.stdout.split())
    assert seen == sorted(seen) and seen[0] == 0 and 85 <= seen[-1] < 100 and last == 100
    assert len(seen) > 30 and max(b - a for a, b in pairwise(seen)) <= 8


def test_the_progress_knows_every_kernel() -> None:
    for name, parts in _kernels().items():
        held = vars(import_module(name))
        assert all(part in held for part in parts), name
        compiled = {
            part for part, what in held.items() if getattr(what, "__module__", "") == name and hasattr(what, "py_func")
        }
        assert compiled <= set(parts), name


LIGHT = ("hongzhong.server.whole", "hongzhong.server.draining", "hongzhong.server.seats", "hongzhong.cli.serve")


@pytest.mark.parametrize("module", LIGHT)
def test_what_serves_the_page_loads_no_engine(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{'numba', 'numpy', 'textual'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "[]", done.stderr or done.stdout
