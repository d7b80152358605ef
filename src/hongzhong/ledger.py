"""What a host writes down and reads back: the changes that a store takes, and what it holds. No I/O here.

A host keeps its rooms and the journals of their matches in a ``Store``; the server's is a database (server/store).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

import msgspec


class StoreError(Exception):
    """What could not be written or read: one line that says where and why."""


class SaveRoom(msgspec.Struct, frozen=True, kw_only=True):
    """A room as it is now, new or changed. ``data`` is the host's own JSON; the rest serves lists and commands."""

    code: str
    state: Literal["waiting", "playing", "ended"]
    rules: str
    players: Sequence[str]
    data: bytes


class DropRoom(msgspec.Struct, frozen=True, kw_only=True):
    """The room is gone; its matches stay."""

    code: str


class BeginMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match begins in a room. ``header``: JSON of all it follows from, the secret too, so for the host's eyes alone."""

    match: str
    room: str
    header: bytes


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of a match's journal, JSON each, numbered on from ``number`` (from 0)."""

    match: str
    number: int
    entries: Sequence[bytes]


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The public record of a match: ``lines`` is the whole file. ``owners``: browser id and the seat it had, -1 for none.

    The ``id`` is in the link that shares it, so it must not be guessable.
    """

    id: str
    rules: str
    players: Sequence[str]
    scores: Sequence[int]
    hands: int
    lines: bytes
    owners: Mapping[str, int]


class EndMatch(msgspec.Struct, frozen=True, kw_only=True):
    """The match is over; it is not resumed any more. ``record``: None where nothing was played."""

    match: str
    record: Record | None


Change = SaveRoom | DropRoom | BeginMatch | Append | EndMatch


class StoredRoom(msgspec.Struct, frozen=True, kw_only=True):
    """A room as it was saved last. Times are milliseconds since 1970; ``ordered``: a command asks for its end."""

    code: str
    state: str
    rules: str
    players: list[str]
    data: bytes
    created: int
    touched: int
    ordered: bool


class StoredMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that is not over, and its journal in order."""

    match: str
    room: str
    header: bytes
    entries: list[bytes]


class Store(Protocol):
    """All methods raise ``StoreError``."""

    async def write(self, *changes: Change) -> None:
        """All of them or none, in this order; on the disk when it returns. What several tables write meanwhile is committed together."""

    async def rooms(self) -> list[StoredRoom]:
        """All rooms, oldest first."""

    async def matches(self) -> list[StoredMatch]:
        """The matches that are not over, to go on from."""
