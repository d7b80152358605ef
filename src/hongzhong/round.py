"""One hand of play for Python: checked actions in, events out. The rules are the kernels' (kernels/step.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from hongzhong import actions, events
from hongzhong.kernels import log, table
from hongzhong.kernels.jit import hand_tables
from hongzhong.layout import BY_DISCARD, BY_DRAW, RIVER_CLAIMED, STATE, compile_rules
from hongzhong.rules.variant import RuleSet
from hongzhong.score import describe_win
from hongzhong.tiles import (
    ADDED_KONG,
    CONCEALED_KONG,
    EXPOSED_KONG,
    KIND_NAMES,
    KONG_NAMES,
    PUNG,
    UNKNOWN,
    Meld,
    format_meld,
    format_mpsz,
)
from hongzhong.view import Laid, View, reserve_of

Rows = npt.NDArray[np.int64]
_PHASES: Final[tuple[Literal["turn", "claim", "rob"], ...]] = ("turn", "claim", "rob")
_PAYMENTS: Final = ("win", "kong", "kong_void", "false_win", "follow_dealer")
_REASONS: Final = ("win", "exhausted", "four_kongs", "false_win", "aborted")
_WAYS: Final = ("draw", "discard", "kong")
_MAX_ROWS: Final = 32
"""More than one action can bring: three wins and payments, an added kong, a draw, the end."""


_DEALT: Final = [[4 * turn + 16 * lot + i for lot in range(3) for i in range(4)] + [48 + turn] for turn in range(4)]
"""Places in the wall of the tiles dealt to each seat, in turn order from the dealer (C11)."""


class IllegalAction(ValueError):  # noqa: N818 - the name says what happened
    """An action that the seat may not take now: says which, where, and what it may do."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a seat is asked: ``actions`` are the legal answers. ``tile``: the kind just drawn, or the one that may be claimed or robbed,
    -1 for none; ``source``: the seat it came from, -1 on an own turn."""

    kind: Literal["turn", "claim", "rob"]
    seat: int
    actions: tuple[int, ...]
    tile: int
    source: int


@lru_cache(maxsize=256)
def _compiled(rules: RuleSet) -> npt.NDArray[np.void]:
    return compile_rules(rules)


class Round:
    """A hand of play, dealt from ``wall``: all tiles of the rule set in drawing order. ``scores`` are the totals before it.

    ``dice`` (the dealer's throw, the second thrower's) and their sum ``break_`` where they are thrown (H25). Raises ``ValueError`` for a
    wall that does not hold the rule set's tiles, or a seat that is none.
    """

    def __init__(
        self,
        rules: RuleSet,
        wall: Sequence[int],
        *,
        dealer: int = 0,
        number: int = 0,
        scores: Sequence[int] = (0, 0, 0, 0),
        dice: Sequence[Sequence[int]] | None = None,
        break_: int | None = None,
    ) -> None:
        _check_wall(rules, wall)
        if dealer not in range(4):
            raise ValueError(f"dealer {dealer}: seats are 0-3")
        if len(scores) != 4:
            raise ValueError(f"{len(scores)} scores: a hand has four seats")
        throws = None if dice is None else [list(throw) for throw in dice]
        aside = sum(map(sum, throws)) if break_ is None and throws is not None else break_
        self.rules = rules
        self.number = number
        self.totals = list(scores)
        self._rules = _compiled(rules)
        self._states = np.zeros(1, STATE)
        self._rows: Rows = np.zeros((_MAX_ROWS, log.N_COLUMNS), np.int64)
        self._out = np.zeros(actions.N_ACTIONS, np.int64)
        laid = np.array(wall, np.int8)
        table.start_at(
            hand_tables(), self._rules, self._states, 0, self._rows, laid, dealer, reserve_of(rules, aside), self._out
        )
        self.events: list[events.Event] = [
            events.Hand(
                number=number, dealer=dealer, scores=list(scores), wall=format_mpsz(wall), dice=throws, break_=aside
            )
        ]
        for turn, places in enumerate(_DEALT):
            self.events.append(events.Deal(seat=(dealer + turn) % 4, tiles=format_mpsz(wall[p] for p in places)))
        self._note()

    @property
    def state(self) -> Any:
        """The record that the kernels work on (layout.STATE)."""
        return self._states[0]

    @property
    def over(self) -> bool:
        return bool(self._states["phase"][0] == log.OVER)

    @property
    def scores(self) -> list[int]:
        """Points of this hand so far, by seat."""
        return [int(score) for score in self._states["scores"][0]]

    @property
    def next_dealer(self) -> int:
        """Who deals after this hand; the dealer until it has ended."""
        return int(self._states["next_dealer"][0])

    @property
    def remaining(self) -> int:
        """Live tiles; a kong that may still be robbed counts as made."""
        live = int(table.live_tiles_at(self._rules, self._states, 0))
        robbing = self._states["phase"][0] == log.ROB
        return live - (int(self._rules["aside_per_kong"][0]) if robbing else 0)

    def waits(self, seat: int) -> int:
        """Mask of the kinds that the seat's thirteen tiles wait for."""
        return int(self._states["waits"][0, seat])

    def asked(self) -> list[int]:
        """The seats whose answer is awaited, at a discard several at once (C2)."""
        phase = self._states["phase"][0]
        if phase == log.OVER:
            return []
        if phase == log.TURN:
            return [int(self._states["turn"][0])]
        asked = int(self._states["asked"][0])
        return [seat for seat in range(4) if asked >> seat & 1]

    def legal(self, seat: int) -> list[int]:
        """Action numbers that the seat may answer with, rising; none if it is not asked."""
        n = table.legal_at(self._rules, self._states, 0, seat, self._out)
        found: list[int] = self._out[:n].tolist()
        return found

    def prompt(self, seat: int) -> Prompt | None:
        """What the seat is asked, None if nothing."""
        legal = self.legal(seat)
        if not legal:
            return None
        state = self.state
        if state["phase"] == log.TURN:
            return Prompt("turn", seat, tuple(legal), int(state["drawn"]), -1)
        kind = _PHASES[int(state["phase"])]
        return Prompt(kind, seat, tuple(legal), int(state["offer_tile"]), int(state["offer_from"]))

    def step(self, seat: int, action: int) -> list[events.Event]:
        """Answers for a seat; the events that follow, unmasked. Raises ``IllegalAction``."""
        if seat not in range(4) or action not in self.legal(seat):
            raise IllegalAction(self._why_not(seat, action))
        table.step_at(hand_tables(), self._rules, self._states, 0, self._rows, seat, action, self._out)
        return self._note()

    def take(self, states: npt.NDArray[np.void], rows: Rows) -> list[events.Event]:
        """A later state of the same hand, and all that happened in it from its first draw on, as kernels/batch.py has played it; the
        events since this one."""
        known = sum(not isinstance(event, events.Hand | events.Deal) for event in self.events)
        self._states.view(np.uint8)[:] = states[:1].view(np.uint8)
        found = [self._event(row) for row in rows[known : int(states["n_events"][0])].tolist()]
        self.events += found
        return found

    def abort(self) -> list[events.Event]:
        """Ends the hand early: kong payments go back, the dealer stays. Nothing if it is over."""
        if self.over:
            return []
        table.abort_at(self._rules, self._states, 0, self._rows)
        return self._note()

    def copy(self) -> Round:
        """An independent hand in the same position."""
        twin = object.__new__(Round)
        twin.__dict__.update(self.__dict__)
        twin._states = np.empty(1, STATE)
        twin._states.view(np.uint8)[:] = self._states.view(np.uint8)
        twin._rows, twin._out = self._rows.copy(), self._out.copy()
        twin.events, twin.totals = self.events.copy(), self.totals.copy()
        return twin

    def _why_not(self, seat: int, action: int) -> str:
        try:
            named = actions.name_of(action)
        except ValueError as error:
            return str(error)
        if self.over:
            return f"seat {seat}: {named}: the hand is over"
        if seat not in self.asked():
            waiting = " and ".join(map(str, self.asked()))
            return f"seat {seat}: {named}: it is not asked; the hand waits for seat {waiting}"
        choices = ", ".join(map(actions.name_of, self.legal(seat)))
        return f"seat {seat}: {named} is not legal here; it may answer: {choices}"

    # events from the rows that the kernels wrote

    def _note(self) -> list[events.Event]:
        n = int(self._states["n_events"][0])
        found = [self._event(row) for row in self._rows[:n].tolist()]
        self.events += found
        return found

    def _event(self, row: list[int]) -> events.Event:
        code, seat, kind, third, fourth = row[:5]
        if code == log.EVENT_DRAW:
            return events.Draw(seat=seat, tile=KIND_NAMES[kind], from_="tail" if third else "wall")
        if code == log.EVENT_DISCARD:
            return events.Discard(seat=seat, tile=KIND_NAMES[kind], drawn=bool(third))
        if code == log.EVENT_CHOW:
            others = format_mpsz(k for k in range(third, third + 3) if k != kind)
            return events.Chow(seat=seat, tile=KIND_NAMES[kind], with_=others, from_=fourth)
        if code == log.EVENT_PUNG:
            return events.Pung(seat=seat, tile=KIND_NAMES[kind], from_=third)
        if code == log.EVENT_KONG:
            hidden = third == CONCEALED_KONG and not self.rules.get("concealed_kong_visible")
            source = fourth if third == EXPOSED_KONG else None
            name: Any = KONG_NAMES[third]
            return events.Kong(seat=seat, tile=KIND_NAMES[kind], kind=name, from_=source, hidden_=hidden)
        if code == log.EVENT_WIN:
            return self._win(row)
        if code == log.EVENT_FALSE:
            return events.FalseWin(seat=seat)
        if code == log.EVENT_PAY:
            why: Any = _PAYMENTS[seat]
            return events.Pay(deltas=row[2:6], for_=why)
        return self._end(seat, kind)

    def _win(self, row: list[int]) -> events.Win:
        _, seat, kind, how, source, points, _bits, facts = row[:8]
        concealed = self._concealed(seat)
        if how == BY_DRAW:
            concealed.remove(kind)
        melds = self._melds(seat)
        verdict = describe_win(self.rules, concealed, melds, kind, how, facts)
        way: Any = _WAYS[how]
        return events.Win(
            seat=seat,
            by=way,
            from_=source if how >= BY_DISCARD else None,
            tile=KIND_NAMES[kind],
            concealed=format_mpsz(concealed),
            melds=[format_meld(meld) for meld in melds],
            reading=verdict.reading,
            points=points,
            patterns=list(verdict.patterns),
        )

    def _end(self, reason: int, next_dealer: int) -> events.End:
        why: Any = _REASONS[reason]
        return events.End(
            reason=why,
            hands=[format_mpsz(self._concealed(seat)) for seat in range(4)],
            melds=[[format_meld(meld) for meld in self._melds(seat)] for seat in range(4)],
            scores=self.scores,
            next_dealer=next_dealer,
        )

    # what lies where

    def _concealed(self, seat: int) -> list[int]:
        counts = self._states["count"][0, seat].tolist()
        return [kind for kind, n in enumerate(counts) for _ in range(n)]

    def _melds(self, seat: int) -> list[Meld]:
        return [laid.meld for laid in self._laid(seat)]

    def _laid(self, seat: int) -> list[Laid]:
        state = self.state
        return [
            Laid(
                Meld(int(state["meld_form"][seat, i]), int(state["meld_kind"][seat, i])),
                int(state["meld_from"][seat, i]),
            )
            for i in range(int(state["meld_count"][seat]))
        ]

    def _seen_laid(self, owner: int, seat: int) -> list[Laid]:
        """Melds as a seat sees them: hidden kongs face down (C7), a kong that may be robbed as made."""
        state, found = self.state, self._laid(owner)
        robbed = state["phase"] == log.ROB and state["offer_from"] == owner
        faced_down = not (self.over or owner == seat or self.rules.get("concealed_kong_visible"))
        for place, (meld, source) in enumerate(found):
            if faced_down and meld.form == CONCEALED_KONG:
                found[place] = Laid(Meld(CONCEALED_KONG, UNKNOWN), source)
            elif robbed and meld == Meld(PUNG, int(state["offer_tile"])):
                found[place] = Laid(Meld(ADDED_KONG, meld.kind), source)
        return found

    def _river(self, seat: int) -> list[tuple[int, bool]]:
        tiles = self._states["river"][0, seat, : int(self._states["river_count"][0, seat])].tolist()
        return [(tile % RIVER_CLAIMED, tile >= RIVER_CLAIMED) for tile in tiles]

    def view(self, seat: int) -> View:
        """What the seat (``events.SPECTATOR`` for a watcher) knows; equal to the fold of its masked events."""
        state, over = self.state, self.over
        rivers = [self._river(owner) for owner in range(4)]
        last = int(state["last_discarder"])
        drawn = int(state["drawn"])
        return View(
            self.rules,
            seat,
            number=self.number,
            dealer=int(state["dealer"]),
            totals=list(self.totals),
            hand=[] if seat == events.SPECTATOR else self._concealed(seat),
            drawn=drawn if drawn >= 0 and seat == state["turn"] else None,
            sizes=[int(n) for n in state["count"].sum(axis=1)],
            melds=[self._seen_laid(owner, seat) for owner in range(4)],
            rivers=rivers,
            remaining=self.remaining,
            turn=int(state["turn"]),
            last_discard=None if last < 0 else (last, rivers[last][-1][0]),
            scores=self.scores,
            over=over,
            reason=_REASONS[int(state["reason"])] if over else None,
            wins=[event for event in self.events if isinstance(event, events.Win)],
            false_win=int(state["erred"]) if state["erred"] >= 0 else None,
            hands=[self._concealed(owner) for owner in range(4)] if over else None,
            next_dealer=self.next_dealer if over else None,
        )


def _check_wall(rules: RuleSet, wall: Sequence[int]) -> None:
    """Raises ``ValueError`` naming the first kind that is amiss."""
    if len(wall) != sum(rules.sheet.copies):
        raise ValueError(f"a wall of {len(wall)} tiles: {rules.id} has {sum(rules.sheet.copies)}")
    counts = Counter(wall)
    for kind, copies in enumerate(rules.sheet.copies):
        held = counts[kind]
        if held != copies:
            raise ValueError(f"a wall with {held} of {KIND_NAMES[kind]}: {rules.id} has {copies}")
