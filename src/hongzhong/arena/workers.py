"""Several processes at one arena. Each plays a deal at a time; it ends when its pipe does, so none outlives the arena."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any, Final

from hongzhong import rules
from hongzhong.arena.deals import ArenaError, Deal, Dealer
from hongzhong.arena.outcome import labels
from hongzhong.bots import BotError

_END_SECONDS: Final = 10.0
Work = tuple[str, dict[str, Any], list[str], int]
"""Sheet, options, bots and seed."""


def played_by(jobs: int, work: Work, numbers: Iterator[int]) -> Iterator[Deal]:
    """Deals in the order in which they are finished. Raises ``ArenaError``."""
    spawn = multiprocessing.get_context("spawn")
    workers: dict[Connection, multiprocessing.process.BaseProcess] = {}
    try:
        for _ in range(jobs):
            number = next(numbers, None)
            if number is None:
                break
            ours, theirs = spawn.Pipe()
            worker = spawn.Process(target=_work, args=(theirs, work), daemon=True)
            with _deaf_to_interrupts():
                worker.start()
            theirs.close()
            workers[ours] = worker
            ours.send(number)
        busy = set(workers)
        while busy:
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                deal = _received(pipe, workers[pipe])
                number = next(numbers, None)
                if number is None:
                    busy.remove(pipe)
                else:
                    pipe.send(number)
                yield deal
    finally:
        _end(workers)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """What is started meanwhile never hears Ctrl-C, from its first moment on; the arena decides what that means."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _received(pipe: Connection, worker: multiprocessing.process.BaseProcess) -> Deal:
    try:
        deal = pipe.recv()
    except (EOFError, OSError) as error:
        worker.join(_END_SECONDS)
        raise ArenaError(f"a process of the arena ended with exit code {worker.exitcode}") from error
    if isinstance(deal, str):
        raise ArenaError(deal)
    assert isinstance(deal, Deal)
    return deal


def _end(workers: dict[Connection, multiprocessing.process.BaseProcess]) -> None:
    for pipe, worker in workers.items():
        pipe.close()
        worker.terminate()
    for worker in workers.values():
        worker.join(_END_SECONDS)
        if worker.is_alive():
            worker.kill()
            worker.join()
        worker.close()


def _work(pipe: Connection, work: Work) -> None:
    """One process: numbers of deals in, deals out, or what went wrong as text."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    logging.getLogger("hongzhong.bots").setLevel(logging.ERROR)  # verdicts travel with the deals
    sheet, options, names, seed = work
    with suppress(EOFError, OSError):
        try:
            with closing(Dealer(rules.load(sheet, options), names, labels(names), seed)) as dealer:
                while True:
                    pipe.send(dealer.play(pipe.recv()))
        except (ArenaError, BotError, rules.RuleError) as error:
            pipe.send(str(error))
