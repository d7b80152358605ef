"""A match: hands of play one after another, who deals, totals, ranking, and every event in the order of its record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import metadata
from itertools import pairwise
from typing import Any, Final

from hongzhong import events
from hongzhong.fair import Chance, Dealt, Fair, FairError, commit, new_secret, secret_of_seed
from hongzhong.round import Prompt, Round
from hongzhong.rules.variant import RuleSet
from hongzhong.rules.vocabulary import MOST_HANDS


def full_rounds(dealers: Sequence[int]) -> int:
    """Full rounds of dealers (C9): four changes of the deal each, whoever it goes to. ``dealers``: who dealt each hand, in turn; a seat that
    stays on has not given up the deal."""
    return sum(dealer != following for dealer, following in pairwise(dealers)) // 4


@cache
def engine_version() -> str:
    """The version that records and journals name."""
    return metadata.version("hongzhong")


class Match:
    """Four seats, and ``hands`` hands, or where these are 0 ``rounds`` full rounds of dealers (C9). Chance comes from ``secret``, else from ``seed``, else from the operating system.

    ``players`` and ``nonces`` are in the order of joining; where seats are drawn (H25), ``self.players`` has them by seat. ``committed`` shows
    the secret's commitment at the start and the secret itself at the end. Raises ``FairError`` for a bad secret or nonces.
    """

    def __init__(
        self,
        rules: RuleSet,
        players: Sequence[str] = ("1", "2", "3", "4"),
        *,
        seed: int | None = None,
        secret: bytes | None = None,
        nonces: Sequence[str] = (),
        committed: bool = False,
        chance: Chance | None = None,
        commitment: str | None = None,
    ) -> None:
        if len(players) != 4:
            raise FairError(f"a match has four players, not {len(players)}")
        if nonces and len(nonces) != 4:
            raise FairError(
                f"nonces are one for each of the four players (empty where none was given), not {len(nonces)}"
            )
        self.rules = rules
        self._secret: str | None = None
        if chance is None:
            if secret is None:
                secret = new_secret() if seed is None else secret_of_seed(seed)
            chance = Fair(rules, secret, nonces)
            if committed:
                self._secret, commitment = secret.hex(), commit(secret)
        self._chance = chance
        self._opening = opening = chance.opening()
        self.players = list(players)
        for player, seat in zip(players, opening.seat_draw or range(4), strict=True):
            self.players[seat] = player
        self.rounds: Final[int] = rules.get("rounds")
        self.hands: Final[int] = 0 if self.rounds else rules.get("hands")
        self.dealers: list[int] = []
        self.totals = [0, 0, 0, 0]
        self.number = 0
        self.over = False
        self.events: list[events.Event] = [
            events.Match(
                format=events.FORMAT,
                engine=engine_version(),
                rules=rules.id,
                rules_revision=rules.sheet.revision,
                options={name: list(v) if isinstance(v, tuple) else v for name, v in rules.in_force().items()},
                players=self.players,
                hands=self.hands,
                first_dealer=opening.first_dealer,
                dealer_throws=opening.dealer_throws,
                seat_draw=opening.seat_draw,
                commitment=commitment,
                nonces=list(nonces) or None,
            )
        ]
        self._deal(opening.first_dealer)

    def seat_of(self, joined: int) -> int:
        """The seat of the player who joined at that place, 0-3."""
        return joined if self._opening.seat_draw is None else self._opening.seat_draw[joined]

    @property
    def scores(self) -> list[int]:
        """Totals with the points of the hand in play."""
        return list(self.totals) if self.over else [a + b for a, b in zip(self.totals, self.round.scores, strict=True)]

    @property
    def ranking(self) -> list[int]:
        """Seats, best first, ties by seat."""
        scores = self.scores
        return sorted(range(4), key=lambda seat: (-scores[seat], seat))

    def round_of(self, number: int) -> int:
        """Full rounds of dealers before that hand, which has been dealt."""
        return full_rounds(self.dealers[: number + 1])

    def asked(self) -> list[int]:
        """The seats whose answer is awaited; none once the match is over."""
        return [] if self.over else self.round.asked()

    def legal(self, seat: int) -> list[int]:
        """Action numbers that the seat may answer with."""
        return self.round.legal(seat)

    def prompt(self, seat: int) -> Prompt | None:
        """What the seat is asked, None if nothing."""
        return None if self.over else self.round.prompt(seat)

    def seen(self, seat: int) -> list[events.Event]:
        """All events so far as a seat (``events.SPECTATOR`` for a watcher) may know them."""
        return [event for event in (events.masked(e, seat) for e in self.events) if event is not None]

    def step(self, seat: int, action: int) -> list[events.Event]:
        """Answers for a seat; the events that follow, unmasked, the next hand's first ones included. Raises ``IllegalAction``."""
        first = len(self.events)
        self.events += self.round.step(seat, action)
        self._go_on()
        return self.events[first:]

    def take(self, states: Any, rows: Any) -> None:
        """The hand in play as a batch has played it to its end (``Round.take``)."""
        self.events += self.round.take(states, rows)
        self._go_on()

    def abort(self) -> list[events.Event]:
        """Ends the match early: the hand in play is void, kong payments go back (C9), the result stands. Nothing if it is over."""
        if self.over:
            return []
        first = len(self.events)
        self.events += self.round.abort()
        self._settle()
        self._finish()
        return self.events[first:]

    def _go_on(self) -> None:
        while self.round.over and not self.over:
            self._settle()
            following = self.round.next_dealer
            if self._is_last(following):
                self._finish()
            else:
                self.number += 1
                self._deal(following)

    def _is_last(self, following: int) -> bool:
        """The one rule of when a match ends (C9): whether the hand in play is its last, if that seat would deal next."""
        if not self.rounds:
            return self.number + 1 == self.hands
        return full_rounds([*self.dealers, following]) == self.rounds or self.number + 1 == MOST_HANDS

    def _settle(self) -> None:
        self.totals = [a + b for a, b in zip(self.totals, self.round.scores, strict=True)]

    def _deal(self, dealer: int) -> None:
        self.dealers.append(dealer)
        dealt: Dealt = self._chance.hand(self.number, dealer)
        self.round = Round(
            self.rules,
            dealt.wall,
            dealer=dealer,
            number=self.number,
            scores=tuple(self.totals),
            dice=dealt.dice,
            break_=dealt.break_,
        )
        self.events += self.round.events
        self._go_on()

    def _finish(self) -> None:
        self.over = True
        self.events.append(events.Result(scores=list(self.totals), ranking=self.ranking, secret=self._secret))
