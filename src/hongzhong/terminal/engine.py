"""Loads the engine behind the start screen: numba, then the kernels, compiled on the first start and cached after."""

from __future__ import annotations

import re
import sys
import threading
from importlib import import_module
from pathlib import Path

from hongzhong.texts.terminal import say

_PART = re.compile(r"^@(?:kernel|entry)", re.MULTILINE)


class Engine:
    """``ready`` once a table can be opened; ``failed`` says why it cannot. The thread ends with the process."""

    def __init__(self) -> None:
        self.failed = ""
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._load, name="engine", daemon=True)
        self._modules: dict[str, int] = {}

    def start(self) -> None:
        self._modules = _kernels()
        self._thread.start()

    @property
    def ready(self) -> bool:
        return self._ready.is_set()

    def _load(self) -> None:
        try:
            import_module("hongzhong.terminal.play")
        except Exception as error:  # whatever it is, the player is told in one line
            self.failed = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        else:
            self._ready.set()

    def told(self, lang: str) -> str:
        """One line for the player."""
        if self.failed:
            return self.failed
        if self.ready:
            return say(lang, "warm_ready")
        loaded = [count for name, count in self._modules.items() if name in sys.modules]
        if not loaded:
            return say(lang, "warm_loading")
        return say(lang, "warm_compiling", percent=100 * sum(loaded) // sum(self._modules.values()))


def _kernels() -> dict[str, int]:
    """How many compiled functions each module of kernels holds."""
    folder = Path(__file__).parent.parent / "kernels"
    return {
        f"hongzhong.kernels.{path.stem}": len(_PART.findall(path.read_text("utf-8"))) for path in folder.glob("*.py")
    }
