"""Bots see masked events and prompts: they play whole matches, and the greedy one as its kernel does in batches."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hongzhong import actions, bots, events, rules
from hongzhong.cli import main
from hongzhong.layout import RESULT
from hongzhong.match import Match
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.simulate import Table, simulate

RULE_SETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")


def play(match: Match, seated: list[bots.Bot]) -> list[tuple[int, int]]:
    """Plays a match through masked events; every answer given."""
    answers: list[tuple[int, int]] = []
    told = 0
    for seat, bot in enumerate(seated):
        bot.start(match.rules, seat)
    while not match.over:
        for event in match.events[told:]:
            for seat, bot in enumerate(seated):
                seen = events.masked(event, seat)
                if seen is not None:
                    bot.see(seen)
        told = len(match.events)
        for prompt in [p for p in map(match.prompt, match.asked()) if p is not None]:
            action = seated[prompt.seat].choose(prompt)
            assert action in prompt.actions
            match.step(prompt.seat, action)
            answers.append((prompt.seat, action))
    return answers


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("options", [{}, {"calls": "manual", "concealed_kong_visible": True, "kong_points": (1, 1, 2)}])
def test_the_greedy_bot_plays_as_its_kernel(name: str, options: dict[str, Any]) -> None:
    """The batch sees the whole state, the bot only its masked events: the same choices prove that the kernel does not peek."""
    table = Table(rules.load(name, options), ("greedy",) * 4, 17)
    for number in range(25):
        result, played = table.play_one(number)
        match = table._match(number, result[0])
        answers = play(match, [bots.make("greedy") for _ in range(4)])
        assert match.events == played
        assert len(answers) == result[0]["steps"]


@pytest.mark.parametrize("name", RULE_SETS)
def test_random_bots_play_whole_matches(name: str) -> None:
    first, again = (
        play(Match(rules.load(name, {"hands": 3}), seed=5), [bots.make("random", seat) for seat in range(4)])
        for _ in range(2)
    )
    assert first == again
    assert first != play(
        Match(rules.load(name, {"hands": 3}), seed=5), [bots.make("random", 9 + seat) for seat in range(4)]
    )


def test_the_random_bot_is_uniform() -> None:
    bot = bots.make("random", 1)
    prompt = Prompt("claim", 0, (actions.PASS, actions.PUNG, actions.WIN_BY_CLAIM), 3, 1)
    counts = np.bincount([prompt.actions.index(bot.choose(prompt)) for _ in range(3000)])
    assert ((counts - 1000) ** 2 / 1000).sum() < 14


def test_greedy_never_calls_a_false_win() -> None:
    for name in RULE_SETS:
        stats = simulate(rules.load(name, {"calls": "manual"}), 300, seed=2)
        assert stats.ends["false_win"] == 0
        assert stats.ends["win"] > 0


class Cautious:
    """A foreign bot: discards what it can, claims nothing, and looks at what it is told."""

    def __init__(self, seed: int) -> None:
        self.told: list[events.Event] = []

    def start(self, ruleset: RuleSet, seat: int) -> None:
        self.seat = seat

    def see(self, event: events.Event) -> None:
        if isinstance(event, events.Draw | events.Deal) and event.seat != self.seat:
            assert set(event.tile if isinstance(event, events.Draw) else event.tiles) == {"?"}
        assert not isinstance(event, events.Hand) or event.wall == ""
        self.told.append(event)

    def choose(self, prompt: Prompt) -> int:
        return actions.PASS if actions.PASS in prompt.actions else prompt.actions[0]


class Broken(Cautious):
    def choose(self, prompt: Prompt) -> int:
        return 143


def installed(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    found = [EntryPoint(name.lower(), f"tests.test_bots:{name}", bots.GROUP) for name in names]
    monkeypatch.setattr(bots, "entry_points", lambda group: found if group == bots.GROUP else [])


def test_bots_of_other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, "Cautious", "Broken", "Missing")
    assert bots.names() == ["random", "beginner", "greedy", "value", "search", "broken", "cautious", "missing"]
    seated = ("cautious", "greedy", "random", "cautious")
    one = simulate(rules.load("qiqihar"), 30, bots=seated, seed=1, jobs=1)
    assert one.as_data() == simulate(rules.load("qiqihar"), 30, bots=seated, seed=1, jobs=2).as_data()
    assert one.seats[1].wins > 10
    with pytest.raises(bots.BotError, match=r"bot 'missing' \(tests.test_bots:Missing\) cannot be loaded"):
        bots.make("missing")
    with pytest.raises(ValueError, match=r"bot 'broken' on seat \d of hand 1: it answered 143, legal are"):
        simulate(rules.load("qiqihar"), 3, bots=("broken",), seed=1)


class Tired(Cautious):
    """Plays two hands and then fails."""

    started = 0

    def start(self, rules: RuleSet, seat: int) -> None:
        Tired.started += 1
        if Tired.started > 2:
            raise RuntimeError("no more")
        super().start(rules, seat)


@pytest.mark.parametrize("recorded", [False, True])
def test_hands_played_before_a_bot_fails_are_kept(monkeypatch: pytest.MonkeyPatch, recorded: bool) -> None:
    installed(monkeypatch, "Tired")
    monkeypatch.setattr(Tired, "started", 0)
    seated = ("tired", "greedy", "greedy", "greedy")
    kept = simulate(
        rules.load("qiqihar"), 9, bots=seated, seed=1, jobs=1, record=(lambda events: None) if recorded else None
    )
    assert kept.hands == 2
    assert kept.error == "bot 'tired' on seat 0 of hand 3: RuntimeError: no more"
    monkeypatch.setattr(Tired, "started", 0)
    ran = CliRunner().invoke(main, ["simulate", "9", "--rules", "qiqihar", "--bots", ",".join(seated), "--lang", "en"])
    assert ran.exit_code == 2 and "2 hands of Qiqihar" in ran.stdout
    assert ran.stderr.endswith("hongzhong: bot 'tired' on seat 0 of hand 3: RuntimeError: no more\n")


def test_unknown_bots_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        bots.BotError, match="unknown bot 'grandmaster'; known: random, beginner, greedy, value, search"
    ):
        bots.make("grandmaster")


def test_the_walls_of_foreign_bots_are_those_of_the_batch() -> None:
    """Who plays does not change what is dealt."""
    table = Table(rules.load("hebei"), ("greedy",) * 4, 3)
    result, played = table.play_one(8)
    wall = table.wall.copy()
    again = np.zeros(1, RESULT)
    other = Table(rules.load("hebei"), ("random",) * 4, 3)
    again, replayed = other.play_one(8)
    assert np.array_equal(wall, other.wall)
    assert played[1] == replayed[1] and again["dice"].tolist() == result["dice"].tolist()
