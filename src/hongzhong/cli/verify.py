"""``hongzhong verify FILE...``: does each line of a record follow?"""

from __future__ import annotations

import sys

import click

from hongzhong import rules
from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice
from hongzhong.texts import language


@click.command("verify")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--rules", "sheet", metavar="R", help="The sheet of a rule set that is not installed, such as ./file.py.")
@language_choice
def command(files: tuple[str, ...], sheet: str | None, lang: str | None) -> None:
    """Replay records and report the first line that does not follow, and why.

    Walls, seats and dice are checked against the secret where a fair match has opened it. The exit code is 1 if any record fails.
    """
    try:
        given = None if sheet is None else rules.sheet(sheet)
    except rules.RuleError as error:
        raise CommandError(str(error)) from error
    from hongzhong.verification import verify  # the kernels are needed from here on

    chinese = language(lang) == "zh"
    failed = 0
    for file in files:
        verdict = verify(file, given)
        for note in verdict.notes:
            print(f"{file}: {note.zh if chinese else note}", file=sys.stderr)
        message = verdict.message.zh if chinese else verdict.message
        if verdict.ok:
            print(f"{file}: {message}")
        else:
            failed += 1
            where = file if verdict.line else "hongzhong"  # what cannot be read is named by the message
            print(f"{where}: {message}", file=sys.stderr)
    if failed:
        raise SystemExit(1)
