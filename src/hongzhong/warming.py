"""Loads the engine behind a door that opens already: numba, then the kernels, compiled on the first start and cached after."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

_PART: Final = re.compile(r"^@(kernel|inlined|unit|entry)\b.*\n(?:@.*\n)*def (\w+)", re.MULTILINE)
_WORK: Final = {"kernel": 1, "inlined": 1, "entry": 2, "unit": 3}
"""What it takes to compile one, as measured: 0.4 s, 0.7 s for those that Python calls, 1.2 s for units."""


class Warming:
    """``ready`` once all ``modules`` are loaded; ``failed`` says why they cannot be. The thread ends with the process."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.failed = ""
        self._wanted = modules
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._load, name="engine", daemon=True)
        self._kernels: dict[str, dict[str, int]] = {}

    def start(self) -> None:
        self._kernels = _kernels()
        self._thread.start()

    @property
    def ready(self) -> bool:
        return self._ready.is_set()

    @property
    def begun(self) -> bool:
        """The first kernels are there; before it only numba itself is loaded."""
        return any(name in sys.modules for name in self._kernels)

    @property
    def percent(self) -> int:
        """Of the work to compile all kernels, function by function; some may not be wanted, so it ends with a leap."""
        if self.ready:
            return 100
        whole = sum(sum(parts.values()) for parts in self._kernels.values())
        there = {name: vars(sys.modules[name]) for name in self._kernels if name in sys.modules}
        done = sum(work for name, held in there.items() for part, work in self._kernels[name].items() if part in held)
        return min(99, 100 * done // max(whole, 1))

    def _load(self) -> None:
        try:
            for module in self._wanted:
                import_module(module)
        except Exception as error:  # whatever it is, the player is told in one line
            self.failed = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        else:
            self._ready.set()


def _kernels() -> dict[str, dict[str, int]]:
    """The compiled functions of each module of kernels, and the work of each."""
    return {
        f"hongzhong.kernels.{path.stem}": {name: _WORK[how] for how, name in _PART.findall(path.read_text("utf-8"))}
        for path in (Path(__file__).parent / "kernels").glob("*.py")
    }
