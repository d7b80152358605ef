"""The bodies of the HTTP API, under ``api/`` (docs/protocol.md). Every error is a ``messages.Refused``."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hongzhong.events import AnyEvent
from hongzhong.server.messages import Message, Request, Settings, TableView


class Status(Message):
    """GET api/status. ``ready``: tables can be opened; until then kernels compile, ``percent`` says how far; ``problem``: why they cannot.
    ``links``: addresses of the page, those for other devices last."""

    version: str
    protocol: int
    ready: bool
    percent: int
    problem: str
    links: list[str]


class Choice(Message):
    """A value that an option takes, or a word beside its numbers, as players read it."""

    value: Any
    zh: str
    en: str


class OptionForm(Message):
    """An option or price of a sheet, to be asked in a form. ``choices``: all values of a choice, else words beside the numbers ``low`` to
    ``high`` (``points``: three numbers, kongs exposed, added, concealed). ``asked``: players of the region argue about it."""

    id: str
    zh: str
    en: str
    kind: Literal["bool", "choice", "int", "points"]
    default: Any
    choices: list[Choice]
    low: int
    high: int
    ruling: str
    asked: bool
    price: bool


class SheetForm(Message):
    """A rule set. ``options``: the disputed ones first, prices last; ``tiles``: its kinds."""

    id: str
    zh: str
    en: str
    summary_zh: str
    summary_en: str
    tiles: list[str]
    wild: list[str]
    clockwise: bool
    options: list[OptionForm]


class RuleForms(Message):
    """GET api/rules. ``bots``: who can fill places; ``phrases``: the short phrases by number, Chinese and English."""

    sheets: list[SheetForm]
    bots: list[str]
    phrases: list[tuple[str, str]]


class CheckRules(Request):
    """POST api/rules/check: are these options together a rule set? Answers ``RulesChecked``, or an error in the sheet's words."""

    rules: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)


class RulesChecked(Message):
    """``options``: only those that differ from the defaults; the summary names them in one line."""

    rules: str
    options: dict[str, Any]
    summary_zh: str
    summary_en: str


class CreateRoom(Request):
    """POST api/rooms. Answers ``Seated``: who creates a room is its host and sits at place 0. ``owner``: the browser's own id, under which
    it finds its records."""

    rules: str
    nickname: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    name: str = ""
    password: str = ""
    settings: Settings = Settings()
    owner: str = ""


class QuickStart(Request):
    """POST api/quick: alone with three bots; play begins with the socket's ``hello``. Answers ``Seated``."""

    rules: str
    nickname: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    settings: Settings = Settings()
    owner: str = ""


class JoinRoom(Request):
    """POST api/rooms/{code}/join. ``place``: -1 for the first free one. Answers ``Seated``."""

    nickname: str
    password: str = ""
    place: int = -1
    owner: str = ""


class Seated(Message):
    """A place in a room: ``token`` is the signed seat; whoever has it sits there."""

    code: str
    place: int
    token: str
    commitment: str


class RoomCard(Message):
    """GET api/rooms/{code}: what one who is about to join may know, also each of the open rooms in the list."""

    code: str
    name: str
    rules: str
    summary_zh: str
    summary_en: str
    state: Literal["waiting", "playing", "ended"]
    players: list[str]
    free: int
    password: bool
    spectators: bool


class OpenRooms(Message):
    """GET api/rooms."""

    rooms: list[RoomCard]


# records, kept by browser: a header ``x-browser`` holds its own id, 16 to 64 letters, digits, - or _


class RecordCard(Message):
    """A record in a list. ``kept``: milliseconds since 1970; ``seat``: where the browser that asks sat, -1 where it did not. The link with
    the ``id`` shares it."""

    id: str
    rules: str
    rules_zh: str
    rules_en: str
    players: list[str]
    scores: list[int]
    hands: int
    kept: int
    seat: int


class RecordList(Message):
    """GET api/records?before=...: the browser's own, newest first. ``before``: where the next page begins, None at the end."""

    records: list[RecordCard]
    before: int | None


class HandCard(Message):
    """A hand of a record, to jump to: ``scores`` are its own."""

    number: int
    dealer: int
    reason: str
    winners: list[int]
    by: str
    scores: list[int]
    events: int


class RecordShown(Message):
    """GET api/records/{id}. ``commitment`` and ``secret`` where its walls are fair. Its lines: api/records/{id}/file."""

    card: RecordCard
    summary_zh: str
    summary_en: str
    options: dict[str, Any]
    hands: list[HandCard]
    commitment: str | None
    secret: str | None


class Frame(Message):
    """A step of a replay: what happened, in words too, and what is seen then."""

    event: AnyEvent
    zh: str
    en: str
    view: TableView


class Replay(Message):
    """GET api/records/{id}/hands/{number}?seat=0&open=1: a hand of play as a seat sees it, or from its side with all hands open (``open``:
    then ``drawn`` is the tile of whoever drew last)."""

    number: int
    seat: int
    open: bool
    players: list[str]
    frames: list[Frame]


class Note(Message):
    """A remark in both languages."""

    zh: str
    en: str


class Verified(Message):
    """POST api/verify with a record's lines, GET api/records/{id}/verify: does each line follow? ``line``: the first that does not, 0 if
    all do. The rest is what a page needs to check the walls itself (docs/fair-walls.md): ``tiles`` in the order they are laid before
    the shuffle, ``walls`` by hand in drawing order; ``secret`` None where it was not opened."""

    ok: bool
    line: int
    zh: str
    en: str
    notes: list[Note]
    matches: int
    hands: int
    lines: int
    rules: str
    commitment: str | None
    secret: str | None
    nonces: list[str]
    tiles: str
    sides: bool
    walls: list[str]
    dice: list[list[list[int]]]
    dealers: list[int]


class KeepHouseRules(Request):
    """POST api/house: options of a rule set under a name. Answers ``HouseRules``."""

    name: str
    rules: str
    options: dict[str, Any]


class HouseRules(Message):
    """GET api/house/{id}, by whoever has the link. ``options``: what differs from the defaults; ``mine``: the browser that asks keeps them."""

    id: str
    name: str
    rules: str
    options: dict[str, Any]
    summary_zh: str
    summary_en: str
    created: int
    mine: bool


class HouseRulesList(Message):
    """GET api/house: the browser's own."""

    house_rules: list[HouseRules]


class Done(Message):
    """DELETE of a record (off the browser's list; gone once nobody has it) or of house rules."""

    done: bool


# referee


class Disputed(Message):
    """What another value of a disputed option would make of a hand: an answer of the score contract."""

    option: str
    zh: str
    en: str
    value: Any
    value_zh: str
    value_en: str
    ruling: str
    answer: Any


class ScoreDisputed(Message):
    """POST api/score/disputed with a request of the score contract, as api/score: the answer, and the disputed options that would change it. Of
    a hand that does not win, or cannot be, also why, in words, how many tiles are to be exchanged (-1: not known) and what it waits for without the last
    tile."""

    answer: Any
    reason_zh: str
    reason_en: str
    formula: str
    missing: int
    waits: list[str]
    disputed: list[Disputed]


class Explain(Request):
    """POST api/explain: a hand of 3n + 1 tiles, with ``win_tile`` as one that may win; flags and seats as in the score contract; ``seen``:
    tiles seen elsewhere. Answers ``Explained``."""

    rules: str
    concealed: str
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    melds: list[str] = msgspec.field(default_factory=list)
    win_tile: str = ""
    by: Literal["draw", "discard", "kong"] = "draw"
    replacement: bool = False
    last_tile: bool = False
    first_turn: bool = False
    winner: int | None = None
    dealer: int | None = None
    source: int | None = None
    seen: str = ""


class Explained(Message):
    """Why it wins or not, what it waits for, what disputed options would change: lines to read."""

    zh: list[str]
    en: list[str]


# the rule book


class FormRow(Message):
    """A shape that wins. ``on``: whether the options in force allow it."""

    id: str
    zh: str
    en: str
    ruling: str
    on: bool


class ConditionRow(Message):
    """What every win must meet, but for hands that show one of the ``exempt`` patterns; ``reason`` as in the score contract."""

    reason: str
    zh: str
    en: str
    ruling: str
    exempt: list[str]


class PatternRow(Message):
    """A row of the price table; ``counted``: once for each kong."""

    id: str
    zh: str
    en: str
    kind: Literal["base", "fan", "times"]
    value: int
    ruling: str
    counted: bool


class ExampleRow(Message):
    """A worked hand: a request of the score contract and its points under the defaults, None where it does not win."""

    zh: str
    en: str
    request: dict[str, Any]
    points: int | None


class RuleBook(Message):
    """GET api/rules/{name}?options={...}: a rule set as a page shows it, under these options. ``claims``: what may be claimed, by id and in both
    languages; ``reasons``: words for the other reasons of the score contract."""

    form: SheetForm
    summary_zh: str
    summary_en: str
    copies: int
    claims: list[tuple[str, str, str]]
    forms: list[FormRow]
    conditions: list[ConditionRow]
    patterns: list[PatternRow]
    reasons: dict[str, tuple[str, str]]
    examples: list[ExampleRow]
