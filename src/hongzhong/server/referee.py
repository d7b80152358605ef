"""The referee over HTTP: what a hand is worth by the score contract, why not, and what a disputed option would change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hongzhong import rules as rule_sets
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import Offer, RuleSet, resolve
from hongzhong.rules.vocabulary import OPTIONS, Value
from hongzhong.server import bodies, sheets, web
from hongzhong.server.errors import Refusal
from hongzhong.texts import score as words
from hongzhong.texts.refusals import chinese
from hongzhong.texts.terminal import say_value
from hongzhong.tiles import KIND_NAMES, TileError, parse_meld, parse_mpsz, parse_tile

if TYPE_CHECKING:  # it loads the engine, which may still be compiling
    from hongzhong.score import Verdict
    from hongzhong.score.lines import Answerer
    from hongzhong.score.lines import Request as Asked

MOST_KNOWN: Final = 256
"""Requests with options of their own before what was compiled for them is forgotten."""


class _Desk:
    """Answers requests of the contract, as ``hongzhong score --jsonl`` does."""

    def __init__(self) -> None:
        self._answerer: Answerer | None = None
        self._left = 0

    def answer(self, *lines: bytes) -> list[bytes]:
        from hongzhong.score.lines import Answerer

        if self._answerer is None or self._left < len(lines):
            self._answerer, self._left = Answerer(), MOST_KNOWN
        self._left -= sum(b'"options"' in line for line in lines)
        return self._answerer.answer([line.replace(b"\n", b" ") for line in lines])


def routes(ready: Callable[[], None]) -> list[Route]:
    """``ready`` raises ``Refusal`` while the engine is not loaded."""
    desk = _Desk()

    async def score(request: Request) -> Response:
        ready()
        return web.raw(desk.answer(await web.raw_body(request))[0], "application/json")

    async def disputed(request: Request) -> Response:
        ready()
        return web.answer(_disputed(desk, await web.raw_body(request)))

    async def analysis(request: Request) -> Response:
        ready()
        line = await web.raw_body(request)
        return web.raw(await asyncio.to_thread(_analysed, line), "application/json")

    async def explain(request: Request) -> Response:
        ready()
        return web.answer(await asyncio.to_thread(_explained, await web.body(request, bodies.Explain)))

    return [
        Route("/api/analysis", web.endpoint(analysis), methods=["POST"]),
        Route("/api/explain", web.endpoint(explain), methods=["POST"]),
        Route("/api/score", web.endpoint(score), methods=["POST"]),
        Route("/api/score/disputed", web.endpoint(disputed), methods=["POST"]),
    ]


def _analysis(module: str) -> Any:
    """A part of the analysis. Raises ``Refusal`` in a build that has none."""
    try:
        return import_module(f"hongzhong.analysis.{module}")
    except ModuleNotFoundError as error:
        raise Refusal("no_analysis") from error


def _analysed(line: bytes) -> bytes:
    """As ``hongzhong analyse --jsonl`` answers."""
    answered: bytes = _analysis("lines").Answerer().answer([line.replace(b"\n", b" ")])[0]
    return answered


def _explained(asked: bodies.Explain) -> bodies.Explained:
    from hongzhong.score import ScoreError, seats_of

    ruleset = sheets.load(asked.rules, asked.options)
    flags = {name: getattr(asked, name) for name in ("replacement", "last_tile", "first_turn")}
    try:
        found = _analysis("explain").explain(
            ruleset,
            parse_mpsz(asked.concealed),
            [parse_meld(text) for text in asked.melds],
            tile=parse_tile(asked.win_tile) if asked.win_tile else None,
            by=asked.by,
            flags=flags,
            seats=seats_of(asked.by, asked.winner, asked.dealer, asked.source),
            seen=parse_mpsz(asked.seen),
        )
    except (ScoreError, TileError, RuleError) as error:
        raise Refusal("hand", why=str(error)) from error
    return bodies.Explained(zh=found.text("zh"), en=found.text("en"))


def _disputed(desk: _Desk, line: bytes) -> bodies.ScoreDisputed:
    (first,) = desk.answer(line)
    said = msgspec.json.decode(first)
    if "error" in said:
        why = said["error"]
        return bodies.ScoreDisputed(
            answer=said, reason_zh=chinese(why), reason_en=why, formula="", missing=-1, waits=[], disputed=[]
        )
    from hongzhong.score.lines import Request as Asked

    asked = msgspec.json.decode(line, type=Asked)
    ruleset = rule_sets.load(asked.rules, msgspec.json.decode(asked.options, type=dict[str, Any]))
    verdict = _verdict(ruleset, asked)
    zh, en = reason(ruleset, said.get("reason", ""))
    doubling = ruleset.get("fan_points") == "doubling"
    stake = ruleset.get("base_point")
    return bodies.ScoreDisputed(
        answer=said,
        reason_zh=zh,
        reason_en=en,
        formula=words.formula(verdict.patterns, verdict.points, stake=stake, doubling=doubling) if verdict.win else "",
        missing=verdict.distance + 1 if verdict.distance >= 0 else -1,
        waits=[KIND_NAMES[kind] for kind in verdict.waits],
        disputed=list(_changes(desk, line, ruleset, said)),
    )


def _verdict(ruleset: RuleSet, asked: Asked) -> Verdict:
    """The same request through the other door, which also advises on a hand that does not win."""
    from hongzhong.score import scorer_of, seats_of

    winner, dealer, source = (
        None if seat is msgspec.UNSET else seat for seat in (asked.winner, asked.dealer, asked.from_)
    )
    scorer = scorer_of(ruleset)
    hand = scorer.check(
        parse_mpsz(asked.concealed),
        [parse_meld(text) for text in asked.melds],
        parse_tile(asked.win_tile),
        asked.by,
        replacement=asked.replacement,
        last_tile=asked.last_tile,
        first_turn=asked.first_turn,
        seats=seats_of(asked.by, winner, dealer, source),
    )
    return scorer.verdict(hand, advise=True)


def reason(ruleset: RuleSet, why: str) -> tuple[str, str]:
    """Why a hand does not win, in Chinese and English; empty for none."""
    if not why:
        return "", ""
    if why in words.REASONS:
        return words.say("zh", why), words.say("en", why)
    text = next(c.text for c in ruleset.sheet.conditions if c.reason == why and ruleset.holds(c.when))
    return text.zh, text.en


def _changes(desk: _Desk, line: bytes, ruleset: RuleSet, said: dict[str, Any]) -> Iterator[bodies.Disputed]:
    """The values of disputed options that make another answer of the same hand."""
    request = msgspec.json.decode(line)
    given = request.get("options", {})
    tried: list[tuple[Offer, Value]] = []
    lines: list[bytes] = []
    for offer, value in alternatives(ruleset):
        options = given | {offer.id: list(value) if isinstance(value, tuple) else value}
        try:
            resolve(ruleset.sheet, options)
        except RuleError:
            continue
        tried.append((offer, value))
        lines.append(msgspec.json.encode(request | {"options": options}))
    for (offer, value), text in zip(tried, desk.answer(*lines), strict=True):
        answer = msgspec.json.decode(text)
        if answer != said:
            name = OPTIONS[offer.id].name
            yield bodies.Disputed(
                option=offer.id,
                zh=name.zh,
                en=name.en,
                value=value,
                value_zh=say_value("zh", offer.id, value),
                value_en=say_value("en", offer.id, value),
                ruling=offer.ruling,
                answer=answer,
            )


def alternatives(ruleset: RuleSet) -> list[tuple[Offer, Value]]:
    """Other values of the options that players of the region argue about: all of a choice, of a number the neutral one or the one above it."""
    return [
        (offer, value)
        for offer in ruleset.sheet.options.values()
        if offer.asked
        for value in _values(offer.id)
        if value != ruleset.options[offer.id]
    ]


@lru_cache(maxsize=256)
def _values(option: str) -> tuple[Value, ...]:
    spec = OPTIONS[option]
    if spec.kind == "bool":
        return (False, True)
    if spec.kind == "choice":
        return spec.choices
    if spec.kind == "int" and isinstance(spec.neutral, int):
        return (spec.neutral, spec.neutral + 1)
    return ()
