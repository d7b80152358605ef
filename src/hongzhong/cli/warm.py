"""``hongzhong warm``: compiles every kernel now, so that nothing has to wait for it later."""

from __future__ import annotations

import pkgutil
import sys
import time
from importlib import import_module
from typing import Final

import click

_FIRST: Final = ("jit", "readings", "patterns", "price", "scoring", "distance", "waits", "claims", "step", "table")
"""From the bottom up, so that the progress shows what compiles; the others follow by name."""


@click.command("warm")
def command() -> None:
    """Compile all kernels and build the hand tables, with progress on stderr; a second time it only loads them."""
    from hongzhong import kernels

    begun = time.perf_counter()
    names = sorted((m.name for m in pkgutil.iter_modules(kernels.__path__)), key=_order)  # importing one compiles it
    for place, name in enumerate(names, 1):
        _say(f"[{place:2}/{len(names)}] {name}")
        import_module(f"hongzhong.kernels.{name}")
    jit = import_module("hongzhong.kernels.jit")
    _say("hand tables")
    jit.hand_tables()
    seconds = time.perf_counter() - begun
    where = "nowhere: nothing could be written" if jit.CACHE is None else str(jit.CACHE)
    _say(f"ready after {seconds:.1f} s, kept in {where}", end="\n")


def _order(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST), name)


def _say(text: str, end: str = "") -> None:
    """One line that is written over on a terminal, lines below each other elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
    else:
        print(text, file=sys.stderr, flush=True)
