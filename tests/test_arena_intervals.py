"""Intervals cover what they say, on samples whose mean is known; the one that holds at any time also where one peeks at every deal."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from hongzhong.arena.intervals import ALPHA, FEWEST, Running, anytime_t, student_t

Floats = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def gaussian(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return random.normal(0.0, 3.0, shape)


def like_deals(random: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Skewed and lumpy as points of hands are: six hands a deal, most small, some up to sixteen times as much; mean zero."""
    points = 2.0 ** random.integers(0, 5, (*shape, 6))
    sign = np.where(random.random((*shape, 6)) < 2 / 3, -0.5, 1.0)  # lost twice as often, half as much
    return np.asarray((points * sign).mean(axis=2))


def statistics_of(samples: Floats) -> Floats:
    """The t-statistic after each sample of each row; 0 before the second."""
    n = np.arange(1, samples.shape[1] + 1)
    mean = samples.cumsum(axis=1) / n
    squares = (samples**2).cumsum(axis=1) - n * mean**2
    sd = np.sqrt(np.maximum(squares, 1e-12) / np.maximum(n - 1, 1))
    return np.where(n > 1, mean / (sd / np.sqrt(n)), 0.0)


@pytest.mark.parametrize("draw", [gaussian, like_deals])
def test_the_anytime_interval_covers_at_all_times_together(draw: Draw) -> None:
    runs, deals = 2000, 1500
    t = np.abs(statistics_of(draw(np.random.default_rng(1), (runs, deals))))[:, FEWEST - 1 :]
    bounds = np.array([anytime_t(n, ALPHA) or np.inf for n in range(FEWEST, deals + 1)])
    missed = float((t > bounds).any(axis=1).mean())
    assert missed < ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / runs)
    assert missed > 0.005  # neither is it empty of content
    peeking = np.array([student_t(n - 1, 0.975) for n in range(FEWEST, deals + 1)])
    assert float((t > peeking).any(axis=1).mean()) > 0.25  # what stopping at a fixed interval would do


@pytest.mark.parametrize("draw", [gaussian, like_deals])
def test_the_fixed_interval_covers_once(draw: Draw) -> None:
    runs, deals = 4000, 100
    t = np.abs(statistics_of(draw(np.random.default_rng(2), (runs, deals))))[:, -1]
    missed = float((t > student_t(deals - 1, 0.975)).mean())
    assert abs(missed - ALPHA) < 0.015


def test_the_bound_is_that_of_the_mixture() -> None:
    """At the bound the mixed likelihood ratio, integrated over the effect size by brute force, is 1 / alpha."""
    n, variance = 60, 0.01
    t = anytime_t(n, ALPHA)
    assert t is not None
    random = np.random.default_rng(3)
    z = random.normal(size=n)
    z = (z - z.mean()) / z.std(ddof=1)
    x = z + t / math.sqrt(n)  # any samples with this t-statistic
    assert math.isclose(x.mean() / (x.std(ddof=1) / math.sqrt(n)), t)
    logs = np.linspace(-2.5, 2.5, 2001)  # of the spread, measure d sigma / sigma
    effects = np.linspace(-1.0, 1.0, 1001)
    weights = np.exp(-(effects**2) / (2 * variance))
    weights /= weights.sum()

    def likelihood(effect: float) -> float:
        squares = ((x[None, :] / np.exp(logs)[:, None] - effect) ** 2).sum(axis=1)
        return float(np.exp(-n * logs - squares / 2).sum())

    ratio = sum(w * likelihood(effect) for w, effect in zip(weights, effects, strict=True)) / likelihood(0.0)
    assert math.isclose(ratio, 1 / ALPHA, rel_tol=0.01)


def test_a_clear_answer_stops_early_and_an_unclear_one_late() -> None:
    random = np.random.default_rng(4)
    stops: dict[float, list[int]] = {1.0: [], 0.1: []}
    for effect, found in stops.items():
        for _ in range(20):
            running = Running()
            for n in range(1, 10_001):
                running.add(float(random.normal(effect)))
                interval = running.interval(anytime=True)
                if interval is not None and not interval[0] <= 0 <= interval[1]:
                    assert interval[0] > 0
                    found.append(n)
                    break
    assert len(stops[1.0]) == len(stops[0.1]) == 20
    assert max(stops[1.0]) < 80
    assert 500 < np.mean(stops[0.1]) < 3000


def test_no_interval_from_few_samples() -> None:
    running = Running()
    for sample in range(FEWEST - 1):
        running.add(sample)
        assert running.interval(anytime=False) is None and running.interval(anytime=True) is None
    running.add(5)
    assert running.interval(anytime=False) is not None


def test_equal_samples_are_no_answer() -> None:
    running = Running()
    for _ in range(100):
        running.add(0.0)
    assert running.interval(anytime=True) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("freedom", "p", "value"), [(10, 0.975, 2.2281), (19, 0.975, 2.0930), (30, 0.995, 2.7500), (200, 0.975, 1.9719)]
)
def test_quantiles_of_student(freedom: int, p: float, value: float) -> None:
    assert abs(student_t(freedom, p) - value) < 1e-3


def test_running_sums_are_those_of_numpy() -> None:
    samples = np.random.default_rng(5).normal(1e6, 2.0, 500)
    running = Running()
    for sample in samples:
        running.add(float(sample))
    assert math.isclose(running.mean, samples.mean(), rel_tol=1e-12)
    assert math.isclose(running.sd, samples.std(ddof=1), rel_tol=1e-8)
