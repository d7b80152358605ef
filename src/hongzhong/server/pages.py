"""The built client: pages, scripts and pictures from ``static/``, or a page that says why they are missing."""

from __future__ import annotations

import gzip
import hashlib
import html
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

STATIC: Final = Path(__file__).parent / "static"
FAILED: Final = "BUILD_FAILED.txt"
"""Written by the build where it failed; an older page may still be there."""
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
"""Nothing else is served."""
_SMALL: Final = 1000
"""Bytes below which compression gains nothing."""
_HOST: Final = re.compile(r"[\w.-]+(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?")


@dataclass(frozen=True, slots=True)
class Asset:
    content: bytes
    packed: bytes | None
    etag: str
    media_type: str


@lru_cache(maxsize=512)
def _asset(path: Path, changed: int) -> Asset:
    """``changed``: its time of change, so that a new build is seen."""
    content = path.read_bytes()
    packed = (
        gzip.compress(content, 9, mtime=0) if len(content) >= _SMALL and path.suffix not in (".png", ".woff2") else None
    )
    return Asset(content, packed, f'"{hashlib.sha256(content).hexdigest()[:32]}"', _TYPES[path.suffix])


def routes(static: Path = STATIC) -> list[Route]:
    """``/`` and every file of the build."""

    async def page(request: Request) -> Response:
        return _served(request, static, "index.html") or _missing(static)

    async def file(request: Request) -> Response:
        return _served(request, static, request.path_params["path"]) or Response(
            "not found\n", 404, media_type="text/plain"
        )

    return [Route("/", page), Route("/{path:path}", file)]


def build_problem(static: Path = STATIC) -> str | None:
    """What to say at the start: the page is missing, or older than its sources because a build failed."""
    failed = _failure(static)
    if not (static / "index.html").is_file():
        return f"the page was not built{': ' + failed.splitlines()[0] if failed else ''}: see 'Start' in README.md"
    if failed:
        return f"the page is stale, its last build failed: {failed.splitlines()[0]}"
    return None


def _failure(static: Path) -> str:
    try:
        return (static / FAILED).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _served(request: Request, static: Path, name: str) -> Response | None:
    path = static / name
    if path.suffix not in _TYPES or any(part.startswith(".") for part in Path(name).parts) or path.name == FAILED:
        return None
    try:
        if not path.resolve().is_relative_to(static.resolve()):
            return None
        asset = _asset(path, path.stat().st_mtime_ns)
    except OSError:
        return None
    lasting = name.startswith("assets/")  # a hash of the content is in the name
    headers = {
        "cache-control": "public, max-age=31536000, immutable" if lasting else "no-cache",
        "etag": asset.etag,
        "vary": "accept-encoding",
    }
    if path.suffix == ".html":
        headers["content-security-policy"] = policy(request.headers.get("host", ""))
    if asset.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    content = asset.content
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content = asset.packed
        headers["content-encoding"] = "gzip"
    return Response(content, headers=headers, media_type=asset.media_type)


def policy(host: str) -> str:
    """The content security policy: everything from here. Older browsers do not take sockets for 'self', so they are named."""
    sockets = f" ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return (
        f"default-src 'self'; connect-src 'self'{sockets}; img-src 'self' data: blob:; media-src 'self' data: blob:; "
        "style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


_PAGE: Final = """<!doctype html>
<html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>红中 Hongzhong</title>
<link rel="icon" href="data:,"></head>
<body><main><h1>页面尚未构建 · The page was not built</h1>
<p>服务器在运行，但浏览器页面没有构建成功。安装 Node.js 22（或联网后让构建自行下载），再运行：</p>
<p>The server runs, but the page for browsers could not be built. Install Node.js 22 (or let the build fetch it, which needs the
network), then run:</p>
<pre>uv sync --reinstall-package hongzhong</pre>
<p>终端里也可以打牌 · The table in the terminal works meanwhile:</p>
<pre>uv run hongzhong play</pre>
{why}</main></body></html>
"""


def _missing(static: Path) -> Response:
    failed = _failure(static)
    why = f"<h2>原因 · Why</h2><pre>{html.escape(failed[-4000:])}</pre>" if failed else ""
    headers = {
        "cache-control": "no-store",
        "retry-after": "60",
        "content-security-policy": "default-src 'none'; img-src data:",
    }
    return Response(_PAGE.format(why=why), 503, headers, "text/html; charset=utf-8")
