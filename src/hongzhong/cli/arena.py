"""``hongzhong arena``: bots against each other on duplicate deals."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from hongzhong.cli import CommandError
from hongzhong.cli.choices import given_options, language_choice, load_rules, option_choice, split_bots
from hongzhong.texts import language
from hongzhong.texts.arena import fault, say

EXIT_FAILURES: Final = 3
"""A program failed in some hand."""
EXIT_INTERRUPTED: Final = 130
_SHOWN_FAILURES: Final = 5
_WIDTH: Final = 160


@click.command(name="arena")
@click.argument("bots", metavar="A,B[,C,D]")
@click.option("--rules", "rules_name", required=True, metavar="R", help="Rule set, or ./sheet.py.")
@option_choice
@click.option("--deals", type=int, required=True, metavar="N", help="Walls to play, at most; each in every seating.")
@click.option("--seed", type=int, default=0, show_default=True, help="The same walls each time.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Processes. The result does not depend on it.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write each finished deal as a JSON line.")
@click.option("--resume", is_flag=True, help="Go on with the deals of --out.")
@click.option("--all", "play_all", is_flag=True, help="Play all N deals, even when the answer is clear before.")
@click.option("--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw the answer by deals, as SVG.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@language_choice
def command(
    bots: str,
    rules_name: str,
    options: tuple[str, ...],
    deals: int,
    seed: int,
    jobs: int,
    out: Path | None,
    resume: bool,
    play_all: bool,
    plot: Path | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Play bots against each other: the same walls, every seating.

    Two bots play two against two, four play each for itself. A program is a bot as exec:COMMAND, such as exec:./bot.py.
    It stops when the answer is clear. Ctrl-C tells what was done so far.
    """
    ruleset = load_rules(rules_name, options)
    spoken = language(lang)
    if plot is not None and not plot.parent.is_dir():
        raise CommandError(f"--plot {plot}: there is no folder {plot.parent}")
    try:
        outcome = _run(
            bots, rules_name, given_options(options), deals, spoken, seed=seed, jobs=jobs,
            out=None if out is None else str(out), resume=resume, stop=not play_all,
        )  # fmt: skip
    except KeyboardInterrupt:
        print("hongzhong: interrupted before the first deal", file=sys.stderr)
        sys.exit(EXIT_INTERRUPTED)
    if as_json:
        print(json.dumps(outcome.as_data(), ensure_ascii=False))
    elif outcome.deals:
        _show(outcome, ruleset, spoken)
    _remarks(outcome, deals, out, spoken)
    if plot is not None and outcome.deals:
        _draw(plot, outcome, ruleset, spoken)
    if outcome.error:
        raise CommandError(outcome.error)
    if outcome.stopped == "interrupted":
        sys.exit(EXIT_INTERRUPTED)
    if outcome.failures:
        sys.exit(EXIT_FAILURES)


def _run(bots: str, sheet: str, options: dict[str, Any], deals: int, lang: str, **more: Any) -> Any:
    """The outcome. Raises ``CommandError``."""
    from hongzhong.arena import ArenaError, arena
    from hongzhong.bots import BotError

    try:
        with _bar(deals, lang) as progress:
            return arena(sheet, options, split_bots(bots), deals, progress=progress, **more)
    except (ArenaError, BotError) as error:
        raise CommandError(str(error)) from error


@contextmanager
def _bar(deals: int, lang: str) -> Iterator[Callable[[Any], None] | None]:
    """A progress bar on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.table import Column

    columns = (
        TextColumn("{task.description}"),
        BarColumn(20),
        MofNCompleteColumn(),
        TextColumn("{task.fields[answer]}", markup=False, table_column=Column(no_wrap=True)),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(say(lang, "working"), total=deals, answer="")

        def progress(outcome: Any) -> None:
            answer = " ".join(f"{mean:+.2f}" for mean, _ in outcome.path[-1])
            bar.update(task, completed=outcome.deals, answer=answer)

        yield progress


def _title(outcome: Any, ruleset: Any, lang: str) -> str:
    name = ruleset.sheet.name
    hands = sum(entrant.hands for entrant in outcome.entrants) // 4
    return say(
        lang, "title", rules=name.zh if lang == "zh" else name.en, deals=outcome.deals, hands=hands,
        seed=outcome.settings.seed,
    )  # fmt: skip


def _show(outcome: Any, ruleset: Any, lang: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE_HEAD, padding=(0, 1, 0, 0), title=Text(_title(outcome, ruleset, lang)), title_justify="left"
    )
    headings = say(lang, "columns").split("|")
    for place, heading in enumerate(headings if outcome.failures else headings[:-1]):
        table.add_column(heading, justify="right" if place else "left", overflow="fold", no_wrap=place > 0)
    for row in outcome.as_data()["bots"]:
        low_high = row["interval"]
        cells = [
            f"{row['hands']:,}",
            f"{row['points']:+.3f}",
            "–" if low_high is None else f"{low_high[0]:+.3f} … {low_high[1]:+.3f}",
            f"{100 * row['wins']:.2f}",
            f"{100 * row['gave']:.2f}",
            f"{1000 * row['seconds_mean']:.3f}",
            f"{1000 * row['seconds_p99']:.3f}",
            str(row["failed"]),
        ]
        table.add_row(Text(row["bot"]), *(cells if outcome.failures else cells[:-1]))
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    console.print(table)
    for line in _differences(outcome, lang):
        console.print(Text(line), soft_wrap=True)


def _differences(outcome: Any, lang: str) -> Iterator[str]:
    level = f"{100 - 5 / len(outcome.pairs):.4g}"
    for (one, other), running in outcome.pairs.items():
        names = [outcome.entrants[place].label for place in (one, other)]
        found = outcome.interval((one, other))
        interval = say(lang, "no interval")
        if found is not None:
            interval = say(lang, "between", level=level, low=found[0], high=found[1])
        verdict = say(lang, "open")
        if outcome.clear((one, other)):
            verdict = say(lang, "better", bot=names[running.mean < 0])
        yield say(
            lang, "difference", one=names[0], other=names[1], points=running.mean, interval=interval, verdict=verdict
        )
    yield say(lang, "anytime" if outcome.anytime else "fixed")


def _remarks(outcome: Any, wanted: int, out: Path | None, lang: str) -> None:
    """What is no part of the result goes to stderr."""
    for deal, failure in outcome.failures[:_SHOWN_FAILURES]:
        where = say(lang, "at prompt", prompt=failure.prompt) if failure.prompt else say(lang, "at start")
        bot = outcome.entrants[failure.bot].label
        line = say(
            lang, "failure", deal=deal, bot=bot, seat=failure.seat, kind=say(lang, failure.kind), where=where,
            text=fault(lang, failure.text),
        )  # fmt: skip
        print(f"hongzhong: {line}", file=sys.stderr)
    if len(outcome.failures) > _SHOWN_FAILURES:
        print(say(lang, "more", n=len(outcome.failures) - _SHOWN_FAILURES), file=sys.stderr)
    if outcome.stopped in ("clear", "interrupted", "failures"):
        print(say(lang, outcome.stopped, deals=outcome.deals, wanted=wanted), file=sys.stderr)
    if out is not None:
        print(say(lang, "kept", path=out), file=sys.stderr)


def _draw(path: Path, outcome: Any, ruleset: Any, lang: str) -> None:
    from hongzhong.arena.plot import svg

    try:
        path.write_text(svg(outcome, _title(outcome, ruleset, lang), lang), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror or error}") from error
    print(say(lang, "plotted", path=path), file=sys.stderr)
