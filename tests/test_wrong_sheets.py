"""The sheet of docs/add-a-region.md with one slip each: refused in one line that says what, where and what would be right."""

from __future__ import annotations

import json
import re
from dataclasses import fields, replace
from importlib.metadata import EntryPoint
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from hongzhong import rules
from hongzhong.cli import main
from hongzhong.layout import compile_rules
from hongzhong.rules.checks import _REQUEST
from hongzhong.rules.hebei import SHEET as HEBEI
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import Bar, Offer, Wall, When
from hongzhong.rules.vocabulary import Text
from hongzhong.score.lines import _FIELDS

PAGE = Path(__file__).parent.parent / "docs" / "add-a-region.md"
OURS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
HAND = '{"concealed": "1133557799m446m", "win_tile": "6m", "by": "draw"}'
SEVEN = 'Pattern(id="seven_pairs", kind="times", value=4, ruling="R2", name=Text("seven pairs", "七对")),'
FORMS = '(Form("four_sets", "R0"), Form("seven_pairs", "R0"))'
CLAIMS = '("pung", "exposed_kong", "added_kong", "concealed_kong")'
OFFERS = '(Offer("rob_kong", True, "R4"), Offer("multi_win", "all", "R4"))'
ENDS = "    examples=("

TYPES = [
    ('Text("Ours", "我们的麻将")', '"Ours"', """name is 'Ours'; it must be a Text("English", "中文")"""),
    ('Text("Ours", "我们的麻将")', 'Text("Ours", None)', "name.zh is None; it must be a text"),
    ('Text("Ours", "我们的麻将")', 'Text("Ours", "我们\\n的")', "name.zh is '我们\\n的'; it must be a text on one line"),
    ('Text("Ours", "我们的麻将")', '(Text("Ours", "我们的麻将"),)', "is there a comma too many?"),
    ('Text("Ours", "我们的麻将")', '("Ours", "我们的麻将")', "name is ('Ours', '我们的麻将'); it must be a Text"),
    ('summary=Text("108 tiles, no chow, a suit must be lacking", "108张，不吃，缺一门")', "summary=None", "summary is None"),
    ('Text("a suit must be lacking", "必须缺一门")', '"no"', "conditions['at_most_two_suits'].text is 'no'; it must be a Text"),
    ('Text("plain win", "平胡")', "None", "patterns['plain'].name is None; it must be a Text"),
    ('kind="base"', 'kind="basis"', "patterns['plain'].kind is 'basis'; it must be 'base' or 'fan' or 'times'"),
    ('ruling="R1"', "ruling=None", "conditions['at_most_two_suits'].ruling is None; it must be a text"),
    ('tiles_ruling="R0"', 'tiles_ruling=" "', "tiles_ruling is ' '; it must be a text on one line, not empty"),
    ('first_dealer="random"', 'first_dealer="me"', "first_dealer is 'me'; it must be 'dice' or 'random' or 'winds'"),
    (ENDS, '    drawn_dealer="zzz",\n' + ENDS, "drawn_dealer is 'zzz'; it must be 'stay' or 'next'"),
    (ENDS, '    kong_drawn_dealer=0,\n' + ENDS, "kong_drawn_dealer is 0; it must be 'stay' or 'next', or None"),
    (ENDS, "    false_win=3,\n" + ENDS, "false_win is 3; it must be a FalseWin(...), or None"),
    (ENDS, "    wall=None,\n" + ENDS, "wall is None; it must be a Wall(...)"),
    ("revision=1", 'revision="x"', "revision is 'x'; it must be a whole number"),
    ("revision=1", "revision=True", "revision is True; it must be a whole number"),
    ('id="ours"', "id=5", "rule set 5: id is 5; it must be a text"),
    ('{"m": 4, "s": 4, "p": 4}', '"msp"', "tiles is 'msp'; it must be a dict such as {'m': 4}"),
    ('{"m": 4, "s": 4, "p": 4}', '{"m": "4", "s": 4, "p": 4}', "tiles['m'] is '4'; it must be a whole number"),
    ('{"m": 4, "s": 4, "p": 4}', '{1: 4, "s": 4, "p": 4}', "a key of tiles is 1; it must be a text"),
    (OFFERS, '(Offer("rob_kong", True, "R4"))', "offers is Offer(id='rob_kong', default=True, ruling='R4', asked=False); it must be a tuple"),
    (OFFERS, '(Offer("rob_kong", True, "R4"))', "is a comma missing? write (Offer("),
    (OFFERS, '(Offer("kong_points", [1, 1, 2], "R4"),)', "offers['kong_points'].default is [1, 1, 2]"),
    (CLAIMS, '("pung")', "claims is 'pung'; it must be a tuple (each item a text on one line, not empty); is a comma missing? write ('pung',)"),
    (CLAIMS, '["pung"]', "claims is ['pung']; it must be a tuple (each item a text on one line, not empty); write it in parentheses"),
    (FORMS, '("four_sets",)', "forms[0] is 'four_sets'; it must be a Form(...)"),
    (FORMS, '(Form("four_sets", "R0", "three_suits"),)', "forms['four_sets'].when is 'three_suits'; it must be a When(...), or None"),
    (SEVEN, SEVEN.replace("value=4", "value=4.0"), "patterns['seven_pairs'].value is 4.0; it must be a whole number"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, barred_by=("plain",)'), "patterns['seven_pairs'].barred_by[0] is 'plain'; it must be a Bar(...)"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, requires=("plain")'), "write ('plain',)"),
    ("points=16", 'points="16"', "examples[0].points is '16'; it must be a whole number, or None"),
    (HAND, '"1133557799m446m"', "examples[0].request is '1133557799m446m'; it must be a dict"),
]  # fmt: skip
SETS_AND_RANGES = [
    ('id="ours"', 'id=""', "id is ''; it must be a text on one line, not empty"),
    ('id="ours"', 'id="a\\nb"', "rule set 'a\\nb': id is 'a\\nb'; it must be a text on one line"),
    ('id="ours"', 'id="../x y"', "id is '../x y'; it must be lower-case letters, digits and underscores"),
    ('id="ours"', 'id="o" * 41', "40 at most"),
    ('id="ours"', 'id="hebei"', "id 'hebei' is that of an installed rule set"),
    ("revision=1", "revision=0", "revision is 0; it must be a whole number from 1"),
    ('reason="three_suits"', 'reason="No suit!"', "conditions['at_most_two_suits'].reason is 'No suit!'; it must be lower-case"),
    (OURS[OURS.index("    patterns=(") : OURS.index("    first_dealer=")], "    patterns=(),\n", "patterns is (), so no win is worth anything"),
    (FORMS, "()", "forms must have one at least"),
    (FORMS, '(Form("four_sets", "R0"), Form("four_sets", "R1"))', "forms: 'four_sets' stands twice"),
    (FORMS, '(Form("four_sets", "R0", When("rob_kong", (1,))),)', "option rob_kong: bad value 1; it takes true or false"),
    (FORMS, '(Form("four_sets", "R0", When("rob_kong", ())),)', "forms['four_sets'].when.values is (), so it never holds"),
    (FORMS, '(Form("four_sets", "R0", When("rob_kong", (True,))),)', "wins whatever the options"),
    (SEVEN, SEVEN * 2, "patterns: 'seven_pairs' stands twice"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, option="rob_kong"'), "has its price from rob_kong, which is no whole number"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, option="rounds"'), "pattern 'seven_pairs' by rounds: wrong price 0"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, barred_by=(Bar("plain", unless="hands"),)'), "unless hands, which is not true or false"),
    (SEVEN, SEVEN.replace("value=4", 'value=4, requires=("plain", "plain")'), "patterns['seven_pairs'].requires: 'plain' stands twice"),
    (OFFERS, '(Offer("rob_kong", True, "R4"),) * 3', "offers: 'rob_kong' stands 3 times"),
    (OFFERS, '(Offer("rob_kong", 7, "R4"),)', "rule set 'ours': option rob_kong: bad value 7"),
    (CLAIMS, '("pung", "pung")', "claims: 'pung' stands twice"),
    ("    conditions=(\n", "    conditions=2 * (\n", "conditions: 'at_most_two_suits' stands twice"),
    (ENDS, '    wild=("5m", "5m"),\n' + ENDS, "wild: '5m' stands twice"),
    (ENDS, "    false_win=FalseWin(points=-1, dealer_points=1, dealer_steps_down=False),\n" + ENDS, "false_win.points is -1; it must be a whole number from 0 to 1000"),
    (ENDS, "    wall=Wall(aside_per_kong=0),\n" + ENDS, "wall.aside_per_kong is 0; it must be a whole number from 1 to 4"),
    (ENDS, "    wall=Wall(aside_per_kong=2),\n" + ENDS, "wall.kong_needs is 1; it must be a whole number from 2 to 20"),
    ("points=16", "points=-1", "examples[0].points is -1"),
    (HAND, HAND.replace("446m", "446x"), "examples[0].request: unknown tile at '446x'"),
    (HAND, HAND.replace("446m", "46m"), "examples[0].request['concealed'] has 12 tiles; beside 0 melds it must have 13"),
    (HAND, HAND.replace("446m", "44m?"), "examples[0].request has an unknown tile"),
    (HAND, HAND.replace("446m", "333m"), "examples[0].request has 5 copies of 3m; the rule set has 4"),
    (HAND, HAND.replace("446m", "44m5z"), "examples[0].request has 1 copies of 5z; the rule set has 0"),
    (HAND, HAND.replace('"6m"', '"66m"'), "'66m' is 2 tiles where one is wanted"),
    (HAND, HAND.replace('"6m"', "6"), "examples[0].request['win_tile'] is 6; it must be a text"),
    (HAND, HAND.replace('"draw"', '"luck"'), "examples[0].request['by'] is 'luck'; it must be 'draw', 'discard' or 'kong'"),
    (HAND, HAND.replace('"by"', '"buy"'), "examples[0].request lacks 'by'"),
    (HAND, HAND.replace("}", ', "wins": 1}'), "examples[0].request has the unknown field 'wins'"),
    (HAND, HAND.replace("}", ', "winner": 4}'), "examples[0].request['winner'] is 4; it must be a whole number from 0 to 3"),
    (HAND, HAND.replace("}", ', "melds": ["(124m)"]}'), "examples[0].request: "),
    (HAND, HAND.replace("}", ', "options": {"x": 1}}'), "examples[0].request['options']: unknown option 'x'"),
    (SEVEN, "name=Text(),", "line "),
    (OFFERS, '(Offer("rob_kong", True),)', "TypeError: Offer(...) missing 1 required positional argument: 'ruling'"),
]  # fmt: skip


def changed(tmp_path: Path, old: str, new: str) -> str:
    """The path of the page's sheet with one edit."""
    assert OURS.count(old) == 1, old
    path = tmp_path / "ours.py"
    more = OURS.replace("import Condition,", "import Bar, Condition, FalseWin, Wall, When,")
    path.write_text(more.replace(old, new), encoding="utf-8")
    return str(path)


def test_the_sheet_of_the_page_itself_is_taken(tmp_path: Path) -> None:
    assert rules.load(changed(tmp_path, "revision=1", "revision=2")).sheet.revision == 2


@pytest.mark.parametrize(("old", "new", "said"), TYPES + SETS_AND_RANGES, ids=lambda text: text.strip()[:40])
def test_a_slip_is_told_in_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(RuleError) as caught:
        rules.load(path)
    message = str(caught.value)
    assert message.startswith(path) and said in message and message.isprintable()
    for raw in (
        "object has no attribute",
        "not iterable",
        "not supported between",
        "__init__",
        "KeyError",
        "IndexError",
    ):
        assert raw not in message


@pytest.mark.parametrize("edit", [TYPES[0], TYPES[8], TYPES[22], SETS_AND_RANGES[4], SETS_AND_RANGES[8]])
@pytest.mark.parametrize(
    "command", [["rules"], ["score", "1m + 1m", "--rules"], ["simulate", "1", "--rules"], ["analyse", "1m", "--rules"]]
)
def test_the_command_line_says_it_with_code_2(tmp_path: Path, edit: tuple[str, str, str], command: list[str]) -> None:
    old, new, said = edit
    result = CliRunner().invoke(main, [*command, changed(tmp_path, old, new)])
    assert result.exit_code == 2 and isinstance(result.exception, SystemExit), result.output
    assert said in result.stderr and not result.stdout and "Traceback" not in result.output
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(("reserve", "left"), [(4, 60), (7, 54), ("dice", 20)])
def test_a_reserve_leaves_tiles_to_play_with(reserve: int | str, left: int) -> None:
    few: dict[str, Any] = {"tiles": {"m": 4, "z": 4, "1p": 4}, "wall": Wall(), "conditions": (), "examples": ()}
    offers = (*(o for o in HEBEI.offers if o.id != "reserve_stacks"), Offer("reserve_stacks", reserve, "X"))
    if left >= 56:
        assert sum(replace(HEBEI, **few, offers=offers).copies) == 68
        return
    with pytest.raises(RuleError, match=f"leaves {left} of 68 tiles; four seats need 56"):
        replace(HEBEI, **few, offers=offers)


def test_sheets_made_of_an_installed_one_keep_its_id() -> None:
    """Only a file is refused for it: there its records would be taken for those of the installed one."""
    assert replace(HEBEI, examples=()).id in rules.names()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("points=16", "points=16", None),
        ("points=16", "points=15", "examples[0] (a flush of pairs): 15 points are told, it scores 16"),
        ("points=16", "points=None", "examples[0] (a flush of pairs): no win is told, it scores 16"),
        (HAND, HAND.replace("446m", "44m1p"), "16 points are told, it does not win (incomplete)"),
        (
            HAND,
            HAND.replace("}", ', "melds": ["(345m)"]}').replace("99m446m", "99m"),
            "examples[0] (a flush of pairs): ",
        ),
    ],
)
def test_rules_scores_the_examples_of_a_file(tmp_path: Path, old: str, new: str, said: str | None) -> None:
    result = CliRunner().invoke(main, ["rules", changed(tmp_path, old, new)])
    if said is None:
        assert result.exit_code == 0 and "ours" in result.stdout
    else:
        assert result.exit_code == 2 and said in result.stderr and not result.stdout, result.output
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "target", "said"),
    [
        ("other", "hongzhong.rules.hebei:SHEET", "its sheet has the id 'hebei'"),
        ("other", "hongzhong.rules.hebei:NOTHING", "AttributeError"),
        ("other", "hongzhong.nowhere:SHEET", "ModuleNotFoundError"),
        ("other", "hongzhong.rules.hebei:FREE_OF_COLOUR", "defines no SHEET"),
    ],
)
def test_a_package_with_a_wrong_sheet(monkeypatch: pytest.MonkeyPatch, name: str, target: str, said: str) -> None:
    entry = EntryPoint(name, target, "hongzhong.rules")
    monkeypatch.setattr(rules, "entry_points", lambda group: [entry])
    with pytest.raises(RuleError, match=f"^entry point {name}.*{said}"):
        rules.sheet(name)


def test_an_example_takes_the_fields_of_a_request() -> None:
    fields = {field.encode_name: field for field in _FIELDS}
    assert set(_REQUEST) == set(fields) - {"rules", "id"}
    assert [name for name, field in fields.items() if field.required and name != "rules"] == list(_REQUEST)[:3]
    assert all(get_args(hint) or hint in (str, bool, int) for hint in _REQUEST.values())


JUNK: tuple[object, ...] = (
    None, True, 0, 1, -1, 5, 10**30, 1.5, float("nan"), "", "x", "plain", "pung", "five\u2028lines", "\ud800", b"x", (), (1,), ("x",), ((),),
    ("plain",), [], [1], {}, {"m": 4}, {"x": []}, object(), Text, Text("", ""), Text("x", "x"), When("hands", (8,)), Bar("plain"), str, len,
)  # fmt: skip
PARTS: tuple[tuple[str, int | None], ...] = (
    ("", None), ("wall", None), ("false_win", None), ("forms", 2), ("conditions", 1), ("patterns", 13), ("offers", 0), ("examples", 0),
)  # fmt: skip


@pytest.mark.parametrize(("part", "number"), PARTS)
def test_junk_in_any_field_is_refused_or_makes_a_whole_sheet(part: str, number: int | None) -> None:
    base = replace(rules.sheet("inner_mongolia"), false_win=HEBEI.false_win)
    whole: Any = base if not part else getattr(base, part)
    one: Any = whole if number is None else whole[number]
    refused = 0
    for field, junk in product(fields(one), JUNK):
        try:
            changed: Any = replace(one, **{field.name: junk})
            if number is not None:
                changed = (*whole[:number], changed, *whole[number + 1 :])
            parts: dict[str, Any] = {part: changed}
            sheet = replace(base, **parts) if part else changed
        except RuleError as error:
            refused += 1
            assert str(error).isprintable() and len(str(error)) < 700 and str(error).startswith("rule set "), error
        else:
            compile_rules(rules.resolve(sheet))
            json.dumps([request_of.request for request_of in sheet.examples])
    assert refused > 25 * len(fields(one))
