"""What is wrong with a record has its words in Chinese too, on every path that refuses one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hongzhong import record, verification
from hongzhong.events import Discard
from hongzhong.server.records import verified
from hongzhong.texts.records import PROBLEMS, Said, choices, said
from hongzhong.verification import verify
from tests.playing import played
from tests.test_record import CHANGES, changed, written

HAN = re.compile("[\u4e00-\u9fff]")
SOURCES = [Path(str(module.__file__)) for module in (record, verification)]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_both_languages_tell_the_same_values(problem: str) -> None:
    en, zh = (set(re.findall(r"{(\w+)", text)) for text in PROBLEMS[problem])
    assert en == zh and (HAN.search(PROBLEMS[problem][1]) or problem in ("differs", "throws"))


def test_every_problem_is_used() -> None:
    used = set(re.findall(r"said\(\s*\"(\w+)\"", "".join(path.read_text("utf-8") for path in SOURCES)))
    assert used | {"one_match"} == set(PROBLEMS)


def test_what_verification_refuses_carries_its_chinese() -> None:
    """No error of verification is a text of its own: what others refuse is handed on, and has patterns of its own."""
    tree = ast.parse(SOURCES[1].read_text(encoding="utf-8"))
    raised = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RecordError"
    ]
    assert len(raised) > 20
    assert not [ast.unparse(text) for text in raised if isinstance(text, ast.Constant | ast.JoinedStr)]


@pytest.mark.parametrize("case", CHANGES)
def test_a_changed_record_is_told_in_chinese(case: str, tmp_path: Path) -> None:
    good = written(played("inner_mongolia", {"hands": 2}, seed=2, committed=True), tmp_path / "good.jsonl")
    verdict = changed(good, tmp_path, CHANGES[case][0])
    assert not verdict.ok and verdict.message.startswith(f"line {verdict.line}: ")
    zh = verdict.message.zh
    assert zh.startswith(f"第{verdict.line}行不成立：") and "line" not in zh
    assert HAN.search(zh.partition("：")[2]) and not re.search("does not follow|should", zh)


def test_what_may_be_done_instead() -> None:
    event = Discard(seat=2, tile="5m", drawn=True)
    wrong = said("illegal", event=event, seat=2, may=choices(["discard 7z", "kong-added 2s", "win-draw"]))
    assert wrong == "'seat 2 discards the drawn 5m' does not follow: seat 2 may discard 7z, kong-added 2s, win-draw"
    assert wrong.zh == "“2号座摸打五万”不成立：2号座可以打中、补杠二条、自摸"


def test_a_page_is_told_in_both_languages(tmp_path: Path) -> None:
    path = written(played("hebei", {"hands": 1}), tmp_path / "match.jsonl")
    lines = path.read_bytes()
    fine = verified(lines.replace(b'"rules_revision":1', b'"rules_revision":0', 1))
    assert fine.ok and fine.zh.startswith("每一行都成立：对局1，局1，行") and fine.en.startswith("every line follows")
    (note,) = fine.notes
    assert "revision 0 of hebei" in note.en and "第 0 版" in note.zh
    wrong = verified(lines.replace(b'"scores":[0,0,0,0]', b'"scores":[0,0,0,1]', 1))
    assert wrong.zh == "第2行不成立：hand：scores 是 [0,0,0,1]，应是 [0,0,0,0]"
    assert wrong.en == "line 2: hand: scores is [0,0,0,1] and should be [0,0,0,0]"
    unknown = verified(lines.replace(b'"rules":"hebei"', b'"rules":"sichuan"', 1))
    assert unknown.zh == "第1行不成立：没有规则“sichuan”"
    assert verify(b"").message.zh == "第1行不成立：文件是空的，没有牌谱"
    assert isinstance(verify(lines).message, Said)
