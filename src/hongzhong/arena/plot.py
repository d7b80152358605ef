"""An arena as a picture: how the answer came about deal by deal, with its interval. SVG in a few lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from hongzhong.arena.intervals import Interval
from hongzhong.arena.outcome import Outcome
from hongzhong.texts.arena import say

WIDTH: Final = 760
HEIGHT: Final = 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 20, 56, 48
_COLOURS: Final = ("#0b6e4f", "#b3261e", "#1f4e9c", "#8a5a00")
_DASHES: Final = ("", "8 3", "2 3", "10 3 2 3")
_MOST_POINTS: Final = 300
_TICKS: Final = 6

Point = tuple[int, float, Interval | None]


def svg(outcome: Outcome, title: str, lang: str = "en") -> str:
    """The picture; at least one deal must have been counted."""
    series = [_thinned(outcome, place) for place in range(len(outcome.path[0]))]
    low, high = _range(series)
    step = _step((high - low) / _TICKS)
    low, high = step * math.floor(low / step), step * math.ceil(high / step)

    def x(deal: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * deal / outcome.deals

    def y(value: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)

    def corners(points: Iterator[tuple[float, float]]) -> str:
        return " ".join(f"{x(deal):.1f},{y(value):.1f}" for deal, value in points)

    inner = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<clipPath id="inside"><rect x="{_LEFT}" y="{_TOP}" width="{inner[0]}" height="{inner[1]}"/></clipPath>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escape(title)}</text>',
    ]
    for place in range(round((high - low) / step) + 1):
        value = low + place * step
        colour = "#444" if abs(value) < step / 2 else "#ddd"
        out.append(f'<path d="M{_LEFT} {y(value):.1f}H{WIDTH - _RIGHT}" stroke="{colour}"/>')
        out.append(f'<text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{_number(value, step)}</text>')
    gap = max(1, round(_step(outcome.deals / _TICKS)))
    out += [
        f'<text x="{x(deal):.1f}" y="{HEIGHT - _BOTTOM + 18}" text-anchor="middle">{deal:,}</text>'
        for deal in range(0, outcome.deals + 1, gap)
    ]
    out.append(f'<text x="{WIDTH - _RIGHT}" y="{HEIGHT - 8}" text-anchor="end">{say(lang, "axis")}</text>')
    out.append(f'<text x="8" y="{_TOP - 14}">{say(lang, "points")}</text>')
    key = _LEFT + 110
    most = (WIDTH - key) // len(series) // 8 - 7  # letters of a label
    for place, points in enumerate(series):
        colour, dash = _COLOURS[place], _DASHES[place]
        banded = [(deal, interval) for deal, _, interval in points if interval is not None]
        if banded:
            above = corners((deal, interval[1]) for deal, interval in banded)
            below = corners((deal, interval[0]) for deal, interval in reversed(banded))
            out.append(
                f'<polygon clip-path="url(#inside)" points="{above} {below}" fill="{colour}" fill-opacity="0.15"/>'
            )
        line = corners((deal, mean) for deal, mean, _ in points)
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        out.append(f'<polyline clip-path="url(#inside)" points="{line}" {style}/>')
        label = outcome.shown_labels()[place]
        label = label if len(label) <= most else label[: most - 1] + "…"
        out.append(f'<path d="M{key} {_TOP - 18}h24" {style}/>')
        out.append(f'<text x="{key + 30}" y="{_TOP - 14}">{escape(label)}</text>')
        key += 40 + 8 * len(label)
    return "\n".join([*out, "</svg>", ""])


def _thinned(outcome: Outcome, place: int) -> list[Point]:
    """At most ``_MOST_POINTS`` of a series, the last among them."""
    n = outcome.deals
    chosen = sorted({round(n * (i + 1) / _MOST_POINTS) for i in range(_MOST_POINTS)} - {0} | {1, n})
    return [(deal, *outcome.path[deal - 1][place]) for deal in chosen]


def _range(series: Sequence[Sequence[Point]]) -> Interval:
    """What the later two thirds reach, zero included: the first deals swing wildly."""
    values = [0.0]
    for points in series:
        for _, mean, interval in points[len(points) // 3 :]:
            values += [mean] if interval is None else [mean, *interval]
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 1, high + 1)


def _step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, not below ``rough``."""
    power = 10.0 ** math.floor(math.log10(rough))
    return float(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999))


def _number(value: float, step: float) -> str:
    return f"{value + 0.0:.{max(0, -math.floor(math.log10(step)))}f}"
