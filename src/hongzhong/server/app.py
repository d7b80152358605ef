"""The server as a Starlette application: rooms over HTTP and web sockets, and the browser client. The engine loads while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute
from starlette.websockets import WebSocket

from hongzhong import rules
from hongzhong.ledger import Store, StoreError
from hongzhong.server import bodies, messages, pages, sheets
from hongzhong.server.errors import Refusal
from hongzhong.server.limits import Buckets, network_of, same_origin
from hongzhong.server.metrics import Metrics
from hongzhong.server.options import Options
from hongzhong.server.seats import Seals
from hongzhong.server.socket import Caller, turn_away
from hongzhong.server.web import answer, body, endpoint, refused
from hongzhong.texts.room import PHRASES
from hongzhong.warming import Warming

if TYPE_CHECKING:  # it loads the engine, which may still be compiling
    from hongzhong.server.lobby import Lobby

log: Final = logging.getLogger("hongzhong.server")
GARBAGE: Final = (1_000, 5, 100_000)
"""Thresholds of the collector: with thousands of sockets a full collection stops everything for a third of a second, so the lobby calls for
one when nobody notices, or seldom."""
ENGINE: Final = ("hongzhong.bots.greedy", "hongzhong.bots.uniform", "hongzhong.server.lobby")


class Server:
    """What the routes share. ``lobby`` is there once the engine is loaded and every room is taken up again."""

    def __init__(self, options: Options, store: Store, key: bytes, metrics: Metrics) -> None:
        self.options = options
        self.store = store
        self.seals = Seals(key)
        self.metrics = metrics
        self.engine = Warming(ENGINE)
        self.lobby: Lobby | None = None
        self.problem = ""
        self.links: list[str] = []
        self.closing = False
        self.sockets: set[Caller] = set()
        self.buckets = Buckets(options.rooms_per_minute / 60, options.rooms_per_minute)
        self.socket_buckets = Buckets(options.sockets_per_minute / 60, options.sockets_per_minute)
        self._garbage = gc.get_threshold()
        self._opening: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._garbage = gc.get_threshold()
        gc.set_threshold(*GARBAGE)
        self.engine.start()
        self._opening = asyncio.get_running_loop().create_task(self._open(), name="open the lobby")

    @property
    def percent(self) -> int:
        """How far it is: 100 once tables can be opened, which is a little after the engine is loaded."""
        return 100 if self.lobby is not None else min(99, self.engine.percent)

    async def _open(self) -> None:
        while not (self.engine.ready or self.engine.failed):
            await asyncio.sleep(0.02)
        if self.engine.failed:
            self.problem = self.engine.failed
            log.error("the engine cannot be loaded: %s", self.problem)
            return
        from hongzhong.kernels.jit import hand_tables
        from hongzhong.server.lobby import Lobby

        await asyncio.to_thread(hand_tables)
        lobby = Lobby(self.store, self.seals, self.options)
        try:
            await lobby.take_up()
        except StoreError as error:
            self.problem = str(error)
            log.error("the rooms cannot be taken up: %s", error)
            return
        self.lobby = lobby
        log.info("ready, %d rooms", len(lobby.rooms))

    def tables(self) -> Lobby:
        """Raises ``Refusal`` while there is none."""
        if self.closing:
            raise Refusal("restart")
        if self.lobby is None:
            raise (Refusal("engine", why=self.problem) if self.problem else Refusal("warming", percent=self.percent))
        return self.lobby

    async def close(self) -> None:
        """Drains: all that was answered is written, then sockets close."""
        if self.closing:
            return
        self.closing = True
        gc.set_threshold(*self._garbage)
        if self._opening is not None:
            self._opening.cancel()
        if self.lobby is not None:
            await self.lobby.close(Refusal("restart").said)
        for _ in range(100):  # what was said last shall still arrive
            if not self.sockets:
                break
            await asyncio.sleep(0.02)

    def limit(self, request: HTTPConnection) -> None:
        """Raises ``Refusal`` when one address makes or tries too much, such as passwords."""
        buckets = self.socket_buckets if isinstance(request, WebSocket) else self.buckets
        address = network_of(request.client.host if request.client is not None else None)
        wait = buckets.take(address, asyncio.get_running_loop().time())
        if wait:
            raise Refusal("too_many", seconds=int(wait) + 1)


_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


def _nowhere(known: Sequence[BaseRoute]) -> Route:
    """What no route of the API answers: there is nothing, or it takes other methods."""

    async def told(request: Request) -> Response:
        near = [
            route for route in known if isinstance(route, Route) and route.matches(request.scope)[0] is Match.PARTIAL
        ]
        if not near:
            return refused(Refusal("not_found"))
        response = refused(Refusal("method"))
        response.headers["allow"] = ", ".join(sorted({method for route in near for method in route.methods or ()}))
        return response

    return Route("/api/{rest:path}", told, methods=_METHODS)


class Api:
    """The routes of rooms. Each answers a struct or raises ``Refusal``."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def routes(self) -> list[BaseRoute]:
        return [
            self._route("status", self.status),
            self._route("rules", self.rules),
            self._route("rules/check", self.check_rules, "POST"),
            self._route("rooms", self.rooms),
            self._route("rooms", self.create, "POST"),
            self._route("quick", self.quick, "POST"),
            self._route("rooms/{code}", self.card),
            self._route("rooms/{code}/join", self.join, "POST"),
            WebSocketRoute("/api/rooms/{code}/socket", self.socket),
        ]

    def _route(self, path: str, what: Callable[[Request], Awaitable[msgspec.Struct]], method: str = "GET") -> Route:
        async def answered(request: Request) -> Response:
            return answer(await what(request))

        return Route(f"/api/{path}", endpoint(answered), methods=[method])

    async def status(self, _: Request) -> bodies.Status:
        server = self.server
        return bodies.Status(
            version=metadata.version("hongzhong"),
            protocol=messages.PROTOCOL,
            ready=server.lobby is not None,
            percent=server.percent,
            problem=server.problem,
            links=server.links,
        )

    async def rules(self, _: Request) -> bodies.RuleForms:
        forms = [sheets.form_of(name) for name in rules.names()]
        return bodies.RuleForms(sheets=forms, bots=sheets.bot_names(), phrases=list(PHRASES))

    async def check_rules(self, request: Request) -> bodies.RulesChecked:
        wanted = await body(request, bodies.CheckRules)
        return sheets.checked(wanted.rules, wanted.options)

    async def rooms(self, _: Request) -> bodies.OpenRooms:
        return self.server.tables().open_rooms()

    async def create(self, request: Request) -> bodies.Seated:
        self.server.limit(request)
        return await self.server.tables().create(await body(request, bodies.CreateRoom))

    async def quick(self, request: Request) -> bodies.Seated:
        self.server.limit(request)
        return await self.server.tables().quick(await body(request, bodies.QuickStart))

    async def card(self, request: Request) -> bodies.RoomCard:
        return self.server.tables().room(request.path_params["code"]).card()

    async def join(self, request: Request) -> bodies.Seated:
        self.server.limit(request)
        return await self.server.tables().join(request.path_params["code"], await body(request, bodies.JoinRoom))

    async def socket(self, socket: WebSocket) -> None:
        try:
            if not same_origin(socket.headers, socket.url.scheme, self.server.options.origins):
                raise Refusal("origin", fatal=True)
            self.server.limit(socket)
            room = self.server.tables().room(socket.path_params["code"])
        except Refusal as refusal:
            await turn_away(socket, refusal)
            return
        await socket.accept()
        caller = Caller(socket, room, self.server.options, self.server.metrics)
        self.server.sockets.add(caller)
        try:
            await caller.run()
        finally:
            self.server.sockets.discard(caller)


async def _http_error(request: Request, error: Exception) -> Response:
    """Errors under ``api/`` are bodies like all others."""
    assert isinstance(error, HTTPException)
    if "/api/" in request.url.path:
        return refused(Refusal("method" if error.status_code == 405 else "not_found"))
    return Response(error.detail, error.status_code, media_type="text/plain")


def create_app(
    options: Options, store: Store, key: bytes, more: Sequence[BaseRoute] = (), metrics: Metrics | None = None
) -> Starlette:
    """``more``: routes beside the rooms'. The server itself is ``app.state.server``."""
    server = Server(options, store, key, metrics or Metrics())

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        server.start()
        try:
            yield
        finally:
            await server.close()

    known = [*Api(server).routes(), *more]
    inside = [*known, _nowhere(known), *pages.routes()]
    routes: list[BaseRoute] = [Mount(options.base_path, routes=inside)] if options.base_path else inside
    handlers: Any = {HTTPException: _http_error}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.state.server = server
    return app
