"""One deal: the same wall played once for each seating, bots behind masked events, their decisions timed."""

from __future__ import annotations

import hashlib
import math
import shlex
import time
from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from typing import Final

import msgspec

from hongzhong import bots, events
from hongzhong.bots.external import ExternalBot
from hongzhong.match import Match
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.simulate import Table
from hongzhong.simulate.seating import Bench, BotFailed, choose, guarded, play_hand, verdicts

PAIRS: Final = tuple(tuple(int(seat not in seats) for seat in range(4)) for seats in combinations(range(4), 2))
"""Two bots, two seats each, in all six ways: who sits at each seat."""
CIRCLES: Final = tuple((0, *rest) for rest in permutations((1, 2, 3)))
"""Four bots in the six orders around the table."""
_BUCKETS: Final = 16
"""Classes of decision times in an octave: bounds 4.4 % apart."""


class ArenaError(ValueError):
    """What keeps an arena from being played on: one line for the user."""


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one seating ended: ``scores`` by seat, the seats that won, the seat that gave the winning tile, -1 for none."""

    scores: list[int]
    won: list[int]
    gave: int


class Times(msgspec.Struct, forbid_unknown_fields=True):
    """Decisions of one bot: how many, seconds of all, and how many in each class of times, ``floor(16 log2(microseconds))``."""

    n: int = 0
    seconds: float = 0.0
    classes: dict[int, int] = {}

    def add(self, seconds: float) -> None:
        self.n += 1
        self.seconds += seconds
        place = max(0, math.floor(_BUCKETS * math.log2(max(1.0, 1e6 * seconds))))
        self.classes[place] = self.classes.get(place, 0) + 1

    def join(self, other: Times) -> None:
        self.n += other.n
        self.seconds += other.seconds
        for place, n in other.classes.items():
            self.classes[place] = self.classes.get(place, 0) + n

    def quantile(self, share: float) -> float:
        """Seconds that this share of the decisions did not exceed, up to the width of a class."""
        left = share * self.n
        for place in sorted(self.classes):
            left -= self.classes[place]
            if left <= 0:
                return float(2 ** ((place + 1) / _BUCKETS) / 1e6)
        return 0.0


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A program that was put off the table: which entrant, in which seating and seat, why."""

    bot: int
    seating: int
    seat: int
    kind: str
    prompt: int
    text: str


class Deal(msgspec.Struct, tag_field="type", tag="deal", frozen=True, forbid_unknown_fields=True):
    """A finished deal: a hand for each seating, times by entrant."""

    number: int
    hands: list[Hand]
    times: list[Times]
    failures: list[Failure] = []


def seatings(entrants: int, deal: int) -> tuple[tuple[int, ...], ...]:
    """The seatings of a deal, entrants by seat: each entrant sits as often at every seat.

    Two: the six ways to seat two against two. Four: one order around the table in its four rotations; the six orders take turns by deal.
    """
    if entrants == 2:
        return PAIRS
    circle = CIRCLES[deal % len(CIRCLES)]
    return tuple(tuple(circle[(seat - turn) % 4] for seat in range(4)) for turn in range(4))


def bot_seed(seed: int, deal: int, seat: int) -> int:
    """What a bot leaves to chance depends on deal and seat alone, so that equal bots play the same in every seating."""
    return int.from_bytes(hashlib.sha256(f"hongzhong arena {seed} {deal} {seat}".encode()).digest()[:8], "big")


class Dealer:
    """Plays deals of one arena. Programs stay from hand to hand; other bots are made anew for each."""

    def __init__(self, rules: RuleSet, names: Sequence[str], labels: Sequence[str], seed: int) -> None:
        self._names = names
        self._labels = labels
        self._seed = seed
        self._table = Table(rules, ("random",) * 4, seed)
        self._bench = Bench()
        for name in set(names):
            self._warm(name)

    def _warm(self, name: str) -> None:
        """Lets a bot load what it needs before its first decision is timed."""
        bot = bots.make(name)
        if isinstance(bot, ExternalBot):
            return
        _, match = self._table.lay(0)
        seat = match.asked()[0]
        prompt = match.prompt(seat)
        try:
            guarded(seat, bot.start, match.rules, seat)
            for event in match.seen(seat):
                guarded(seat, bot.see, event)
            guarded(seat, bot.choose, prompt)
        except BotFailed as fault:
            raise ArenaError(f"bot {name!r} at its first prompt: {fault}") from fault

    def play(self, number: int) -> Deal:
        """All seatings of a deal. Raises ``ArenaError`` when a bot of an installed package fails."""
        times = [Times() for _ in self._names]
        hands: list[Hand] = []
        failures: list[Failure] = []
        for place, seated in enumerate(seatings(len(self._names), number)):
            players = [self._bot(number, seat, seated) for seat in range(4)]
            _, match = self._table.lay(number, [self._labels[entrant] for entrant in seated])
            try:
                play_hand(match, players, _timed([times[entrant] for entrant in seated]))
            except BotFailed as fault:
                label = self._labels[seated[fault.seat]]
                raise ArenaError(f"bot {label!r} on seat {fault.seat} of deal {number}: {fault}") from fault
            hands.append(_outcome(match))
            failures += [
                Failure(seated[seat], place, seat, verdict.kind, verdict.prompt, verdict.text)
                for seat, verdict in verdicts(players)
            ]
        return Deal(number, hands, times, failures)

    def close(self) -> None:
        """Ends the programs."""
        self._bench.close()

    def _bot(self, deal: int, seat: int, seated: Sequence[int]) -> bots.Bot:
        entrant = seated[seat]
        key = entrant, list(seated[:seat]).count(entrant)
        return self._bench.bot(key, self._names[entrant], bot_seed(self._seed, deal, seat))


def _timed(times: Sequence[Times]) -> Callable[[bots.Bot, Prompt], int]:
    """Choosing by the clock; ``times`` by seat."""

    def timed(bot: bots.Bot, prompt: Prompt) -> int:
        began = time.perf_counter()
        action = choose(bot, prompt)
        times[prompt.seat].add(time.perf_counter() - began)
        return action

    return timed


def _outcome(match: Match) -> Hand:
    wins = [event for event in match.events if isinstance(event, events.Win)]
    given = [win.from_ for win in wins if win.from_ is not None]
    ends = [event for event in match.events if isinstance(event, events.End)]
    return Hand(ends[-1].scores, [win.seat for win in wins], given[0] if given else -1)


def greet(rules: RuleSet, names: Sequence[str]) -> None:
    """Makes each bot once, and lets each program say that it is ready. Raises ``BotError``, ``ArenaError``."""
    for name in names:
        bot = bots.make(name)
        if isinstance(bot, ExternalBot):
            bot.start(rules, 0)
            bot.close()
            if bot.verdict is not None:
                raise ArenaError(f"bot {shlex.join(bot.command)!r} cannot play: {bot.verdict}")
