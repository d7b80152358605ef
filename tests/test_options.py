"""Every option matters: for each one that a sheet offers a probe gives another outcome when its value changes.

A probe is a hand to score or a rigged hand of play; ``test_every_offer_has_a_probe`` fails for an option without one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hongzhong import actions, rules
from hongzhong.events import Kong, Pay, Win
from hongzhong.match import Match
from hongzhong.round import Round
from hongzhong.rules.variant import RuleSet
from hongzhong.score import Hand, ScoreError, Seats, scorer_of
from hongzhong.tiles import parse_meld, parse_mpsz, parse_tile
from hongzhong.view import seats_around
from tests.playing import PLAYERS, by_chance, play_on
from tests.rigged import rigged_wall

BUILT_IN = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
Probe = Callable[[RuleSet], Any]


def hand(concealed: str, tile: str, by: str, melds: str = "", seats: Seats | None = None, **flags: bool) -> Probe:
    """A probe that scores a hand: points and payments, or the reason."""

    def probe(ruleset: RuleSet) -> Any:
        scorer = scorer_of(ruleset)
        checked = scorer.check(
            parse_mpsz(concealed), [parse_meld(m) for m in melds.split()], parse_tile(tile), by, seats=seats, **flags
        )
        verdict = scorer.verdict(checked)
        return (verdict.points, verdict.payments) if verdict.win else verdict.reason

    return probe


def play(ruleset: RuleSet, table: Round, script: dict[int, list[str]], limit: int = 400) -> list[Any]:
    """Plays a hand: each seat takes the next action of its script as soon as that is legal, else passes, or discards what it drew."""
    for _ in range(limit):
        if table.over:
            break
        seat = table.asked()[0]
        legal = table.legal(seat)
        wanted = script.get(seat, [])
        if wanted and actions.number_of(wanted[0]) in legal:
            table.step(seat, actions.number_of(wanted.pop(0)))
            continue
        prompt = table.prompt(seat)
        assert prompt is not None
        if actions.PASS in legal:
            table.step(seat, actions.PASS)
        else:
            drawn = [a for a in legal if a < actions.PASS and a == prompt.tile]
            table.step(seat, drawn[0] if drawn else max(a for a in legal if a < actions.PASS))
    return table.events


PLAIN_SEATS = Seats(winner=2, dealer=1, source=0)
OPEN = {  # a hand that wins plainly on 4p in each rule set
    "qiqihar": ("123m456m55m23p", "4p", "(999p)"),
    "hebei": ("123m456m55m23p", "4p", "(999p)"),
    "hebei_108": ("123m456m55m23p", "4p", "(999p)"),
    "inner_mongolia": ("123m456s55m23p", "4p", "(999p)"),
}


def open_hand(name: str, by: str = "discard", seats: Seats | None = PLAIN_SEATS, **flags: bool) -> Probe:
    concealed, tile, melds = OPEN[name]
    if seats is not None and by == "draw":
        seats = Seats(seats.winner, seats.dealer)
    return hand(concealed, tile, by, melds, seats, **flags)


def payments(table: Round, what: str) -> list[list[int]]:
    return [e.deltas for e in table.events if isinstance(e, Pay) and e.for_ == what]


def kong_hand(ruleset: RuleSet) -> Any:
    """The dealer declares a concealed kong of 1m at once, then the hand is drawn out."""
    table = Round(ruleset, rigged_wall(ruleset, ["1111m"], "9p"))
    play(ruleset, table, {0: ["kong-concealed 1m"]}, 3)
    return payments(table, "kong"), [e.hidden_ for e in table.events if isinstance(e, Kong)], table.view(1).remaining


def exposed_kong_hand(ruleset: RuleSet) -> Any:
    """Seat 2 makes an exposed kong of the dealer's 1m."""
    table = Round(ruleset, rigged_wall(ruleset, ["", "", "111m"], "1m"))
    play(ruleset, table, {0: ["discard 1m"], 2: ["kong-exposed 1m"]}, 6)
    return payments(table, "kong")


READY = {  # hands ready for 1p and 4p: plain ones for seats 1 and 2, and a straight
    "inner_mongolia": ("234m567s22m678p23p", "345m678s55m678p23p", "123m456s789m55s23p"),
    "other": ("234m567m22m678p23p", "345m678m55m678p23p", "123456789m55p23p"),
}


def win_hand(winners: dict[int, int], dealer: int = 0) -> Probe:
    """The dealer discards 4p, on which the given seats win with the given hands of ``READY``."""

    def probe(ruleset: RuleSet) -> Any:
        hands = ["", "", "", ""]
        for seat, which in winners.items():
            hands[seat] = READY.get(ruleset.id, READY["other"])[which]
        table = Round(ruleset, rigged_wall(ruleset, hands, "4p"))
        play(ruleset, table, {0: ["discard 4p"]} | {seat: ["win-claim"] for seat in winners})
        return [e.seat for e in table.events if isinstance(e, Win)], table.next_dealer, table.scores

    return probe


def locked_hand(ruleset: RuleSet) -> Any:
    """Seat 3 is ready for 1p and 4p, passes the dealer's 4p, and sees seat 1 discard another."""
    ready = READY.get(ruleset.id, READY["other"])[2]
    table = Round(ruleset, rigged_wall(ruleset, ["", "", "", ready], "4p4p"))
    table.step(0, actions.number_of("discard 4p"))
    while not table.over and table.asked()[0] == 3:
        table.step(3, actions.PASS)
    while 1 not in table.asked():
        table.step(table.asked()[0], actions.PASS)
    table.step(1, actions.number_of("discard 4p"))
    return table.asked(), table.legal(3)


def following_hand(ruleset: RuleSet) -> Any:
    """All four seats discard an east first."""
    kind = "1z" if ruleset.sheet.copies[27] else "9p"
    table = Round(ruleset, rigged_wall(ruleset, ["", "", "", ""], kind * 4))
    play(ruleset, table, {seat: [f"discard {kind}"] for seat in range(4)}, 12)
    return payments(table, "follow_dealer")


def four_kongs(ruleset: RuleSet) -> Any:
    """The dealer draws four concealed kongs in a row."""
    table = Round(ruleset, rigged_wall(ruleset, ["1111m2222m3333m4m"], "4m", tail="4m4m9p9s"))
    play(ruleset, table, {0: [f"kong-concealed {n}m" for n in (1, 2, 3, 4)]}, 4)
    return table.over, table.next_dealer


def live_tiles(ruleset: RuleSet) -> Any:
    return Round(ruleset, rigged_wall(ruleset), dice=[[1, 2], [3, 4]]).view(0).remaining


def manual_actions(ruleset: RuleSet) -> Any:
    table = Round(ruleset, rigged_wall(ruleset))
    return actions.FALSE_WIN in table.legal(0)


def match_length(ruleset: RuleSet) -> Any:
    return Match(ruleset, ["a", "b", "c", "d"], seed=1).events[0]


def hands_played(ruleset: RuleSet) -> Any:
    return len(play_on(Match(ruleset, PLAYERS, seed=4), by_chance(4)).dealers)


def direction(ruleset: RuleSet) -> Any:
    return seats_around(ruleset, 0)


SEVEN = "1133557799m226m"
PROBES: dict[str, dict[str, tuple[Any, Probe]]] = {}
for _name in BUILT_IN:
    PROBES[_name] = {
        "hands": (3, match_length),
        "rounds": (1, hands_played),
        "base_point": (5, open_hand(_name)),
        "cap": (1, open_hand(_name, seats=Seats(2, 2, 0)) if _name.startswith("hebei") else hand(*(
            ("234m567m99m78m", "6m", "discard", "(111m)") if _name == "qiqihar" else
            ("345m678m55m46m", "5m", "discard", "(234m)")), seats=PLAIN_SEATS)),
        "calls": ("manual", manual_actions),
        "discard_wins": (False, open_hand(_name)),
        "discard_pays": ("discarder_for_all", open_hand(_name)),
        "dealer_multiplier": (3, open_hand(_name, seats=Seats(2, 0, 0))),
        "multi_win": ("nearest" if _name == "qiqihar" else "all", win_hand({1: 0, 2: 1})),
        "rob_kong": (_name != "qiqihar", open_hand(_name, by="kong", seats=None)),
        "dealer_rule": ("next" if _name == "inner_mongolia" else "winner", win_hand({2: 2})),
        "pass_lock": ("win", locked_hand),
        "kong_points": ((1, 2, 3), kong_hand),
        "concealed_kong_visible": (True, kong_hand),
        "play_direction": ("counter_clockwise" if _name == "qiqihar" else "clockwise", direction),
    }  # fmt: skip
PROBES["qiqihar"] |= {
    "wild_discard_wins": (False, hand("123m456m55m23p", "7z", "discard", "(999p)")),
    "fifth_copy": (False, hand("1m444p", "7z", "draw", "(111m) (222m) (333p)")),
    "concealed_on_discard": (False, hand("123m456m789m55p23p", "1p", "discard")),
    "concealed_kong_keeps_concealed": (True, hand("345m678m99p45p", "6p", "draw", "[2222m]")),
    "seven_pairs_adds_concealed": (True, hand("11335577m22446p", "6p", "discard")),
    "last_discard_counts": (True, open_hand("qiqihar", last_tile=True)),
    "melded_hand_multiplier": (2, hand("5m", "5m", "discard", "(111m) (222m) (333p) (444p)")),
}
PROBES["inner_mongolia"] |= {
    "three_suits": ("off", hand("123m456m99m23p", "4p", "draw", "(777p)")),
    "honours_are_terminals": (True, hand("234m456s77s23p", "4p", "draw", "(111z)")),
    "seven_pairs_258": (True, hand("22m33m55p77p22s44s6s", "6s", "draw")),
    "thirteen_orphans": (True, hand("19m19s19p1234567z", "7z", "draw")),
    "fan_points": ("doubling", hand("345m678m55m46m", "5m", "discard", "(234m)")),
    "concealed_kong_keeps_concealed": (False, hand("123m456s99s23m", "4m", "discard", "[7777p]")),
    "concealed_on_discard": (False, hand("123m456p789s111z5m", "5m", "discard")),
    "seven_pairs_adds_concealed": (False, hand("11m33m55p77p22s44s9s", "9s", "draw")),
    "earth_on_first_draw": (True, hand("123m456p789s111z5m", "5m", "draw", seats=Seats(1, 0), first_turn=True)),
    "last_discard_counts": (True, open_hand("inner_mongolia", last_tile=True)),
}
for _name in ("hebei", "hebei_108"):
    PROBES[_name] |= {
        "colour_rule": ("eight_only" if _name == "hebei" else "two_suits", hand("123456789m55p67s", "8s", "discard")),
        "concealed_kong_keeps_concealed": (True, hand("123m456m55m23p", "4p", "discard", "[9999p]")),
        "concealed_on_discard": (False, hand("123456789m55p67p", "8p", "discard")),
        "seven_pairs_adds_concealed": (False, hand("112244m557788m9m", "9m", "discard")),
        "middle_five_stacks": (False, hand("123m678m22m46m", "5m", "discard", "(999p)")),
        "dealer_stays_on_plain_win": (False, win_hand({2: 0})),
        "follow_dealer": (True, following_hand),
        "four_kongs_abort": (_name != "hebei", four_kongs),
        "reserve_stacks": (10, live_tiles),
    }
PROBES["hebei"]["any_orphan_pair"] = (True, hand("19m19s19p1234567z", "1m", "discard"))
BESIDE: dict[tuple[str, str], tuple[dict[str, Any], Any, Probe]] = {
    # options that only matter beside another one
    ("inner_mongolia", "thirteen_orphans_fan"): (
        {"thirteen_orphans": True},
        3,
        hand("19m19s19p1234567z", "7z", "draw"),
    ),
    ("inner_mongolia", "any_orphan_pair"): ({"thirteen_orphans": True}, False, hand("19m19s19p1234567z", "1m", "draw")),
} | {(name, "kong_payer"): ({"kong_points": (1, 1, 1)}, "discarder", exposed_kong_hand) for name in BUILT_IN}


def winning_hands(name: str) -> list[Hand]:
    """The handed cases that win under the rule set, and hands for rows that none of them shows."""
    scorer = scorer_of(rules.load(name))
    found = []
    for line in (Path(__file__).parent / "cases" / "score.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        request = case["in"]
        if request["rules"] == name and case["out"]["win"] and not request["options"]:
            seats = (
                Seats(request["winner"], request["dealer"], request.get("from", -1)) if "winner" in request else None
            )
            flags: dict[str, Any] = {
                flag: request.get(flag, False) for flag in ("replacement", "last_tile", "first_turn")
            }
            melds = [parse_meld(meld) for meld in request.get("melds", [])]
            concealed = parse_mpsz(request["concealed"])
            found.append(
                scorer.check(concealed, melds, parse_tile(request["win_tile"]), request["by"], seats=seats, **flags)
            )
    for tiles, tile, by, texts, *more in MORE_HANDS[name]:
        made = [parse_meld(m) for m in texts.split()]
        given: dict[str, Any] = dict.fromkeys(more, True)
        found.append(scorer.check(parse_mpsz(tiles), made, parse_tile(tile), by, **given))
    return found


MORE_HANDS: dict[str, list[tuple[str, ...]]] = {
    "qiqihar": [("5m", "5m", "discard", "(111m) (222m) (333p) (444p)")],
    "inner_mongolia": [("19m19s19p1234567z", "7z", "draw", "")],
    "hebei": [
        ("123m456m55m23p", "4p", "draw", "[9999p]", "replacement"),
        ("123456789m123p5p", "5p", "discard", ""),
    ],
    "hebei_108": [
        ("11m22m44m55m77m33p6p", "6p", "discard", ""),
        ("112244m557788m9m", "9m", "discard", ""),
        ("123456789m55p67p", "8p", "discard", ""),
        ("234m345m678m55m67m", "8m", "discard", ""),
        ("123m456m55m23p", "4p", "draw", "[9999p]", "replacement"),
        ("123m456m55m23p", "4p", "draw", "[9999p]", "last_tile"),
        ("123456789m123p5p", "5p", "discard", ""),
        ("123m678m22m46m", "5m", "discard", "(999p)"),
        ("123m345m55m89m", "7m", "draw", "(999p)"),
        ("234m678m999p123m5m", "5m", "discard", ""),
    ],
}


def outcome(name: str, options: dict[str, Any], probe: Probe) -> Any:
    try:
        return probe(rules.load(name, options))
    except ScoreError as error:
        return str(error)


CASES: list[tuple[str, str, dict[str, Any], Any, Probe]] = [
    (name, option, {}, *probe) for name, probes in PROBES.items() for option, probe in probes.items()
] + [(name, option, *rest) for (name, option), rest in BESIDE.items()]


@pytest.mark.parametrize(("name", "option", "beside", "value", "probe"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_an_option_changes_the_outcome(
    name: str, option: str, beside: dict[str, Any], value: Any, probe: Probe
) -> None:
    assert rules.load(name, beside).get(option) != value
    assert outcome(name, beside, probe) != outcome(name, {**beside, option: value}, probe)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_offer_has_a_probe(name: str) -> None:
    probed = set(PROBES[name]) | {option for sheet, option in BESIDE if sheet == name}
    assert probed == set(rules.sheet(name).options)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_price_changes_the_points(name: str) -> None:
    """For each row a handed or worked case that shows it pays differently under another price."""
    sheet = rules.sheet(name)
    missing = []
    for row in sheet.patterns:
        options: dict[str, Any] = (
            {"thirteen_orphans": True} if row.id == "thirteen_orphans" and name == "inner_mongolia" else {}
        )
        default = rules.load(name, options).prices[row.id]
        changed = rules.load(name, {**options, f"price.{row.id}": 2 * default + 97})
        if not any(
            scorer_of(changed).worth(h)[0] != scorer_of(rules.load(name, options)).worth(h)[0]
            for h in winning_hands(name)
        ):
            missing.append(row.id)
    assert missing == []
