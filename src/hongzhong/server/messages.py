"""What browser and server say to each other on a room's socket (docs/protocol.md); HTTP bodies are in bodies.py.

Events and views are those of one seat, masked by the engine. The browser folds nothing: each ``update`` carries the view whole.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from hongzhong.events import AnyEvent, Win

PROTOCOL = 1


class Message(msgspec.Struct, kw_only=True):
    """From the server: every field is always there."""


class Request(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """From the browser: fields with defaults may be left out, unknown ones are errors."""


# -- parts


class MeldShown(Message):
    """``text`` in mpsz as in the record; ``tiles``: kinds by name (``?`` while hidden); ``turned``: the place of the tile that was
    claimed, -1 for none; ``source``: the seat it came from."""

    text: str
    form: Literal["chow", "pung", "exposed", "added", "concealed"]
    tiles: list[str]
    turned: int
    source: int


class RiverTile(Message):
    tile: str
    claimed: bool


class SeatView(Message):
    """What lies before one seat. ``hand``: concealed tiles where they may be known (own, or all at the end), else empty."""

    size: int
    hand: list[str]
    melds: list[MeldShown]
    river: list[RiverTile]
    score: int
    total: int


class Wait(Message):
    """A kind that wins: copies this seat has not seen; points by discard and by draw, -1 where it cannot be won so."""

    tile: str
    unseen: int
    by_discard: int
    by_draw: int


class TableView(Message):
    """One seat's view of the hand in play (seat -1: a spectator's). Seats are absolute; ``around``: seats at the left, across and
    right of the viewer on a screen. ``number``: of the hand, from 0, ``hands``: of the match, or 0 where it lasts ``rounds`` full rounds of
    dealers; ``round``: which of them is played, from 0."""

    seat: int
    around: list[int]
    number: int
    hands: int
    round: int
    rounds: int
    dealer: int
    seats: list[SeatView]
    drawn: str | None
    remaining: int
    turn: int
    last_discard: tuple[int, str] | None
    over: bool
    reason: str | None
    wins: list[Win]
    false_win: int | None
    next_dealer: int | None
    wild: list[str]
    waits: list[Wait]


class ActionShown(Message):
    """A legal action: its frozen number, what it is, and the tiles it shows (discarded, claimed with, or konged). Where wins are called by
    hand (C10) each seat is always offered the same win, right or false: the server knows which it is."""

    action: int
    kind: Literal["discard", "draw_win", "claim_win", "pass", "pung", "chow", "kong"]
    tiles: list[str]


class Prompt(Message):
    """What this seat is asked. ``id`` goes back with the answer; ``until``: milliseconds left to answer, the bank included, -1 for no clock;
    ``move``: milliseconds left before the bank is drawn on (a claim never draws on it). ``auto``: auto-play answers it."""

    id: int
    kind: Literal["turn", "claim", "rob"]
    tile: str | None
    source: int
    actions: list[ActionShown]
    until: int
    move: int
    auto: bool


class Clock(Message):
    """Milliseconds left to each seat's bank (-1: no clocks); ``thinking``: the seats asked on an own turn (claims are not told) and
    ``until``: milliseconds that the first of them has left, -1 for none. ``next_hand``: milliseconds until the next hand begins by
    itself, -1 when none waits; it begins at once when every person said ``ready``. ``paused``: nobody is there, nothing moves."""

    bank: list[int]
    thinking: list[int]
    until: int
    next_hand: int
    paused: bool


class Player(Message):
    """One of a room's four places. ``kind`` empty: nobody yet, in play a bot holds it and whoever joins takes it over. ``ready``: to
    begin, between hands to go on. ``away``: a bot answers until the person is back; ``auto``: auto-play (托管)."""

    name: str
    kind: Literal["empty", "person", "bot"]
    bot: str
    connected: bool
    ready: bool
    auto: bool
    away: bool
    host: bool


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a room is run, apart from its rules. ``move_seconds``: 0 for no clocks, else 3-300; ``bank_seconds``: 0-600, full again at
    every hand. ``bots``: bots may take empty places; ``public``: in the list of open rooms."""

    move_seconds: int = 15
    bank_seconds: int = 30
    bots: bool = True
    bot: str = "greedy"
    hints: bool = True
    spectators: bool = True
    public: bool = False


class Room(Message):
    """A room as all in it may know it. ``seat_of``: where each place sits at the table once play began (seats may be drawn).
    ``options``: what differs from the sheet's defaults. ``votes``: places that want to end. ``totals``: by place, over all matches that
    ended. ``commitment``: to the walls of the match in play or the next one. ``record``: the last match's, to show or download."""

    code: str
    name: str
    rules: str
    options: dict[str, Any]
    summary_zh: str
    summary_en: str
    state: Literal["waiting", "playing", "ended"]
    places: list[Player]
    seat_of: list[int]
    spectators: int
    votes: list[int]
    settings: Settings
    password: bool
    matches: int
    totals: list[int]
    scores: list[int]
    ranking: list[int]
    commitment: str
    record: str | None


# -- from the server


class Welcome(Message, tag_field="type", tag="welcome"):
    """The first message of a socket: who you are. ``place``: 0-3, -1 for a spectator; ``version``: of the server."""

    protocol: int
    version: str
    place: int
    room: Room


class RoomChanged(Message, tag_field="type", tag="room"):
    room: Room


class Update(Message, tag_field="type", tag="update"):
    """``events`` since the last update (empty after a reconnect), the view they lead to, what is asked now. ``seq`` counts the match's
    events that lie behind the view."""

    seq: int
    events: list[AnyEvent]
    view: TableView
    prompt: Prompt | None
    clock: Clock


class Said(Message, tag_field="type", tag="said"):
    """A phrase by number (texts/phrases) from a place."""

    place: int
    phrase: int


class DiscardHint(Message):
    """What a discard leaves: tiles missing to a win (0: ready, -1: out of reach), the kinds that bring it nearer and how many copies are unseen."""

    tile: str
    away: int
    kinds: list[str]
    copies: int


class HintGiven(Message, tag_field="type", tag="hint"):
    """What the bot `value` would do, and what each discard leaves, the advised one first, then the nearest (empty at a claim)."""

    prompt: int
    action: int
    discards: list[DiscardHint]


class SeatGiven(Message, tag_field="type", tag="seat"):
    """A seat's token, for the personal link: your own one when asked for."""

    place: int
    token: str


class Pong(Message, tag_field="type", tag="pong"):
    pass


class Superseded(Message, tag_field="type", tag="superseded"):
    """The seat was opened elsewhere; this tab stops."""


class Refused(Message, tag_field="type", tag="error"):
    """Something was not done: ``code`` is a stable id, ``field`` what was wrong, the texts say what would be right. Over HTTP it is the body
    of every error. ``fatal``: the socket closes, do not come back with the same hello."""

    code: str
    zh: str
    en: str
    field: str | None = None
    fatal: bool = False


ServerMessage = Welcome | RoomChanged | Update | Said | HintGiven | SeatGiven | Pong | Superseded | Refused


# -- from the browser


class Hello(Request, tag_field="type", tag="hello"):
    """Must come first. ``token``: the signed seat; without one a spectator's socket. ``nonce``: the player's share in the walls of a quick
    start, else it comes with ``ready``."""

    protocol: int
    token: str = ""
    nonce: str = ""
    password: str = ""


class Answer(Request, tag_field="type", tag="answer"):
    """Idempotent: the same answer to the same prompt again is a quiet yes."""

    prompt: int
    action: int


class Auto(Request, tag_field="type", tag="auto"):
    """Auto-play (托管) on or off for the own seat."""

    on: bool


class Ready(Request, tag_field="type", tag="ready"):
    """To begin the match, with the own share in its walls (up to 64 characters, drawn after the commitment was shown); between hands: go
    on."""

    on: bool
    nonce: str = ""


class Say(Request, tag_field="type", tag="say"):
    phrase: int


class Vote(Request, tag_field="type", tag="vote"):
    """To end the match early."""

    on: bool


class Hint(Request, tag_field="type", tag="ask_hint"):
    prompt: int


class Leave(Request, tag_field="type", tag="leave"):
    """Gives up the place: before play it is empty again, in play a bot holds it. The socket closes."""


class AskSeat(Request, tag_field="type", tag="ask_seat"):
    """For the own seat's token."""


class Manage(Request, tag_field="type", tag="manage"):
    """The host's: exchange two places, empty one (in play a bot holds it, and who joins takes it over), seat a bot, hand the room over,
    start (bots fill up)."""

    do: Literal["swap", "remove", "bot", "hand_over", "start"]
    place: int = -1
    other: int = -1
    bot: str = ""


class Rematch(Request, tag_field="type", tag="rematch"):
    """After the end: the room waits again for all to be ready, totals go on."""


class Ping(Request, tag_field="type", tag="ping"):
    pass


ClientMessage = Hello | Answer | Auto | Ready | Say | Vote | Hint | Leave | AskSeat | Manage | Rematch | Ping
