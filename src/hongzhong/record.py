"""Records: JSON Lines, one event a line, written as the match is played, and read back.

A file may hold several matches one after another. The format is in docs/contracts.md, its schema in docs/schemas/.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple

import msgspec

from hongzhong import events
from hongzhong.texts.records import Said, said
from hongzhong.tiles import KIND_OF, parse_mpsz


class RecordError(ValueError):
    """A record that cannot be written, read or followed. ``line`` counts from 1; 0 where no line is at fault. ``said``: why, ``told``: with
    the line, both in Chinese too."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.line = line
        self.said = message if isinstance(message, Said) else Said(message)

    @property
    def told(self) -> Said:
        return Said(str(self), f"第{self.line}行不成立：{self.said.zh}" if self.line else self.said.zh)


class Line(NamedTuple):
    """An event and the line that it stands on, from 1."""

    number: int
    event: events.Event


class AppendFile:
    """A file that only grows: what was appended stays, whatever fails later. All methods raise ``OSError``."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        self._broken = False

    def lock(self) -> None:
        """Keeps the file for this opening of it until it is closed. Raises ``BlockingIOError`` where another has it.

        Advisory; without effect on Windows and on file systems that know no such locks.
        """
        if sys.platform == "win32":
            return
        import fcntl

        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return

    def append(self, data: bytes, *, to_disk: bool = False) -> None:
        """Writes all of it, past every cache of the system if ``to_disk``. After a half-written batch nothing more is taken."""
        if self._broken:
            raise OSError(errno.EIO, "its last line is incomplete")
        self._broken = True
        left = memoryview(data)
        while left:
            left = left[os.write(self._handle, left) :]
        if to_disk and self.path.is_file():
            os.fsync(self._handle)
        self._broken = False

    def cut(self, size: int) -> None:
        """Drops what lies behind ``size`` bytes."""
        os.ftruncate(self._handle, size)

    def close(self) -> None:
        """Closes the file; once is enough."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def __del__(self) -> None:
        if hasattr(self, "_handle"):  # not where opening it failed
            self.close()


class RecordWriter:
    """Appends events to a file, a batch at a time. Raises ``RecordError`` naming the path; what was written before stays.

    A file that already holds something is only continued with ``resume``.
    """

    def __init__(self, path: str | os.PathLike[str], *, resume: bool = False) -> None:
        self.path = Path(path)
        self.written = 0
        if not resume and self.path.is_file() and self.path.stat().st_size:
            raise RecordError(f"{self.path} holds a record already: give another file name, or remove it first")
        try:
            self._file = AppendFile(self.path)
        except OSError as error:
            raise self._failed(error) from error

    @classmethod
    def resume(cls, path: str | os.PathLike[str], played: Sequence[events.Event]) -> RecordWriter:
        """Continues a record of these events so far: a line cut off is dropped, what is missing is added."""
        writer = cls(path, resume=True)
        try:
            data = writer.path.read_bytes()
            lines = data.split(b"\n")
            cut_off = lines.pop()
            if cut_off:
                writer._file.cut(len(data) - len(cut_off))
        except OSError as error:
            raise writer._failed(error) from error
        for number, (line, event) in enumerate(zip(lines, played, strict=False), 1):
            if line != events.encode(event):
                raise RecordError(f"{writer.path} is the record of another match: give another file name", number)
        if len(lines) > len(played):
            raise RecordError(f"{writer.path} goes on past the match that it shall continue", len(played) + 1)
        writer.written = len(lines)
        writer.write(played[len(lines) :])
        return writer

    def write(self, batch: Iterable[events.Event]) -> None:
        """Appends the events, with the system when it returns."""
        lines = [events.encode(event) + b"\n" for event in batch]
        try:
            self._file.append(b"".join(lines))
        except OSError as error:
            raise self._failed(error) from error
        self.written += len(lines)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failed(self, error: OSError) -> RecordError:
        kept = f"; its first {self.written} lines are written" if self.written else ""
        return RecordError(f"cannot write {self.path}: {error.strerror or error}{kept}")


def read(path: str | os.PathLike[str]) -> list[Line]:
    """All events of a file. Raises ``RecordError`` with the first line that is no event."""
    lines, fault = parsed(path)
    if fault is not None:
        raise fault
    return lines


def parsed(source: str | os.PathLike[str] | bytes) -> tuple[list[Line], RecordError | None]:
    """The readable lines of a file, or of its content, up to the first fault."""
    try:
        data = source if isinstance(source, bytes) else Path(source).read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {source!s}: {error.strerror or error}") from error
    lines: list[Line] = []
    if not data:
        return lines, RecordError(said("empty"), 1)
    raw = data.split(b"\n")
    rest = raw.pop()  # empty where the last line has its end
    for number, text in enumerate([*raw, rest] if rest else raw, 1):
        try:
            lines.append(Line(number, _event(text, number)))
        except RecordError as error:
            cut_off = number > len(raw) and "truncated" in str(error.__cause__)
            return lines, RecordError(said("cut_off"), number) if cut_off else error
    return lines, None


def _event(text: bytes, number: int) -> events.Event:
    try:
        event = events.decode(text)
        _check_shape(event)
        return event
    except msgspec.ValidationError as error:
        if number == 1:
            raise RecordError(said("no_record", why=str(error)), 1) from error
        raise RecordError(said("no_event", format=events.FORMAT, why=str(error)), number) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if not _is_text(text):
            raise RecordError(said("not_text"), number) from error
        why = Said("nested too deeply", "嵌套太深") if isinstance(error, RecursionError) else str(error)
        raise RecordError(said("no_json", why=why) if number == 1 else said("not_json", why=why), number) from error
    except ValueError as error:
        raise RecordError(error.args[0], number) from error


def _is_text(line: bytes) -> bool:
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"  # cut off within a character
    return not any(char < " " and char not in "\t\r" for char in text)


_SEATS: Final = ("seat", "from_", "dealer", "first_dealer", "next_dealer")
_TILES: Final = ("tile", "tiles", "with_", "wall")
_COUNTS: Final = {"tile": 1, "with_": 2}
_FOURS: Final = ("players", "scores", "deltas", "hands", "melds", "ranking")


@cache
def _checked(kind: type[events.Event], fields: tuple[str, ...]) -> list[str]:
    """Those of the fields that an event of the kind has."""
    return [field for field in fields if field in kind.__struct_fields__]


def _check_shape(event: events.Event) -> None:
    """Seats are seats, tiles are tiles, and what is told by seat is told of four. Raises ``ValueError``."""
    if isinstance(event, events.Match) and event.format != events.FORMAT:
        raise ValueError(said("format", format=event.format, ours=events.FORMAT))
    if isinstance(event, events.Match):
        for name, value in event.options.items():
            if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, list | dict) for v in value)):
                raise ValueError(said("option_nested", name=name))
    for field in _checked(type(event), _SEATS):
        seat = getattr(event, field)
        if isinstance(seat, int) and seat not in range(4):
            raise ValueError(said("seat", field=field.rstrip("_"), seat=seat))
    for field in _checked(type(event), _TILES):
        text = getattr(event, field)
        if isinstance(text, str) and not (field == "tile" and text in KIND_OF):
            kinds = parse_mpsz(text)
            if len(kinds) != _COUNTS.get(field, len(kinds)):
                wanted = _COUNTS[field]
                raise ValueError(said("tiles", field=field.rstrip("_"), text=text, n=len(kinds), wanted=wanted))
    for field in _checked(type(event), _FOURS):
        value = getattr(event, field)
        if isinstance(value, list) and len(value) != 4 and not (field == "melds" and isinstance(event, events.Win)):
            raise ValueError(said("fours", field=field, n=len(value)))
