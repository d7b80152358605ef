"""The best reading as text, from the numbers that the kernel wrote (C4)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

from hongzhong.kernels.judge import SAID_BITS, SAID_COUNT, SAID_FORM, SAID_PAIR, SAID_SETS
from hongzhong.kernels.readings import PAIR_TEXT, SET_TEXT
from hongzhong.kernels.scoring import FORM_PAIRS, FORM_SETS
from hongzhong.layout import MIXED_SEVEN_PAIRS, PURE_SEVEN_PAIRS
from hongzhong.rules.variant import RuleSet
from hongzhong.tiles import KIND_NAMES, KIND_OF, suit_of

ORPHANS: Final = tuple(kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8))


def reading_text(rules: RuleSet, said: list[int], counts: list[int], melds: list[str]) -> str:
    """``counts``: the concealed tiles by kind, the winning one included."""
    if said[SAID_FORM] == FORM_SETS:
        return " ".join([*_sets(said), *melds])
    return _pairs(rules, counts, said[SAID_BITS]) if said[SAID_FORM] == FORM_PAIRS else _orphans(rules, counts)


def _sets(said: list[int]) -> list[str]:
    sets = said[SAID_SETS : SAID_SETS + said[SAID_COUNT]]
    return [*(SET_TEXT[number] for number in sets), PAIR_TEXT[said[SAID_PAIR]]]


def _wild_tiles(rules: RuleSet, counts: list[int]) -> int:
    """Takes the wild tiles out of the counts."""
    wild = 0
    for name in rules.sheet.wild:
        wild += counts[KIND_OF[name]]
        counts[KIND_OF[name]] = 0
    return wild


def _pairs(rules: RuleSet, counts: list[int], bits: int) -> str:
    """Seven pairs; a pair of wild tiles stands for what gives the smallest text and the patterns that were paid."""
    counts = counts.copy()
    spare = _wild_tiles(rules, counts) - sum(count % 2 for count in counts)
    pairs = []
    for kind, count in enumerate(counts):
        pairs += [kind * 3] * (count // 2) + [kind * 3 + 1] * (count % 2)
    if not spare:
        return _join(pairs)
    texts = []
    for stand_ins in combinations_with_replacement(_stand_ins(rules), spare // 2):
        whole = pairs + [kind * 3 + 2 for kind in stand_ins]
        if _fits(rules, whole, bits):
            texts.append(_join(whole))
    return min(texts)


def _stand_ins(rules: RuleSet) -> list[int]:
    return [kind for kind, copies in enumerate(rules.sheet.copies) if copies]


def _fits(rules: RuleSet, pairs: list[int], bits: int) -> bool:
    if not rules.get("fifth_copy") and any(sum(pair // 3 == kind for pair in pairs) > 2 for kind in range(34)):
        return False
    least = 7 if bits >> PURE_SEVEN_PAIRS & 1 else 5 if bits >> MIXED_SEVEN_PAIRS & 1 else 0
    return max(sum(suit_of(pair // 3) == suit for pair in pairs) for suit in range(3)) >= least


def _join(pairs: list[int]) -> str:
    return " ".join(PAIR_TEXT[pair] for pair in sorted(pairs, key=lambda pair: (pair // 3, PAIR_TEXT[pair])))


def _orphans(rules: RuleSet, counts: list[int]) -> str:
    """One of each, the pair in its place, as ``19m19s19p12345677z``."""
    counts = counts.copy()
    spare = _wild_tiles(rules, counts) - sum(counts[kind] == 0 for kind in ORPHANS)
    if not spare:
        return _orphans_text(counts, -1)
    kinds = [kind for kind in ORPHANS if kind > 30 or rules.get("any_orphan_pair")]
    return min(_orphans_text(counts, kind) for kind in kinds)


def _orphans_text(counts: list[int], doubled: int) -> str:
    parts = []
    for letter in "mspz":
        tiles = ""
        for kind in ORPHANS:
            digit = KIND_NAMES[kind][0]
            if KIND_NAMES[kind][1] == letter:
                tiles += (digit * counts[kind] or digit + "*") + (digit + "*" if kind == doubled else "")
        parts.append(tiles + letter)
    return "".join(parts)
