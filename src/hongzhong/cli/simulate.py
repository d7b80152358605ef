"""``hongzhong simulate``: many hands between bots, statistics on stdout."""

from __future__ import annotations

import json
import logging
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final

import click

from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice, load_rules, option_choice, split_bots
from hongzhong.texts import arena, language
from hongzhong.texts.simulate import say

EXIT_FAILURES: Final = 3
"""A program failed in some hand."""
EXIT_INTERRUPTED: Final = 130
_SHOWN_FAILURES: Final = 5


@click.command(name="simulate")
@click.argument("hands", type=int, metavar="N")
@click.option("--rules", "rules_name", required=True, metavar="R", help="Rule set, or ./sheet.py.")
@option_choice
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    metavar="B,B,B,B",
    help="Who sits at the four seats; one name for all.",
)
@click.option("--seed", type=int, help="The same hands each time; without it a new one, which is told.")
@click.option("--jobs", type=int, help="Threads; as many as processors if left out. The result does not depend on it.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write each hand as a match of one hand (one thread).",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@language_choice
def command(
    hands: int,
    rules_name: str,
    options: tuple[str, ...],
    bots: str,
    seed: int | None,
    jobs: int | None,
    record: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Play N hands between bots and tell how they went. Ctrl-C tells what was done so far."""
    ruleset = load_rules(rules_name, options)
    if seed is None:
        import secrets

        seed = secrets.randbelow(1 << 32)
    try:
        stats, seconds = _run(ruleset, hands, bots, seed, jobs, record, language(lang))
    except KeyboardInterrupt:
        print("hongzhong: interrupted before the first hand", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    if as_json:
        print(json.dumps(stats.as_data(), ensure_ascii=False))
    else:
        print("\n".join(_lines(stats, language(lang))))
    _remarks(stats, hands, seconds, record, language(lang))
    if stats.error:
        raise CommandError(stats.error)
    if stats.interrupted:
        sys.exit(EXIT_INTERRUPTED)
    if stats.failures:
        sys.exit(EXIT_FAILURES)


def _run(
    ruleset: Any, hands: int, bots: str, seed: int, jobs: int | None, record: Path | None, lang: str
) -> tuple[Any, float]:
    """The statistics and the seconds that the hands took, compiling apart."""
    from hongzhong.bots import BotError
    from hongzhong.record import RecordError, RecordWriter
    from hongzhong.simulate import SimulationError, seat_bots, simulate

    logging.getLogger("hongzhong.bots").setLevel(logging.ERROR)  # verdicts are told at the end
    try:
        seated = seat_bots(split_bots(bots))
        with RecordWriter(record) if record is not None else nullcontext() as writer, _bar(hands, lang) as progress:
            start = time.monotonic()
            stats = simulate(
                ruleset, hands, bots=seated, seed=seed, jobs=jobs, progress=progress,
                record=None if writer is None else writer.write,
            )  # fmt: skip
            return stats, time.monotonic() - start
    except (BotError, SimulationError, RecordError) as error:
        raise CommandError(str(error)) from error


@contextmanager
def _bar(hands: int, lang: str) -> Iterator[Callable[[int], None] | None]:
    """A progress bar on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(say(lang, "working"), total=hands)

        def progress(done: int) -> None:
            bar.update(task, completed=done)

        yield progress


def _remarks(stats: Any, wanted: int, seconds: float, record: Path | None, lang: str) -> None:
    """What is no part of the result goes to stderr."""
    if stats.interrupted:
        print(say(lang, "interrupted", done=stats.hands, wanted=wanted), file=sys.stderr)
    if record is not None:
        print(say(lang, "recorded", path=record), file=sys.stderr)
    for failure in stats.failures[:_SHOWN_FAILURES]:
        print(f"hongzhong: {_failure(failure, lang)}", file=sys.stderr)
    if len(stats.failures) > _SHOWN_FAILURES:
        print(arena.say(lang, "more", n=len(stats.failures) - _SHOWN_FAILURES), file=sys.stderr)
    if stats.gave_up:
        print(say(lang, "gave_up", done=stats.hands, wanted=wanted), file=sys.stderr)
    rate = stats.hands / max(seconds, 1e-9)
    decisions = stats.decisions / max(seconds, 1e-9)
    print(say(lang, "speed", seconds=seconds, rate=rate, decisions=decisions), file=sys.stderr)


def _failure(failure: Any, lang: str) -> str:
    """What a program did wrong in a hand, in the words of the arena."""
    where = arena.say(lang, "at prompt", prompt=failure.prompt) if failure.prompt else arena.say(lang, "at start")
    return say(lang, "failure", **failure._asdict() | {
        "kind": arena.say(lang, failure.kind), "where": where, "text": arena.fault(lang, failure.text)
    })  # fmt: skip


def _lines(stats: Any, lang: str) -> Iterator[str]:
    name = stats.rules.sheet.name
    yield say(lang, "hands", done=stats.hands, rules=name.zh if lang == "zh" else name.en, seed=stats.seed)
    for title, counts in (("ends", stats.ends), ("ways", stats.ways)):
        yield ""
        yield say(lang, title)
        rows = [(say(lang, word), n) for word, n in counts.items() if n]
        if title == "ways":
            rows += [(say(lang, "several"), stats.several)] if stats.several else []
            rows += [(say(lang, "dealer"), stats.dealer_wins)]
        yield from _table([("", _count(n), _share(n, stats.hands)) for _, n in rows], [text for text, _ in rows])
    yield ""
    yield say(lang, "points", mean=stats.mean_points(), sd=stats.sd_points())
    done = max(1, stats.hands)
    yield say(
        lang, "length", discards=stats.discards / done, most=stats.longest, decisions=stats.decisions / done, kongs=stats.kongs / done
    )  # fmt: skip
    yield from _seats(stats, lang)
    yield ""
    yield say(lang, "patterns")
    names = {row.id: row.name for row in stats.rules.sheet.patterns}
    shown = sorted(stats.patterns.items(), key=lambda item: -item[1])
    texts = [names[row].zh if lang == "zh" else names[row].en for row, _ in shown]
    yield from _table([("", _count(n), _share(n, stats.winners)) for _, n in shown], texts)


def _seats(stats: Any, lang: str) -> Iterator[str]:
    from hongzhong.simulate.statistics import spread

    rows = [
        (say(lang, "seat", number=n, bot=bot), 1, seat)
        for n, (bot, seat) in enumerate(zip(stats.bots, stats.seats, strict=True))
    ]
    by_bot = stats.by_bot()
    if len(by_bot) > 1:
        rows += [(say(lang, "bot", bot=bot, seats=n), n, sums) for bot, (n, sums) in by_bot.items()]
    cells = [("", *say(lang, "columns").split("|"))]
    for _, n, seat in rows:
        mean, sd = spread(seat, n * stats.hands)
        points = seat.points / max(1, seat.wins)
        share = _share(seat.wins, n * stats.hands)
        cells.append(("", _count(seat.wins), share, _count(seat.gave), f"{points:.2f}", f"{mean:+.3f}", f"{sd:.2f}"))
    yield ""
    yield from _table(cells, [say(lang, "seats"), *(label for label, _, _ in rows)], indent="")


def _table(rows: Sequence[tuple[str, ...]], labels: Sequence[str], indent: str = "  ") -> Iterator[str]:
    """Labels on the left, cells flush right, aligned by the columns that each text takes on a terminal."""
    widths = [max(_width(row[i]) for row in rows) if rows else 0 for i in range(len(rows[0]) if rows else 0)]
    left = max((_width(label) for label in labels), default=0)
    for label, row in zip(labels, rows, strict=True):
        cells = [" " * (width - _width(cell)) + cell for cell, width in zip(row, widths, strict=True)]
        yield (indent + label + " " * (left - _width(label)) + "  ".join(cells)).rstrip()


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _count(n: int) -> str:
    return f"{n:,}"


def _share(n: int, total: int) -> str:
    return f"{100 * n / max(1, total):.2f} %"
