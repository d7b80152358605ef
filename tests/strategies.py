"""Random options, hands and flags for any sheet, from a seeded generator: what the comparing tests feed on."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import RuleSet, Sheet, resolve
from hongzhong.rules.vocabulary import OPTIONS
from hongzhong.tiles import ADDED_KONG, CHOW, CONCEALED_KONG, EXPOSED_KONG, KIND_OF, PUNG, Meld

FORM_OF = {
    "chow": CHOW,
    "pung": PUNG,
    "exposed_kong": EXPOSED_KONG,
    "added_kong": ADDED_KONG,
    "concealed_kong": CONCEALED_KONG,
}
STYLES = ("sets", "sets", "sets", "flush", "two_suits", "straight", "pungs", "honours", "seven_pairs", "orphans", "any")


@dataclass(frozen=True)
class Drawn:
    """A hand that tiles allow: ``concealed`` without ``tile``."""

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    tile: int


def option_value(name: str, random: Random) -> Any:
    """Any value that the option takes, the odd ones often enough."""
    spec = OPTIONS[name]
    if spec.kind == "bool":
        return random.random() < 0.5
    if spec.kind == "choice":
        return random.choice(spec.choices)
    if spec.kind == "points":
        return tuple(random.choice((0, 1, 2, 3, spec.high)) for _ in range(3))
    if spec.words and random.random() < 0.3:
        return random.choice(spec.words)
    if spec.none and random.random() < 0.4:
        return None
    low, high = spec.low, spec.high
    return random.choice((low, min(low + 1, high), min(low + 2, high), min(low + random.randrange(12), high)))


def random_options(sheet: Sheet, random: Random, share: float = 0.3, price_share: float = 0.1) -> dict[str, Any]:
    """Options to change, without conflicts: each with that chance, each price too. Not ``rounds``, which no single hand knows of and which
    conflicts with ``hands``: tests/test_match_length.py."""
    names = [name for name in sheet.options if name != "rounds"]
    while True:
        given: dict[str, Any] = {name: option_value(name, random) for name in names if random.random() < share}
        for row in sheet.patterns:
            if random.random() < price_share:
                given[f"price.{row.id}"] = (
                    random.choice((0, 1, 2, 3, 5)) if row.kind != "times" else random.randint(1, 4)
                )
        try:
            resolve(sheet, given)
        except RuleError:
            continue
        return given


def random_rules(sheet: Sheet, random: Random, share: float = 0.3) -> RuleSet:
    """The sheet with random options; plain defaults one time in five."""
    return resolve(sheet, {} if random.random() < 0.2 else random_options(sheet, random, share))


class Maker:
    """Grows hands for one sheet: whole ones from sets, near misses, wild tiles, melds, kongs, special forms."""

    def __init__(self, sheet: Sheet, random: Random) -> None:
        self.sheet, self.random = sheet, random
        self.wild = [KIND_OF[name] for name in sheet.wild]
        self.forms = [FORM_OF[claim] for claim in sheet.claims]
        self.kinds = [kind for kind in range(34) if sheet.copies[kind] and kind not in self.wild]

    def hand(self) -> Drawn:
        """One hand: about half of them win by shape."""
        while True:
            drawn = self._try()
            if drawn is not None:
                return drawn

    def _try(self) -> Drawn | None:
        random = self.random
        style = random.choice(STYLES)
        n_melds = 0 if style in ("seven_pairs", "orphans") else random.choice((0, 0, 1, 1, 2, 2, 3, 4))
        pool = self._pool(style)
        if style == "any":
            return self._deal([], [], 14)
        groups: list[list[int]] = []
        melds: list[Meld] = []
        if style == "seven_pairs":
            groups = [[kind, kind] for kind in (random.choice(pool) for _ in range(7))]
        elif style == "orphans":
            ends = [kind for kind in (0, 8, 9, 17, 18, 26, *range(27, 34)) if kind in self.kinds]
            groups = [[kind] for kind in ends]
            if ends:
                groups.append([random.choice(ends)])
        else:
            sets = [self._set(pool, style) for _ in range(4)]
            if style == "straight":
                first = 9 * random.randrange(3)
                sets[:3] = [[first + 3 * i, first + 3 * i + 1, first + 3 * i + 2] for i in range(3)]
                random.shuffle(sets)
            for at, tiles in enumerate(sets):
                meld = self._meld(tiles) if at < n_melds else None
                if meld is None:
                    groups.append(tiles)
                else:
                    melds.append(meld)
            groups.append([random.choice(pool)] * 2)
        tiles = [kind for group in groups for kind in group]
        for _ in range(random.choice((0, 0, 0, 1, 1, 2))):  # near misses
            if tiles:
                tiles[random.randrange(len(tiles))] = random.choice(pool if random.random() < 0.7 else self.kinds)
        if self.wild:
            for _ in range(random.choices((0, 1, 2, 3, 4), (25, 38, 25, 9, 3))[0]):
                tiles[random.randrange(len(tiles))] = random.choice(self.wild)
        return self._deal(tiles, melds, 14 - 3 * len(melds))

    def _pool(self, style: str) -> list[int]:
        random = self.random
        suits = [0, 1, 2]
        random.shuffle(suits)
        if style == "flush":
            pool = [k for k in self.kinds if k // 9 == suits[0] or (k >= 27 and random.random() < 0.4)]
        elif style == "honours":
            pool = [k for k in self.kinds if k >= 27] or self.kinds
        elif style in ("two_suits", "straight") or random.random() < 0.5:
            pool = [k for k in self.kinds if k // 9 in suits[:2] or (k >= 27 and random.random() < 0.5)]
        else:
            pool = self.kinds
        return pool

    def _set(self, pool: list[int], style: str) -> list[int]:
        kind = self.random.choice(pool)
        run = style not in ("pungs", "honours") and kind < 27 and kind % 9 < 7 and self.random.random() < 0.65
        return [kind, kind + 1, kind + 2] if run else [kind] * 3

    def _meld(self, tiles: list[int]) -> Meld | None:
        run = tiles[0] != tiles[1]
        forms = [form for form in self.forms if (form == CHOW) == run and not set(tiles) & set(self.wild)]
        return Meld(self.random.choice(forms), tiles[0]) if forms else None

    def _deal(self, tiles: list[int], melds: list[Meld], size: int) -> Drawn | None:
        """Fills up to ``size`` tiles and picks the winning one; None if there are too many of a kind."""
        left = list(self.sheet.copies)
        for kind in [*tiles, *(kind for meld in melds for kind in meld.kinds())]:
            left[kind] -= 1
        if min(left) < 0 or len(tiles) > size:
            return None
        rest = [kind for kind in range(34) for _ in range(left[kind])]
        tiles = tiles + self.random.sample(rest, size - len(tiles))
        self.random.shuffle(tiles)
        return Drawn(tuple(sorted(tiles[1:])), tuple(melds), tiles[0])


def random_flags(drawn: Drawn, rules: RuleSet, random: Random) -> dict[str, Any]:
    """The way of winning, flags and seats, as keywords of ``Scorer.check``; ways that never win are rare."""
    sheet = rules.sheet
    by = random.choice(("draw", "discard", "discard", "kong"))
    if by == "kong" and not rules.get("rob_kong") and random.random() < 0.9:
        by = "discard"
    if not rules.get("discard_wins") and random.random() < 0.9:
        by = "draw"
    if by == "kong" and drawn.tile in {KIND_OF[name] for name in sheet.wild}:
        by = "draw"
    winner, dealer = random.randrange(4), random.randrange(4)
    source = -1 if by == "draw" else random.choice([seat for seat in range(4) if seat != winner])
    last_allowed = by == "draw" or not sheet.wall.keep_last
    return {
        "by": by,
        "replacement": by == "draw" and any(meld.is_kong for meld in drawn.melds) and random.random() < 0.4,
        "last_tile": last_allowed and random.random() < 0.2,
        "first_turn": not drawn.melds and random.random() < 0.2,
        "winner": winner,
        "dealer": dealer,
        "source": source,
    }
