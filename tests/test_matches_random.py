"""Whole matches of every rule set under random options: played, recorded, replayed, verified; nothing is lost or made on the way."""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from hongzhong import events, rules
from hongzhong.match import Match
from hongzhong.record import RecordWriter
from hongzhong.tiles import parse_meld, parse_mpsz
from hongzhong.verification import replay, verify
from tests.playing import PLAYERS, by_chance, greedily, play_on, random_options

MATCHES = int(os.environ.get("HONGZHONG_MATCHES", "30"))
"""Matches a rule set; a longer run sets the variable."""
RED_DRAGON = str(Path(__file__).parent / "sheets" / "red_dragon.py")


def tiles_somewhere(match: Match) -> list[int]:
    """Copies of each kind in hands, melds, rivers and the wall that is left."""
    state = match.round.state
    counts = Counter(
        int(kind) for kind in state["wall"][int(state["position"]) : sum(match.rules.sheet.copies) - int(state["tail"])]
    )
    for seat in range(4):
        for kind in range(34):
            counts[kind] += int(state["count"][seat, kind])
        view = match.round.view(seat)
        for laid in view.melds[seat]:
            counts.update(laid.meld.kinds())
        counts.update(kind for kind, claimed in view.rivers[seat] if not claimed)
    return [counts[kind] for kind in range(34)]


@pytest.mark.parametrize("name", [*rules.names(), RED_DRAGON], ids=lambda name: Path(name).stem)
def test_matches_under_random_options(name: str, tmp_path: Path) -> None:
    source = random.Random(name.rpartition("/")[2])
    reasons: Counter[str] = Counter()
    sheet = rules.sheet(name)
    for number in range(MATCHES):
        options = random_options(name, source)
        path = tmp_path / f"{number}.jsonl"
        match = Match(rules.resolve(sheet, options), PLAYERS, seed=number, committed=number % 2 == 0)
        choose = by_chance(number) if number % 3 == 0 else greedily(match, number)
        with RecordWriter(path) as writer:
            writer.write(match.events)
            while match.asked():
                seat = match.asked()[0]
                legal = match.legal(seat)
                assert legal, f"nothing to answer under {options}"
                writer.write(match.step(seat, choose(seat, legal)))
        check_events(match)
        verdict = verify(path, sheet)
        assert verdict.ok, f"{verdict.message} under {options}, seed {number}"
        assert [position.event for position in replay(path, sheet)] == match.events
        reasons.update(e.reason for e in match.events if isinstance(e, events.End))
    assert reasons["win"] > 0 and sum(reasons.values()) >= MATCHES


def check_events(match: Match) -> None:
    """Every payment sums to zero, the sums of a hand are its payments, and every tile taken lies in a hand, a meld or a river."""
    for event in match.events:
        if isinstance(event, events.Hand):
            paid, taken, claimed, robbed = [0, 0, 0, 0], Counter[int](), Counter[int](), ""
        elif isinstance(event, events.Deal):
            taken.update(parse_mpsz(event.tiles))
        elif isinstance(event, events.Draw):
            taken.update(parse_mpsz(event.tile))
        elif isinstance(event, events.Discard):
            claimed.update(parse_mpsz(event.tile))
        elif isinstance(event, events.Pung | events.Chow) or (
            isinstance(event, events.Kong) and event.kind == "exposed"
        ):
            claimed.subtract(parse_mpsz(event.tile))
        elif isinstance(event, events.Win) and event.by == "kong":
            robbed = event.tile  # it lies with the winners, however many they are
        elif isinstance(event, events.Pay):
            assert sum(event.deltas) == 0
            paid = [a + b for a, b in zip(paid, event.deltas, strict=True)]
        elif isinstance(event, events.End):
            assert event.scores == paid
            if event.reason in ("exhausted", "four_kongs", "aborted") and not match.rules.get("follow_dealer"):
                assert paid == [0, 0, 0, 0]
            for hand, melds in zip(event.hands, event.melds, strict=True):
                claimed.update(parse_mpsz(hand))
                claimed.update(kind for meld in melds for kind in parse_meld(meld).kinds())
            claimed.update(parse_mpsz(robbed))
            assert +claimed == taken


@pytest.mark.parametrize("name", rules.names())
def test_tiles_are_conserved_after_every_step(name: str) -> None:
    source = random.Random(5)
    for seed in range(3):
        match = Match(rules.load(name, random_options(name, source) | {"hands": 1}), PLAYERS, seed=seed)
        choose = by_chance(seed)
        copies = list(match.rules.sheet.copies)
        while match.asked():
            assert tiles_somewhere(match) == copies
            play_on(match, choose, 1)
