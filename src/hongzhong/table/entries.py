"""What a live table writes down: the lines of its journal, from which, with the match's header, it is resumed as it stood."""

from __future__ import annotations

from typing import Final

import msgspec


class Entry(msgspec.Struct, tag_field="type", frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of a table's journal; ``at``: when."""

    at: int


class Answered(Entry, tag="answer", frozen=True, kw_only=True):
    """A seat's answer, whoever gave it."""

    seat: int
    action: int


class Switched(Entry, tag="auto", frozen=True, kw_only=True):
    """Auto-play (托管) of a seat."""

    seat: int
    on: bool


class WentOn(Entry, tag="next", frozen=True, kw_only=True):
    """The next hand began to be shown."""


class Waited(Entry, tag="wait", frozen=True, kw_only=True):
    """Nobody was there for so long: clocks stood still."""

    long: int


class Ticked(Entry, tag="clock", frozen=True, kw_only=True):
    """Only the time, while somebody thinks."""


class Ended(Entry, tag="abort", frozen=True, kw_only=True):
    """The match was ended early."""


AnyEntry = Answered | Switched | WentOn | Waited | Ticked | Ended
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(AnyEntry)


class EntryError(ValueError):
    """A journal entry that cannot be read or does not follow: says which and why."""


def encode(entry: AnyEntry) -> bytes:
    """One JSON object, no newline."""
    return _ENCODER.encode(entry)


def decode(line: bytes) -> AnyEntry:
    """Raises ``EntryError``."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise EntryError(f"no entry of a table's journal: {error}") from error
