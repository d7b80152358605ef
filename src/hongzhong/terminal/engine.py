"""Loads the engine behind the start screen, and what the player is told meanwhile."""

from __future__ import annotations

from hongzhong.texts.terminal import say
from hongzhong.warming import Warming


class Engine(Warming):
    """``ready`` once a table can be opened; ``failed`` says why it cannot."""

    def __init__(self) -> None:
        super().__init__(("hongzhong.terminal.play",))

    def told(self, lang: str) -> str:
        """One line for the player."""
        if self.failed:
            return self.failed
        if self.ready:
            return say(lang, "warm_ready")
        return say(lang, "warm_compiling", percent=self.percent) if self.begun else say(lang, "warm_loading")
