"""The behaviour signature of each rule set: a hash of seeded hands. One that changes says that play, wins or payments changed.

``uv run python -m tests.test_signature`` writes tests/signatures.json anew; say in the commit which ruling changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

import pytest

from hongzhong import events, rules
from hongzhong.simulate import Table

FILE: Final = Path(__file__).parent / "signatures.json"
RULE_SETS: Final = ("qiqihar", "inner_mongolia", "hebei", "hebei_108")
BOTS: Final = ("random", "greedy")
HANDS: Final = 400
TOLD: Final = 20
"""Hands of which every event counts, not only the result."""


def signature(name: str, bot: str) -> str:
    """SHA-256 over the results of the hands, and all events of the first ones but for display text."""
    table = Table(rules.load(name), (bot,) * 4, 20260101)
    digest = hashlib.sha256()
    for row in table.play(0, HANDS).tolist():
        digest.update(repr(_plain(row)).encode())
    for number in range(TOLD):
        for event in table.play_one(number)[1][1:]:
            data = json.loads(events.encode(event))
            for pattern in data.get("patterns", ()):
                del pattern["name"]
            digest.update(json.dumps(data, sort_keys=True).encode())
    return digest.hexdigest()


def _plain(row: tuple[object, ...]) -> list[object]:
    return [value.tolist() if hasattr(value, "tolist") else value for value in row]


@pytest.mark.parametrize("name", RULE_SETS)
@pytest.mark.parametrize("bot", BOTS)
def test_behaviour_is_as_signed(name: str, bot: str) -> None:
    kept = json.loads(FILE.read_text())
    assert signature(name, bot) == kept[name][bot], (
        f"{name} no longer plays as signed: if that is meant, say which ruling changed and run: uv run python -m tests.test_signature"
    )


if __name__ == "__main__":
    signed = {name: {bot: signature(name, bot) for bot in BOTS} for name in RULE_SETS}
    FILE.write_text(json.dumps(signed, indent=2) + "\n")
