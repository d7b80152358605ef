"""Around every request: the address behind a proxy, limits, origin, headers, log and figures; /healthz and /metrics; how to listen."""

from __future__ import annotations

import asyncio
import gc
import logging
import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from hongzhong.ledger import StoreError
from hongzhong.server.errors import Refusal
from hongzhong.server.limits import Buckets, network_of, origin_of, same_origin
from hongzhong.server.metrics import CONTENT_TYPE, Metrics
from hongzhong.server.store import Database
from hongzhong.server.web import refused

log: Final = logging.getLogger("hongzhong.http")
HEALTH_SECONDS: Final = 2.0
REQUESTS_PER_SECOND, REQUEST_BURST = 30.0, 300.0
"""Of the API, for one address; many people may share one."""
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # a seat's link must not travel on
    "x-frame-options": "DENY",
}


class Gate:
    """Wraps the whole application. ``base_path``: where a proxy has put the server; requests may come with it or without, the application
    sees it always."""

    def __init__(
        self, app: Starlette, metrics: Metrics, *, base_path: str = "", origins: Sequence[str] = (),
        rate: float = REQUESTS_PER_SECOND, burst: float = REQUEST_BURST,
    ) -> None:  # fmt: skip
        self.app = app
        self.metrics = metrics
        self.base_path = clean_base(base_path)
        self.origins = tuple(origins)
        self.addresses = Buckets(rate, burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path: str = scope["path"]
        base = self.base_path
        if base and path == base and scope["type"] == "http":
            await Response(status_code=307, headers={"location": base + "/"})(scope, receive, send)
            return
        if base and path.startswith(base + "/"):
            path = path.removeprefix(base)
        elif base:  # the proxy took it off, or the request comes from this machine
            scope = {**scope, "path": base + path, "raw_path": (base + path).encode()}
        if scope["type"] == "http":
            await self._http(scope, path, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope, path)
        try:
            await (refusal or self.app)(scope, receive, sending)
        finally:
            took = time.perf_counter() - begun
            route = route_of(scope, path)
            self.metrics.requests.labels(scope["method"], route, str(status)).inc()
            self.metrics.request_seconds.labels(route).observe(took)
            if path.startswith("/api/") or status >= 500:
                log.log(
                    logging.ERROR if status >= 500 and status != 503 else logging.INFO,
                    "request",
                    extra={"method": scope["method"], "route": route, "status": status, "ms": round(took * 1000, 1),
                           "address": _address(scope)},
                )  # fmt: skip

    def _refusal(self, scope: Scope, path: str) -> Response | None:
        """Why a request goes no further."""
        if not path.startswith("/api/"):
            return None
        wait = self.addresses.take(_address(scope), time.monotonic())
        if wait:
            out = refused(self._counted(Refusal("too_many", seconds=max(1, round(wait)))))
            out.headers["retry-after"] = str(max(1, round(wait)))
            return out
        if scope["method"] not in _SAFE and not same_origin(Headers(scope=scope), scope["scheme"], self.origins):
            return refused(self._counted(Refusal("origin")))
        return None

    def _counted(self, refusal: Refusal) -> Refusal:
        self.metrics.refused.labels(refusal.said.code).inc()
        return refusal


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return network_of(client[0] if client else None)


def route_of(scope: Scope, path: str) -> str:
    """The path with names in place of codes and ids, which are for those who were given them."""
    if scope.get("endpoint") is None:
        return "other"
    for name, value in scope.get("path_params", {}).items():
        if name == "path":
            return "page"
        path = path.replace(f"/{value}", f"/{{{name}}}", 1)
    return path


def clean_base(text: str) -> str:
    """A base path with a slash in front and none behind; empty for none."""
    inner = text.strip().strip("/")
    return f"/{inner}" if inner else ""


# health and figures


class Health(msgspec.Struct, frozen=True):
    """``status``: ``ok``, ``draining`` or ``failing``; ``ready``: the engine is compiled and tables can be opened."""

    status: str
    ready: bool
    problem: str = ""


def routes(
    database: Database, metrics: Metrics, is_ready: Callable[[], bool], is_draining: Callable[[], bool]
) -> list[Route]:
    """/healthz, with status 503 while the server should get no new requests, and /metrics."""

    async def healthz(request: Request) -> Response:
        health = await _health(database, is_ready(), is_draining())
        headers = {"cache-control": "no-store"}
        status = 200 if health.status == "ok" else 503
        return Response(msgspec.json.encode(health), status, headers, "application/json")

    async def shown(request: Request) -> Response:
        return Response(metrics.text(), headers={"cache-control": "no-store", "content-type": CONTENT_TYPE})

    metrics.watch("store_commits", "Transactions committed", "", lambda: {"": database.commits}, counts=True)
    metrics.watch("store_writes", "Writes of tables in them", "", lambda: {"": database.written}, counts=True)
    metrics.watch("ready", "Whether tables can be opened", "", lambda: {"": float(is_ready())})
    return [Route("/healthz", healthz), Route("/metrics", shown)]


async def _health(database: Database, ready: bool, draining: bool) -> Health:
    if draining:
        return Health("draining", ready)
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await database.rows(text("SELECT 1"))
    except (StoreError, TimeoutError) as error:
        return Health("failing", ready, str(error) or "the database does not answer")
    return Health("failing", ready, database.problem) if database.problem else Health("ok", ready)


# the process


def settle() -> None:
    """Once the engine is loaded: what is there now stays, so it is no more looked through for garbage. Else each full collection would hold up
    every table for as long as it takes to walk the compiler's objects, a tenth of a second and more. Once a process."""
    if not gc.get_freeze_count():
        gc.collect()
        gc.freeze()


# listening


class ListenError(ValueError):
    """A server that cannot listen so: one line that says why."""


def listening(
    *,
    host: str,
    port: int,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    trusted_proxies: Sequence[str] = (),
    max_message: int = 4096,
    drain_seconds: int = 10,
) -> dict[str, Any]:
    """What ``uvicorn.Config`` takes beside the application. ``trusted_proxies``: addresses whose X-Forwarded-For and -Proto are believed.
    Raises ``ListenError``."""
    check_tls(tls_cert, tls_key)
    check_proxies(trusted_proxies)
    return {
        "host": host,
        "port": port,
        "ssl_certfile": None if tls_cert is None else str(tls_cert),
        "ssl_keyfile": None if tls_key is None else str(tls_key),
        "proxy_headers": bool(trusted_proxies),
        "forwarded_allow_ips": list(trusted_proxies) or None,
        "loop": "auto",  # uvloop where it is installed
        "http": "h11",
        "ws": "websockets-sansio",
        "ws_per_message_deflate": False,
        "ws_max_size": 4 * max_message,  # what is a little too long gets an answer, the rest is cut off
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "timeout_keep_alive": 20,
        "timeout_graceful_shutdown": drain_seconds,
        "h11_max_incomplete_event_size": 32_768,
        "server_header": False,
        "access_log": False,
        "log_config": None,
        "lifespan": "on",
    }


def check_proxies(proxies: Iterable[str]) -> None:
    """Whether each is an address or a network; uvicorn takes anything and then trusts nobody by it. Raises ``ListenError``."""
    for proxy in proxies:
        try:
            ip_network(proxy)
        except ValueError as error:
            try:
                right = f"{ip_network(proxy, strict=False)} for the network, or {proxy.partition('/')[0]} for the one address"
            except ValueError:
                right = "an address such as 127.0.0.1 or ::1, or a network such as 10.0.0.0/8"
            raise ListenError(f"--trusted-proxy {proxy}: no address or network; give {right}") from error


def check_origins(origins: Iterable[str]) -> None:
    """Whether each is what a browser calls the place of a page. Raises ``ListenError``."""
    for origin in origins:
        right = origin_of(origin)
        if not right or right != origin.removesuffix("/").lower():
            raise ListenError(
                f"--origin {origin}: no place of a page; give {right or 'scheme and host, such as https://play.example'}"
            )


def check_tls(cert: Path | None, key: Path | None) -> None:
    """Whether the two belong together. Raises ``ListenError``."""
    if cert is None and key is None:
        return
    if cert is None:
        raise ListenError("--tls-key needs --tls-cert: the certificate that belongs to the key")
    for name, path in (("--tls-cert", cert), ("--tls-key", key)):
        if path is not None:
            try:
                path.read_bytes()
            except OSError as error:
                raise ListenError(f"{name} {path}: {error.strerror or error}") from error
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: b"")
    except (ssl.SSLError, OSError) as error:
        names = f"--tls-cert {cert}" + (f" and --tls-key {key}" if key is not None else "")
        raise ListenError(
            f"{names} do not serve: {getattr(error, 'reason', None) or error}; give a certificate in PEM and its key without a password"
        ) from error
