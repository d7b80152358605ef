"""Backup, restore, rooms and prune, as a host calls them, also while a server runs."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import select
from sqlalchemy.engine import URL

from hongzhong.cli import main
from hongzhong.ledger import Append, DropRoom
from hongzhong.server.seats import KEY_FILE, signing_key
from hongzhong.server.store import Database, KeepHouseRules, backup
from hongzhong.server.store.tables import METADATA
from tests.stores import BOTH, ended, entry, fresh_url, match_of, old_file, room, run


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    yield from fresh_url(request.param, tmp_path / "data")


@pytest.fixture
def call(url: URL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """``hongzhong ...`` on this database."""
    monkeypatch.setenv("HONGZHONG_LANG", "en")
    monkeypatch.setenv("HONGZHONG_DATA", str(tmp_path / "data"))
    if url.get_backend_name() != "sqlite":
        monkeypatch.setenv("HONGZHONG_DATABASE", url.render_as_string(hide_password=False))
    return lambda *words: CliRunner().invoke(main, list(map(str, words)))


async def fill(url: URL) -> None:
    async with await Database.open(url) as database:
        await database.write(room("428571", state="playing"), *match_of("going", 3), *match_of("over", 2))
        await database.write(room("r", state="playing"), room("142857"), ended("over", "r1", {"anna": 0, "bo": 2}))
        house = KeepHouseRules(id="h1", browser="anna", name="我家", rules="hebei", options={"cap": 64})
        await database.write(house)


async def everything(url: URL) -> dict[str, list[tuple[object, ...]]]:
    async with await Database.open(url) as database:
        return {
            table.name: sorted(tuple(row) for row in await database.rows(select(table)))
            for table in METADATA.sorted_tables
        }


def said(result: Result, code: int = 0) -> str:
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_backup_and_restore(url: URL, call: Callable[..., Result], tmp_path: Path) -> None:
    run(fill(url))
    key = signing_key(tmp_path / "data")
    before = run(everything(url))
    refused = said(call("backup", tmp_path / "kept" / "one.backup"), 2)
    assert f"there is no folder {tmp_path / 'kept'}" in refused and not (tmp_path / "kept").exists()
    (tmp_path / "kept").mkdir()
    assert "3 rooms, 1 record" in said(call("backup", tmp_path / "kept" / "one.backup"))
    assert (tmp_path / "kept" / "one.backup").stat().st_mode & 0o077 == 0
    assert "exists already" in said(call("backup", tmp_path / "kept" / "one.backup"), 2)
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["one.backup"]

    async def change() -> None:
        async with await Database.open(url) as database:
            await database.write(DropRoom(code="428571"), *match_of("later", 1))

    run(change())
    assert "is not empty: say --replace" in said(call("restore", tmp_path / "kept" / "one.backup"), 2)
    assert len(run(everything(url))["rooms"]) == 2  # nothing was touched
    assert "3 rooms, 1 record" in said(call("restore", "--replace", tmp_path / "kept" / "one.backup"))
    assert run(everything(url)) == before
    assert signing_key(tmp_path / "data") == key
    kept_aside = list((tmp_path / "data").glob("*.before-restore-*"))
    assert len(kept_aside) == (url.get_backend_name() == "sqlite")


@pytest.mark.parametrize("target", BOTH)
def test_backups_go_to_any_database(url: URL, call: Callable[..., Result], target: str, tmp_path: Path) -> None:
    run(fill(url))
    key = signing_key(tmp_path / "data")
    said(call("backup", tmp_path / "one.backup"))
    for other in fresh_url(target, tmp_path / "elsewhere"):
        address = other.render_as_string(hide_password=False)
        said(call("restore", tmp_path / "one.backup", "--data", tmp_path / "elsewhere", "--database", address))
        assert run(everything(other)) == run(everything(url))
    assert (tmp_path / "elsewhere" / KEY_FILE).read_bytes() == key  # seat links go on working
    assert (tmp_path / "elsewhere" / KEY_FILE).stat().st_mode & 0o077 == 0


def test_another_key_is_kept_and_told(url: URL, call: Callable[..., Result], tmp_path: Path) -> None:
    run(fill(url))
    signing_key(tmp_path / "data")
    said(call("backup", tmp_path / "one.backup"))
    mine = signing_key(tmp_path / "elsewhere")
    address = f"sqlite:///{tmp_path}/elsewhere/new.sqlite3"
    output = said(call("restore", tmp_path / "one.backup", "--data", tmp_path / "elsewhere", "--database", address))
    assert "seat links from it do not work" in output and signing_key(tmp_path / "elsewhere") == mine


def test_a_backup_while_the_server_writes_is_of_one_moment(url: URL, tmp_path: Path) -> None:
    """Two tables are always written together, so a backup never has one ahead of the other."""

    async def play() -> None:
        async with await Database.open(url, claim=True) as database, await Database.open(url) as beside:
            await database.write(*match_of("a"), *match_of("b"))
            done = False

            async def server() -> None:
                number = 0
                while not done:
                    await database.write(
                        Append(match="a", number=number, entries=[entry(number)]),
                        Append(match="b", number=number, entries=[entry(number)]),
                    )
                    number += 1

            task = asyncio.create_task(server())
            for number in range(5):
                await asyncio.sleep(0.05)
                await backup.backup(beside, tmp_path / f"{number}.backup", {})
            done = True
            await task

    run(play())
    counts = []
    for number in range(5):
        connection = sqlite3.connect(tmp_path / f"{number}.backup")
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = dict(connection.execute("SELECT match, count(*) FROM entries GROUP BY match").fetchall())
        connection.close()
        assert rows["a"] == rows["b"]
        counts.append(rows["a"])
    assert counts == sorted(counts) and counts[0] < counts[-1]


def test_a_running_server_is_not_restored_over(url: URL, call: Callable[..., Result], tmp_path: Path) -> None:
    run(fill(url))
    said(call("backup", tmp_path / "one.backup"))

    async def play() -> str:
        async with await Database.open(url, claim=True):
            return said(await asyncio.to_thread(call, "restore", "--replace", tmp_path / "one.backup"), 2)

    assert "another hongzhong server plays on" in run(play())


def test_a_damaged_backup_is_not_called_a_damaged_database(
    url: URL, call: Callable[..., Result], tmp_path: Path
) -> None:
    run(fill(url))
    said(call("backup", tmp_path / "one.backup"))
    before = run(everything(url))
    data = (tmp_path / "one.backup").read_bytes()
    (tmp_path / "one.backup").write_bytes(data[: len(data) // 2])
    told = said(call("restore", "--replace", tmp_path / "one.backup"), 2)
    assert f"{tmp_path / 'one.backup'} is damaged: nothing was restored; give another backup" in told
    assert "hongzhong restore" not in told and ".restore." not in told and run(everything(url)) == before


def test_an_old_backup_is_brought_up_to_date(url: URL, call: Callable[..., Result], tmp_path: Path) -> None:
    old = old_file("0001", tmp_path / "old.backup")
    kept = old.read_bytes()
    assert "2 rooms, 1 record" in said(call("restore", old))
    rows = run(everything(url))
    assert len(rows["rooms"]) == 2 and rows["house_rules"] == [] and len(rows["entries"]) == 3
    assert old.read_bytes() == kept


@pytest.mark.parametrize("what", ["nothing", "text", "foreign", "cut"])
def test_no_backup_is_refused_by_its_own_name(url: URL, call: Callable[..., Result], what: str, tmp_path: Path) -> None:
    run(fill(url))
    before = run(everything(url))
    path = tmp_path / "wrong.backup"
    if what == "text":
        path.write_text("a letter to the editor")
    elif what == "foreign":
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE songs (id INTEGER)")
        connection.close()
    elif what == "cut":
        said(call("backup", path))
        path.write_bytes(path.read_bytes()[:10_000])
    output = said(call("restore", "--replace", path), 2)
    assert str(path) in output and output.count("\n") == 1
    assert run(everything(url)) == before
    assert not list(tmp_path.rglob(".restore.*"))


def test_the_backup_of_a_database_that_is_not_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["backup", str(tmp_path / "x.backup"), "--data", str(tmp_path)])
    assert "no database at" in said(result, 2) and not list(tmp_path.iterdir())


# rooms


def test_rooms_are_listed(url: URL, call: Callable[..., Result]) -> None:
    run(fill(url))
    lines = said(call("rooms", "list")).splitlines()
    assert lines[0].split() == ["CODE", "STATE", "RULES", "PLAYERS", "LAST", "CHANGE", "ANSWERS"]
    assert len(lines) == 4
    row = next(line for line in lines if line.startswith("r "))
    assert "playing" in row and "阿红, Bo" in row and row.endswith(" 3")
    assert lines[1].index("hebei") == lines[2].index("hebei")
    rows = [json.loads(line) for line in said(call("rooms", "list", "--json")).splitlines()]
    assert {row["code"]: row["answers"] for row in rows} == {"428571": None, "r": 3, "142857": None}
    assert "对局中" in said(call("rooms", "list", "--lang", "zh"))


def test_no_rooms(url: URL, call: Callable[..., Result]) -> None:
    async def make() -> None:
        async with await Database.open(url):
            pass

    run(make())
    assert said(call("rooms", "list")).strip() == "no rooms" and said(call("rooms", "list", "--json")) == ""


def test_a_running_server_ends_a_room(url: URL, call: Callable[..., Result]) -> None:
    run(fill(url))

    async def play() -> str:
        async with await Database.open(url, claim=True) as database:
            command = asyncio.create_task(asyncio.to_thread(call, "rooms", "end", "r"))
            while not await database.ordered():
                await asyncio.sleep(0.02)
            await database.write(room("r", state="ended"))
            return said(await command)

    assert "room r has ended" in run(play())
    assert "room r has ended" in said(call("rooms", "end", "r"))  # already


def test_without_a_server_the_order_waits(url: URL, call: Callable[..., Result]) -> None:
    run(fill(url))
    assert "ends when one starts" in said(call("rooms", "end", "428571"))

    async def look() -> list[str]:
        async with await Database.open(url, claim=True) as database:
            return await database.ordered()

    assert run(look()) == ["428571"]
    assert "no room 999" in said(call("rooms", "end", "999"), 2)


# prune


def test_prune_by_age_and_by_id(url: URL, call: Callable[..., Result]) -> None:
    run(fill(url))
    assert "removed 0 records and 0 journals" in said(call("prune", "--older-than", "90d"))
    time.sleep(0.01)
    assert "there is no such record" in said(call("prune", "--record", "r9"), 2)
    assert "record r1 is deleted" in said(call("prune", "--record", "r1"))
    assert "removed 0 records and 1 journal of" in said(call("prune", "--older-than", "0h"))
    rows = run(everything(url))
    assert rows["records"] == rows["owners"] == [] and len(rows["entries"]) == 3 and len(rows["rooms"]) == 3


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "say what shall go"),
        (["--older-than", "90"], "write it as a number and h, d or w"),
        (["--older-than", "1d", "--record", "x"], "together: give one of them"),
        (["--record", ""], "--record is empty: give the id"),
    ],
)
def test_prune_says_what_it_needs(words: list[str], told: str) -> None:
    assert told in said(CliRunner().invoke(main, ["prune", *words]), 2)


def test_a_row_that_goes_is_not_in_a_later_backup(url: URL, call: Callable[..., Result], tmp_path: Path) -> None:
    run(fill(url))
    said(call("prune", "--record", "r1"))
    said(call("backup", tmp_path / "after.backup"))
    connection = sqlite3.connect(tmp_path / "after.backup")
    assert connection.execute("SELECT count(*) FROM records").fetchone() == (0,)
    connection.close()
