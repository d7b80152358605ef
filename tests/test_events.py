"""Events: their text, their audience, what masking leaves."""

import msgspec
import pytest

from hongzhong import events
from hongzhong.events import SPECTATOR, Deal, Draw, Hand, Kong, masked


def test_a_record_line_reads_as_the_contract_has_it() -> None:
    assert events.encode(Draw(seat=0, tile="5m", from_="wall")) == b'{"type":"draw","seat":0,"tile":"5m","from":"wall"}'
    line = b'{"type":"chow","seat":1,"tile":"5m","with":"34m","from":0}'
    assert events.encode(events.decode(line)) == line
    kong = Kong(seat=2, tile="5m", kind="exposed", from_=0)
    assert events.encode(kong) == b'{"type":"kong","seat":2,"tile":"5m","kind":"exposed","from":0}'


def test_others_see_no_hidden_tile() -> None:
    draw = Draw(seat=2, tile="5m", from_="tail")
    deal = Deal(seat=2, tiles="123m456s11z77789p")
    kong = Kong(seat=2, tile="5m", kind="concealed", hidden_=True)
    hand = Hand(number=0, dealer=0, scores=[0, 0, 0, 0], wall="1m2m")
    for seat in (SPECTATOR, 0, 1, 3):
        assert masked(draw, seat) == Draw(seat=2, tile="?", from_="tail")
        assert masked(deal, seat) == Deal(seat=2, tiles="?" * 13)
        assert masked(kong, seat) == Kong(seat=2, tile="?", kind="concealed", hidden_=True)
        assert masked(hand, seat) == Hand(number=0, dealer=0, scores=[0, 0, 0, 0])
    assert masked(draw, 2) is draw and masked(deal, 2) is deal and masked(kong, 2) is kong
    assert masked(hand, 2) == Hand(number=0, dealer=0, scores=[0, 0, 0, 0])


def test_an_open_concealed_kong_is_public() -> None:
    kong = Kong(seat=2, tile="5m", kind="concealed")
    assert masked(kong, 0) is kong


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"draw","seat":0}',
        '{"type":"walk"}',
        '{"type":"draw","seat":0,"tile":"5m","from":"wall","x":1}',
        "[]",
        "{",
    ],
)
def test_a_foreign_line_is_refused(line: str) -> None:
    with pytest.raises(msgspec.MsgspecError):
        events.decode(line)
