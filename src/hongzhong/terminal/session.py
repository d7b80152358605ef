"""A match at the terminal: its journal, its public record, its bots. Loads the engine."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from hongzhong import bots, events
from hongzhong.fair import FairError, secret_of_seed
from hongzhong.journal import Journal, JournalError
from hongzhong.record import RecordError, RecordWriter
from hongzhong.rules.variant import RuleSet
from hongzhong.terminal.chair import Chair
from hongzhong.terminal.settings import SUFFIX, Settings, games_folder
from hongzhong.texts.terminal import say


class SessionError(ValueError):
    """A match that cannot begin or go on: one line for the player."""


class Session:
    """Writes each answer to the journal, then what followed to the record, before anything is shown."""

    def __init__(self, journal: Journal, record: Path | None, *, resumed: bool) -> None:
        self.journal = journal
        self.match = journal.match
        self.resumed = resumed
        self.record_path = record
        self.record_problem = ""
        self.record_failure = ""
        self.journal_failure = ""
        self.fault = ""
        self.record: RecordWriter | None = None
        if record is not None:
            try:
                self.record = RecordWriter.resume(record, self.match.events) if resumed else RecordWriter(record)
                if not resumed:
                    self.record.write(self.match.events)
            except RecordError as error:
                if not resumed:
                    raise SessionError(str(error)) from error
                self._give_up_record(error)  # the match matters more than its record
        extra = journal.header.extra
        joined = int(extra.get("seat", 0))
        seat = self.match.seat_of(joined)
        others = [place for place in range(4) if place != joined]
        players = {
            self.match.seat_of(place): bots.make(name, seed)
            for seed, (place, name) in enumerate(zip(others, extra.get("bots", ["greedy"] * 3), strict=True))
        }
        self.table = Chair(self.match, seat, players, self.step)

    def step(self, seat: int, action: int) -> list[events.Event]:
        """Raises ``SessionError`` when the journal cannot be written; a record that cannot be is given up and told of."""
        try:
            happened = self.journal.step(seat, action)
        except JournalError as error:
            self.journal_failure = _why(error)
            raise SessionError(str(error)) from error
        if self.record is not None:
            try:
                self.record.write(happened)
            except RecordError as error:
                self._give_up_record(error)
        return happened

    def _give_up_record(self, error: RecordError) -> None:
        self.record_problem, self.record_failure = str(error), _why(error)
        if self.record is not None:
            self.record.close()
            self.record = None

    @property
    def commitment(self) -> str | None:
        """The commitment to the walls of a fair match."""
        first = self.match.events[0]
        return first.commitment if isinstance(first, events.Match) else None

    def problems(self, lang: str) -> list[str]:
        """What the command line should report once the table is closed, a line each; empty if all was written."""
        out = [self.record_problem] if self.record_problem else []
        if self.journal_failure:
            out.append(say(lang, "journal_failed", path=self.journal.path, why=self.journal_failure))
        elif self.fault:
            out.append(self.fault)
        return out

    def notes(self, lang: str) -> list[str]:
        """What a player should know once the match is over."""
        notes = []
        if self.record_problem:
            notes.append(self.record_problem)
        elif self.record_path is not None:
            notes.append(say(lang, "recorded", path=self.record_path))
        last = self.match.events[-1]
        if isinstance(last, events.Result) and last.secret is not None:
            notes.append(say(lang, "commitment", commitment=self.commitment))
            notes.append(say(lang, "secret", secret=last.secret))
        return notes

    def release(self) -> None:
        """Closes the files; the match can be resumed."""
        self.journal.close()
        if self.record is not None:
            self.record.close()

    def close(self) -> None:
        """Closes the files; the journal of a finished match is put aside, so that it is not offered again."""
        self.release()
        if self.match.over and not self.journal_failure:  # else its last answer is not on the disk
            done = self.journal.path.with_suffix(".finished")
            with contextlib.suppress(OSError):  # then it is offered again and shows its result
                os.replace(self.journal.path, done)


def _why(error: JournalError | RecordError) -> str:
    """The system's words for what went wrong, without the path."""
    cause = error.__cause__
    return (cause.strerror if isinstance(cause, OSError) else None) or str(error)


def begin(settings: Settings, rules: RuleSet, sheet: str) -> Session:
    """A new match. Raises ``SessionError``."""
    names = say(settings.lang, "bot_names").split(",")
    names.insert(settings.seat, settings.name or say(settings.lang, "default_name"))
    if settings.record is not None and settings.record.is_file() and settings.record.stat().st_size:
        raise SessionError(f"{settings.record} holds a record already: give another file name, or remove it first")
    path = games_folder() / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{time.monotonic_ns() % 10**6:06d}{SUFFIX}"
    extra = {
        "seat": settings.seat,
        "bots": list(settings.bots),
        "record": None if settings.record is None else str(settings.record.absolute()),
    }
    try:
        journal = Journal.create(
            path,
            rules,
            names,
            sheet=str(Path(sheet).absolute()) if sheet.endswith(".py") else sheet,
            secret=None if settings.seed is None else secret_of_seed(settings.seed),
            committed=settings.fair,
            extra=extra,
        )
    except (JournalError, FairError) as error:
        raise SessionError(str(error)) from error
    try:
        return Session(journal, settings.record, resumed=False)
    except SessionError:
        journal.close()
        path.unlink(missing_ok=True)  # nothing was played
        raise


def resume(path: Path) -> Session:
    """A match that was left. Raises ``SessionError``."""
    try:
        journal = Journal.resume(path)
    except JournalError as error:
        raise SessionError(str(error)) from error
    record = journal.header.extra.get("record")
    session = Session(journal, None if record is None else Path(record), resumed=True)
    table = session.table
    while len(table.incoming) > session.match.over:  # the result of a finished match is still to be shown
        table.advance()
    return session
