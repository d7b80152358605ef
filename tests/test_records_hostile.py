"""Records from strangers: whatever stands in a field, verification says what is wrong and never falls over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hongzhong.server.records import verified

KEPT = [Path(__file__).parent / "records" / f"0.1.0-{name}-house.jsonl" for name in ("hebei", "qiqihar")]
JUNK: list[Any] = [
    None, True, -1, 4, 2**70, 0.5, "", "?", "1m", "9z", "1m2m", "x" * 3000, "\u202e", [], [[]], [0, 0, 0], [0, 0, 0, 0],
    ["", "", "", ""], [[], [], [], []], [["(123m)"], [], [], []], ["x", "x", "x", "x"], {}, {"a": 1}, "[????]", "0" * 64, "sha256:" + "0" * 64,
]  # fmt: skip


def first_of_each(path: Path) -> dict[str, int]:
    """The place of the first event of each type."""
    places: dict[str, int] = {}
    for place, line in enumerate(path.read_bytes().splitlines()):
        places.setdefault(json.loads(line)["type"], place)
    return places


@pytest.mark.slow
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_no_field_brings_verification_down(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for place in first_of_each(path).values():
        event = json.loads(lines[place])
        for field in event:
            for junk in JUNK:
                if event[field] == junk and type(event[field]) is type(junk):
                    continue
                changed = json.dumps(event | {field: junk}).encode()
                rest = lines[place + 1 : place + 9] if place > 200 else lines[place + 1 : place + 30]
                said = verified(b"\n".join([*lines[:place], changed, *rest]) + b"\n")
                assert not said.ok and said.en and said.zh, (field, junk)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_tile_is_one_tile(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    place = first_of_each(path)["discard"]
    for junk in ("", "1m2m", "123m"):
        event = json.loads(lines[place]) | {"tile": junk}
        said = verified(b"".join([*lines[:place], json.dumps(event).encode() + b"\n"]))
        assert said.line == place + 1 and "where 1 should stand" in said.en


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_no_missing_or_doubled_line_brings_verification_down(path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for kind, place in first_of_each(path).items():
        left_out = [*lines[:place], *lines[place + 1 : place + 30]]
        twice = [*lines[: place + 1], *lines[place : place + 30]]
        for changed in (left_out, twice):
            said = verified(b"\n".join(changed) + b"\n")
            assert not said.ok and said.line > 0, kind
