"""The table: what the person sees and answers while a match is played."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.events import Key, ScreenResume
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from hongzhong import actions, events
from hongzhong.round import IllegalAction, Prompt
from hongzhong.terminal.choices import TILE_KEYS, choices, discards
from hongzhong.terminal.faces import WIN, Faces
from hongzhong.terminal.hand import Discarded, Hand, has_drawn, in_order
from hongzhong.terminal.hint import Hint, hint_lines
from hongzhong.terminal.results import HandResult, MatchResult, Outcome
from hongzhong.terminal.session import Session, SessionError
from hongzhong.terminal.thinking import Thought, think
from hongzhong.terminal.widgets import Buttons, Centre, Chosen, Header, Piece, Scene, Seat
from hongzhong.terminal.windows import Help, Leave
from hongzhong.texts.terminal import say
from hongzhong.tiles import UNKNOWN, parse_mpsz
from hongzhong.view import seats_around

PACE: Final = {
    events.Draw: 0.25,
    events.Discard: 0.55,
    events.Chow: 0.8,
    events.Pung: 0.8,
    events.Kong: 0.8,
    events.Win: 0.9,
    events.FalseWin: 0.9,
}
"""Seconds that an event of another seat stays before the next."""


class TableScreen(Screen[None]):
    """Folds events one by one, lets bots answer, asks the person."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "choose(-1)", show=False),
        Binding("right", "choose(1)", show=False),
        Binding("enter", "discard", show=False),
        Binding("t", "hint", show=False),
        Binding("f1", "help", show=False),
        Binding("f2", "language", show=False),
        Binding("f3", "glyphs", show=False),
        Binding("escape", "leave", show=False),
    ]

    def __init__(self, session: Session, lang: str, *, glyphs: bool, fast: bool) -> None:
        super().__init__()
        self.session = session
        self.table = session.table
        self.lang, self.glyphs, self.fast = lang, glyphs, fast
        self.outcome = Outcome()
        seen = self.table.match.seen(self.table.seat)
        for event in seen[: len(seen) - len(self.table.incoming)]:
            self.outcome.add(event)  # the part of a resumed hand that was played before
        self.message = ""
        self.answered = False
        self.selected = -1
        self.waiting: Timer | None = None
        self.finished = False
        self.thinking = False
        """A bot is asked and has not been heard yet."""
        self.thought: Thought | None = None

    def compose(self) -> ComposeResult:
        left, across, right = seats_around(self.table.match.rules, 0)
        yield Header(id="header")
        with Container(id="others"):
            yield Seat(left, id="left")
            yield Seat(across, id="across")
            yield Seat(right, id="right")
        yield Centre(id="centre")
        yield Seat(0, own=True, id="own")
        yield Hand(id="hand")
        yield Buttons(id="buttons")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        self._draw()
        self._schedule(0)

    def on_screen_resume(self, _: ScreenResume) -> None:
        self._schedule(0)

    @property
    def faces(self) -> Faces:
        return Faces(self.lang, self.glyphs)

    def _player(self, seat: int) -> str:
        return self.table.match.players[seat]

    # the course of play

    def _schedule(self, seconds: float) -> None:
        if self.waiting is not None:
            self.waiting.stop()
        self.waiting = self.set_timer(0.001 if self.fast else max(seconds, 0.001), self._go_on)

    def _go_on(self) -> None:
        """One event, or one bot's answer, or the person's question; goes on by itself until the person is asked."""
        if not self.is_current or self.finished:
            return
        if self.table.incoming:
            self._show_next()
        elif self.thought is not None:
            self._take_thought(self.thought)
        elif not self.thinking and (question := self.table.question()) is not None:
            if len(question.prompt.actions) == 1:
                self._take_thought(Thought(question, question.prompt.actions[0]))
            else:
                self.thinking = True
                think(self, self.table.bots[question.seat], question)
        if not self.finished:
            self._draw()

    def on_thought(self, thought: Thought) -> None:
        self.thought = thought
        self._schedule(0)

    def _take_thought(self, thought: Thought) -> None:
        """A bot has chosen; one that failed ends the table, and the match can be resumed."""
        self.thought, self.thinking = None, False
        name, chosen = self._player(thought.question.seat), thought.chosen
        if isinstance(chosen, Exception):
            self._stop(SessionError(say(self.lang, "bot_failed", name=name, why=f"{type(chosen).__name__}: {chosen}")))
            return
        try:
            self.table.bot_answers(thought.question, chosen)
        except (IllegalAction, SessionError) as error:
            self._stop(error)
        else:
            self._schedule(0)

    def _show_next(self) -> None:
        before = list(self.table.view.totals)
        event = self.table.advance()
        assert event is not None
        self.outcome.add(event)
        self.message = self._told(event) or self.message
        if (isinstance(event, events.Draw) and event.seat == self.table.seat) or isinstance(event, events.Hand):
            self.selected = -1
        if isinstance(event, events.End):
            screen = HandResult(
                self.outcome, before, self.table.match.players, self.table.match.rules, self.faces, self.lang
            )
            self.app.push_screen(screen)
        elif isinstance(event, events.Result):
            self.finished = True
            self.session.close()
            notes = self.session.notes(self.lang)
            self.app.push_screen(MatchResult(event, self.table.match.players, self.lang, notes), self._over)
        else:
            mine = getattr(event, "seat", None) == self.table.seat
            self._schedule(0.05 if mine else PACE.get(type(event), 0))

    def _over(self, _: None) -> None:
        self.dismiss()

    def _stop(self, error: Exception) -> None:
        """Ends the app, as nothing more can be played: what was saved is kept, the command line tells the rest."""
        self.finished = True
        self.session.fault = str(error)
        self.app.exit(return_code=2)

    def _told(self, event: events.Event) -> str:
        lang, faces = self.lang, self.faces
        seat = getattr(event, "seat", None)
        name = "" if seat is None else self._player(seat)
        tiles = parse_mpsz(getattr(event, "tile", ""))
        tile = faces.name(tiles[0]) if tiles else ""
        match event:
            case events.Hand():
                return say(lang, "new_hand", hand=event.number + 1, name=self._player(event.dealer))
            case events.Draw():
                return "" if seat == self.table.seat else say(lang, "did_draw", name=name)
            case events.Discard():
                return say(lang, "did_discard", name=name, tile=tile)
            case events.Chow():
                return say(lang, "did_chow", name=name, tile=tile)
            case events.Pung():
                return say(lang, "did_pung", name=name, tile=tile)
            case events.Kong():
                hidden = tiles == [UNKNOWN]
                return (
                    say(lang, "did_kong_hidden", name=name) if hidden else say(lang, "did_kong", name=name, tile=tile)
                )
            case events.Win():
                return say(lang, "did_win", name=name)
            case events.FalseWin():
                return say(lang, "did_false_win", name=name)
        return ""

    # what is shown

    def _prompt(self) -> Prompt | None:
        return None if self.finished else self.table.prompt

    def scene(self) -> Scene:
        """All that the widgets need."""
        prompt, faces, lang = self._prompt(), self.faces, self.lang
        scene = Scene(self.table.view, self.table.match.rules, self.table.match.players, faces, lang, self.message)
        scene.round = self.table.match.round_of(scene.view.number)
        if prompt is not None:
            claimed = prompt.tile
            scene.choices = choices(prompt.actions, claimed, faces, lang)
            scene.discards = discards(prompt.actions)
            values = {"name": "" if prompt.source < 0 else self._player(prompt.source), "tile": faces.name(claimed)}
            scene.question = say(
                lang, {"turn": "your_turn", "claim": "your_claim", "rob": "your_rob"}[prompt.kind], **values
            )
            if prompt.kind == "turn" and self.selected < 0:
                self.selected = self._first_choice(scene.discards)
        elif not self.table.view.over and self.table.view.turn not in (self.table.seat, -1):
            scene.question = say(lang, "turn_of", name=self._player(self.table.view.turn))
        scene.selected = self.selected if scene.discards else -1
        return scene

    def _first_choice(self, playable: frozenset[int]) -> int:
        tiles = in_order(self.table.view)
        places = [place for place, kind in enumerate(tiles) if kind in playable]
        if not places:
            return -1
        return places[-1] if has_drawn(self.table.view) else places[0]

    def _draw(self) -> None:
        scene = self.scene()
        for piece in self.query(Piece):
            piece.show(scene)
        self.query_one("#keys", Static).update(self._footer())

    def _footer(self) -> Text:
        """The keys; at the start of a fair match its commitment; instead of both, that the record failed."""
        if self.session.record_problem:
            line = say(self.lang, "record_failed", why=self.session.record_failure)
            return Text(line, Style(color=WIN, bold=True), no_wrap=True, overflow="ellipsis")
        if self.session.commitment is not None and not self.answered:
            return Text(say(self.lang, "commitment", commitment=self.session.commitment), no_wrap=True)
        return Text(f" {say(self.lang, 'table_keys')}", no_wrap=True)

    # answers

    def _answer(self, action: int) -> None:
        prompt = self._prompt()
        if prompt is None or action not in prompt.actions:
            return
        try:
            self.table.answer(action)
        except (IllegalAction, SessionError) as error:
            self._stop(error)
            return
        self.answered = True
        self.selected = -1
        self._draw()
        self._schedule(0)

    def _complain(self, why: str) -> None:
        self.notify(say(self.lang, "not_now", why=say(self.lang, why)), timeout=2)

    def _discard_at(self, place: int) -> None:
        prompt, tiles = self._prompt(), in_order(self.table.view)
        if prompt is None or prompt.kind != "turn" or not 0 <= place < len(tiles):
            return self._complain("not_your_turn")
        if tiles[place] not in discards(prompt.actions):
            return self._complain("cannot_discard")
        return self._answer(actions.DISCARD + tiles[place])

    def _press(self, key: str) -> bool:
        prompt = self._prompt()
        offered = [] if prompt is None else choices(prompt.actions, prompt.tile, self.faces, self.lang)
        for choice in offered:
            if choice.key == key:
                self._answer(choice.action)
                return True
        if key == "h":
            self._complain("no_win_here" if prompt is not None else "not_your_turn")
        return False

    def on_key(self, event: Key) -> None:
        key = "space" if event.key == "space" else (event.character or "").lower()
        if self._press(key):
            event.stop()
        elif key and key in TILE_KEYS:
            event.stop()
            self._discard_at(TILE_KEYS.index(key))

    def on_discarded(self, message: Discarded) -> None:
        self._discard_at(message.place)

    def on_chosen(self, message: Chosen) -> None:
        self._press(message.key)

    def action_choose(self, by: int) -> None:
        prompt = self._prompt()
        if prompt is None or prompt.kind != "turn":
            return
        playable = discards(prompt.actions)
        places = [place for place, kind in enumerate(in_order(self.table.view)) if kind in playable]
        if not places:
            return
        here = min(range(len(places)), key=lambda i: abs(places[i] - self.selected))
        self.selected = places[(here + by) % len(places)]
        self._draw()

    def action_discard(self) -> None:
        if self.selected >= 0:
            self._discard_at(self.selected)

    def action_help(self) -> None:
        self.app.push_screen(Help(self.lang, self.table.match.rules, self.faces, self.session.commitment))

    def action_hint(self) -> None:
        prompt = self._prompt()
        lines = hint_lines(self.table.view, self.lang, prompt, self.table.heard() if prompt else (), self.glyphs)
        self.app.push_screen(Hint(lines, self.lang))

    def action_language(self) -> None:
        self.lang = "en" if self.lang == "zh" else "zh"
        self._draw()

    def action_glyphs(self) -> None:
        self.glyphs = not self.glyphs
        self._draw()

    def action_leave(self) -> None:
        def left(leave: bool | None) -> None:
            if leave:
                self.finished = True
                self.session.close()
                self.dismiss()

        self.app.push_screen(Leave(self.lang), left)
