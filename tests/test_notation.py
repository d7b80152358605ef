"""Hands as people type them."""

from __future__ import annotations

import pytest

from hongzhong.notation import parse_hand, parse_tiles
from hongzhong.tiles import CHINESE, CHINESE_SHORT, GLYPHS, KIND_NAMES, TileError, format_meld, format_mpsz


@pytest.mark.parametrize(
    "names", [KIND_NAMES, CHINESE, CHINESE_SHORT, GLYPHS], ids=["mpsz", "Chinese", "short", "Unicode"]
)
def test_every_kind_in_every_notation(names: tuple[str, ...]) -> None:
    assert parse_tiles("".join(names)) == list(range(34))
    assert parse_tiles(" ".join(names)) == list(range(34))


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("三万红中", "3m7z"),
        ("五条 九筒 二饼 四束 六索", "5s9p2p4s6s"),
        ("一二三萬 四餅 五條", "123m4p5s"),
        ("東南西北發发财發財紅中中白白板発", "1234z66677z55z6z"),
        ("123万 7Z 5M", "123m7z5m"),
        ("１２３万", "123m"),
        ("东风南风西風北風", "1234z"),
        ("🀀\ufe0e🀄\ufe0f，🀇", "1z7z1m"),
    ],
)
def test_names_that_people_use(text: str, tiles: str) -> None:
    assert format_mpsz(parse_tiles(text)) == format_mpsz(parse_tiles(tiles))


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("123m456m55m23p (999p) + 4p", ("123456m55m23p", ["(999p)"], "4p")),
        ("123m456m55m23p(999p)+4p", ("123456m55m23p", ["(999p)"], "4p")),
        ("(2222s+)[1111m] 5m", ("5m", ["(2222s+)", "[1111m]"], None)),
        ("（四三五万）【一一一一筒】（二二二二条＋） 东 ＋ 东风", ("1z", ["(345m)", "[1111p]", "(2222s+)"], "1z")),
        ("+7z (111m) 1m", ("1m", ["(111m)"], "7z")),
        ("", ("", [], None)),
    ],
)
def test_hands(text: str, hand: tuple[str, list[str], str | None]) -> None:
    typed = parse_hand(text)
    assert format_mpsz(typed.concealed) == format_mpsz(parse_tiles(hand[0]))
    assert [format_meld(meld) for meld in typed.melds] == hand[1]
    assert (typed.tile is None) == (hand[2] is None)
    if typed.tile is not None:
        assert format_mpsz([typed.tile]) == hand[2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12", "12 in '12' has no suit behind it"),
        ("123x", "has no suit behind it"),
        ("8z", "unknown tile 8z"),
        ("万", "unknown tile at '万'"),
        ("1m红", "unknown tile at '红'"),
        ("123m+", "nothing behind the +"),
        ("123m+45m", "the winning tile is one tile"),
        ("1m+4m+5m", "behind one + only"),
        ("(123m", "a bracket ( without its other half"),
        ("123m)", "a bracket ) without its other half"),
        ("[123m)", "bracket"),
        ("(135m)", "impossible meld"),
        ("()", "is no meld"),
        ("[1111m+]", "impossible meld"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(TileError) as caught:
        parse_hand(text)
    assert message in str(caught.value)
