"""Structured logs, a JSON object a line, that hold no secret, no token and no hidden tile."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

import structlog

HIDDEN: Final = "[hidden]"
SECRET_NAMES: Final = frozenset(
    [
        "token",
        "password",
        "secret",
        "nonce",
        "nonces",
        "wall",
        "tiles",
        "tile",
        "hand",
        "hands",
        "concealed",
        "drawn",
        "holder",
        "owner",
        "browser",
        "key",
        "header",
        "data",
        "body",
    ]
)
"""Names of values that never reach a log."""
_SECRET_TEXT: Final = re.compile(
    r"(?<!sha256:)(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])"  # a match's secret
    r"|(?<![\w-])[\w-]{8,}\.[\w-]{20,}(?![\w-])"  # a signed seat
    r"|(?<=://)[^/@\s:]+:[^/@\s]+(?=@)"  # the user and password of a database
    r"|(?:[1-9]{2,}[msp]|[1-7]{2,}z){2,}"  # tiles
)


def configure(*, level: str = "info", as_json: bool | None = None, stream: TextIO | None = None) -> None:
    """Sends every log of the process to ``stream`` (standard error), as JSON unless that is a terminal."""
    out = sys.stderr if stream is None else stream
    as_json = not out.isatty() if as_json is None else as_json
    before: list[structlog.typing.Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    render: list[structlog.typing.Processor] = (
        [structlog.processors.format_exc_info, hide, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if as_json
        else [hide, structlog.dev.ConsoleRenderer(colors=out.isatty())]
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=before,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for noisy in ("aiosqlite", "alembic", "sqlalchemy", "numba", "asyncio", "websockets", "uvicorn"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def hide(logger: Any, method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Takes out what must not be read by whoever reads logs."""
    return {name: _hidden(name, value) for name, value in event.items()}


def _hidden(name: str, value: Any) -> Any:
    if name.lower() in SECRET_NAMES:
        return HIDDEN
    if isinstance(value, str):
        return _SECRET_TEXT.sub(HIDDEN, value)
    if isinstance(value, dict):
        return {key: _hidden(str(key), inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden("", inner) for inner in value]
    return value
