"""What a player may ask when hints are allowed: what each discard leaves, and what the greedy bot would do. From the seat's view alone."""

from __future__ import annotations

import numpy as np

from hongzhong import bots, events
from hongzhong.kernels import measure
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import STATE, compile_rules
from hongzhong.round import Prompt
from hongzhong.server.messages import DiscardHint
from hongzhong.server.present import unseen
from hongzhong.tiles import KIND_NAMES, counts_of
from hongzhong.view import View


def advice(view: View, heard: list[events.Event], prompt: Prompt) -> int:
    """The action that the bot ``greedy`` would choose after what it heard of this hand."""
    bot = bots.make("greedy")
    bot.start(view.rules, prompt.seat)
    for event in heard:
        bot.see(event)
    return bot.choose(prompt)


def discards(view: View, prompt: Prompt) -> list[DiscardHint]:
    """What each legal discard leaves, best first."""
    legal = [action for action in prompt.actions if action < 34]
    if not legal:
        return []
    state = np.zeros(1, STATE)
    counts = np.array([counts_of(view.hand)], np.int8)
    melds = np.full((1, 8), -1, np.int64)
    for place, laid in enumerate(view.melds[view.seat]):
        melds[0, 2 * place : 2 * place + 2] = laid.meld
    after, useful = np.zeros((1, 34), np.int64), np.zeros((1, 34), np.int64)
    rules = compile_rules(view.rules)
    measure.lay_hands(rules, state, counts, melds)
    measure.discard_tables(hand_tables(), rules, state, after, useful)
    found = []
    for kind in legal:
        kinds = [other for other in range(34) if int(useful[0, kind]) >> other & 1]
        copies = sum(unseen(view.rules, view, other) for other in kinds)
        away = int(after[0, kind])
        found.append(
            DiscardHint(tile=KIND_NAMES[kind], away=away, kinds=[KIND_NAMES[other] for other in kinds], copies=copies)
        )
    return sorted(found, key=lambda hint: (hint.away, -hint.copies))
