"""axe-core finds nothing serious or critical on any page, in either language."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from tests.browser.site import Site
from tests.required import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.people import Person

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
HAND = '{"rules":"hebei","concealed":"123456789m55p23p"}'
WON = '{"rules":"qiqihar","concealed":"1133557799m44m7z","win_tile":"6m","by":"discard"}'
LOST = '{"rules":"hebei","concealed":"123m456m55m23p","melds":["(999p)"],"win_tile":"1s","by":"draw"}'
PAGES = [
    "",
    "#/new?rules=hebei",
    "#/settings",
    "#/none",
    "#/calculator",
    f"#/calculator?request={quote(WON)}",
    f"#/calculator?request={quote(LOST)}",
    f"#/analysis?hand={quote(HAND)}",
    f"#/analysis?hand={quote(HAND.replace('23p', '234p'))}",
    "#/replay",
    "#/history",
    "#/rules/hebei/H7",
    "#/verify",
]
RECORD = Path(__file__).parents[1] / "records" / "0.1.0-hebei-plain.jsonl"


def check(page: Page, where: str) -> None:
    """Fails with what axe found."""
    if not AXE.exists():
        missing("chromium", "axe-core is not installed: npm ci --ignore-scripts in frontend/")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [
        f"{where}: {rule['impact']} {rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:4]]}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
    assert not bad, "\n".join(bad)


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_pages(chromium: Browser, site: Site, language: str, size: str) -> None:
    from tests.browser.people import Person

    person = Person(chromium, site.url, size, locale=language)
    for path in PAGES:
        person.open(path)
        person.page.locator("h1").wait_for()
        if "?" in path and "new" not in path:
            person.page.locator(".patterns, .stamp, .tabled").first.wait_for()
        person.page.wait_for_timeout(300)
        person.page.evaluate("document.querySelectorAll('details').forEach((more) => { more.open = true; })")
        check(person.page, path or "home")
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "landscape"])
@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_a_record(chromium: Browser, site: Site, language: str, size: str) -> None:
    """Replay with its menu and result, the list of records, a verified one."""
    from tests.browser.people import Person

    person = Person(chromium, site.url, size, locale=language)
    page = person.page
    person.open("#/replay")
    page.locator("input[type=file]").set_input_files(RECORD)
    page.locator(".table.replay").wait_for(timeout=30_000)
    record = page.url.rsplit("/", 1)[1]
    check(page, "replay")
    page.locator(".head-tools button").click()
    page.locator("dialog").wait_for()
    check(page, "menu of a replay")
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    page.locator(".own-line button").click()
    page.locator("dialog.result").wait_for()
    check(page, "result in a replay")
    for path, ready in (("#/history", ".record"), (f"#/verify/{record}", ".checks")):
        person.open(path)
        page.locator(ready).wait_for()
        check(page, path)
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "landscape"])
def test_room_and_table(chromium: Browser, site: Site, size: str) -> None:
    """The door, the lobby, the table at rest and when asked, its menu and phrases, a result, the match's end."""
    from tests.browser.people import Person, play_hand

    host, guest = Person(chromium, site.url, size), Person(chromium, site.url, size)
    code = host.create("小王", "inner_mongolia")
    guest.open(f"#/r/{code}")
    guest.page.get_by_role("button", name="坐下").wait_for()
    check(guest.page, "door")
    guest.join(f"{site.url}#/r/{code}", "李四")
    check(host.page, "lobby")
    guest.page.get_by_role("button", name="我准备好了").click()
    host.page.get_by_role("button", name="电脑补位，开打").click()
    host.page.locator(".table").wait_for()
    for button, title in (("菜单", "房间号"), ("说一句", "说一句")):
        host.page.get_by_role("button", name=button, exact=True).click()
        host.page.get_by_role("dialog", name=title).wait_for()
        check(host.page, button)
        host.page.keyboard.press("Escape")
    asked(host, guest, ".claim.pass")
    check(host.page, "claim")
    asked(host, guest, ".hand.mine")
    check(host.page, "turn")
    play_hand(host, guest)
    check(host.page, "result")
    host.page.locator("[data-action=end]").click()
    check(host.page, "match")
    for person in (host, guest):
        assert person.problems == []
        person.context.close()


def asked(host: Person, guest: Person, what: str, tries: int = 4000) -> None:
    """Both play until the host is asked like this, or the hand is over."""
    until: Callable[[], int] = host.page.locator(f"{what}, dialog.result").count
    for _ in range(tries):
        if until():
            return
        host.act()
        guest.act()
        host.page.wait_for_timeout(10)
    raise AssertionError(f"no {what}")
