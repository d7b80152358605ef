"""Who the other seats are taken by: the levels of the bots, in a line."""

from __future__ import annotations

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from hongzhong.terminal.faces import ACCENT, FAINT, INK
from hongzhong.texts.bots import ABOUT, LEVELS
from hongzhong.texts.terminal import say

Bots = tuple[str, str, str]


class LevelRow(Widget):
    """The levels, the weakest first; others that the command line named stand at the end."""

    class Changed(Message):
        """Other bots shall play."""

    def __init__(self, given: Bots, lang: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.lang = lang
        self.offers: list[Bots] = [(name, name, name) for name in LEVELS]
        if given not in self.offers:
            self.offers.append(given)
        self.at = self.offers.index(given)

    @property
    def bots(self) -> Bots:
        return self.offers[self.at]

    def label(self, offer: Bots) -> str:
        if offer[0] in LEVELS and len(set(offer)) == 1:
            return LEVELS[offer[0]][self.lang == "zh"]
        return ",".join(dict.fromkeys(offer) if len(set(offer)) == 1 else offer)

    def about(self) -> str:
        """How the chosen bots play; nothing of bots that are not ours."""
        name = self.bots[0]
        known = name in ABOUT and len(set(self.bots)) == 1
        return f"{self.label(self.bots)}: {ABOUT[name][self.lang == 'zh']}" if known else ""

    def move(self, by: int) -> None:
        self.pick((self.at + by) % len(self.offers))

    def pick(self, at: int) -> None:
        self.at = at
        self.refresh()
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        left = cell_len(self._title())
        for at, offer in enumerate(self.offers):
            width = cell_len(self.label(offer)) + 4
            if left <= event.x - self.styles.padding.left < left + width:
                self.pick(at)
            left += width

    def _title(self) -> str:
        return f"{say(self.lang, 'opponents')}  "

    def render(self) -> Text:
        line = Text(self._title(), Style(color=ACCENT, bold=True), no_wrap=True, overflow="ellipsis")
        for at, offer in enumerate(self.offers):
            here = at == self.at
            mark = f"[ {self.label(offer)} ]" if here else f"  {self.label(offer)}  "
            line.append(mark, Style(color=ACCENT if here else INK if offer[0] in LEVELS else FAINT, bold=here))
        return line
