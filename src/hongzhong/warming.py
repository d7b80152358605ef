"""Loads the engine behind a door that opens already: numba, then the kernels, compiled on the first start and cached after."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

_PART = re.compile(r"^@(?:kernel|inlined|unit|entry)", re.MULTILINE)


class Warming:
    """``ready`` once all ``modules`` are loaded; ``failed`` says why they cannot be. The thread ends with the process."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.failed = ""
        self._wanted = modules
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._load, name="engine", daemon=True)
        self._kernels: dict[str, int] = {}

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
        """Of the kernels, by number of functions."""
        if self.ready:
            return 100
        loaded = sum(count for name, count in self._kernels.items() if name in sys.modules)
        return min(99, 100 * loaded // max(sum(self._kernels.values()), 1))

    def _load(self) -> None:
        try:
            for module in self._wanted:
                import_module(module)
        except Exception as error:  # whatever it is, the player is told in one line
            self.failed = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        else:
            self._ready.set()


def _kernels() -> dict[str, int]:
    """How many compiled functions each module of kernels holds."""
    folder = Path(__file__).parent / "kernels"
    return {
        f"hongzhong.kernels.{path.stem}": len(_PART.findall(path.read_text("utf-8"))) for path in folder.glob("*.py")
    }
