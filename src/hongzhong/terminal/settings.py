"""What the command line asks of the table, and the folder of its games. Loads nothing of the engine."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hongzhong import rules
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet

SUFFIX: Final = ".journal"


@dataclass(slots=True, kw_only=True)
class Settings:
    """``rules``: a name or file, None to choose on the start screen; ``seat``: the place in the order of joining."""

    lang: str
    rules: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    bots: tuple[str, str, str] = ("greedy", "greedy", "greedy")
    seat: int = 0
    name: str = ""
    seed: int | None = None
    fair: bool = False
    record: Path | None = None
    glyphs: bool = False
    fast: bool = False
    new: bool = False
    resume: bool = False


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A journal that a match can go on from, told by its head alone."""

    path: Path
    rules: RuleSet
    saved: float

    @property
    def when(self) -> str:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(self.saved))


def games_folder() -> Path:
    """``HONGZHONG_DATA``, else the user's data folder, and ``games`` in it."""
    import platformdirs

    return Path(os.environ.get("HONGZHONG_DATA") or platformdirs.user_data_dir("hongzhong")) / "games"


def unfinished() -> Unfinished | None:
    """The newest match that was left, if any. A file that is no journal of a known rule set is passed over."""
    try:
        paths = sorted(games_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return None
    for path in paths:
        try:
            with path.open("rb") as file:
                head = json.loads(file.readline())
            return Unfinished(path, rules.load(head["sheet"], head["options"]), path.stat().st_mtime)
        except (OSError, ValueError, KeyError, TypeError, RecursionError, RuleError):
            continue
    return None
