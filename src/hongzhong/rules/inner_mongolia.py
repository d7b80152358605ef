"""inner_mongolia, Inner Mongolia: 136 tiles, all three suits and a terminal or a pair of 2, 5, 8; fan are added."""

from hongzhong.rules.variant import Bar, Condition, Example, Form, Offer, Pattern, Sheet, Wall, When
from hongzhong.rules.vocabulary import Text

SHEET = Sheet(
    id="inner_mongolia",
    name=Text("Inner Mongolia", "内蒙麻将"),
    summary=Text(
        "136 tiles, chow and pung, three suits and a terminal or a pair of 2, 5, 8, fan are added",
        "136张，可吃碰，三门齐且有幺九或258将，番数相加",
    ),
    revision=1,
    tiles={"m": 4, "s": 4, "p": 4, "z": 4},
    tiles_ruling="N0",
    claims=("chow", "pung", "exposed_kong", "added_kong", "concealed_kong"),
    forms=(
        Form("four_sets", "N0"),
        Form("seven_pairs", "N0"),
        Form("thirteen_orphans", "N3", when=When("thirteen_orphans", (True,))),
    ),
    conditions=(
        Condition(
            id="suit_tile", ruling="N21", reason="no_suit_tile",
            text=Text("a hand needs suit tiles", "全是字牌不能胡"),
        ),
        Condition(
            id="three_suits", ruling="N1", reason="missing_suit",
            text=Text("all three suits must be present", "必须三门齐"),
            when=When("three_suits", ("except_flush", "strict")),
            exempt=("full_flush", "half_flush"), exempt_when=When("three_suits", ("except_flush",)),
        ),
        Condition(
            id="terminal_or_258", ruling="N2", reason="no_terminal_or_258",
            text=Text("a terminal, or a pair of 2, 5 or 8, must be present", "必须有幺九牌或258将"),
        ),
    ),
    patterns=(
        Pattern(id="plain", kind="fan", value=1, ruling="N7", name=Text("plain win", "平胡")),
        Pattern(id="self_drawn", kind="fan", value=1, ruling="N7", name=Text("self-drawn", "自摸")),
        Pattern(id="all_pungs", kind="fan", value=2, ruling="N7", name=Text("all pungs", "碰碰胡")),
        Pattern(id="full_flush", kind="fan", value=3, ruling="N7", name=Text("full flush", "清一色")),
        # a full flush has no honour, so the two exclude each other (N22)
        Pattern(id="half_flush", kind="fan", value=1, ruling="N7", name=Text("half flush", "混一色")),
        Pattern(id="seven_pairs", kind="fan", value=2, ruling="N7", name=Text("seven pairs", "七对")),
        Pattern(
            id="concealed", kind="fan", value=1, ruling="N7", name=Text("concealed hand", "门清"),
            barred_by=(Bar("seven_pairs", unless="seven_pairs_adds_concealed"),),
        ),
        Pattern(id="exposed_kong", kind="fan", value=1, ruling="N7", name=Text("exposed kong", "明杠")),
        Pattern(id="concealed_kong", kind="fan", value=2, ruling="N7", name=Text("concealed kong", "暗杠")),
        # self-drawn adds to it (N14)
        Pattern(id="replacement_tile", kind="fan", value=2, ruling="N7", name=Text("out with replacement tile", "杠上开花")),
        Pattern(id="last_tile", kind="fan", value=1, ruling="N7", name=Text("last tile draw", "海底捞月")),
        Pattern(id="heaven", kind="fan", value=5, ruling="N7", name=Text("blessing of heaven", "天胡")),
        Pattern(id="earth", kind="fan", value=3, ruling="N7", name=Text("blessing of earth", "地胡")),
        Pattern(
            id="thirteen_orphans", kind="fan", value=10, ruling="N3", name=Text("thirteen orphans", "十三幺"),
            option="thirteen_orphans_fan",
        ),
    ),
    first_dealer="random",
    first_dealer_ruling="N20",
    wall=Wall(),  # flat, nothing kept (N19)
    drawn_dealer="next",
    offers=(
        Offer("three_suits", "except_flush", "N1", asked=True),
        Offer("honours_are_terminals", False, "N2"),
        Offer("seven_pairs_258", False, "N2", asked=True),
        Offer("thirteen_orphans", False, "N3", asked=True),
        Offer("thirteen_orphans_fan", 10, "N3"),
        Offer("any_orphan_pair", True, "N3"),
        Offer("fan_points", "linear", "N4", asked=True),
        Offer("discard_pays", "discarder", "N5", asked=True),
        Offer("concealed_kong_keeps_concealed", True, "N9"),
        Offer("concealed_on_discard", True, "N9"),
        Offer("seven_pairs_adds_concealed", True, "N11"),
        Offer("earth_on_first_draw", False, "N12"),
        Offer("last_discard_counts", False, "N13"),
        Offer("rob_kong", False, "N15", asked=True),
        Offer("multi_win", "nearest", "N16"),
        Offer("dealer_rule", "winner", "N20"),
    ),
    examples=(
        Example(
            title=Text("the document's example: self-drawn flush of pungs with a concealed kong", "文中例：自摸清一色碰碰胡，门清加暗杠"),
            request={"concealed": "333m555m77m99m", "melds": ["[1111m]"], "win_tile": "9m", "by": "draw"}, points=10,
        ),
        Example(
            title=Text("two suits and no flush cannot win", "缺一门且不是清、混一色，不能胡"),
            request={"concealed": "123m456m99m23p", "melds": ["(777p)"], "win_tile": "4p", "by": "draw"}, points=None,
        ),
        Example(
            title=Text("blessing of heaven", "天胡"),
            request={
                "concealed": "123m456p789s111z5m", "win_tile": "5m", "by": "draw", "first_turn": True, "winner": 0, "dealer": 0,
            }, points=8,
        ),
    ),
)  # fmt: skip
