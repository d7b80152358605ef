"""The server's door opens before the engine is there: what it loads at once has no kernels, and says how far they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

LIGHT = ("hongzhong.server.whole", "hongzhong.server.draining", "hongzhong.server.seats", "hongzhong.cli.serve")


@pytest.mark.parametrize("module", LIGHT)
def test_what_serves_the_page_loads_no_engine(module: str) -> None:
    code = f"import sys, {module}; print(sorted({{'numba', 'numpy', 'textual'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "[]", done.stderr or done.stdout
