"""Bots in any language: a program that speaks JSON Lines on standard input and output (docs/contracts.md, outside bots).

Named ``exec:COMMAND``, such as ``exec:./bot.py`` or ``exec:node bot.js``; ``exec@2:COMMAND`` gives it two seconds an answer.
A program that is missing, crashes, stalls or answers nonsense is ended; the seat plays the match on by ``greedy``, and the verdict is kept.
"""

from __future__ import annotations

import logging
import re
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from hongzhong import actions, events
from hongzhong.bots import BotError
from hongzhong.bots.greedy import GreedyBot
from hongzhong.bots.program import Fault, Kind, Program, quoted
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import KIND_NAMES

PROTOCOL: Final = 1
ANSWER_SECONDS: Final = 5.0
START_SECONDS: Final = 10.0
MOST_SECONDS: Final = 3600.0
SEED_LIMIT: Final = 1 << 53
"""Seeds are whole numbers that JavaScript reads exactly."""
_NAME: Final = re.compile(r"exec(?:@(?P<seconds>[^:]*))?:(?P<command>.*)", re.DOTALL)
_LOG: Final = logging.getLogger(__name__)


class Start(msgspec.Struct, tag_field="type", tag="start", frozen=True, kw_only=True):
    """A match begins; ``ready`` is awaited. ``options`` are all in force; ``seed`` is for what the bot leaves to chance."""

    protocol: int
    rules: str
    rules_revision: int
    options: dict[str, Any]
    seat: int
    seed: int
    answer_seconds: float


class Ask(msgspec.Struct, tag_field="type", tag="prompt", frozen=True, kw_only=True):
    """The seat is asked; an answer with this ``id`` is awaited. ``tile``: just drawn, or claimed or robbed; ``from_``: whose it was."""

    id: int
    kind: Literal["turn", "claim", "rob"]
    tile: str | None
    from_: int | None = msgspec.field(name="from")
    actions: list[int]


class Ready(msgspec.Struct, tag_field="type", tag="ready", frozen=True, forbid_unknown_fields=True):
    """The program has understood ``start``."""


class Answer(msgspec.Struct, tag_field="type", tag="answer", frozen=True, forbid_unknown_fields=True):
    """``action``: one of the prompt's action numbers."""

    id: int
    action: int


Message = Start | Ask | events.AnyEvent
Reply = Ready | Answer
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Reply)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a program was put off the table; ``prompt``: the number of the prompt in the match, 0 at the start."""

    kind: Kind
    prompt: int
    text: str

    def __str__(self) -> str:
        where = f"at prompt {self.prompt}" if self.prompt else "at the start"
        return f"{self.kind} {where}: {self.text}"


class ExternalBot:
    """A program at a seat; it stays from match to match. ``verdict`` is the fault of the match in play, None while it answers."""

    def __init__(
        self,
        command: Sequence[str],
        seed: int = 0,
        *,
        answer_seconds: float = ANSWER_SECONDS,
        start_seconds: float = START_SECONDS,
    ) -> None:
        self.command = list(command)
        self.seed = seed
        self.verdict: Verdict | None = None
        self._seconds = answer_seconds
        self._start_seconds = start_seconds
        self._program: Program | None = None
        self._asked = 0

    @classmethod
    def named(cls, name: str, seed: int = 0) -> ExternalBot:
        """The bot of a name. Raises ``BotError`` for one that is malformed or names no program."""
        command, seconds = _parsed(name)
        return cls(command, seed, answer_seconds=seconds)

    def start(self, rules: RuleSet, seat: int) -> None:
        self.verdict = None
        self._asked = 0
        self._auto = GreedyBot()
        self._auto.start(rules, seat)
        hello = Start(
            protocol=PROTOCOL,
            rules=rules.id,
            rules_revision=rules.sheet.revision,
            options={name: list(v) if isinstance(v, tuple) else v for name, v in rules.in_force().items()},
            seat=seat,
            seed=self.seed % SEED_LIMIT,
            answer_seconds=self._seconds,
        )
        again = self._program is not None
        try:
            try:
                self._greet(hello)
            except Fault as fault:
                if not again or fault.kind != "crash":
                    raise
                self.close()  # it may end after a match
                self._greet(hello)
        except Fault as fault:
            self._fail(fault)

    def see(self, event: events.Event) -> None:
        self._auto.see(event)
        if self._program is not None:
            self._program.send(events.encode(event))

    def choose(self, prompt: Prompt) -> int:
        self._asked += 1
        if self._program is not None:
            try:
                return self._ask(self._program, prompt)
            except Fault as fault:
                self._fail(fault)
        return self._auto.choose(prompt)

    def close(self) -> None:
        """Ends the program and its children; it is run anew at the next ``start``."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def _greet(self, hello: Start) -> None:
        if self._program is None:
            self._program = Program(self.command)
        self._program.send(_ENCODER.encode(hello))
        reply = _decoded(self._program.line(self._start_seconds))
        if not isinstance(reply, Ready):
            raise Fault("nonsense", "an answer before any prompt; a start is answered by {'type':'ready'}")

    def _ask(self, program: Program, prompt: Prompt) -> int:
        program.send(
            _ENCODER.encode(
                Ask(
                    id=self._asked,
                    kind=prompt.kind,
                    tile=KIND_NAMES[prompt.tile] if prompt.tile >= 0 else None,
                    from_=prompt.source if prompt.source >= 0 else None,
                    actions=list(prompt.actions),
                )
            )
        )
        reply = _decoded(program.line(self._seconds))
        if not isinstance(reply, Answer):
            raise Fault("nonsense", "'ready' where an answer was awaited")
        if reply.id != self._asked:
            raise Fault("nonsense", f"an answer to prompt {reply.id}")
        if reply.action not in prompt.actions:
            raise Fault("nonsense", f"{_action(reply.action)}; legal are {list(prompt.actions)}")
        return reply.action

    def _fail(self, fault: Fault) -> None:
        self.verdict = Verdict(fault.kind, self._asked, fault.text)
        self.close()
        _LOG.warning("bot %s: %s; greedy plays on", shlex.join(self.command), self.verdict)


def _action(number: int) -> str:
    try:
        return f"action {number} ({actions.name_of(number)}) is not legal here"
    except ValueError as error:
        return str(error)


def _decoded(line: bytes) -> Reply:
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Fault("nonsense", f"{quoted(line)}: {error}") from error


def check(name: str) -> None:
    """Raises ``BotError`` for a malformed name, or one of a program that is not there."""
    _parsed(name)


def _parsed(name: str) -> tuple[list[str], float]:
    match = _NAME.fullmatch(name)
    try:
        command = shlex.split(match["command"]) if match else []
    except ValueError as error:
        raise BotError(f"bot {name!r}: {error} in the command") from error
    if match is None or not command:
        raise BotError(f"bot {name!r}: write it as exec:COMMAND or exec@SECONDS:COMMAND, such as exec:./bot.py")
    seconds = ANSWER_SECONDS if match["seconds"] is None else _seconds(name, match["seconds"])
    if shutil.which(command[0]) is None:
        raise BotError(f"bot {name!r}: no program {command[0]!r} that can be run; is it there, is it executable?")
    return command, seconds


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MOST_SECONDS:
        raise BotError(f"bot {name!r}: {text!r} is no time for an answer: give seconds up to {MOST_SECONDS:g}")
    return seconds
