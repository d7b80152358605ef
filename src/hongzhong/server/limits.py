"""How much one connection or address may ask, and from which pages: token buckets and the origin check."""

from __future__ import annotations

import ipaddress
import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

MOST_ADDRESSES: Final = 10_000
"""Addresses remembered; beyond, the one that asked longest ago starts anew."""
_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HOST: Final = re.compile(r"[a-z0-9_.-]+|[0-9a-f:.]+")


class Bucket:
    """``rate`` tokens a second flow in, up to ``burst``; each thing asked for takes one. ``now``: seconds of any clock that only goes on."""

    __slots__ = ("at", "burst", "level", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self.rate, self.burst, self.level, self.at = rate, float(burst), float(burst), now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Whether it may be done; if not, nothing is taken."""
        self.level = min(self.burst, self.level + max(now - self.at, 0.0) * self.rate)
        self.at = now
        if self.level < cost:
            return False
        self.level -= cost
        return True

    def wait(self, cost: float = 1.0) -> float:
        """Seconds until as much may be taken, as of the last ``take``."""
        return max((cost - self.level) / self.rate, 0.0)


class Buckets:
    """A bucket for each address; the newest ``MOST_ADDRESSES`` are remembered."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, now: float, cost: float = 1.0) -> float:
        """0.0 if it may be done for this address (``network_of``), else the seconds until it may."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = Bucket(self.rate, self.burst, now)
            if len(self._buckets) > MOST_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(address)
        return 0.0 if bucket.take(now, cost) else max(bucket.wait(cost), 0.001)


def network_of(host: str | None) -> str:
    """Whom an address belongs to: an IPv4 address, or the /64 of an IPv6 one, which a single household has."""
    if host is None:
        return ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False).network_address)
    return str(address)


def same_origin(headers: Mapping[str, str], scheme: str, others: Iterable[str] = ()) -> bool:
    """Whether a request comes from a page of this server (or of ``others``, such as ``https://play.example``), or from no page at all."""
    origin = headers.get("origin")
    if origin is None:
        return True
    page, host = _place(origin), _place(f"{scheme}://{headers.get('host', '')}")
    if page is None:
        return False
    if host is not None and page[1:] == host[1:]:  # a proxy may speak https where we hear http
        return True
    if host is not None and page[1] == host[1] and host[2] in _PORTS.values() and page[2] in _PORTS.values():
        return True  # the standard port of either scheme, which the host header leaves out
    return page in [_place(other) for other in others]


def origin_of(url: str) -> str:
    """An address of http or https as browsers write a page's origin, its host in ASCII; empty if it is none."""
    place = _place(url)
    if place is None or place[0] not in ("http", "https"):
        return ""
    try:
        host = place[1].encode("ascii" if ":" in place[1] else "idna").decode()
    except UnicodeError:
        return ""
    if not _HOST.fullmatch(host):
        return ""
    written = f"[{host}]" if ":" in host else host
    return f"{place[0]}://{written}" + (f":{place[2]}" if urlsplit(url).port is not None else "")


def _place(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname:
        return None
    return parts.scheme, parts.hostname.lower(), port or _PORTS.get(parts.scheme, 0)
