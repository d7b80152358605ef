"""The private journal of a match: from it a table goes on after a kill at any moment, with the same walls and answers.

JSON Lines: a header (rule set, options, players, secret), then a line for each answered action, on the disk before play goes
on. It holds the secret, so it is for the host's eyes alone until the match has ended.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from hongzhong import events, fair, rules
from hongzhong.match import Match, engine_version
from hongzhong.record import AppendFile
from hongzhong.round import IllegalAction
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet

JOURNAL_FORMAT: Final = 1


class JournalError(ValueError):
    """A journal that cannot be written or gone on from: names the file, the line and what is wrong."""


class Header(
    msgspec.Struct,
    tag_field="type",
    tag="journal",
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """``sheet``: a rule set's name or the path of its file; ``players`` and ``nonces`` in the order of joining; ``extra``: the host's own."""

    format: int
    engine: str
    sheet: str
    rules_revision: int
    options: dict[str, Any]
    players: list[str]
    secret: str
    committed: bool = False
    nonces: list[str] = []
    extra: dict[str, Any] = {}


class Answer(msgspec.Struct, tag_field="type", tag="answer", frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A seat's answer, a pass as well: a frozen action number."""

    seat: int
    action: int


class Aborted(msgspec.Struct, tag_field="type", tag="abort", frozen=True, forbid_unknown_fields=True):
    """The match was ended early."""


_DECODER: Final = msgspec.json.Decoder(Header | Answer | Aborted)
_ENCODER: Final = msgspec.json.Encoder()


class Journal:
    """An open journal and the match that it is of. ``step`` and ``abort`` go to the disk before they come back.

    A match is over for good; a journal of a match that is over can still be resumed, to look at its result.
    """

    def __init__(self, path: Path, header: Header, match: Match, file: AppendFile) -> None:
        self.path = path
        self.header = header
        self.match = match
        self._file = file

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        ruleset: RuleSet,
        players: Sequence[str],
        *,
        sheet: str | None = None,
        secret: bytes | None = None,
        nonces: Sequence[str] = (),
        committed: bool = False,
        extra: Mapping[str, Any] | None = None,
    ) -> Journal:
        """Begins a match and its journal in a new file. ``sheet``: the name or file that the rule set came from, else its id.
        Raises ``JournalError``; ``FairError`` for a bad secret or nonces."""
        secret = fair.new_secret() if secret is None else secret
        match = Match(ruleset, players, secret=secret, nonces=nonces, committed=committed)
        header = Header(
            format=JOURNAL_FORMAT,
            engine=engine_version(),
            sheet=sheet or ruleset.id,
            rules_revision=ruleset.sheet.revision,
            options=dict(ruleset.in_force()),
            players=list(players),
            secret=secret.hex(),
            committed=committed,
            nonces=list(nonces),
            extra=dict(extra or {}),
        )
        where = Path(path)
        try:
            where.parent.mkdir(parents=True, exist_ok=True)
            if where.is_file() and where.stat().st_size:
                raise JournalError(f"{where} holds a match already: resume it, or give another file")
        except OSError as error:
            raise _unwritable(where, error) from error
        journal = cls(where, header, match, _opened(where))
        try:
            journal._write(header)
        except JournalError:
            journal.close()
            raise
        return journal

    @classmethod
    def resume(cls, path: str | os.PathLike[str]) -> Journal:
        """Plays the match again up to where the journal ends; a last line cut off is dropped.

        Raises ``JournalError``, also where the journal is open already, here or in another process.
        """
        where = Path(path)
        try:
            where.stat()  # opening it to write would begin an empty one
            file = _opened(where)
            try:
                return cls._continued(where, file)
            except BaseException:
                file.close()
                raise
        except OSError as error:
            raise JournalError(f"cannot read the journal {where}: {error.strerror or error}") from error

    @classmethod
    def _continued(cls, where: Path, file: AppendFile) -> Journal:
        data = where.read_bytes()
        lines = data.split(b"\n")
        cut_off = lines.pop()
        if not lines:
            raise JournalError(f"{where}: line 1 is cut off or empty: no match can be resumed from it")
        header = read_header(where, lines[0])
        match = begin(where, header)
        for number, line in enumerate(lines[1:], 2):
            _apply(where, number, line, match)
        if cut_off:
            try:
                file.cut(len(data) - len(cut_off))
            except OSError as error:
                raise _unwritable(where, error) from error
        return cls(where, header, match, file)

    def step(self, seat: int, action: int) -> list[events.Event]:
        """Answers for a seat and writes the answer down. Raises ``IllegalAction`` (nothing is written), ``JournalError``."""
        new = self.match.step(seat, action)
        self._write(Answer(seat=seat, action=action))
        return new

    def abort(self) -> list[events.Event]:
        """Ends the match early, for good. Raises ``JournalError``."""
        if self.match.over:
            return []
        new = self.match.abort()
        self._write(Aborted())
        return new

    def close(self) -> None:
        self._file.close()

    def _write(self, entry: msgspec.Struct) -> None:
        try:
            self._file.append(_ENCODER.encode(entry) + b"\n", to_disk=True)
        except OSError as error:
            raise _unwritable(self.path, error) from error


def _opened(path: Path) -> AppendFile:
    """The file, kept from every other that would play the same match."""
    try:
        file = AppendFile(path)
        file.lock()
    except BlockingIOError as error:
        raise JournalError(f"this match is open at another table, leave that one first: {path}") from error
    except OSError as error:
        raise _unwritable(path, error) from error
    return file


def _unwritable(path: Path, error: OSError) -> JournalError:
    return JournalError(f"cannot write the journal {path}: {error.strerror or error}; what was written before stays")


def read_header(path: Path | str, line: bytes) -> Header:
    """The first line of a journal. Raises ``JournalError``."""
    try:
        header = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"{path}: line 1 heads no journal: {error}") from error
    if not isinstance(header, Header):
        raise JournalError(f"{path}: line 1 heads no journal: an answer stands where the header should")
    if header.format != JOURNAL_FORMAT:
        raise JournalError(
            f"{path}: line 1: journal format {header.format}; this engine goes on from format {JOURNAL_FORMAT}"
        )
    return header


def begin(path: Path | str, header: Header) -> Match:
    """The match at its start; ``path`` names the journal in what ``JournalError`` says."""
    try:
        ruleset = rules.load(header.sheet, header.options)
        if ruleset.sheet.revision != header.rules_revision:
            raise JournalError(
                f"{path}: line 1: begun under revision {header.rules_revision} of {ruleset.id}, which is now revision "
                f"{ruleset.sheet.revision}: finish it with version {header.engine}"
            )
        return Match(
            ruleset,
            header.players,
            secret=fair.parse_secret(header.secret),
            nonces=header.nonces,
            committed=header.committed,
        )
    except (RuleError, fair.FairError) as error:
        raise JournalError(f"{path}: line 1: {error}") from error


def _apply(path: Path, number: int, line: bytes, match: Match) -> None:
    try:
        entry = _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JournalError(f"{path}: line {number} is damaged: {error}") from error
    try:
        if isinstance(entry, Answer):
            match.step(entry.seat, entry.action)
        elif isinstance(entry, Aborted):
            match.abort()
        else:
            raise JournalError(f"{path}: line {number}: a second header; a journal is of one match")
    except IllegalAction as error:
        raise JournalError(f"{path}: line {number} does not follow: {error}") from error
