"""Chance, all of it: seats, first dealer, dice and walls follow from one 32-byte secret, step by step (docs/fair-walls.md).

The engine draws nothing by itself; a record whose secret is known can be checked by anybody, with any tool.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from hongzhong.rules.variant import RuleSet

SECRET_BYTES: Final = 32
MAX_NONCE: Final = 256
"""Longest nonce, in UTF-8 bytes."""
_KEY_LABEL: Final = b"hongzhong fair 1"
_SEED_LABEL: Final = b"hongzhong seed "
_WORDS_PER_BLOCK: Final = 8
_COMMITMENT: Final = re.compile(r"sha256:[0-9a-f]{64}")

Item = TypeVar("Item")


class FairError(ValueError):
    """A secret, nonce or throw that cannot be: says what and what would be right."""


def new_secret() -> bytes:
    """32 bytes from the operating system."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_of_seed(seed: int) -> bytes:
    """The secret that a seed stands for: SHA-256 of ``hongzhong seed`` and the number in decimal. Guessable, for tests and studies."""
    return hashlib.sha256(_SEED_LABEL + str(seed).encode()).digest()


def commit(secret: bytes) -> str:
    """The commitment shown before the first hand: ``sha256:`` and 64 hex digits. Raises ``FairError``."""
    return "sha256:" + hashlib.sha256(_checked_secret(secret)).hexdigest()


def parse_secret(text: str) -> bytes:
    """The secret from its 64 hex digits. Raises ``FairError``."""
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise FairError(f"a secret is 64 lower-case hex digits, not {text[:70]!r}")
    return bytes.fromhex(text)


def is_commitment(text: str) -> bool:
    """Whether the text has the shape of a commitment."""
    return _COMMITMENT.fullmatch(text) is not None


def _checked_secret(secret: bytes) -> bytes:
    if len(secret) != SECRET_BYTES:
        raise FairError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return secret


class Stream:
    """Unbiased numbers from a key and a label: HMAC-SHA256 blocks cut into big-endian 32-bit words, rejected where they would favour one."""

    def __init__(self, key: bytes, label: str) -> None:
        self._key = key
        self._label = label.encode() + b"\x00"
        self._block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            message = self._label + struct.pack(">Q", self._block)
            block = hmac.digest(self._key, message, "sha256")
            self._words = list(struct.unpack(f">{_WORDS_PER_BLOCK}I", block))[::-1]
            self._block += 1
        return self._words.pop()

    def draw(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely."""
        limit = (1 << 32) - (1 << 32) % n
        while True:
            word = self._word()
            if word < limit:
                return word % n

    def throw(self) -> list[int]:
        """Two dice."""
        return [self.draw(6) + 1, self.draw(6) + 1]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """A Fisher-Yates shuffle from the last place down."""
        out = list(items)
        for place in range(len(out) - 1, 0, -1):
            other = self.draw(place + 1)
            out[place], out[other] = out[other], out[place]
        return out


@dataclass(frozen=True, slots=True)
class Opening:
    """How a match begins. ``seat_draw``: by player in the order of joining, the wind tile drawn, 0-3 for east, south, west, north, which is the
    seat (H25). ``dealer_throws``: two dice a throw in the order thrown: all seats from 0, then those who tied, until one is highest (Q2, H25)."""

    first_dealer: int
    dealer_throws: list[list[int]] | None = None
    seat_draw: list[int] | None = None


@dataclass(frozen=True, slots=True)
class Dealt:
    """A wall in drawing order; ``dice`` (the dealer's throw, the second thrower's) and their sum ``break_`` where dice are thrown (H25, H30)."""

    wall: list[int]
    dice: list[list[int]] | None = None
    break_: int | None = None


class Chance(Protocol):
    """Where a match gets its chance from."""

    def opening(self) -> Opening: ...

    def hand(self, number: int, dealer: int) -> Dealt: ...


class Fair:
    """The chance that follows from a secret and the players' nonces, for one rule set. Raises ``FairError`` for a bad secret or nonce."""

    def __init__(self, rules: RuleSet, secret: bytes, nonces: Sequence[str] = ()) -> None:
        self.rules = rules
        self.key = key_of(secret, nonces)

    def opening(self) -> Opening:
        """Seats drawn and first dealer found, as the sheet has it (N20, Q2, H25)."""
        way = self.rules.sheet.first_dealer
        if way == "random":
            return Opening(Stream(self.key, "dealer").draw(4))
        seats = Stream(self.key, "seats").shuffled(range(4)) if way == "winds" else None
        throws = _throw_for_dealer(Stream(self.key, "dealer"))
        return Opening(highest_thrower(throws), throws, seats)

    def hand(self, number: int, dealer: int) -> Dealt:
        """The wall of a hand, counted from 0, and its dice."""
        sheet = self.rules.sheet
        kinds = [kind for kind, copies in enumerate(sheet.copies) for _ in range(copies)]
        laid = Stream(self.key, f"wall {number}").shuffled(kinds)
        if not throws_dice(self.rules):
            return Dealt(laid)
        stream = Stream(self.key, f"dice {number}")
        dice = [stream.throw(), stream.throw()]
        aside = sum(map(sum, dice))
        if sheet.wall.style == "sides":
            laid = broken(laid, dealer, dice)
        return Dealt(laid, dice, aside)


def key_of(secret: bytes, nonces: Sequence[str] = ()) -> bytes:
    """The key of all streams: HMAC-SHA256 of the nonces under the secret, each headed by its length. Raises ``FairError``."""
    message = _KEY_LABEL
    for nonce in nonces:
        text = nonce.encode()
        if len(text) > MAX_NONCE:
            raise FairError(f"a nonce of {len(text)} bytes is too long: at most {MAX_NONCE}")
        message += struct.pack(">I", len(text)) + text
    return hmac.digest(_checked_secret(secret), message, "sha256")


def throws_dice(rules: RuleSet) -> bool:
    """Whether each hand begins with dice: a wall of sides is broken by them, a reserve is counted or shown by them (H25, H30)."""
    return rules.sheet.wall.style == "sides" or "reserve_stacks" in rules.sheet.options


def broken(laid: Sequence[int], dealer: int, dice: Sequence[Sequence[int]]) -> list[int]:
    """The drawing order of a wall of four sides (H25). ``laid``: stack by stack, upper tile first, clockwise from the right end of seat 0's side."""
    side = len(laid) // 4
    second = (dealer + sum(dice[0]) - 1) % 4
    aside = sum(map(sum, dice))
    start = (side * (-second % 4) + 2 * aside) % len(laid)
    return [*laid[start:], *laid[:start]]


def _throw_for_dealer(stream: Stream) -> list[list[int]]:
    throws: list[list[int]] = []
    seats = [0, 1, 2, 3]
    while len(seats) > 1:
        thrown = [stream.throw() for _ in seats]
        throws += thrown
        seats = _highest(seats, thrown)
    return throws


def _highest(seats: Sequence[int], thrown: Sequence[Sequence[int]]) -> list[int]:
    best = max(map(sum, thrown))
    return [seat for seat, dice in zip(seats, thrown, strict=True) if sum(dice) == best]


def highest_thrower(throws: Sequence[Sequence[int]]) -> int:
    """The seat that deals after these throws, which must be as many as the ties ask for. Raises ``FairError``."""
    if any(len(dice) != 2 or not all(1 <= die <= 6 for die in dice) for dice in throws):
        raise FairError("a throw is two dice from 1 to 6")
    seats, at = [0, 1, 2, 3], 0
    while len(seats) > 1:
        thrown = throws[at : at + len(seats)]
        if len(thrown) < len(seats):
            raise FairError(f"{len(throws)} throws leave seats {', '.join(map(str, seats))} to throw (again)")
        at += len(seats)
        seats = _highest(seats, thrown)
    if at < len(throws):
        raise FairError(f"{len(throws)} throws where {at} decide")
    return seats[0]
