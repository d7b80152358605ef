"""How HTTP endpoints read and answer: msgspec in and out, sizes and times limited, every error a ``messages.Refused``."""

from __future__ import annotations

import asyncio
import functools
import gzip
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hongzhong.ledger import StoreError
from hongzhong.server.errors import STATUS, Refusal

log: Final = logging.getLogger("hongzhong.http")
MAX_BODY: Final = 16_384
"""Bytes of a body, unless the endpoint says otherwise."""
PACKED: Final = 4096
"""Bytes of an answer above which it is compressed."""
BODY_SECONDS: Final = 15.0
"""How long a body may take to come."""
_ENCODER: Final = msgspec.json.Encoder()
_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]


def answer(message: Any, status: int = 200) -> Response:
    """A message as JSON; nothing of the API is kept by caches."""
    return raw(_ENCODER.encode(message), "application/json", status)


def raw(content: bytes, media_type: str, status: int = 200) -> Response:
    """Content that is encoded already."""
    return Response(content, status, {"cache-control": "no-store"}, media_type)


def refused(refusal: Refusal) -> Response:
    """What is not done, with the status that belongs to it."""
    return answer(refusal.said, STATUS.get(refusal.said.code, 422))


async def raw_body(request: Request, most: int = MAX_BODY) -> bytes:
    """The body as it came. Raises ``Refusal`` where it is too large or too slow."""
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > most:
        raise Refusal("too_large", most=most)
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise Refusal("too_large", most=most)
    except TimeoutError as error:
        raise Refusal("not_json", why="the body did not come in time") from error
    return bytes(body)


async def body(request: Request, kind: type[T], most: int = MAX_BODY) -> T:
    """The body as a request of this kind; unknown fields are refused. Raises ``Refusal`` naming the field."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        decoder = _DECODERS[kind] = msgspec.json.Decoder(kind)
    try:
        found: T = decoder.decode(await raw_body(request, most))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal("not_json", why=str(error).replace("`", "'")) from error
    return found


def _packed(request: Request, response: Response) -> Response:
    """A long answer compressed, where the page takes it so: a replay shrinks to a thirtieth."""
    if len(response.body) > PACKED and "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(response.body, 5, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
        response.headers["vary"] = "accept-encoding"
    return response


def endpoint(function: Endpoint) -> Endpoint:
    """An endpoint that may raise ``Refusal`` or ``StoreError``."""

    @functools.wraps(function)
    async def called(request: Request) -> Response:
        try:
            return _packed(request, await function(request))
        except Refusal as refusal:
            return refused(refusal)
        except StoreError as error:
            log.error("%s", error)
            return refused(Refusal("storage"))
        except ClientDisconnect:
            return Response(status_code=400)

    return called
