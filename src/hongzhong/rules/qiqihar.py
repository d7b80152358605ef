"""qiqihar, Qiqihar: 112 tiles, red dragons are wild, one suit must be lacking, no chow; prices multiply."""

from hongzhong.rules.variant import Bar, Condition, Example, Form, Offer, Pattern, Sheet, Wall
from hongzhong.rules.vocabulary import Text

SHEET = Sheet(
    id="qiqihar",
    name=Text("Qiqihar", "齐齐哈尔麻将"),
    summary=Text(
        "112 tiles, red dragons wild, no chow, a suit must be lacking, multipliers",
        "112张，红中癞子，不吃，缺一门，倍数相乘",
    ),
    revision=1,
    tiles={"m": 4, "s": 4, "p": 4, "7z": 4},
    tiles_ruling="Q0",
    wild=("7z",),
    claims=("pung", "exposed_kong", "added_kong", "concealed_kong"),
    forms=(Form("four_sets", "Q0"), Form("seven_pairs", "Q0")),
    conditions=(
        Condition(
            id="at_most_two_suits", ruling="Q9", reason="three_suits", text=Text("a suit must be lacking", "必须缺一门")
        ),
    ),
    patterns=(
        Pattern(id="plain", kind="base", value=1, ruling="Q19", name=Text("plain win", "平胡")),
        Pattern(id="seven_pairs", kind="times", value=3, ruling="Q19", name=Text("seven pairs", "七对")),
        Pattern(
            id="concealed", kind="times", value=2, ruling="Q10", name=Text("concealed hand", "门清"),
            barred_by=(Bar("seven_pairs", unless="seven_pairs_adds_concealed"),),
        ),
        Pattern(id="full_flush", kind="times", value=3, ruling="Q19", name=Text("full flush", "清一色")),
        Pattern(id="replacement_tile", kind="times", value=2, ruling="Q17", name=Text("out with replacement tile", "杠上开花")),
        Pattern(id="last_tile", kind="times", value=2, ruling="Q16", name=Text("last tile draw", "海底捞月")),
        Pattern(
            id="wild_pair", kind="times", value=2, ruling="Q14", name=Text("red pair", "红中做将"), requires=("four_sets",)
        ),
        Pattern(
            id="melded_hand", kind="times", value=1, ruling="Q23", name=Text("all from others", "全求人"),
            option="melded_hand_multiplier",
        ),
        # no rows for the dealer or a dealt win (Q21), nor for all pungs or four red dragons (Q24)
    ),
    first_dealer="dice",
    first_dealer_ruling="Q2",
    wall=Wall(),  # flat, nothing kept: the last tile may be discarded and won on (Q7)
    drawn_dealer="stay",  # Q22
    offers=(
        Offer("play_direction", "clockwise", "Q1"),
        Offer("dealer_rule", "next", "Q2"),
        Offer("wild_discard_wins", True, "Q4", asked=True),
        Offer("fifth_copy", True, "Q5", asked=True),
        Offer("concealed_on_discard", True, "Q10", asked=True),
        Offer("concealed_kong_keeps_concealed", False, "Q11"),
        Offer("seven_pairs_adds_concealed", False, "Q12", asked=True),
        Offer("last_discard_counts", False, "Q16"),
        Offer("rob_kong", True, "Q18"),
        Offer("discard_pays", "discarder", "Q19", asked=True),
        Offer("multi_win", "all", "Q20"),
        Offer("melded_hand_multiplier", 1, "Q23", asked=True),
    ),
    examples=(
        Example(
            title=Text("seven pairs in one suit, a red dragon standing in", "红中凑成清一色七对"),
            request={"concealed": "1133557799m44m7z", "win_tile": "6m", "by": "discard"}, points=9,
        ),
        Example(
            title=Text("red pair on a concealed flush beats seven pairs", "清一色门清红中做将高于七对"),
            request={"concealed": "112233m445566m7m", "win_tile": "7z", "by": "draw"}, points=12,
        ),
        Example(
            title=Text("all three suits cannot win", "三门齐不能胡"),
            request={"concealed": "123m456m789s55p23p", "win_tile": "4p", "by": "draw"}, points=None,
        ),
    ),
)  # fmt: skip
