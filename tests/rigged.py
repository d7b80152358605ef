"""Walls made to order: what each seat is dealt, what is drawn, what lies at the tail; the rest fills up in kind order."""

from __future__ import annotations

from collections.abc import Iterable

from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import format_mpsz, parse_mpsz


def rigged_wall(rules: RuleSet, hands: Iterable[str] = (), draws: str = "", tail: str = "") -> list[int]:
    """A wall in drawing order. ``hands``: 13 tiles or fewer each, from the dealer in turn order; ``draws``: from the dealer's
    fourteenth tile on; ``tail``: replacement tiles in the order in which they are taken. Raises ``ValueError`` on a tile too many."""
    left = list(rules.sheet.copies)

    def take(text: str) -> list[int]:
        kinds = parse_mpsz(text)
        for kind in kinds:
            left[kind] -= 1
            if left[kind] < 0:
                raise ValueError(f"too many {format_mpsz([kind])} in a rigged wall")
        return kinds

    dealt = [take(hand) for hand in hands]
    dealt += [[] for _ in range(4 - len(dealt))]
    drawn, behind = take(draws), take(tail)[::-1]
    # the fillers alternate through the suits, so that filled-up hands do not win by themselves
    filler = sorted(
        (kind for kind, n in enumerate(left) for _ in range(n)), key=lambda kind: (kind % 9 % 2, kind % 5, kind)
    )
    for hand in dealt:
        while len(hand) < 13:
            hand.append(filler.pop(0))
    order = [kind for start in (0, 4, 8) for hand in dealt for kind in hand[start : start + 4]]
    order += [hand[12] for hand in dealt]
    return order + drawn + filler + behind
