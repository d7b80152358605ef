"""The hint at the table: what the analysis says of the own hand, seen from the own seat alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Static

import hongzhong as hz
from hongzhong import actions, bots, events, rules
from hongzhong.analysis import analyst_of
from hongzhong.analysis.words import BRIEF, discard_text, distance_text
from hongzhong.bots.advice import advise
from hongzhong.round import Prompt
from hongzhong.server import hints
from hongzhong.terminal.app import TableApp
from hongzhong.terminal.faces import Faces
from hongzhong.terminal.hint import Hint, hint_lines
from hongzhong.terminal.play import TableScreen
from hongzhong.tiles import CONCEALED_KONG, UNKNOWN, Meld, parse_mpsz
from hongzhong.view import Laid, View
from tests.test_explanations import BEYOND
from tests.test_terminal import asked, at_table, settings, table_of


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONGZHONG_DATA", str(tmp_path))


def view_of(name: str, hand: str) -> View:
    view = View.start(rules.load(name), 0)
    view.hand = sorted(parse_mpsz(hand))
    return view


def shown(app: TableApp) -> str:
    return "\n".join(str(widget.render()) for widget in app.screen.query(Static))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_key_shows_the_hint_and_closes_it(lang: str) -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await asked(app, pilot)
        view = table_of(app).table.view
        for close in ("t", "escape", "enter"):
            await pilot.press("t")
            assert isinstance(app.screen, Hint)
            text = shown(app)
            for line in hint_lines(view, lang):
                assert line in text
            prompt = table_of(app).table.prompt
            assert prompt is not None
            advised = advise(view.rules, table_of(app).table.heard(), prompt).action
            assert (
                advised >= actions.PASS
                or Faces(lang).name(advised) in hint_lines(view, lang, prompt, table_of(app).table.heard())[0]
            )
            assert hint_lines(view, lang, prompt, table_of(app).table.heard())[0] in text
            analyst = analyst_of(view.rules)
            found = analyst.analyse(analyst.hold_view(view))
            assert distance_text(found.distance, lang) in text
            assert discard_text(found.discards[0], lang) in text
            await pilot.press(close)
            assert isinstance(app.screen, TableScreen)
        answered = list(table_of(app).table.view.hand)
        await pilot.press("enter")  # play goes on
        await asked(app, pilot)
        assert table_of(app).table.view.hand != answered

    at_table(play, settings(rules="hebei", lang=lang))


def test_a_hint_looks_at_the_own_view_alone() -> None:
    view = view_of("qiqihar", "112233m445566m7m")
    first = hint_lines(view, "en")
    assert "1m  2 left   6 point(s)" in "\n".join(first)
    view.melds[1].append(Laid(Meld(CONCEALED_KONG, UNKNOWN), 1))  # a hidden kong tells nothing
    assert hint_lines(view, "en") == first
    view.rivers[2].append((0, False))
    view.rivers[2].append((0, True))  # claimed: it lies in a meld
    assert "1m  1 left   6 point(s)" in "\n".join(hint_lines(view, "en"))


def by_value(name: str, seed: int) -> list[tuple[View, list[events.Event], Prompt, int]]:
    """A hand between ``value`` bots: what seat 1 saw and was asked, and what its bot chose."""
    match = hz.Match(rules.load(name, {"hands": 1}), seed=seed)
    players = [bots.make("value") for _ in range(4)]
    for seat, bot in enumerate(players):
        bot.start(match.rules, seat)
    told, found = 0, []
    while not match.over:
        for event in match.events[told:]:
            for seat, bot in enumerate(players):
                if (seen := events.masked(event, seat)) is not None:
                    bot.see(seen)
        told = len(match.events)
        for seat in match.asked():
            prompt = match.prompt(seat)
            if prompt is not None:
                chosen = players[seat].choose(prompt)
                if seat == 1:
                    found.append((match.round.view(1), match.seen(1), prompt, chosen))
                match.step(seat, chosen)
    return found


def test_a_hint_is_what_value_would_do_and_its_reason_agrees_with_what_is_shown() -> None:
    """The fastest is told of a tile that stands first in the list; of any other that it is slower, and its own line is shown."""
    reasons = set()
    for name in rules.names():
        for view, heard, prompt, chosen in by_value(name, 1) + by_value(name, 2):
            assert advise(view.rules, heard, prompt).action == chosen
            assert hints.advice(view, heard, prompt) == chosen
            lines = hint_lines(view, "en", prompt, heard)
            if chosen >= actions.PASS:
                assert lines[0].startswith("Suggested  ") and "discard" not in lines[0]
                continue
            assert lines[0].startswith(f"Suggested  discard {Faces('en').name(chosen)}: ")
            analyst = analyst_of(view.rules)
            rows = [row for row in analyst.discards(analyst.hold_view(view)) if row.kind in prompt.actions]
            first = rows[0]
            row = next(row for row in rows if row.kind == chosen)
            fastest = (row.distance, row.copies) == (first.distance, first.copies)
            assert lines[0].endswith(": the fastest") == fastest
            assert row is first or lines[1] == "  " + discard_text(row, "en")
            shown = hints.discards(view, prompt, chosen)
            assert parse_mpsz(shown[0].tile) == [chosen]
            assert [one.away for one in shown[1:]] == sorted(one.away for one in shown[1:])
            reasons.add(lines[0].split(": ")[1])
    assert "the fastest" in reasons and len(reasons) > 1


def test_a_hint_is_quick() -> None:
    asked = by_value("hebei", 1)
    began = time.process_time()
    for view, heard, prompt, _ in asked:
        hints.advice(view, heard, prompt)
    assert (time.process_time() - began) / len(asked) < 0.005


def test_no_hint_is_longer_or_wider_than_its_window() -> None:
    for name in rules.names():
        match = hz.Match(rules.load(name), ["a", "b", "c", "d"], seed=2)
        view = match.round.view(match.asked()[0])
        for lang in ("zh", "en"):
            lines = hint_lines(view, lang)
            assert 2 <= len(lines) <= 3 + BRIEF
            assert cell_len(lines[0]) <= 76


def test_where_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert hint_lines(View.start(rules.load("hebei"), 0), "en") == ["There is no hand to look at now."]
    path = tmp_path / "beyond.py"
    path.write_text(BEYOND, encoding="utf-8")
    view = View.start(rules.load(str(path)), 0)
    view.hand = parse_mpsz("123456789m1234s")
    (line,) = hint_lines(view, "zh")
    assert line.startswith("此规则无法分析：") and "eight_of_suit" in line
