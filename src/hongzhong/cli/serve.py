"""``hongzhong serve``, which is also what ``hongzhong`` alone does: the table in the browser."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import click

from hongzhong.cli import CommandError
from hongzhong.cli.database import database_choice

_SEGMENT: Final = r"[A-Za-z0-9_~-][A-Za-z0-9._~-]*"
"""What a browser leaves as it is in a path, and what is no step up."""


@click.command("serve")
@click.option(
    "--host", default="0.0.0.0", show_default=True, help="Address to listen at; 127.0.0.1 for this machine only."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@database_choice
@click.option("--base-path", default="", metavar="PATH", help="Where a proxy has put the server, such as /mahjong.")
@click.option("--origin", "origins", multiple=True, metavar="URL", help="Another page's address that may talk to it.")
@click.option(
    "--tls-cert", type=click.Path(path_type=Path), metavar="FILE", help="Certificate (PEM) to serve https with."
)
@click.option("--tls-key", type=click.Path(path_type=Path), metavar="FILE", help="Its key, if it is not in that file.")
@click.option(
    "--trusted-proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy (an address, or a network such as 10.0.0.0/8) whose X-Forwarded headers are believed.",
)
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="What is logged on standard error: warning at a terminal, info (JSON) elsewhere.",
)
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
def command(
    host: str,
    port: int,
    data: Path,
    address: str | None,
    base_path: str,
    origins: tuple[str, ...],
    tls_cert: Path | None,
    tls_key: Path | None,
    proxies: tuple[str, ...],
    log_level: str | None,
    browser: bool,
) -> None:
    """Start the table for the browser: play alone at once, or with friends on the same network."""
    from hongzhong.server.options import Options

    if not host.strip():
        raise CommandError("--host is empty: give an address, 127.0.0.1 for this machine only, 0.0.0.0 for the network")
    if base_path and not re.fullmatch(f"(/{_SEGMENT})+", base_path):
        raise CommandError(
            f"--base-path {base_path!r}: it begins with a slash and ends without one, in letters, digits and - . _ ~, "
            "such as /mahjong or /games/mahjong"
        )
    options = Options(
        data=data,
        host=host,
        port=port,
        database=address,
        base_path=base_path,
        origins=origins,
        browser=browser,
    )
    run(options, tls_cert=tls_cert, tls_key=tls_key, proxies=proxies, log_level=log_level)


def run(
    options: Any,
    *,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    proxies: Sequence[str] = (),
    log_level: str | None = None,
) -> None:
    """Serves until it is told to stop. Raises ``CommandError``."""
    from hongzhong.ledger import StoreError
    from hongzhong.server import logs, operate
    from hongzhong.server.seats import KeyFault

    logs.configure(level=log_level or ("warning" if sys.stderr.isatty() else "info"))
    try:
        operate.check_origins(options.origins)
        settings = operate.listening(
            host=options.host, port=options.port, tls_cert=tls_cert, tls_key=tls_key, trusted_proxies=proxies,
            max_message=options.max_message,
        )  # fmt: skip
    except operate.ListenError as error:
        raise CommandError(str(error)) from error
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, _stop)  # uvicorn drains, then raises it again
    listening = _listen(options.host, options.port)
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(options, settings, listening))
    except (StoreError, KeyFault) as error:
        raise CommandError(str(error)) from error
    finally:
        listening.close()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _stop(*_: object) -> None:
    raise SystemExit(0)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        other = "; give another --port (0 takes a free one)" if port else ""
        raise CommandError(f"cannot listen at {host} port {port}: {error.strerror or error}{other}") from error
    return listening


async def _serve(options: Any, settings: dict[str, Any], listening: socket.socket) -> None:
    import uvicorn

    from hongzhong.server import pages, whole
    from hongzhong.server.draining import Draining
    from hongzhong.server.seats import signing_key
    from hongzhong.server.store import Database, database_url

    port = listening.getsockname()[1]
    scheme = "https" if settings["ssl_certfile"] else "http"
    links = [f"{scheme}://{name}:{port}{options.base_path}/" for name in _names(options.host)]
    key = signing_key(options.data)
    async with await Database.open(database_url(options.data, options.database), claim=True) as database:
        gate = whole.build(options, database, key)
        gate.app.state.server.links = links
        server = Draining(gate, uvicorn.Config(gate, **settings))
        print(f"hongzhong: {links[0]}", *(f"  {link}" for link in links[1:]), sep="\n", file=sys.stderr)
        said = asyncio.create_task(_say_progress(gate.app.state.server))
        if why := pages.build_problem():
            print(f"hongzhong: {why}", file=sys.stderr)
        if options.browser:
            threading.Timer(0.3, webbrowser.open, (links[0],)).start()
        try:
            await server.serve([listening])
        finally:
            said.cancel()


def _names(host: str) -> list[str]:
    """What to type into a browser here, then on other devices of the network."""
    if host in ("0.0.0.0", "::"):
        return ["localhost", *_network_addresses()]
    return [f"[{host}]" if ":" in host else host]


def _network_addresses() -> list[str]:
    """This machine's own address in the local network, if it has one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        address = str(probe.getsockname()[0])
    return [] if address.startswith("127.") else [address]


async def _say_progress(server: Any) -> None:
    """Kernels compile on the first start: the progress on stderr until tables can be opened."""
    last = -1
    while server.lobby is None and not server.problem:
        percent = server.percent // 10 * 10
        if percent != last and server.engine.begun:
            print(f"hongzhong: the engine is being compiled: {percent} %", file=sys.stderr)
            last = percent
        await asyncio.sleep(0.2)
    print(f"hongzhong: {server.problem or 'ready'}", file=sys.stderr)
