"""What sheets and the referee refuse has its words in Chinese too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hongzhong import rules
from hongzhong.rules import RuleError
from hongzhong.score.lines import answer_lines
from hongzhong.server import sheets
from hongzhong.server.errors import Refusal
from hongzhong.texts.refusals import chinese
from hongzhong.texts.room import problem

PACKAGE = Path(rules.__file__).parent.parent
SAMPLES = ("3", "1m", "'x'", "hebei", "(123m)", "pung", "times", "winner", "")


def templates(module: str, *functions: str) -> Iterator[list[str | None]]:
    """The texts of the errors raised in these functions (in all without any), None where a value stands."""
    tree = ast.parse((PACKAGE / module).read_text(encoding="utf-8"))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or (functions and function.name not in functions):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                text = node.exc.args[0]
                if isinstance(text, ast.JoinedStr):
                    yield [str(part.value) if isinstance(part, ast.Constant) else None for part in text.values]
                elif isinstance(text, ast.Constant):
                    yield [str(text.value)]


RAISED = [
    *templates("rules/values.py", "check_value"),
    *templates("rules/variant.py", "resolve", "_check_conflicts", "_check_size"),
    *templates("rules/__init__.py", "sheet"),
    *templates("score/__init__.py"),
    *templates("score/lines.py", "kinds_of", "_tile"),
    *templates("tiles.py"),
]


@pytest.mark.parametrize("template", RAISED, ids=lambda parts: "".join(part or "_" for part in parts)[:60])
def test_every_refusal_has_chinese_words(template: list[str | None]) -> None:
    holes = template.count(None)
    for values in product(SAMPLES, repeat=min(holes, 4)):
        filled = iter([*values, *values])
        text = "".join(next(filled) if part is None else part for part in template)
        said = chinese(text)
        if said != text:
            assert any("\u4e00" <= char <= "\u9fff" for char in said) and "{" not in said
            return
    raise AssertionError(f"no Chinese for {template}")


def test_there_are_many_of_them() -> None:
    assert len(RAISED) > 30


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("qiqihar", {"cap": 0}, "选项“cap”不能是 0，可为：1 到 100000000 的整数 或 none"),
        ("qiqihar", {"odd": 1}, "qiqihar 没有选项 odd"),
        ("qiqihar", {"price.plain": -1}, "选项 price.plain：分值 -1 不对，应是 0 到 1000 的整数"),
        ("hebei", {"kong_payer": "discarder"}, "杠分都是 0，明杠谁付没有意义"),
        ("atlantis", {}, "没有规则“atlantis”"),
        ("hebei", {"hands": 4, "rounds": 2}, "局数 4 与圈数 2 不能同时给：局数留 8，或圈数为 0"),
    ],
)
def test_options_in_chinese(name: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(RuleError) as caught:
        rules.load(name, options)
    assert chinese(str(caught.value)) == said
    zh, en = problem("rules", why=str(caught.value))
    assert zh == f"规则不成立：{said}" and en == str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (b'"concealed":"1111335577m99m7z","win_tile":"1m"', "一万有 5 张"),
        (b'"concealed":"113355779m44m7z","win_tile":"6m"', "有 12 张手牌：应有 13 张，胡的那张不算"),
        (b'"concealed":"1133557799m44m7z","win_tile":"1z"', "qiqihar 没有东"),
        (b'"concealed":"1133557799m","win_tile":"6m","melds":["(123m)"]', "亮牌 (123m) 不成立：qiqihar 没有吃"),
        (b'"concealed":"1133557799m44m7z","win_tile":"6m","replacement":true', "杠上开花必须是自摸"),
        (
            b'"concealed":"1133557799m44m7x","win_tile":"6m"',
            "“7x”不是牌：请写成 123m7z（m 万，s 条，p 筒，z 东南西北白发中）",
        ),
    ],
)
def test_hands_in_chinese(change: bytes, said: str) -> None:
    import json

    (answer,) = answer_lines([b'{"rules":"qiqihar","by":"discard",' + change + b"}"])
    assert chinese(json.loads(answer)["error"]) == said


def test_what_is_not_known_stays() -> None:
    assert chinese("something else") == "something else"


def test_a_page_names_options_as_its_form_does() -> None:
    with pytest.raises(Refusal) as caught:
        sheets.load("qiqihar", {"cap": 0})
    assert caught.value.said.zh == "规则不成立：选项“封顶”不能是 0，可为：1 到 100000000 的整数 或 none"
    assert caught.value.said.en.startswith("option cap: bad value 0")
