"""Writes the records that a release keeps: ``python -m tests.keep_records``. A record that is there already is never written again."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any, Final

from hongzhong import rules
from hongzhong.match import Match
from hongzhong.record import RecordWriter
from tests.playing import PLAYERS, by_chance, greedily, play_on

RECORDS: Final = Path(__file__).parent / "records"
HOUSE_RULES: Final[dict[str, dict[str, Any]]] = {
    "qiqihar": {
        "kong_points": (1, 1, 2),
        "pass_lock": "both",
        "fifth_copy": False,
        "discard_pays": "all",
        "calls": "manual",
    },
    "inner_mongolia": {
        "rob_kong": True,
        "multi_win": "all",
        "thirteen_orphans": True,
        "fan_points": "doubling",
        "cap": 16,
    },
    "hebei": {"calls": "manual", "follow_dealer": True, "reserve_stacks": "dice", "colour_rule": "eight_only"},
    "hebei_108": {
        "four_kongs_abort": True,
        "discard_pays": "discarder_for_all",
        "rob_kong": True,
        "kong_points": (1, 2, 3),
    },
}


def keep(label: str, name: str, options: dict[str, Any], seed: int, *, plays_by_chance: bool) -> None:
    match = Match(
        rules.load(name, options), PLAYERS, seed=seed, committed=True, nonces=["river", "", "红中", f"{seed}"]
    )
    play_on(match, by_chance(seed) if plays_by_chance else greedily(match, seed))
    path = RECORDS / f"{metadata.version('hongzhong')}-{name}-{label}.jsonl"
    if not path.exists():
        with RecordWriter(path) as writer:
            writer.write(match.events)


if __name__ == "__main__":
    RECORDS.mkdir(exist_ok=True)
    for each in rules.names():
        keep("plain", each, {"hands": 4}, 1, plays_by_chance=False)
        keep("house", each, {"hands": 4} | HOUSE_RULES[each], 2, plays_by_chance=False)
        keep("chance", each, {"hands": 2} | HOUSE_RULES[each], 3, plays_by_chance=True)
    keep("followed", "hebei", {"hands": 2} | HOUSE_RULES["hebei"], 41, plays_by_chance=False)
    keep("rounds", "qiqihar", {"rounds": 1}, 5, plays_by_chance=False)
    keep("rounds", "inner_mongolia", {"rounds": 1}, 5, plays_by_chance=False)
