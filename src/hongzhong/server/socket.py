"""A room's web socket: origin, hello, limits, time-outs; what is said goes to ``play``."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from hongzhong.server import messages
from hongzhong.server.connection import GONE_AWAY, REFUSED, Connection
from hongzhong.server.errors import Refusal
from hongzhong.server.limits import Bucket
from hongzhong.server.metrics import Metrics
from hongzhong.server.options import Options

if TYPE_CHECKING:  # it loads the engine, which may still be compiling
    from hongzhong.server.rooms import Room

log: Final = logging.getLogger("hongzhong.socket")
_DECODE: Final = msgspec.json.Decoder(messages.ClientMessage).decode
MOST_REFUSED: Final = 200
"""Messages over the limit before a socket is closed."""


def read(text: str | bytes, options: Options) -> messages.ClientMessage:
    """Raises ``Refusal``."""
    if len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")) > options.max_message:
        raise Refusal("too_large", most=options.max_message)
    try:
        return _DECODE(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Refusal("not_json", why=str(error)[:200]) from error


class Caller:
    """One socket from its opening to its end."""

    def __init__(self, socket: WebSocket, room: Room, options: Options, metrics: Metrics) -> None:
        self.socket = socket
        self.room = room
        self.options = options
        self.metrics = metrics
        self.connection = Connection(socket)
        self.entered = False
        self._loop = asyncio.get_running_loop()
        self._bucket = Bucket(options.messages_per_second, options.message_burst, self._loop.time())
        self._refused = 0

    async def run(self) -> None:
        """Until either side closes."""
        pump = self._loop.create_task(self.connection.pump(), name="pump")
        listen = self._loop.create_task(self._listen(), name="listen")
        try:
            await asyncio.wait((pump, listen), return_when=asyncio.FIRST_COMPLETED)
        finally:
            listen.cancel()
            (ended,) = await asyncio.gather(listen, return_exceptions=True)
            if isinstance(ended, Exception) and not isinstance(ended, WebSocketDisconnect | RuntimeError):
                log.error("a socket failed: %s", type(ended).__name__, exc_info=ended)
            if self.entered:
                from hongzhong.server.play import depart

                depart(self.room, self.connection)
            self.connection.close(GONE_AWAY)
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError, TimeoutError):
                await asyncio.wait_for(pump, 5)

    async def _listen(self) -> None:
        """Reads until the socket ends or is closed."""
        while self.connection.closing is None:
            patience = self.options.idle_seconds if self.entered else self.options.hello_seconds
            try:
                got = await asyncio.wait_for(self.socket.receive(), patience)
            except TimeoutError:
                self._refuse(Refusal("idle" if self.entered else "hello_first", fatal=not self.entered))
                self.connection.close(GONE_AWAY)
                return
            if got["type"] == "websocket.disconnect":
                return
            text = got.get("text")
            self._take(text if text is not None else got.get("bytes") or b"")

    def _take(self, text: str | bytes) -> None:
        from hongzhong.server import play

        try:
            if not self._bucket.take(self._loop.time()):
                raise Refusal("too_fast", fatal=self._too_often())
            message = read(text, self.options)
            self.metrics.messages.labels(type(message).__name__.lower()).inc()
            if self.entered:
                begun = self._loop.time()
                play.handle(self.room, self.connection, message)
                if isinstance(message, messages.Answer):
                    self.room.line.put((), lambda: self.metrics.action_seconds.observe(self._loop.time() - begun))
            elif isinstance(message, messages.Hello):
                play.enter(self.room, self.connection, message)
                self.entered = True
            else:
                raise Refusal("hello_first")
        except Refusal as refusal:
            self._refuse(refusal)

    def _too_often(self) -> bool:
        self._refused += 1
        return self._refused > MOST_REFUSED

    def _refuse(self, refusal: Refusal) -> None:
        self.metrics.refused.labels(refusal.said.code).inc()
        if self.entered and not refusal.said.fatal:
            self.room.line.put((), lambda: self.connection.say(refusal.said))  # after what the others are told of
            return
        self.connection.say(refusal.said)
        if refusal.said.fatal:
            self.connection.close(REFUSED)


async def turn_away(socket: WebSocket, refusal: Refusal) -> None:
    """Says why there is no room for this socket."""
    if socket.client_state == WebSocketState.CONNECTING:
        await socket.accept()
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(msgspec.json.encode(refusal.said).decode())
        await socket.close(REFUSED)
