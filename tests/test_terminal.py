"""The table in the terminal, played without a screen at 80 x 24."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from hongzhong import actions, rules
from hongzhong.rules.variant import RuleSet
from hongzhong.terminal import session
from hongzhong.terminal.app import TableApp
from hongzhong.terminal.choices import choices
from hongzhong.terminal.faces import WIDTH, Faces
from hongzhong.terminal.hand import Hand, in_order
from hongzhong.terminal.options import OptionForm, rows_of, stepped
from hongzhong.terminal.play import TableScreen
from hongzhong.terminal.results import HandResult, MatchResult
from hongzhong.terminal.settings import Settings, unfinished
from hongzhong.terminal.widgets import Buttons, Piece, Seat
from hongzhong.terminal.windows import Help, Leave, TooSmall
from hongzhong.texts.terminal import CHOICES, TEXTS, say_value
from hongzhong.tiles import ADDED_KONG, CONCEALED_KONG, EXPOSED_KONG, N_KINDS, UNKNOWN, Meld
from hongzhong.verification import verify
from hongzhong.view import Laid

ALL = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")


@pytest.fixture(autouse=True)
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONGZHONG_DATA", str(tmp_path))


def settings(**given: object) -> Settings:
    return Settings(**{"lang": "zh", "fast": True, "seed": 5, **given})  # type: ignore[arg-type]


def at_table(
    play: Callable[[TableApp, Pilot[int]], Awaitable[None]], wanted: Settings, size: tuple[int, int] = (80, 24)
) -> None:
    """Opens the app and, where a rule set or a resume is asked for, waits for its table."""

    async def go() -> None:
        app = TableApp(wanted)
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.engine.ready or bool(app.engine.failed))
            assert not app.engine.failed
            if wanted.rules is not None or wanted.resume:
                await until(pilot, lambda: isinstance(app.screen, TableScreen))
            await play(app, pilot)

    asyncio.run(go())


async def until(pilot: Pilot[int], holds: Callable[[], bool], tries: int = 3000) -> None:
    for _ in range(tries):
        if holds():
            return
        await pilot.pause(0.01)
    raise AssertionError("it never came to that")


def table_of(app: TableApp) -> TableScreen:
    return next(s for s in app.screen_stack if isinstance(s, TableScreen))


async def asked(app: TableApp, pilot: Pilot[int]) -> None:
    """Until the person is asked, results shown on the way closed."""

    def ready() -> bool:
        return isinstance(app.screen, MatchResult | HandResult) or (
            isinstance(app.screen, TableScreen) and app.screen.table.prompt is not None
        )

    while True:
        await until(pilot, ready)
        if not isinstance(app.screen, HandResult):
            return
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, HandResult))


def lines_of(app: TableApp) -> list[str]:
    """The screen as text, one string a row."""
    width = app.size.width
    rows = []
    for y in range(app.size.height):
        text = "".join(segment.text for segment in app.screen._compositor.render_strips()[y])
        assert cell_len(text) == width, (y, text)
        rows.append(text)
    return rows


def test_every_tile_has_the_same_width() -> None:
    for lang in ("zh", "en"):
        for glyphs in (False, True):
            faces = Faces(lang, glyphs)
            for kind in (*range(N_KINDS), UNKNOWN):
                assert cell_len(faces.tile(kind)) == WIDTH, (lang, glyphs, kind)
            for kind in range(N_KINDS):
                for form in (EXPOSED_KONG, ADDED_KONG, CONCEALED_KONG):
                    assert cell_len(faces.meld(Meld(form, kind))) <= 12
    assert Faces("zh").tile(4) == "五万"
    assert Faces("zh").tile(33) == "红中"


def test_a_reading_in_both_languages() -> None:
    assert Faces("zh").reading("34*5m 66s (222z) [7777s]") == "三四*五万  六六条  (南南南)  [七七七七条]"
    assert Faces("en").reading("345m 66s (22*2z)") == "345C  66B  (Sth Sth* Sth)"


def test_texts_are_complete_in_both_languages() -> None:
    for text_id, (english, chinese) in TEXTS.items():
        assert english, text_id
        assert chinese or text_id == "help_faces", text_id
        if chinese:
            assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", chinese)), text_id
    for name in ALL:
        sheet = rules.sheet(name)
        for row in rows_of(sheet):
            if row.spec is not None and row.spec.kind == "choice":
                for choice in row.spec.choices:
                    assert f"{row.id}={choice}" in CHOICES
                    assert say_value("zh", row.id, choice) != choice


def test_every_option_can_be_stepped_through_its_values() -> None:
    for name in ALL:
        for row in rows_of(rules.sheet(name)):
            value = row.default
            seen = {value}
            for _ in range(4):
                value = stepped(row, value, 1)
                seen.add(value)
            for _ in range(12):
                value = stepped(row, value, -1)
                seen.add(value)
            if row.spec is None or row.spec.kind != "points":
                assert len(seen) > 1, row.id
            if row.spec is not None:
                assert row.spec.none is (None in seen) or row.default is None
                assert set(row.spec.words) <= seen


def test_start_screen_chooses_rules_and_options() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        text = "\n".join(lines_of(app))
        for name in ALL:
            assert name in text
        await pilot.press("down", "down", "tab", "right")
        form = app.screen.query_one(OptionForm)
        assert form.sheet.id == "hebei"
        assert form.changed() == {"discard_pays": "discarder_for_all"}
        await pilot.press("tab", "l")
        assert "House rules" in "\n".join(lines_of(app))
        await pilot.press("l", "enter")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert table_of(app).table.match.rules.get("discard_pays") == "discarder_for_all"

    at_table(play, settings())


def test_the_head_tells_the_round_where_rounds_are_played() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await asked(app, pilot)
        assert "第 1/2 圈 第 1 局" in lines_of(app)[0]

    at_table(play, settings(rules="hebei", options={"rounds": 2}))


def test_a_typed_value_that_is_wrong_is_refused_on_screen() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await pilot.press("tab")
        form = app.screen.query_one(OptionForm)
        form.at = next(i for i, row in enumerate(form.rows) if row.id == "base_point")
        await pilot.press("enter", "end", *["backspace"] * 5, "0", "enter")
        await pilot.pause()
        assert "bad value 0" in form.error
        assert form.values["base_point"] == 1
        await pilot.press("enter", "end", *["backspace"] * 5, "2", "5", "enter")
        await pilot.pause()
        assert form.values["base_point"] == 25 and not form.error

    at_table(play, settings())


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_full_table_fits_80_by_24(lang: str) -> None:
    """Fourteen tiles; four kongs and long rivers everywhere: all regions visible, nothing beyond its column."""

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await asked(app, pilot)
        screen = table_of(app)
        places = [(w.id, w.region) for w in screen.query(Piece)]
        for _, region in places:
            assert region.width > 0 and region.height > 0
            assert region.right <= 80 and region.bottom <= 23
        for i, (name, one) in enumerate(places):
            for other_name, other in places[i + 1 :]:
                assert not one.overlaps(other), (name, other_name)
        assert screen.query_one("#keys").region.bottom == 24
        hand = screen.query_one(Hand)
        assert hand.region.height == 5 and screen.query_one(Buttons).region.height == 2
        view = screen.table.view
        rest = in_order(view)
        assert len(rest) == 14
        rows = lines_of(app)
        face = Faces(lang)
        row = rows[hand.region.y + 1] + rows[hand.region.y + 2]
        for kind in rest:
            assert face.tile(kind) in row
        forms = [EXPOSED_KONG, ADDED_KONG, CONCEALED_KONG, CONCEALED_KONG]
        for seat in range(4):
            view.melds[seat] = [Laid(Meld(form, 18 + 2 * i + seat % 2), seat) for i, form in enumerate(forms)]
            view.rivers[seat] = [(kind % 27, kind % 5 == 0) for kind in range(24)]
        screen._draw()
        await pilot.pause()
        rows = lines_of(app)
        for widget in screen.query(Seat):
            region = widget.content_region
            text = "".join(cut(rows[y], region.x, region.right) for y in range(region.y, region.bottom))
            for kind in range(24):
                assert face.tile(kind) in text, (widget.id, kind)
            for meld in view.melds[(view.seat + widget.offset_from_me) % 4]:
                assert face.meld(meld.meld) in text

    at_table(play, settings(lang=lang, rules="inner_mongolia", seed=first_dealer_seed("inner_mongolia")))


def first_dealer_seed(name: str) -> int:
    """A seed where the person deals."""
    from hongzhong.fair import Fair, secret_of_seed

    ruleset = rules.load(name)
    return next(seed for seed in range(100) if Fair(ruleset, secret_of_seed(seed)).opening().first_dealer == 0)


def cut(row: str, start: int, end: int) -> str:
    """The columns of a row."""
    out, at = "", 0
    for character in row:
        if start <= at < end:
            out += character
        at += cell_len(character)
    return out


def test_too_small_a_window_says_so_and_nothing_else() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await pilot.resize_terminal(79, 24)
        await until(pilot, lambda: isinstance(app.screen, TooSmall))
        await pilot.pause()
        assert "80 x 24" in "\n".join(lines_of(app))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: isinstance(app.screen, TableScreen))

    at_table(play, settings(rules="hebei"))


def test_discards_by_arrow_key_and_mouse() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        for way in range(3):
            while True:
                await asked(app, pilot)
                screen = table_of(app)
                prompt = screen.table.prompt
                assert prompt is not None
                if prompt.kind == "turn":
                    break
                await pilot.press("space")
            tiles = in_order(screen.table.view)
            place = next(i for i, kind in enumerate(tiles) if kind in prompt.actions)
            played = screen.table.match.events
            before = len(played)
            if way == 0:
                while screen.selected != place:
                    await pilot.press("left")
                await pilot.press("enter")
            elif way == 1:
                await pilot.press("1234567890qwer"[place])
            else:
                hand = screen.query_one(Hand)
                column = hand.places(screen.scene())[place]
                await pilot.click(Hand, offset=(column + 1, 2))
            while len(played) == before:
                await pilot.pause(0.01)
            event = played[before]
            assert type(event).__name__ == "Discard" and event.seat == screen.table.seat  # type: ignore[attr-defined]
            assert actions.number_of(f"discard {event.tile}") == tiles[place]  # type: ignore[attr-defined]

    at_table(play, settings(rules="hebei_108", options={"discard_wins": True}))


@pytest.mark.parametrize("name", ALL)
def test_a_match_is_played_by_keys_recorded_and_ranked(name: str, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"

    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        results = 0
        choice = random.Random(1)
        while True:
            await until(
                pilot,
                lambda: not isinstance(app.screen, TableScreen) or app.screen.table.prompt is not None,
            )
            if isinstance(app.screen, HandResult):
                results += 1
                rows = "\n".join(lines_of(app))
                for player in table_of(app).table.match.players:
                    assert player in rows
                await pilot.press("enter")
                await pilot.pause()
            elif isinstance(app.screen, MatchResult):
                break
            else:
                buttons = table_of(app).scene().choices
                key = choice.choice(buttons).key if buttons else "enter"
                if buttons and buttons[0].key == "h":
                    key = "h"
                await pilot.press(key)
        assert results == 2
        assert "第 1 名" in "\n".join(lines_of(app))
        await pilot.press("enter")

    at_table(play, settings(rules=name, options={"hands": 2}, record=path, fair=True, seed=None))
    verdict = verify(path)
    assert verdict.ok, verdict.message
    assert verdict.hands == 2
    assert unfinished() is None


def test_quitting_keeps_the_match_and_resuming_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    kept: list[object] = []

    async def leave(app: TableApp, pilot: Pilot[int]) -> None:
        for _ in range(6):
            await asked(app, pilot)
            await pilot.press("space" if table_of(app).table.prompt.kind != "turn" else "enter")  # type: ignore[union-attr]
        await asked(app, pilot)
        table = table_of(app).table
        kept.extend([list(table.match.events), table.view, table.prompt])
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, Leave))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is app.start_screen)
        assert app.start_screen is not None and app.start_screen.unfinished is not None

    async def go_on(app: TableApp, pilot: Pilot[int]) -> None:
        table = table_of(app).table
        assert [table.match.events, table.view, table.prompt] == kept

    at_table(leave, settings(rules="hebei", record=path))
    written = path.read_bytes()
    at_table(go_on, settings(resume=True))
    assert path.read_bytes() == written


def test_the_win_key_hides_whether_a_called_win_is_true() -> None:
    faces = Faces("en")
    true = choices([actions.WIN_BY_CLAIM, actions.PASS], 4, faces, "en")
    false = choices([actions.FALSE_WIN, actions.PASS], 4, faces, "en")
    assert [(c.key, c.label) for c in true] == [(c.key, c.label) for c in false] == [("h", "win"), ("space", "pass")]


def test_manual_calls_always_have_the_win_key() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        for _ in range(5):
            await asked(app, pilot)
            screen = table_of(app)
            assert screen.scene().choices[0].key == "h"
            await pilot.press("space" if screen.table.prompt.kind != "turn" else "enter")  # type: ignore[union-attr]

    at_table(play, settings(rules="hebei", options={"calls": "manual"}))


def test_help_tells_keys_and_the_rules_in_force() -> None:
    async def play(app: TableApp, pilot: Pilot[int]) -> None:
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, Help))
        await pilot.pause()
        assert "按键" in "\n".join(lines_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))

    at_table(play, settings(rules="inner_mongolia"))


def test_an_outside_sheet_is_played(tmp_path: Path) -> None:
    sheet = str(Path(__file__).parent / "sheets" / "red_dragon.py")
    ruleset: RuleSet = rules.load(sheet)
    first = session.begin(settings(), ruleset, sheet)
    events = list(first.match.events)
    first.close()
    left = unfinished()
    assert left is not None
    assert session.resume(left.path).match.events == events
