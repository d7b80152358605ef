"""The sheet schema: what it holds, what it refuses, how options resolve."""

from dataclasses import replace
from pathlib import Path

import pytest

from hongzhong import rules
from hongzhong.rules.hebei import SHEET as HEBEI
from hongzhong.rules.values import RuleError, parse_value
from hongzhong.rules.variant import Bar, Condition, Form, Offer, Pattern, When
from hongzhong.rules.vocabulary import OPTIONS, Text

BUILT_IN = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
RED_DRAGON = Path(__file__).parent / "sheets" / "red_dragon.py"


def test_four_rule_sets_and_their_tiles() -> None:
    assert {name: sum(rules.sheet(name).copies) for name in BUILT_IN} == {
        "qiqihar": 112, "inner_mongolia": 136, "hebei": 136, "hebei_108": 108,
    }  # fmt: skip


@pytest.mark.parametrize("name", BUILT_IN)
def test_options_in_force_resolve_to_themselves(name: str) -> None:
    loaded = rules.load(name)
    assert rules.load(name, loaded.in_force()).in_force() == loaded.in_force()
    assert loaded.changed() == {}


@pytest.mark.parametrize("name", BUILT_IN)
def test_six_questions_are_asked_when_a_table_is_made(name: str) -> None:
    assert sum(offer.asked for offer in rules.sheet(name).options.values()) == 6


def test_defaults_of_the_rulings() -> None:
    """C9, QQ, IM, HB: each default as ruled."""
    q, n, h, h108 = (rules.load(name) for name in BUILT_IN)
    assert [r.get("dealer_multiplier") for r in (q, n, h, h108)] == [1, 1, 2, 2]  # C9 H19
    assert [r.get("rob_kong") for r in (q, n, h, h108)] == [True, False, False, False]  # Q18 N15 H28
    assert [r.get("multi_win") for r in (q, n, h, h108)] == ["all", "nearest", "nearest", "nearest"]  # Q20 N16 H28
    assert [r.get("dealer_rule") for r in (q, n, h, h108)] == ["next", "winner", "next", "next"]  # Q2 N20 H27
    assert [r.get("discard_pays") for r in (q, n, h, h108)] == ["discarder", "discarder", "all", "all"]  # Q19 N5 H20
    assert [r.get("play_direction") for r in (q, n)] == ["clockwise", "counter_clockwise"]  # Q1 C1
    assert h.get("colour_rule") == "two_suits" and h108.get("colour_rule") == "eight_only"  # H3 H4
    assert h.get("four_kongs_abort") is True and h108.get("four_kongs_abort") is False  # H24
    assert h.get("reserve_stacks") == 6 and h.get("hands") == 8  # H25 C9


def test_a_named_price_and_its_option_are_one() -> None:
    assert rules.load("qiqihar", {"melded_hand_multiplier": 2}).prices["melded_hand"] == 2
    assert rules.load("qiqihar", {"price.melded_hand": 2}).get("melded_hand_multiplier") == 2
    with pytest.raises(RuleError, match="conflict"):
        rules.load("qiqihar", {"melded_hand_multiplier": 3, "price.melded_hand": 2})


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("hebei", {"fifth_copy": True}, "unknown option 'fifth_copy'"),
        ("hebei", {"price.heaven": 3}, "unknown option"),
        ("hebei", {"colour_rule": "any"}, "two_suits, eight_only"),
        ("hebei", {"reserve_stacks": 21}, "0 to 20 or dice"),
        ("hebei", {"reserve_stacks": True}, "bad value True"),
        ("qiqihar", {"price.concealed": 0}, "wrong price 0"),
        ("qiqihar", {"price.concealed": 1001}, "wrong price"),
        ("qiqihar", {"kong_points": (1, 2)}, "three whole numbers"),
        ("qiqihar", {"cap": 0}, "bad value 0"),
        ("inner_mongolia", {"discard_wins": False, "rob_kong": True}, "conflict"),
        ("inner_mongolia", {"thirteen_orphans_fan": 5}, "thirteen_orphans=true"),
        ("inner_mongolia", {"fan_points": "doubling", "price.full_flush": 40}, "doubled"),
        ("qiqihar", {"base_point": 100} | {f"price.{p}": 1000 for p in ("concealed", "full_flush", "last_tile", "wild_pair", "seven_pairs")}, "2\\^53"),
        ("qiqihar", {"kong_payer": "discarder"}, "nothing is paid"),
        ("mars", {}, "known: qiqihar"),
    ],
)  # fmt: skip
def test_wrong_options_say_what_would_be_right(name: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        rules.load(name, options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": 5}, "sets = 5"),
        ({"claims": ("chow", "steal")}, "unknown mechanism 'steal'"),
        ({"forms": (Form("knitted", "X"),)}, "unknown mechanism 'knitted'"),
        ({"conditions": (Condition(id="no_dots", ruling="X", reason="x", text=Text("x", "x")),)}, "'no_dots'"),
        (
            {"patterns": (Pattern(id="nine_gates", kind="base", value=1, ruling="X", name=Text("x", "x")),)},
            "'nine_gates'",
        ),
        ({"patterns": (Pattern(id="plain", kind="times", value=0, ruling="X", name=Text("x", "x")),)}, "wrong price 0"),
        (
            {
                "patterns": (
                    Pattern(
                        id="plain", kind="base", value=1, ruling="X", name=Text("x", "x"), barred_by=(Bar("plain"),)
                    ),
                )
            },
            "above it",
        ),
        ({"offers": (Offer("auction", 1, "X"),)}, "'auction'"),
        ({"offers": (Offer("cap", "many", "X"),)}, "bad value 'many'"),
        ({"forms": (Form("seven_pairs", "X", When("moon", (1,))),)}, "'moon'"),
        ({"wild": ("8z",)}, "'8z'"),
        ({"tiles": {"m": 4}}, "too few"),
        ({"tiles": {"m": 5, "s": 4, "p": 4}}, "0 to 4"),
    ],
)
def test_a_sheet_that_names_what_we_lack_is_refused_by_name(changes: dict[str, object], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        replace(HEBEI, **changes)  # type: ignore[arg-type]


def test_a_sheet_from_a_file() -> None:
    loaded = rules.load(str(RED_DRAGON))
    assert loaded.id == "red_dragon" and loaded.get("discard_wins") is False


def test_a_bad_file_gives_one_line(tmp_path: Path) -> None:
    for content, message in [
        ("1/0", "ZeroDivisionError"),
        ("x = 1", "defines no SHEET"),
        ("import nothing_here", "ModuleNotFound"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
    ]:
        path = tmp_path / "sheet.py"
        path.write_text(content)
        with pytest.raises(RuleError, match=message):
            rules.sheet(str(path))
    with pytest.raises(RuleError, match="no rule sheet"):
        rules.sheet(str(tmp_path / "none.py"))


def test_typed_values() -> None:
    assert [parse_value(t) for t in ("true", "No", "none", "5", "1, 1,2", "dice")] == [
        True,
        False,
        None,
        5,
        (1, 1, 2),
        "dice",
    ]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_offer_is_named_in_both_languages(name: str) -> None:
    sheet = rules.sheet(name)
    texts = [sheet.name, sheet.summary, *(p.name for p in sheet.patterns), *(c.text for c in sheet.conditions)]
    for text in texts + [OPTIONS[o].name for o in sheet.options]:
        assert text.en.isascii() and not text.zh.isascii()


@pytest.mark.parametrize("orphans", [False, True])
def test_fan_may_be_doubled_at_the_prices_of_the_document(orphans: bool) -> None:
    """N4: a hand has four kongs at most, and thirteen orphans only where they are played."""
    loaded = rules.load("inner_mongolia", {"fan_points": "doubling", "thirteen_orphans": orphans})
    assert loaded.get("fan_points") == "doubling"


def test_the_same_options_are_one_rule_set() -> None:
    """Hundreds of tables of the same rules compile them once."""
    plain = rules.load("hebei")
    assert rules.load("hebei", {"hands": 8, "cap": None}) is plain is not rules.load("hebei", {"hands": 4})
    assert rules.load("hebei", dict(plain.in_force())) is plain
    assert rules.load("hebei", {"kong_points": [1, 1, 2]}) is rules.load("hebei", {"kong_points": (1, 1, 2)})
    assert rules.load("hebei_108") is not plain
