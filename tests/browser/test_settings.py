"""What a player sets changes the table and outlasts a reload; the table fits every screen; the page can be installed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import httpx
import msgspec
import pytest

from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute

    from hongzhong.server.messages import Update

SWITCHES = ("声音", "牌上标数字", "大字", "自动理牌", "点两次才出牌")
SCREENS = {"phone": (360, 640), "landscape": (844, 390), "tablet": (768, 1024), "desktop": (1280, 800)}
LISTEN = """
  window.sounds = [];
  const value = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} });
  const made = (kind) => ({
    frequency: value(), gain: value(), Q: value(),
    connect: (next) => next, start: () => window.sounds.push(kind), stop() {},
  });
  window.AudioContext = class {
    state = "running"; sampleRate = 8000; currentTime = 0; destination = {};
    createBuffer(_, size) { return { getChannelData: () => new Float32Array(size) }; }
    createBufferSource() { return made("knock"); }
    createBiquadFilter() { return made("filter"); }
    createGain() { return made("gain"); }
    createOscillator() { return made("tone"); }
  };
"""
HIDDEN = """() => [...document.querySelectorAll(".tile, .table button, .plate")].filter((one) => {
  const { left, right, top, bottom, width } = one.getBoundingClientRect();
  if (!width) return false;
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return true;
  const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return one.matches(".slot, .claim") && !one.contains(on);
}).map((one) => one.outerHTML.slice(0, 120))"""


class Seated:
    """A person at a table whose server is this test: ``send`` shows an update, ``answers`` holds what was answered."""

    def __init__(
        self, browser: Browser, site: Site, rules: str, screen: str = "phone",
        settings: dict[str, bool] | None = None, locale: str = "zh-CN",
    ) -> None:  # fmt: skip
        """``settings``: switches of the page of settings, by label; they are set there and the page is loaded anew."""
        from tests.browser.people import Person

        width, height = SCREENS[screen]
        more: dict[str, Any] = {
            "viewport": {"width": width, "height": height},
            "reduced_motion": "reduce",
            "locale": locale,
        }
        self.person = Person(browser, site.url, **more)
        self.page = self.person.page
        self.rules = rules
        self.answers: list[int] = []
        self._socket: WebSocketRoute | None = None
        self.page.add_init_script(LISTEN)
        if settings:
            self.person.open("#/settings")
            for label, on in settings.items():
                self.page.get_by_role("switch", name=label).set_checked(on)
            self.page.goto("about:blank")

    def enter(self, update: Update) -> None:
        from tests.browser.pictures import CODE

        self.page.route_web_socket("**/socket", self._answer)
        self.page.add_init_script(f"localStorage.setItem('hz.seat.{CODE}', 'seat')")
        self.first = update
        self.person.open(f"#/r/{CODE}")
        self.shows(update)

    def _answer(self, socket: WebSocketRoute) -> None:
        from hongzhong.server import messages
        from tests.browser.pictures import room
        from tests.browser.recorded import as_json

        def hear(text: str | bytes) -> None:
            said = msgspec.json.decode(text)
            if said["type"] == "hello":
                shown = room(self.rules, "playing")
                socket.send(as_json(messages.Welcome(protocol=messages.PROTOCOL, version="0", place=0, room=shown)))
                socket.send(as_json(self.first))
            elif said["type"] == "answer":
                self.answers.append(said["action"])

        self._socket = socket
        socket.on_message(hear)

    def send(self, update: Update) -> None:
        from tests.browser.recorded import as_json

        assert self._socket is not None
        self._socket.send(as_json(update))
        self.shows(update)

    def shows(self, update: Update) -> None:
        from playwright.sync_api import expect

        for seat, shown in enumerate(update.view.seats):
            expect(self.page.locator(f'[data-anchor="river-{seat}"] .tile')).to_have_count(len(shown.river))
        expect(self.page.locator(".slot")).to_have_count(update.view.seats[0].size)

    def kinds(self) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(".slot .tile", "all => all.map(tile => tile.dataset.kind)")
        return found

    def widths(self, what: str) -> list[float]:
        found: list[float] = self.page.eval_on_selector_all(
            what, "all => all.map(e => e.getBoundingClientRect().width)"
        )
        return found

    def leave(self) -> None:
        assert self.person.problems == []
        self.person.context.close()


def a_turn(updates: list[Update]) -> Update:
    """One that asks for a discard with nothing melded yet."""
    return next(
        one
        for one in updates
        if one.prompt is not None and one.prompt.kind == "turn" and one.view.drawn and one.view.seats[0].size == 14
    )


def tag(event: msgspec.Struct) -> str:
    return str(event.__struct_config__.tag)


def happened(updates: list[Update], at: int) -> set[str]:
    """What the update says beyond the one before it."""
    news = updates[at].seq - updates[at - 1].seq
    return {tag(event) for event in updates[at].events[-news:]} if news > 0 else set()


def test_settings_outlast_a_reload(chromium: Browser, site: Site) -> None:
    """Each switch is turned and found so after a reload; so are the language and the nickname."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    person = Person(chromium, site.url)
    person.open("#/settings")
    page = person.page
    before = [page.get_by_role("switch", name=label).is_checked() for label in SWITCHES]
    assert before == [True, True, False, True, True]
    expect(page.get_by_role("switch")).to_have_count(len(SWITCHES))
    for label, on in zip(SWITCHES, before, strict=True):
        page.get_by_role("switch", name=label).set_checked(not on)
        page.reload()
        expect(page.get_by_role("switch", name=label)).to_be_checked(checked=not on)
    assert [page.get_by_role("switch", name=label).is_checked() for label in SWITCHES] == [not on for on in before]
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_large_mode(chromium: Browser, site: Site, screen: str) -> None:
    """Words grow everywhere; own tiles grow where the width leaves room, and shrink nowhere."""
    from tests.browser.recorded import recorded

    update = a_turn(recorded("hebei", 2))
    found = {}
    for large in (False, True):
        seated = Seated(chromium, site, "hebei", screen, {"大字": large})
        seated.enter(update)
        size = seated.page.locator(".table-head").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        found[large] = (min(seated.widths(".slot")), size)
        seated.leave()
    assert found[True][1] > 1.15 * found[False][1]
    wider = found[True][0] / found[False][0]
    assert wider > 1.1 if screen in ("tablet", "desktop") else wider == 1


def test_indices(chromium: Browser, site: Site) -> None:
    from playwright.sync_api import expect

    from tests.browser.recorded import recorded

    update = a_turn(recorded("hebei", 2))
    for on in (True, False):
        seated = Seated(chromium, site, "hebei", settings={"牌上标数字": on})
        seated.enter(update)
        shown = seated.page.locator(".slot .index")
        expect(shown).to_have_count(14 if on else 0)
        seated.page.get_by_role("button", name="菜单").click()
        seated.page.get_by_role("switch", name="牌上标数字").set_checked(not on)
        expect(shown).to_have_count(0 if on else 14)
        seated.leave()


def test_auto_sort(chromium: Browser, site: Site) -> None:
    """The tile drawn goes to its place, or, unsorted, stays at the end while the others keep their order."""
    from tests.browser.recorded import recorded

    updates = recorded("hebei", 2)

    def place(kind: str) -> tuple[int, str]:
        return "mspz".index(kind[1]), kind[0]

    at = next(
        i
        for i, (one, then) in enumerate(pairwise(updates))
        if one.view.drawn and one.prompt is not None and one.view.seats[0].size == 14
        if then.view.drawn is None and then.view.number == one.view.number and then.view.seats[0].size == 13
        if one.view.drawn in then.view.seats[0].hand and place(one.view.drawn) < place(max(then.view.seats[0].hand, key=place))
    )  # fmt: skip
    drawn, left = updates[at].view.drawn, list(updates[at + 1].view.seats[0].hand)
    for on in (True, False):
        seated = Seated(chromium, site, "hebei", settings={"自动理牌": on})
        seated.enter(updates[at])
        before = seated.kinds()
        assert before[-1] == drawn
        seated.send(updates[at + 1])
        (gone,) = [kind for kind in set(before) if before.count(kind) > left.count(kind)]
        kept = [*before[: before.index(gone)], *before[before.index(gone) + 1 :]]
        assert kept != sorted(kept, key=place)
        assert seated.kinds() == (sorted(left, key=place) if on else kept)
        seated.leave()


def test_confirm(chromium: Browser, site: Site) -> None:
    """Against slips the first tap only raises a tile; without it the first tap lets it go."""
    from playwright.sync_api import expect

    from tests.browser.recorded import recorded

    update = a_turn(recorded("hebei", 2))
    assert update.prompt is not None
    for twice in (True, False):
        seated = Seated(chromium, site, "hebei", settings={"点两次才出牌": twice})
        seated.enter(update)
        tile = seated.page.locator(".slot:not(.barred)").last
        kind = seated.kinds()[-1]
        action = next(one.action for one in update.prompt.actions if one.kind == "discard" and one.tiles == [kind])
        tile.click()
        if twice:
            expect(seated.page.locator(".slot.picked")).to_have_count(1)
            seated.page.wait_for_timeout(300)
            assert seated.answers == []
            tile.click()
        for _ in range(100):
            if seated.answers:
                break
            seated.page.wait_for_timeout(20)
        assert seated.answers == [action]
        seated.leave()


def test_sound(chromium: Browser, site: Site) -> None:
    """A discard knocks, a call knocks and rings; muted, on the settings' page or by a key, nothing sounds."""
    from tests.browser.recorded import recorded

    updates = recorded("inner_mongolia", 2)

    def quiet(at: int, chosen: Callable[[set[str]], object]) -> bool:
        return updates[at].prompt is None and not updates[at].view.over and bool(chosen(happened(updates, at)))

    places = range(1, len(updates))
    called = next(at for at in places if quiet(at, lambda types: types & {"chow", "pung"} and "kong" not in types))
    discard = next(at for at in places if quiet(at, lambda types: "discard" in types and not types & {"chow", "pung", "kong"}))  # fmt: skip

    def heard(seated: Seated) -> list[list[str]]:
        found = []
        for at in (discard, called):
            seated.send(updates[at - 1])
            seated.page.evaluate("window.sounds.length = 0")
            seated.send(updates[at])
            found.append(seated.page.evaluate("window.sounds"))
        return found

    sounding = [["knock", "knock"], ["knock", "tone", "tone"]]
    for on in (True, False):
        seated = Seated(chromium, site, "inner_mongolia", settings={"声音": on})
        seated.enter(updates[0])
        seated.page.locator(".plate").click()  # browsers let a page sound once it was touched
        assert heard(seated) == (sounding if on else [[], []])
        seated.page.keyboard.press("m")
        assert heard(seated) == ([[], []] if on else sounding)
        seated.leave()


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_table_fits(chromium: Browser, site: Site, screen: str, large: bool) -> None:
    """Late in a hand and with every claim offered nothing is cut off, covered or to be scrolled; own tiles are 40 px wide at least."""
    from tests.browser.pictures import busiest_claim, laid, live
    from tests.browser.recorded import recorded

    busy = busiest_claim(recorded("hebei", 5, hands=2))
    late = max(live(recorded("inner_mongolia", 8, hands=2)), key=laid)
    assert laid(busy) > 70 and laid(late) > 85
    for rules, update in (("hebei", busy), ("inner_mongolia", late)):
        seated = Seated(chromium, site, rules, screen, {"大字": large})
        seated.enter(update)
        width, height = seated.page.evaluate(
            "[document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight]"
        )
        assert width <= SCREENS[screen][0] and height <= SCREENS[screen][1]
        assert seated.page.evaluate(HIDDEN) == []
        assert min(seated.widths(".slot")) >= 40
        if rules == "hebei":
            assert seated.page.locator(".claim").count() >= 6
        seated.leave()


@pytest.mark.parametrize("screen", SCREENS)
def test_the_title_is_whole_in_english(chromium: Browser, site: Site, screen: str) -> None:
    from tests.browser.recorded import recorded

    seated = Seated(chromium, site, "inner_mongolia", screen, locale="en-GB")
    seated.enter(a_turn(recorded("inner_mongolia", 2)))
    title = seated.page.locator(".table-head .title")
    assert " ".join(title.inner_text().split()).startswith("Inner Mongolia hand 1/")  # on two lines where it must
    assert title.evaluate("e => e.scrollWidth <= e.clientWidth")
    seated.leave()


@pytest.mark.parametrize("base", ["", "mahjong/"])
def test_it_can_be_installed(chromium: Browser, tmp_path: Path, base: str) -> None:
    """Chromium reads the manifest without complaint under the server's own path, icons have the sizes they claim; opens without the server."""
    from playwright.sync_api import expect

    from tests.browser.people import Person

    with Site(tmp_path, base_path=base and "/mahjong") as site:
        home = site.url + base
        person = Person(chromium, home)
        page = person.page
        person.open()
        page.locator("h1").wait_for()
        told = person.context.new_cdp_session(page).send("Page.getAppManifest")
        assert told["errors"] == []
        address = urljoin(home, page.locator("link[rel=manifest]").get_attribute("href") or "none")
        assert told["url"] == address
        answer = httpx.get(address)
        assert answer.headers["content-type"].startswith("application/manifest+json")
        manifest = answer.json()
        assert "红中" in manifest["name"] and manifest["short_name"] == "红中" and manifest["display"] == "standalone"
        assert urljoin(address, manifest["start_url"]) == urljoin(address, manifest["scope"]) == home
        sizes = set()
        for icon in manifest["icons"]:
            source = urljoin(address, icon["src"])
            assert httpx.get(source).headers["content-type"] == icon["type"]
            width, height = page.evaluate(
                "async (source) => { const image = new Image(); image.src = source; await image.decode();"
                " return [image.naturalWidth, image.naturalHeight]; }",
                source,
            )
            assert icon["sizes"] in ("any", f"{width}x{height}") and width == height
            sizes.add(icon["sizes"])
        assert {"192x192", "512x512"} <= sizes
        assert any("maskable" in icon.get("purpose", "") for icon in manifest["icons"])
        assert page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.scope)") == home
        page.reload()
        page.locator("h1").wait_for()
        page.wait_for_load_state("networkidle")
        assert person.problems == []
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    person.context.close()
