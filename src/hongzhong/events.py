"""The one event vocabulary: record, network, replay and bots speak it (docs/contracts.md).

Events are msgspec structs, tagged by ``type``. An event leaves the engine only through ``masked(event, seat)``.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

FORMAT: Final = 1
"""The format of records that this engine writes."""
SPECTATOR: Final = -1
"""The seat of one who watches: sees what is public, nothing else."""
ALL_SEATS: Final = frozenset({SPECTATOR, 0, 1, 2, 3})


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=False, forbid_unknown_fields=True):
    """Base of every event; ``audience`` is the set of seats that see it unmasked."""

    def audience(self) -> frozenset[int]:
        return ALL_SEATS

    def hidden(self) -> Event | None:
        """What everybody outside the audience sees; None: nothing at all."""
        return self


class Match(Event, tag_field="type", tag="match", frozen=True, kw_only=True, omit_defaults=True):
    """Heads a record. ``dealer_throws``, ``seat_draw`` and ``commitment`` only where they apply."""

    format: int
    engine: str
    rules: str
    rules_revision: int
    options: dict[str, Any]
    players: list[str]
    hands: int
    first_dealer: int
    dealer_throws: list[list[int]] | None = None
    seat_draw: list[int] | None = None
    commitment: str | None = None
    nonces: list[str] | None = None


class Hand(Event, tag_field="type", tag="hand", frozen=True, kw_only=True, omit_defaults=True):
    """A hand of play begins; ``scores`` are the totals before it. Only the record holds ``wall``."""

    number: int
    dealer: int
    scores: list[int]
    wall: str = ""
    dice: list[list[int]] | None = None
    break_: int | None = msgspec.field(default=None, name="break")

    def audience(self) -> frozenset[int]:
        return frozenset() if self.wall else ALL_SEATS

    def hidden(self) -> Event:
        return msgspec.structs.replace(self, wall="")


class Deal(Event, tag_field="type", tag="deal", frozen=True, kw_only=True):
    seat: int
    tiles: str

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat})

    def hidden(self) -> Event:
        return msgspec.structs.replace(self, tiles="?" * (sum(c.isdigit() or c == "?" for c in self.tiles)))


class Draw(Event, tag_field="type", tag="draw", frozen=True, kw_only=True):
    seat: int
    tile: str
    from_: Literal["wall", "tail"] = msgspec.field(name="from")

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat})

    def hidden(self) -> Event:
        return msgspec.structs.replace(self, tile="?")


class Discard(Event, tag_field="type", tag="discard", frozen=True, kw_only=True):
    seat: int
    tile: str
    drawn: bool


class Chow(Event, tag_field="type", tag="chow", frozen=True, kw_only=True):
    seat: int
    tile: str
    with_: str = msgspec.field(name="with")
    from_: int = msgspec.field(name="from")


class Pung(Event, tag_field="type", tag="pung", frozen=True, kw_only=True):
    seat: int
    tile: str
    from_: int = msgspec.field(name="from")


class Kong(Event, tag_field="type", tag="kong", frozen=True, kw_only=True, omit_defaults=True):
    """``hidden_`` while a concealed kong lies face down (C7); then others see ``"tile":"?"``."""

    seat: int
    tile: str
    kind: Literal["exposed", "added", "concealed"]
    from_: int | None = msgspec.field(default=None, name="from")
    hidden_: bool = msgspec.field(default=False, name="hidden")

    def audience(self) -> frozenset[int]:
        return frozenset({self.seat}) if self.hidden_ else ALL_SEATS

    def hidden(self) -> Event:
        return msgspec.structs.replace(self, tile="?")


class Pattern(msgspec.Struct, frozen=True, kw_only=True):
    """One row that a win is paid for; ``name`` is display text."""

    id: str
    name: str
    kind: Literal["base", "fan", "times"]
    value: int
    count: int
    ruling: str


class Win(Event, tag_field="type", tag="win", frozen=True, kw_only=True, omit_defaults=True):
    seat: int
    by: Literal["draw", "discard", "kong"]
    from_: int | None = msgspec.field(default=None, name="from")
    tile: str
    concealed: str
    melds: list[str] = msgspec.field(name="melds")
    reading: str
    points: int
    patterns: list[Pattern]


class FalseWin(Event, tag_field="type", tag="false_win", frozen=True, kw_only=True):
    seat: int


class Pay(Event, tag_field="type", tag="pay", frozen=True, kw_only=True):
    deltas: list[int]
    for_: Literal["win", "kong", "kong_void", "false_win", "follow_dealer"] = msgspec.field(name="for")


class End(Event, tag_field="type", tag="end", frozen=True, kw_only=True):
    """``hands`` and ``melds`` of all seats lie open; ``scores`` are the hand's own sums."""

    reason: Literal["win", "exhausted", "four_kongs", "false_win", "aborted"]
    hands: list[str]
    melds: list[list[str]]
    scores: list[int]
    next_dealer: int


class Result(Event, tag_field="type", tag="result", frozen=True, kw_only=True, omit_defaults=True):
    scores: list[int]
    ranking: list[int]
    secret: str | None = None


AnyEvent = Match | Hand | Deal | Draw | Discard | Chow | Pung | Kong | Win | FalseWin | Pay | End | Result

_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(AnyEvent)


def masked(event: Event, seat: int) -> Event | None:
    """What ``seat`` (``SPECTATOR`` for a watcher) may know of an event. The only way out of the engine."""
    return event if seat in event.audience() else event.hidden()


def encode(event: Event) -> bytes:
    """One JSON object, no newline."""
    return _ENCODER.encode(event)


def decode(line: bytes | str) -> Event:
    """Reads one event. Raises ``msgspec.ValidationError`` or ``msgspec.DecodeError`` naming the field."""
    return _DECODER.decode(line)
