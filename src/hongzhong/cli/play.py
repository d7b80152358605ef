"""``hongzhong play``: the table in the terminal."""

from __future__ import annotations

import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

import click

from hongzhong.cli import EXIT_ERROR, CommandError
from hongzhong.cli.choices import given_options, load_rules, split_bots
from hongzhong.texts import LANGUAGES, language
from hongzhong.texts.bots import LEVELS

BOTS: Final = ("random", *LEVELS)
BOT_GROUP: Final = "hongzhong.bots"  # entry points of other packages; hongzhong.bots itself loads the engine


def parse_bots(text: str) -> tuple[str, str, str]:
    """One name for all three, or three. Raises ``CommandError``."""
    names = split_bots(text)
    names = names * 3 if len(names) == 1 else names
    known = [*BOTS, *sorted({entry.name for entry in entry_points(group=BOT_GROUP)} - set(BOTS))]
    told = [name for name in names if name.startswith(("exec:", "exec@", "search:"))]
    if told:
        from hongzhong import bots

        try:
            for name in told:
                bots.check(name)
        except bots.BotError as error:
            raise CommandError(str(error)) from error
    wrong = [name for name in names if name not in known and name not in told]
    if wrong or len(names) != 3:
        what = f"unknown bot {wrong[0]!r}" if wrong else f"{len(names)} bots"
        raise CommandError(
            f"--bots {text}: {what}; give one or three of {', '.join(known)}, such as greedy,greedy,random"
        )
    return names[0], names[1], names[2]


def at_terminal() -> bool:
    """Whether a person can see and answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


@click.command(name="play")
@click.option("--rules", "rules_name", metavar="R", help="Rule set or ./sheet.py; without it a screen to choose.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="A house rule or price; may be repeated.")
@click.option("--bots", default="greedy", metavar="B,B,B", show_default=True, help="Who sits at the other seats.")
@click.option(
    "--seat", type=click.IntRange(0, 3), default=0, show_default=True, help="Your place in the order of joining."
)
@click.option("--name", default="", help="Your name at the table.")
@click.option("--seed", type=click.IntRange(min=0), help="The same walls each time.")
@click.option("--fair", is_flag=True, help="Commit to the walls before the first hand and open the secret at the end.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the public record of the match.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="Language; else HONGZHONG_LANG or the locale's.")
@click.option("--glyphs", is_flag=True, help="Unicode mahjong tiles instead of text.")
@click.option("--fast", is_flag=True, help="Bots answer without a pause.")
@click.option("--new", "new", is_flag=True, help="Begin a new match; the unfinished one is kept.")
@click.option("--resume", is_flag=True, help="Go on with the unfinished match.")
def command(
    rules_name: str | None,
    options: tuple[str, ...],
    bots: str,
    seat: int,
    name: str,
    seed: int | None,
    fair: bool,
    record: Path | None,
    lang: str | None,
    glyphs: bool,
    fast: bool,
    new: bool,
    resume: bool,
) -> None:
    """Play a match in the terminal against bots."""
    if new and resume:
        raise CommandError("--new and --resume: give one of them")
    given = given_options(options)
    if given and rules_name is None:
        raise CommandError("--option needs --rules: options belong to a rule set")
    if rules_name is not None:
        load_rules(rules_name, options)
    chosen_bots = parse_bots(bots)
    if not at_terminal():
        raise CommandError(
            "the table needs a terminal: run it in one, or use 'hongzhong simulate' and 'hongzhong score'"
        )

    from hongzhong.terminal.app import TableApp
    from hongzhong.terminal.settings import Settings, unfinished

    if resume and unfinished() is None:
        raise CommandError("--resume: no unfinished match; start one without it")
    settings = Settings(
        lang=language(lang),
        rules=rules_name,
        options=given,
        bots=chosen_bots,
        seat=seat,
        name=name,
        seed=seed,
        fair=fair,
        record=record,
        glyphs=glyphs,
        fast=fast,
        new=new,
        resume=resume,
    )
    app = TableApp(settings)
    app.run()
    for problem in app.problems:
        print(f"hongzhong: {problem}", file=sys.stderr)
    if app.problems or app.return_code:
        sys.exit(app.return_code or EXIT_ERROR)
