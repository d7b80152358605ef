"""Several browsers at one table, and what may happen to them: lost sockets, second tabs, moved seats, a killed server."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.site import Process, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.people import Person


def hand_of(person: Person) -> list[str]:
    """The own tiles as they lie on the screen."""
    found: list[str] = person.page.eval_on_selector_all(".hand .slot .tile", "tiles => tiles.map(t => t.dataset.kind)")
    return sorted(found)


def alone(browser: Browser, site: Site, rules: str = "hebei", size: str = "phone") -> tuple[Person, str]:
    """One person at a table with three bots, and the room's code."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(browser, site.url, size)
    code = person.create("小王", rules, hands=4)
    person.page.get_by_role("button", name="电脑补位，开打").click()
    expect(person.page.locator(".table")).to_be_visible()
    return person, code


def test_two_browsers_in_one_room(chromium: Browser, site: Site) -> None:
    """The host invites by the link on the page; both are ready, play a hand of two rounds of dealers and go on to the next."""
    from playwright.sync_api import expect

    from tests.browser.people import Person, check_result, play_hand

    host, guest = Person(chromium, site.url, "desktop"), Person(chromium, site.url, "phone", locale="en-US")
    host.create("小王", "inner_mongolia", rounds=2)
    link = host.page.locator(".copy-line input").first.input_value()
    assert host.page.locator(".qr svg").count() == 1
    guest.page.goto(link)
    guest.page.get_by_label("Nickname").fill("Li")
    guest.page.get_by_role("button", name="Take a seat").click()
    expect(host.page.locator(".places")).to_contain_text("Li")
    expect(guest.page.get_by_text("bots: average")).to_be_visible()
    for place in (3, 4):
        host.page.get_by_role("button", name=f"加电脑 {place}").click()
    guest.page.get_by_role("button", name="I am ready").click()
    expect(host.page.locator(".places")).to_contain_text("准备好了")
    host.page.get_by_role("button", name="我准备好了").click()
    for person in (host, guest):
        expect(person.page.locator(".table")).to_be_visible()
    play_hand(host, guest, seconds=180)
    check_result(host)
    expect(guest.page.locator("dialog.result .sums tbody tr")).to_have_count(4)
    host.page.locator("[data-action=next]").click()
    expect(host.page.get_by_role("button", name="等其他人…")).to_be_visible()
    guest.page.locator("[data-action=next]").click()
    for person, told in ((host, "1/2 圈 第 2 局"), (guest, "round 1/2 hand 2")):
        expect(person.page.locator(".table-head .title")).to_contain_text(told)
        assert person.problems == []
        person.context.close()


def test_the_host_arranges_the_room(chromium: Browser, site: Site) -> None:
    """Exchanges two seats, hands the room over, and is removed by the new host."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    host, guest = Person(chromium, site.url), Person(chromium, site.url, "desktop")
    code = host.create("小王", "hebei")
    guest.join(f"{site.url}#/r/{code}", "李四")
    places = host.page.locator(".places li b")
    expect(places).to_have_text(["小王", "李四", "空位", "空位"])
    host.page.get_by_role("button", name="换座 小王").click()
    host.page.get_by_role("button", name="换座 李四").click()
    expect(places).to_have_text(["李四", "小王", "空位", "空位"])
    host.page.get_by_role("button", name="让他当房主").click()
    expect(host.page.get_by_role("button", name="换座 小王")).to_have_count(0)
    guest.page.get_by_role("button", name="请出 小王").click()
    expect(guest.page.locator(".places li b")).to_have_text(["李四", "空位", "空位", "空位"])
    expect(host.page.locator(".notice.bad")).to_be_visible()
    assert host.problems == guest.problems == []
    host.context.close()
    guest.context.close()


def test_lost_in_the_middle_of_a_claim(chromium: Browser, site: Site) -> None:
    """The socket breaks while a claim is asked: it comes back by itself with the same question, and the answer counts."""
    from playwright.sync_api import Error, expect

    from tests.browser.people import Person

    person = Person(chromium, site.url, "landscape")
    sockets = []
    person.context.route_web_socket("**/socket", lambda route: sockets.append((route, route.connect_to_server())))
    person.create("小王", "inner_mongolia", hands=16)
    person.page.get_by_role("button", name="电脑补位，开打").click()
    passing = person.page.locator('.claim[data-action="pass"]')
    while not passing.count():
        state = person.state()
        try:
            if state["paper"]:
                person.page.locator("[data-action=next]").click(timeout=500)
            elif state["mine"]:
                person.discard()
        except Error:
            pass
        person.page.wait_for_timeout(15)
    before, hand = person.state()["actions"], hand_of(person)
    route, server = sockets[-1]
    server.close()
    route.close()
    expect(person.page.get_by_text("断线了")).to_be_visible()
    expect(person.page.get_by_text("断线了")).to_have_count(0)
    assert len(sockets) == 2
    expect(passing).to_be_visible()
    assert (person.state()["actions"], hand_of(person)) == (before, hand)
    claim = next(action for action in before if action != "pass")
    melds = person.page.locator(".meld").count()
    person.click(claim)
    expect(passing).to_have_count(0)
    person.page.wait_for_function(  # mine, unless another's claim comes before it
        "n => document.querySelectorAll('.meld').length > n || document.querySelector('[data-action=next]')", arg=melds
    )
    person.context.close()


def test_a_second_tab(chromium: Browser, site: Site) -> None:
    """The newest tab of a seat is live; the old one says so, stops, and may take the seat back."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    first, code = alone(chromium, site)
    second = Person(chromium, site.url, context=first.context)
    second.open(f"#/r/{code}")
    expect(second.page.locator(".table")).to_be_visible()
    expect(first.page.get_by_role("dialog", name="已在别处打开")).to_be_visible()
    second.until(".river.bottom .tile")
    first.page.get_by_role("button", name="在这里打").click()
    expect(first.page.locator(".river.bottom .tile").first).to_be_visible()
    expect(second.page.get_by_role("dialog", name="已在别处打开")).to_be_visible()
    first.context.close()


def test_a_seat_moves_by_its_link(chromium: Browser, site: Site) -> None:
    """The personal link opens the same seat in another browser, at once and with the same tiles."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    old, _ = alone(chromium, site, "qiqihar", "desktop")
    old.until(".hand.mine")
    old.page.get_by_role("button", name="菜单").click()
    old.page.get_by_role("button", name="显示链接").click()
    links = old.page.locator("dialog .copy-line input")
    expect(links).to_have_count(2)
    link = links.last.input_value()
    assert "/seat/" in link
    hand = hand_of(old)
    new = Person(chromium, site.url, "phone")
    new.page.goto(link)
    expect(new.page.locator(".table")).to_be_visible()
    assert "seat" not in new.page.url, "the token must not stay in the address"
    assert hand_of(new) == hand
    expect(old.page.get_by_role("dialog", name="已在别处打开")).to_be_visible()
    new.until(".river.bottom .tile")
    assert new.problems == []
    old.context.close()
    new.context.close()


def test_plain_http_in_the_network(launch: Callable[..., Browser], site: Site) -> None:
    """An origin that is no secure context, as phones in a local network meet it: everything still works."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    browser = launch("--host-resolver-rules=MAP table.test 127.0.0.1")
    person = Person(browser, site.url.replace("127.0.0.1", "table.test"))
    person.open()
    assert person.page.evaluate("isSecureContext") is False
    person.create("小王", "qiqihar")
    person.page.get_by_role("button", name="复制链接").click()
    expect(person.page.get_by_text("已复制")).to_be_visible()
    person.page.get_by_role("button", name="电脑补位，开打").click()
    person.until(".river.bottom .tile:nth-child(3), dialog.result")
    assert person.problems == []
    browser.close()


def test_language_follows_the_browser_and_the_switch(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url, "phone", locale="en-GB")
    person.open()
    expect(person.page.get_by_role("button", name="Play now")).to_be_visible()
    assert person.page.evaluate("document.documentElement.lang") == "en"
    person.page.get_by_role("button", name="中文").click()
    expect(person.page.get_by_role("button", name="马上开一桌")).to_be_visible()
    assert person.page.evaluate("document.documentElement.lang") == "zh-CN"
    person.page.reload()
    person.page.get_by_role("button", name="马上开一桌").click()
    expect(person.page.locator(".table")).to_be_visible()
    person.until(".hand.mine")
    label = person.page.locator(".slot").last.get_attribute("aria-label")
    assert label is not None and label[0] in "一二三四五六七八九东南西北白发红"
    person.page.get_by_role("button", name="菜单").click()
    person.page.get_by_role("button", name="English").click()
    person.page.keyboard.press("Escape")
    expect(person.page.get_by_role("button", name="Menu")).to_be_visible()
    names = (
        r"[1-9] (character|bamboo|dot)(, just drawn)?|(east|south|west|north|(white|green|red) dragon)(, just drawn)?"
    )
    for label in person.page.locator(".slot").evaluate_all("slots => slots.map(s => s.getAttribute('aria-label'))"):
        assert re.fullmatch(names, label), label
    assert person.problems == []
    person.context.close()


def test_keyboard(chromium: Browser, site: Site) -> None:
    """A tile is chosen with the arrows and discarded with Enter."""
    from playwright.sync_api import expect

    person, _ = alone(chromium, site, "qiqihar", "desktop")
    person.until(".hand.mine")
    river = person.page.locator(".river.bottom .tile")
    lies = river.count()
    person.page.keyboard.press("ArrowLeft")
    person.page.keyboard.press("ArrowLeft")
    chosen = person.page.locator(".slot.picked .tile").get_attribute("data-kind")
    person.page.keyboard.press("Enter")
    expect(river).to_have_count(lies + 1)
    assert river.last.get_attribute("data-kind") == chosen
    person.context.close()


def test_drag_discards_and_one_tap_does_not(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    person, _ = alone(chromium, site, "qiqihar")
    person.until(".hand.mine")
    river = person.page.locator(".river.bottom .tile")
    lies = river.count()
    tile = person.page.locator(".slot").first
    tile.click()
    expect(tile).to_have_class("slot  picked ")
    assert river.count() == lies
    kind = tile.locator(".tile").get_attribute("data-kind")
    box = tile.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    person.page.mouse.move(x, y)
    person.page.mouse.down()
    person.page.mouse.move(x + 5, y - 40, steps=3)
    person.page.mouse.move(x + 5, y - 120, steps=3)
    person.page.mouse.up()
    expect(river).to_have_count(lies + 1)
    assert river.last.get_attribute("data-kind") == kind
    person.context.close()


def test_killed_and_restarted_in_the_middle_of_a_hand(chromium: Browser, tmp_path: Path) -> None:
    """``kill -9``, then a start: the page comes back by itself to the same tiles and plays on."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    server = Process(tmp_path)
    server.start()
    try:
        person = Person(chromium, server.url)
        person.create("小王", "qiqihar", hands=4)
        person.page.get_by_role("button", name="电脑补位，开打").click()
        person.until(".river.bottom .tile")
        person.until(".hand.mine")
        hand, river = hand_of(person), person.page.locator(".river.bottom .tile").count()
        server.kill()
        expect(person.page.get_by_text("断线了")).to_be_visible()
        server.start()
        expect(person.page.get_by_text("断线了")).to_have_count(0, timeout=20_000)
        expect(
            person.page.locator(".hand.mine")
        ).to_be_visible()  # the last discard lies its time again, then the same tile comes
        assert hand_of(person) == hand
        assert person.page.locator(".river.bottom .tile").count() == river
        person.until(f".river.bottom .tile:nth-child({river + 1}), dialog.result")
        person.context.close()
    finally:
        server.kill()
