"""Bots against each other on duplicate deals: the same walls, every seating, intervals by deal (docs/arena.md).

Deals are independent of each other and of who plays them, so any number of processes gives the same result; they are counted in their
order, and those finished beyond a stop are not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from importlib import metadata
from typing import Any, Final

from hongzhong import bots, rules
from hongzhong.arena.deals import ArenaError, Deal, Dealer, greet
from hongzhong.arena.outcome import Outcome, labels
from hongzhong.arena.store import Settings, Store
from hongzhong.arena.workers import played_by

__all__ = ["ArenaError", "Outcome", "Settings", "arena", "settings_of"]

MOST_DEALS: Final = 10_000_000
MOST_JOBS: Final = 256
SEED_LIMIT: Final = 1 << 64
MOST_FAILURES: Final = 10
"""Hands in which a program may be put off the table before the arena gives up."""


def settings_of(ruleset: rules.RuleSet, names: Sequence[str], seed: int) -> Settings:
    """Raises ``ArenaError`` or ``bots.BotError``."""
    if len(names) not in (2, 4):
        count = "1 bot" if len(names) == 1 else f"{len(names)} bots"
        raise ArenaError(f"{count} for an arena: name two, who play two against two, or four")
    for name in names:
        bots.check(name)
    return Settings(
        engine=metadata.version("hongzhong"),
        rules=ruleset.id,
        rules_revision=ruleset.sheet.revision,
        options=dict(ruleset.in_force()),
        bots=list(names),
        seed=_whole("seed", seed, 0, SEED_LIMIT - 1),
    )


def arena(
    sheet: str,
    options: Mapping[str, Any],
    names: Sequence[str],
    deals: int,
    *,
    seed: int = 0,
    jobs: int = 1,
    out: str | None = None,
    resume: bool = False,
    stop: bool = True,
    progress: Callable[[Outcome], None] | None = None,
) -> Outcome:
    """Plays up to ``deals`` deals; with ``stop`` only until every difference is clear. Ctrl-C gives what was done, ``stopped`` telling so.

    ``sheet``: a rule set's name or file. ``out``: the file of finished deals; ``resume`` goes on with it. ``progress`` is called after each
    deal. Raises ``ArenaError``, ``bots.BotError``, ``rules.RuleError``; what ends an arena after its first deal is ``error`` of the outcome.
    """
    _whole("number of deals", deals, 1, MOST_DEALS)
    _whole("number of jobs", jobs, 1, MOST_JOBS)
    if resume and out is None:
        raise ArenaError("--resume goes on with a file: name it with --out")
    ruleset = rules.load(sheet, options)
    settings = settings_of(ruleset, names, seed)
    outcome = Outcome(settings, anytime=stop)
    with closing(Store(out, settings, resume=resume)) if out is not None else closing(_Memory()) as store:
        try:
            _count(outcome, store, deals, stop, progress)
            if not outcome.stopped:
                greet(ruleset, names)
                missing = (number for number in range(outcome.deals, deals) if number not in store.deals)
                with closing(_played(sheet, options, ruleset, settings, jobs, missing)) as played:
                    for deal in played:
                        store.add(deal)
                        _count(outcome, store, deals, stop, progress)
                        if outcome.stopped:
                            break
        except KeyboardInterrupt:
            outcome.stopped = "interrupted"
        except ArenaError as error:
            if not outcome.deals:
                raise
            outcome.stopped, outcome.error = "error", str(error)
    return outcome


class _Memory:
    """Where deals go without a file."""

    def __init__(self) -> None:
        self.deals: dict[int, Deal] = {}

    def add(self, deal: Deal) -> None:
        self.deals[deal.number] = deal

    def close(self) -> None:
        self.deals.clear()


def _count(
    outcome: Outcome, store: Store | _Memory, deals: int, stop: bool, progress: Callable[[Outcome], None] | None
) -> None:
    """Takes in what is there in order, up to a reason to stop."""
    while not outcome.stopped and outcome.deals in store.deals:
        outcome.add(store.deals[outcome.deals])
        if any(outcome.failed(place) >= MOST_FAILURES for place in range(len(outcome.entrants))):
            outcome.stopped = "failures"
        elif stop and outcome.all_clear():
            outcome.stopped = "clear"
        elif outcome.deals == deals:
            outcome.stopped = "deals"
        if progress is not None:
            progress(outcome)


def _played(
    sheet: str,
    options: Mapping[str, Any],
    ruleset: rules.RuleSet,
    settings: Settings,
    jobs: int,
    numbers: Iterator[int],
) -> Generator[Deal]:
    """Deals as they are finished."""
    if jobs > 1:
        yield from played_by(jobs, (sheet, dict(options), settings.bots, settings.seed), numbers)
        return
    with closing(Dealer(ruleset, settings.bots, labels(settings.bots), settings.seed)) as dealer:
        yield from map(dealer.play, numbers)


def _whole(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise ArenaError(f"{name} {value}: give a whole number from {low} to {high}")
    return value
