"""``hongzhong analyse``: one hand for a person, or JSON Lines for many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hongzhong import texts
from hongzhong.cli import CommandError
from hongzhong.cli.choices import language_choice, load_rules, option_choice
from hongzhong.cli.lines import answer_stream
from hongzhong.texts.analysis import say
from hongzhong.tiles import TileError

if TYPE_CHECKING:
    from hongzhong.analysis import Analysis
    from hongzhong.rules import RuleSet

WAYS = ("draw", "discard", "kong")


@click.command("analyse")
@click.argument("hand", nargs=-1)
@click.option(
    "--rules", "-r", "rule_sets", multiple=True, metavar="R", help="A rule set, or a sheet such as ./file.py."
)
@option_choice
@click.option("--seen", metavar="TILES", help="Tiles seen elsewhere: rivers and others' melds.")
@click.option("--by", type=click.Choice(WAYS), help="How the last tile came, for the explanation [draw].")
@language_choice
@click.option("--jsonl", is_flag=True, help="Read JSON Lines from stdin, answer each on stdout (docs/analysis.md).")
def command(
    hand: tuple[str, ...],
    rule_sets: tuple[str, ...],
    options: tuple[str, ...],
    seen: str | None,
    by: str | None,
    lang: str | None,
    jsonl: bool,
) -> None:
    """How far a hand is from a win, what it waits for, what to discard, and why.

    HAND is typed as mpsz, Chinese or Unicode tiles, melds in brackets: "123m456m55m23p (999p)". With one tile more, a drawn one,
    perhaps behind a +, the discards are compared.

    With --jsonl, --rules names sheet files that the lines may use.
    """
    if jsonl:
        if hand or options or seen or by or lang:
            raise CommandError("--jsonl takes every hand from stdin: only --rules may stand beside it")
        from hongzhong.analysis.lines import Answerer

        answer_stream(rule_sets, Answerer)
        return
    if not " ".join(hand).strip():
        raise CommandError('no hand: type one, such as "123m456m55m23p (999p)"; see: hongzhong analyse --help')
    if len(rule_sets) != 1:
        raise CommandError("--rules: name one rule set; see: hongzhong rules")
    rules = load_rules(rule_sets[0], options)
    print("\n".join(_told(rules, " ".join(hand), seen or "", by or "draw", texts.language(lang))))


def _told(rules: RuleSet, hand: str, seen: str, by: str, lang: str) -> list[str]:
    """Raises ``CommandError``."""
    from hongzhong.analysis.text import analyse_hand, explain_hand
    from hongzhong.analysis.words import analysis_text
    from hongzhong.rules import RuleError
    from hongzhong.score import ScoreError

    try:
        found: Analysis = analyse_hand(rules, hand, seen=seen)
        why = explain_hand(rules, hand, by=by, seen=seen)
    except (ScoreError, TileError, RuleError) as error:
        raise CommandError(str(error)) from error
    return [*analysis_text(rules, found, lang), say(lang, "why"), *(f"  {line}" for line in why.text(lang))]
