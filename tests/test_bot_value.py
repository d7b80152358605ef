"""The bot ``value``: it plays from its view alone, follows prices and payments, never the name of a rule set, and says why."""

from __future__ import annotations

import re
import time
from pathlib import Path

import numpy as np
import pytest

import hongzhong.aims
from hongzhong import actions, bots, events, rules
from hongzhong.aims import PAIRS, PUNGS, SETS, STRAIGHT, aims_of
from hongzhong.bots.sight import compiled
from hongzhong.bots.value import ValueBot, weights_of
from hongzhong.kernels import weights
from hongzhong.layout import compile_rules
from hongzhong.match import Match
from hongzhong.round import Prompt
from hongzhong.simulate import Table, simulate
from hongzhong.tiles import parse_mpsz
from tests.test_bots import play

RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize(
    "options", [{}, {"concealed_kong_visible": True, "kong_points": (1, 1, 2)}, {"calls": "manual", "hands": 3}]
)
@pytest.mark.parametrize("seated", [("value", "value", "value", "value"), ("value", "greedy", "value", "value")])
def test_a_batch_of_value_is_decision_by_decision_what_the_bots_choose(
    name: str, options: dict[str, object], seated: tuple[str, ...]
) -> None:
    """The batch knows all hands, the bots see masked events: the same answers at every prompt, so its kernel does not peek."""
    table = Table(rules.load(name, options), seated, 31)
    assert table.chunk > 1
    together = table.play(0, 5)
    for number in range(5):
        result, played = table.play_one(number)
        _, match = table.lay(number)
        play(match, [bots.make(bot) for bot in seated])
        assert match.events == played
        assert np.array_equal(result[0], together[number])


def test_value_wins_more_than_random_in_a_batch() -> None:
    stats = simulate(rules.load("hebei"), 200, bots=("value", "random", "value", "random"), seed=2, jobs=2)
    sums = stats.by_bot()
    assert sums["value"][1].score > 200 and sums["random"][1].wins < sums["value"][1].wins / 5


@pytest.mark.parametrize("name", RULE_SETS)
def test_value_beats_random_choices_of_greedy_distance(name: str) -> None:
    """Two against two over the same deals in both seatings; far fewer hands than docs/bots.md measures, so the bar is low."""
    hands = 300
    one = Table(rules.load(name), ("value", "greedy", "value", "greedy"), 5).play(0, hands)["scores"]
    two = Table(rules.load(name), ("greedy", "value", "greedy", "value"), 5).play(0, hands)["scores"]
    gains = (one[:, [0, 2]].sum(axis=1) + two[:, [1, 3]].sum(axis=1)) / 4
    assert gains.mean() > -2 * gains.std() / hands**0.5


def view_of(name: str, hand: str, options: dict[str, object] | None = None) -> tuple[ValueBot, Prompt]:
    """Seat 0, the dealer, is dealt ``hand`` (14 tiles, the last one drawn), and is asked."""
    sheet = rules.load(name, options or {})
    kinds = parse_mpsz(hand)
    rest = [kind for kind, copies in enumerate(sheet.sheet.copies) for _ in range(copies)]
    for kind in kinds:
        rest.remove(kind)
    rng = np.random.default_rng(1)
    rng.shuffle(rest)
    wall: list[int] = []
    own = iter(kinds)
    for place in range(53):
        seat = 0 if place == 52 else (place // 4 if place < 48 else place) % 4
        wall.append(next(own) if seat == 0 else rest.pop())
    from hongzhong.round import Round

    hand_of_play = Round(sheet, wall + rest, dealer=0)
    bot = ValueBot()
    bot.start(sheet, 0)
    for event in hand_of_play.events:
        seen = events.masked(event, 0)
        if seen is not None:
            bot.see(seen)
    prompt = hand_of_play.prompt(0)
    assert prompt is not None
    return bot, prompt


def test_reasons_rank_the_answers_and_begin_with_the_choice() -> None:
    bot, prompt = view_of("hebei", "123456m99p46s157z3p")
    chosen = bot.choose(prompt)
    reasons = bot.reasons(prompt)
    assert reasons[0].action == chosen
    assert {reason.action for reason in reasons} == set(prompt.actions)
    totals = [reason.total for reason in reasons]
    assert totals == sorted(totals, reverse=True)
    assert all(0 <= reason.danger < 1 and reason.distance >= 0 for reason in reasons)


def test_a_win_is_taken() -> None:
    bot, prompt = view_of("inner_mongolia", "123m456p789s11z55m1z")
    assert bot.choose(prompt) == actions.WIN_BY_DRAW
    assert bot.reasons(prompt)[0].action == actions.WIN_BY_DRAW


def test_prices_decide_not_names() -> None:
    """With flushes worth much, nine tiles of a suit lead to one; with flushes worth nothing they do not."""
    hand = "1358m2467m99m55s12p"
    dear, prompt = view_of("inner_mongolia", hand, {"price.full_flush": 60})
    assert dear.choose(prompt) >= 9
    aims = compiled(rules.load("inner_mongolia", {"price.full_flush": 0}))
    assert not any(aim["aim_way"] == SETS and aim["aim_suit"] == 0 and aim["aim_bits"] >> 4 & 1 for aim in aims[1:])


def test_aims_follow_the_sheet() -> None:
    def ways(name: str, **options: object) -> list[tuple[int, int]]:
        aims = aims_of(compile_rules(rules.load(name, dict(options))))
        return [(int(aim["aim_way"]), int(aim["aim_suit"])) for aim in aims[1:]]

    assert (STRAIGHT, 0) in ways("hebei")
    assert (PUNGS, -1) in ways("hebei")
    assert (SETS, 3) in ways("hebei")  # all honours
    assert (SETS, 3) not in ways("hebei_108")
    assert (PUNGS, -1) not in ways("qiqihar")
    assert (PAIRS, -1) in ways("qiqihar")
    assert max(len(ways(name)) for name in RULE_SETS) <= hongzhong.aims.MAX_AIMS


@pytest.mark.parametrize("name", RULE_SETS)
def test_tempo_is_measured_under_the_rule_set(name: str) -> None:
    found = weights_of(rules.load(name))
    hazard = found[weights.HAZARD : weights.HAZARD + 6]
    assert hazard[0] < hazard[5] < 0.6
    assert found[weights.LOSS] > 0
    assert found[weights.DEAL_LOSS] > 0
    assert np.array_equal(found, weights_of(rules.load(name, {"hands": 3})))


def test_a_decision_takes_less_than_five_milliseconds() -> None:
    for name in RULE_SETS:
        match = Match(rules.load(name, {"hands": 1}), seed=3)
        seated = [ValueBot() for _ in range(4)]
        slow: list[float] = []

        def timed(bot: ValueBot, prompt: Prompt, slow: list[float] = slow) -> int:
            began = time.perf_counter()
            chosen = ValueBot.choose(bot, prompt)
            slow.append(time.perf_counter() - began)
            return chosen

        for bot in seated:
            bot.choose = lambda prompt, bot=bot: timed(bot, prompt)  # type: ignore[method-assign,misc]
        play(match, list(seated))
        assert sorted(slow)[len(slow) // 2] < 0.005


def test_nothing_asks_which_rule_set_it_is() -> None:
    package = Path(hongzhong.aims.__file__).parent
    ids = "|".join(RULE_SETS)
    for path in (*(package / "bots").glob("*.py"), *(package / "kernels").glob("*.py"), package / "aims.py"):
        assert not re.search(rf"[\"'](?:{ids})[\"']", path.read_text(encoding="utf-8")), path.name


def test_a_beginner_errs_by_its_seed() -> None:
    def answers(name: str, seed: int) -> list[tuple[int, int]]:
        match = Match(rules.load("hebei_108", {"hands": 2}), seed=11)
        return play(match, [bots.make(name, seed + seat) for seat in range(4)])

    assert answers("beginner", 1) == answers("beginner", 1)
    assert answers("beginner", 1) != answers("beginner", 2)
    assert answers("beginner", 1) != answers("greedy", 1)


def test_every_level_has_a_name_in_both_languages() -> None:
    from hongzhong.texts import bots as texts

    assert set(texts.LEVELS) == set(texts.ABOUT) == set(bots.LEVELS) <= set(bots.names())
    assert texts.LEVELS["search"][1] == "大师"
