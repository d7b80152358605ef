"""Tile kinds, notation and melds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hongzhong import actions, tiles
from hongzhong.tiles import Meld, TileError

KINDS = st.lists(st.integers(-1, 33), max_size=20)
MELDS = st.one_of(
    st.builds(Meld, st.sampled_from([1, 2, 3, 4]), st.integers(0, 33)),
    st.builds(lambda s, r: Meld(tiles.CHOW, 9 * s + r), st.integers(0, 2), st.integers(0, 6)),
)


@given(KINDS)
def test_mpsz_is_read_back(kinds: list[int]) -> None:
    assert tiles.parse_mpsz(tiles.format_mpsz(kinds)) == kinds


@given(MELDS)
def test_melds_are_read_back(meld: Meld) -> None:
    assert tiles.parse_meld(tiles.format_meld(meld)) == meld


def test_kind_numbers_are_frozen() -> None:
    assert tiles.parse_mpsz("1m9m1s9s1p9p1234567z") == [0, 8, 9, 17, 18, 26, *range(27, 34)]
    assert tiles.CHINESE[33] == "红中" and tiles.CHINESE[31] == "白板" and tiles.CHINESE[9] == "一条"
    assert [tiles.GLYPHS[k] for k in (0, 9, 18, 27, 31, 32, 33)] == list("🀇🀐🀙🀀🀆🀅🀄")


@pytest.mark.parametrize("text", ["8z", "0m", "12", "m", "1x", "1m 2m", "123"])
def test_unknown_tiles_are_refused(text: str) -> None:
    with pytest.raises(TileError, match=r"unknown tile|write tiles"):
        tiles.parse_mpsz(text)


@pytest.mark.parametrize(
    "text", ["(789z)", "(891m)", "(89m1s)", "[222m]", "(22m)", "[2222m+]", "(345m+)", "345m", "(1122m)", "()"]
)
def test_impossible_melds_are_refused(text: str) -> None:
    with pytest.raises(TileError):
        tiles.parse_meld(text)


def test_a_run_never_crosses_suits_and_honours_form_none() -> None:
    with pytest.raises(TileError):
        tiles.parse_meld("(9m12s)")
    with pytest.raises(TileError):
        tiles.parse_meld("(567z)")


def test_masked_kong() -> None:
    assert tiles.format_meld(Meld(tiles.CONCEALED_KONG, tiles.UNKNOWN)) == "[????]"
    assert tiles.parse_meld("[????]") == Meld(tiles.CONCEALED_KONG, tiles.UNKNOWN)


def test_every_action_has_one_name() -> None:
    names = [actions.name_of(a) for a in range(actions.N_ACTIONS)]
    assert len(set(names)) == actions.N_ACTIONS
    assert [actions.number_of(n) for n in names] == list(range(actions.N_ACTIONS))
    assert actions.kind_of(actions.ADDED_KONG + 7) == 7 and actions.kind_of(actions.PASS) == -1
    with pytest.raises(ValueError, match="no action 144"):
        actions.name_of(144)
    with pytest.raises(ValueError, match="discard 5m"):
        actions.number_of("discard")


def test_action_numbers_are_frozen() -> None:
    """Renumbering breaks every journal and dataset: a change here needs a new record format."""
    frozen = {
        0: "discard 1m",
        33: "discard 7z",
        34: "pass",
        35: "win-draw",
        36: "win-claim",
        37: "pung",
        38: "chow-low",
    }
    frozen |= {39: "chow-middle", 40: "chow-high", 41: "false-win", 42: "kong-exposed 1m", 76: "kong-added 1m"}
    frozen |= {110: "kong-concealed 1m", 143: "kong-concealed 7z"}
    assert {number: actions.name_of(number) for number in frozen} == frozen
