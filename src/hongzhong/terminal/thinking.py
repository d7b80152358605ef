"""Lets a bot think beside the screen, which stays awake. Its thread ends with the process: whoever leaves does not wait for it.

A worker of textual's would do but for that: its thread is waited for when the app ends, as long as a bot may think.
"""

from __future__ import annotations

import threading

from textual.message import Message
from textual.screen import Screen

from hongzhong.bots import Bot
from hongzhong.table import Question


class Thought(Message):
    """What a bot answers to a question, or what it raised."""

    def __init__(self, question: Question, chosen: int | Exception) -> None:
        super().__init__()
        self.question, self.chosen = question, chosen


def think(screen: Screen[None], bot: Bot, question: Question) -> None:
    """The screen gets a ``Thought`` once the bot has chosen."""

    def work() -> None:
        try:
            chosen: int | Exception = bot.choose(question.prompt)
        except Exception as error:  # whatever a foreign bot raises, the player gets one line
            chosen = error
        screen.post_message(Thought(question, chosen))

    threading.Thread(target=work, name="bot", daemon=True).start()
