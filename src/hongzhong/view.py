"""What one seat knows of a hand of play: the fold of its masked events. Bots and screens see only this.

``Round.view`` builds the same from the state of the engine; a property test holds the two equal.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import NamedTuple

from hongzhong import events
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import (
    ADDED_KONG,
    CHOW,
    CONCEALED_KONG,
    EXPOSED_KONG,
    PUNG,
    Meld,
    parse_meld,
    parse_mpsz,
    parse_tile,
)


class Laid(NamedTuple):
    """A meld on the table and the seat that its claimed tile came from, the own seat for a concealed kong."""

    meld: Meld
    source: int


@dataclass(slots=True)
class View:
    """``seat`` is 0-3, or ``events.SPECTATOR``, who holds no hand. Lists by seat have four entries.

    ``hand``: own concealed kinds, sorted; ``drawn``: the one just drawn; ``sizes``: concealed tiles of each seat; ``melds``: ``Laid`` ones,
    others' hidden kongs as ``UNKNOWN``; ``rivers``: ``(kind, claimed)`` in order; ``remaining``: live tiles; ``turn``: the seat that drew, claimed
    or discarded last; ``last_discard``: ``(seat, kind)`` until it is claimed; ``totals``: before this hand; ``scores``: of this hand so far. At the
    end ``reason``, ``next_dealer`` and all ``hands``; ``wins`` are the win events.
    """

    rules: RuleSet = field(compare=False, repr=False)
    seat: int
    number: int = 0
    dealer: int = 0
    totals: list[int] = field(default_factory=lambda: [0] * 4)
    hand: list[int] = field(default_factory=list)
    drawn: int | None = None
    sizes: list[int] = field(default_factory=lambda: [0] * 4)
    melds: list[list[Laid]] = field(default_factory=lambda: [[] for _ in range(4)])
    rivers: list[list[tuple[int, bool]]] = field(default_factory=lambda: [[] for _ in range(4)])
    remaining: int = 0
    turn: int = 0
    last_discard: tuple[int, int] | None = None
    scores: list[int] = field(default_factory=lambda: [0] * 4)
    over: bool = False
    reason: str | None = None
    wins: list[events.Win] = field(default_factory=list)
    false_win: int | None = None
    hands: list[list[int]] | None = None
    next_dealer: int | None = None

    @classmethod
    def start(cls, rules: RuleSet, seat: int) -> View:
        """Before the first event."""
        return cls(rules, seat)

    def apply(self, event: events.Event) -> None:
        """Folds in the next masked event of the seat. A ``Hand`` starts anew; ``Match`` and ``Result`` change nothing."""
        name = f"_{type(event).__name__.lower()}"
        if name not in ("_match", "_result"):
            getattr(self, name)(event)

    def _hand(self, event: events.Hand) -> None:
        fresh = View(self.rules, self.seat)
        for name in self.__slots__:
            setattr(self, name, getattr(fresh, name))
        self.number, self.dealer, self.turn, self.totals = event.number, event.dealer, event.dealer, list(event.scores)
        self.remaining = sum(self.rules.sheet.copies) - reserve_of(self.rules, event.break_)

    def _deal(self, event: events.Deal) -> None:
        tiles = parse_mpsz(event.tiles)
        self.sizes[event.seat] += len(tiles)
        self.remaining -= len(tiles)
        if event.seat == self.seat:
            self.hand = sorted(tiles)

    def _draw(self, event: events.Draw) -> None:
        self.sizes[event.seat] += 1
        self.remaining -= event.from_ == "wall"
        self.turn = event.seat
        self.drawn = None
        if event.seat == self.seat:
            self.drawn = parse_tile(event.tile)
            insort(self.hand, self.drawn)

    def _take(self, seat: int, kinds: list[int]) -> None:
        """Tiles leave the concealed ones of a seat."""
        self.turn = seat
        self.drawn = None
        self.sizes[seat] -= len(kinds)
        if seat == self.seat:
            for kind in kinds:
                self.hand.remove(kind)

    def _discard(self, event: events.Discard) -> None:
        kind = parse_tile(event.tile)
        self._take(event.seat, [kind])
        self.rivers[event.seat].append((kind, False))
        self.last_discard = (event.seat, kind)

    def _claim(self, seat: int, meld: Meld, source: int, kinds: list[int]) -> None:
        self._take(seat, kinds)
        self.melds[seat].append(Laid(meld, source))
        self.rivers[source][-1] = (self.rivers[source][-1][0], True)
        self.last_discard = None

    def _chow(self, event: events.Chow) -> None:
        kinds = parse_mpsz(event.with_)
        self._claim(event.seat, Meld(CHOW, min(*kinds, parse_tile(event.tile))), event.from_, kinds)

    def _pung(self, event: events.Pung) -> None:
        kind = parse_tile(event.tile)
        self._claim(event.seat, Meld(PUNG, kind), event.from_, [kind] * 2)

    def _kong(self, event: events.Kong) -> None:
        kind = parse_tile(event.tile)
        self.remaining -= self.rules.sheet.wall.aside_per_kong
        if event.from_ is not None:
            self._claim(event.seat, Meld(EXPOSED_KONG, kind), event.from_, [kind] * 3)
        elif event.kind == "concealed":
            self._take(event.seat, [kind] * 4)
            self.melds[event.seat].append(Laid(Meld(CONCEALED_KONG, kind), event.seat))
        else:
            self._take(event.seat, [kind])
            self._remake(event.seat, Meld(PUNG, kind), Meld(ADDED_KONG, kind))

    def _remake(self, seat: int, old: Meld, new: Meld) -> bool:
        for place, laid in enumerate(self.melds[seat]):
            if laid.meld == old:
                self.melds[seat][place] = Laid(new, laid.source)
                return True
        return False

    def _win(self, event: events.Win) -> None:
        self.wins.append(event)
        kind = parse_tile(event.tile)
        robbed = event.from_ if event.by == "kong" else None  # then the pung stays a pung (Q18)
        if robbed is not None and self._remake(robbed, Meld(ADDED_KONG, kind), Meld(PUNG, kind)):
            self.remaining += self.rules.sheet.wall.aside_per_kong

    def _falsewin(self, event: events.FalseWin) -> None:
        self.false_win = event.seat

    def _pay(self, event: events.Pay) -> None:
        self.scores = [score + delta for score, delta in zip(self.scores, event.deltas, strict=True)]

    def _end(self, event: events.End) -> None:
        self.over = True
        self.reason = event.reason
        self.next_dealer = event.next_dealer
        self.hands = [sorted(parse_mpsz(hand)) for hand in event.hands]
        for seat, melds in enumerate(event.melds):
            self.melds[seat] = [
                Laid(parse_meld(meld), laid.source) for meld, laid in zip(melds, self.melds[seat], strict=True)
            ]


def reserve_of(rules: RuleSet, aside: int | None) -> int:
    """Tiles kept in reserve; ``aside``: stacks that the dice push aside (H25). Raises ``ValueError`` where they are wanted and missing."""
    stacks = rules.get("reserve_stacks")
    if stacks != "dice":
        return 2 * int(stacks)
    if aside is None:
        raise ValueError(
            "reserve_stacks=dice takes the reserve from the dice: give the throws (dice) or their sum (break)"
        )
    return 2 * aside


def seats_around(rules: RuleSet, seat: int) -> tuple[int, int, int]:
    """The seats on the left, across and on the right of ``seat`` on a screen (Q1): clockwise play goes to the left."""
    following, across, before = ((seat + i) % 4 for i in (1, 2, 3))
    clockwise = rules.get("play_direction") == "clockwise"
    return (following, across, before) if clockwise else (before, across, following)
