"""The start page while the engine is made ready, and how long a match shall last in the form of a new room."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def test_the_start_page_waits_for_the_engine(chromium: Browser, site: Site) -> None:
    """A bar of how far it is; when it is ready the seat held here and the open rooms appear by themselves."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    code = person.create("小王", "hebei")
    warm: dict[str, Any] = {"percent": 0, "ready": False}

    def status(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | warm)

    def rooms(route: Route) -> None:
        if warm["ready"]:
            route.continue_()
        else:
            refused = {"type": "error", "code": "warming", "zh": "请稍等", "en": "wait", "field": None, "fatal": False}
            route.fulfill(status=503, body=json.dumps(refused), content_type="application/json")

    person.page.route("**/api/status", status)
    person.page.route("**/api/rooms*", rooms)
    person.page.route("**/api/rooms/*", rooms)
    person.page.goto("about:blank")
    person.open()
    page = person.page
    expect(page.get_by_role("status")).to_contain_text("载入中")
    assert "引擎" not in page.get_by_role("status").inner_text()
    warm["percent"] = 37
    expect(page.get_by_role("status")).to_contain_text("37%")
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "37")
    expect(page.locator("[data-action=quick]")).to_be_disabled()
    warm["percent"] = 80
    expect(page.get_by_role("progressbar")).to_have_attribute("value", "80")
    assert page.get_by_role("link", name=code).count() == 0
    warm |= {"percent": 100, "ready": True}
    expect(page.locator("[data-action=quick]")).to_be_enabled()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_role("link", name=code)).to_be_visible()
    person.context.close()


def test_hands_or_rounds(chromium: Browser, site: Site) -> None:
    """One choice: taking the one gives up the other, and the room is made so."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.open("#/new?rules=inner_mongolia")
    page, summary = person.page, person.page.locator("p.notice[role=status]")
    for length, told in (
        ("16 局", "16局"),
        ("2 圈", "2圈"),
        ("1 圈", "1圈"),
        ("4 局", "4局"),
        ("8 局", "8局"),
        ("4 圈", "4圈"),
    ):
        page.get_by_role("button", name=length, exact=True).click()
        expect(summary).to_contain_text(f"内蒙麻将·{told}")
        expect(
            page.locator(".choice [aria-pressed=true]").filter(has_text="局" if "局" in length else "圈")
        ).to_have_text(length)
        assert page.get_by_text("连庄不另算").count() == (1 if "圈" in length else 0)
    assert page.locator(".option", has_text="圈数").count() == 0
    assert page.get_by_text("几十局").count() == 0
    page.get_by_role("button", name="河北麻将", exact=True).click()
    page.get_by_role("button", name="4 圈", exact=True).click()
    expect(page.get_by_text("几十局")).to_be_visible()
    page.get_by_text("其他规矩").click()
    page.get_by_role("switch", name="屁和不下庄").uncheck()
    expect(page.get_by_text("几十局")).to_have_count(0)
    page.get_by_label("昵称").fill("小王")
    page.get_by_role("button", name="开房间", exact=True).click()
    expect(page.get_by_text("河北麻将·4圈")).to_be_visible()
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_a_refused_field_is_gone_to(chromium: Browser, site: Site, size: str) -> None:
    """Pressing the bottom button leads to what is wrong, wherever it stands, also to a number in a folded part."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url, size)
    person.open("#/new?rules=inner_mongolia")
    page = person.page
    open_it, name = page.get_by_role("button", name="开房间", exact=True), page.get_by_role("textbox", name="昵称")
    for _ in range(2):
        open_it.click()
        expect(page.get_by_text("请先填昵称")).to_be_in_viewport(ratio=1)
        expect(name).to_be_focused()
    name.fill("小王\u202e")
    open_it.click()
    expect(name).to_be_focused()
    expect(page.locator(".field .wrong")).to_be_in_viewport(ratio=1)
    name.fill("小王")
    folded, told = page.get_by_text("番种与价钱"), page.locator("p.notice[role=status]")
    folded.click()
    price = page.locator("details[open] input[type=number]").first
    price.fill("-5")
    expect(told).to_contain_text("-5")
    price.fill("")
    expect(told).to_contain_text("要填数字")
    assert "-5" not in told.inner_text()
    folded.click()
    expect(price).to_be_hidden()
    open_it.click()
    expect(price).to_be_in_viewport(ratio=1)
    expect(price).to_be_focused()
    expect(page.locator(".option .wrong")).to_be_in_viewport(ratio=1)
    price.fill("-7")
    open_it.click()  # before the form could ask whether this goes
    expect(price).to_be_focused()
    assert "#/new" in page.url
    person.context.close()


def test_a_rule_set_that_is_not_there(chromium: Browser, site: Site) -> None:
    """The page of the rules says so, and which there are; one of them is a tap away."""
    from playwright.sync_api import expect

    from tests.browser.people import RULES, Person

    person = Person(chromium, site.url)
    person.open("#/rules/nope")
    expect(person.page.get_by_role("alert")).to_contain_text("nope")
    assert person.page.get_by_role("table").count() == 0
    for name in RULES.values():
        expect(person.page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "false")
    person.page.get_by_role("button", name="河北麻将", exact=True).click()
    expect(person.page.get_by_role("heading", name="河北麻将", level=1)).to_be_visible()
    expect(person.page.get_by_role("alert")).to_have_count(0)
    assert person.problems == []
    person.context.close()
