"""Records taken apart for a screen: their hands, and each step of a hand, with all hands open or as one seat saw it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hongzhong import events
from hongzhong.match import full_rounds
from hongzhong.rules.variant import RuleSet
from hongzhong.server.bodies import Frame, HandCard
from hongzhong.server.present import view_shown
from hongzhong.texts.replay import describe
from hongzhong.tiles import KIND_OF
from hongzhong.view import View


def read(lines: bytes) -> list[events.Event]:
    """The events of a record that was checked when it was kept."""
    return [events.decode(line) for line in lines.splitlines()]


def hands_of(record: Sequence[events.Event]) -> list[list[events.Event]]:
    """The events of each hand of play."""
    hands: list[list[events.Event]] = []
    for event in record:
        if isinstance(event, events.Hand):
            hands.append([])
        if hands and not isinstance(event, events.Match | events.Result):
            hands[-1].append(event)
    return hands


def cards(record: Sequence[events.Event]) -> list[HandCard]:
    """What to jump to."""
    out = []
    for hand in hands_of(record):
        first, last = hand[0], hand[-1]
        assert isinstance(first, events.Hand) and isinstance(last, events.End)
        wins = [event for event in hand if isinstance(event, events.Win)]
        out.append(
            HandCard(
                number=first.number,
                dealer=first.dealer,
                reason=last.reason,
                winners=[win.seat for win in wins],
                by=wins[0].by if wins else "",
                scores=last.scores,
                events=len(hand),
            )
        )
    return out


def frames(
    ruleset: RuleSet, record: Sequence[events.Event], number: int, seat: int, *, open_hands: bool
) -> Iterator[Frame]:
    """Every step of that hand of a record; ``seat``: the side that it is seen from, ``events.SPECTATOR`` for what everybody knew."""
    match, hand = record[0], hands_of(record)[number]
    assert isinstance(match, events.Match)
    round_ = full_rounds([event.dealer for event in record if isinstance(event, events.Hand)][: number + 1])
    views = {viewer: View.start(ruleset, viewer) for viewer in (events.SPECTATOR, 0, 1, 2, 3)}
    claimed: list[list[int]] = [[] for _ in range(4)]
    for event in hand:
        for viewer, view in views.items():
            masked = events.masked(event, viewer)
            if masked is not None:
                view.apply(masked)
        if isinstance(event, events.Chow | events.Pung) or (isinstance(event, events.Kong) and event.kind != "added"):
            claimed[event.seat].append(-1 if event.from_ is None else KIND_OF[event.tile])
        seen = event if open_hands else events.masked(event, seat)
        if seen is None:
            continue
        yield Frame(
            event=seen,  # type: ignore[arg-type]
            zh=describe(seen, "zh", match.players),
            en=describe(seen, "en", match.players),
            view=view_shown(
                ruleset,
                round_,
                views[seat],
                claimed,
                hints=True,
                open_hands=[views[owner] for owner in range(4)] if open_hands else (),
            ),
        )
