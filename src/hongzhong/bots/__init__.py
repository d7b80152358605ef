"""Bots: players who see masked events and prompts, nothing else. Other packages add theirs by an entry point.

An entry point of the group ``hongzhong.bots`` names a callable that takes a seed and gives a ``Bot``. A name such as
``exec:./bot.py`` is a program (bots/external.py).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Protocol, cast

from hongzhong.events import Event
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet

GROUP: Final = "hongzhong.bots"
_BUILT_IN: Final = {
    "random": ("hongzhong.bots.uniform", "RandomBot"),
    "beginner": ("hongzhong.bots.beginner", "BeginnerBot"),
    "greedy": ("hongzhong.bots.greedy", "GreedyBot"),
    "value": ("hongzhong.bots.value", "ValueBot"),
    "search": ("hongzhong.bots.search", "SearchBot"),
}
LEVELS: Final = ("beginner", "greedy", "value", "search")
"""The bots that a player may choose to sit down with, the weakest first; their names are in texts/bots.py."""
_BATCHED: Final = ("random", "greedy", "value")


class BotError(ValueError):
    """No such bot, or one that cannot be loaded: says which and what would be right."""


class Bot(Protocol):
    """A player of one seat."""

    def start(self, rules: RuleSet, seat: int) -> None:
        """A match begins."""

    def see(self, event: Event) -> None:
        """An event, masked for the seat."""

    def choose(self, prompt: Prompt) -> int:
        """One of ``prompt.actions``."""


def names() -> list[str]:
    """The bots at hand: the built-in ones, then those of installed packages."""
    return [*_BUILT_IN, *sorted({entry.name for entry in entry_points(group=GROUP)} - set(_BUILT_IN))]


def built_in(name: str) -> bool:
    """Whether the bot has a policy of the same name among the kernels of whole batches."""
    return name in _BATCHED


def _entry(name: str) -> EntryPoint | None:
    return next((entry for entry in entry_points(group=GROUP) if entry.name == name), None)


def check(name: str) -> None:
    """Raises ``BotError`` if no bot has this name."""
    if name.startswith(("exec:", "exec@")):
        import_module("hongzhong.bots.external").check(name)
    elif name.partition(":")[0] == "search":
        _search(name, 0)
    elif name not in _BUILT_IN and _entry(name) is None:
        raise BotError(f"unknown bot {name!r}; known: {', '.join(names())}")


def _search(name: str, seed: int) -> Bot:
    """``search`` with its usual budget, or one such as ``search:1000`` playouts or ``search:50ms``."""
    search = import_module("hongzhong.bots.search")
    _, colon, text = name.partition(":")
    budget = search.parse_budget(text if colon else search.DEFAULT)
    if budget is None:
        raise BotError(
            f"bot {name!r}: its budget is a number of playouts from 1 to {search.MOST_PLAYOUTS}, such as search:1000, "
            f"or a time from 1ms to {search.MOST_MS}ms, such as search:50ms"
        )
    return cast(Bot, search.SearchBot(seed, budget))


def make(name: str, seed: int = 0) -> Bot:
    """A bot by name; the seed is for what it leaves to chance. Raises ``BotError``."""
    check(name)
    if name.startswith(("exec:", "exec@")):
        return cast(Bot, import_module("hongzhong.bots.external").ExternalBot.named(name, seed))
    if name.partition(":")[0] == "search":
        return _search(name, seed)
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        return cast(Bot, getattr(import_module(module), attribute)(seed))
    entry = _entry(name)
    assert entry is not None
    try:
        factory: Callable[[int], Bot] = entry.load()
        return factory(seed)
    except Exception as error:  # whatever a foreign package raises, its user gets one line
        raise BotError(f"bot {name!r} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}") from error
