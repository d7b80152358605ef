"""How a server is run: all that the command line may set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

DEFAULT_PORT: Final = 8765


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """``data``: the folder of key and database; ``database``: a URL, None for a file in it; ``base_path``: where a proxy has put the
    server, such as ``/mahjong``; ``origins``: pages of other addresses that may talk to it. Times in milliseconds or seconds, as named."""

    data: Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    database: str | None = None
    base_path: str = ""
    browser: bool = True
    origins: tuple[str, ...] = ()
    hold_ms: int = 1000
    bot_ms: int = 700
    between_ms: int = 20_000
    away_ms: int = 20_000
    bot_threads: int | None = None
    max_rooms: int = 2000
    max_spectators: int = 40
    max_message: int = 4096
    messages_per_second: float = 10.0
    message_burst: int = 40
    rooms_per_minute: int = 30
    sockets_per_minute: int = 240
    hello_seconds: float = 10.0
    idle_seconds: float = 90.0
    room_idle_seconds: float = 1800.0
    match_idle_seconds: float = 86_400.0
