"""The mechanisms that a sheet may name: patterns, facts, conditions, forms, options. A bit each where kernels test them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple


class Text(NamedTuple):
    """What a player reads, in both languages."""

    en: str
    zh: str


PATTERNS: Final = (
    "plain", "self_drawn", "concealed", "all_pungs", "full_flush", "half_flush", "seven_pairs", "exposed_kong",
    "concealed_kong", "replacement_tile", "last_tile", "heaven", "earth", "thirteen_orphans", "wild_pair", "melded_hand",
    "pure_straight", "mixed_seven_pairs", "pure_seven_pairs", "all_honours", "edge_wait", "closed_wait", "single_wait",
    "middle_five", "full_flush_doubled",
)  # fmt: skip
"""Patterns by bit number. ``exposed_kong`` (exposed and added) and ``concealed_kong`` are counted, the rest are met once."""
COUNTED: Final = frozenset({"exposed_kong", "concealed_kong"})

CONDITIONS: Final = (
    "at_most_two_suits",
    "three_suits",
    "suit_tile",
    "terminal_or_258",
    "eight_of_suit",
    "two_suits_or_honours",
)
FACTS: Final = ("four_sets", "any_kong")
"""Facts that patterns may require or be barred by, beside patterns and conditions. A condition not in force is met."""

FIRST_FACT: Final = 40
FIRST_CONDITION: Final = 44
BITS: Final = (
    {name: bit for bit, name in enumerate(PATTERNS)}
    | {name: FIRST_FACT + i for i, name in enumerate(FACTS)}
    | {name: FIRST_CONDITION + i for i, name in enumerate(CONDITIONS)}
)

FORMS: Final = ("four_sets", "seven_pairs", "thirteen_orphans")
CLAIMS: Final = ("chow", "pung", "exposed_kong", "added_kong", "concealed_kong")

MOST_HANDS: Final = 1000
"""Hands of the longest match, also where it is measured in rounds: a dealer may stay on for ever."""

Value = bool | int | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """Type, limits and names of an option; ``neutral`` holds where a sheet does not offer it.

    ``words`` are texts allowed beside a number; ``none`` allows None, written ``none``. ``late``: came after the first records, which
    stay as they were: a record, journal or link tells it only where it is in force.
    """

    name: Text
    kind: Literal["bool", "int", "choice", "points"]
    neutral: Value
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    none: bool = False
    late: bool = False


def _flag(en: str, zh: str, neutral: bool = False) -> OptionSpec:
    return OptionSpec(name=Text(en, zh), kind="bool", neutral=neutral)


def _pick(en: str, zh: str, *choices: str) -> OptionSpec:
    return OptionSpec(name=Text(en, zh), kind="choice", choices=choices, neutral=choices[0])


def _number(
    en: str, zh: str, neutral: int | None, low: int, high: int, words: tuple[str, ...] = (), none: bool = False
) -> OptionSpec:
    return OptionSpec(name=Text(en, zh), kind="int", neutral=neutral, low=low, high=high, words=words, none=none)


OPTIONS: Final[dict[str, OptionSpec]] = {
    "hands": _number("hands in a match", "局数", 8, 1, MOST_HANDS),
    "rounds": OptionSpec(
        name=Text("full rounds of dealers instead of hands (0: hands)", "圈数(0：按局数)"),
        kind="int",
        neutral=0,
        high=100,
        late=True,
    ),
    "base_point": _number("stake", "底分", 1, 1, 10_000),
    "cap": _number("most that one payer pays for one win", "封顶", None, 1, 100_000_000, none=True),
    "calls": _pick("calls", "叫牌方式", "assisted", "manual"),
    "discard_wins": _flag("discard wins allowed", "可点炮胡", True),
    "discard_pays": _pick("who pays for a discard win", "点炮谁付", "discarder", "all", "discarder_for_all"),
    "dealer_multiplier": _number("dealer pays and is paid times", "庄家倍数", 1, 1, 10),
    "multi_win": _pick("several winners on one tile", "一炮多响", "nearest", "all"),
    "rob_kong": _flag("robbing an added kong", "抢杠胡"),
    "dealer_rule": _pick("who deals after another seat won", "谁接庄", "next", "winner"),
    "pass_lock": _pick("passing locks", "过手限制", "none", "win", "pung", "both"),
    "kong_points": OptionSpec(
        name=Text("kong points (exposed, added, concealed)", "杠分(明,补,暗)"),
        kind="points",
        neutral=(0, 0, 0),
        high=1000,
    ),
    "kong_payer": _pick("who pays an exposed kong", "明杠谁付", "three", "discarder"),
    "concealed_kong_visible": _flag("concealed kongs lie open", "暗杠亮出"),
    "play_direction": _pick("direction of play", "出牌方向", "counter_clockwise", "clockwise"),
    "wild_discard_wins": _flag("a discarded wild tile may be won on", "可胡打出的癞子", True),
    "fifth_copy": _flag("a wild tile may stand for a fifth copy", "癞子可当第五张", True),
    "concealed_on_discard": _flag("a discard win can be a concealed hand", "点炮算门清", True),
    "concealed_kong_keeps_concealed": _flag("a concealed kong keeps the hand concealed", "暗杠不破门清"),
    "seven_pairs_adds_concealed": _flag("seven pairs is also a concealed hand", "七对另计门清"),
    "last_discard_counts": _flag("a win on the last discard is a last tile draw", "海底炮算海底"),
    "melded_hand_multiplier": _number("multiplier of all from others", "全求人倍数", 1, 1, 100),
    "three_suits": _pick("three suits required", "三门齐", "except_flush", "strict", "off"),
    "honours_are_terminals": _flag("honours count as terminals", "字牌算幺九"),
    "seven_pairs_258": _flag("any pair of 2, 5, 8 serves seven pairs", "七对中258对算将"),
    "thirteen_orphans": _flag("thirteen orphans", "可胡十三幺"),
    "thirteen_orphans_fan": _number("fan of thirteen orphans", "十三幺番数", 10, 0, 1000),
    "fan_points": _pick("points for fan", "番数算法", "linear", "doubling"),
    "earth_on_first_draw": _flag("a first own draw can be blessing of earth", "首摸自摸算地胡"),
    "colour_rule": _pick("colour rule", "花色要求", "two_suits", "eight_only"),
    "any_orphan_pair": _flag("any of the thirteen may be the pair of thirteen orphans", "十三幺任意将"),
    "middle_five_stacks": _flag("middle five counts on top of closed wait", "卡五与卡叠加", True),
    "dealer_stays_on_plain_win": _flag("the dealer stays when a plain hand wins", "屁和不下庄"),
    "follow_dealer": _flag("following the dealer", "跟庄"),
    "four_kongs_abort": _flag("the fourth kong ends the hand", "四杠荒牌"),
    "reserve_stacks": _number("stacks kept in reserve", "留牌摞数", 0, 0, 20, words=("dice",)),
}
