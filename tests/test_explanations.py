"""Why a hand wins or not, in both languages; ``hongzhong analyse`` for a person and as lines."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

import hongzhong as hz
from hongzhong import rules
from hongzhong.analysis.explain import alternatives, explain
from hongzhong.analysis.lines import Answerer
from hongzhong.analysis.words import analysis_text
from hongzhong.cli import main
from hongzhong.score import WAYS, ScoreError
from tests import strategies
from tests.naive import win

RED_DRAGON = Path(__file__).parent / "sheets" / "red_dragon.py"
SCHEMAS = Path(__file__).parent.parent / "docs" / "schemas"
LANGUAGES = ("en", "zh")


def told(name: str, hand: str, lang: str = "en", options: dict[str, Any] | None = None, **how: Any) -> str:
    return "\n".join(hz.explain_hand(hz.load_rules(name, options or {}), hand, **how).text(lang))


# explanations


def test_a_win_says_what_counts_and_which_conditions_it_meets() -> None:
    out = told("inner_mongolia", "234m345p678p55p(345s)")
    assert "It wins, self-drawn: 2 point(s), read as 234m 345p 678p 55p (345s)" in out
    assert "self-drawn: 1 fan (N7)" in out
    assert "met: all three suits must be present (N1)" in out
    zh = told("inner_mongolia", "234m345p678p55p(345s)", "zh")
    assert "能胡（自摸）：2分" in zh and "自摸：1番（N7）" in zh and "符合：必须三门齐（N1）" in zh


def test_an_exception_is_named() -> None:
    out = told("inner_mongolia", "123m456m789m11122m")
    assert "not asked here: all three suits must be present, as the hand shows full flush (N1)" in out
    assert "不要求：必须三门齐，因为是清一色（N1）" in told("inner_mongolia", "123m456m789m11122m", "zh")


@pytest.mark.parametrize(
    ("name", "hand", "how", "parts"),
    [
        ("qiqihar", "123m456m789s55p23p+4p", {"by": "discard"},
         ("It does not win: a suit must be lacking (Q9)", "1p 4p 7z would complete a shape, but: a suit must be lacking (Q9)")),
        ("hebei", "123m456m78m55p23p 9s + 4p", {}, ("the tiles make no winning shape (H0)", "Missing 1 tile(s)")),
        ("hebei", "123m456m789m55p23p", {}, ("It is ready and waits for 1p 4p",)),
        ("hebei", "123m456m789m55p2p9s", {}, ("Missing 2 tile(s)", "Nearer with")),
        ("inner_mongolia", "234m345p678p44p67p", {}, ("2p 3p 5p 8p would complete a shape, but: all three suits must be present (N1)",)),
        ("qiqihar", "23m55m(111m)(222s)(333p)", {}, ("no win is within reach with these melds",)),
        ("hebei", "123m456m789m55p23p+4p", {"by": "kong"}, ("It does not win: no kong may be robbed here (H28)",)),
    ],
)  # fmt: skip
def test_what_a_hand_lacks(name: str, hand: str, how: dict[str, Any], parts: tuple[str, ...]) -> None:
    out = told(name, hand, **how)
    for part in parts:
        assert part in out


def test_a_disputed_option_that_changes_the_answer_is_told_with_both_values() -> None:
    out = told("qiqihar", "1133557799m44m7z+6m")
    assert "With seven pairs is also a concealed hand = yes (Q12): it wins, 18 point(s)" in out
    assert "若七对另计门清为“是”（Q12）：能胡，18分" in told("qiqihar", "1133557799m44m7z+6m", "zh")
    agreed = told("qiqihar", "1133557799m44m7z+6m", options={"seven_pairs_adds_concealed": True})
    assert "With seven pairs is also a concealed hand = no (Q12): it wins, 9 point(s)" in agreed
    assert "With a discarded wild tile may be won on = no (Q4): it does not win" in told(
        "qiqihar", "1133557799m44m6m+7z", by="discard"
    )


def test_an_option_changes_the_waits_of_a_hand() -> None:
    hand = "89m22233m [7777m](444m)"
    out = told("qiqihar", hand)
    assert "It is ready and waits for 7z" in out
    assert "With a wild tile may stand for a fifth copy = no (Q5): distance 1" in out
    assert "It is ready" not in told("qiqihar", hand, options={"fifth_copy": False})


@pytest.mark.parametrize("name", rules.names())
def test_explanations_are_those_of_the_second_opinion_under_each_option(name: str) -> None:
    chance = Random(f"explain {name}")
    maker = strategies.Maker(rules.sheet(name), chance)
    changed = won = 0
    for _ in range(150):
        sheet = strategies.random_rules(rules.sheet(name), chance, share=0.1)
        drawn = maker.hand()
        by = chance.choice(WAYS[:2])
        found = explain(sheet, drawn.concealed, drawn.melds, tile=drawn.tile, by=by)
        case = win.Case(drawn.concealed, drawn.melds, drawn.tile, by)
        told_options = {(one.option, one.value): one.answer.verdict for one in found.others}
        base = win.score(sheet, case)
        for option, value, other in alternatives(sheet):
            wanted = win.score(other, case)
            verdict = told_options.get((option, value))
            if verdict is None:
                same = (wanted.win, wanted.points, wanted.reason) == (base.win, base.points, base.reason)
                assert same, f"{drawn} {option}={value}"
            else:
                assert (verdict.win, verdict.points, verdict.reason) == (wanted.win, wanted.points, wanted.reason)
                changed += 1
        won += base.win
        for lang in LANGUAGES:
            assert found.text(lang)
    assert changed and won


@pytest.mark.parametrize("name", rules.names())
def test_texts_are_whole_in_both_languages(name: str) -> None:
    """No placeholder is left, and no Chinese in English but the melds' own notation."""
    chance = Random(f"texts {name}")
    maker = strategies.Maker(rules.sheet(name), chance)
    sheet = rules.load(name)
    analyst = hz.Analyst(sheet)
    for _ in range(40):
        drawn = maker.hand()
        for tile in (None, drawn.tile):
            held = analyst.hold(drawn.concealed if tile is None else [*drawn.concealed, tile], drawn.melds)
            for lang in LANGUAGES:
                lines = analysis_text(sheet, analyst.analyse(held), lang)
                lines += explain(sheet, drawn.concealed, drawn.melds, tile=tile).text(lang)
                assert all("{" not in line and line.strip() for line in lines)
                if lang == "en":
                    assert all(ord(char) < 0x2E80 for line in lines for char in line)


def test_a_hand_that_cannot_be_is_refused() -> None:
    with pytest.raises(ScoreError, match="5 copies of 1m"):
        hz.explain_hand(hz.load_rules("hebei"), "11111m23456789m1s")
    with pytest.raises(ScoreError, match="replacement: no kong among the melds"):
        hz.explain_hand(hz.load_rules("hebei"), "123456789m1122s1p", replacement=True)
    with pytest.raises(ScoreError, match="by: bad value 'luck'"):
        hz.explain_hand(hz.load_rules("hebei"), "123456789m1122s1p", by="luck")


# the command


def run(*arguments: str, stdin: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["analyse", *arguments], input=stdin)
    return result.exit_code, result.stdout, result.stderr


def test_analyse_for_a_person() -> None:
    code, out, err = run("-r", "qiqihar", "--lang", "zh", "--seen", "1m1m红中", "112233m445566m7m")
    assert (code, err) == (0, "")
    for part in ("听牌", "一万  余0张   6分   平胡，门清，清一色", "红中  余3张   12分", "红中做将", "说明"):
        assert part in out
    code, out, _ = run("-r", "hebei", "--lang", "en", "123m456m7899m55p2p3p")
    assert code == 0
    for part in (
        "Distance  0: ready",
        "Discards, fastest first",
        "9m  distance 0   8 left   up to 12 point(s)",
        "1p (4) 4p (4)",
    ):
        assert part in out
    code, out, _ = run("-r", "hebei", "--lang", "en", "123m456m789m55p23p", "+", "四筒")
    assert "Distance  won" in out and "It wins, self-drawn: 12 point(s)" in out
    assert "x2" not in run("-r", "hebei", "--lang", "en", "--by", "discard", "23m456m789m55p23p(111m)+4p")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no hand"),
        (("", "--rules", "hebei"), "no hand"),
        (("123456789m1234s",), "--rules: name one rule set"),
        (("-r", "hebei", "-r", "qiqihar", "123456789m1234s"), "--rules: name one rule set"),
        (("-r", "shanghai", "123456789m1234s"), "unknown rule set 'shanghai'"),
        (("-r", "hebei", "123m456m55m23p"), "10 concealed tiles: 13 are wanted, or 14 after a draw"),
        (("-r", "hebei", "12y"), "has no suit behind it"),
        (("-r", "hebei", "--option", "cap=x", "123456789m1234s"), "bad value"),
        (("-r", "hebei", "--seen", "1y", "123456789m1234s"), "has no suit behind it"),
        (("-r", "hebei", "--seen", "1111m", "123456789m1234s"), "5 copies of 1m in the hand and seen elsewhere"),
        (("-r", "hebei", "--by", "luck", "123456789m1234s"), "'luck' is not one of"),
        (("--jsonl", "123m"), "--jsonl takes every hand from stdin"),
        (("--jsonl", "-r", "./none.py"), "no rule sheet at"),
    ],
)
def test_analyse_refuses_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1


BEYOND = """
from dataclasses import replace
from hongzhong.rules import sheet
base = sheet("qiqihar")
SHEET = replace(base, id="beyond", conditions=(*base.conditions, replace(sheet("hebei").conditions[0], exempt=(), exempt_when=None, when=None)), examples=())
"""


def test_a_sheet_beyond_the_tables_is_refused_and_plays(tmp_path: Path) -> None:
    path = tmp_path / "beyond.py"
    path.write_text(BEYOND, encoding="utf-8")
    code, out, err = run("-r", str(path), "123456789m1234s")
    assert (code, out) == (2, "") and err.count("\n") == 1
    assert (
        "beyond cannot be analysed: the hand tables do not know wild tiles together with the condition eight_of_suit"
        in err
    )
    answer = json.loads(run("--jsonl", "-r", str(path), stdin=b'{"rules":"beyond","concealed":"123456789m1234s"}')[1])
    assert "cannot be analysed" in answer["error"]
    assert hz.simulate_hands(hz.load_rules(str(path)), 50, bots=["greedy"] * 4, seed=1, jobs=1).hands == 50


# lines


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Answerer().answer([json.dumps(request).encode() for request in requests])]


READY: dict[str, Any] = {"id": "a", "rules": "qiqihar", "concealed": "112233m445566m7m", "seen": "1m1m7z"}


def test_answers_to_lines() -> None:
    ready, drawn, far, out_of_reach = ask(
        READY,
        {"id": 2, "rules": "hebei", "concealed": "123m456m789m5p23p", "melds": [], "seen": ""} | {"concealed": "123456789m55p23p9s"},
        {"rules": "hebei", "concealed": "1m", "melds": ["(345m)", "(888p)", "[2222s]", "(777z)"], "options": {"colour_rule": "eight_only"}},
        {"rules": "qiqihar", "concealed": "23m5m5m", "melds": ["(111m)", "(222s)", "(333p)"]},
    )  # fmt: skip
    assert ready["id"] == "a" and ready["distance"] == 0
    assert ready["waits"][3] == {
        "tile": "7z", "unseen": 3, "draw": 12, "discard": 12, "patterns": ["plain", "concealed", "full_flush", "wild_pair"],
    }  # fmt: skip
    assert ready["useful"] == {"1m": 0, "4m": 2, "7m": 3, "7z": 3}
    assert drawn["id"] == 2 and drawn["discards"][0] == {
        "tile": "9s", "distance": 0, "useful": {"1p": 4, "4p": 4}, "copies": 8, "points": 12,
    }  # fmt: skip
    assert "id" not in far and set(far) == {"distance", "useful", "waits"}
    assert out_of_reach == {"distance": None, "useful": {}, "waits": []}
    quick = ask({"rules": "hebei", "concealed": "123456789m55p23p9s", "points": False})[0]
    assert all(row["points"] is None for row in quick["discards"])


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"rules": "qiqihar"}, "missing field 'concealed'; required: rules, concealed"),
        (
            READY | {"win_tile": "1m"},
            "unknown field 'win_tile'; fields: rules, concealed, id, options, melds, seen, points",
        ),
        (READY | {"rules": "x"}, "unknown rule set 'x'"),
        (READY | {"options": {"cap": "x"}}, "option cap: bad value 'x'"),
        (READY | {"concealed": "11223"}, "unknown tile at '11223'"),
        (READY | {"concealed": "1122m"}, "4 concealed tiles: 13 are wanted, or 14 after a draw"),
        (READY | {"concealed": "11112233m44556m"}, "6 copies of 1m in the hand and seen elsewhere"),
        (READY | {"concealed": "11111233m44556m"}, "5 copies of 1m"),
        (READY | {"concealed": "112233m445566m?"}, "unknown tile ?"),
        (READY | {"seen": "9z"}, "unknown tile 9z"),
        (READY | {"melds": ["(123m)"], "concealed": "445566m7m8m9m1s"}, "impossible meld (123m): qiqihar has no chow"),
        (READY | {"melds": "x"}, "melds: bad value: expected"),
        (READY | {"points": 1}, "points: bad value: expected"),
    ],
)
def test_error_lines(request_: dict[str, Any], message: str) -> None:
    answer = ask(request_)[0]
    assert message in answer["error"] and set(answer) <= {"id", "error"}
    assert answer.get("id") == request_.get("id")


def test_requests_and_answers_meet_the_schemas() -> None:
    asked, answered = (
        jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"analyse-{name}.schema.json").read_text("utf-8")))
        for name in ("request", "answer")
    )
    drawn = {"id": 2, "rules": "hebei", "concealed": "123456789m55p23p9s", "points": False}
    for request in (READY, drawn, {"rules": "hebei", "concealed": "1m"}):
        asked.validate(request)
        answered.validate(ask(request)[0])
    assert not asked.is_valid(READY | {"win_tile": "1m"})
    assert not answered.is_valid({"distance": 0})


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b'{"rules":1}', b"\xff", b"null", b"[" * 5000])
def test_lines_that_are_no_requests(line: bytes) -> None:
    good = json.dumps(READY).encode()
    answers = [json.loads(answer) for answer in Answerer().answer([line, good])]
    assert set(answers[0]) == {"error"} and answers[1]["distance"] == 0


def test_analyse_lines_from_stdin() -> None:
    request = {"rules": "red_dragon", "concealed": "11335577m22446p"}
    lines = b"\n".join([json.dumps(READY).encode(), b"{", json.dumps(request).encode()])
    code, out, err = run("--jsonl", "-r", str(RED_DRAGON), stdin=lines)
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, err, len(answers)) == (0, "", 3)
    assert [answer.get("distance") for answer in answers] == [0, None, 0]
