"""The score door: the handed cases, every error line, the contract's shapes, the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from hongzhong import rules
from hongzhong.cli import main
from hongzhong.score import Hand, ScoreError, Scorer, Seats, describe_win, score, scorer_of, win_patterns
from hongzhong.score.lines import CHUNK, Answerer, Request, answer_lines
from hongzhong.tiles import format_mpsz, parse_meld, parse_mpsz, parse_tile

HERE = Path(__file__).parent
CASES = [json.loads(line) for line in (HERE / "cases" / "score.jsonl").read_text("utf-8").splitlines()]
SCHEMAS = HERE.parent / "docs" / "schemas"
RED_DRAGON = HERE / "sheets" / "red_dragon.py"
PLAIN: dict[str, Any] = {
    "rules": "hebei", "concealed": "123m456m55m23p", "melds": ["(999p)"], "win_tile": "4p", "by": "discard",
}  # fmt: skip
PAIRS: dict[str, Any] = {"rules": "qiqihar", "concealed": "11335577m22446p", "win_tile": "6p", "by": "discard"}


def ask(*requests: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer_lines(json.dumps(request).encode() for request in requests)]


def schema(name: str) -> jsonschema.Draft202012Validator:
    loaded = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(loaded)
    return jsonschema.Draft202012Validator(loaded)


def test_there_are_91_cases() -> None:
    assert len(CASES) == 91


@pytest.mark.parametrize("case", CASES, ids=[case["in"]["id"] for case in CASES])
def test_handed_case(case: dict[str, Any]) -> None:
    (answer,) = ask(case["in"])
    assert {key: answer.get(key) for key in case["out"]} == case["out"]
    assert answer["id"] == case["in"]["id"]


def test_requests_and_answers_meet_the_schemas() -> None:
    requests, answers = schema("score-request"), schema("score-answer")
    for case in CASES:
        requests.validate(case["in"])
    for answer in ask(*(case["in"] for case in CASES), {"id": 1}):
        answers.validate(answer)
    properties = json.loads((SCHEMAS / "score-request.schema.json").read_text("utf-8"))["properties"]
    assert set(properties) == set(Request.__struct_encode_fields__)
    assert not requests.is_valid(PLAIN | {"winner": 1})
    assert not requests.is_valid(PLAIN | {"colour": 1})
    assert not answers.is_valid({"id": 1, "win": True})


def test_the_contract_to_the_letter() -> None:
    """The three answers that the contract shows."""
    seats = {"winner": 2, "from": 0, "dealer": 1}
    whole = {"id": "a", "options": {}, "replacement": False, "last_tile": False, "first_turn": False} | PLAIN | seats
    three = PAIRS | {"id": "b", "concealed": "123m456m789p55p23s", "win_tile": "4s", "by": "draw"}
    five = PLAIN | {"id": "c", "concealed": "11m4567m55m23p", "melds": ["(111m)"]}
    lines = answer_lines(json.dumps(request).encode() for request in (whole, three, five))
    assert [line.decode() for line in lines] == [
        '{"id":"a","win":true,"points":1,"patterns":[{"id":"plain","name":"屁和","kind":"base","value":1,"count":1,'
        '"ruling":"H7"}],"reading":"123m 456m 234p 55m (999p)","payments":[-1,-2,4,-1]}',
        '{"id":"b","win":false,"reason":"three_suits","ruling":"Q9"}',
        '{"id":"c","error":"5 copies of 1m"}',
    ]


def recomputed(rule_set: rules.RuleSet, answer: dict[str, Any]) -> int:
    """Points from the patterns alone."""
    total = max([p["value"] for p in answer["patterns"] if p["kind"] == "base"], default=0)
    total += sum(p["value"] * p["count"] for p in answer["patterns"] if p["kind"] == "fan")
    if rule_set.get("fan_points") == "doubling":
        total = 2 ** (total - 1) if total else 0
    for p in answer["patterns"]:
        total *= p["value"] ** p["count"] if p["kind"] == "times" else 1
    return int(total * rule_set.get("base_point"))


def test_points_can_be_recomputed_from_the_patterns() -> None:
    for options in ({}, {"base_point": 7}):
        for case in CASES:
            (answer,) = ask(case["in"] | {"options": options})
            if answer["win"]:
                assert recomputed(rules.load(case["in"]["rules"], options), answer) == answer["points"]
                rows = [row.id for row in rules.sheet(case["in"]["rules"]).patterns]
                shown = [p["id"] for p in answer["patterns"]]
                assert shown == sorted(shown, key=rows.index)
                assert sum(p["kind"] == "base" for p in answer["patterns"]) <= 1  # H10


def test_kongs_are_counted_each() -> None:
    """N7: two concealed kongs are 4 fan; fan double under N4."""
    request = {
        "rules": "inner_mongolia", "concealed": "234s88p45m", "melds": ["[1111m]", "[9999p]"], "win_tile": "6m", "by": "discard",
    }  # fmt: skip
    linear, doubling = ask(request, request | {"options": {"fan_points": "doubling"}})
    assert {"id": "concealed_kong", "name": "暗杠", "kind": "fan", "value": 2, "count": 2, "ruling": "N7"} in linear[
        "patterns"
    ]
    assert (linear["points"], doubling["points"]) == (6, 32)


ERRORS: list[tuple[dict[str, Any], str]] = [
    (PLAIN | {"concealed": "123m456m55m23p1z"}, "11 concealed tiles beside 1 melds: 10 are wanted"),
    (PLAIN | {"concealed": ""}, "0 concealed tiles"),
    (PLAIN | {"concealed": "1m", "melds": ["(111s)"] * 5}, "5 melds: a hand has at most 4"),
    (PLAIN | {"concealed": "1111m456m555m", "win_tile": "1m"}, "5 copies of 1m"),
    (PLAIN | {"concealed": "123m456m55m99p", "win_tile": "1p"}, "5 copies of 9p"),
    (PLAIN | {"concealed": "1111m456m55m1p", "melds": ["(123m)"], "win_tile": "1p"}, "5 copies of 1m"),
    (PLAIN | {"concealed": "1111m456m55m1p", "melds": ["[1111m]"], "win_tile": "1p"}, "8 copies of 1m"),
    (PAIRS | {"concealed": "11335577m2244p77z", "win_tile": "7z"}, "14 concealed tiles: 13 are wanted"),
    (PAIRS | {"concealed": "11335577m2p7777z", "win_tile": "7z"}, "5 copies of 7z"),
    (PLAIN | {"concealed": "123m456m55m23x"}, "unknown tile at '23x'"),
    (PLAIN | {"concealed": "123m456m55m2?p"}, "unknown tile"),
    (PLAIN | {"concealed": "123m456m55m2p?"}, "unknown tile ?"),
    (PLAIN | {"win_tile": "8z"}, "unknown tile 8z"),
    (PLAIN | {"win_tile": "0m"}, "unknown tile 0m"),
    (PLAIN | {"win_tile": "?"}, "unknown tile ?"),
    (PLAIN | {"win_tile": "44p"}, "2 tiles where one is wanted"),
    (PLAIN | {"win_tile": ""}, "0 tiles where one is wanted"),
    (PLAIN | {"melds": ["[????]"]}, "unknown tile in [????]"),
    (PLAIN | {"melds": ["(135m)"]}, "impossible meld '(135m)'"),
    (PLAIN | {"melds": ["(123z)"]}, "impossible meld '(123z)'"),
    (PLAIN | {"melds": ["[999p]"]}, "impossible meld '[999p]'"),
    (PLAIN | {"melds": ["999p"]}, "is no meld"),
    (PAIRS | {"concealed": "1133557799m", "melds": ["(123m)"]}, "impossible meld (123m): qiqihar has no chow"),
    (PLAIN | {"rules": "hebei_108", "melds": ["(789p)"]}, "hebei_108 has no chow"),
    (PAIRS | {"concealed": "1133557799m", "melds": ["(777z)"]}, "7z is wild and is never melded"),
    (PAIRS | {"win_tile": "7z", "by": "kong"}, "7z is wild: it is never in a kong"),
    (PAIRS | {"concealed": "11335577m22441z"}, "qiqihar has no tile 1z"),
    (PAIRS | {"win_tile": "5z"}, "qiqihar has no tile 5z"),
    (PLAIN | {"rules": "shanghai"}, "unknown rule set 'shanghai'; known: qiqihar"),
    (PLAIN | {"rules": str(RED_DRAGON)}, "a file is named on the command line"),
    (PLAIN | {"options": {"colour": 1}}, "unknown option 'colour' of hebei"),
    (PLAIN | {"options": {"cap": "much"}}, "option cap: bad value 'much'"),
    (PLAIN | {"options": {"price.plain": 1.5}}, "wrong price 1.5"),
    (PLAIN | {"options": []}, "options: "),
    (PLAIN | {"options": None}, "options: "),
    (PLAIN | {"colour": 1}, "unknown field 'colour'; fields: rules, concealed"),
    ({k: v for k, v in PLAIN.items() if k != "by"}, "missing field 'by'; required: rules, concealed, win_tile, by"),
    (PLAIN | {"by": "luck"}, "by: bad value 'luck'; it takes draw, discard, kong"),
    (PLAIN | {"last_tile": 1}, "last_tile: bad value: expected bool, got int"),
    (PLAIN | {"concealed": 5}, "concealed: bad value: expected str, got int"),
    (PLAIN | {"melds": [5]}, "melds[0]: bad value: expected str"),
    (PLAIN | {"winner": 4, "dealer": 0, "from": 1}, "winner: bad value"),
    (PLAIN | {"winner": 1}, "missing dealer and from"),
    (PLAIN | {"winner": 1, "dealer": 0}, "missing from"),
    (PLAIN | {"from": 1, "dealer": 0}, "missing winner"),
    (PLAIN | {"winner": 1, "dealer": 0, "from": 1}, "from and winner are both 1"),
    (PLAIN | {"by": "draw", "winner": 1, "dealer": 0, "from": 2}, "from: a win by draw comes from nobody"),
    (PLAIN | {"by": "draw", "replacement": True}, "replacement: no kong among the melds"),
    (PLAIN | {"replacement": True}, "replacement: a replacement tile is drawn"),
    (PLAIN | {"last_tile": True}, "last_tile: hebei never discards the last tile"),
    (PLAIN | {"rules": "inner_mongolia", "first_turn": True, "by": "draw", "winner": 0, "dealer": 0}, "first_turn: no meld"),
    (
        PLAIN | {"rules": "inner_mongolia", "first_turn": True, "by": "draw", "concealed": "123m456m55m23p999p", "melds": []},
        "first_turn: winner and dealer are wanted",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "message"), ERRORS, ids=[message for _, message in ERRORS])
def test_error_line(request_: dict[str, Any], message: str) -> None:
    """Each error of the contract is an answer of its own, and the stream goes on."""
    before, answer, after = ask(PLAIN | {"id": 1}, request_ | {"id": "bad"}, PLAIN | {"id": 2})
    assert set(answer) == {"id", "error"} and answer["id"] == "bad"
    assert message in answer["error"]
    assert before["win"] and after["win"] and (before["id"], after["id"]) == (1, 2)
    schema("score-answer").validate(answer)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", "no JSON object"), (b"{", "no JSON object"), (b"[]", "no request: expected object"), (b"\xff", "no JSON object"),
        (b'"\xed\xa0\x80"', "no "), (b'{"id":true}', "id: bad value"), (b"[" * 100_000, "no "),
    ],
)  # fmt: skip
def test_lines_that_are_no_requests(line: bytes, message: str) -> None:
    answers = answer_lines([line, json.dumps(PLAIN).encode()])
    first, second = (json.loads(answer) for answer in answers)
    assert set(first) == {"error"} and message in first["error"]
    assert second["win"]


def test_ways_that_a_rule_set_bars() -> None:
    """N15 H28: no robbing; Q4: no win on a discarded wild tile; C9: self-drawn only. Errors come first."""
    robbed, five = ask(PLAIN | {"by": "kong"}, PLAIN | {"by": "kong", "concealed": "1111m456m23p1s", "win_tile": "1m"})
    assert robbed == {"win": False, "reason": "no_robbing", "ruling": "H28"}
    assert five == {"error": "5 copies of 1m"}
    wild = {"rules": "qiqihar", "concealed": "123m678m234p5m", "melds": ["(999p)"], "win_tile": "7z", "by": "discard"}
    on, off, drawn = ask(
        wild,
        wild | {"options": {"wild_discard_wins": False}},
        wild | {"options": {"wild_discard_wins": False}, "by": "draw"},
    )
    assert on["points"] == drawn["points"] == 2
    assert off == {"win": False, "reason": "no_wild_discard_win", "ruling": "Q4"}
    (own,) = ask(PLAIN | {"options": {"discard_wins": False}})
    assert own == {"win": False, "reason": "no_discard_win", "ruling": "C9"}
    (on,) = ask(PLAIN | {"options": {"rob_kong": True}, "by": "kong"})
    assert on["points"] == 1


def test_first_turn_is_ignored_without_its_rows() -> None:
    """Without heaven and earth the flag means nothing, seats or melds or not."""
    (answer,) = ask(PLAIN | {"first_turn": True})
    assert answer["points"] == 1


def test_the_furthest_reading_gives_the_reason() -> None:
    """Conditions in sheet order; no shape at all is ``incomplete`` with the ruling of the shape."""
    hands = {
        "123m456m99m2345p5p": "missing_suit",
        "234m456m33s2345p4p": "no_terminal_or_258",
        "159m159s159p1234z": "incomplete",
    }
    for concealed, reason in hands.items():
        tile = "1z" if reason == "incomplete" else "5p" if reason == "missing_suit" else "3p"
        request = {"rules": "inner_mongolia", "concealed": concealed, "win_tile": tile, "by": "draw"}
        (answer,) = ask(request)
        assert answer.get("reason", answer) == reason, concealed
    assert answer["ruling"] == "N0"


def test_answers_keep_their_order_across_chunks_and_rule_sets() -> None:
    requests = [case["in"] | {"id": i} for i, case in enumerate((CASES * 13)[: 2 * CHUNK + 3])]
    answers = ask(*requests)
    assert [answer["id"] for answer in answers] == list(range(len(requests)))
    assert answers[: len(CASES)] == [a | {"id": i} for i, a in enumerate(answers[len(CASES) : 2 * len(CASES)])]


def test_more_rule_sets_than_a_byte_can_number() -> None:
    requests = [PLAIN | {"options": {"base_point": stake}} for stake in range(1, 400)]
    assert [answer["points"] for answer in ask(*requests)] == list(range(1, 400))


@pytest.mark.parametrize("case", CASES, ids=[case["in"]["id"] for case in CASES])
def test_the_library_agrees_with_the_lines(case: dict[str, Any]) -> None:
    """``Scorer.worth`` (no text), ``verdict``, ``describe_win`` and the lines are one engine."""
    request = case["in"]
    scorer = Scorer(rules.load(request["rules"], request["options"]))
    seats = Seats(request["winner"], request["dealer"], request.get("from", -1)) if "winner" in request else None
    flags = {name: request.get(name, False) for name in ("replacement", "last_tile", "first_turn")}
    hand = scorer.check(
        parse_mpsz(request["concealed"]), [parse_meld(meld) for meld in request["melds"]], parse_tile(request["win_tile"]),
        request["by"], seats=seats, **flags,
    )  # fmt: skip
    verdict = scorer.verdict(hand)
    (answer,) = ask(request)
    assert (verdict.win, verdict.reading) == (answer["win"], answer.get("reading", ""))
    assert [p.id for p in verdict.patterns] == [p["id"] for p in answer.get("patterns", [])]
    assert scorer.worth(hand) == ((verdict.points, verdict.bits) if verdict.win else (-1, 0))
    described = describe_win(scorer.rules, hand.concealed, hand.melds, hand.tile, hand.how, hand.facts)
    assert (described.points, described.reading) == (verdict.points, verdict.reading)
    if verdict.win:
        assert win_patterns(scorer.rules, verdict.bits, *hand.kongs) == list(verdict.patterns)


def test_a_hand_with_too_many_copies_is_refused_by_the_door() -> None:
    """A hand built without ``check`` cannot overflow the kernel's keys."""
    with pytest.raises(ScoreError, match="5 copies of 1m"):
        score(rules.load("hebei"), Hand(tuple(parse_mpsz("1111m23456789m1s")), (), 0, 0))


def test_advice_on_a_hand_that_does_not_win() -> None:
    scorer = scorer_of(rules.load("qiqihar"))
    hand = scorer.check(parse_mpsz("11335577m22446p"), [], parse_tile("1m"), "draw")
    verdict = scorer.verdict(hand, advise=True)
    assert (verdict.distance, format_mpsz(verdict.waits)) == (0, "6p7z")


# the command line


def run(*arguments: str, stdin: bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments), input=stdin)
    return result.exit_code, result.stdout, result.stderr


def test_score_for_a_person() -> None:
    code, out, _ = run("score", "-r", "qiqihar", "--by", "draw", "--lang", "zh", "112233m445566m7m + 红中")
    assert code == 0
    for part in ("能胡：12分", "齐齐哈尔麻将", "自摸", "123m 123m 456m 456m 77*m", "门清", "×2", "Q10", "三家各付12"):
        assert part in out
    code, out, _ = run("score", "-r", "hebei", "--lang", "en", "123m456m55m23p", "(999p)", "4p")
    assert "if the discarder deals: each other 1, the discarder 2" in out
    seats = ["--winner", "2", "--from", "0", "--dealer", "1"]
    code, out, _ = run("score", "-r", "hebei", "--lang", "en", *seats, "123m456m55m23p(999p)+4p")
    assert "seat 1 pays 2" in out and "seat 2 receives 4" in out


def test_score_says_what_is_missing() -> None:
    code, out, _ = run("score", "-r", "qiqihar", "--lang", "en", "11335577m22446p1m")
    assert code == 0
    assert "no winning shape" in out and "1 tile(s)" in out and "6p 7z" in out
    assert "必须缺一门" in run("score", "-r", "qiqihar", "--lang", "zh", "123m456m789m55p23s4s")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no hand"),
        (("",), "no hand"),
        ((" ", "--rules", "hebei"), "no hand"),
        (("-r", "hebei", "123m456m55m23p"), "9 concealed tiles: 13 are wanted"),
        (("-r", "hebei", "12y"), "has no suit behind it"),
        (("123m",), "--rules: name one rule set"),
        (("-r", "shanghai", "123m"), "unknown rule set 'shanghai'"),
        (("-r", "hebei", "--option", "cap", "123m"), "write it as NAME=VALUE"),
        (("-r", "hebei", "--option", "=3", "123m"), "write it as NAME=VALUE"),
        (("-r", "hebei", "--option", "cap=x", "123m"), "bad value"),
        (("-r", "hebei", "--option", "cap=1", "--option", "cap=2", "123m"), "given twice"),
        (("-r", "hebei", "--win-tile", "1m", "123m+4m"), "give the winning tile once"),
        (("-r", "hebei", "--win-tile", "12m", "123m"), "2 tiles where one is wanted"),
        (("-r", "hebei", "--winner", "1", "123m456m55m23p(999p)+4p"), "missing dealer and from"),
        (("--jsonl", "123m"), "--jsonl takes every hand from stdin"),
        (("--jsonl", "-r", "./none.py"), "no rule sheet at"),
    ],
)
def test_score_refuses_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("score", *arguments)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1


def test_score_lines_from_stdin() -> None:
    lines = b"\n".join(
        json.dumps(request).encode() for request in (PLAIN, {"rules": "x"}, PAIRS)
    )  # no newline at the end
    code, out, _ = run("score", "--jsonl", stdin=lines)
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [answer.get("points") for answer in answers] == [1, None, 3]


def test_a_sheet_from_outside_scores_everywhere() -> None:
    """Law 2: a file named on the command line, for one hand and for lines by path or id; nothing else is loaded."""
    code, out, _ = run("score", "-r", str(RED_DRAGON), "--by", "draw", "--lang", "en", "11335577m22446p 7z")
    assert code == 0 and "Red dragon" in out and "Points    2 x 2 = 4" in out
    request = {"rules": "red_dragon", "concealed": "11335577m22446p", "win_tile": "7z", "by": "draw"}
    lines = [json.dumps(request | {"rules": name}).encode() for name in ("red_dragon", str(RED_DRAGON))]
    code, out, _ = run("score", "--jsonl", "-r", str(RED_DRAGON), stdin=b"\n".join(lines))
    assert [json.loads(line)["points"] for line in out.splitlines()] == [4, 4]
    assert "unknown rule set" in json.loads(Answerer().answer(lines)[0])["error"]


@pytest.mark.slow
def test_answers_come_as_the_lines_do() -> None:
    """A program that asks one line at a time is answered before the stream ends."""
    command = [sys.executable, "-m", "hongzhong", "score", "--jsonl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps(PLAIN | {"id": number}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(60) == 0


def test_rules_lists_and_shows() -> None:
    code, out, _ = run("rules", "--lang", "zh")
    assert code == 0 and all(name in out for name in rules.names())
    code, out, _ = run("rules", "hebei", "--lang", "en", "--option", "cap=64")
    assert code == 0
    for part in (
        "colour_rule*",
        "two_suits",
        "H3",
        "pure straight",
        "base 3",
        "cap",
        "64",
        "default none",
        "no_eight_of_suit",
    ):
        assert part in out
    shown = json.loads(run("rules", "inner_mongolia", "--json", "--option", "three_suits=off")[1])
    assert {row["id"]: row["value"] for row in shown["prices"]}["full_flush"] == 3
    assert {row["id"]: row["value"] for row in shown["options"]}["three_suits"] == "off"
    assert {row["id"]: row["on"] for row in shown["conditions"]} == {
        "suit_tile": True,
        "three_suits": False,
        "terminal_or_258": True,
    }
    assert [one["id"] for one in json.loads(run("rules", "--json")[1])] == rules.names()
    assert "Red dragon" in run("rules", "--rules", str(RED_DRAGON), "--lang", "en")[1]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", rules.names())
def test_rules_names_every_option_and_price(name: str, lang: str) -> None:
    rule_set = rules.load(name)
    out = run("rules", name, "--lang", lang)[1]
    for offer in rule_set.sheet.options.values():
        assert f"  {offer.id}" in out
    for row in rule_set.sheet.patterns:
        assert (row.name.zh if lang == "zh" else row.name.en) in out and f"  {row.id}" in out


def test_rules_refuses_in_one_line() -> None:
    for arguments, message in (
        (("shanghai",), "unknown rule set"),
        (("--option", "cap=1"), "give its name too"),
        (("hebei", "--rules", "qiqihar"), "two rule sets"),
        (("hebei", "--option", "cup=1"), "unknown option 'cup'"),
    ):
        code, out, err = run("rules", *arguments)
        assert (code, out) == (2, "") and message in err and err.count("\n") == 1


def test_rules_and_help_load_no_kernels() -> None:
    """In a fresh process: no numpy, no numba."""
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from hongzhong.cli import main\n"
        "for arguments in (['rules'], ['rules', 'hebei'], ['rules', '--json'], ['--help'], ['score', '--help']):\n"
        "    assert CliRunner().invoke(main, arguments).exit_code == 0, arguments\n"
        "print([m for m in ('numpy', 'numba') if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
