"""What many hands add up to: sums that may be added in any order."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hongzhong.layout import BY_DISCARD, BY_DRAW, BY_KONG
from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import BITS, COUNTED
from hongzhong.simulate.seating import Failure

REASONS: Final = ("win", "exhausted", "four_kongs", "false_win", "aborted")
"""How a hand ends, in the order of the kernels' numbers (kernels/log.py)."""
WAYS: Final = {"draw": BY_DRAW, "discard": BY_DISCARD, "kong": BY_KONG}


@dataclass
class Seat:
    """Sums of one seat: hands won, hands in which it gave the winning tile, points of its wins, scores and their squares."""

    wins: int = 0
    gave: int = 0
    points: int = 0
    score: int = 0
    squares: int = 0


@dataclass
class Statistics:
    """Sums over hands. ``winners`` counts winning seats, several in a hand; ``ways`` and ``ends`` count hands. ``failures``: programs
    put off the table; ``gave_up``: too many of them; ``error``: why another bot ended it all."""

    rules: RuleSet
    bots: tuple[str, ...]
    seed: int
    hands: int = 0
    interrupted: bool = False
    gave_up: bool = False
    error: str = ""
    failures: list[Failure] = field(default_factory=list)
    decisions: int = 0
    discards: int = 0
    kongs: int = 0
    winners: int = 0
    several: int = 0
    dealer_wins: int = 0
    longest: int = 0
    ends: dict[str, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))
    ways: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WAYS, 0))
    patterns: dict[str, int] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=lambda: [Seat() for _ in range(4)])
    points: dict[int, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, rules: RuleSet, bots: tuple[str, ...], seed: int) -> Statistics:
        """Nothing played yet; the sheet's rows in their order."""
        return cls(rules, bots, seed, patterns={row.id: 0 for row in rules.sheet.patterns})

    def add(self, results: npt.NDArray[np.void]) -> None:
        """Adds hands (kernels/batch.py RESULT)."""
        won = (results["winners"][:, None] >> np.arange(4)) & 1 == 1
        self.hands += len(results)
        self.decisions += int(results["steps"].sum())
        self.discards += int(results["discards"].sum())
        self.longest = max(self.longest, int(results["discards"].max(initial=0)))
        self.kongs += int(results["kongs"].sum())
        self.winners += int(won.sum())
        self.several += int((won.sum(axis=1) > 1).sum())
        self.dealer_wins += int(won[np.arange(len(results)), results["dealer"]].sum())
        for number, reason in enumerate(REASONS):
            self.ends[reason] += int((results["reason"] == number).sum())
        for way, how in WAYS.items():
            self.ways[way] += int((results["how"] == how).sum())
        bits = results["bits"][won]
        counted = {"exposed_kong": results["open_kongs"][won], "concealed_kong": results["concealed_kongs"][won]}
        for row in self.patterns:
            shown = (bits >> BITS[row]) & 1
            self.patterns[row] += int((shown * counted[row]).sum() if row in COUNTED else shown.sum())
        for points, count in zip(*np.unique(results["points"][won], return_counts=True), strict=True):
            self.points[int(points)] = self.points.get(int(points), 0) + int(count)
        self._add_seats(results, won)

    def _add_seats(self, results: npt.NDArray[np.void], won: npt.NDArray[np.bool_]) -> None:
        given = (results["how"] == BY_DISCARD) | (results["how"] == BY_KONG)
        for number, seat in enumerate(self.seats):
            scores = results["scores"][:, number]
            seat.wins += int(won[:, number].sum())
            seat.gave += int((given & (results["source"] == number)).sum())
            seat.points += int(results["points"][:, number][won[:, number]].sum())
            seat.score += int(scores.sum())
            seat.squares += sum(score * score for score in scores.tolist())

    def by_bot(self) -> dict[str, tuple[int, Seat]]:
        """Seats of the same bot together: how many, and their sums."""
        out: dict[str, tuple[int, Seat]] = {}
        for name, seat in zip(self.bots, self.seats, strict=True):
            n, sums = out.get(name, (0, Seat()))
            out[name] = (n + 1, Seat(*(getattr(sums, f) + getattr(seat, f) for f in seat.__dataclass_fields__)))
        return out

    def mean_points(self) -> float:
        """Points of a win."""
        return sum(points * count for points, count in self.points.items()) / max(1, self.winners)

    def sd_points(self) -> float:
        """Spread of the points of wins."""
        squares = sum(points * points * count for points, count in self.points.items())
        return math.sqrt(max(0.0, squares / max(1, self.winners) - self.mean_points() ** 2))

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data, rounded to six places; the same for the same hands, whoever played them."""
        names = {row.id: row.name for row in self.rules.sheet.patterns}
        return {
            "rules": self.rules.id,
            "options": {name: list(v) if isinstance(v, tuple) else v for name, v in self.rules.changed().items()},
            "bots": list(self.bots),
            "seed": self.seed,
            "hands": self.hands,
            "interrupted": self.interrupted,
            "failures": [failure._asdict() for failure in self.failures],
            "ends": self.ends,
            "wins_by": self.ways,
            "winners": self.winners,
            "several_winners": self.several,
            "dealer_wins": self.dealer_wins,
            "points": {"mean": round(self.mean_points(), 6), "sd": round(self.sd_points(), 6)},
            "points_of_wins": {str(points): self.points[points] for points in sorted(self.points)},
            "seats": [
                {"seat": number, "bot": self.bots[number], **self._rates(seat, self.hands)}
                for number, seat in enumerate(self.seats)
            ],
            "by_bot": {name: {"seats": n, **self._rates(sums, n * self.hands)} for name, (n, sums) in self.by_bot().items()},
            "patterns": [
                {"id": row, "name": names[row].en, "name_zh": names[row].zh, "count": n, "per_win": round(n / max(1, self.winners), 6)}
                for row, n in self.patterns.items()
            ],
            "length": {
                "discards": round(self.discards / max(1, self.hands), 6),
                "most_discards": self.longest,
                "decisions": round(self.decisions / max(1, self.hands), 6),
            },
            "kongs": round(self.kongs / max(1, self.hands), 6),
        }  # fmt: skip

    @staticmethod
    def _rates(seat: Seat, hands: int) -> dict[str, Any]:
        mean, sd = spread(seat, hands)
        return {
            "wins": seat.wins,
            "gave": seat.gave,
            "points_per_win": round(seat.points / max(1, seat.wins), 6),
            "score_total": seat.score,
            "score_mean": round(mean, 6),
            "score_sd": round(sd, 6),
        }


def spread(seat: Seat, hands: int) -> tuple[float, float]:
    """Mean and spread of a seat's score in a hand."""
    mean = seat.score / max(1, hands)
    return mean, math.sqrt(max(0.0, seat.squares / max(1, hands) - mean * mean))
