"""Many hands between bots: whole hands in compiled batches, statistics that do not depend on how the work was split.

Each hand stands alone: its dealer, dice, wall and the bots' own chance follow from the seed and the number of the hand. Bots of
other packages play the same walls hand by hand, behind masked events.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hongzhong import bots as players
from hongzhong import events, fair
from hongzhong.actions import N_ACTIONS
from hongzhong.bots.sight import compiled
from hongzhong.bots.value import Scratch, weights_of
from hongzhong.kernels import batch, weights
from hongzhong.kernels.jit import hand_tables
from hongzhong.kernels.log import N_COLUMNS
from hongzhong.layout import BY_DISCARD, BY_DRAW, BY_KONG, OUTLOOK, RESULT, STATE
from hongzhong.match import Match
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.rules.vocabulary import BITS
from hongzhong.simulate.seating import Bench, BotFailed, Failure, SimulationError, play_hand, verdicts
from hongzhong.simulate.statistics import REASONS, Statistics

__all__ = ["Failure", "SimulationError", "Statistics", "Table", "simulate"]

MOST_HANDS: Final = 1_000_000_000
MOST_JOBS: Final = 256
SEED_LIMIT: Final = 1 << 64
CHUNK: Final = 100
"""Hands of a compiled batch that a worker plays before it reports and looks whether to go on; of other bots it is one."""
MOST_FAILURES: Final = 10
"""Hands in which programs may be put off the table before the simulation gives up."""
_MOST_ROWS: Final = 2000
_WAYS: Final = {"draw": BY_DRAW, "discard": BY_DISCARD, "kong": BY_KONG}
_GOLDEN: Final = 0x9E3779B97F4A7C15


def default_jobs() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _whole(name: str, value: int, low: int, high: int) -> int:
    if not low <= value <= high:
        raise SimulationError(f"{name} {value}: give a whole number from {low} to {high}")
    return value


def seat_bots(names: Sequence[str]) -> tuple[str, ...]:
    """Bots by seat; a single name takes all seats. Raises ``SimulationError`` or ``bots.BotError``."""
    seated = tuple(names) * 4 if len(names) == 1 else tuple(names)
    if len(seated) != 4:
        raise SimulationError(
            f"{len(seated)} bots for four seats: name one for all, or four such as greedy,greedy,random,random"
        )
    for name in seated:
        players.check(name)
    return seated


def generators(seed: int, first: int, n: int) -> npt.NDArray[np.uint64]:
    """A generator for each hand from number ``first`` on: the n-th outputs of splitmix64 from a mixed seed, never zero."""
    with np.errstate(over="ignore"):
        start = _mixed(np.array([seed % SEED_LIMIT], np.uint64))
        mixed = _mixed(start + np.arange(first + 1, first + n + 1, dtype=np.uint64) * np.uint64(_GOLDEN))
    return np.where(mixed == 0, np.uint64(_GOLDEN), mixed)


def _mixed(value: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


class Table:
    """One worker's place: scratch for the kernels, and hands of a rule set played on it."""

    def __init__(self, rules: RuleSet, seated: Sequence[str], seed: int) -> None:
        self.rules = rules
        self.seated = seated
        self.seed = seed
        self.compiled = compiled(rules)
        self._one_hand = resolve(rules.sheet, rules.in_force() | {"hands": 1, "rounds": 0})
        self.wall = np.zeros(136, np.int8)
        self._state = np.zeros(1, STATE)
        self._log = np.zeros((_MOST_ROWS, N_COLUMNS), np.int64)
        self._actions = np.zeros(N_ACTIONS, np.int64)
        self._outlook = np.zeros(1, OUTLOOK)
        ours = all(players.built_in(name) for name in seated)
        self._policies = np.array([batch.POLICIES.index(name) for name in seated], np.int64) if ours else None
        self._scratch = Scratch()
        self._weights = weights_of(rules) if ours and "value" in seated else np.zeros(weights.N_WEIGHTS)
        self._bench = Bench()
        self.chunk = CHUNK if ours else 1
        self.failures: list[Failure] = []
        """Of programs, in the hands played so far."""

    def play(self, first: int, n: int) -> npt.NDArray[np.void]:
        """Hands ``first`` to ``first + n - 1`` as ``RESULT`` records."""
        if self._policies is None:
            return np.concatenate([self.play_one(number)[0] for number in range(first, first + n)])
        return self._batch(first, n, self._policies, self._log[:0])

    def _batch(
        self, first: int, n: int, policies: npt.NDArray[np.int64], log: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.void]:
        results = np.zeros(n, RESULT)
        scratch = self._scratch
        batch.play_hands(
            hand_tables(), self.compiled, self._state, log, self.wall, generators(self.seed, first, n),
            policies, self._actions, self._outlook, self._weights, scratch.chance, scratch.notes, scratch.after, scratch.out,
            results,
        )  # fmt: skip
        return results

    def play_one(self, number: int) -> tuple[npt.NDArray[np.void], list[events.Event]]:
        """The same hand as a match of one hand with all its events; the record of a hand."""
        policies = self._policies
        if policies is not None:
            result = self._batch(number, 1, policies, self._log)
            match = self._match(number, result[0])
            match.take(self._state, self._log)
            return result, match.events
        result, match = self.lay(number)
        seeds = [int(g) for g in generators(self.seed ^ _GOLDEN, 4 * number, 4)]
        steps = self._play_bots(match, number, seeds)
        fill_result(result[0], match.events, steps)
        return result, match.events

    def _play_bots(self, match: Match, number: int, seeds: Sequence[int]) -> int:
        """The prompts answered. Raises ``SimulationError`` when a bot of an installed package fails."""
        seats = [self._bench.bot(seat, self.seated[seat], seed) for seat, seed in enumerate(seeds)]
        try:
            steps = play_hand(match, seats)
        except BotFailed as fault:
            name = self.seated[fault.seat]
            raise SimulationError(f"bot {name!r} on seat {fault.seat} of hand {number + 1}: {fault}") from fault
        self.failures += [
            Failure(number + 1, seat, self.seated[seat], verdict.kind, verdict.prompt, verdict.text)
            for seat, verdict in verdicts(seats)
        ]
        return steps

    def close(self) -> None:
        """Ends the programs at the table."""
        self._bench.close()

    def lay(self, number: int, players: Sequence[str] = ()) -> tuple[npt.NDArray[np.void], Match]:
        """A hand before its first answer: its wall, dice and dealer, whoever plays it. ``players``: names by seat, else those of the bots."""
        result = np.zeros(1, RESULT)
        batch.lay_hand(self.compiled, generators(self.seed, number, 1), self.wall, result)
        return result, self._match(number, result[0], players)

    def _match(self, number: int, result: Any, players: Sequence[str] = ()) -> Match:
        wall = [int(kind) for kind in self.wall[: sum(self.rules.sheet.copies)]]
        dice = [int(pips) for pips in result["dice"]]
        chance = _Laid(self.rules, self.seed, number, int(result["dealer"]), dice, wall)
        return Match(self._one_hand, players or self.seated, chance=chance)


class _Laid:
    """The chance of one simulated hand, as the kernel laid it. The throws that made the dealer are drawn to fit (Q2, H25)."""

    def __init__(self, rules: RuleSet, seed: int, number: int, dealer: int, dice: list[int], wall: list[int]) -> None:
        self._rules = rules
        self._stream = fair.Stream(fair.secret_of_seed(seed), f"throws {number}")
        self._dealer = dealer
        self._dealt = fair.Dealt(wall)
        if fair.throws_dice(rules):
            self._dealt = fair.Dealt(wall, [dice[:2], dice[2:]], sum(dice))

    def opening(self) -> fair.Opening:
        way = self._rules.sheet.first_dealer
        if way == "random":
            return fair.Opening(self._dealer)
        while True:
            throws = [self._stream.throw() for _ in range(4)]
            sums = [sum(throw) for throw in throws]
            if sums.count(max(sums)) == 1:
                break
        best = sums.index(max(sums))
        throws = [throws[(best + seat - self._dealer) % 4] for seat in range(4)]
        return fair.Opening(self._dealer, throws, [0, 1, 2, 3] if way == "winds" else None)

    def hand(self, number: int, dealer: int) -> fair.Dealt:
        return self._dealt


def fill_result(result: Any, played: Sequence[events.Event], steps: int) -> None:
    """Reads a hand's ``RESULT`` from its events; dealer and dice stand there already."""
    result["how"] = result["source"] = -1
    result["steps"] = steps
    for place, event in enumerate(played):
        if isinstance(event, events.Discard):
            result["discards"] += 1
        elif isinstance(event, events.Kong):
            robbed = isinstance(played[place + 1], events.Win)
            result["kongs"] += not robbed
            result["concealed_kongs" if event.kind == "concealed" else "open_kongs"][event.seat] += not robbed
        elif isinstance(event, events.Win):
            result["winners"] |= 1 << event.seat
            result["how"] = _WAYS[event.by]
            result["source"] = event.seat if event.from_ is None else event.from_
            result["points"][event.seat] = event.points
            result["bits"][event.seat] = sum(1 << BITS[pattern.id] for pattern in event.patterns)
        elif isinstance(event, events.End):
            result["reason"] = REASONS.index(event.reason)
            result["scores"] = event.scores


def simulate(
    rules: RuleSet,
    hands: int,
    *,
    bots: Sequence[str] = ("greedy",),
    seed: int = 0,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
    record: Callable[[list[events.Event]], None] | None = None,
) -> Statistics:
    """Plays ``hands`` hands and tells how they went. An interrupt (Ctrl-C) gives what was done so far, ``interrupted`` set; so does
    a bot that fails after the first hand, ``error`` telling why, and a program that fails in ``MOST_FAILURES`` hands (``gave_up``).

    ``progress`` is called with the hands done; ``record`` with the events of each hand in turn, then one job does all. The result does
    not depend on ``jobs``. Raises ``SimulationError``, ``bots.BotError``, and whatever ``record`` raises.
    """
    _whole("number of hands", hands, 1, MOST_HANDS)
    _whole("seed", seed, 0, SEED_LIMIT - 1)
    jobs = _whole("number of jobs", default_jobs() if jobs is None else jobs, 1, MOST_JOBS)
    seated = seat_bots(bots)
    total = Statistics.empty(rules, seated, seed)
    if record is not None:
        _recorded(Table(rules, seated, seed), hands, total, progress, record)
    else:
        _in_threads([Table(rules, seated, seed) for _ in range(min(jobs, -(-hands // CHUNK)))], hands, total, progress)
    total.failures.sort()
    return total


def _add(total: Statistics, table: Table, results: npt.NDArray[np.void]) -> bool:
    """Takes hands in; whether to go on."""
    total.add(results)
    total.failures += table.failures
    table.failures = []
    total.gave_up = len({failure.hand for failure in total.failures}) >= MOST_FAILURES
    return not total.gave_up


def _recorded(
    table: Table,
    hands: int,
    total: Statistics,
    progress: Callable[[int], None] | None,
    record: Callable[[list[events.Event]], None],
) -> None:
    results: list[npt.NDArray[np.void]] = []

    def take() -> bool:
        hands = np.concatenate(results)
        results.clear()
        return _add(total, table, hands)

    try:
        for number in range(hands):
            result, played = table.play_one(number)
            record(played)
            results.append(result)
            if progress is not None:
                progress(number + 1)
            if len(results) == table.chunk and not take():
                break
    except KeyboardInterrupt:
        total.interrupted = True
    except SimulationError as error:
        if not total.hands and not results:
            raise
        total.error = str(error)
    finally:
        if results:
            take()
        table.close()


def _in_threads(tables: Sequence[Table], hands: int, total: Statistics, progress: Callable[[int], None] | None) -> None:
    """Workers take chunks in turn; the kernels let go of the interpreter's lock, so threads run side by side."""
    lock = threading.Lock()
    stop = threading.Event()
    faults: list[BaseException] = []
    chunks: Iterator[int] = iter(range(0, hands, tables[0].chunk))

    def work(table: Table) -> None:
        try:
            while not stop.is_set():
                with lock:
                    first = next(chunks, None)
                if first is None:
                    return
                results = table.play(first, min(table.chunk, hands - first))
                with lock:
                    if not _add(total, table, results):
                        stop.set()
        except BaseException as fault:  # told to the caller by the thread that waits
            faults.append(fault)
            stop.set()
        finally:
            table.close()

    threads = [threading.Thread(target=work, args=(table,), daemon=True) for table in tables]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            threads[0].join(0.1) if threads[0].is_alive() else next(t for t in threads if t.is_alive()).join(0.1)
            if progress is not None:
                progress(total.hands)
    except KeyboardInterrupt:
        total.interrupted = True
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if faults and total.hands and isinstance(faults[0], SimulationError):
        total.error = str(faults[0])
    elif faults:
        raise faults[0]
