"""Smaller things at the table: motion, time-outs, spectators, a password, hints, the last words on passing a win."""

from __future__ import annotations

import json
import urllib.request
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RECORD_MOTION = """
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.flights.push(options.duration);
    return animate.call(this, frames, options);
  };
"""


HEAD = """() => {
  const title = document.querySelector(".table-head .title"), box = title.getBoundingClientRect();
  const parts = [...title.children].map((part) => part.getBoundingClientRect());
  const others = [...document.querySelectorAll(".head-button, .seat.across *, .side.left > *, .countdown, .remaining")];
  return [
    parts.some((part) => part.right > box.right + 0.5 || part.bottom > box.bottom + 0.5 || part.top < box.top - 0.5),
    others.filter((other) => {
      const there = other.getBoundingClientRect();
      return parts.some((part) =>
        there.left < part.right && part.left < there.right && there.top < part.bottom && part.top < there.bottom);
    }).map((other) => other.className),
  ];
}"""


def created(site: Site, rules: str = "qiqihar", length: dict[str, int] | None = None, **settings: Any) -> str:
    """A room made over HTTP; the link that sits down at its first place."""
    body = {"rules": rules, "nickname": "小王", "options": length or {"hands": 4}, "settings": settings}
    asked = urllib.request.Request(
        site.url + "api/rooms", json.dumps(body).encode(), {"content-type": "application/json", "origin": site.url[:-1]}
    )
    with urllib.request.urlopen(asked) as answer:
        seat = json.load(answer)
    return f"{site.url}#/r/{seat['code']}/seat/{seat['token']}"


def test_motion_is_short_and_may_be_off(chromium: Browser, site: Site) -> None:
    from tests.browser.people import Person

    for motion in ("no-preference", "reduce"):
        person = Person(chromium, site.url, "desktop", reduced_motion=motion)
        person.page.add_init_script(RECORD_MOTION)
        person.create("小王", "qiqihar")
        person.page.get_by_role("button", name="电脑补位，开打").click()
        person.until(".river.bottom .tile:nth-child(2), dialog.result")
        flights = person.page.evaluate("window.flights")
        assert bool(flights) == (motion == "no-preference")
        assert all(duration < 200 for duration in flights)
        person.context.close()


def test_time_runs_out_and_one_tap_takes_the_hand_back(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.page.goto(created(site, move_seconds=3, bank_seconds=0))
    person.page.get_by_role("button", name="电脑补位，开打").click()
    expect(person.page.locator(".table")).to_be_visible()
    person.until(".hand.mine")
    expect(person.page.locator(".countdown:not(.other)")).to_have_text("3")
    expect(person.page.get_by_text("托管中，电脑替你打")).to_be_visible(timeout=10_000)
    person.page.get_by_role("button", name="我来打").click()
    expect(person.page.get_by_text("托管中，电脑替你打")).to_have_count(0)
    person.context.close()


def test_a_spectator_sees_no_hand_and_a_password_is_asked(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    from tests.browser.people import Person

    host = Person(chromium, site.url)
    host.open("#/new?rules=qiqihar")
    host.page.get_by_label("昵称").fill("小王")
    host.page.get_by_label("密码（可不填）").fill("8888")
    host.page.get_by_role("button", name="开房间", exact=True).click()
    expect(host.page.locator(".places li")).to_have_count(4)
    link = host.page.url
    watcher = Person(chromium, site.url, "desktop")
    watcher.page.goto(link)
    watcher.page.get_by_label("这个房间要密码").fill("1234")
    watcher.page.get_by_label("昵称").fill("看客")
    watcher.page.get_by_role("button", name="坐下").click()
    expect(watcher.page.locator(".wrong")).to_be_visible()
    watcher.page.get_by_label("这个房间要密码").fill("8888")
    watcher.page.get_by_role("button", name="旁观").click()
    expect(watcher.page.get_by_text("你在旁观")).to_be_visible()
    host.page.get_by_role("button", name="电脑补位，开打").click()
    host.until(".river.bottom .tile")
    expect(watcher.page.locator(".river.bottom .tile").first).to_be_visible()
    kinds = watcher.page.eval_on_selector_all(".hand .slot .tile", "tiles => tiles.map(tile => tile.dataset.kind)")
    assert set(kinds) == {"?"}
    assert watcher.page.locator(".claim").count() == 0
    expect(watcher.page.locator(".own-line").get_by_text("你在旁观")).to_be_visible()
    assert host.problems == []
    host.context.close()
    watcher.context.close()


def test_a_hint_names_a_tile_of_the_hand(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.create("小王", "qiqihar")
    person.page.get_by_role("button", name="电脑补位，开打").click()
    person.until(".hand.mine")
    person.page.get_by_role("button", name="提示").click()
    hint = person.page.locator(".hint")
    expect(hint).to_be_visible()
    kind = hint.locator(".tile").first.get_attribute("data-kind")
    assert person.page.locator(f'.hand .tile[data-kind="{kind}"]').count()
    person.context.close()


def test_the_sheet_that_conflicts_is_refused_in_the_form(chromium: Browser, site: Site) -> None:
    """Options that cannot go together say why, and the button leads there; house rules are kept and open again by their link."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.open("#/new?rules=inner_mongolia")
    person.page.get_by_label("昵称").fill("小王")
    person.page.get_by_text("其他规矩").click()
    fan = person.page.get_by_role("spinbutton", name="十三幺番数")
    fan.fill("20")
    expect(person.page.locator(".notice.bad")).to_be_visible()
    person.page.get_by_role("button", name="开房间", exact=True).click()
    expect(person.page.locator(".notice.bad")).to_be_focused()
    expect(person.page.locator(".notice.bad")).to_be_in_viewport(ratio=1)
    person.page.get_by_role("switch", name="可胡十三幺").check()
    expect(person.page.locator(".notice.bad")).to_have_count(0)
    person.page.get_by_text("存好的规矩").click()
    person.page.get_by_label("给这套规矩起个名").fill("老王家规")
    person.page.get_by_role("button", name="存下").click()
    link = person.page.locator(".copy-line input").input_value()
    friend = Person(chromium, site.url, "desktop")
    friend.page.goto(link)
    friend.page.get_by_text("其他规矩").click()
    expect(friend.page.get_by_role("spinbutton", name="十三幺番数")).to_have_value("20")
    expect(friend.page.get_by_role("status").filter(has_text="十三幺")).to_be_visible()
    assert all("422" in problem for problem in person.problems)  # the console's word for a refusal
    person.context.close()
    friend.context.close()


def test_ending_and_leaving_are_asked_about(chromium: Browser, site: Site) -> None:
    """With bots alone one vote ends a match: a tap asks, the way back has the focus, and only a second answer does it."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.page.goto(created(site))
    page = person.page
    page.get_by_role("button", name="电脑补位，开打").click()
    page.get_by_role("button", name="菜单").click()
    back = page.get_by_role("button", name="取消")
    for what, sure in (("提议提前结束", "确定提前结束"), ("离开房间", "确定离开")):
        page.get_by_role("button", name=what).click()
        expect(page.get_by_role("button", name=sure)).to_be_visible()
        expect(back).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=what)).to_be_visible()
        page.wait_for_timeout(200)
        assert page.locator(".result").count() == 0
        assert "#/r/" in page.url
    page.get_by_role("button", name="提议提前结束").press("Enter")
    expect(page.get_by_text("马上结束")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("dialog.result")).to_contain_text("总成绩")
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "landscape", "desktop"])
@pytest.mark.parametrize("length", [{"hands": 16}, {"rounds": 4}], ids=["hands", "rounds"])
def test_the_head_is_read_whole(chromium: Browser, site: Site, size: str, length: dict[str, int]) -> None:
    """Rule set and hand stand in the head uncut, and lie over nothing else."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url, size, locale="en-US")
    person.page.goto(created(site, rules="inner_mongolia", length=length))
    person.page.get_by_role("button", name="Start, bots fill in").click()
    expect(person.page.locator(".table-head .title")).to_contain_text("round 1/4" if "rounds" in length else "1/16")
    cut, over = person.page.evaluate(HEAD)
    assert not cut
    assert not over
    person.context.close()
