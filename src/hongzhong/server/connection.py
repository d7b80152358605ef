"""One socket as a room sees it: what is said goes into a queue, in order, and a slow reader is cut off."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

import msgspec

MOST_WAITING: Final = 256
"""Messages that a reader may be behind."""
GONE_AWAY, TOO_SLOW, REFUSED, SUPERSEDED, RESTART = 1001, 1013, 4000, 4001, 1012
"""Close codes."""
_ENCODER: Final = msgspec.json.Encoder()


class Wire(Protocol):
    """What a connection needs of a web socket."""

    async def send_text(self, data: str) -> None: ...

    async def close(self, code: int = 1000) -> None: ...


def encode(message: msgspec.Struct) -> str:
    """A message as it is sent."""
    return _ENCODER.encode(message).decode()


class Connection:
    """``place``: 0-3, -1 for a spectator. ``closing``: the code that it is closed with once all is sent."""

    def __init__(self, wire: Wire) -> None:
        self.place = -1
        self.closing: int | None = None
        self._wire = wire
        self._waiting: list[str] = []
        self._wake = asyncio.Event()

    def say(self, message: msgspec.Struct) -> None:
        self.send(encode(message))

    def send(self, text: str) -> None:
        """Queues a message that is encoded already."""
        if self.closing is not None:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self.close(TOO_SLOW)
            return
        self._waiting.append(text)
        self._wake.set()

    def close(self, code: int) -> None:
        """After what waits is sent; nothing more is taken."""
        if self.closing is None:
            self.closing = code
            self._wake.set()

    async def pump(self) -> None:
        """Sends until closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            waiting, self._waiting = self._waiting, []
            for text in waiting:
                await self._wire.send_text(text)
            if self.closing is not None and not self._waiting:
                await self._wire.close(self.closing)
                return
