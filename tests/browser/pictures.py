"""Draws the pages into docs/pictures at three sizes: uv run --group browser python -m tests.browser.pictures [NAME ...]

Pages come from a real server; tables and results are drawn from recorded updates, so that every picture shows the same hands.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx
import msgspec
from playwright.sync_api import Page, WebSocketRoute, sync_playwright

from hongzhong.server import messages
from tests.browser.people import SIZES
from tests.browser.recorded import NAMES, as_json, recorded
from tests.browser.site import Site

RECORD: Final = Path(__file__).parents[1] / "records" / "0.1.0-hebei-plain.jsonl"
WON: Final = (
    '{"rules":"hebei","concealed":"1112345678m","melds":["(999p)"],"win_tile":"9m","by":"draw","winner":0,"dealer":0}'
)
HAND: Final = '{"rules":"hebei","concealed":"1234567899m2355p","seen":"1p"}'
FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
CODE: Final = "H7K2M"
ENGLISH: Final = ("You", "Li", "Wang", "Bot")
Draw = Callable[[Page, str], None]


def laid(update: messages.Update) -> int:
    """How much lies on the table."""
    return sum(len(seat.river) + 4 * len(seat.melds) for seat in update.view.seats)


def room(rules: str, state: Any, names: Sequence[str] = NAMES, **more: Any) -> messages.Room:
    """A room with three persons and a bot, one of them offline."""
    players = [
        messages.Player(
            name=name, kind="bot" if place == 3 else "person", bot="greedy" if place == 3 else "", connected=place != 2,
            ready=place == 1, auto=False, away=False, host=place == 0,
        )
        for place, name in enumerate(names)
    ]  # fmt: skip
    given: dict[str, Any] = {
        "code": CODE, "name": "", "rules": rules, "options": {}, "summary_zh": "点炮一家付 · 一炮多响",
        "summary_en": "the discarder pays, several winners", "state": state, "places": players, "seat_of": [0, 1, 2, 3],
        "spectators": 1, "votes": [], "settings": messages.Settings(), "password": False, "matches": 1,
        "totals": [12, -6, 3, -9], "scores": [12, -6, 3, -9], "ranking": [0, 2, 1, 3],
        "commitment": "sha256:" + "5d884330237bdf4c" * 4, "record": None,
    }  # fmt: skip
    return messages.Room(**(given | more))


def table(
    rules: str,
    choose: Callable[[list[messages.Update]], messages.Update],
    state: str = "playing",
    seed: int = 2,
    watcher: bool = False,
    names: Sequence[str] = NAMES,
) -> Draw:
    """Draws the chosen update of a recorded match, as the person at the first place or a watcher sees it."""
    place = -1 if watcher else 0

    def draw(page: Page, url: str) -> None:
        update = choose(recorded(rules, seed, watcher=watcher, hands=2))
        scores = [seat.total for seat in update.view.seats]
        ranking = sorted(range(4), key=lambda seat: -scores[seat])
        standing = {"scores": scores, "totals": scores, "ranking": ranking}

        def answer(socket: WebSocketRoute) -> None:
            def hear(text: str | bytes) -> None:
                if json.loads(text)["type"] == "hello":
                    welcome = messages.Welcome(
                        protocol=messages.PROTOCOL, version="0", place=place, room=room(rules, state, names, **standing)
                    )
                    socket.send(as_json(welcome))
                    socket.send(as_json(update))

            socket.on_message(hear)

        page.route_web_socket("**/socket", answer)
        page.add_init_script(f"localStorage.setItem('hz.seat.{CODE}', 'seat')")
        page.goto(f"{url}#/r/{CODE}")
        page.locator(".table").wait_for()

    return draw


def page_at(path: str, ready: str) -> Draw:
    def draw(page: Page, url: str) -> None:
        page.goto(url + path)
        page.locator(ready).first.wait_for()

    return draw


def door(page: Page, url: str) -> None:
    """A room with a password, which was wrong."""
    with httpx.Client(base_url=url, headers={"origin": url[:-1]}) as server:
        made = {
            "rules": "hebei",
            "nickname": "小王",
            "name": "老王家",
            "settings": {"bot": "greedy"},
            "password": "8888",
        }
        code = server.post("api/rooms", json=made).raise_for_status().json()["code"]
        server.post(f"api/rooms/{code}/join", json={"nickname": "李四", "password": "8888"}).raise_for_status()
    page.goto(f"{url}#/r/{code}")
    page.get_by_label("昵称").fill("王叔")
    page.get_by_label("这个房间要密码").fill("1234")
    page.get_by_role("button", name="坐下").click()
    page.locator(".wrong").wait_for()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


def kept(path: str, ready: str, steps: int = 0) -> Draw:
    """A page about a record, whose id stands for ``ID``, after so many steps of its replay."""

    def draw(page: Page, url: str) -> None:
        owner = "pictures-of-the-pages"
        lines = RECORD.read_bytes()
        record = httpx.post(f"{url}api/records", content=lines, headers={"x-browser": owner}, timeout=120).json()["id"]
        page.add_init_script(f"localStorage.setItem('hz.owner', '{owner}')")
        page_at(path.replace("ID", record), ready)(page, url)
        for _ in range(steps):
            page.keyboard.press("ArrowRight")

    return draw


def lobby(page: Page, url: str) -> None:
    page.goto(url + "#/new?rules=hebei")
    page.get_by_label("昵称").fill("小王")
    page.get_by_role("button", name="开房间", exact=True).click()
    page.locator(".places").wait_for()


def live(updates: list[messages.Update]) -> list[messages.Update]:
    return [update for update in updates if not update.view.over]


def busiest_claim(updates: list[messages.Update]) -> messages.Update:
    """A claim late in a hand, made to offer all that can be offered at once."""
    claims = [update for update in live(updates) if update.prompt is not None and update.prompt.kind == "claim"]
    found = max(claims, key=laid)
    assert found.prompt is not None and found.prompt.tile is not None
    shown = messages.ActionShown
    tile, (rank, suit) = found.prompt.tile, (int(found.prompt.tile[0]), found.prompt.tile[1])
    runs = [[rank + a, rank + b] for a, b in ((1, 2), (-1, 1), (-2, -1)) if rank + a >= 1 and rank + b <= 9]
    actions = [
        shown(action=34, kind="pass", tiles=[]),
        shown(action=36, kind="claim_win", tiles=[tile]),
        shown(action=37, kind="pung", tiles=[tile] * 2),
        shown(action=42, kind="kong", tiles=[tile] * 3),
        *(shown(action=38 + i, kind="chow", tiles=[f"{n}{suit}" for n in run]) for i, run in enumerate(runs)),
    ]
    return msgspec.structs.replace(found, prompt=msgspec.structs.replace(found.prompt, actions=actions))


def at_claim(updates: list[messages.Update]) -> messages.Update:
    claims = [update for update in live(updates) if update.prompt is not None and update.prompt.kind == "claim"]
    return max(claims, key=lambda update: (bool(update.view.waits), laid(update)))


def at_turn(updates: list[messages.Update]) -> messages.Update:
    turns = [update for update in live(updates) if update.prompt is not None and update.prompt.kind == "turn"]
    return min(turns, key=lambda update: abs(laid(update) - 30))


def dearest(updates: list[messages.Update]) -> messages.Update:
    ends = [update for update in updates if update.view.over]
    return max(ends, key=lambda update: sum(len(win.patterns) for win in update.view.wins))


PICTURES: Final[dict[str, Draw]] = {
    "web-home": page_at("", ".sheet-card"),
    "web-new-room": page_at("#/new?rules=hebei", ".option"),
    "web-lobby": lobby,
    "web-door": door,
    "web-settings": page_at("#/settings", ".switch"),
    "web-table": table("qiqihar", at_turn, seed=5),
    "web-claim": table("hebei", at_claim, seed=5),
    "web-claims": table("hebei", busiest_claim, seed=5),
    "web-late": table("inner_mongolia", lambda updates: max(live(updates), key=laid), seed=8),
    "web-spectator": table(
        "hebei", lambda updates: max(live(updates), key=laid), watcher=True, names=("老张", *NAMES[1:])
    ),
    "web-claim-en": table("hebei", at_claim, seed=5, names=ENGLISH),
    "web-late-en": table("inner_mongolia", lambda updates: max(live(updates), key=laid), seed=8, names=ENGLISH),
    "web-result": table("qiqihar", dearest, seed=8),
    "web-calculator": page_at(f"#/calculator?request={quote(WON)}", ".patterns"),
    "web-analysis": page_at(f"#/analysis?hand={quote(HAND)}", ".tabled"),
    "web-replay": kept("#/replay/ID/0", ".replay", steps=80),
    "web-records": kept("#/history", ".record"),
    "web-verify": kept("#/verify/ID", ".checks"),
    "web-rules": page_at("#/rules/hebei", ".ruling-text"),
    "web-match": table("hebei", lambda updates: updates[-1], state="ended"),
}


def main(wanted: list[str]) -> None:
    with tempfile.TemporaryDirectory() as data, Site(Path(data)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, draw in PICTURES.items():
            if wanted and name not in wanted:
                continue
            for width, height in SIZES.values():
                context = browser.new_context(
                    viewport={"width": width, "height": height},
                    locale="en-GB" if name.endswith("-en") else "zh-CN",
                    reduced_motion="reduce",
                )
                page = context.new_page()
                page.on("pageerror", lambda error: sys.exit(f"{error}"))
                draw(page, site.url)
                page.wait_for_timeout(400)
                if name == "web-match" and page.locator("[data-action=end]").count():
                    page.locator("[data-action=end]").click()
                    page.wait_for_timeout(100)
                page.screenshot(path=FOLDER / f"{name}-{width}x{height}.jpg", type="jpeg", quality=82)
                context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
