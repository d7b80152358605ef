"""Matches played by chance, for tests of matches, records and journals."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from hongzhong import bots, rules
from hongzhong.actions import FALSE_WIN, PASS, WIN_BY_CLAIM, WIN_BY_DRAW
from hongzhong.events import masked
from hongzhong.match import Match
from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import OPTIONS, OptionSpec, Value

Chooser = Callable[[int, list[int]], int]
PLAYERS = ("Ann", "Bo", "Chen", "Du")


def by_chance(seed: int) -> Chooser:
    """Any legal action, but a win is taken and a pass is as likely as all other answers together."""
    source = random.Random(seed)

    def choose(_seat: int, legal: list[int]) -> int:
        for win in (WIN_BY_DRAW, WIN_BY_CLAIM):
            if win in legal and source.random() < 0.9:
                return win
        if PASS in legal and source.random() < 0.5:
            return PASS
        return _any_of(legal, source)

    return choose


def _any_of(legal: Sequence[int], source: random.Random) -> int:
    """A legal action by chance; a false win seldom, since it may end the hand."""
    sound = [action for action in legal if action != FALSE_WIN]
    return source.choice(sound) if sound and source.random() < 0.98 else source.choice(legal)


def play_on(match: Match, choose: Chooser, moves: int | None = None) -> Match:
    """Answers every prompt until the match is over, or that many times."""
    while match.asked() and moves != 0:
        seat = match.asked()[0]
        match.step(seat, choose(seat, match.legal(seat)))
        moves = None if moves is None else moves - 1
    return match


def played(name: str, options: dict[str, Any] | None = None, seed: int = 1, **more: Any) -> Match:
    """A whole match between greedy bots."""
    given = options or {}
    ruleset: RuleSet = rules.load(name, given if "rounds" in given else {"hands": 3} | given)
    match = Match(ruleset, PLAYERS, seed=seed, **more)
    return play_on(match, greedily(match, seed))


def random_options(name: str, source: random.Random) -> dict[str, Any]:
    """Options of a rule set by chance, about a third of them changed, prices too; conflicting draws are drawn again."""
    sheet = rules.sheet(name)
    while True:
        given: dict[str, Any] = {"hands": source.randint(1, 4)}  # rounds: tests/test_match_length.py
        for option in sheet.options:
            if option not in ("hands", "rounds") and source.random() < 0.35:
                given[option] = _value(OPTIONS[option], source)
        for pattern in sheet.patterns:
            if pattern.option is None and source.random() < 0.15:
                given[f"price.{pattern.id}"] = source.randint(1, 9)
        try:
            rules.resolve(sheet, given)
        except rules.RuleError:
            continue
        return given


def _value(spec: OptionSpec, source: random.Random) -> Value:
    if spec.kind == "bool":
        return source.random() < 0.5
    if spec.kind == "choice":
        return source.choice(spec.choices)
    if spec.kind == "points":
        return tuple(source.randint(0, 3) for _ in range(3))
    extra: list[Value] = [*spec.words, *([None] if spec.none else [])]
    return source.choice([*extra, spec.low, source.randint(spec.low, min(spec.high, spec.low + 20))])


def greedily(match: Match, seed: int = 0) -> Chooser:
    """A greedy bot at every seat, which now and then answers by chance."""
    seats = [bots.make("greedy", seed + seat) for seat in range(4)]
    source, told = random.Random(seed), 0
    for seat, bot in enumerate(seats):
        bot.start(match.rules, seat)

    def choose(seat: int, legal: list[int]) -> int:
        nonlocal told
        for event in match.events[told:]:
            for place, bot in enumerate(seats):
                seen = masked(event, place)
                if seen is not None:
                    bot.see(seen)
        told = len(match.events)
        prompt = match.prompt(seat)
        assert prompt is not None
        return _any_of(legal, source) if source.random() < 0.03 else seats[seat].choose(prompt)

    return choose
