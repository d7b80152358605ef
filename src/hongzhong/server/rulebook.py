"""A rule set as a page shows it: shapes, conditions, prices, worked hands, all from the sheet. Loads no engine."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hongzhong import rules
from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import COUNTED
from hongzhong.server import bodies, sheets, web
from hongzhong.server.errors import Refusal
from hongzhong.texts.score import REASONS, say


def routes() -> list[Route]:
    async def book(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in rules.names():
            raise Refusal("not_found")
        try:
            options = msgspec.json.decode(request.query_params.get("options") or "{}", type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refusal("not_json", field="options", why=str(error)) from error
        return web.answer(book_of(sheets.load(name, options), name))

    return [Route("/api/rules/{name}", web.endpoint(book))]


def book_of(ruleset: RuleSet, name: str) -> bodies.RuleBook:
    """``name``: under which the sheet is installed."""
    sheet = ruleset.sheet
    zh, en = sheets.summary(ruleset)
    return bodies.RuleBook(
        form=sheets.form_of(name),
        summary_zh=zh,
        summary_en=en,
        copies=sum(sheet.copies),
        claims=[(claim, say("zh", f"claim_{claim}"), say("en", f"claim_{claim}")) for claim in sheet.claims],
        forms=[
            bodies.FormRow(
                id=form.id,
                zh=say("zh", f"form_{form.id}"),
                en=say("en", f"form_{form.id}"),
                ruling=form.ruling,
                on=ruleset.holds(form.when),
            )
            for form in sheet.forms
        ],
        conditions=[
            bodies.ConditionRow(
                reason=condition.reason,
                zh=condition.text.zh,
                en=condition.text.en,
                ruling=condition.ruling,
                exempt=list(condition.exempt) if ruleset.holds(condition.exempt_when) else [],
            )
            for condition in sheet.conditions
            if ruleset.holds(condition.when)
        ],
        patterns=[
            bodies.PatternRow(
                id=row.id,
                zh=row.name.zh,
                en=row.name.en,
                kind=row.kind,
                value=ruleset.prices[row.id],
                ruling=row.ruling,
                counted=row.id in COUNTED,
            )
            for row in sheet.patterns
        ],
        reasons={reason: (say("zh", reason), say("en", reason)) for reason in REASONS},
        examples=[
            bodies.ExampleRow(
                zh=example.title.zh, en=example.title.en, request=dict(example.request), points=example.points
            )
            for example in sheet.examples
        ],
    )
