"""The flow of a hand: the compiled engine beside the slow table on the same walls and answers, prompt by prompt, event by event.

``HONGZHONG_FLOW_HANDS`` sets the hands per rule set.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from hongzhong import actions, events, rules
from hongzhong.round import Round
from hongzhong.rules.variant import RuleSet, Sheet
from tests import strategies
from tests.rigged import rigged_wall

from .naive.table import Table
from .naive.win import wins

HANDS = int(os.environ.get("HONGZHONG_FLOW_HANDS", "300"))
SHEETS = ("qiqihar", "inner_mongolia", "hebei", "hebei_108", "tests/sheets/red_dragon.py")
STYLES = (
    "any",
    "ready",
    "ready",
    "late",
    "late",
    "same",
    "rob",
    "rob",
    "rob",
    "kong",
    "kong",
    "triplets",
    "triplets",
    "alike",
    "dealt",
    "dealt",
)
SHARE = 0.35
"""Of the options, changed in a hand."""
FULL_SIZE = 300
"""From so many hands on a run must have met everything that a rule set knows."""


@dataclass(frozen=True)
class Taste:
    """How much a player wants each kind of answer in one hand; the drawn tile is let go of ``stick`` times as gladly as another."""

    win_by_draw: float
    win_by_claim: float
    kong: float
    pung: float
    chow: float
    false_win: float
    stick: float

    @classmethod
    def by_chance(cls, style: str, random: Random) -> Taste:
        pick = random.choice
        if style in ("late", "same", "alike"):  # left to itself
            return cls(500, 0.02 if style == "late" else 20, 0.02, 0.02, 0.02, pick((0, 0, 0.001)), 500)
        if style in ("rob", "kong"):
            return cls(500, pick((0.5, 1)) if style == "rob" else 2, 500, 20, 0.1, 0, 500)
        return cls(
            pick((0.1, 50, 50)),
            pick((0.3, 20, 20)),
            pick((1, 10)),
            pick((0.2, 2)),
            pick((0.1, 1)),
            pick((0, 0.001, 0.05)),
            pick((1, 30, 200)),
        )

    def choose(self, legal: Sequence[int], drawn: int | None, random: Random) -> int:
        weights = [self.weight(action, drawn) for action in legal]
        return random.choices(legal, weights)[0] if sum(weights) else random.choice(legal)

    def weight(self, action: int, drawn: int | None) -> float:
        if action == actions.WIN_BY_DRAW:
            return self.win_by_draw
        if action == actions.WIN_BY_CLAIM:
            return self.win_by_claim
        if action == actions.FALSE_WIN:
            return self.false_win
        if action == actions.PUNG:
            return self.pung
        if action in (actions.CHOW_LOW, actions.CHOW_MIDDLE, actions.CHOW_HIGH):
            return self.chow
        if action >= actions.EXPOSED_KONG:
            return self.kong
        return self.stick / 10 if action == drawn else 1 if action == actions.PASS else 0.1


class Walls:
    """Walls on which things happen. ``hands`` and ``draws`` are in turn order from the dealer.

    ready: some hands wait for a tile that comes soon; late: one waits for the last live tile; same: two wait for the dealer's first
    discard; rob: a tile that one seat waits for is punged by another, which draws the fourth; kong: the dealer draws the fourth
    tile of a triplet, and the replacement wins; triplets: their fourth tiles come soon, or as replacements; alike: the first
    draws are alike; dealt: a seat may have won with
    its first draw.
    """

    def __init__(self, sheet: Sheet, random: Random) -> None:
        self.sheet, self.random = sheet, random
        self.maker = strategies.Maker(sheet, random)

    def make(self, style: str, in_force: RuleSet, reserve: int) -> list[int]:
        self.left = Counter({kind: copies for kind, copies in enumerate(self.sheet.copies) if copies})
        self.hands: list[list[int]] = [[] for _ in range(4)]
        self.draws: dict[int, int] = {}
        self.tail: list[int] = []
        random, size = self.random, sum(self.sheet.copies) - 52
        if style == "ready":
            for seat in random.sample(range(4), random.randrange(1, 5)):
                self.draws[random.randrange(24)] = self.ready(in_force, seat)
        elif style == "late":
            last = size - reserve - 1
            self.draws[last] = self.ready(in_force, last % 4)
        elif style == "dealt":
            seat = random.choice((0, 0, 1, 2, 3))
            self.draws[seat] = self.ready(in_force, seat)
        elif style == "same":
            self.draws[0] = self.ready(in_force, 1)
            self.ready(in_force, random.choice((2, 3)), self.draws[0])
        elif style == "rob":
            self.draws[0] = tile = self.ready(in_force, random.choice((1, 3)), copies=4)
            self.hands[2] += [tile] * 2 if tile >= 0 else []
            self.draws[random.choice((4, 4, 8, random.randrange(1, 16)))] = tile
        elif style == "kong":
            self.tail = [self.ready(in_force, 0, triplet=True)]
            for kind in set(self.hands[0]):
                if self.hands[0].count(kind) == 3:
                    self.draws[0] = kind
        elif style == "alike":
            self.draws = dict.fromkeys(range(4), random.choice(list(self.left)))
        elif style == "triplets":
            kinds = random.sample([kind for kind in self.left if self.left[kind] == 4], random.randrange(8, 17))
            for at, kind in enumerate(kinds):
                self.hands[at % 4] += [kind] * 3
            random.shuffle(kinds)
            half = random.randrange(len(kinds) + 1)
            self.draws, self.tail = dict(enumerate(kinds[:half])), kinds[half:]
        return self.lay(size)

    def ready(
        self, in_force: RuleSet, seat: int, tile: int | None = None, copies: int = 1, triplet: bool = False
    ) -> int:
        """Gives the seat thirteen tiles that win with the tile returned (the given one), of which so many are left; -1: none found."""
        held_by_all = Counter(kind for hand in self.hands for kind in hand)
        for _ in range(150 if tile is None else 1500):
            drawn = self.maker.hand()
            if len(drawn.concealed) != 13 or (tile is not None and drawn.tile != tile):
                continue
            need = held_by_all + Counter(drawn.concealed) + Counter({drawn.tile: copies})
            if triplet and 3 not in Counter(drawn.concealed).values():
                continue
            if all(n <= self.left[kind] for kind, n in need.items()) and wins(
                in_force, [*drawn.concealed, drawn.tile], []
            ):
                self.hands[seat] = list(drawn.concealed)
                return drawn.tile
        return -1

    def lay(self, size: int) -> list[int]:
        """All tiles in drawing order; what was not asked for is left to chance."""
        random = self.random
        asked_for = self.draws | {size - 1 - at: kind for at, kind in enumerate(self.tail)}
        self.left.subtract(kind for hand in self.hands for kind in hand)
        placed: dict[int, int] = {}
        for place, kind in asked_for.items():
            if self.left[kind] > 0:  # never -1
                placed[place] = kind
                self.left[kind] -= 1
        rest = list(self.left.elements())
        random.shuffle(rest)
        for hand in self.hands:
            while len(hand) < 13:
                hand.append(rest.pop())
            random.shuffle(hand)
        order = [kind for start in (0, 4, 8) for hand in self.hands for kind in hand[start : start + 4]]
        order += [hand[12] for hand in self.hands]
        return order + [placed[place] if place in placed else rest.pop() for place in range(size)]


def rules_for(style: str, sheet: Sheet, random: Random) -> RuleSet:
    """Random options under which the wall can show what it is made for."""
    wanted: dict[str, Any] = {}
    if style in ("rob", "same"):
        wanted = {"discard_wins": True, "rob_kong": True, "multi_win": random.choice(("all", "all", "nearest"))}
    elif style == "alike":
        wanted = {"follow_dealer": True}
    elif style == "dealt":
        wanted = {"earth_on_first_draw": random.random() < 0.7}
    while True:
        given = {} if random.random() < 0.1 else strategies.random_options(sheet, random, SHARE)
        try:
            return rules.resolve(
                sheet, given | {name: value for name, value in wanted.items() if name in sheet.options}
            )
        except rules.RuleError:
            continue


def same(ours: events.Event, theirs: events.Event, table: Table) -> bool:
    """Wins name the same rows; which of several equal sets of rows is the reading's own choice."""
    if isinstance(ours, events.Win) and isinstance(theirs, events.Win):
        rows = tuple((row.id, row.count) for row in ours.patterns)
        bare = [[getattr(event, name) for name in event.__struct_fields__[:-1]] for event in (ours, theirs)]
        return bare[0] == bare[1] and rows in table.verdicts[ours.seat].ties
    return ours == theirs


def difference(engine: Round, table: Table, said: Sequence[events.Event], want: Sequence[events.Event]) -> str:
    """What the two do not agree on, nothing if they do."""
    if len(said) != len(want) or not all(same(a, b, table) for a, b in zip(said, want, strict=True)):
        return f"events\n  compiled {said}\n  naive    {want}"
    pairs = {
        "asked": (engine.asked(), table.asked()),
        "over": (engine.over, table.over),
        "scores": (engine.scores, table.scores),
        "next dealer": (engine.next_dealer, table.next_dealer),
        "live tiles": (engine.remaining if engine.over or table.phase != "rob" else 0, table.live() if table.over or table.phase != "rob" else 0),
    } | {f"legal {seat}": (engine.legal(seat), table.legal(seat)) for seat in range(4)}  # fmt: skip
    return "\n".join(f"{what}: compiled {a}, naive {b}" for what, (a, b) in pairs.items() if a != b)


def throws(rules_in_force: RuleSet, random: Random) -> list[list[int]] | None:
    if rules_in_force.get("reserve_stacks") != "dice":
        return None
    return [[random.randint(1, 6) for _ in range(2)] for _ in range(2)]


def play(sheet: Sheet, walls: Walls, random: Random, tally: Counter[str]) -> str:
    """One hand; the first difference with how it came about, or nothing."""
    style = random.choice(STYLES)
    rules_in_force = rules_for(style, sheet, random)
    dice, dealer = throws(rules_in_force, random), random.randrange(4)
    stacks = rules_in_force.get("reserve_stacks") if dice is None else sum(map(sum, dice))
    wall = walls.make(style, rules_in_force, 2 * stacks)
    engine = Round(rules_in_force, wall, dealer=dealer, dice=dice)
    table = Table(rules_in_force, wall, dealer, dice)
    found = difference(engine, table, engine.events, table.events)
    tastes = [Taste.by_chance(style, random) for _ in range(4)]
    trail: list[str] = []
    while not found and not table.over:
        if random.random() < 0.001:
            trail.append("abort")
            found = difference(engine, table, engine.abort(), table.abort())
            continue
        seat = random.choice(table.asked())
        legal = table.legal(seat)
        action = tastes[seat].choose(legal, table.drawn, random)
        tally["declined"] += actions.WIN_BY_CLAIM in legal and action != actions.WIN_BY_CLAIM
        tally["robbing"] += table.phase == "rob"
        trail.append(f"{seat} {actions.name_of(action)}")
        found = difference(engine, table, engine.step(seat, action), table.step(seat, action))
    count(table, tally)
    if not found:
        return ""
    changed = rules_in_force.changed()
    return f"{rules_in_force.id} {changed} dealer {dealer} wall {table.events[0]}\n  {'; '.join(trail[-40:])}\n{found}"


def count(table: Table, tally: Counter[str]) -> None:
    """What the hand has shown."""
    tally["hands"] += 1
    for event in table.events:
        name = type(event).__name__
        if isinstance(event, events.End):
            name = event.reason
        elif isinstance(event, events.Kong):
            name = f"{event.kind} kong"
        elif isinstance(event, events.Win):
            name = f"win by {event.by}"
            tally.update(row.id for row in event.patterns)
        elif isinstance(event, events.Pay):
            name = f"paid for {event.for_}"
        tally[name] += 1
    tally["several winners"] += sum(isinstance(event, events.Win) for event in table.events) > 1


def seen_in(sheet: Sheet) -> set[str]:
    """What a long enough run of the rule set must show."""
    wanted = {
        "win by draw", "win by discard", "win by kong", "several winners", "declined", "robbing", "exhausted", "aborted",
        "Pung", "exposed kong", "added kong", "concealed kong", "paid for kong", "paid for kong_void", "replacement_tile",
    }  # fmt: skip
    if "chow" in sheet.claims:
        wanted.add("Chow")
    if sheet.false_win is not None:
        wanted.add("false_win")
    if "four_kongs_abort" in sheet.options:
        wanted.add("four_kongs")
    if "follow_dealer" in sheet.options:
        wanted.add("paid for follow_dealer")
    rows = {row.id for row in sheet.patterns}
    return wanted | ({"heaven", "last_tile"} & rows)


@pytest.mark.parametrize("name", SHEETS)
def test_the_flow_is_that_of_the_second_opinion(name: str, pytestconfig: pytest.Config) -> None:
    sheet = rules.sheet(str(pytestconfig.rootpath / name) if name.endswith(".py") else name)
    random = Random(f"flow {sheet.id}")
    walls = Walls(sheet, random)
    tally: Counter[str] = Counter()
    for _ in range(HANDS):
        found = play(sheet, walls, random, tally)
        assert not found, f"hand {tally['hands']}: {found}"
    if HANDS >= FULL_SIZE:
        missing = seen_in(sheet) - set(+tally)
        assert not missing, f"never met: {sorted(missing)} in {dict(tally)}"


@pytest.mark.parametrize(("lock", "offered"), [("none", True), ("pung", True), ("win", False), ("both", False)])
def test_a_declined_own_win_locks_too(lock: str, offered: bool) -> None:
    """C9 ``pass_lock``: a seat that discards although it may win by its draw cannot win on others' tiles until the next one."""
    in_force = rules.load("qiqihar", {"pass_lock": lock})
    hand = Round(in_force, rigged_wall(in_force, ["123m456m789m23p55p"], draws="4p1p"))
    hand.step(0, actions.number_of("discard 4p"))
    while 1 not in hand.asked() or hand.prompt(1).kind != "turn":  # type: ignore[union-attr]
        hand.step(hand.asked()[0], actions.PASS)
    hand.step(1, actions.number_of("discard 1p"))
    assert (actions.WIN_BY_CLAIM in hand.legal(0)) == offered
