"""What a live table asks and how long it waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from hongzhong import actions
from hongzhong.round import Prompt


class StaleAnswer(ValueError):  # noqa: N818 - the name says what happened
    """An answer to a prompt that is not open: ``code`` is ``too_late``, ``answered`` or ``no_such_prompt``."""

    def __init__(self, code: Literal["too_late", "answered", "no_such_prompt"], text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Milliseconds. ``hold``: how long every discard lies; ``bot``: a bot's time for an own turn; ``move`` and ``bank``: the clocks (``move``
    0: none; the bank is full again at every hand, a claim never draws on it); ``between``: until the next hand begins by itself, -1 never;
    ``away``: until a bot answers for a person who is gone."""

    hold: int = 0
    bot: int = 0
    move: int = 0
    bank: int = 0
    between: int = 0
    away: int = 20_000


@dataclass(slots=True)
class Asked:
    """An open prompt: ``id`` counts the seat's own prompts, ``expired``: its time is up."""

    id: int
    prompt: Prompt
    since: int
    expired: bool = False


class Question(NamedTuple):
    """An open prompt that no person answers: ``auto`` for auto-play, whose prompt offers wins, passes and discards only."""

    seat: int
    id: int
    prompt: Prompt
    auto: bool


def auto_prompt(prompt: Prompt) -> Prompt:
    """What auto-play may choose from: a win if there is one, else a pass or any discard."""
    wins = [a for a in prompt.actions if a in (actions.WIN_BY_DRAW, actions.WIN_BY_CLAIM)]
    kept = wins or [a for a in prompt.actions if a <= actions.PASS]
    return Prompt(prompt.kind, prompt.seat, tuple(kept or prompt.actions), prompt.tile, prompt.source)
