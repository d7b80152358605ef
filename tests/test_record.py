"""Records and journals: written as played, followed line by line, resumed after a kill."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hongzhong import events, rules
from hongzhong.actions import PASS
from hongzhong.cli import main
from hongzhong.cli.replay import command as replay_command
from hongzhong.journal import Journal, JournalError
from hongzhong.match import Match
from hongzhong.record import RecordError, RecordWriter, read
from hongzhong.texts.replay import describe
from hongzhong.tiles import KIND_NAMES, format_mpsz, parse_mpsz
from hongzhong.verification import Verdict, replay, verify
from tests.playing import PLAYERS, by_chance, play_on, played

RECORDS = Path(__file__).parent / "records"
RED_DRAGON = Path(__file__).parent / "sheets" / "red_dragon.py"


def written(match: Match, path: Path) -> Path:
    with RecordWriter(path) as writer:
        writer.write(match.events)
    return path


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = played("inner_mongolia", {"hands": 2}, seed=3, committed=True, nonces=["a", "b", "", "d"])
    return written(match, tmp_path_factory.mktemp("good") / "good.jsonl")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def changed(path: Path, tmp_path: Path, change: Callable[[list[dict[str, Any]]], Any]) -> Verdict:
    lines = lines_of(path)
    change(lines)
    out = tmp_path / "changed.jsonl"
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return verify(out)


def first(lines: list[dict[str, Any]], kind: str, after: int = 0) -> int:
    return next(i for i, line in enumerate(lines) if line["type"] == kind and i >= after)


@pytest.mark.parametrize("name", rules.names())
def test_play_is_verified(name: str, tmp_path: Path) -> None:
    match = played(name, {"hands": 3}, seed=21)
    path = written(match, tmp_path / "a.jsonl")
    verdict = verify(path)
    assert verdict.ok, verdict.message
    assert (verdict.hands, verdict.matches, verdict.lines) == (3, 1, len(match.events))
    assert [position.event for position in replay(path)] == match.events == [line.event for line in read(path)]


def test_a_file_may_hold_several_matches(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    with RecordWriter(path) as writer:
        for seed in (1, 2):
            writer.write(played("qiqihar", {"hands": 1}, seed=seed).events)
    verdict = verify(path)
    assert verdict.ok and verdict.matches == 2


def test_display_text_does_not_count(good: Path, tmp_path: Path) -> None:
    def rename(lines: list[dict[str, Any]]) -> None:
        lines[0]["engine"] = "9.9"
        for line in lines:
            for row in line.get("patterns", ()):
                row["name"] = "something else"

    verdict = changed(good, tmp_path, rename)
    assert verdict.ok, verdict.message


def edit(kind: str, **fields: Any) -> Callable[[list[dict[str, Any]]], int]:
    def change(lines: list[dict[str, Any]]) -> int:
        at = first(lines, kind)
        lines[at] |= fields
        return at

    return change


def swap_a_draw(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "draw", 20)
    lines[at]["tile"] = "1m" if lines[at]["tile"] != "1m" else "2m"
    return at


def swap_lines(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "discard", 20)
    lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return at


def drop_a_line(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "draw", 20)
    del lines[at]
    return at


def drop_an_end(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "end")
    del lines[at]
    return at


def swap_in_the_wall(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "hand", 9)
    wall = parse_mpsz(lines[at]["wall"])
    other = next(i for i in range(100, 135) if wall[i] != wall[99])
    wall[99], wall[other] = wall[other], wall[99]
    lines[at]["wall"] = format_mpsz(wall)
    return at


def shorten_the_wall(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "hand")
    lines[at]["wall"] = format_mpsz(parse_mpsz(lines[at]["wall"])[1:])
    return at


def discard_what_is_not_held(lines: list[dict[str, Any]]) -> int:
    dealt = next(line for line in lines if line["type"] == "deal")
    at = first(lines, "discard")
    held = {KIND_NAMES[kind] for kind in parse_mpsz(dealt["tiles"])} | {lines[first(lines, "draw")]["tile"]}
    lines[at]["tile"] = next(name for name in KIND_NAMES if name not in held)
    return at


def repeat_a_line(lines: list[dict[str, Any]]) -> int:
    at = first(lines, "draw", 20)
    lines.insert(at, lines[at])
    return at + 1


def go_on_after_the_result(lines: list[dict[str, Any]]) -> int:
    lines.append(lines[5])
    return len(lines) - 1


def forget_an_option(lines: list[dict[str, Any]]) -> int:
    lines[0]["options"]["no_such_option"] = 1
    return 0


CHANGES: dict[str, tuple[Callable[[list[dict[str, Any]]], int], str]] = {
    "draw": (swap_a_draw, "should be"),
    "reordered": (swap_lines, "follow"),
    "a draw left out": (drop_a_line, "should be|follow"),
    "an end left out": (drop_an_end, "should be|follow"),
    "repeated": (repeat_a_line, "should be|follow"),
    "scores of an end": (edit("end", scores=[1, -1, 0, 0]), "scores is"),
    "next dealer": (edit("end", next_dealer=9), "no seat"),
    "payments": (edit("pay", deltas=[9, -9, 0, 0]), "deltas is"),
    "points": (edit("win", points=99), "points is 99 and should be"),
    "patterns": (edit("win", patterns=[]), "patterns is"),
    "totals": (edit("hand", scores=[5, 0, 0, 0]), "scores is"),
    "dealt tiles": (edit("deal", tiles="1111222233334m"), "tiles is"),
    "ranking": (edit("result", ranking=[3, 3, 3, 3]), "ranking is"),
    "another secret": (edit("result", secret="ab" * 32), "commitment"),
    "no secret": (edit("result", secret=None), "secret"),
    "a secret that is none": (edit("result", secret="xyz"), "64 lower-case hex digits"),
    "another commitment": (edit("match", commitment="sha256:" + "0" * 64), "commitment"),
    "a commitment that is none": (edit("match", commitment="md5:1"), "commitment"),
    "a nonce": (edit("match", nonces=["a", "b", "c", "d"]), "do not follow from the secret"),
    "two nonces": (edit("match", nonces=["a", "b"]), "nonces"),
    "first dealer": (edit("match", dealer_throws=[[1, 1]] * 4), "do not follow from the secret"),
    "wall": (swap_in_the_wall, "do not follow from the secret"),
    "short wall": (shorten_the_wall, "does not hold the 136 tiles"),
    "dice": (edit("hand", dice=[[1, 1], [1, 1]]), "do not follow|no dice"),
    "a tile not held": (discard_what_is_not_held, "may discard"),
    "after the result": (go_on_after_the_result, "only another match"),
    "unknown option": (forget_an_option, "unknown option"),
    "rule set": (edit("match", rules="sichuan"), "unknown rule set"),
    "format": (edit("match", format=2), "format 2"),
    "unknown field": (edit("draw", colour="red"), "unknown field"),
    "three seats": (edit("result", scores=[1, 2, 3]), "four seats"),
    "no such tile": (edit("draw", tile="8z"), "unknown tile"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_the_first_line_that_does_not_follow(case: str, good: Path, tmp_path: Path) -> None:
    change, words = CHANGES[case]
    at: list[int] = []
    verdict = changed(good, tmp_path, lambda lines: at.append(change(lines)))
    assert not verdict.ok and "\n" not in verdict.message
    assert re.search(words, verdict.message), verdict.message
    if case == "another commitment":  # which of the two was edited cannot be told: the secret comes last
        assert verdict.line == len(lines_of(good))
    elif case == "a nonce":
        assert verdict.line in (1, 2)
    else:
        assert verdict.line == at[0] + 1, verdict.message


def test_seats_and_throws_fit_each_other(tmp_path: Path) -> None:
    path = written(played("hebei", {"hands": 1}, seed=8), tmp_path / "hebei.jsonl")
    cases: list[tuple[Callable[[list[dict[str, Any]]], int], str]] = [
        (edit("match", dealer_throws=[[6, 6], [6, 6], [1, 1], [1, 1]]), "to throw"),
        (edit("match", dealer_throws=None), "first dealer by winds"),
        (edit("match", seat_draw=[0, 0, 1, 2]), "no draw of the four winds"),
        (edit("match", seat_draw=None), "first dealer by winds"),
        (edit("hand", dice=[[1, 2]]), "two throws"),
        (edit("hand", **{"break": 40}), "not the sum of the dice"),
    ]
    for change, words in cases:
        at: list[int] = []
        verdict = changed(path, tmp_path, lambda lines, change=change, at=at: at.append(change(lines)))  # type: ignore[misc]
        assert not verdict.ok and words in verdict.message, verdict.message
        assert verdict.line == at[0] + 1


@pytest.mark.parametrize("keep", [0, 1, 2, 7, 40])
def test_truncated_after_a_line(keep: int, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_bytes(b"".join(good.read_bytes().splitlines(keepends=True)[:keep]))
    verdict = verify(path)
    assert not verdict.ok and verdict.line == keep + 1
    assert "empty" in verdict.message if keep == 0 else "ends without its result" in verdict.message


def test_truncated_within_a_line(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    lines = good.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:30]) + lines[30][:12])
    verdict = verify(path)
    assert not verdict.ok and verdict.line == 31 and "truncated" in verdict.message
    path.write_bytes(b"".join(lines[:3]) + lines[3][:12])
    assert verify(path).line == 4


def test_the_earlier_fault_is_the_first(good: Path, tmp_path: Path) -> None:
    lines = lines_of(good)
    at = swap_a_draw(lines)
    text = [json.dumps(line) for line in lines]
    text[at + 20] = "{"
    path = tmp_path / "two_faults.jsonl"
    path.write_text("\n".join(text) + "\n")
    assert verify(path).line == at + 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not text"),
        (b"hello\n", "no Hongzhong record"),
        (b'{"type":"start_game","names":["a","b","c","d"]}\n', "no Hongzhong record"),
        (b'{"type":"draw","seat":0,"tile":"1m","from":"wall"}\n', "begins with a match event"),
        (b"[]\n", "no Hongzhong record"),
    ],
)
def test_foreign_files(data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(data)
    verdict = verify(path)
    assert not verdict.ok and verdict.line == 1 and words in verdict.message


def test_a_changed_revision_is_said(good: Path, tmp_path: Path) -> None:
    verdict = changed(good, tmp_path, edit("match", rules_revision=0))
    assert verdict.ok and len(verdict.notes) == 1
    assert "revision 0 of inner_mongolia" in verdict.notes[0]


def test_an_aborted_match_is_verified(tmp_path: Path) -> None:
    for seed in range(4):
        options = {"kong_points": [1, 1, 2], "hands": 5}
        match = Match(rules.load("qiqihar", options), PLAYERS, seed=seed, committed=True)
        play_on(match, by_chance(seed), 60 * seed)
        match.abort()
        verdict = verify(written(match, tmp_path / f"{seed}.jsonl"))
        assert verdict.ok, verdict.message


def test_the_sheet_given_is_not_the_records(good: Path) -> None:
    names = {event.rules for _, event in read(good) if isinstance(event, events.Match)}
    other = next(name for name in rules.names() if name not in names)
    verdict = verify(good, rules.sheet(other))
    assert not verdict.ok and verdict.line == 1
    assert f"a record of {names.pop()}, but the sheet given is {other}" in verdict.message


def test_a_sheet_from_outside(tmp_path: Path) -> None:
    path = written(played(str(RED_DRAGON), {"hands": 2}, seed=3), tmp_path / "red.jsonl")
    assert verify(path, rules.sheet(str(RED_DRAGON))).ok
    verdict = verify(path)
    assert not verdict.ok and "unknown rule set 'red_dragon'" in verdict.message
    assert "is qiqihar" in verify(path, rules.sheet("qiqihar")).message
    runner = CliRunner()
    assert runner.invoke(main, ["verify", "--rules", str(RED_DRAGON), str(path)]).exit_code == 0


# writing


def test_each_batch_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl"
    match = Match(rules.load("qiqihar", {"hands": 1}), PLAYERS, seed=2)
    with RecordWriter(path) as writer:
        writer.write(match.events)
        choose = by_chance(2)
        while match.asked():
            assert [line.event for line in read(path)] == match.events
            seat = match.asked()[0]
            writer.write(match.step(seat, choose(seat, match.legal(seat))))
    assert verify(path).ok


def test_a_full_disk_is_one_clear_error() -> None:
    match = Match(rules.load("qiqihar"), PLAYERS, seed=2)
    writer = RecordWriter("/dev/full")
    with pytest.raises(RecordError, match="cannot write /dev/full: No space left on device"):
        writer.write(match.events)
    with pytest.raises(RecordError, match="/dev/full"):
        writer.write(match.events)
    writer.close()
    with pytest.raises(JournalError, match="/dev/full: No space left"):
        Journal.create("/dev/full", match.rules, PLAYERS)


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="Is a directory"):
        RecordWriter(tmp_path)
    with pytest.raises(RecordError, match="No such file or directory"):
        RecordWriter(tmp_path / "none" / "a.jsonl")
    with pytest.raises(JournalError, match="Is a directory"):
        Journal.create(tmp_path, rules.load("qiqihar"), PLAYERS)
    file = tmp_path / "file"
    file.write_text("something")
    with pytest.raises(JournalError, match=r"Not a directory|File exists"):
        Journal.create(file / "deeper" / "j", rules.load("qiqihar"), PLAYERS)
    with pytest.raises(RecordError, match="holds a record already"):
        RecordWriter(file)
    assert file.read_text() == "something"


def test_what_was_written_stays_when_the_disk_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = played("qiqihar", {"hands": 1})
    path = tmp_path / "a.jsonl"
    writer = RecordWriter(path)
    writer.write(match.events[:20])
    really = os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) <= 10:
            raise OSError(28, "No space left on device")
        return really(handle, bytes(data[: len(data) - 10]))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(RecordError, match="its first 20 lines are written"):
        writer.write(match.events[20:22])
    monkeypatch.undo()
    with pytest.raises(RecordError, match="incomplete"):  # never a half line in the middle
        writer.write(match.events[22:])
    writer.close()
    verdict = verify(path)
    assert not verdict.ok and verdict.lines >= 20 and "truncated" in verdict.message
    with RecordWriter.resume(path, match.events):
        pass
    assert verify(path).ok and [line.event for line in read(path)] == match.events


def test_a_record_is_resumed_only_for_its_own_match(tmp_path: Path) -> None:
    path = written(played("qiqihar", {"hands": 1}, seed=1), tmp_path / "a.jsonl")
    before = path.read_bytes()
    with pytest.raises(RecordError, match="another match"):
        RecordWriter.resume(path, played("qiqihar", {"hands": 1}, seed=2).events)
    with pytest.raises(RecordError, match="goes on past"):
        RecordWriter.resume(path, played("qiqihar", {"hands": 1}, seed=1).events[:10])
    assert path.read_bytes() == before


# journals


def journaled(path: Path, moves: int, name: str = "hebei") -> Journal:
    journal = Journal.create(
        path, rules.load(name, {"hands": 2}), PLAYERS, secret=b"s" * 32, extra={"bots": ["greedy"]}
    )
    choose = by_chance(9)
    for _ in range(moves):
        seat = journal.match.asked()[0]
        journal.step(seat, choose(seat, journal.match.legal(seat)))
    return journal


@pytest.mark.parametrize("name", rules.names())
def test_a_journal_resumes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.journal"
    journal = journaled(path, 90, name)
    journal.close()
    again = Journal.resume(path)
    assert again.match.events == journal.match.events and again.match.asked() == journal.match.asked()
    assert again.header.extra == {"bots": ["greedy"]}
    seat = again.match.asked()[0]
    again.step(seat, again.match.legal(seat)[0])
    again.abort()
    again.close()
    assert Journal.resume(path).match.events == again.match.events and again.match.over


def test_a_journal_cut_anywhere_keeps_what_was_complete(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journaled(path, 12).close()
    data = path.read_bytes()
    head = data.index(b"\n") + 1
    for size in range(head, len(data) + 1, 7):
        path.write_bytes(data[:size])
        journal = Journal.resume(path)
        assert path.read_bytes() == data[: data.rindex(b"\n", 0, size) + 1]
        seat = journal.match.asked()[0]
        journal.step(seat, journal.match.legal(seat)[0])
        journal.close()
        assert Journal.resume(path).match.events == journal.match.events


def test_damaged_journals(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    journaled(path, 12).close()
    lines = path.read_bytes().splitlines(keepends=True)

    def refused(words: str, *parts: bytes) -> None:
        path.write_bytes(b"".join(parts))
        with pytest.raises(JournalError, match=words) as caught:
            Journal.resume(path)
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)

    refused("line 5 is damaged", *lines[:4], b'{"type":"ans\n', *lines[5:])
    refused("line 5 does not follow", *lines[:4], b'{"type":"answer","seat":0,"action":143}\n', *lines[5:])
    refused("line 3: a second header", *lines[:2], lines[0], *lines[2:])
    refused("line 1 heads no journal", *lines[1:])
    refused("line 1 is cut off", lines[0][:30])
    refused("line 1 is cut off or empty")
    refused("format 9", lines[0].replace(b'"format":1', b'"format":9'), *lines[1:])
    refused("revision 7", lines[0].replace(b'"rules_revision":1', b'"rules_revision":7'), *lines[1:])
    refused("unknown rule set", lines[0].replace(b'"sheet":"hebei"', b'"sheet":"sichuan"'), *lines[1:])
    with pytest.raises(JournalError, match="No such file"):
        Journal.resume(tmp_path / "none")
    with pytest.raises(JournalError, match="holds a match already"):
        Journal.create(path, rules.load("qiqihar"), PLAYERS)


KILLED = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from tests.playing import by_chance, PLAYERS
from hongzhong import rules
from hongzhong.journal import Journal
journal = Journal.create({path!r}, rules.load("qiqihar"), PLAYERS, secret=b"k" * 32)
choose = by_chance(3)
for move in range(10_000):
    seat = journal.match.asked()[0]
    journal.step(seat, choose(seat, journal.match.legal(seat)))
    print(move, flush=True)
"""


def test_a_killed_process_loses_no_answer(tmp_path: Path) -> None:
    path = tmp_path / "killed.journal"
    root = str(Path(__file__).parent.parent)
    code = KILLED.format(root=root, path=str(path))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 40:
                process.send_signal(signal.SIGKILL)
                break
        process.stdout.close()
    journal = Journal.resume(path)
    assert path.read_bytes().count(b"\n") >= 42  # the header and 41 answers that were told of
    choose = by_chance(3)
    again = Match(rules.load("qiqihar"), PLAYERS, secret=b"k" * 32)
    while len(again.events) < len(journal.match.events):
        play_on(again, choose, 1)
    assert again.events[: len(journal.match.events)] == journal.match.events


# the command line


def test_verify_command(good: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    result = runner.invoke(main, ["verify", str(good)])
    assert result.exit_code == 0 and "matches 1, hands 2, lines" in result.stdout
    bad = tmp_path / "bad.jsonl"
    bad.write_text("nonsense\n")
    result = runner.invoke(main, ["verify", str(good), str(bad), str(tmp_path / "none.jsonl")])
    assert result.exit_code == 1
    said = result.stderr.splitlines()
    assert len(said) == 2 and "bad.jsonl: line 1: no Hongzhong record" in said[0] and "cannot read" in said[1]
    assert runner.invoke(main, ["verify"]).exit_code == 2
    assert runner.invoke(main, ["verify", "--rules", "none.py", str(good)]).exit_code == 2


def test_replay_command(good: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    whole = runner.invoke(main, ["replay", str(good), "--lang", "en"])
    assert whole.exit_code == 0 and len(whole.stdout.splitlines()) == len(lines_of(good))
    assert "Ann discards" in whole.stdout
    chinese = runner.invoke(main, ["replay", str(good), "--lang", "zh", "--hand", "2"])
    assert chinese.exit_code == 0 and chinese.stdout.startswith("第2局") and "摸" in chinese.stdout
    masked = runner.invoke(main, ["replay", str(good), "--lang", "en", "--seat", "1", "--all"])
    assert "Ann draws a hidden tile" in masked.stdout and "Bo draws a hidden tile" not in masked.stdout
    none = runner.invoke(main, ["replay", str(good), "--hand", "9"])
    assert none.exit_code == 2 and "has no hand 9" in none.stderr
    lines = good.read_text("utf-8").splitlines(keepends=True)
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(lines[:20]))
    part = runner.invoke(main, ["replay", str(cut)])
    assert part.exit_code == 1 and len(part.stdout.splitlines()) == 20 and "ends without its result" in part.stderr


def test_every_kind_of_event_has_words() -> None:
    assert describe(events.FalseWin(seat=2)) == "seat 2 calls a false win"
    assert describe(events.FalseWin(seat=2), "zh", ["甲", "乙", "丙", "丁"]) == "丙诈和"
    for path in sorted(RECORDS.glob("*.jsonl")):
        for line in read(path):
            for seat in (-1, 0, 1, 2, 3):
                event = events.masked(line.event, seat)
                assert event is not None
                for language in ("en", "zh"):
                    assert describe(event, language) and "{" not in describe(event, language, PLAYERS)


# the records of every release


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_kept_records_still_follow(path: Path) -> None:
    verdict = verify(path)
    assert verdict.ok, verdict.message
    assert not verdict.notes, "a rule set was revised: keep this record, and say in its name which revision it is of"


def test_records_are_kept_of_every_rule_set() -> None:
    kept = {read(path)[0].event.rules for path in RECORDS.glob("*.jsonl")}  # type: ignore[attr-defined]
    assert kept >= set(rules.names())


def test_passing_is_told_from_what_followed(tmp_path: Path) -> None:
    """A seat that may win and passes leaves no line; the record still follows."""
    found = 0
    for seed in range(6):
        match = Match(rules.load("qiqihar", {"hands": 2, "pass_lock": "both"}), PLAYERS, seed=seed)
        choose = by_chance(seed)
        while match.asked():
            seat = match.asked()[0]
            legal = match.legal(seat)
            passes = PASS in legal and len(legal) > 1 and choose(seat, legal) % 2 == 0
            found += passes
            match.step(seat, PASS if passes else choose(seat, legal))
        verdict = verify(written(match, tmp_path / f"{seed}.jsonl"))
        assert verdict.ok, verdict.message
    assert found > 10


def test_stepping_through_a_replay(
    good: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a terminal: a step a key, back, to the next hand, out."""
    answers = iter(["", "", "b", "n", "q"])
    monkeypatch.setattr("builtins.input", lambda: next(answers))
    for stream in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True)
    replay_command.main([str(good), "--lang", "en"], standalone_mode=False)
    shown = [line.split()[0].split("/")[0] for line in capsys.readouterr().out.splitlines()]
    second = next(i for i, line in enumerate(lines_of(good), 1) if line["type"] == "hand" and line["number"] == 0)
    assert shown == ["1", "2", "3", "2", str(next_hand(good, second))]


def next_hand(path: Path, after: int) -> int:
    return next(i for i, line in enumerate(lines_of(path), 1) if line["type"] == "hand" and i > after)
