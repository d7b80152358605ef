"""Records over HTTP: a browser's own ones, upload, download, share, replay, verify, delete."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hongzhong import events, rules
from hongzhong.ledger import Record
from hongzhong.record import RecordError, parsed
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet
from hongzhong.server import bodies, web
from hongzhong.server.browsers import browser_of, known_browser, shown_name
from hongzhong.server.errors import Refusal
from hongzhong.server.sheets import plain, summary
from hongzhong.server.store import Database, ForgetRecord, KeepRecord, library
from hongzhong.texts.records import said
from hongzhong.tiles import format_mpsz

if TYPE_CHECKING:  # it loads the engine, which may still be compiling
    from hongzhong.verification import Verdict

MAX_RECORD: Final = 1 << 20
"""Bytes of a record that is uploaded or checked."""
MAX_OWN: Final = 2000
PAGE: Final = 30


class Records:
    """The routes under ``api/records`` and ``api/verify``. ``ready`` raises ``Refusal`` while the engine is not loaded."""

    def __init__(self, database: Database, ready: Callable[[], None]) -> None:
        self.database = database
        self.ready = ready
        self._checking = asyncio.Semaphore(1)  # one at a time: it is long work, and tables are in play
        self._replaying = asyncio.Semaphore(1)

    def routes(self) -> list[Route]:
        given: list[tuple[str, str, web.Endpoint]] = [
            ("GET", "/api/records", self.mine),
            ("POST", "/api/records", self.upload),
            ("GET", "/api/records/{id}", self.show),
            ("DELETE", "/api/records/{id}", self.forget),
            ("GET", "/api/records/{id}/file", self.file),
            ("GET", "/api/records/{id}/verify", self.verify_kept),
            ("GET", "/api/records/{id}/hands/{number}", self.replay),
            ("POST", "/api/verify", self.verify),
        ]
        return [Route(path, web.endpoint(what), methods=[method]) for method, path, what in given]

    async def mine(self, request: Request) -> Response:
        browser = browser_of(request)
        if not browser:
            return web.answer(bodies.RecordList(records=[], before=None))
        before = request.query_params.get("before", "")
        latest = int(before) if before.isdecimal() and len(before) < 16 else None
        kept = await library.records_of(self.database, browser, PAGE + 1, latest)
        more = kept[PAGE - 1].kept if len(kept) > PAGE else None
        return web.answer(bodies.RecordList(records=[card_of(one) for one in kept[:PAGE]], before=more))

    async def show(self, request: Request) -> Response:
        kept, lines = await self._found(request)
        return web.answer(await asyncio.to_thread(shown, kept, lines))

    async def file(self, request: Request) -> Response:
        kept, lines = await self._found(request)
        out = web.raw(lines, "application/x-ndjson")
        day = time.strftime("%Y%m%d", time.gmtime(kept.kept / 1000))
        out.headers["content-disposition"] = f'attachment; filename="hongzhong-{day}-{kept.rules}.jsonl"'
        return out

    async def replay(self, request: Request) -> Response:
        self.ready()
        kept, lines = await self._found(request)
        number, asked = request.path_params["number"], request.query_params
        seat = int(asked["seat"]) if asked.get("seat") in ("0", "1", "2", "3") else max(kept.seat, 0)
        open_hands = asked.get("open", "1") != "0"
        async with self._replaying:
            return web.answer(await asyncio.to_thread(_replay, lines, number, seat, open_hands))

    async def forget(self, request: Request) -> Response:
        browser, id = known_browser(request), request.path_params["id"]
        found = await library.record(self.database, id, browser)
        await self.database.write(ForgetRecord(id=id, browser=browser))
        left = await library.record(self.database, id, browser)
        return web.answer(bodies.Done(done=found is not None and (left is None or left[0].seat != found[0].seat)))

    async def upload(self, request: Request) -> Response:
        self.ready()
        browser = known_browser(request)
        lines = await web.raw_body(request, MAX_RECORD)
        if await library.count_records(self.database, browser) >= MAX_OWN:
            raise Refusal("many_records", most=MAX_OWN)
        async with self._checking:
            record = await asyncio.to_thread(_examined, lines, browser)
        await self.database.write(KeepRecord(record=record))
        id = await library.record_of_digest(self.database, hashlib.sha256(record.lines).hexdigest())
        found = await library.record(self.database, id or "", browser)
        if found is None:  # deleted in between
            raise Refusal("no_record")
        return web.answer(card_of(found[0]), 201)

    async def verify(self, request: Request) -> Response:
        self.ready()
        lines = await web.raw_body(request, MAX_RECORD)
        async with self._checking:
            return web.answer(await asyncio.to_thread(verified, lines))

    async def verify_kept(self, request: Request) -> Response:
        self.ready()
        _, lines = await self._found(request)
        async with self._checking:
            return web.answer(await asyncio.to_thread(verified, lines))

    async def _found(self, request: Request) -> tuple[library.KeptRecord, bytes]:
        found = await library.record(self.database, request.path_params["id"], browser_of(request))
        if found is None:
            raise Refusal("no_record")
        return found


def card_of(kept: library.KeptRecord) -> bodies.RecordCard:
    """A record in a list; its rule set may not be installed here any more."""
    name = rules.sheet(kept.rules).name if kept.rules in rules.names() else None
    return bodies.RecordCard(
        id=kept.id,
        rules=kept.rules,
        rules_zh=name.zh if name else kept.rules,
        rules_en=name.en if name else kept.rules,
        players=[shown_name(player) for player in kept.players],
        scores=kept.scores,
        hands=kept.hands,
        kept=kept.kept,
        seat=kept.seat,
    )


def shown(kept: library.KeptRecord, lines: bytes) -> bodies.RecordShown:
    """What a record is, and its hands."""
    from hongzhong.server import replays  # loads the engine

    record = replays.read(lines)
    match, last = record[0], record[-1]
    assert isinstance(match, events.Match)
    card = card_of(kept)
    zh, en, options = card.rules_zh, card.rules_en, match.options
    try:
        ruleset = rules.load(match.rules, match.options)
        (zh, en), options = summary(ruleset), plain(ruleset.changed())
    except RuleError:
        pass  # the sheet has changed since: what the record says is shown
    return bodies.RecordShown(
        card=card,
        summary_zh=zh,
        summary_en=en,
        options=options,
        hands=replays.cards(record),
        commitment=match.commitment,
        secret=last.secret if isinstance(last, events.Result) else None,
    )


def _replay(lines: bytes, number: str, seat: int, open_hands: bool) -> bodies.Replay:
    from hongzhong.server import replays

    record = replays.read(lines)
    match, hands = record[0], sum(isinstance(event, events.Hand) for event in record)
    assert isinstance(match, events.Match)
    if not number.isdecimal() or len(number) > 6 or int(number) >= hands:
        raise Refusal("no_hand", field="number", hand=number[:12], hands=hands)
    try:
        ruleset = rules.load(match.rules, match.options)
    except RuleError as error:
        raise Refusal("rules", why=str(error)) from error
    found = replays.frames(ruleset, record, int(number), seat, open_hands=open_hands)
    return bodies.Replay(
        number=int(number),
        seat=seat,
        open=open_hands,
        players=[shown_name(player) for player in match.players],
        frames=list(found),
    )


def _examined(lines: bytes, browser: str) -> Record:
    """An uploaded record, every line of it checked. Raises ``Refusal``."""
    verdict, read = _followed(lines)
    if not verdict.ok:
        raise Refusal("record", why=verdict.message)
    if verdict.matches != 1:
        raise Refusal("record", why=said("one_match", n=verdict.matches))
    match, result = read[0], read[-1]
    assert isinstance(match, events.Match) and isinstance(result, events.Result)
    return Record(
        id=secrets.token_urlsafe(12),
        rules=match.rules,
        players=match.players,
        scores=result.scores,
        hands=verdict.hands,
        lines=lines if lines.endswith(b"\n") else lines + b"\n",
        owners={browser: -1},
    )


def _followed(lines: bytes) -> tuple[Verdict, Sequence[events.Event]]:
    """What verification says, and the events that could be read. A rule sheet is never taken from a file that a record names."""
    from hongzhong.verification import Verdict, verify

    found, _ = parsed(lines)
    for number, event in found:
        if isinstance(event, events.Match) and event.rules not in rules.names():
            why = RecordError(f"unknown rule set {event.rules!r}; known here: {', '.join(rules.names())}", number)
            return Verdict(False, number, why.told, 0, 0, 0), [event for _, event in found]
    return verify(lines), [event for _, event in found]


def verified(lines: bytes) -> bodies.Verified:
    """The verdict on a record, and what a page needs to derive the walls of its first match itself."""
    verdict, read = _followed(lines)
    matches = [at for at, event in enumerate(read) if isinstance(event, events.Match)]
    first = read[matches[0] : matches[1] if len(matches) > 1 else None] if matches else []
    match: Any = first[0] if first else None
    secret = next((e.secret for e in first if isinstance(e, events.Result)), None)
    hands = [event for event in first if isinstance(event, events.Hand)]
    ruleset = _ruleset(match)
    return bodies.Verified(
        ok=verdict.ok,
        line=verdict.line,
        zh=verdict.message.zh,
        en=str(verdict.message),
        notes=[bodies.Note(zh=note.zh, en=str(note)) for note in verdict.notes],
        matches=verdict.matches,
        hands=verdict.hands,
        lines=verdict.lines,
        rules=match.rules if match else "",
        commitment=match.commitment if match else None,
        secret=secret,
        nonces=list(match.nonces or []) if match else [],
        tiles=_laid(ruleset) if ruleset else "",
        sides=ruleset is not None and ruleset.sheet.wall.style == "sides",
        walls=[hand.wall for hand in hands],
        dice=[hand.dice or [] for hand in hands],
        dealers=[hand.dealer for hand in hands],
    )


def _ruleset(match: events.Match | None) -> RuleSet | None:
    if match is None or match.rules not in rules.names():
        return None
    try:
        return rules.load(match.rules, match.options)
    except RuleError:
        return None


def _laid(ruleset: RuleSet) -> str:
    return format_mpsz([kind for kind, copies in enumerate(ruleset.sheet.copies) for _ in range(copies)])
