"""People at the table: what they see and click, by role and label as far as a person would."""

from __future__ import annotations

import time
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

SIZES: Final = {"phone": (360, 640), "landscape": (844, 390), "desktop": (1280, 800)}
RULES: Final = {
    "qiqihar": "齐齐哈尔麻将",
    "inner_mongolia": "内蒙麻将",
    "hebei": "河北麻将",
    "hebei_108": "河北麻将(108张)",
}
_STATE: Final = """() => ({
  paper: !!document.querySelector("dialog.result"),
  auto: !!document.querySelector(".auto-on"),
  actions: [...document.querySelectorAll(".claim[data-action]")].map((button) => button.dataset.action),
  mine: !!document.querySelector(".hand.mine"),
})"""


class Person:
    """A browser of one's own: nothing is shared with others but what ``context`` brings. ``problems``: errors its pages showed."""

    def __init__(
        self, browser: Browser, url: str, size: str = "phone", context: BrowserContext | None = None, **more: Any
    ) -> None:
        width, height = SIZES[size]
        given: dict[str, Any] = {"viewport": {"width": width, "height": height}, "locale": "zh-CN"} | more
        self.context = context or browser.new_context(**given)
        self.url = url
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda said: self._hear(said.type, said.text))
        self.claims = 0

    def _hear(self, kind: str, text: str) -> None:
        lost = "ERR_CONNECTION_REFUSED" in text or "WebSocket connection" in text
        if kind == "error" and not lost:
            self.problems.append(text)

    def open(self, path: str = "") -> None:
        self.page.goto(self.url + path)

    def create(self, name: str, rules: str, hands: int = 1, rounds: int = 0) -> str:
        """Fills in the form of a new room and opens it; its code. ``rounds``: full rounds of dealers instead of hands."""
        self.open()
        self.page.get_by_role("link", name="开房间").click()
        self.page.get_by_label("昵称").fill(name)
        self.page.get_by_role("button", name=RULES[rules], exact=True).click()
        self.page.get_by_role("button", name=f"{rounds} 圈" if rounds else f"{hands} 局", exact=True).click()
        self.page.get_by_role("button", name="开房间", exact=True).click()
        expect(self.page.locator(".places li")).to_have_count(4)
        return str(self.page.url).rsplit("/", 1)[1]

    def join(self, link: str, name: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("昵称").fill(name)
        self.page.get_by_role("button", name="坐下").click()
        expect(self.page.locator(".places li")).to_have_count(4)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(_STATE)
        return found

    def act(self) -> bool:
        """Answers what is asked, if anything is: wins when it can, claims every other time. False once a result lies there."""
        state = self.state()
        if state["paper"]:
            return False
        try:
            self._answer(state)
        except Error as error:  # the table went on while the finger came down
            if "Timeout" not in str(error) and "detached" not in str(error):
                raise
        return True

    def _answer(self, state: dict[str, Any]) -> None:
        actions = state["actions"]
        wins = [action for action in actions if action.endswith("win")]
        claims = [action for action in actions if action in ("chow", "pung", "kong")]
        if state["auto"]:
            self.page.get_by_role("button", name="我来打").click(timeout=1000)
        elif wins:
            self.click(wins[0])
        elif claims and self.claims % 2 == 0:
            self.claims += 1
            self.click(claims[0])
        elif "pass" in actions:
            self.claims += 1
            self.click("pass")
        elif state["mine"]:
            self.claims += 1
            self.discard()

    def click(self, action: str) -> None:
        self.page.locator(f'.claim[data-action="{action}"]').first.click(timeout=1000)

    def discard(self) -> None:
        """The last tile that may go: a tap raises it, the next lets it go."""
        tile = self.page.locator(".hand.mine .slot:not(.barred)").last
        tile.click(timeout=1000)
        tile.click(timeout=1000)

    def until(self, what: str, seconds: float = 60) -> None:
        """Plays until there is an element like this."""
        end = time.monotonic() + seconds
        while not self.page.locator(what).count():
            assert time.monotonic() < end, f"no {what} in {seconds} s"
            self.act()
            self.page.wait_for_timeout(15)


def play_hand(*people: Person, seconds: float = 120) -> None:
    """All play until the hand's result lies before each of them."""
    end = time.monotonic() + seconds
    going = list(people)
    while going:
        assert time.monotonic() < end, "the hand did not end"
        going = [person for person in going if person.act()]
        people[0].page.wait_for_timeout(15)


def check_result(person: Person) -> None:
    """The paper of a finished hand: four rows that sum to zero, all hands open."""
    paper = person.page.locator("dialog.result")
    rows = paper.locator(".sums tbody tr")
    expect(rows).to_have_count(4)
    sums = [text.replace("−", "-") for text in paper.locator(".sums tbody td:nth-child(2)").all_inner_texts()]
    assert sum(int(text) for text in sums) == 0, sums
    expect(paper.locator(".one-hand")).to_have_count(4)
    if paper.locator(".win").count():
        expect(paper.locator(".patterns tbody tr").first).to_be_visible()
        assert all(ruling for ruling in paper.locator(".ruling").all_inner_texts())
