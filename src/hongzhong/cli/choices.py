"""What several commands take: a rule set, its options, a language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from hongzhong import texts
from hongzhong.cli import CommandError
from hongzhong.rules import RuleError, RuleSet, load
from hongzhong.rules.values import parse_value

F = TypeVar("F", bound=Callable[..., Any])


def option_choice(function: F) -> F:
    """``--option K=V``, as often as wanted, passed as ``options``."""
    return click.option(
        "--option",
        "-o",
        "options",
        multiple=True,
        metavar="K=V",
        help="An option or price, such as cap=64; see: hongzhong rules R.",
    )(function)


def language_choice(function: F) -> F:
    """``--lang``, passed as ``lang``."""
    return click.option("--lang", type=click.Choice(texts.LANGUAGES), help="Language of the text.")(function)


def split_bots(text: str) -> list[str]:
    """Names of bots between commas; a comma within quotes belongs to the command of a program, as in ``exec:./bot.py '1,2'``."""
    return [name.strip() for name in re.findall(r"(?:[^,\"']|\"[^\"]*\"?|'[^']*'?)+", text) if name.strip()]


def given_options(options: Sequence[str]) -> dict[str, Any]:
    """The values of ``--option``. Raises ``CommandError``."""
    given: dict[str, Any] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise CommandError(f"--option {text}: write it as NAME=VALUE, such as cap=64")
        if name.strip() in given:
            raise CommandError(f"--option {name.strip()} is given twice")
        given[name.strip()] = parse_value(value)
    return given


def load_rules(name: str, options: Sequence[str]) -> RuleSet:
    """The rule set with its options in force. Raises ``CommandError``."""
    try:
        return load(name, given_options(options))
    except RuleError as error:
        raise CommandError(str(error)) from error
