"""What holds at every step of every hand, under any rule set and options, played by chance from walls rich in sets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hongzhong import events, rules
from hongzhong.kernels import log
from hongzhong.layout import BY_DRAW, STATE
from hongzhong.round import Round
from hongzhong.rules.variant import RuleSet
from hongzhong.score import Hand, scorer_of
from hongzhong.tiles import CONCEALED_KONG, PUNG, Meld
from hongzhong.view import View
from tests.playing import by_chance, random_options

RED_DRAGON = str(Path(__file__).parent / "sheets" / "red_dragon.py")
NAMES = [*rules.names(), RED_DRAGON]
HANDS = 25


def rich_wall(ruleset: RuleSet, source: random.Random) -> list[int]:
    """A shuffled wall in which like tiles tend to lie where one seat takes them: kongs, flushes and wins abound."""
    kinds = [kind for kind, n in enumerate(ruleset.sheet.copies) for _ in range(n)]
    noise = source.choice([0.0, 1.5, 4.0, 40.0])
    kinds.sort(key=lambda kind: kind + source.uniform(-noise, noise))
    hands: list[list[int]] = [kinds[13 * seat : 13 * seat + 13] for seat in range(4)]
    rest = kinds[52:]
    source.shuffle(rest)
    order = [kind for start in (0, 4, 8) for hand in hands for kind in hand[start : start + 4]]
    return order + [hand[12] for hand in hands] + rest


def rounds(name: str, seed: str) -> Iterator[tuple[Round, random.Random]]:
    """Hands about to begin; a third with the sheet's own options."""
    source = random.Random(seed + Path(name).stem)
    for number in range(HANDS):
        ruleset = rules.resolve(rules.sheet(name), random_options(name, source) if number % 3 else {})
        dice = [[source.randint(1, 6), source.randint(1, 6)] for _ in range(2)]
        yield Round(ruleset, rich_wall(ruleset, source), dealer=number % 4, number=number, dice=dice), source


def play(table: Round, source: random.Random) -> Iterator[list[events.Event]]:
    """Each batch of events, the first ones included; seats that are asked together answer in any order."""
    choose = by_chance(source.randrange(1 << 30))
    yield table.events
    while not table.over:
        asked = table.asked()
        assert asked
        seat = source.choice(asked)
        legal = table.legal(seat)
        assert legal == sorted(set(legal)) and legal, "an empty or untidy list of actions"
        yield table.step(seat, choose(seat, legal))


def copies_somewhere(table: Round) -> Counter[int]:
    """Every tile: wall, hands, melds, rivers, and the robbed one that its winner takes or that may be robbed."""
    state = table.state
    n_tiles = sum(table.rules.sheet.copies)
    counts = Counter(state["wall"][int(state["position"]) : n_tiles - int(state["tail"])].tolist())
    for seat in range(4):
        counts.update({kind: int(n) for kind, n in enumerate(state["count"][seat])})
        for i in range(int(state["meld_count"][seat])):
            counts.update(Meld(int(state["meld_form"][seat, i]), int(state["meld_kind"][seat, i])).kinds())
        counts.update(kind for kind, claimed in table._river(seat) if not claimed)
    wins = [event for event in table.events if isinstance(event, events.Win)]
    if state["phase"] == log.ROB or (wins and wins[0].by == "kong"):
        counts[int(state["offer_tile"])] += 1
    return counts


def check_incremental(table: Round) -> None:
    """Tallies kept step by step equal those counted anew."""
    state: Any = table.state
    for seat in range(4):
        natural = [0 if int(state["wild"]) >> kind & 1 else int(state["count"][seat, kind]) for kind in range(34)]
        for suit in range(4):
            key = sum(n * 5**rank for rank, n in enumerate(natural[9 * suit : 9 * suit + 9]))
            assert state["suit_key"][seat, suit] == key
        assert state["wild_count"][seat] == state["count"][seat].sum() - sum(natural)
        melds = table._melds(seat)
        tiles = [kind for meld in melds for kind in meld.kinds()]
        assert state["meld_suit_tiles"][seat].tolist() == [
            sum(min(k // 9, 3) == suit for k in tiles) for suit in range(4)
        ]
        assert state["meld_honours"][seat] == sum(meld.kind >= 27 for meld in melds)
        assert state["meld_terminals"][seat] == sum(any(k < 27 and k % 9 in (0, 8) for k in m.kinds()) for m in melds)
        assert state["chow_count"][seat] == sum(meld.form == 0 for meld in melds)
        assert state["kong_count"][seat] == sum(meld.is_kong for meld in melds)
        assert state["concealed_kong_count"][seat] == sum(meld.form == CONCEALED_KONG for meld in melds)
        assert state["pung_kinds"][seat] == sum(1 << meld.kind for meld in melds if meld.form == PUNG)
    assert state["kongs"] == state["kong_count"].sum()
    assert table.over or state["stale"] == 0


def check_waits(table: Round) -> None:
    """The waits kept for each seat at rest are the kinds that the scorer lets win; a kind held four times is none of its business."""
    scorer = scorer_of(table.rules)
    for seat in range(4):
        concealed, melds = table._concealed(seat), tuple(table._melds(seat))
        if len(concealed) % 3 != 1:
            continue
        held = Counter(concealed + [kind for meld in melds for kind in meld.kinds()])
        for kind, copies in enumerate(table.rules.sheet.copies):
            if held[kind] < copies:
                wins = scorer.verdict(Hand(tuple(concealed), melds, kind, BY_DRAW)).win
                assert wins == bool(table.waits(seat) >> kind & 1)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).stem)
def test_tiles_tallies_and_payments_at_every_step(name: str) -> None:
    """C2, C3, C5, C9, Q18: every tile is somewhere, once; payments sum to zero; a hand that lives asks somebody."""
    reasons: Counter[str] = Counter()
    for table, source in rounds(name, "tallies"):
        paid = [0] * 4
        for batch in play(table, source):
            assert copies_somewhere(table) == Counter(dict(enumerate(table.rules.sheet.copies)))
            check_incremental(table)
            for event in batch:
                if isinstance(event, events.Pay):
                    assert sum(event.deltas) == 0
                    paid = [a + b for a, b in zip(paid, event.deltas, strict=True)]
            assert paid == table.scores
        last = table.events[-1]
        assert isinstance(last, events.End) and last.scores == paid
        reasons[last.reason] += 1
    assert reasons["win"] and reasons["exhausted"], reasons


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).stem)
def test_a_view_is_the_fold_of_its_masked_events(name: str) -> None:
    """C7 and law 4, every seat and a watcher; nothing masked tells more than the view."""
    for table, source in rounds(name, "views"):
        views = [View.start(table.rules, seat) for seat in (events.SPECTATOR, 0, 1, 2, 3)]
        for batch in play(table, source):
            for view in views:
                for event in batch:
                    seen = events.masked(event, view.seat)
                    if seen is not None:
                        view.apply(events.decode(events.encode(seen)))
                assert view == table.view(view.seat)


@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).stem)
def test_wins_are_priced_as_the_scorer_prices_them(name: str) -> None:
    """C4: points and patterns in play equal those of the scorer; waits are those that score."""
    wins = 0
    for table, source in rounds(name, "prices"):
        for batch in play(table, source):
            if not table.over and source.random() < 0.2:
                check_waits(table)
            for event in batch:
                if isinstance(event, events.Win):
                    wins += 1
                    assert event.points >= 0 and event.patterns is not None and event.reading
                    bits = int(table.state["win_bits"][event.seat])
                    kongs = int(table.state["kong_count"][event.seat])
                    closed = int(table.state["concealed_kong_count"][event.seat])
                    assert event.patterns == list(scorer_of(table.rules).patterns(bits, kongs - closed, closed))
    assert wins


def test_a_copy_goes_its_own_way() -> None:
    ruleset = rules.load("hebei")
    table = Round(ruleset, rich_wall(ruleset, random.Random(1)))
    twin = table.copy()
    before = table.state.tobytes()
    for _ in play(twin, random.Random(2)):
        pass
    assert twin.over and not table.over
    assert table.state.tobytes() == before and len(table.events) < len(twin.events)


def test_the_same_actions_give_the_same_events() -> None:
    """Law 5; a record of the state that held another hand before makes no difference."""
    ruleset = rules.load("qiqihar", {"calls": "manual"})
    wall = rich_wall(ruleset, random.Random(3))
    tables = [Round(ruleset, wall) for _ in range(2)]
    tables[1]._states[:] = np.frombuffer(random.Random(4).randbytes(STATE.itemsize), STATE)
    tables[1] = _restart(tables[1], wall)
    for table in tables:
        for _ in play(table, random.Random(5)):
            pass
    assert tables[0].events == tables[1].events


def _restart(table: Round, wall: list[int]) -> Round:
    from hongzhong.kernels.jit import hand_tables
    from hongzhong.kernels.table import start_at

    laid = np.array(wall, np.int8)
    start_at(hand_tables(), table._rules, table._states, 0, table._rows, laid, 0, -1, table._out)
    return table
