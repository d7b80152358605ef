"""Chance follows from the secret, step by step, and favours nobody."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest

from hongzhong import fair, rules
from hongzhong.rules.values import RuleError
from hongzhong.rules.variant import resolve
from hongzhong.tiles import format_mpsz, parse_mpsz

SECRET = bytes(range(32))
NONCES = ["alpha", "", "红中", "delta"]
WALLS = {
    "qiqihar": "9s86m61s8p1s5m7s7z53m9p7m57s5p2m35s9m8s2p26s7p4s8m2p943s16p18s4p8m47s6p6s2m91p1s247p7z3s6p9s73m67s8p4m31p1m1595p32s"
    "4p8s7m2s3m4p96m4s793p8s5m2s94m3p7z2p7z9m5s537p61524m9s7311m5s2m6p4m88p86m",
    "inner_mongolia": "4m1s7z5p5s9m1z1m5s5z67p9m8s6p1m2s9p2s2m7z6m3z3p1m98s4p3s25m6z9s8m21p5m34s5z1p4z95p7z4p5s2z8p3s5m7s6p4m3p6z7p7m1p"
    "8m1z4s3z7m1p8s8p2z5p7z2s9p4s64m4p53m6s7p85s92m2z3p8m4z7s32z1s4z7s2568p29s3p4z67m6s4p5z3m31s61z189m1z6m7s2m6z2p9s7m5z2p"
    "3m4s3m3z78p4m9p661s",
    "hebei_108": "5p8s6m7p38m5s3491p21s25p7m2p9m732p8s3m7s5p58m8s43m6p745s4m9s12449m48p7368m9376s56m9p19m73p4s89m6192p3s77m7s4p56m26s"
    "8p941s1p2s8p3654s1m7p1s43p2m5s5m561p31s21m6s86p982s2m9p",
}
"""The test vectors of docs/fair-walls.md, with ``SECRET`` and ``NONCES``."""


def by_hand(secret: bytes, nonces: list[str], label: str, sizes: list[int]) -> list[int]:
    """The documented derivation once more, with nothing of the package."""
    message = b"hongzhong fair 1" + b"".join(len(n.encode()).to_bytes(4, "big") + n.encode() for n in nonces)
    key = hmac.new(secret, message, hashlib.sha256).digest()
    out: list[int] = []
    at = 0
    for size in sizes:
        while True:
            block, word = divmod(at, 8)
            at += 1
            data = hmac.new(key, label.encode() + b"\0" + block.to_bytes(8, "big"), hashlib.sha256).digest()
            number = int.from_bytes(data[4 * word : 4 * word + 4], "big")
            if number < 2**32 // size * size:
                out.append(number % size)
                break
    return out


def test_commitment_and_keys() -> None:
    assert fair.commit(SECRET) == "sha256:630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert fair.key_of(SECRET).hex() == "4788a7994939ef2bc5f7292058800934b9b5da94de791d755a652e6bec2f8a31"
    assert fair.key_of(SECRET, NONCES).hex() == "573994a2ef213feefd8352ae297d91f542ae5db9e7f37b6c4634c265a93cf7cc"
    assert fair.secret_of_seed(7).hex() == "17090c1b1556a1c7d061bbde6e35293a3ce7fa079a249adb2f33e3805d834018"


@pytest.mark.parametrize("name", WALLS)
def test_wall_vectors(name: str) -> None:
    assert format_mpsz(fair.Fair(rules.load(name), SECRET, NONCES).hand(0, 0).wall) == WALLS[name]


def test_openings() -> None:
    throws = [[5, 1], [2, 1], [4, 2], [2, 4], [5, 5], [6, 1], [6, 3]]
    for name in ("hebei", "hebei_108"):
        assert fair.Fair(rules.load(name), SECRET, NONCES).opening() == fair.Opening(0, throws, [2, 1, 3, 0])
    assert fair.Fair(rules.load("qiqihar"), SECRET, NONCES).opening() == fair.Opening(0, throws, None)  # Q2
    assert fair.Fair(rules.load("inner_mongolia"), SECRET, NONCES).opening() == fair.Opening(0)  # N20


def test_documented_steps_give_the_same_wall() -> None:
    for name, number in (("qiqihar", 0), ("inner_mongolia", 11)):
        ruleset = rules.load(name)
        tiles = [kind for kind, copies in enumerate(ruleset.sheet.copies) for _ in range(copies)]
        for place, other in zip(
            range(len(tiles) - 1, 0, -1),
            by_hand(SECRET, NONCES, f"wall {number}", list(range(len(tiles), 1, -1))),
            strict=True,
        ):
            tiles[place], tiles[other] = tiles[other], tiles[place]
        assert fair.Fair(ruleset, SECRET, NONCES).hand(number, 2).wall == tiles


def test_break_of_the_wall() -> None:
    """H25, counted out on the table: the second thrower pushes stacks aside from the right end of the own side."""
    dice = [[1, 2], [6, 5]]
    sides = {
        seat: [100 * seat + place for place in range(34)] for seat in range(4)
    }  # from the right end, upper tile first
    laid = sides[0] + sides[3] + sides[2] + sides[1]  # clockwise
    order = fair.broken(laid, 3, dice)
    assert order[0] == 128  # dealer 3 counts 3: seat 1; 14 stacks of its side go aside, the fifteenth is drawn first
    assert order[:7] == [128, 129, 130, 131, 132, 133, 0]
    assert order[-28:] == sides[1][:28]
    over = fair.broken(laid, 0, [[6, 6], [6, 6]])  # seat 3; 24 stacks run on into the side of seat 2
    assert over[0] == 214 and over[-1] == 213 and over[-14] == 200


def test_dice_of_a_hand() -> None:
    hebei = fair.Fair(rules.load("hebei"), SECRET, NONCES).hand(0, 0)
    assert hebei.dice == [[3, 2], [3, 2]] and hebei.break_ == 10
    flat = fair.Fair(rules.load("hebei_108"), SECRET, NONCES)  # H30: shown, nothing moves
    assert flat.hand(0, 0).wall == flat.hand(0, 3).wall
    sides = fair.Fair(rules.load("hebei"), SECRET, NONCES)
    assert sides.hand(0, 0).wall != sides.hand(0, 1).wall
    assert fair.Fair(rules.load("qiqihar"), SECRET).hand(0, 0).dice is None


def test_every_wall_holds_the_rule_sets_tiles() -> None:
    for name in rules.names():
        ruleset = rules.load(name)
        chance = fair.Fair(ruleset, fair.new_secret())
        for number in range(4):
            counts = Counter(chance.hand(number, number).wall)
            assert [counts[kind] for kind in range(34)] == list(ruleset.sheet.copies)


def test_draws_are_even() -> None:
    stream = fair.Stream(fair.key_of(SECRET), "even")
    counts = Counter(stream.draw(6) for _ in range(60_000))
    assert sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(6)) < 25  # chi-square, 5 degrees: p about 0.0001
    orders = Counter(tuple(stream.shuffled("abc")) for _ in range(12_000))
    assert len(orders) == 6 and sum((n - 2_000) ** 2 / 2_000 for n in orders.values()) < 25


def test_rejection_keeps_draws_unbiased(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = fair.Stream(fair.key_of(SECRET), "reject")
    words = iter([2**32 - 1, 2**32 - 4, 11])
    monkeypatch.setattr(stream, "_word", lambda: next(words))
    assert stream.draw(6) == 5  # 2^32 = 4 mod 6: the last four words are thrown away


@pytest.mark.parametrize(
    ("throws", "dealer"),
    [
        ([[1, 1], [6, 6], [1, 2], [3, 3]], 1),
        ([[6, 6], [1, 1], [1, 2], [6, 6], [1, 1], [1, 2]], 3),
        ([[3, 3]] * 8 + [[2, 2], [1, 1], [5, 5], [1, 1]], 2),
    ],
)
def test_highest_thrower(throws: list[list[int]], dealer: int) -> None:
    assert fair.highest_thrower(throws) == dealer


@pytest.mark.parametrize(
    "throws", [[], [[1, 1]] * 4, [[6, 6], [1, 1], [1, 2], [3, 3], [1, 1]], [[7, 1]] * 4, [[1, 2, 3]] * 4]
)
def test_throws_that_cannot_be(throws: list[list[int]]) -> None:
    with pytest.raises(fair.FairError):
        fair.highest_thrower(throws)


def test_bad_secrets_and_nonces() -> None:
    for text in ("", "00" * 31, "zz" * 32, "AA" * 32):
        with pytest.raises(fair.FairError, match="64 lower-case hex digits"):
            fair.parse_secret(text)
    assert fair.parse_secret(SECRET.hex()) == SECRET
    with pytest.raises(fair.FairError, match="32 bytes"):
        fair.commit(b"short")
    with pytest.raises(fair.FairError, match="nonce"):
        fair.key_of(SECRET, ["红" * 100])
    assert fair.key_of(SECRET, ["ab", "c"]) != fair.key_of(SECRET, ["a", "bc"])


def test_sides_need_whole_stacks() -> None:
    sheet = rules.sheet("hebei_108")
    with pytest.raises(RuleError, match="four sides"):
        replace(sheet, wall=replace(sheet.wall, style="sides"))
    assert len(fair.Fair(resolve(sheet), SECRET).hand(0, 0).wall) == 108


def test_walls_of_a_record_parse_back() -> None:
    assert parse_mpsz(WALLS["hebei_108"]) == fair.Fair(rules.load("hebei_108"), SECRET, NONCES).hand(0, 1).wall
