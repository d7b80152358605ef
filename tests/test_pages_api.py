"""The HTTP API beside the rooms: referee, records, replays, verification, house rules."""

from __future__ import annotations

import asyncio
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from hongzhong import events, fair, rules
from hongzhong.score.lines import answer_lines
from hongzhong.server import bodies, house, messages, referee
from hongzhong.server.records import MAX_RECORD, PAGE
from hongzhong.tiles import parse_mpsz
from tests.stores import run
from tests.whole_server import ANNA, BO, listening, whole

KEPT = sorted((Path(__file__).parent / "records").glob("*.jsonl"))
PLAIN = {path.name.split("-")[1]: path for path in KEPT if path.stem.endswith("plain")}
HAND = {"rules": "qiqihar", "concealed": "1133557799m44m7z", "win_tile": "6m", "by": "discard"}


def is_refused(said: dict[str, Any], code: str) -> bool:
    """Every error has an id and both languages."""
    return (
        said["type"] == "error"
        and said["code"] == code
        and bool(said["zh"])
        and bool(said["en"])
        and said["zh"] != said["en"]
    )


# referee


def test_score_answers_as_the_contract(tmp_path: Path) -> None:
    cases = (Path(__file__).parent / "cases" / "score.jsonl").read_bytes().splitlines()
    requests = [json.dumps(json.loads(line).get("in", json.loads(line))).encode() for line in cases]
    wrong = [
        b"",
        b"[]",
        b"{",
        b'{"rules":"qiqihar"}',
        b'{"rules":"./sheet.py","concealed":"1m","win_tile":"1m","by":"draw"}',
        b"\xff",
    ]

    async def ask() -> list[bytes]:
        async with whole(tmp_path) as caller:
            return [(await caller.post("/api/score", content=line)).content for line in requests + wrong]

    answers = run(ask())
    assert answers == answer_lines(requests + wrong)
    assert all(b'"error"' in answer for answer in answers[-len(wrong) :])


def test_many_sets_of_options_are_forgotten(tmp_path: Path) -> None:
    desk = referee._Desk()
    for number in range(1, 3 * referee.MOST_KNOWN):
        line = json.dumps(HAND | {"options": {"base_point": number}}).encode()
        assert json.loads(desk.answer(line)[0])["points"] == 9 * number


def test_disputed_options_that_change_a_hand(tmp_path: Path) -> None:
    async def ask() -> tuple[dict[str, Any], dict[str, Any]]:
        async with whole(tmp_path) as caller:
            won = await caller.said("POST", "/api/score/disputed", json=HAND)
            lost = HAND | {"concealed": "123m456m789s55p23p", "win_tile": "4p", "by": "draw"}
            return won, await caller.said("POST", "/api/score/disputed", json=lost)

    won, lost = run(ask())
    assert won["answer"]["points"] == 9 and won["formula"] == "1 x 3 x 3 = 9" and won["reason_zh"] == ""
    changes = {(one["option"], one["value"]): one["answer"].get("points") for one in won["disputed"]}
    assert changes == {("seven_pairs_adds_concealed", True): 18}
    (one,) = won["disputed"]
    assert one["zh"] == "七对另计门清" and one["value_en"] == "yes" and one["ruling"] == "Q12"
    assert lost["answer"] == {"win": False, "reason": "three_suits", "ruling": "Q9"}
    assert lost["reason_zh"] == "必须缺一门" and lost["reason_en"] == "a suit must be lacking"
    assert lost["disputed"] == [] and lost["missing"] > 0 and lost["waits"] == []


@pytest.mark.parametrize("name", rules.names()[:4])
def test_disputed_options_are_those_of_the_sheet(name: str) -> None:
    ruleset = rules.load(name)
    asked = {offer.id for offer in ruleset.sheet.options.values() if offer.asked}
    tried = referee.alternatives(ruleset)
    assert {offer.id for offer, _ in tried} <= asked
    for offer, value in tried:
        assert rules.load(name, {offer.id: value}).options[offer.id] == value != offer.default


def test_disputed_errors_are_those_of_the_contract(tmp_path: Path) -> None:
    async def ask() -> list[dict[str, Any]]:
        async with whole(tmp_path) as caller:
            many = HAND | {"concealed": "1111335577m99m7z", "win_tile": "1m"}
            wrong = [b"{", json.dumps(many).encode(), json.dumps(HAND | {"odd": 1}).encode()]
            return [await caller.said("POST", "/api/score/disputed", content=line) for line in wrong]

    no_json, copies, field = (said["answer"]["error"] for said in run(ask()))
    assert no_json.startswith("no JSON object") and copies == "5 copies of 1m"
    assert field.startswith("unknown field 'odd'")


def test_analysis_and_explanation(tmp_path: Path) -> None:
    """Where the package has an analysis they answer as it does; else the page is told."""
    hand = {"rules": "qiqihar", "concealed": HAND["concealed"]}
    installed = find_spec("hongzhong.analysis") is not None

    async def ask() -> tuple[dict[str, Any], dict[str, Any]]:
        async with whole(tmp_path) as caller:
            status = 200 if installed else 501
            found = await caller.said("POST", "/api/analysis", status, json=hand)
            return found, await caller.said("POST", "/api/explain", status, json=HAND)

    found, explained = run(ask())
    if not installed:
        assert is_refused(found, "no_analysis") and is_refused(explained, "no_analysis")
        return
    assert found["distance"] == 0 and {wait["tile"] for wait in found["waits"]} >= {"6m", "7z"}
    assert any("七对" in line for line in explained["zh"]) and any("Q12" in line for line in explained["en"])


@pytest.mark.parametrize("name", rules.names()[:4])
def test_the_rule_book_of_each_sheet(tmp_path: Path, name: str) -> None:
    async def ask() -> tuple[dict[str, Any], dict[str, Any]]:
        async with whole(tmp_path) as caller:
            assert is_refused(await caller.said("GET", "/api/rules/atlantis", 404), "not_found")
            assert is_refused(await caller.said("GET", f"/api/rules/{name}?options=[]", 422), "not_json")
            assert is_refused(
                await caller.said("GET", f"/api/rules/{name}", 422, params={"options": '{"cap":0}'}), "rules"
            )
            plain = await caller.said("GET", f"/api/rules/{name}")
            return plain, await caller.said("GET", f"/api/rules/{name}", params={"options": '{"price.plain":7}'})

    plain, dear = run(ask())
    sheet = rules.sheet(name)
    assert plain["form"]["id"] == name and plain["copies"] == sum(sheet.copies)
    assert [row["id"] for row in plain["patterns"]] == [row.id for row in sheet.patterns]
    price = {row["id"]: row["value"] for row in dear["patterns"]}["plain"]
    assert price == 7 and dear["summary_zh"] != plain["summary_zh"]
    assert len(plain["examples"]) == len(sheet.examples) and plain["forms"] and plain["conditions"]
    for rows in (plain["patterns"], plain["conditions"], plain["forms"], plain["examples"]):
        assert all(row["zh"] and row["en"] for row in rows)


# records


async def uploaded(caller: Any, path: Path, headers: dict[str, str] = ANNA) -> dict[str, Any]:
    card: dict[str, Any] = await caller.said("POST", "/api/records", 201, content=path.read_bytes(), headers=headers)
    return card


def test_records_are_uploaded_listed_shared_and_deleted(tmp_path: Path) -> None:
    path = PLAIN["hebei"]

    async def play() -> None:
        async with whole(tmp_path) as caller:
            card = await uploaded(caller, path)
            assert (card["rules"], card["rules_zh"], card["seat"]) == ("hebei", rules.sheet("hebei").name.zh, -1)
            listed = await caller.said("GET", "/api/records", headers=ANNA)
            assert listed == {"records": [card], "before": None}
            assert (await caller.said("GET", "/api/records", headers=BO))["records"] == []
            assert (await caller.said("GET", "/api/records"))["records"] == []
            shown = await caller.said("GET", f"/api/records/{card['id']}")  # whoever has the link
            assert shown["card"]["players"] == card["players"] and len(shown["hands"]) == card["hands"]
            assert sum(hand["scores"][0] for hand in shown["hands"]) == card["scores"][0]
            file = await caller.get(f"/api/records/{card['id']}/file")
            assert file.content == path.read_bytes()
            assert file.headers["content-disposition"].endswith('-hebei.jsonl"')
            assert await caller.said("DELETE", f"/api/records/{card['id']}", headers=BO) == {"done": False}
            assert await caller.said("DELETE", f"/api/records/{card['id']}", headers=ANNA) == {"done": True}
            gone = await caller.said("GET", f"/api/records/{card['id']}", 404)
            assert is_refused(gone, "no_record")

    run(play())


def test_the_same_record_of_two_browsers_is_one(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            card = await uploaded(caller, PLAIN["qiqihar"])
            assert (await uploaded(caller, PLAIN["qiqihar"], BO))["id"] == card["id"]
            await caller.said("DELETE", f"/api/records/{card['id']}", headers=ANNA)
            assert [one["id"] for one in (await caller.said("GET", "/api/records", headers=BO))["records"]] == [
                card["id"]
            ]

    run(play())


def test_long_lists_come_in_pages(tmp_path: Path) -> None:
    from hongzhong.server.store import KeepRecord
    from tests.stores import record_of

    async def play() -> list[str]:
        async with whole(tmp_path) as caller:
            for number in range(PAGE + 5):
                await caller.database.write(KeepRecord(record=record_of(f"r{number:03}", {ANNA["x-browser"]: 1})))
                await asyncio.sleep(0.001)
            first = await caller.said("GET", "/api/records", headers=ANNA)
            second = await caller.said("GET", f"/api/records?before={first['before']}", headers=ANNA)
            assert len(first["records"]) == PAGE and second["before"] is None
            return [card["id"] for card in first["records"] + second["records"]]

    ids = run(play())
    assert ids == sorted(ids, reverse=True) and len(set(ids)) == len(ids) == PAGE + 5


def changed(path: Path, old: str, new: str) -> bytes:
    text = path.read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new, 1).encode()


def test_uploads_that_do_not_follow_are_refused(tmp_path: Path) -> None:
    good = PLAIN["qiqihar"].read_bytes()
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'executed')!r}, 'w').close()\nSHEET = None\n")
    wrong = {
        "nothing": b"",
        "text": b"a letter",
        "cut": good[: len(good) // 2],
        "score": changed(PLAIN["qiqihar"], '"deltas":[', '"deltas":[1'),
        "two": good + PLAIN["hebei"].read_bytes(),
        "unknown": changed(PLAIN["qiqihar"], '"rules":"qiqihar"', '"rules":"atlantis"'),
        "sheet": changed(PLAIN["qiqihar"], '"rules":"qiqihar"', f'"rules":{json.dumps(str(evil))}'),
    }

    async def play() -> dict[str, dict[str, Any]]:
        async with whole(tmp_path / "data") as caller:
            out = {}
            for name, lines in wrong.items():
                out[name] = await caller.said("POST", "/api/records", 422, content=lines, headers=ANNA)
                assert is_refused(out[name], "record")
            assert is_refused(await caller.said("POST", "/api/records", 422, content=good), "browser")
            large = await caller.said("POST", "/api/records", 413, content=b"x" * (MAX_RECORD + 1), headers=ANNA)
            assert is_refused(large, "too_large")
            assert (await caller.said("GET", "/api/records", headers=ANNA))["records"] == []
            return out

    said = run(play())
    assert "line " in said["score"]["en"] and "2 matches" in said["two"]["en"] and "atlantis" in said["unknown"]["en"]
    assert not (tmp_path / "executed").exists()


def test_a_match_that_was_played_is_in_the_list_of_its_players(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path, bot_ms=0, hold_ms=0, between_ms=0) as caller, listening(caller) as place:
            wanted = {"rules": "hebei", "nickname": "阿红", "options": {"hands": 1}, "owner": ANNA["x-browser"]}
            seat = await caller.said("POST", "/api/quick", json=wanted)
            async with connect(f"{place}/api/rooms/{seat['code']}/socket") as one:
                await one.send(json.dumps({"type": "hello", "protocol": 1, "token": seat["token"], "nonce": "mine"}))
                await one.send('{"type":"auto","on":true}')
                room: dict[str, Any] = {}
                while room.get("state") != "ended":
                    room = json.loads(await one.recv()).get("room") or room
            (card,) = (await caller.said("GET", "/api/records", headers=ANNA))["records"]
            assert card["id"] == room["record"] and card["seat"] == room["seat_of"][0]
            assert card["players"][card["seat"]] == "阿红" and card["hands"] == 1
            said = await caller.said("GET", f"/api/records/{card['id']}/verify")
            assert said["ok"] and said["commitment"] and said["secret"] and "mine" in said["nonces"]
            replay = await caller.said("GET", f"/api/records/{card['id']}/hands/0", headers=ANNA)
            assert replay["seat"] == card["seat"] and replay["frames"][-1]["event"]["type"] == "end"

    run(play())


# replays


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_replays_of_every_kept_record(tmp_path: Path, path: Path) -> None:
    """All hands open: every step accounts for every tile; as one seat saw it: nothing that the seat could not know."""
    record = [events.decode(line) for line in path.read_bytes().splitlines()]
    match = record[0]
    assert isinstance(match, events.Match)
    copies = rules.load(match.rules, match.options).sheet.copies

    async def play() -> None:
        async with whole(tmp_path) as caller:
            card = await uploaded(caller, path)
            for number in range(card["hands"]):
                address = f"/api/records/{card['id']}/hands/{number}"
                opened = await caller.said("GET", f"{address}?seat=2")
                check_open(opened, copies, record, number)
                check_closed(await caller.said("GET", f"{address}?seat=2&open=0"), opened, 2)
            assert is_refused(
                await caller.said("GET", f"/api/records/{card['id']}/hands/{card['hands']}", 404), "no_hand"
            )
            assert is_refused(await caller.said("GET", f"/api/records/{card['id']}/hands/x", 404), "no_hand")

    run(play())


def test_long_answers_are_compressed(tmp_path: Path) -> None:
    async def play() -> None:
        async with whole(tmp_path) as caller:
            address = f"/api/records/{(await uploaded(caller, PLAIN['hebei']))['id']}"
            packed = await caller.get(f"{address}/hands/0")
            plain = await caller.get(f"{address}/hands/0", headers={"accept-encoding": "identity"})
            assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
            assert packed.content == plain.content
            assert int(packed.headers["content-length"]) * 10 < int(plain.headers["content-length"])
            assert "content-encoding" not in (await caller.get("/api/house")).headers

    run(play())


def check_open(replay: dict[str, Any], copies: tuple[int, ...], record: list[events.Event], number: int) -> None:
    hand = [event for event in record if not isinstance(event, events.Match | events.Result)]
    starts = [at for at, event in enumerate(hand) if isinstance(event, events.Hand)] + [len(hand)]
    wanted = hand[starts[number] : starts[number + 1]]
    assert [frame["event"] for frame in replay["frames"]] == [json.loads(events.encode(event)) for event in wanted]
    left = parse_mpsz(wanted[0].wall)  # type: ignore[attr-defined]
    for frame, event in zip(replay["frames"], wanted, strict=True):
        view = frame["view"]
        if isinstance(event, events.Deal | events.Draw):
            for kind in parse_mpsz(event.tiles if isinstance(event, events.Deal) else event.tile):
                left.remove(kind)
        lying = [0] * 34
        for seat in view["seats"]:
            assert len(seat["hand"]) == seat["size"]
            shown = seat["hand"] + [tile for meld in seat["melds"] for tile in meld["tiles"]]
            for tile in shown + [tile["tile"] for tile in seat["river"] if not tile["claimed"]]:
                lying[parse_mpsz(tile)[0]] += 1
        if not isinstance(event, events.Win | events.Pay | events.End):  # a robbed tile lies with nobody
            assert all(lying[kind] + left.count(kind) == copies[kind] for kind in range(34)), frame["event"]
        assert frame["zh"] and frame["en"] and view["seat"] == 2
    assert [seat["score"] for seat in replay["frames"][-1]["view"]["seats"]] == wanted[-1].scores  # type: ignore[attr-defined]


def check_closed(replay: dict[str, Any], opened: dict[str, Any], seat: int) -> None:
    for frame, whole_frame in zip(replay["frames"], opened["frames"], strict=True):
        event, view = frame["event"], frame["view"]
        assert "wall" not in event or event["wall"] == ""
        if event["type"] == "draw" and event["seat"] != seat:
            assert event["tile"] == "?"
            assert frame["en"] != whole_frame["en"]
        if event["type"] == "deal" and event["seat"] != seat:
            assert set(event["tiles"]) == {"?"}
        for owner, lying in enumerate(view["seats"]):
            if owner == seat:
                assert lying == whole_frame["view"]["seats"][owner]
            elif not view["over"]:
                assert lying["hand"] == []
        if view["turn"] != seat:
            assert view["drawn"] is None


# verification


@pytest.mark.parametrize("path", [path for path in KEPT if "house" in path.stem], ids=lambda path: path.stem)
def test_a_page_can_derive_every_wall(tmp_path: Path, path: Path) -> None:
    """What ``Verified`` tells is enough to follow docs/fair-walls.md: here with the library's own steps."""

    async def play() -> dict[str, Any]:
        async with whole(tmp_path) as caller:
            said = await caller.said("POST", "/api/verify", content=path.read_bytes())
            card = await uploaded(caller, path)
            assert await caller.said("GET", f"/api/records/{card['id']}/verify") == said
            result: dict[str, Any] = said
            return result

    said = run(play())
    assert said["ok"] and said["line"] == 0 and said["zh"].startswith("每一行都成立")
    assert said["en"].startswith("every line follows") and len(said["walls"]) == said["hands"]
    if said["secret"] is None:
        return
    secret = fair.parse_secret(said["secret"])
    assert fair.commit(secret) == said["commitment"]
    key = fair.key_of(secret, said["nonces"])
    for number, wall in enumerate(said["walls"]):
        laid = fair.Stream(key, f"wall {number}").shuffled(parse_mpsz(said["tiles"]))
        if said["sides"]:
            laid = fair.broken(laid, said["dealers"][number], said["dice"][number])
        assert laid == parse_mpsz(wall)


def test_some_kept_record_has_its_secret_open() -> None:
    assert any('"secret":"' in path.read_text(encoding="utf-8") for path in KEPT if "house" in path.stem)


def test_verification_names_the_line(tmp_path: Path) -> None:
    lines = PLAIN["hebei"].read_bytes().splitlines(keepends=True)
    lines[30], lines[31] = lines[31], lines[30]

    async def play() -> list[dict[str, Any]]:
        async with whole(tmp_path) as caller:
            return [
                await caller.said("POST", "/api/verify", content=content)
                for content in (b"".join(lines), b"no record", b"", lines[0] + b'{"type":' * 5000)
            ]

    swapped, text, nothing, nested = run(play())
    assert not nested["ok"] and nested["line"] == 2 and "nested too deeply" in nested["en"]
    assert not swapped["ok"] and swapped["line"] == 31 and swapped["zh"].startswith("第31行不成立")
    assert not text["ok"] and text["line"] == 1 and not nothing["ok"] and text["walls"] == []


# house rules


def test_house_rules_are_named_kept_and_shared(tmp_path: Path) -> None:
    wanted = {
        "name": "  老王  家 ",
        "rules": "qiqihar",
        "options": {"cap": 64, "rob_kong": True, "kong_points": [1, 1, 2]},
    }

    async def play() -> None:
        async with whole(tmp_path) as caller:
            kept = await caller.said("POST", "/api/house", 201, json=wanted, headers=ANNA)
            assert kept["name"] == "老王 家" and kept["options"] == {
                "cap": 64,
                "kong_points": [1, 1, 2],
            }  # others are defaults
            assert "64" in kept["summary_zh"] and kept["mine"]
            assert (await caller.said("GET", "/api/house", headers=ANNA))["house_rules"] == [kept]
            assert (await caller.said("GET", "/api/house"))["house_rules"] == []
            assert await caller.said("GET", f"/api/house/{kept['id']}", headers=BO) == kept | {"mine": False}
            assert await caller.said("DELETE", f"/api/house/{kept['id']}", headers=BO) == {"done": False}
            assert await caller.said("DELETE", f"/api/house/{kept['id']}", headers=ANNA) == {"done": True}
            assert is_refused(await caller.said("GET", f"/api/house/{kept['id']}", 404), "no_house_rules")

    run(play())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"options": {"cap": 0}}, "rules"),
        ({"options": {"discard_wins": False, "rob_kong": True, "discard_pays": "all"}}, "rules"),
        ({"rules": "atlantis"}, "rules"),
        ({"rules": "./sheet.py"}, "rules"),
        ({"name": " "}, "name_empty"),
        ({"name": "\u202eevil"}, "name_characters"),
        ({"name": "x" * 200}, "name_too_long"),
        ({"odd": 1}, "not_json"),
        ({"name": 7}, "not_json"),
    ],
)
def test_house_rules_that_cannot_be(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    wanted = {"name": "ours", "rules": "qiqihar", "options": {}} | change

    async def play() -> None:
        async with whole(tmp_path) as caller:
            assert is_refused(await caller.said("POST", "/api/house", 422, json=wanted, headers=ANNA), code)

    run(play())


def test_house_rules_are_not_endless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "MAX_OWN", 2)

    async def play() -> None:
        async with whole(tmp_path) as caller:
            body = {"name": "ours", "rules": "qiqihar", "options": {}}
            for _ in range(2):
                await caller.said("POST", "/api/house", 201, json=body, headers=ANNA)
            assert is_refused(await caller.said("POST", "/api/house", 409, json=body, headers=ANNA), "many_house_rules")

    run(play())


def test_every_answer_is_of_the_documented_shape() -> None:
    """Bodies of requests refuse unknown fields; answers leave nothing out."""
    for value in vars(bodies).values():
        if isinstance(value, type) and value.__module__ == bodies.__name__:
            config = value.__struct_config__  # type: ignore[attr-defined]
            assert config.forbid_unknown_fields == issubclass(value, messages.Request)
            assert not config.omit_defaults or issubclass(value, messages.Request)
