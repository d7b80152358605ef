"""The application: start screen, table, and the window size it needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize

from hongzhong.rules import load
from hongzhong.rules.variant import RuleSet
from hongzhong.terminal.engine import Engine
from hongzhong.terminal.settings import Settings, Unfinished, unfinished
from hongzhong.terminal.start import StartScreen
from hongzhong.terminal.windows import TooSmall

if TYPE_CHECKING:  # the engine is loaded behind the start screen
    from hongzhong.terminal.session import Session

MIN_WIDTH: Final = 80
MIN_HEIGHT: Final = 24
TALL: Final = 30


class TableApp(App[int]):
    """Starts at the choice of rule sets, or at the table where the command line says which."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.engine = Engine()
        self.start_screen: StartScreen | None = None
        self.wanted: Callable[[], Session] | None = None
        self.session: Session | None = None
        self.problems: list[str] = []
        """What the command line reports after the table was closed, a line each."""
        self.small: TooSmall | None = None

    def on_mount(self) -> None:
        settings = self.settings
        left = None if settings.new else unfinished()
        self.start_screen = StartScreen(settings, self.engine, left)
        self.push_screen(self.start_screen)
        self.call_after_refresh(self.engine.start)
        if settings.resume and left is not None:
            self._want_resume(left)
        elif settings.rules is not None and (settings.new or left is None):
            self._want(load(settings.rules, settings.options), settings.rules)
        self.set_interval(0.05, self._open_when_ready)

    def on_unmount(self) -> None:
        self._leave_session()

    def _leave_session(self) -> None:
        if self.session is not None:
            self.session.release()
            self.problems += self.session.problems(self.settings.lang)
            self.session = None

    def on_resize(self, event: Resize) -> None:
        too_small = event.size.width < MIN_WIDTH or event.size.height < MIN_HEIGHT
        if too_small and self.small is None:
            self.small = TooSmall(self.settings.lang)
            self.push_screen(self.small)
        elif not too_small and self.small is not None:
            self.small.dismiss()
            self.small = None
        for screen in self.screen_stack:
            screen.set_class(event.size.height >= TALL, "tall")

    def _want(self, rules: RuleSet, name: str) -> None:
        def begin() -> Session:
            from hongzhong.terminal import session

            return session.begin(self.settings, rules, name)

        self.wanted = begin

    def _want_resume(self, left: Unfinished) -> None:
        def resume() -> Session:
            from hongzhong.terminal import session

            return session.resume(left.path)

        self.wanted = resume

    def on_start_screen_play(self, message: StartScreen.Play) -> None:
        self._want(message.rules, message.name)

    def on_start_screen_resume(self) -> None:
        assert self.start_screen is not None
        if self.start_screen.unfinished is not None:
            self._want_resume(self.start_screen.unfinished)

    def _open_when_ready(self) -> None:
        """Opens the table that was asked for once the engine is there."""
        if self.wanted is None or not self.engine.ready or self.screen is not self.start_screen:
            return
        from hongzhong.terminal.play import TableScreen
        from hongzhong.terminal.session import SessionError

        wanted, self.wanted = self.wanted, None
        try:
            self.session = wanted()
        except SessionError as error:
            self.start_screen.complain(str(error))
            return
        screen = TableScreen(self.session, self.settings.lang, glyphs=self.settings.glyphs, fast=self.settings.fast)
        screen.set_class(self.size.height >= TALL, "tall")
        self.push_screen(screen, self._back)

    def _back(self, _: None) -> None:
        """Back from the table: what was left there can be resumed."""
        assert self.start_screen is not None
        self._leave_session()
        self.settings.record = None  # a record is of one match
        self.start_screen.unfinished = unfinished()
        self.start_screen.tell()
