"""``hongzhong replay FILE``: a record step by step, in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from hongzhong import events, rules, texts
from hongzhong.cli import CommandError
from hongzhong.texts.records import Said
from hongzhong.texts.replay import describe

_HELP = {
    "en": "Enter: on   b: back   n: next hand   q: quit",
    "zh": "回车：下一步   b：退一步   n：下一局   q：退出",
}


@click.command("replay")
@click.argument("file", metavar="FILE")
@click.option("--rules", "sheet", metavar="R", help="The sheet of a rule set that is not installed, such as ./file.py.")
@click.option("--seat", type=click.IntRange(0, 3), help="Only what this seat could see.")
@click.option("--hand", type=click.IntRange(1), help="Only this hand, counted from 1 through the file.")
@click.option("--all", "everything", is_flag=True, help="Print all steps at once.")
@click.option("--lang", type=click.Choice(texts.LANGUAGES), help="Language of the text.")
def command(
    file: str, sheet: str | None, seat: int | None, hand: int | None, everything: bool, lang: str | None
) -> None:
    """Step through a record: each event in words, checked on the way.

    Without a terminal, or with --all, every step is printed. The exit code is 1 if a line does not follow.
    """
    try:
        given = None if sheet is None else rules.sheet(sheet)
    except rules.RuleError as error:
        raise CommandError(str(error)) from error
    from hongzhong.record import RecordError
    from hongzhong.verification import replay  # the kernels are needed from here on

    notes: list[Said] = []
    read: list[events.Event] = []
    fault: RecordError | None = None
    try:
        for position in replay(file, given, notes):
            read.append(position.event)  # noqa: PERF401 - what was read before a fault is kept
    except RecordError as error:
        fault = error
    if fault is not None and not fault.line:  # it cannot be read
        raise CommandError(str(fault)) from fault
    steps = list(_steps(read, texts.language(lang), seat, hand))
    chinese = texts.language(lang) == "zh"
    for note in notes:
        print(f"{file}: {note.zh if chinese else note}", file=sys.stderr)
    if everything or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for _, text in steps:
            print(text)
    else:
        _walk(steps, texts.language(lang))
    if fault is not None:
        print(f"{file}: {fault.told.zh if chinese else fault}", file=sys.stderr)
        raise SystemExit(1)
    if hand is not None and not steps:
        held = sum(isinstance(event, events.Hand) for event in read)
        raise CommandError(f"{file} has no hand {hand}: give one from 1 to {held}")


def _steps(
    read: Sequence[events.Event], language: str, seat: int | None, hand: int | None
) -> Iterator[tuple[int, str]]:
    """Hand (from 1, 0 outside hands) and text of every event to show."""
    players: list[str] | None = None
    playing = hands = 0
    for event in read:
        if isinstance(event, events.Match):
            players, playing = event.players, 0
        elif isinstance(event, events.Hand):
            hands += 1
            playing = hands
        elif isinstance(event, events.Result):
            playing = 0
        shown = event if seat is None else events.masked(event, seat)
        if shown is not None and hand in (None, playing):
            yield playing, describe(shown, language, players)


def _walk(steps: Sequence[tuple[int, str]], language: str) -> None:
    """A step a key; the end of input quits."""
    click.echo(_HELP[language], err=True)
    at = 0
    while at < len(steps):
        hand, text = steps[at]
        click.echo(f"{at + 1}/{len(steps)}  {text}")
        try:
            answer = input().strip().lower()
        except (EOFError, KeyboardInterrupt):
            return
        if answer == "q":
            return
        if answer == "b":
            at = max(at - 1, 0)
        elif answer == "n":
            at = next((later for later in range(at + 1, len(steps)) if steps[later][0] != hand), len(steps))
        else:
            at += 1
