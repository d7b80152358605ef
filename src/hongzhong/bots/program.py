"""A program spoken to line by line, with deadlines: what it does wrong becomes a ``Fault``, and nothing of it outlives us.

It gets a process group of its own, which is ended as a whole; Ctrl-C at our terminal does not reach it.
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from typing import Final, Literal

Kind = Literal["missing", "crash", "stall", "nonsense"]
MAX_LINE: Final = 4096
"""Bytes of a line that a program may send."""
_GRACE_SECONDS: Final = 0.5
_LOOK_SECONDS: Final = 0.2
_LAST_WORDS: Final = 2000
_MOST_SHOWN: Final = 400
_ESCAPES: Final = re.compile(
    r"\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)"  # titles, links and other strings to the terminal
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|\x1b[ -/]*[0-~]",
    re.DOTALL,
)


def plain(text: str) -> str:
    """Without what a terminal would obey instead of show."""
    return "".join(char if char.isprintable() else " " * char.isspace() for char in _ESCAPES.sub("", text))


def quoted(line: bytes, most: int = 80) -> str:
    """What a program said, to be shown: one short line."""
    text = plain(line.decode(errors="replace"))
    return f"'{text}'" if len(text) <= most else f"'{text[:most]}...'"


class Fault(Exception):  # noqa: N818 - the name says what happened
    """What a program did wrong, whatever it sent in one plain line."""

    def __init__(self, kind: Kind, text: str) -> None:
        text = plain(text)
        text = text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."
        super().__init__(text)
        self.kind: Final = kind
        self.text: Final = text


class Program:
    """A running program. Its standard error is kept for the verdict. Raises ``Fault`` if it cannot be run."""

    def __init__(self, command: Sequence[str]) -> None:
        if sys.platform == "win32":
            raise Fault("missing", "programs as bots need a POSIX system")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Fault("missing", f"cannot be run: {getattr(error, 'strerror', None) or error}") from error
        self.close = weakref.finalize(self, _end, self._process)
        """Ends the program and its children: half a second to leave by itself, then they are killed. Once is enough."""
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        self._stdin, self._stdout, self._stderr = (
            process.stdin.fileno(),
            process.stdout.fileno(),
            process.stderr.fileno(),
        )
        for handle in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(handle, False)
        self._errors_open = True
        self._unsent = bytearray()
        self._unread = bytearray()
        self._words = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Hands over a line as far as the program reads; the rest goes while ``line`` waits."""
        self._unsent += line + b"\n"
        self._push()

    def line(self, seconds: float) -> bytes:
        """The next line of the program. Raises ``Fault``: it stalls, has ended, or the line is too long."""
        deadline = time.monotonic() + seconds
        while True:
            end = self._unread.find(b"\n", 0, MAX_LINE + 1)
            if end >= 0:
                line = bytes(self._unread[:end])
                del self._unread[: end + 1]
                return line
            if len(self._unread) > MAX_LINE:
                raise Fault("nonsense", f"a line longer than {MAX_LINE} bytes: {quoted(bytes(self._unread))}")
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault("stall", f"no line within {seconds:g} s{self._last_words()}")
            self._wait(left)

    def _wait(self, seconds: float) -> None:
        poller = select.poll()
        poller.register(self._stdout, select.POLLIN)
        if self._errors_open:
            poller.register(self._stderr, select.POLLIN)
        if self._unsent:
            poller.register(self._stdin, select.POLLOUT)
        ready = poller.poll(math.ceil(1000 * min(seconds, _LOOK_SECONDS)))
        if not ready and self._process.poll() is not None:  # its output is open still, in the hands of a child
            raise Fault("crash", self._how_it_ended())
        for handle, _ in ready:
            if handle == self._stdin:
                self._push()
            elif handle == self._stderr:
                self._listen()
            else:
                data = os.read(self._stdout, 1 << 16)
                if not data:
                    raise Fault("crash", self._how_it_ended())
                self._unread += data

    def _push(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin, self._unsent)]
        except BlockingIOError:
            pass  # it does not read fast enough
        except BrokenPipeError:
            self._unsent.clear()  # it no longer listens: its silence or its end will tell

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._stderr, 1 << 16)
            self._errors_open = bool(data)
            self._words = (self._words + data)[-_LAST_WORDS:]

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return f"it closed its output{self._last_words()}"
        how = f"it ended with exit code {code}" if code >= 0 else f"it was ended by signal {-code}"
        return how + self._last_words()

    def _last_words(self) -> str:
        while self._errors_open:
            before = self._words
            self._listen()
            if self._words == before:
                break
        lines = [plain(line).strip() for line in re.split("[\r\n]+", self._words.decode(errors="replace"))]
        last = next((line for line in reversed(lines) if line), "")
        return f"; its last words: {last[:200]}" if last else ""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the whole group, also what a program that is gone left behind in it."""
    assert process.stdin and process.stdout and process.stderr
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    process.stderr.close()
