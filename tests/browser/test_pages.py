"""The pages beside the table, in a real Chromium: score calculator, replay, records, verification, rules, hand analysis."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
import pytest

from tests.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.people import Person

RECORDS = Path(__file__).parents[1] / "records"
PLAIN = RECORDS / "0.1.0-hebei-plain.jsonl"
RUN = {"m": "万", "s": "条", "p": "筒"}


def name(tile: str) -> str:
    """What a Chinese player calls a tile of the keyboard."""
    if tile[1] == "z":
        return ["东风", "南风", "西风", "北风", "白板", "发财", "红中"][int(tile[0]) - 1]
    return "一二三四五六七八九"[int(tile[0]) - 1] + RUN[tile[1]]


def person_at(chromium: Browser, site: Site, path: str, size: str = "phone", **more: Any) -> Person:
    from tests.browser.people import Person

    person = Person(chromium, site.url, size, **more)
    person.open(path)
    return person


def lay(person: Person, *tiles: str) -> None:
    for tile in tiles:
        person.page.locator(".keys").get_by_role("button", name=name(tile), exact=True).click()


def leave(person: Person) -> None:
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("size", ["phone", "desktop"])
def test_calculator(chromium: Browser, site: Site, size: str) -> None:
    """A hand laid key by key is worth what the referee says; another way to win, another dealer, other options, a hand that fails."""
    from playwright.sync_api import expect

    person = person_at(chromium, site, "#/calculator", size)
    page = person.page
    verdict = page.locator(".verdict")
    page.get_by_label("玩法", exact=True).select_option("hebei")
    page.get_by_role("button", name="碰", exact=True).click()
    lay(person, "9p")
    lay(person, "1m", "2m", "3m", "4m", "5m", "6m", "8m", "8m", "7m")
    expect(page.get_by_text("还差 1 张")).to_be_visible()
    lay(person, "8m")
    expect(page.get_by_text("还差胡的那张")).to_be_visible()
    lay(person, "9m")
    request: dict[str, Any] = {
        "rules": "hebei", "concealed": "123456788" + "8m", "melds": ["(999p)"], "win_tile": "9m", "by": "discard",
        "winner": 0, "dealer": 3, "from": 1,
    }  # fmt: skip

    def told() -> dict[str, Any]:
        found: dict[str, Any] = httpx.post(f"{site.url}api/score", json=request).json()
        return found

    def shows(answer: dict[str, Any]) -> None:
        assert answer["win"] is True, answer
        expect(verdict.locator(".headline")).to_contain_text(f"{answer['points']} 分")
        expect(verdict.locator(".patterns tbody tr")).to_have_count(len(answer["patterns"]))
        paid = [f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "0" for n in answer["payments"]]
        expect(verdict.locator(".four dd")).to_have_text(paid)
        rulings = [row["ruling"] for row in answer["patterns"]]
        expect(verdict.locator(".patterns .ruling")).to_have_text(rulings)

    shows(told())
    page.get_by_role("button", name="自摸", exact=True).click()
    request["by"] = "draw"
    del request["from"]
    shows(told())
    page.get_by_role("group", name="庄家").get_by_role("button", name="自己").click()
    request["dealer"] = 0
    shows(told())
    page.get_by_role("switch", name="最后一张牌").check()
    request["last_tile"] = True
    shows(told())

    link = page.get_by_role("textbox", name="复制链接").input_value()
    again = person_at(chromium, site, link.removeprefix(site.url), size)
    expect(again.page.locator(".verdict .headline")).to_contain_text(f"{told()['points']} 分")
    leave(again)

    page.get_by_role("button", name="取下 九万").click()
    lay(person, "1s")
    expect(verdict.locator(".stamp")).to_have_text("不能胡")
    expect(verdict.get_by_text("还要换")).to_be_visible()
    assert "听" in verdict.inner_text()
    page.get_by_role("button", name="清空").click()
    expect(verdict).to_contain_text("摆好手牌")
    leave(person)


def test_calculator_tells_what_options_change(chromium: Browser, site: Site) -> None:
    """Each line of what another option would give is what the referee says under that option."""
    from playwright.sync_api import expect

    request = {"rules": "qiqihar", "concealed": "1133557799m44m7z", "win_tile": "6m", "by": "discard"}
    seats = {"winner": 0, "dealer": 3, "from": 1}
    person = person_at(chromium, site, f"#/calculator?request={quote(json.dumps(request | seats))}")
    expect(person.page.locator(".verdict .headline")).to_contain_text("9 分")
    lines = person.page.locator(".verdict .lines li")
    expect(lines).to_have_count(3)
    answer = httpx.post(f"{site.url}api/score/disputed", json=request | seats).json()
    for at, other in enumerate(answer["disputed"]):
        changed = httpx.post(
            f"{site.url}api/score", json=request | seats | {"options": {other["option"]: other["value"]}}
        )
        expect(lines.nth(at)).to_contain_text(other["zh"])
        expect(lines.nth(at)).to_contain_text(f"{changed.json()['points']} 分")
    with person.context.expect_page() as opened:
        person.page.locator(".verdict .ruling a").first.click()
    expect(opened.value.locator(".ruling-text.here h3")).to_contain_text("Q19")
    leave(person)


def test_calculator_keys_know_the_rule_set(chromium: Browser, site: Site) -> None:
    """No fifth copy, no chow where there is none, no tile that the rule set lacks."""
    from playwright.sync_api import expect

    person = person_at(chromium, site, "#/calculator")
    page = person.page
    page.get_by_label("玩法", exact=True).select_option("hebei_108")
    expect(page.locator(".key")).to_have_count(27)
    expect(page.get_by_role("button", name="碰", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="吃", exact=True)).to_have_count(0)
    lay(person, "1m", "1m", "1m", "1m")
    expect(page.locator(".key").first).to_be_disabled()
    page.get_by_role("button", name="取下 一万").first.click()
    expect(page.locator(".key").first).to_be_enabled()
    page.get_by_label("玩法", exact=True).select_option("hebei")
    expect(page.locator(".key")).to_have_count(34)
    page.get_by_role("button", name="吃", exact=True).click()
    expect(page.get_by_role("button", name="八万", exact=True)).to_be_disabled()
    lay(person, "7m")
    expect(page.get_by_role("button", name="取下 吃 七万 八万 九万")).to_be_visible()
    leave(person)


@pytest.mark.parametrize("size", ["phone", "landscape"])
def test_replay(chromium: Browser, site: Site, size: str) -> None:
    """A record's file, stepped, jumped and played; every step in the server's words; one seat's view hides what it could not know."""
    from playwright.sync_api import expect

    person = person_at(chromium, site, "#/replay", size, reduced_motion="reduce")
    page = person.page
    page.locator("input[type=file]").set_input_files(PLAIN)
    expect(page.locator(".table.replay")).to_be_visible(timeout=30_000)
    record = page.url.rsplit("/", 1)[1]
    hands = httpx.get(f"{site.url}api/records/{record}").json()["hands"]
    frames = httpx.get(f"{site.url}api/records/{record}/hands/0?seat=0&open=1").json()["frames"]
    last = len(frames) - 1
    first = max(at for at, frame in enumerate(frames) if frame["event"]["type"] == "deal")
    words, count = page.locator(".plate .whose"), page.locator(".steps output")

    def at(step: int) -> None:
        expect(count).to_have_text(f"{step}/{last}")
        expect(words).to_have_text(frames[step]["zh"])
        for seat, shown in enumerate(frames[step]["view"]["seats"]):
            expect(page.locator(f'[data-anchor="river-{seat}"] .tile')).to_have_count(len(shown["river"]))

    at(first)
    for step in range(first + 1, first + 12):
        page.get_by_role("button", name="下一步").click()
        at(step)
    page.get_by_role("button", name="上一步").click()
    at(first + 10)
    page.keyboard.press("ArrowRight")
    at(first + 11)
    page.keyboard.press("End")
    at(last)
    page.keyboard.press("ArrowLeft")
    at(last - 1)
    expect(page.locator(".backs.open")).to_have_count(3)

    # as one seat saw it
    page.keyboard.press("Home")
    for _ in range(first + 20):
        page.keyboard.press("ArrowRight")
    at(first + 20)
    expect(page.locator(".backs.open")).to_have_count(3)
    page.get_by_role("button", name="菜单").click()
    page.get_by_role("switch", name="四家的牌都亮开").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator(".backs.open")).to_have_count(0)
    expect(page.locator(".seat .backs .tile")).to_have_count(0)
    expect(page.locator(".hand .slot")).to_have_count(frames[first + 20]["view"]["seats"][0]["size"])

    # fast to the end: the result lies there, then the next hand
    page.get_by_role("button", name="菜单").click()
    page.get_by_role("button", name="4×").click()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    expect(count).to_have_text(f"{last}/{last}")
    page.keyboard.press("ArrowLeft")
    expect(count).to_have_text(f"{last - 1}/{last}")
    page.locator("[data-action=play]").click()
    expect(page.locator("dialog.result")).to_be_visible(timeout=15_000)
    sums = page.locator(".sums tbody td:nth-child(2)").all_inner_texts()
    assert [int(text.replace("−", "-")) for text in sums] == hands[0]["scores"]
    page.get_by_role("button", name="下一局").click()
    expect(page.locator(".table-head .num")).to_have_text(f"2/{len(hands)} 局")
    page.get_by_role("button", name="菜单").click()
    page.locator(".hands button").nth(len(hands) - 1).click()
    expect(page.locator(".table-head .num")).to_have_text(f"{len(hands)}/{len(hands)} 局")

    # whoever has the link may see it too
    page.get_by_role("button", name="菜单").click()
    link = page.get_by_role("textbox", name="复制链接").input_value()
    friend = person_at(chromium, site, link.removeprefix(site.url), size)
    expect(friend.page.locator(".table.replay")).to_be_visible()
    leave(friend)
    leave(person)


def test_records_are_listed_shared_and_deleted(chromium: Browser, site: Site, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    person = person_at(chromium, site, "#/history")
    page = person.page
    expect(page.get_by_text("还没有牌谱")).to_be_visible()
    wrong = tmp_path / "wrong.jsonl"
    lines = PLAIN.read_text(encoding="utf-8").splitlines()
    wrong.write_text("\n".join([*lines[:9], lines[10], *lines[11:]]), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("10")
    assert any("422" in problem for problem in person.problems)
    person.problems.clear()
    page.locator("input[type=file]").set_input_files(PLAIN)
    expect(page.locator(".table.replay")).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="我的牌谱").click()
    paper = page.locator(".record")
    expect(paper).to_have_count(1)
    result = json.loads(lines[-1])
    scores = [int(text.replace("−", "-")) for text in paper.locator(".four-players b").all_inner_texts()]
    assert scores == result["scores"]
    with page.expect_download() as saved:
        paper.get_by_role("link", name="下载").click()
    assert Path(saved.value.path()).read_bytes() == PLAIN.read_bytes()
    paper.get_by_role("button", name="复制链接").click()
    expect(paper.get_by_text("已复制")).to_be_visible()
    paper.get_by_role("button", name="删除").click()
    page.locator("[data-action=delete]").click()
    expect(paper).to_have_count(0)
    page.reload()
    expect(page.get_by_text("还没有牌谱")).to_be_visible()
    leave(person)


@pytest.mark.parametrize("rules", ["hebei", "hebei_108", "inner_mongolia", "qiqihar"])
def test_verification_derives_the_walls_in_the_page(chromium: Browser, site: Site, rules: str, tmp_path: Path) -> None:
    """The page's own hashing agrees with the record; a wall or a secret that was changed is named."""
    from playwright.sync_api import expect

    record = RECORDS / f"0.1.0-{rules}-plain.jsonl"
    person = person_at(chromium, site, "#/verify")
    page = person.page
    page.locator("input[type=file]").set_input_files(record)
    lines = page.locator(".check-line")
    expect(lines).to_have_count(3, timeout=30_000)
    expect(page.locator(".check-line.good")).to_have_count(3)

    def changed(body: dict[str, Any], field: str, value: Any) -> None:
        page.unroute("**/api/verify")
        page.route("**/api/verify", lambda route: route.fulfill(json=body | {field: value}))
        page.locator("input[type=file]").set_input_files(record)

    body = httpx.post(f"{site.url}api/verify", content=record.read_bytes(), timeout=60).json()
    walls = body["walls"]
    changed(body, "walls", [*walls[:1], walls[0], *walls[2:]])
    expect(page.get_by_text("第 2 局的牌墙与密钥推出的不符")).to_be_visible()
    expect(page.locator(".check-line.bad")).to_have_count(1)
    changed(body, "secret", "00" * 32)
    expect(page.get_by_text("密钥与开打前公布的承诺不符")).to_be_visible()
    expect(page.locator(".check-line.bad")).to_have_count(2)
    changed(body, "secret", None)
    expect(page.get_by_text("密钥没有公开")).to_be_visible()
    leave(person)


def test_verification_names_the_line(chromium: Browser, site: Site, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    lines = PLAIN.read_text(encoding="utf-8").splitlines()
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("\n".join([*lines[:9], lines[10], *lines[11:]]), encoding="utf-8")
    person = person_at(chromium, site, "#/verify")
    person.page.locator("input[type=file]").set_input_files(wrong)
    expect(person.page.locator(".check-line.bad").first).to_have_text(
        re.compile("^ ?第10行不成立：“3号座摸.*”不成立：2号座可以打.*等 *$")
    )
    leave(person)


@pytest.mark.parametrize("rules", ["hebei", "hebei_108", "inner_mongolia", "qiqihar"])
def test_rules_show_every_price_option_and_ruling(chromium: Browser, site: Site, rules: str) -> None:
    from playwright.sync_api import expect

    book = httpx.get(f"{site.url}api/rules/{rules}").json()
    person = person_at(chromium, site, f"#/rules/{rules}")
    page = person.page
    expect(page.locator("h1")).to_have_text(book["form"]["zh"])
    page.locator(".ruling-text").first.wait_for()
    text = page.locator("main").inner_text()
    for row in [*book["forms"], *book["conditions"], *book["patterns"], *book["form"]["options"]]:
        assert row["zh"] in text or row.get("price"), row
    shown = {heading.split(" ")[0] for heading in page.locator(".ruling-text h3").all_inner_texts()}
    rows = [*book["forms"], *book["conditions"], *book["patterns"], *book["form"]["options"]]
    assert {row["ruling"] for row in rows} <= shown
    ruling = book["patterns"][0]["ruling"]
    page.locator(".book a", has_text=ruling).first.click()
    here = page.locator(".ruling-text.here")
    expect(here.locator("h3")).to_contain_text(ruling)
    expect(here).to_be_in_viewport()
    example = book["examples"][0]
    page.get_by_role("link", name=example["zh"]).click()
    expect(page.locator(".verdict .stamp")).to_have_text("不能胡" if example["points"] is None else "胡")
    if example["points"] is not None:
        expect(page.locator(".verdict .headline")).to_contain_text(f"{example['points']} 分")
    leave(person)


def test_analysis(chromium: Browser, site: Site) -> None:
    """Waits, discards in order of merit and the explanation are those of the analysis; tiles seen elsewhere count as gone."""
    from playwright.sync_api import expect

    person = person_at(chromium, site, "#/analysis")
    page = person.page
    page.get_by_label("玩法", exact=True).select_option("hebei")
    lay(person, *(f"{n}m" for n in range(1, 10)), "5p", "5p", "2p", "3p")
    asked: dict[str, Any] = {"rules": "hebei", "concealed": "123456789m2355p"}

    def found() -> dict[str, Any]:
        answer: dict[str, Any] = httpx.post(f"{site.url}api/analysis", json=asked, timeout=60).json()
        return answer

    def waits() -> None:
        rows = [
            [wait["unseen"], "–" if wait["discard"] is None else wait["discard"], wait["draw"]]
            for wait in found()["waits"]
        ]
        for at, row in enumerate(rows):
            expect(page.locator(".tabled tbody tr").nth(at).locator("td")).to_have_text([str(cell) for cell in row])

    waits()
    page.get_by_role("button", name="已见").click()
    lay(person, "1p", "1p")
    asked["seen"] = "11p"
    expect(page.locator(".tabled tbody td").first).to_have_text("2")
    waits()
    page.get_by_role("button", name="手牌", exact=True).click()
    lay(person, "9m")
    asked["concealed"] = "1234567899m2355p"
    discards = found()["discards"]
    expect(page.locator(".tabled tbody tr")).to_have_count(len(discards))
    kinds = [row.get_attribute("data-kind") for row in page.locator(".tabled tbody th .tile").all()]
    assert kinds == [row["tile"] for row in discards]
    expect(page.locator(".tabled tbody tr").first).to_contain_text(f"{discards[0]['copies']} 张")
    expect(page.get_by_role("heading", name="说明")).to_be_visible()
    leave(person)
