"""``hongzhong score``: one hand for a person, or JSON Lines for many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hongzhong import texts
from hongzhong.cli import CommandError
from hongzhong.cli.choices import given_options, language_choice, option_choice
from hongzhong.cli.lines import answer_stream
from hongzhong.rules import RuleError, load
from hongzhong.texts.score import REASONS, padded, say
from hongzhong.tiles import CHINESE_SHORT, KIND_NAMES, TileError

if TYPE_CHECKING:
    from hongzhong.rules import RuleSet
    from hongzhong.score import Hand, Seats, Verdict

WAYS = ("draw", "discard", "kong")


@click.command("score")
@click.argument("hand", nargs=-1)
@click.option(
    "--rules", "-r", "rule_sets", multiple=True, metavar="R", help="A rule set, or a sheet such as ./file.py."
)
@option_choice
@click.option("--by", type=click.Choice(WAYS), help="How it is won [discard]; kong: by robbing one.")
@click.option("--win-tile", metavar="TILE", help="The winning tile, if it is not in HAND.")
@click.option("--replacement", is_flag=True, help="Out with a replacement tile.")
@click.option("--last-tile", is_flag=True, help="On the last tile.")
@click.option("--first-turn", is_flag=True, help="On the dealt tiles or the dealer's first discard; needs the seats.")
@click.option(
    "--winner", type=click.IntRange(0, 3), help="The winner's seat; then --dealer too, and --from unless by draw."
)
@click.option("--from", "source", type=click.IntRange(0, 3), help="The seat that discarded or made the kong.")
@click.option("--dealer", type=click.IntRange(0, 3), help="The dealer's seat.")
@language_choice
@click.option("--jsonl", is_flag=True, help="Read JSON Lines from stdin, answer each on stdout (docs/contracts.md).")
def command(
    hand: tuple[str, ...],
    rule_sets: tuple[str, ...],
    options: tuple[str, ...],
    jsonl: bool,
    lang: str | None,
    **given: Any,
) -> None:
    """What a hand is worth, or why it does not win.

    HAND is typed as mpsz, Chinese or Unicode tiles: "123m456m55m23p (999p) + 4p", "一二三万 ...". Melds stand in brackets: (345m),
    (888p), (2222s) kong from a discard, (2222s+) added kong, [2222s] concealed kong. The winning tile stands behind a +, or is given with
    --win-tile; else the last tile typed is the one.

    With --jsonl, --rules names sheet files that the lines may use.
    """
    if jsonl:
        if hand or options or any(value not in (None, False) for value in given.values()):
            raise CommandError("--jsonl takes every hand from stdin: only --rules may stand beside it")
        from hongzhong.score.lines import Answerer

        answer_stream(rule_sets, Answerer)
        return
    if not " ".join(hand).strip():
        raise CommandError('no hand: type one, such as "123m456m55m23p (999p) + 4p"; see: hongzhong score --help')
    if len(rule_sets) != 1:
        raise CommandError("--rules: name one rule set; see: hongzhong rules")
    try:
        _one(" ".join(hand), load(rule_sets[0], given_options(options)), texts.language(lang), **given)
    except (RuleError, TileError) as error:
        raise CommandError(str(error)) from error


def _one(
    text: str,
    rules: RuleSet,
    lang: str,
    *,
    by: str | None,
    win_tile: str | None,
    replacement: bool,
    last_tile: bool,
    first_turn: bool,
    winner: int | None,
    source: int | None,
    dealer: int | None,
) -> None:
    from hongzhong.notation import parse_hand, parse_tiles
    from hongzhong.score import ScoreError, scorer_of, seats_of

    typed = parse_hand(text)
    concealed, tile = typed.concealed, typed.tile
    if win_tile is not None:
        if tile is not None:
            raise CommandError("--win-tile and a + in the hand: give the winning tile once")
        kinds = parse_tiles(win_tile)
        if len(kinds) != 1:
            raise CommandError(f"--win-tile {win_tile}: {len(kinds)} tiles where one is wanted, such as 4p")
        tile = kinds[0]
    if tile is None:
        if not concealed:
            raise CommandError("no winning tile: put it behind a +, such as (111m)(222m)(333m)(444m) 5m + 5m")
        tile = concealed.pop()
    scorer = scorer_of(rules)
    try:
        way = by or ("draw" if replacement else "discard")
        seats = seats_of(way, winner, dealer, source)
        hand = scorer.check(
            concealed,
            typed.melds,
            tile,
            way,
            replacement=replacement,
            last_tile=last_tile,
            first_turn=first_turn,
            seats=seats,
        )
    except ScoreError as error:
        raise CommandError(str(error)) from error
    verdict = scorer.verdict(hand, advise=True)
    print("\n".join(_won(rules, hand, verdict, lang) if verdict.win else _lost(rules, verdict, lang)))


def _won(rules: RuleSet, hand: Hand, verdict: Verdict, lang: str) -> list[str]:
    names = {row.id: row.name for row in rules.sheet.patterns}
    lines = [
        say(
            lang, "wins", points=verdict.points, rules=rules.sheet.name.zh if lang == "zh" else rules.sheet.name.en,
            way=say(lang, f"way_{WAYS[hand.how]}"),
        ),
        say(lang, "reading", reading=verdict.reading),
        say(lang, "patterns"),
    ]  # fmt: skip
    for row in verdict.patterns:
        name = names[row.id].zh if lang == "zh" else names[row.id].en
        count = say(lang, "count", count=row.count) if row.count > 1 else ""
        lines.append(f"  {padded(name, 28)}{padded(say(lang, row.kind, value=row.value) + count, 20)}{row.ruling}")
    lines += [say(lang, "formula", formula=formula(rules, verdict)), say(lang, "payments")]
    if verdict.payments is not None:
        for seat, amount in enumerate(verdict.payments):
            if amount:
                lines.append(
                    "  " + say(lang, "seat_gets" if amount > 0 else "seat_pays", seat=seat, amount=abs(amount))
                )
        return lines
    return lines + [f"  {line}" for line in _who_pays(rules, hand, lang)]


def formula(rules: RuleSet, verdict: Verdict) -> str:
    """How the points come about: ``stake x (base + fan) x times``."""
    doubling = rules.get("fan_points") == "doubling"
    return texts.score.formula(verdict.patterns, verdict.points, stake=rules.get("base_point"), doubling=doubling)


def _who_pays(rules: RuleSet, hand: Hand, lang: str) -> list[str]:
    """The payments by role, where no seats are given: the dealer's part shows where the dealer counts differently."""
    from hongzhong.score import Seats

    drawn = hand.how == 0
    winner, source, other = 1, -1 if drawn else 2, 3
    plain = _roles(rules, hand, Seats(winner, other, source), lang)
    if rules.get("dealer_multiplier") == 1:
        return [plain if not drawn else _roles(rules, hand, Seats(winner, winner, source), lang)]
    cases = {"winner_dealer": Seats(winner, winner, source)}
    if drawn:
        cases["winner_other"] = Seats(winner, other, source)
    else:
        cases |= {
            "konger_deals" if hand.how == 2 else "discarder_deals": Seats(winner, source, source),
            "third_deals": Seats(winner, other, source),
        }
    colon = "：" if lang == "zh" else ": "
    return [say(lang, name) + colon + _roles(rules, hand, seats, lang) for name, seats in cases.items()]


def _roles(rules: RuleSet, hand: Hand, seats: Seats, lang: str) -> str:
    from dataclasses import replace

    from hongzhong.score import score

    payments = score(rules, replace(hand, seats=seats)).payments
    assert payments is not None
    payers = {seat: -amount for seat, amount in enumerate(payments) if amount < 0}
    if len(payers) == 3 and len(set(payers.values())) == 1:
        return say(lang, "each", amount=payers.popitem()[1])
    parts: dict[str, int] = {}
    for seat, amount in payers.items():
        dealer = seat == seats.dealer and rules.get("dealer_multiplier") != 1
        source = "role_konger" if hand.how == 2 else "role_source"
        parts[source if seat == seats.source else "role_dealer" if dealer else "role_other"] = amount
    return say(lang, "comma").join(say(lang, role, amount=amount) for role, amount in parts.items()) or "0"


def _lost(rules: RuleSet, verdict: Verdict, lang: str) -> list[str]:
    if verdict.reason in REASONS:
        why = say(lang, verdict.reason)
    else:
        condition = next(c for c in rules.sheet.conditions if c.reason == verdict.reason and rules.holds(c.when))
        why = condition.text.zh if lang == "zh" else condition.text.en
    lines = [say(lang, "fails", why=why, ruling=verdict.ruling, reason=verdict.reason)]
    if verdict.distance >= 0:
        lines.append(say(lang, "missing", count=verdict.distance + 1))
    names = CHINESE_SHORT if lang == "zh" else KIND_NAMES
    if verdict.waits:
        lines.append(say(lang, "without", waits=" ".join(names[kind] for kind in verdict.waits)))
    elif verdict.reason not in REASONS[1:]:
        lines.append(say(lang, "unready"))
    return lines
