"""The table when the disk is full, the journal is in use, the walls are committed to."""

from __future__ import annotations

import ast
import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot

from hongzhong import events, rules
from hongzhong.cli import play as play_command
from hongzhong.fair import commit
from hongzhong.record import AppendFile, read
from hongzhong.rules.vocabulary import CLAIMS
from hongzhong.terminal import session
from hongzhong.terminal.app import TableApp
from hongzhong.terminal.play import TableScreen
from hongzhong.terminal.results import MatchResult
from hongzhong.terminal.settings import unfinished
from hongzhong.terminal.windows import Help
from hongzhong.texts import terminal as texts
from tests.test_terminal import asked, at_table, lines_of, settings, table_of, until


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONGZHONG_DATA", str(tmp_path))


def fill_disk(file: AppendFile) -> None:
    """From now on nothing more can be written to the file."""
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, file._handle)
    os.close(full)


async def answer(app: TableApp, pilot: Pilot[int]) -> None:
    await asked(app, pilot)
    prompt = table_of(app).table.prompt
    assert prompt is not None
    await pilot.press("enter" if prompt.kind == "turn" else "space")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_record_that_fails_is_told_and_play_goes_on(lang: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    apps: list[TableApp] = []
    counts: list[int] = []

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await answer(app, pilot)
        await asked(app, pilot)
        one = table_of(app).session
        assert one.record is not None
        counts.append(one.record.written)
        fill_disk(one.record._file)
        await answer(app, pilot)
        await answer(app, pilot)
        await asked(app, pilot)
        await pilot.pause()
        told = lines_of(app)[-1]
        assert texts.say(lang, "record_failed", why=os.strerror(errno.ENOSPC)) in told.replace("…", "")
        assert len(one.match.events) > counts[0] + 2
        counts.append(len(one.match.events))
        apps.append(app)

    at_table(play, settings(lang=lang, rules="hebei", record=path))
    [problem] = apps[0].problems
    assert problem == f"cannot write {path}: No space left on device; its first {counts[0]} lines are written"
    assert len(read(path)) == counts[0]
    left = unfinished()
    assert left is not None
    resumed = session.resume(left.path)  # with room again the record catches up
    assert len(resumed.match.events) == counts[1] == len(read(path))
    assert not resumed.record_problem
    resumed.release()


def test_a_match_resumes_although_its_record_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    first = session.begin(settings(record=path), rules.load("hebei"), "hebei")
    first.release()
    path.write_text("something else\n")
    resumed = session.resume(first.journal.path)
    assert "record of another match" in resumed.record_problem
    assert path.read_text() == "something else\n"
    resumed.release()


def test_a_record_that_cannot_begin_leaves_no_match(tmp_path: Path) -> None:
    with pytest.raises(session.SessionError, match="/dev/full: No space left"):
        session.begin(settings(record=Path("/dev/full")), rules.load("hebei"), "hebei")
    assert unfinished() is None


def test_a_journal_that_fails_ends_the_table_cleanly(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    apps: list[TableApp] = []
    kept: list[bytes] = []

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await answer(app, pilot)
        await asked(app, pilot)
        one = table_of(app).session
        apps.append(app)
        kept.extend([one.journal.path.read_bytes(), path.read_bytes()])
        fill_disk(one.journal._file)
        await pilot.press("enter" if table_of(app).table.prompt.kind == "turn" else "space")  # type: ignore[union-attr]
        await until(pilot, lambda: app._exit)

    at_table(play, settings(lang="en", rules="hebei", record=path))
    app = apps[0]
    left = unfinished()
    assert left is not None
    assert app.return_code == 2
    assert app.problems == [
        f"The journal {left.path} cannot be written: No space left on device."
        " Free some space, then start again: what was saved is kept."
    ]
    assert [left.path.read_bytes(), path.read_bytes()] == kept
    resumed = session.resume(left.path)
    assert [line.event for line in read(path)] == resumed.match.events
    resumed.release()


def test_a_match_whose_last_answer_was_not_saved_is_offered_again() -> None:
    one = session.begin(settings(options={"hands": 1}), rules.load("hebei", {"hands": 1}), "hebei")
    failed = False
    while not failed:
        seat = one.match.asked()[0]
        size = len(one.journal.path.read_bytes())
        try:
            one.step(seat, one.match.legal(seat)[-1])
        except session.SessionError:
            failed = True
        if not failed and one.match.round.remaining < 2:
            fill_disk(one.journal._file)
    one.match.abort()
    one.close()
    left = unfinished()
    assert left is not None and left.path == one.journal.path
    assert len(left.path.read_bytes()) == size
    session.resume(left.path).release()


@pytest.mark.parametrize(
    ("problems", "code", "told", "exit_code"),
    [
        ([], None, "", 0),
        (["the record is lost"], 0, "hongzhong: the record is lost\n", 2),
        (["the journal is full"], 2, "hongzhong: the journal is full\n", 2),
    ],
)
def test_the_command_reports_what_was_not_written(
    problems: list[str], code: int | None, told: str, exit_code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(app: TableApp) -> None:
        app.problems = problems
        app._return_code = code

    monkeypatch.setattr(TableApp, "run", run)
    monkeypatch.setattr(play_command, "at_terminal", lambda: True)
    done = CliRunner().invoke(play_command.command, [])
    assert (done.stderr, done.exit_code, done.stdout) == (told, exit_code, "")


_HOLD = """
import sys
from hongzhong.journal import Journal
journal = Journal.resume(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


def test_two_processes_cannot_play_the_same_match() -> None:
    first = session.begin(settings(), rules.load("hebei"), "hebei")
    with pytest.raises(session.SessionError, match="open at another table") as caught:
        session.resume(first.journal.path)
    assert "\n" not in str(caught.value)
    first.release()

    async def second(app: TableApp, pilot: Pilot[int]) -> None:
        await until(pilot, lambda: "open at another table" in "".join(lines_of(app)))
        assert app.screen is app.start_screen

    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(first.journal.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        before = first.journal.path.read_bytes()

        async def start(app: TableApp, pilot: Pilot[int]) -> None:
            await pilot.press("r")
            await second(app, pilot)

        at_table(start, settings(lang="en"))
        holder.stdin.close()
    assert first.journal.path.read_bytes() == before
    session.resume(first.journal.path).release()


def test_the_commitment_is_shown_first_and_the_secret_last(tmp_path: Path) -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await asked(app, pilot)
        await pilot.pause()
        shown = table_of(app).session.commitment
        assert shown is not None and shown in lines_of(app)[-1]
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, Help))
        await pilot.pause()
        assert shown in "".join(lines_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await answer(app, pilot)
        await asked(app, pilot)
        await pilot.pause()
        assert shown not in lines_of(app)[-1] and "F1" in lines_of(app)[-1]
        while not isinstance(app.screen, MatchResult):
            await asked(app, pilot)
            if isinstance(app.screen, TableScreen):
                await answer(app, pilot)
        secret = table_of(app).table.match.events[-1].secret  # type: ignore[attr-defined]
        notes = app.screen.notes
        assert any(shown in note for note in notes) and any(secret in note for note in notes)
        assert commit(bytes.fromhex(secret)) == shown
        await pilot.pause()
        text = "".join(part.strip() for line in lines_of(app) for part in [line[8:72]])
        assert secret[:40] in text and secret[-20:] in text

    at_table(play, settings(lang="en", rules="hebei", options={"hands": 1}, fair=True, seed=None))


_CRASH = """
import os, sys
from pathlib import Path
from hongzhong import rules
from hongzhong.terminal import session
from hongzhong.terminal.settings import Settings
s = session.begin(Settings(lang="en", seed=7), rules.load("qiqihar"), "qiqihar")
answered = 0
while True:
    while s.table.advance() is not None:
        pass
    if (question := s.table.question()) is not None:
        s.table.bot_answers(question, s.table.bots[question.seat].choose(question.prompt))
        continue
    prompt = s.table.prompt
    s.table.answer(prompt.actions[0])
    answered += 1
    if answered == 9:
        print(len(s.match.events), flush=True)
        os.kill(os.getpid(), 9)
"""


def test_a_killed_match_goes_on_where_it_was() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _CRASH], capture_output=True, text=True, env=dict(os.environ), timeout=300
    )
    assert done.returncode == -9, done.stderr
    left = unfinished()
    assert left is not None
    resumed = session.resume(left.path)
    assert len(resumed.match.events) == int(done.stdout)
    assert not resumed.table.incoming
    assert resumed.table.view == resumed.match.round.view(resumed.table.seat)
    resumed.close()


def test_a_record_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text("something\n")
    with pytest.raises(session.SessionError, match="holds a record already"):
        session.begin(settings(record=path), rules.load("hebei"), "hebei")
    assert path.read_text() == "something\n"
    assert unfinished() is None


def test_a_journal_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("HONGZHONG_DATA", str(blocked))
    with pytest.raises(session.SessionError, match="cannot write the journal"):
        session.begin(settings(), rules.load("hebei"), "hebei")


# the texts

_PACKAGE = Path(texts.__file__).parent.parent


def _said() -> tuple[set[str], set[str]]:
    """Text ids that the code gives to ``say``, and the prefixes of those that it composes."""
    said, composed = set(), set()
    for path in [*(_PACKAGE / "terminal").glob("*.py"), Path(texts.__file__)]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                {getattr(node.func, "id", ""), getattr(node.func, "attr", "")} if isinstance(node, ast.Call) else set()
            )
            if isinstance(node, ast.Call) and names & {"say", "_complain"}:
                for part in (part for argument in node.args for part in ast.walk(argument)):
                    if isinstance(part, ast.JoinedStr):
                        composed.add(str(part.values[0].value))  # type: ignore[attr-defined]
                    elif isinstance(part, ast.Constant):
                        said.add(str(part.value))
            elif isinstance(node, ast.For) and isinstance(node.iter, ast.Tuple):
                said |= {str(part.value) for part in node.iter.elts if isinstance(part, ast.Constant)}
    return said, composed


def _literals(kind: type[events.Event] | type[events.Pattern], field: str) -> tuple[str, ...]:
    return get_args(get_type_hints(kind)[field])


def test_every_text_is_shown_and_every_shown_text_is_there() -> None:
    said, composed = _said()
    forms = {form.id for name in rules.names() for form in rules.sheet(name).forms}
    values = {
        "won_by_": _literals(events.Win, "by"),
        "end_": _literals(events.End, "reason"),
        "pay_": _literals(events.Pay, "for_"),
        "kind_": _literals(events.Pattern, "kind"),
        "claim_": CLAIMS,
        "form_": forms,
    }
    assert composed == set(values)
    shown = {prefix + value for prefix, some in values.items() for value in some}
    assert shown <= set(texts.TEXTS)
    assert set(texts.TEXTS) - said - shown == set()
