"""JSON Lines from stdin to stdout: a request a line in, an answer a line out, in order."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from hongzhong.cli import CommandError
from hongzhong.rules import RuleError, sheet
from hongzhong.rules.variant import Sheet


class Answers(Protocol):
    """Answers lines, without their ends."""

    def answer(self, lines: Sequence[bytes]) -> list[bytes]: ...


def answer_stream(files: Sequence[str], make: Callable[[Mapping[str, Sheet]], Answers]) -> None:
    """Answers as the lines come: whatever has arrived is answered at once and flushed. ``files``: rule sets and sheets that the lines may
    name. Raises ``CommandError``."""
    try:
        sheets = {name: sheet(name) for name in files}
    except RuleError as error:
        raise CommandError(str(error)) from error
    answerer = make(sheets | {one.id: one for one in sheets.values()})
    rest = b""
    if sys.stdin is None:
        raise CommandError("stdin is closed: the requests come from there")
    stdin: Any = sys.stdin.buffer
    try:
        while block := stdin.read1(1 << 17):
            lines = (rest + block).split(b"\n")
            rest = lines.pop()
            _write(answerer.answer(lines))
        if rest:
            _write(answerer.answer([rest]))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone: nothing more to flush
        raise SystemExit(1) from None
    except OSError as error:
        raise CommandError(f"stdout: {error.strerror}; the answers so far are whole lines") from error


def _write(answers: list[bytes]) -> None:
    if answers:
        sys.stdout.buffer.write(b"\n".join(answers) + b"\n")
        sys.stdout.buffer.flush()
