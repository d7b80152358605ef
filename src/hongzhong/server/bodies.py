"""The bodies of the HTTP API, under ``api/`` (docs/protocol.md). Every error is a ``messages.Refused``."""

from __future__ import annotations

from typing import Any, Literal

from hongzhong.server.messages import Message, Request, Settings


class Status(Message):
    """GET api/status. ``ready``: tables can be opened; until then kernels compile, ``percent`` says how far; ``problem``: why they cannot."""

    version: str
    protocol: int
    ready: bool
    percent: int
    problem: str


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
    options: dict[str, Any] = {}


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
    options: dict[str, Any] = {}
    name: str = ""
    password: str = ""
    settings: Settings = Settings()
    owner: str = ""


class QuickStart(Request):
    """POST api/quick: alone with three bots; play begins with the socket's ``hello``. Answers ``Seated``."""

    rules: str
    nickname: str
    options: dict[str, Any] = {}
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
