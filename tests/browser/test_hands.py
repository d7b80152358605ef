"""A whole hand of each rule set, played by clicks from the form of the room to the match's result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("size", ["phone", "desktop"])
@pytest.mark.parametrize("rules", ["qiqihar", "inner_mongolia", "hebei", "hebei_108"])
def test_a_hand_by_clicks(chromium: Browser, site: Site, rules: str, size: str) -> None:
    from playwright.sync_api import expect

    from tests.browser.people import Person, check_result, play_hand

    person = Person(chromium, site.url, size)
    person.create("小王", rules)
    person.page.get_by_role("button", name="电脑补位，开打").click()
    expect(person.page.locator(".table")).to_be_visible()
    scrolls = "() => document.scrollingElement.scrollHeight > innerHeight || document.scrollingElement.scrollWidth > innerWidth"
    assert not person.page.evaluate(scrolls), "the table does not fit"
    if size == "phone":
        widths = person.page.eval_on_selector_all(
            ".slot", "tiles => tiles.map(tile => tile.getBoundingClientRect().width)"
        )
        assert min(widths) >= 40
    play_hand(person)
    check_result(person)
    person.page.get_by_role("button", name="看总成绩").click()
    expect(person.page.locator(".ranking li")).to_have_count(4)
    person.page.get_by_role("button", name="再来一场").click()
    expect(person.page.locator(".places li")).to_have_count(4)
    assert person.problems == []
    person.context.close()
