"""hebei, Hebei with 136 tiles: eight tiles of one suit, bases doubled again and again; the dealer pays and is paid double.

``hebei_108`` plays it with suit tiles only and no chow.
"""

from dataclasses import replace

from hongzhong.rules.variant import Bar, Condition, Example, FalseWin, Form, Offer, Pattern, Sheet, Wall, When
from hongzhong.rules.vocabulary import Text

FREE_OF_COLOUR = ("seven_pairs", "all_pungs", "thirteen_orphans", "all_honours")
COLOUR = ("four_sets", "eight_of_suit", "two_suits_or_honours")

SHEET = Sheet(
    id="hebei",
    name=Text("Hebei", "河北麻将"),
    summary=Text(
        "136 tiles, chow, pung and kong, eight tiles of one suit, bases and doublings, the dealer counts double",
        "136张，可吃碰杠，一色够八张，基数连番，庄家加倍",
    ),
    revision=1,
    tiles={"m": 4, "s": 4, "p": 4, "z": 4},
    tiles_ruling="H0",
    claims=("chow", "pung", "exposed_kong", "added_kong", "concealed_kong"),
    forms=(Form("four_sets", "H0"), Form("seven_pairs", "H0"), Form("thirteen_orphans", "H0")),
    conditions=(  # honours are no suit, a kong is four tiles (H5)
        Condition(
            id="eight_of_suit", ruling="H3", reason="no_eight_of_suit", exempt=FREE_OF_COLOUR,
            text=Text("one suit must have eight tiles", "必须有一色够八张"),
        ),
        Condition(
            id="two_suits_or_honours", ruling="H3", reason="three_suits", exempt=FREE_OF_COLOUR,
            text=Text("three suits win only together with honours", "三门色而无风不能和"),
            when=When("colour_rule", ("two_suits",)),
        ),
    ),
    patterns=(  # the highest base counts (H10), multiplied by the doublings (H2)
        Pattern(id="plain", kind="base", value=1, ruling="H7", name=Text("plain win", "屁和"), requires=COLOUR),
        Pattern(
            id="half_flush", kind="base", value=2, ruling="H7", name=Text("half flush", "混一色"),
            requires=("four_sets", "eight_of_suit"),
        ),
        Pattern(id="seven_pairs", kind="base", value=2, ruling="H7", name=Text("seven pairs", "七小对")),
        Pattern(
            id="all_pungs", kind="base", value=2, ruling="H7", name=Text("all pungs", "大对和"), barred_by=(Bar("any_kong"),)  # H8
        ),
        # melded chows serve it (H9)
        Pattern(id="pure_straight", kind="base", value=3, ruling="H7", name=Text("pure straight", "龙"), requires=COLOUR),
        Pattern(
            id="full_flush", kind="base", value=3, ruling="H7", name=Text("full flush", "清一色"),
            requires=("four_sets",), barred_by=(Bar("all_pungs"), Bar("pure_straight")),
        ),
        # honours are no suit: seven pairs of them stay seven pairs (H12)
        Pattern(id="mixed_seven_pairs", kind="base", value=6, ruling="H7", name=Text("mixed seven pairs", "混七对")),
        Pattern(id="pure_seven_pairs", kind="base", value=12, ruling="H7", name=Text("pure seven pairs", "清七对")),
        Pattern(id="thirteen_orphans", kind="base", value=15, ruling="H7", name=Text("thirteen orphans", "十三幺")),
        Pattern(id="all_honours", kind="base", value=15, ruling="H7", name=Text("all honours", "清风")),
        Pattern(
            id="full_flush_doubled", kind="times", value=2, ruling="H13", name=Text("full flush on another base", "清一色加倍"),
            requires=("four_sets",), requires_any=("all_pungs", "pure_straight"),
        ),
        Pattern(id="self_drawn", kind="times", value=2, ruling="H15", name=Text("self-drawn", "提")),
        Pattern(
            id="concealed", kind="times", value=2, ruling="H6", name=Text("concealed hand", "门清"),
            barred_by=(
                Bar("seven_pairs", unless="seven_pairs_adds_concealed"),
                Bar("thirteen_orphans", unless="seven_pairs_adds_concealed"),
            ),
        ),
        Pattern(id="replacement_tile", kind="times", value=2, ruling="H15", name=Text("out with replacement tile", "杠上开花")),
        Pattern(id="last_tile", kind="times", value=2, ruling="H15", name=Text("last tile draw", "海底捞月")),
        Pattern(id="middle_five", kind="times", value=2, ruling="H17", name=Text("middle five", "卡五")),
        Pattern(id="edge_wait", kind="times", value=2, ruling="H18", name=Text("edge wait", "边")),
        Pattern(
            id="closed_wait", kind="times", value=2, ruling="H18", name=Text("closed wait", "卡"),
            barred_by=(Bar("middle_five", unless="middle_five_stacks"),),
        ),
        Pattern(id="single_wait", kind="times", value=2, ruling="H18", name=Text("single wait", "钓")),
    ),
    first_dealer="winds",
    first_dealer_ruling="H25",
    wall=Wall(style="sides", aside_per_kong=2, kong_needs=2, keep_last=True),
    drawn_dealer="stay",
    kong_drawn_dealer="next",  # H22
    false_win=FalseWin(points=1, dealer_points=2, dealer_steps_down=True),
    offers=(
        Offer("colour_rule", "two_suits", "H3", asked=True),
        Offer("concealed_kong_keeps_concealed", False, "H6"),
        Offer("concealed_on_discard", True, "H6"),
        Offer("seven_pairs_adds_concealed", True, "H6", asked=True),
        Offer("any_orphan_pair", False, "H11"),
        Offer("middle_five_stacks", True, "H17", asked=True),
        Offer("dealer_multiplier", 2, "H19"),
        Offer("discard_pays", "all", "H20", asked=True),
        Offer("dealer_stays_on_plain_win", True, "H23", asked=True),
        Offer("follow_dealer", False, "H23"),
        Offer("four_kongs_abort", True, "H24"),
        Offer("reserve_stacks", 6, "H25", asked=True),
        Offer("dealer_rule", "next", "H27"),
        Offer("multi_win", "nearest", "H28"),
        Offer("rob_kong", False, "H28"),
    ),
    examples=(
        Example(
            title=Text("closed wait for the middle five", "卡五"),
            request={"concealed": "123m678m22m46m", "melds": ["(999p)"], "win_tile": "5m", "by": "discard"}, points=4,
        ),
        Example(
            title=Text("concealed pure straight", "门清龙"),
            request={"concealed": "123456789m55p67p", "win_tile": "8p", "by": "discard"}, points=6,
        ),
        Example(
            title=Text("no suit with eight tiles", "没有一色够八张"),
            request={"concealed": "123m456m678p9p", "melds": ["(111z)"], "win_tile": "9p", "by": "discard"}, points=None,
        ),
        Example(
            title=Text("pure seven pairs", "清七对"),
            request={"concealed": "112244m557788m9m", "win_tile": "9m", "by": "discard"}, points=24,
        ),
    ),
)  # fmt: skip

SHEET_108 = replace(
    SHEET,
    id="hebei_108",
    name=Text("Hebei, 108 tiles", "河北麻将(108张)"),
    summary=Text(
        "108 tiles without honours, pung and kong, no chow, eight tiles of one suit", "108张无字牌，可碰杠不可吃，一色够八张"
    ),
    tiles={"m": 4, "s": 4, "p": 4},
    claims=("pung", "exposed_kong", "added_kong", "concealed_kong"),
    forms=(Form("four_sets", "H0"), Form("seven_pairs", "H0")),
    patterns=tuple(p for p in SHEET.patterns if p.id not in ("half_flush", "thirteen_orphans", "all_honours")),
    wall=replace(SHEET.wall, style="flat"),
    offers=(
        *(o for o in SHEET.offers if o.id not in ("colour_rule", "four_kongs_abort", "any_orphan_pair")),
        Offer("colour_rule", "eight_only", "H4", asked=True),
        Offer("four_kongs_abort", False, "H24"),
    ),
    examples=(
        Example(
            title=Text("three suits, eight tiles of one", "三门色，一色够八张"),
            request={"concealed": "123m456m55m67s345p", "win_tile": "8s", "by": "discard"}, points=2,
        ),
        Example(
            title=Text("a kong and a pung are seven tiles", "一杠一碰只有七张"),
            request={"concealed": "678p99p45s", "melds": ["(1111m)", "(222m)"], "win_tile": "6s", "by": "discard"}, points=None,
        ),
    ),
)  # fmt: skip
