"""A hand as a person types it, scored in one call."""

from __future__ import annotations

from hongzhong.notation import parse_hand
from hongzhong.rules.variant import RuleSet
from hongzhong.score import ScoreError, Verdict, scorer_of, seats_of


def score_hand(
    rules: RuleSet,
    hand: str,
    *,
    by: str = "discard",
    replacement: bool = False,
    last_tile: bool = False,
    first_turn: bool = False,
    winner: int | None = None,
    dealer: int | None = None,
    source: int | None = None,
) -> Verdict:
    """What a hand is worth, or why it does not win: ``123m456m55m23p (999p) + 4p``, Chinese or Unicode tiles.

    Without a ``+`` the last concealed tile is the winning one. ``by``: ``draw``, ``discard`` or ``kong``. With ``winner`` and
    ``dealer`` (and ``source``, unless by draw) the verdict holds the payments. Raises ``ScoreError`` or ``tiles.TileError``.
    """
    typed = parse_hand(hand)
    concealed, tile = typed.concealed, typed.tile
    if tile is None:
        if not concealed:
            raise ScoreError("no winning tile: put it behind a +, such as 123m456m55m23p (999p) + 4p")
        tile = concealed.pop()
    scorer = scorer_of(rules)
    checked = scorer.check(
        concealed,
        typed.melds,
        tile,
        by,
        replacement=replacement,
        last_tile=last_tile,
        first_turn=first_turn,
        seats=seats_of(by, winner, dealer, source),
    )
    return scorer.verdict(checked, advise=True)
