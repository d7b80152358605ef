"""The file of an arena: JSON Lines, its settings, then a line for each finished deal in the order of finishing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import msgspec

from hongzhong.arena.deals import ArenaError, Deal
from hongzhong.record import AppendFile

FORMAT: Final = 1


class Settings(
    msgspec.Struct, tag_field="type", tag="arena", frozen=True, kw_only=True, forbid_unknown_fields=True
):  # fmt: skip
    """What the deals depend on; a file is only gone on with by the same. How many are played, and by how many processes, is none of it."""

    format: int = FORMAT
    engine: str
    rules: str
    rules_revision: int
    options: dict[str, Any]
    bots: list[str]
    seed: int


_DECODER: Final = msgspec.json.Decoder(Settings | Deal)
_ENCODER: Final = msgspec.json.Encoder()


class Store:
    """An open file of deals. ``deals``: by number, those it held."""

    def __init__(self, path: str | os.PathLike[str], settings: Settings, *, resume: bool) -> None:
        """Begins a file, or with ``resume`` goes on with one that is there. Raises ``ArenaError``."""
        self.path = Path(path)
        self.deals: dict[int, Deal] = {}
        try:
            held = self.path.read_bytes() if self.path.exists() else b""
            if held and not resume:
                raise ArenaError(f"{self.path} holds something already: go on with --resume, or give another file")
            self._file = AppendFile(self.path)
            try:
                self._file.lock()
                self._take_over(held, settings)
            except BaseException:
                self._file.close()
                raise
        except BlockingIOError as error:
            raise ArenaError(f"{self.path} is in use by another arena") from error
        except OSError as error:
            raise self._failed(error) from error

    def add(self, deal: Deal) -> None:
        """Writes a finished deal down. Raises ``ArenaError``."""
        self._write(deal)
        self.deals[deal.number] = deal

    def close(self) -> None:
        self._file.close()

    def _take_over(self, held: bytes, settings: Settings) -> None:
        lines = held.split(b"\n")
        torn = lines.pop()
        entries = [self._entry(number, line) for number, line in enumerate(lines, 1)]
        if entries:
            _same(self.path, entries[0], settings)
        for number, entry in enumerate(entries[1:], 2):
            if not isinstance(entry, Deal):
                raise ArenaError(f"{self.path}: line {number}: a second heading; a file is of one arena")
            self.deals[entry.number] = entry
        if torn:
            if not entries and not settings_like(torn):
                raise ArenaError(f"{self.path} is no file of an arena: give another file")
            self._file.cut(len(held) - len(torn))
        if not entries:
            self._write(settings)

    def _entry(self, number: int, line: bytes) -> Settings | Deal:
        try:
            return _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            what = "heads no arena" if number == 1 else "is damaged"
            raise ArenaError(f"{self.path}: line {number} {what}: {error}") from error

    def _write(self, entry: Settings | Deal) -> None:
        try:
            self._file.append(_ENCODER.encode(entry) + b"\n")
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> ArenaError:
        kept = f"; its {len(self.deals)} finished deals are kept" if self.deals else ""
        return ArenaError(f"cannot use {self.path}: {error.strerror or error}{kept}")


def settings_like(line: bytes) -> bool:
    """Whether a torn line began as the heading of an arena."""
    head = b'{"type":"arena"'
    return line.startswith(head) or head.startswith(line)


def _same(path: Path, entry: Settings | Deal, settings: Settings) -> None:
    if not isinstance(entry, Settings):
        raise ArenaError(f"{path}: line 1 heads no arena: a deal stands where the settings should")
    # through JSON, which has no tuples
    wanted, held = (msgspec.json.decode(_ENCODER.encode(each)) for each in (settings, entry))
    for name in wanted:
        if wanted[name] != held.get(name):
            was, now = held.get(name), wanted[name]
            if name == "options":
                differs = sorted(key for key in {*was, *now} if was.get(key) != now.get(key))
                name, was, now = differs[0], was.get(differs[0]), now.get(differs[0])
            raise ArenaError(f"{path} is of another arena: {name} was {was!r} and is now {now!r}; give another file")
