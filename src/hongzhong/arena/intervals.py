"""Intervals of a mean: Student's for a number of samples fixed beforehand, and one that holds at every number at once.

The second lets a run stop as soon as the answer is clear. It is the confidence sequence of the t-test mixed over the effect size,
N(0, 1/100), with the right Haar measure over the spread: a test martingale of the t-statistics, so that by Ville's inequality it covers the mean at all
times together with the stated probability. H. Wang, A. Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
variance", arXiv:2310.03722. Exact for Gaussian samples, asymptotic for others.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

ALPHA: Final = 0.05
FEWEST: Final = 20
"""Samples below which no interval is given: those of single deals are far from Gaussian."""
_EFFECT_VARIANCE: Final = 0.01

Interval = tuple[float, float]


class Running:
    """Mean and spread of samples as they come (Welford)."""

    def __init__(self) -> None:
        self.n = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, sample: float) -> None:
        self.n += 1
        off = sample - self.mean
        self.mean += off / self.n
        self._squares += off * (sample - self.mean)

    @property
    def sd(self) -> float:
        """Of the samples, with n - 1."""
        return math.sqrt(self._squares / (self.n - 1)) if self.n > 1 else 0.0

    def interval(self, *, anytime: bool, alpha: float = ALPHA) -> Interval | None:
        """Covers the mean with probability 1 - alpha, now or (``anytime``) at all numbers of samples at once. None: too few samples."""
        if self.n < FEWEST:
            return None
        t = anytime_t(self.n, alpha) if anytime else student_t(self.n - 1, 1 - alpha / 2)
        if t is None:
            return None
        half = t * self.sd / math.sqrt(self.n)
        return self.mean - half, self.mean + half


def anytime_t(n: int, alpha: float) -> float | None:
    """The t-statistic that n samples may reach at any time with probability at most ``alpha``; None: any."""
    grown = 1 + n * _EFFECT_VARIANCE
    bound = (math.sqrt(grown) / alpha) ** (2 / n)
    if bound >= grown:
        return None
    return math.sqrt((n - 1) * (bound - 1) / (1 - bound / grown))


def student_t(freedom: int, p: float) -> float:
    """A quantile of Student's distribution by its expansion about the normal one (Abramowitz and Stegun 26.7.5); to 0.001 from 10 degrees on."""
    x: float = NormalDist().inv_cdf(p)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
