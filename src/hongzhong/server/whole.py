"""The whole server put together: rooms, records, house rules, referee, pages, and the gate around them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from hongzhong.ledger import StoreError
from hongzhong.server import house, operate, referee, rulebook
from hongzhong.server.app import Server, create_app
from hongzhong.server.errors import Refusal
from hongzhong.server.metrics import Metrics, tally
from hongzhong.server.operate import Gate
from hongzhong.server.options import Options
from hongzhong.server.records import Records
from hongzhong.server.store import Database
from hongzhong.server.web import refused

if TYPE_CHECKING:
    from hongzhong.server.rooms import Room

log: Final = logging.getLogger("hongzhong.server")
ORDER_SECONDS: Final = 2.0
"""How often the database is asked whether a command wants something."""


def build(options: Options, database: Database, key: bytes) -> Gate:
    """The application to serve. The rooms' server is ``gate.app.state.server``."""
    metrics = Metrics()
    made: list[Server] = []

    def ready() -> None:
        made[0].tables()

    routes: list[BaseRoute] = [
        *Records(database, ready).routes(),
        *house.routes(database),
        *referee.routes(ready),
        *rulebook.routes(),
        *operate.routes(database, metrics, lambda: made[0].lobby is not None, lambda: made[0].closing),
    ]
    app = create_app(options, database, key, routes, metrics)
    app.add_exception_handler(Exception, _fault)  # uvicorn logs it
    server: Server = app.state.server
    made.append(server)
    _watch(server, metrics)
    _run_beside(app, lambda: (_obey(server, database), _settle(server), metrics.watch_lag()))
    return Gate(app, metrics, base_path=options.base_path, origins=options.origins)


async def _fault(request: Request, error: Exception) -> Response:
    return refused(Refusal("fault"))


def _watch(server: Server, metrics: Metrics) -> None:
    def rooms() -> list[Room]:
        return [] if server.lobby is None else list(server.lobby.rooms.values())

    def people() -> dict[str, float]:
        return {
            "players": float(sum(len(room.connections) for room in rooms())),
            "spectators": float(sum(len(room.watchers) for room in rooms())),
        }

    states = ("waiting", "playing", "ended")
    metrics.watch("rooms", "Rooms by state", "state", lambda: tally((room.data.state for room in rooms()), *states))
    metrics.watch("connected", "Who is connected", "role", people)
    metrics.watch("sockets", "Open sockets", "", lambda: {"": float(len(server.sockets))})
    metrics.watch("engine_percent", "How much of the engine is compiled", "", lambda: {"": float(server.percent)})


async def _settle(server: Server) -> None:
    while server.lobby is None:
        await asyncio.sleep(0.05)
    operate.settle()


async def _obey(server: Server, database: Database) -> None:
    """Ends the rooms that ``hongzhong rooms end`` names, until cancelled."""
    while True:
        await asyncio.sleep(ORDER_SECONDS)
        if server.lobby is None:
            continue
        try:
            for code in await database.ordered():
                if code in server.lobby.rooms:
                    log.info("room %s is ended by command", code)
                    server.lobby.rooms[code].free()
        except StoreError as error:
            log.error("%s", error)


def _run_beside(app: Starlette, works: Callable[[], Iterable[Coroutine[Any, Any, None]]]) -> None:
    """Runs these while the application does."""
    inner = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def around(given: Starlette) -> AsyncIterator[Any]:
        tasks = [asyncio.create_task(work) for work in works()]
        try:
            async with inner(given) as state:
                yield state
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    app.router.lifespan_context = around
