"""A rule set from outside the package: red dragons wild, self-drawn only, kongs paid at once; all of known mechanisms."""

from hongzhong.rules.variant import Form, Offer, Pattern, Sheet
from hongzhong.rules.vocabulary import Text

SHEET = Sheet(
    id="red_dragon",
    name=Text("Red dragon", "红中麻将"),
    summary=Text("112 tiles, red dragons wild, self-drawn only, kong points", "112张，红中癞子，只可自摸，杠分当场算"),
    revision=1,
    tiles={"m": 4, "s": 4, "p": 4, "7z": 4},
    tiles_ruling="R0",
    wild=("7z",),
    claims=("pung", "exposed_kong", "added_kong", "concealed_kong"),
    forms=(Form("four_sets", "R0"), Form("seven_pairs", "R0")),
    patterns=(
        Pattern(id="plain", kind="base", value=2, ruling="R1", name=Text("plain win", "平胡")),
        Pattern(id="seven_pairs", kind="times", value=2, ruling="R1", name=Text("seven pairs", "七对")),
        Pattern(
            id="replacement_tile",
            kind="times",
            value=2,
            ruling="R1",
            name=Text("out with replacement tile", "杠上开花"),
        ),
    ),
    first_dealer="random",
    first_dealer_ruling="R2",
    offers=(
        Offer("discard_wins", False, "R3"),
        Offer("dealer_rule", "winner", "R2"),
        Offer("kong_points", (1, 1, 2), "R4"),
        Offer("fifth_copy", True, "R0"),
    ),
)
