"""House rules over HTTP: options under a name, kept for a browser, shared by link."""

from __future__ import annotations

import secrets
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hongzhong import rules
from hongzhong.rules.values import RuleError
from hongzhong.server import bodies, sheets, web
from hongzhong.server.browsers import browser_of, known_browser
from hongzhong.server.errors import Refusal
from hongzhong.server.seats import MAX_ROOM_NAME, BadName, clean_name
from hongzhong.server.store import Database, DropHouseRules, KeepHouseRules, library

MAX_OWN: Final = 100


def routes(database: Database) -> list[Route]:
    """The routes under ``api/house``."""

    async def mine(request: Request) -> Response:
        browser = browser_of(request)
        kept = await library.house_rules_of(database, browser) if browser else []
        return web.answer(bodies.HouseRulesList(house_rules=[shown(one, mine=True) for one in kept]))

    async def keep(request: Request) -> Response:
        browser = known_browser(request)
        wanted = await web.body(request, bodies.KeepHouseRules)
        checked = sheets.checked(wanted.rules, wanted.options)
        try:
            name = clean_name(wanted.name, MAX_ROOM_NAME)
        except BadName as bad:
            raise Refusal(f"name_{bad.why}", field="name", most=MAX_ROOM_NAME) from bad
        if len(await library.house_rules_of(database, browser)) >= MAX_OWN:
            raise Refusal("many_house_rules", most=MAX_OWN)
        id = secrets.token_urlsafe(9)
        change = KeepHouseRules(id=id, browser=browser, name=name, rules=checked.rules, options=checked.options)
        await database.write(change)
        kept = await library.house_rules(database, id)
        assert kept is not None
        return web.answer(shown(kept, mine=True), 201)

    async def show(request: Request) -> Response:
        id = request.path_params["id"]
        kept = await library.house_rules(database, id)
        if kept is None:
            raise Refusal("no_house_rules")
        browser = browser_of(request)
        mine = bool(browser) and any(one.id == id for one in await library.house_rules_of(database, browser))
        return web.answer(shown(kept, mine=mine))

    async def drop(request: Request) -> Response:
        browser, id = known_browser(request), request.path_params["id"]
        had = any(one.id == id for one in await library.house_rules_of(database, browser))
        await database.write(DropHouseRules(id=id, browser=browser))
        return web.answer(bodies.Done(done=had))

    given = [("GET", "", mine), ("POST", "", keep), ("GET", "/{id}", show), ("DELETE", "/{id}", drop)]
    return [Route(f"/api/house{path}", web.endpoint(what), methods=[method]) for method, path, what in given]


def shown(kept: library.KeptRules, *, mine: bool) -> bodies.HouseRules:
    """House rules as the page has them; without a summary where the sheet has changed since and refuses them."""
    try:
        zh, en = sheets.summary(rules.load(kept.rules, kept.options))
    except RuleError:
        zh = en = kept.rules
    return bodies.HouseRules(
        id=kept.id,
        name=kept.name,
        rules=kept.rules,
        options=kept.options,
        summary_zh=zh,
        summary_en=en,
        created=kept.created,
        mine=mine,
    )
