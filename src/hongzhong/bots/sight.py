"""What a bot knows, laid out for the kernels: its view, and from the events what a view does not hold."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from hongzhong import events
from hongzhong.aims import aims_of
from hongzhong.kernels import sight
from hongzhong.kernels.log import CLAIM, ROB, TURN
from hongzhong.layout import RIVER_CLAIMED, STATE, compile_rules
from hongzhong.round import Prompt
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import ADDED_KONG, UNKNOWN, counts_of
from hongzhong.view import View

_MOST_ROWS = 16 + 240
_PHASES = {"turn": TURN, "claim": CLAIM, "rob": ROB}


@lru_cache(maxsize=64)
def compiled(rules: RuleSet) -> npt.NDArray[np.void]:
    """The rule set and its aims."""
    return aims_of(compile_rules(rules))


class Sight:
    """A seat's view of a match. ``states`` has room for the table as seen, and for a search to fill it."""

    def __init__(self, rules: RuleSet, seat: int) -> None:
        self.seat = seat
        self.rules = compiled(rules)
        self.view = View.start(rules, seat)
        self.states = np.zeros(3, STATE)
        self.numbers = np.zeros(sight.N_SEEN, np.int64)
        self._rows = np.zeros((_MOST_ROWS, 4), np.int64)
        self._ledger = np.zeros((4, 4), np.int64)
        self._replaced = False

    def see(self, event: events.Event) -> None:
        """Folds in a masked event."""
        if isinstance(event, events.Hand):
            self._ledger[:] = 0
        elif isinstance(event, events.Draw):
            self._replaced = event.from_ == "tail"
        elif isinstance(event, events.Pay) and event.for_ == "kong":
            payee = int(np.argmax(event.deltas))
            for payer, delta in enumerate(event.deltas):
                self._ledger[payer, payee] -= min(0, delta)
        self.view.apply(event)

    def lay(self, prompt: Prompt) -> None:
        """Writes what the seat knows at a prompt into ``states[0]`` and ``numbers``."""
        view, numbers = self.view, self.numbers
        hidden = [sum(laid.meld.kind == UNKNOWN for laid in melds) for melds in view.melds]
        robbed = prompt.kind == "rob"
        kongs = sum(laid.meld.is_kong for melds in view.melds for laid in melds) - robbed
        numbers[: sight.SEES_SIZES] = (
            view.dealer, view.remaining, _PHASES[prompt.kind], prompt.source if prompt.source >= 0 else view.turn,
            prompt.tile if prompt.kind == "turn" else -1, self._replaced, -1 if prompt.kind == "turn" else prompt.tile,
            prompt.source, sum(claimed for river in view.rivers for _, claimed in river), kongs,
        )  # fmt: skip
        numbers[sight.SEES_SIZES :] = [*view.sizes, *hidden, *view.scores, *self._ledger.ravel()]
        counts = np.array(counts_of(view.hand), np.int8)
        sight.lay_sight(self.rules, self.states, self.seat, counts, self._rows, self._lay_rows(prompt), numbers)

    def _lay_rows(self, prompt: Prompt) -> int:
        place = 0
        for seat in range(4):
            for meld, source in self.view.melds[seat]:
                if meld.kind != UNKNOWN:
                    robbed = prompt.kind == "rob" and meld == (ADDED_KONG, prompt.tile)
                    self._rows[place] = (seat, meld.form - 2 * robbed, meld.kind, source)
                    place += 1
            for kind, claimed in self.view.rivers[seat]:
                self._rows[place] = (seat, -1, kind + (RIVER_CLAIMED if claimed else 0), seat)
                place += 1
        return place
