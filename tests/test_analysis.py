"""One hand analysed: what it waits for and is paid, what each discard leaves, and what cannot be asked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

import hongzhong as hz
from hongzhong import rules
from hongzhong.analysis import AnalysisError, Analyst, Discard, Held, analyst_of
from hongzhong.layout import BY_DISCARD, BY_DRAW
from hongzhong.notation import parse_hand
from hongzhong.rules.variant import RuleSet, resolve
from hongzhong.score import Hand, ScoreError, scorer_of
from hongzhong.tiles import KIND_NAMES, KIND_OF, Meld, parse_mpsz
from tests import playing, strategies
from tests.naive import win


def hold(sheet: RuleSet, text: str, seen: str = "") -> Held:
    typed = parse_hand(text)
    return analyst_of(sheet).hold(typed.concealed, typed.melds, parse_mpsz(seen))


def names(kinds: Sequence[int]) -> str:
    return " ".join(KIND_NAMES[kind] for kind in kinds)


# what a hand waits for


def test_waits_have_points_copies_and_patterns() -> None:
    found = hz.analyse_hand(hz.load_rules("qiqihar"), "112233m445566m7m", seen="1m1m7z")
    assert found.distance == 0
    assert [(KIND_NAMES[w.kind], w.unseen, w.draw, w.discard) for w in found.waits] == [
        ("1m", 0, 6, 6), ("4m", 2, 6, 6), ("7m", 3, 9, 9), ("7z", 3, 12, 12),
    ]  # fmt: skip
    assert [row.id for row in found.waits[2].drawn.patterns] == ["plain", "seven_pairs", "full_flush"]
    assert [copies.unseen for copies in found.useful] == [0, 2, 3, 3]


def test_a_wait_that_may_not_be_won_on_by_discard() -> None:
    sheet = hz.load_rules("qiqihar", {"wild_discard_wins": False})
    waits = hz.analyse_hand(sheet, "112233m445566m7m").waits
    assert [(KIND_NAMES[w.kind], w.discard is None) for w in waits if w.kind in (6, 33)] == [
        ("7m", False),
        ("7z", True),
    ]
    assert waits[-1].discarded.reason == "no_wild_discard_win"
    drawn_only = hz.analyse_hand(hz.load_rules("hebei", {"discard_wins": False}), "123456789m1112p").waits
    assert drawn_only and all(w.discard is None and w.draw > 0 for w in drawn_only)


def test_a_discard_pays_less_where_a_draw_doubles() -> None:
    waits = hz.analyse_hand(hz.load_rules("hebei"), "123456789m55p23p").waits
    assert [(KIND_NAMES[w.kind], w.draw, w.discard) for w in waits] == [("1p", 12, 6), ("4p", 12, 6)]


@pytest.mark.parametrize(
    ("name", "text", "waits", "distance"),
    [
        ("hebei", "123456789m1112p", "2p 3p", 0),
        ("hebei", "9m (123m)(456m)(777m)[8888m]", "9m", 0),
        ("hebei", "7m (123m)(456m)(777m)(999m)", "", 1),  # all four held: to wait for the fourth of four is no wait
        ("hebei", "8999m (123m)(456m)(777m)", "7m 8m", 0),
        ("qiqihar", "7z (111m)(222m)(333m)(444m)", "1m 2m 3m 4m 5m 6m 7m 8m 9m 1s 2s 3s 4s 5s 6s 7s 8s 9s 1p 2p 3p 4p 5p 6p 7p 8p 9p 7z", 0),
        ("qiqihar", "7z (111m)(222s)(333m)(444m)", "1m 2m 3m 4m 5m 6m 7m 8m 9m 1s 2s 3s 4s 5s 6s 7s 8s 9s 7z", 0),
    ],
)  # fmt: skip
def test_hands_of_few_tiles(name: str, text: str, waits: str, distance: int) -> None:
    found = hz.analyse_hand(hz.load_rules(name), text)
    assert found.distance == distance
    assert names([w.kind for w in found.waits]) == waits


def test_a_fourth_tile_held_in_melds_and_hand_is_no_wait() -> None:
    """Formally 7m completes it (H18), but the seat holds every 7m itself."""
    sheet = hz.load_rules("hebei")
    held = hold(sheet, "7m (123m)(456m)(777m)(999m)")
    assert win.waits(sheet, held.concealed, held.melds) == {KIND_OF["7m"]}
    assert analyst_of(sheet).wait_kinds(held) == []


@pytest.mark.parametrize("name", rules.names())
def test_waits_are_those_of_the_second_opinion_but_for_kinds_that_the_seat_holds_itself(name: str) -> None:
    chance = random.Random(f"waits {name}")
    maker = strategies.Maker(rules.sheet(name), chance)
    ready = 0
    for _ in range(12):
        sheet = strategies.random_rules(rules.sheet(name), chance)
        analyst = analyst_of(sheet)
        for _ in range(15):
            drawn = maker.hand()
            held = analyst.hold(drawn.concealed, drawn.melds)
            own = [*drawn.concealed, *(kind for meld in drawn.melds for kind in meld.kinds())]
            wanted = {k for k in win.waits(sheet, drawn.concealed, drawn.melds) if own.count(k) < sheet.sheet.copies[k]}
            waits = analyst.waits(held)
            assert {one.kind for one in waits} == wanted
            assert (analyst.distance(held) == 0) == bool(wanted)
            ready += bool(wanted)
            for one in waits:
                for how, said in (("draw", one.drawn), ("discard", one.discarded)):
                    naive = win.score(sheet, win.Case(drawn.concealed, drawn.melds, one.kind, how))
                    assert (said.win, said.points) == (naive.win, naive.points)
    assert ready > 20


# what to discard


def brute_points(sheet: RuleSet, held: Held, distance: int) -> int:
    """Most points of a win on tiles not yet seen, ``distance`` exchanges away, by scoring every way there."""
    analyst, scorer = analyst_of(sheet), scorer_of(sheet)
    best = 0
    seen = [kind for kind in range(34) for _ in range(sheet.sheet.copies[kind] - held.unseen[kind])]
    for kind in (*held.concealed, *(kind for meld in held.melds for kind in meld.kinds())):
        seen.remove(kind)
    for kind in range(34):
        if not held.unseen[kind]:
            continue
        if distance == 0:
            for how in (BY_DRAW, BY_DISCARD):
                best = max(best, scorer.verdict(Hand(held.concealed, held.melds, kind, how)).points)
            continue
        tiles = [*held.concealed, kind]
        for other in set(tiles):
            left = list(tiles)
            left.remove(other)
            after = analyst.hold(left, held.melds, [*seen, other])
            if analyst.distance(after) == 0:
                best = max(best, brute_points(sheet, after, 0))
    return best


@pytest.mark.parametrize(
    ("name", "text", "seen"),
    [
        ("hebei", "123m456m789m55p23p9m", ""),
        ("hebei", "123m456m78m55p23p9m6z", "9m9m"),
        ("hebei", "2m3m (456m)(789m)(123p) 5p 6p 7z", ""),
        ("inner_mongolia", "234m345p678p44s6s77z", "7z5s5s5s"),
        ("qiqihar", "112233m4455m7m7z9s9s", ""),
        ("qiqihar", "2m3m (444m) 55m 6m 7z 9s 9s 9s 8s8s", "1m1m1m1m"),
    ],
)
def test_discards_are_exact_and_in_order_of_merit(name: str, text: str, seen: str) -> None:
    sheet = hz.load_rules(name)
    analyst = analyst_of(sheet)
    held = hold(sheet, text, seen)
    found = analyst.discards(held)
    assert {one.kind for one in found} == set(held.concealed)
    assert found == hz.analyse_hand(sheet, text, seen=seen).discards
    worked_out = 0
    for one in found:
        left = list(held.concealed)
        left.remove(one.kind)
        after = analyst.hold(left, held.melds, [*parse_mpsz(seen), one.kind])
        assert one.distance == analyst.distance(after)
        assert one.useful == analyst.useful(after)
        assert one.copies == sum(held.unseen[kind] for kind, _ in one.useful)
        assert (one.points is None) == (one.distance is None or one.distance > 1)
        if one.points is not None:
            assert one.distance is not None
            assert one.points == brute_points(sheet, after, one.distance)
            worked_out += 1
    assert worked_out
    assert all(merit(a) <= merit(b) for a, b in pairwise(found))
    without = analyst.discards(held, points=False)
    assert {(one.kind, one.distance, one.useful) for one in without} == {(o.kind, o.distance, o.useful) for o in found}
    assert all(one.points is None for one in without)


def merit(one: Discard) -> tuple[int, int, int]:
    assert one.distance is not None
    return one.distance, -one.copies, -1 if one.points is None else -one.points


def test_points_of_a_wait_that_is_gone() -> None:
    found = hz.analyse_hand(hz.load_rules("hebei"), "123456789m5p 7p 9p9p 1s", seen="6p6p6p6p")
    assert (KIND_NAMES[found.discards[0].kind], found.discards[0].distance, found.discards[0].copies) == ("1s", 0, 0)
    assert found.discards[0].points == 0


def test_a_hand_that_no_exchange_can_save() -> None:
    sheet = hz.load_rules("qiqihar")
    found = hz.analyse_hand(sheet, "2m3m5m5m (111m)(222s)(333p)")
    assert (found.distance, found.useful, found.waits) == (None, (), ())
    drawn = hz.analyse_hand(sheet, "2m3m5m5m9m (111m)(222s)(333p)")
    assert drawn.distance is None and all(one.distance is None and not one.useful for one in drawn.discards)


def test_a_won_hand_still_compares_its_discards() -> None:
    found = hz.analyse_hand(hz.load_rules("hebei"), "123456789m55p23p + 4p")
    assert found.distance == -1
    assert {one.distance for one in found.discards} == {0}


# what cannot be asked


@pytest.mark.parametrize(
    ("text", "seen", "words"),
    [
        ("123456789m123s", "", "12 concealed tiles: 13 are wanted, or 14 after a draw; sets laid down are given as melds"),
        ("1234m", "", "4 concealed tiles: 13 are wanted"),
        ("123456789m1234s (111p)", "", "13 concealed tiles beside 1 melds: 10 are wanted, or 11 after a draw"),
        ("11111m12345678s", "", "5 copies of 1m"),
        ("11m12345678s (111m)", "", "5 copies of 1m"),
        ("123456789m1234s", "1m1m1m1m", "5 copies of 1m in the hand and seen elsewhere"),
        ("123456789m123s?", "", r"unknown tile \?: every tile must be known"),
        ("123456789m1s [????]", "", r"unknown tile in \[\?\?\?\?\]"),
        ("123456789m1s (123z)", "", r"impossible meld '\(123z\)'"),
        ("1s (123m)(123m)(123m)(123m)(456m)", "", "5 melds: a hand has at most 4"),
        ("123456789m1234x", "", "unknown tile at 'x'|4x|has no suit"),
        ("", "", "0 concealed tiles"),
    ],
)  # fmt: skip
def test_hands_that_cannot_be(text: str, seen: str, words: str) -> None:
    with pytest.raises((ScoreError, ValueError), match=words):
        hz.analyse_hand(hz.load_rules("hebei"), text, seen=seen)


def test_what_the_rule_set_has_not() -> None:
    qiqihar = hz.load_rules("qiqihar")
    for text, seen, words in (
        ("123456789m123s1z", "", "qiqihar has no tile 1z"),
        ("123456789m123s1s", "3z", "qiqihar has no tile 3z"),
        ("123456789m1s (123p)", "", r"impossible meld \(123p\): qiqihar has no chow"),
        ("123456789m1s (777z)", "", r"7z is wild and is never melded"),
    ):
        with pytest.raises(ScoreError, match=words):
            hz.analyse_hand(qiqihar, text, seen=seen)


def test_waits_of_a_drawn_hand_and_discards_of_another_are_refused() -> None:
    sheet = hz.load_rules("hebei")
    analyst = analyst_of(sheet)
    with pytest.raises(ScoreError, match="14 concealed tiles beside 0 melds: one less, before a draw is wanted"):
        analyst.waits(hold(sheet, "123456789m12345s"))
    with pytest.raises(ScoreError, match="one less, before a draw"):
        analyst.useful(hold(sheet, "123456789m12345s"))
    with pytest.raises(ScoreError, match="13 concealed tiles beside 0 melds: one more, after a draw is wanted"):
        analyst.discards(hold(sheet, "123456789m1234s"))


def test_a_sheet_beyond_the_tables_is_refused_in_so_many_words_and_still_scores() -> None:
    base = rules.sheet("qiqihar")
    eight = replace(rules.sheet("hebei").conditions[0], exempt=(), exempt_when=None, when=None)
    sheet = resolve(replace(base, id="odd", conditions=(*base.conditions, eight), examples=()))
    with pytest.raises(
        AnalysisError, match="odd cannot be analysed: the hand tables do not know wild tiles together with"
    ):
        Analyst(sheet)
    with pytest.raises(AnalysisError, match=f"the condition {eight.id}; it can be played and scored all the same"):
        hz.analyse_hand(sheet, "123456789m1234s")
    with pytest.raises(AnalysisError):
        hz.batch_distance(sheet, [[0] * 34])
    with pytest.raises(AnalysisError):
        hz.explain_hand(sheet, "123456789m1234s")
    assert hz.score_hand(sheet, "123456789m1122s + 7z", by="draw").win


# from a seat's view


@pytest.mark.parametrize("name", rules.names())
def test_a_seat_has_not_seen_just_what_others_hold_and_what_is_still_to_be_drawn(name: str) -> None:
    sheet = hz.load_rules(name, {"hands": 2})
    match = hz.Match(sheet, ["a", "b", "c", "d"], seed=5)
    analyst = analyst_of(sheet)
    choose = playing.by_chance(3)
    looked = 0
    while match.asked():
        seat = match.asked()[0]
        round_ = match.round
        state = round_.state
        wall = state["wall"].tolist()
        hidden = wall[int(state["position"]) : sum(sheet.sheet.copies) - int(state["tail"])]
        for other in range(4):
            if other != seat:
                hidden += round_._concealed(other)
                masked = [laid.meld.kind < 0 for laid in round_.view(seat).melds[other]]
                hidden += [k for m, hid in zip(round_._melds(other), masked, strict=True) if hid for k in m.kinds()]
        held = analyst.hold_view(round_.view(seat))
        assert list(held.unseen) == [hidden.count(kind) for kind in range(34)]
        looked += 1
        match.step(seat, choose(seat, match.legal(seat)))
    assert looked > 50


def test_a_spectator_has_no_hand() -> None:
    with pytest.raises(ScoreError, match="a spectator holds no hand"):
        analyst_of(hz.load_rules("hebei")).hold_view(hz.View.start(hz.load_rules("hebei"), -1))


def test_melds_of_any_kind_are_taken() -> None:
    held = analyst_of(hz.load_rules("hebei")).hold([0], [Meld(0, 3), Meld(1, 30), Meld(3, 12), Meld(4, 20)])
    assert not held.drawn and held.unseen[30] == 1 and held.unseen[12] == 0
