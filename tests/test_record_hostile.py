"""Records that somebody has tampered with, or that are no records: told in a line, whatever they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hongzhong.cli import main
from hongzhong.journal import Journal, JournalError
from hongzhong.record import RecordWriter
from hongzhong.table import entries
from hongzhong.verification import verify
from tests.playing import played

NESTED = {
    "objects": b'{"type":' * 5000,
    "lists": b'{"x":' + b"[" * 5000,
    "closed": b'{"x":' + b"[" * 5000 + b"]" * 5000 + b"}",
}


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "good.jsonl"
    with RecordWriter(path) as writer:
        writer.write(played("hebei", {"hands": 1}, seed=4).events)
    return path


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("keep", [0, 5])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_deep_nesting_is_no_json(kind: str, keep: int, end: bytes, good: Path, tmp_path: Path) -> None:
    deep = tmp_path / "deep.jsonl"
    deep.write_bytes(b"".join(good.read_bytes().splitlines(keepends=True)[:keep]) + NESTED[kind] + end)
    runner = CliRunner()
    result = runner.invoke(main, ["verify", str(deep), str(good), "--lang", "en"])
    assert result.exit_code == 1 and "every line follows" in result.stdout
    assert (
        result.stderr.count("\n") == 1
        and f"line {keep + 1}: " in result.stderr
        and "nested too deeply" in result.stderr
    )
    assert "嵌套太深" in runner.invoke(main, ["verify", str(deep), "--lang", "zh"]).stderr
    shown = runner.invoke(main, ["replay", str(deep), "--lang", "en"])
    assert shown.exit_code == 1 and len(shown.stdout.splitlines()) == keep and "nested too deeply" in shown.stderr


@pytest.mark.parametrize("depth", [2, 500, 900, 950, 970, 990])
def test_a_nested_option_is_refused_at_every_depth(depth: int, good: Path) -> None:
    first, rest = good.read_bytes().split(b"\n", 1)
    head = json.loads(first)
    head["options"]["cap"] = "HERE"
    nested = json.dumps(head).encode().replace(b'"HERE"', b"[" * depth + b"]" * depth)
    verdict = verify(nested + b"\n" + rest)
    assert not verdict.ok and verdict.line == 1
    assert "option cap: bad value" in verdict.message or "nested too deeply" in verdict.message


def test_nested_journals(tmp_path: Path) -> None:
    path = tmp_path / "deep.journal"
    for data in NESTED.values():
        path.write_bytes(data + b"\n")
        with pytest.raises(JournalError, match="line 1"):
            Journal.resume(path)
        with pytest.raises(entries.EntryError):
            entries.decode(data)


def headed(path: Path, change: Callable[[dict[str, Any]], Any]) -> tuple[str, str]:
    """What verification says, in both languages, of a record whose options are changed so."""
    first, rest = path.read_bytes().split(b"\n", 1)
    head = json.loads(first)
    change(head["options"])
    verdict = verify(json.dumps(head).encode() + b"\n" + rest)
    assert not verdict.ok and verdict.line == 1
    return verdict.message, verdict.message.zh


def test_an_option_left_out_or_too_many_is_named(good: Path) -> None:
    options = json.loads(good.read_bytes().split(b"\n", 1)[0])["options"]
    for name in options:
        en, zh = headed(good, lambda options, name=name: options.pop(name))  # type: ignore[misc]
        if name != "hands":  # it stands in the line itself too, and the match would last longer
            assert en.startswith(f"line 1: match: option {name} is missing, it should be "), en
            assert f"缺少选项 {name}" in zh
    en, zh = headed(good, lambda options: options.update(rounds=0))
    assert en == "line 1: match: option rounds has no place here" and "不应有选项 rounds" in zh


def test_an_unknown_rule_set_says_how_to_give_it(good: Path) -> None:
    verdict = verify(good.read_bytes().replace(b'"rules":"hebei"', b'"rules":"sichuan"'))
    assert verdict.line == 1 and "unknown rule set 'sichuan'" in verdict.message
    assert "--rules ./file.py" in verdict.message and "--rules ./file.py" in verdict.message.zh


def test_the_last_line_needs_no_end(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    data = good.read_bytes().removesuffix(b"\n")
    path.write_bytes(data)
    assert verify(path).ok
    for cut in (1, 2, 9):
        path.write_bytes(data[:-cut])
        verdict = verify(path)
        assert verdict.line == data.count(b"\n") + 1 and "cut off" in verdict.message
    path.write_bytes(data.rsplit(b"\n", 1)[0])
    assert "ends without its result" in verify(path).message


@pytest.mark.parametrize("data", [b"\x7fELF\x02\x01\x00\n\xff\xfe", b"\x00\n", "红中".encode("utf-16"), b"\xff" * 50])
def test_a_binary_file_is_no_text(data: bytes, good: Path) -> None:
    verdict = verify(data)
    assert verdict.line == 1 and "not text" in verdict.message and "不是文本" in verdict.message.zh
    lines = good.read_bytes().splitlines(keepends=True)
    assert "line 8: not text" in verify(b"".join(lines[:7]) + data).message


def test_replay_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        result = CliRunner().invoke(main, ["replay", str(path)])
        assert result.exit_code == 2 and result.stdout == ""
        assert result.stderr.count("\n") == 1 and result.stderr.startswith(f"hongzhong: cannot read {path}: ")


def test_verify_of_a_file_that_is_not_there_goes_on_with_the_others(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "missing.jsonl"
    result = CliRunner().invoke(main, ["verify", str(path), str(good)])
    assert result.exit_code == 1 and result.stdout.startswith(f"{good}: ")
    assert result.stderr == f"hongzhong: cannot read {path}: No such file or directory\n"


def test_hands_are_counted_through_the_file(tmp_path: Path) -> None:
    path = tmp_path / "three.jsonl"
    with RecordWriter(path) as writer:
        for seed in (1, 2, 3):
            writer.write(played("hebei", {"hands": 1}, seed=seed).events)
    walls = [line for line in path.read_text("utf-8").splitlines() if '"type":"hand"' in line]
    runner = CliRunner()
    texts = [runner.invoke(main, ["replay", str(path), "--hand", str(n), "--lang", "en"]) for n in (1, 2, 3)]
    assert all(text.exit_code == 0 for text in texts) and len({text.stdout for text in texts}) == len(walls) == 3
    whole = runner.invoke(main, ["replay", str(path), "--lang", "en"]).stdout
    for text in texts:
        assert text.stdout in whole
    none = runner.invoke(main, ["replay", str(path), "--hand", "4"])
    assert none.exit_code == 2 and "has no hand 4: give one from 1 to 3" in none.stderr


def test_what_replay_tells_on_stderr_is_in_the_language_asked_for(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "short.jsonl"
    path.write_bytes(b"".join(good.read_bytes().splitlines(keepends=True)[:9]))
    assert "牌谱没有写到结果" in CliRunner().invoke(main, ["replay", str(path), "--lang", "zh"]).stderr
