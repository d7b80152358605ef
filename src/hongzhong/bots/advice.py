"""What the bot ``value`` would do in a seat's place, and what speaks for it: the hint at a table. From the seat's view alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from hongzhong import actions
from hongzhong.bots.value import Reason, ValueBot
from hongzhong.events import Event
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet

Why = Literal["", "fastest", "dearer", "safer", "open", "close"]
CLOSE: Final = 0.02
"""Points between two discards that are as good as each other."""


class Advice(NamedTuple):
    """An action of the prompt; for a discard what speaks for it, compared with the fastest ones: it is one of them, little lies between
    them, it may bring more points, it is less likely to deal in, or it leaves more kinds of hands open."""

    action: int
    why: Why


def advise(rules: RuleSet, heard: Iterable[Event], prompt: Prompt, fastest: Sequence[int] = ()) -> Advice:
    """``heard``: the masked events of the hand in play. ``fastest``: the kinds whose discard leaves the hand nearest with most useful copies."""
    bot = ValueBot()
    bot.start(rules, prompt.seat)
    for event in heard:
        bot.see(event)
    reasons = bot.reasons(prompt)
    if not reasons:
        return Advice(bot.choose(prompt), "")
    chosen = reasons[0]
    return Advice(chosen.action, _why(chosen, reasons, fastest))


def _why(chosen: Reason, reasons: Sequence[Reason], fastest: Sequence[int]) -> Why:
    if chosen.action >= actions.PASS or not fastest:
        return ""
    if chosen.action in fastest:
        return "fastest"
    quick = next((reason for reason in reasons if reason.action in fastest), None)
    if quick is None:
        return "dearer"
    if chosen.total - quick.total < CLOSE:
        return "close"
    if chosen.attack > quick.attack:
        return "dearer"
    return "safer" if quick.danger - chosen.danger > 0.005 else "open"
