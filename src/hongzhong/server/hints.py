"""What a player may ask when hints are allowed: what each discard leaves, and what the greedy bot would do. From the seat's view alone."""

from __future__ import annotations

from hongzhong import bots, events
from hongzhong.analysis import AnalysisError, analyst_of
from hongzhong.round import Prompt
from hongzhong.score import ScoreError
from hongzhong.server.messages import DiscardHint
from hongzhong.tiles import KIND_NAMES
from hongzhong.view import View


def advice(view: View, heard: list[events.Event], prompt: Prompt) -> int:
    """The action that the bot ``greedy`` would choose after what it heard of this hand."""
    bot = bots.make("greedy")
    bot.start(view.rules, prompt.seat)
    for event in heard:
        bot.see(event)
    return bot.choose(prompt)


def discards(view: View, prompt: Prompt) -> list[DiscardHint]:
    """What each legal discard leaves, best first; nothing where the rule set cannot be analysed."""
    analyst = analyst_of(view.rules)
    if prompt.kind != "turn":
        return []
    try:
        found = analyst.discards(analyst.hold_view(view), points=False)
    except (AnalysisError, ScoreError):
        return []
    return [
        DiscardHint(
            tile=KIND_NAMES[discard.kind],
            away=-1 if discard.distance is None else discard.distance,
            kinds=[KIND_NAMES[copies.kind] for copies in discard.useful],
            copies=discard.copies,
        )
        for discard in found
        if discard.kind in prompt.actions
    ]
