"""What the deals of an arena add up to, deal by deal in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from hongzhong.arena.deals import Deal, Failure, Times, seatings
from hongzhong.arena.intervals import ALPHA, Interval, Running
from hongzhong.arena.store import Settings


@dataclass
class Entrant:
    """Sums of one bot over its seats: ``hands`` counts a seat each; ``points`` has its mean points a hand of every deal."""

    label: str
    hands: int = 0
    wins: int = 0
    gave: int = 0
    points: Running = field(default_factory=Running)
    times: Times = field(default_factory=Times)


class Outcome:
    """Sums over deals 0, 1, 2 and so on. ``path``: after each deal the mean and interval of what a plot shows."""

    def __init__(self, settings: Settings, *, anytime: bool) -> None:
        """``anytime``: intervals hold at every number of deals, so that one may stop when they are clear; else at one fixed beforehand."""
        self.settings = settings
        self.anytime = anytime
        self.entrants = [Entrant(label) for label in labels(settings.bots)]
        self.pairs = {pair: Running() for pair in combinations(range(len(self.entrants)), 2)}
        self.deals = 0
        self.failures: list[tuple[int, Failure]] = []
        self.stopped = ""
        """Why no more were played: ``clear``, ``deals`` (all that were wanted), ``interrupted``, ``failures`` or ``error``."""
        self.error = ""
        self.path: list[list[tuple[float, Interval | None]]] = []

    def add(self, deal: Deal) -> None:
        """Takes in the next deal; their order is part of the result."""
        assert deal.number == self.deals
        self.deals += 1
        seated = seatings(len(self.entrants), deal.number)
        sums = [0] * len(self.entrants)
        hands = [0] * len(self.entrants)
        for seats, hand in zip(seated, deal.hands, strict=True):
            for seat, entrant in enumerate(seats):
                sums[entrant] += hand.scores[seat]
                hands[entrant] += 1
                self.entrants[entrant].wins += seat in hand.won
                self.entrants[entrant].gave += seat == hand.gave
        means = [total / n for total, n in zip(sums, hands, strict=True)]
        for each, n, mean, times in zip(self.entrants, hands, means, deal.times, strict=True):
            each.hands += n
            each.points.add(mean)
            each.times.join(times)
        for (one, other), running in self.pairs.items():
            running.add(means[one] - means[other])
        self.failures += [(deal.number, failure) for failure in deal.failures]
        self.path.append([(each.mean, each.interval(anytime=self.anytime)) for each in self._shown()])

    def _shown(self) -> list[Running]:
        """Two bots: their difference; four: the points of each."""
        return [self.pairs[0, 1]] if len(self.entrants) == 2 else [entrant.points for entrant in self.entrants]

    def shown_labels(self) -> list[str]:
        """What ``path`` is of."""
        names = [entrant.label for entrant in self.entrants]
        return [f"{names[0]} − {names[1]}"] if len(names) == 2 else names

    def interval(self, pair: tuple[int, int]) -> Interval | None:
        """Of the difference in points a hand; several pairs share the 5 %."""
        return self.pairs[pair].interval(anytime=self.anytime, alpha=ALPHA / len(self.pairs))

    def clear(self, pair: tuple[int, int]) -> bool:
        """Whether one of the two is better, beyond the interval."""
        interval = self.interval(pair)
        return interval is not None and not interval[0] <= 0 <= interval[1]

    def all_clear(self) -> bool:
        return all(map(self.clear, self.pairs))

    def failed(self, entrant: int) -> int:
        """Hands in which the bot was put off the table."""
        return sum(failure.bot == entrant for _, failure in self.failures)

    def as_data(self) -> dict[str, Any]:
        """For ``--json``; only the times differ from run to run."""
        settings = self.settings
        return {
            "rules": settings.rules,
            "options": settings.options,
            "seed": settings.seed,
            "deals": self.deals,
            "hands": sum(entrant.hands for entrant in self.entrants) // 4,
            "stopped": self.stopped,
            "intervals": "anytime" if self.anytime else "fixed",
            "bots": [self._entrant(place) for place in range(len(self.entrants))],
            "differences": [
                {
                    "bots": [self.entrants[one].label, self.entrants[other].label],
                    "points": running.mean,
                    "interval": self.interval((one, other)),
                    "clear": self.clear((one, other)),
                }
                for (one, other), running in self.pairs.items()
            ],
            "failures": [
                {"deal": deal, "bot": self.entrants[failure.bot].label, "seating": failure.seating, "seat": failure.seat,
                 "kind": failure.kind, "prompt": failure.prompt, "text": failure.text}
                for deal, failure in self.failures
            ],
        }  # fmt: skip

    def _entrant(self, place: int) -> dict[str, Any]:
        entrant = self.entrants[place]
        return {
            "bot": entrant.label,
            "hands": entrant.hands,
            "points": entrant.points.mean,
            "interval": entrant.points.interval(anytime=self.anytime),
            "wins": entrant.wins / max(1, entrant.hands),
            "gave": entrant.gave / max(1, entrant.hands),
            "decisions": entrant.times.n,
            "seconds_mean": entrant.times.seconds / max(1, entrant.times.n),
            "seconds_p99": entrant.times.quantile(0.99),
            "failed": self.failed(place),
        }


def labels(names: list[str]) -> list[str]:
    """The bots' names, told apart where one plays more than once."""
    return [
        name if names.count(name) == 1 else f"{name} #{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    ]
