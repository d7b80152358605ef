"""``hongzhong serve``, which is also what ``hongzhong`` alone does: the table in the browser."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

import click

from hongzhong.cli import CommandError
from hongzhong.cli.database import database_choice


@click.command("serve")
@click.option(
    "--host", default="0.0.0.0", show_default=True, help="Address to listen at; 127.0.0.1 for this machine only."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@database_choice
@click.option("--base-path", default="", metavar="PATH", help="Where a proxy has put the server, such as /mahjong.")
@click.option("--origin", "origins", multiple=True, metavar="URL", help="Another page's address that may talk to it.")
@click.option("--browser/--no-browser", default=True, show_default=True, help="Open the page in the browser.")
def command(
    host: str,
    port: int,
    data: Path,
    address: str | None,
    base_path: str,
    origins: tuple[str, ...],
    browser: bool,
) -> None:
    """Start the table for the browser: play alone at once, or with friends on the same network."""
    from hongzhong.server.options import Options

    if base_path and (not base_path.startswith("/") or base_path.endswith("/")):
        raise CommandError(f"--base-path {base_path}: it begins with a slash and ends without one, such as /mahjong")
    options = Options(
        data=data,
        host=host,
        port=port,
        database=address,
        base_path=base_path,
        origins=origins,
        browser=browser,
    )
    run(options)


def run(options: Any) -> None:
    """Serves until it is told to stop. Raises ``CommandError``."""
    from hongzhong.ledger import StoreError
    from hongzhong.server.seats import KeyFault

    listening = _listen(options.host, options.port)
    try:
        asyncio.run(_serve(options, listening))
    except (StoreError, KeyFault) as error:
        raise CommandError(str(error)) from error
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        other = "; give another --port (0 takes a free one)" if port else ""
        raise CommandError(f"cannot listen at {host} port {port}: {error.strerror or error}{other}") from error
    return listening


async def _serve(options: Any, listening: socket.socket) -> None:
    import uvicorn

    from hongzhong.server import operate, pages
    from hongzhong.server.app import create_app
    from hongzhong.server.seats import signing_key
    from hongzhong.server.store import Database, database_url

    port = listening.getsockname()[1]
    links = [f"http://{name}:{port}{options.base_path}/" for name in _names(options.host)]
    print(f"hongzhong: {links[0]}", *(f"  {link}" for link in links[1:]), sep="\n", file=sys.stderr)
    key = signing_key(options.data)
    async with await Database.open(database_url(options.data, options.database), claim=True) as database:
        app = create_app(options, database, key)
        config = uvicorn.Config(app, **operate.listening(host=options.host, port=options.port))
        server = uvicorn.Server(config)
        said = asyncio.create_task(_say_progress(app.state.server))
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
        percent = server.engine.percent // 10 * 10
        if percent != last and server.engine.begun:
            print(f"hongzhong: the engine is being compiled: {percent} %", file=sys.stderr)
            last = percent
        await asyncio.sleep(0.2)
    print(f"hongzhong: {server.problem or 'ready'}", file=sys.stderr)
