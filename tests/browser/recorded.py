"""Updates of a whole match as one seat gets them, played by bots: what the pictures of the table are drawn from."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from hongzhong import bots
from hongzhong.events import SPECTATOR, masked
from hongzhong.match import Match
from hongzhong.rules import load
from hongzhong.server import messages
from hongzhong.server.present import update
from hongzhong.table import Pace, Table

NAMES: Final = ("我", "小李", "王叔", "电脑·高手")


def recorded(
    rules_id: str, seed: int, seat: int = 0, *, watcher: bool = False, **options: Any
) -> list[messages.Update]:
    """Every update that ``seat``, or a watcher, gets in a match of bots, at rest clocks of 15 seconds and a bank of 30."""
    eye = SPECTATOR if watcher else seat
    rules = load(rules_id, options)
    match = Match(rules, NAMES, seed=seed)
    table = Table(match, {seat}, Pace(move=15_000, bank=30_000, between=-1), now=0)
    table.arrive(seat, True, 0)
    players = {s: bots.make("greedy", seed) for s in range(4)}
    seen = dict.fromkeys(range(4), 0)
    for s, player in players.items():
        player.start(rules, s)
    found: list[messages.Update] = []
    told = now = 0
    while not table.over:
        now += 1500
        table.tick(now)
        found.append(update(table, eye, told, now, hints=True))
        told = table.seq[eye]
        if table.between:
            table.go_on(seat, now)
            continue
        for s, player in players.items():
            for event in match.events[seen[s] :]:
                player.see(masked(event, s))  # type: ignore[arg-type]
            seen[s] = len(match.events)
        asked = sorted(table.asked, key=lambda s: s == seat)
        for s in asked:
            if (open_ := table.asked.get(s)) is not None:
                table.answer(s, open_.id, players[s].choose(open_.prompt), now + 1000)
    found.append(update(table, eye, told, now, hints=True))
    return found


def as_json(message: Any) -> str:
    return msgspec.json.encode(message).decode()
