"""Hands as a person types them, analysed or explained in one call."""

from __future__ import annotations

from hongzhong.analysis import Analysis, analyst_of
from hongzhong.analysis.explain import Explanation, explain
from hongzhong.notation import parse_hand, parse_tiles
from hongzhong.rules.variant import RuleSet
from hongzhong.score import seats_of


def analyse_hand(rules: RuleSet, hand: str, *, seen: str = "", points: bool = True) -> Analysis:
    """Distance, waits, useful tiles and discards of a hand such as ``123m456m55m23p (999p)``, Chinese or Unicode tiles; a tile behind a
    ``+`` has been drawn. ``seen``: tiles seen elsewhere, in rivers and others' melds. Without ``points`` no discard says what it may
    pay. Raises ``ScoreError``, ``tiles.TileError``, ``AnalysisError``."""
    typed = parse_hand(hand)
    concealed = typed.concealed + ([] if typed.tile is None else [typed.tile])
    analyst = analyst_of(rules)
    return analyst.analyse(analyst.hold(concealed, typed.melds, parse_tiles(seen)), points=points)


def explain_hand(
    rules: RuleSet,
    hand: str,
    *,
    by: str = "draw",
    replacement: bool = False,
    last_tile: bool = False,
    first_turn: bool = False,
    winner: int | None = None,
    dealer: int | None = None,
    source: int | None = None,
    seen: str = "",
) -> Explanation:
    """Why a hand wins or not, what it lacks, and what disputed options would change. Of 3n + 2 tiles the one behind a ``+``, else the last
    concealed one, is the winning tile. Raises as ``analyse_hand``."""
    typed = parse_hand(hand)
    concealed, tile = typed.concealed, typed.tile
    if tile is None and concealed and len(concealed) % 3 == 2:
        tile = concealed.pop()
    flags = {"replacement": replacement, "last_tile": last_tile, "first_turn": first_turn}
    seats = seats_of(by, winner, dealer, source)
    return explain(rules, concealed, typed.melds, tile=tile, by=by, flags=flags, seats=seats, seen=parse_tiles(seen))
