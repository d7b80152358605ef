"""What a player may ask when hints are allowed: what the bot ``value`` would do, and what each discard leaves. From the seat's view alone."""

from __future__ import annotations

from hongzhong import events
from hongzhong.analysis import AnalysisError, analyst_of
from hongzhong.bots.advice import advise
from hongzhong.round import Prompt
from hongzhong.score import ScoreError
from hongzhong.server.messages import DiscardHint
from hongzhong.tiles import KIND_NAMES
from hongzhong.view import View


def advice(view: View, heard: list[events.Event], prompt: Prompt) -> int:
    """The action that the bot ``value`` would choose after what it heard of this hand."""
    return advise(view.rules, heard, prompt).action


def discards(view: View, prompt: Prompt, advised: int = -1) -> list[DiscardHint]:
    """What each legal discard leaves, the advised one first, then the nearest; nothing where the rule set cannot be analysed."""
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
        for discard in sorted(found, key=lambda discard: discard.kind != advised)
        if discard.kind in prompt.actions
    ]
