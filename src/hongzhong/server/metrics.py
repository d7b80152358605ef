"""What Prometheus reads from a server: how much is played, how fast, and what the store does."""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
LAG_SECONDS: Final = 0.5

Values = Callable[[], Mapping[str, float]]


class Metrics:
    """The figures of one server. No label holds a name, an address or a code."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.messages = self._count("messages", "Messages from sockets, by kind", "kind")
        self.refused = self._count("refused", "What was refused, by its code", "code")
        self.requests = self._count("http_requests", "HTTP requests", "method", "route", "status")
        self.request_seconds = self._time("http_request_seconds", "How long HTTP requests took", "route")
        self.action_seconds = self._time("action_seconds", "From a player's answer to the last view of what followed")
        self.lag_seconds = self._time("loop_lag_seconds", "How late the event loop was")
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.watch("build_info", "The version that runs", "version", lambda: {metadata.version("hongzhong"): 1.0})

    def _count(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"hongzhong_{name}", what, labels, registry=self.registry)

    def _time(self, name: str, what: str, *labels: str) -> Histogram:
        return Histogram(f"hongzhong_{name}", what, labels, buckets=_SECONDS, registry=self.registry)

    def watch(self, name: str, what: str, label: str, values: Values, *, counts: bool = False) -> None:
        """A figure that is asked for when it is read: values by label (``""``: without one); ``counts``: it only grows."""
        self.registry.register(_Watched(f"hongzhong_{name}", what, label, values, counts))

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)

    async def watch_lag(self) -> None:
        """Measures the event loop until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            wanted = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self.lag_seconds.observe(max(loop.time() - wanted, 0.0))


class _Watched(Collector):
    def __init__(self, name: str, what: str, label: str, values: Values, counts: bool) -> None:
        self._about = (name, what)
        self._label = label
        self._values = values
        self._family = CounterMetricFamily if counts else GaugeMetricFamily

    def collect(self) -> Iterable[Metric]:
        family = self._family(*self._about, labels=[self._label] if self._label else [])
        for label, value in self._values().items():
            family.add_metric([label] if self._label else [], value)
        yield family


def tally(items: Iterable[str], *known: str) -> dict[str, float]:
    """How many there are of each; the known ones also where there are none."""
    counted = Tally(items)
    return {name: float(counted[name]) for name in {*known, *counted}}
