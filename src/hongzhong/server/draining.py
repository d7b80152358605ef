"""A uvicorn server that lets the tables be written and says goodbye before it closes sockets."""

from __future__ import annotations

import socket

import uvicorn

from hongzhong.server.operate import Gate


class Draining(uvicorn.Server):
    """Serves ``gate``; when told to stop, every room is written and every socket told before the connections go."""

    def __init__(self, gate: Gate, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._gate = gate

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._gate.app.state.server.close()
        await super().shutdown(sockets)
