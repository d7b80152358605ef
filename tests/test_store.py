"""The store: what is written is there, all of it or nothing, before its caller goes on; commits of many at once."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import URL

from hongzhong.ledger import Append, BeginMatch, DropRoom, EndMatch, StoreError
from hongzhong.server.store import (
    Database,
    DeleteRecord,
    DropHouseRules,
    ForgetRecord,
    KeepHouseRules,
    KeepRecord,
    OrderEnd,
    database_url,
    library,
)
from hongzhong.server.store.database import SERVER_LOCK
from tests.stores import BOTH, ended, entries_of, entry, fresh_url, match_of, record_of, room, run


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    yield from fresh_url(request.param, tmp_path)


def test_what_is_written_is_read_after_a_restart(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url, claim=True) as database:
            await database.write(room("428571", data='{"name":"牌桌"}'.encode()), *match_of("a", 3))
            await database.write(Append(match="a", number=3, entries=[entry(3), b'{"odd":"\\u0000\xe4\xb8\xad"}']))
            await database.write(room("142857"), *match_of("b", 1), ended("b", "r1", {"me": 2}))

    async def look() -> None:
        async with await Database.open(url, claim=True) as database:
            first, second = await database.rooms()
            assert (first.code, first.players, first.data) == (
                "428571",
                ["阿红", "Bo", "", ""],
                '{"name":"牌桌"}'.encode(),
            )
            assert second.code == "142857" and second.created >= first.created
            (going,) = await database.matches()  # b is over
            assert (going.match, going.room, going.header) == ("a", "r", b'{"secret":"00"}')
            assert going.entries == [entry(0), entry(1), entry(2), entry(3), b'{"odd":"\\u0000\xe4\xb8\xad"}']

    run(play())
    run(look())


def test_a_room_is_saved_anew_and_dropped(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            await database.write(room("1"), room("2"), room("1", state="playing", data=b'{"n":1}'))
            await database.write(room("1", state="ended", data=b'{"n":2}'))
            first, second = await database.rooms()
            assert (first.code, first.state, first.data) == ("1", "ended", b'{"n":2}')
            assert first.created <= first.touched
            await database.write(DropRoom(code="1"))
            assert [kept.code for kept in await database.rooms()] == [second.code] == ["2"]

    run(play())


def test_many_tables_are_committed_together(url: URL) -> None:
    tables, answers = 100, 5

    async def play() -> None:
        async with await Database.open(url) as database:
            await asyncio.gather(*(database.write(*match_of(f"m{table}")) for table in range(tables)))

            async def table(name: str) -> None:
                for number in range(answers):
                    await database.write(Append(match=name, number=number, entries=[entry(number)]))

            before = database.commits
            await asyncio.gather(*(table(f"m{number}") for number in range(tables)))
            assert answers <= database.commits - before <= tables
            assert database.written == tables * (answers + 1)
            kept = await database.matches()
            assert all(match.entries == [entry(n) for n in range(answers)] for match in kept) and len(kept) == tables

    run(play())


def test_a_caller_goes_on_only_after_its_commit(tmp_path: Path) -> None:
    async def play() -> None:
        async with await Database.open(database_url(tmp_path)) as database:
            await database.write(*match_of("m"))
            other = sqlite3.connect(tmp_path / "hongzhong.sqlite3")
            for number in range(20):
                await database.write(Append(match="m", number=number, entries=[entry(number)]))
                assert other.execute("SELECT count(*) FROM entries").fetchone() == (number + 1,)
            other.close()

    run(play())


def test_commits_reach_the_disk(tmp_path: Path) -> None:
    async def look() -> list[object]:
        async with await Database.open(database_url(tmp_path)) as database, database.writing() as connection:
            said = [await connection.exec_driver_sql(f"PRAGMA {name}") for name in ("journal_mode", "synchronous")]
            return [row.scalar() for row in said]

    assert run(look()) == ["wal", 2]  # 2: FULL


def test_only_the_guilty_caller_fails(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            await database.write(*match_of("m", 2), *match_of("other"))
            done = await asyncio.gather(
                database.write(room("good")),
                database.write(room("bad"), Append(match="m", number=1, entries=[entry(9)])),  # is there already
                database.write(Append(match="nobody", number=0, entries=[entry(0)])),
                database.write(Append(match="other", number=0, entries=[entry(0)])),
                return_exceptions=True,
            )
            assert [type(error) for error in done] == [type(None), StoreError, StoreError, type(None)]
            assert [kept.code for kept in await database.rooms()] == ["good"]  # all or nothing of one call
            assert await entries_of(database, "m") == [entry(0), entry(1)]
            assert await entries_of(database, "other") == [entry(0)] and database.problem == ""

    run(play())


def test_errors_are_one_line_that_names_the_database(url: URL) -> None:
    async def play() -> str:
        async with await Database.open(url) as database:
            await database.write(*match_of("m", 1))
            with pytest.raises(StoreError) as caught:
                await database.write(BeginMatch(match="m", room="r", header=b"{}"))
            return str(caught.value)

    said = run(play())
    assert said.startswith("cannot write to the database ") and "\n" not in said and str(url.database) in said


def test_a_full_disk_is_told_and_passes(tmp_path: Path) -> None:
    async def play() -> None:
        async with await Database.open(database_url(tmp_path)) as database:
            await database.write(*match_of("m", 1))
            assert database._writer is not None
            (pages,) = (await database._writer.exec_driver_sql("PRAGMA page_count")).one()
            await database._writer.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
            with pytest.raises(StoreError, match="disk is full"):
                await database.write(room("1", data=b"x" * 100_000))
            assert "disk is full" in database.problem
            await database._writer.exec_driver_sql("PRAGMA max_page_count=1000000")
            await database.write(Append(match="m", number=1, entries=[entry(1)]))
            assert database.problem == "" and await entries_of(database, "m") == [entry(0), entry(1)]
            assert await database.rooms() == []

    run(play())


def test_a_closed_store_refuses(url: URL) -> None:
    async def play() -> None:
        database = await Database.open(url)
        await database.close()
        with pytest.raises(StoreError, match="is closed"):
            await database.write(room("1"))

    run(play())


def test_what_was_asked_before_closing_is_written(url: URL) -> None:
    async def play() -> int:
        database = await Database.open(url)
        writes = [asyncio.create_task(database.write(room(str(number)))) for number in range(30)]
        await asyncio.sleep(0)
        await database.close()
        await asyncio.gather(*writes)
        async with await Database.open(url) as again:
            return len(await again.rooms())

    assert run(play()) == 30


def test_a_caller_that_gives_up_disturbs_nobody(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            gone = asyncio.create_task(database.write(room("1")))
            stays = asyncio.create_task(database.write(room("2")))
            await asyncio.sleep(0)
            gone.cancel()
            await stays
            assert {kept.code for kept in await database.rooms()} == {"1", "2"}

    run(play())


def test_one_server_at_a_time(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url, claim=True):
            with pytest.raises(StoreError, match="another hongzhong server plays on"):
                await Database.open(url, claim=True)
            async with await Database.open(url) as beside:  # a command may look
                await beside.rooms()
        async with await Database.open(url, claim=True):
            pass

    run(play())


@pytest.mark.postgres
@pytest.mark.parametrize("kind", [BOTH[1]])
def test_the_claim_of_a_killed_server_is_waited_for(kind: str, tmp_path: Path) -> None:
    """Its session ends only after what it still had under way."""

    async def play(url: URL) -> None:
        async with await Database.open(url) as other, other.engine.connect() as killed:
            await killed.execute(text("SELECT pg_advisory_lock(:key)"), {"key": SERVER_LOCK})
            opening = asyncio.create_task(Database.open(url, claim=True))
            await asyncio.sleep(0.7)
            assert not opening.done()
            await killed.execute(text("SELECT pg_advisory_unlock_all()"))
            await (await opening).close()

    for url in fresh_url("postgres", tmp_path):
        run(play(url))


@pytest.mark.postgres
@pytest.mark.parametrize("kind", [BOTH[1]])
def test_a_lost_connection_is_told_and_opened_anew(kind: str, tmp_path: Path) -> None:
    async def play(url: URL) -> None:
        async with await Database.open(url, claim=True) as database, await Database.open(url) as other:
            await database.write(*match_of("m", 1))
            async with other.writing() as connection:
                await connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE pid <> pg_backend_pid() AND datname = current_database()"
                    )
                )
            with pytest.raises(StoreError, match="cannot write"):
                await database.write(Append(match="m", number=1, entries=[entry(1)]))
            await database.write(Append(match="m", number=1, entries=[entry(1)]))
            assert await entries_of(database, "m") == [entry(0), entry(1)]
            with pytest.raises(StoreError, match="another hongzhong server"):  # the new connection claimed it again
                await Database.open(url, claim=True)

    for url in fresh_url("postgres", tmp_path):
        run(play(url))


KILLED = """
import asyncio, sys
from sqlalchemy.engine import make_url
from hongzhong.ledger import Append
from hongzhong.server.store import Database
from tests.stores import entry, match_of

async def table(database, name):
    for number in range(1000000):
        await database.write(Append(match=name, number=number, entries=[entry(number)]))
        print(name, number, flush=True)

async def main():
    database = await Database.open(make_url(sys.argv[1]), claim=True)
    await database.write(*(change for number in range(8) for change in match_of(f"m{number}")))
    await asyncio.gather(*(table(database, f"m{number}") for number in range(8)))

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize("lines", [1, 40, 333])
def test_killed_at_any_moment_nothing_acknowledged_is_lost(url: URL, lines: int) -> None:
    root = Path(__file__).parent.parent
    address = url.render_as_string(hide_password=False)
    process = subprocess.Popen([sys.executable, "-c", KILLED, address], stdout=subprocess.PIPE, text=True, cwd=root)
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(lines)]
    process.send_signal(signal.SIGKILL)
    said += process.stdout.read().splitlines()
    process.wait()
    process.stdout.close()
    acknowledged: dict[str, int] = {}
    for line in said:
        if line.count(" ") == 1 and line.split()[1].isdigit():
            acknowledged[line.split()[0]] = int(line.split()[1])
    assert acknowledged

    async def look() -> None:
        async with await Database.open(url) as database:
            for name, number in acknowledged.items():
                kept = await entries_of(database, name)
                assert kept == [entry(n) for n in range(len(kept))] and len(kept) > number

    run(look())


# records and house rules


def test_records_belong_to_browsers(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            await database.write(*match_of("m", 1), ended("m", "r1", {"anna": 0, "bo": 3}))
            (mine,) = await library.records_of(database, "bo", 10)
            assert (mine.id, mine.seat, mine.scores, mine.players[0]) == ("r1", 3, [3, -1, -1, -1], "阿红")
            found = await library.record(database, "r1", "anna")
            assert found is not None and found[0].seat == 0 and found[1] == record_of("r1", {}).lines
            assert await library.record(database, "r2") is None
            assert await library.records_of(database, "nobody", 10) == []

            await database.write(ForgetRecord(id="r1", browser="nobody"))  # not his to forget
            await database.write(ForgetRecord(id="r1", browser="anna"))
            shown = await library.record(database, "r1", "anna")
            assert shown is not None and shown[0].seat == -1 and await library.records_of(database, "anna", 10) == []
            await database.write(ForgetRecord(id="r1", browser="bo"))
            assert await library.record(database, "r1") is None

            await database.write(EndMatch(match="m", record=record_of("r3", {"anna": 1})), DeleteRecord(id="r3"))
            assert await library.record(database, "r3") is None and await library.count_records(database, "anna") == 0

    run(play())


def test_the_same_record_again_joins_its_owners(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            await database.write(KeepRecord(record=record_of("first", {"a": -1}, b"same\n")))
            await database.write(
                KeepRecord(record=record_of("second", {"b": -1}, b"same\n")),
                KeepRecord(record=record_of("third", {"a": -1}, b"same\n")),
            )
            for browser in "ab":
                assert [kept.id for kept in await library.records_of(database, browser, 10)] == ["first"]

    run(play())


def test_records_come_newest_first_in_pages(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            for number in range(5):
                await database.write(KeepRecord(record=record_of(f"r{number}", {"a": 0})))
                await asyncio.sleep(0.002)
            page = await library.records_of(database, "a", 2)
            assert [kept.id for kept in page] == ["r4", "r3"]
            page = await library.records_of(database, "a", 2, before=page[-1].kept)
            assert [kept.id for kept in page] == ["r2", "r1"]

    run(play())


def test_house_rules_are_kept_by_browser_and_read_by_link(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            options = {"cap": None, "kong_points": [1, 1, 2], "calls": "manual"}
            kept = KeepHouseRules(id="h1", browser="a", name="我家", rules="hebei", options=options)
            await database.write(kept)
            found = await library.house_rules(database, "h1")
            assert found is not None and (found.name, found.rules, found.options) == ("我家", "hebei", options)
            await database.write(DropHouseRules(id="h1", browser="b"))
            assert [rules.id for rules in await library.house_rules_of(database, "a")] == ["h1"]
            await database.write(DropHouseRules(id="h1", browser="a"))
            assert await library.house_rules(database, "h1") is None

    run(play())


def test_old_records_and_matches_go(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            for number in range(120):
                await database.write(*match_of(f"m{number}", 2), ended(f"m{number}", f"r{number}", {"a": 0}))
            await database.write(*match_of("going", 2))
            assert await library.prune(database, 1) == (0, 0)
            assert await library.prune(database, 1 << 50) == (120, 120)
            assert [match.match for match in await database.matches()] == ["going"]
            assert await library.records_of(database, "a", 10) == []
            (counted,) = await database.rows(text("SELECT count(*) FROM entries"))
            assert counted[0] == 2  # the journals went with their matches

    run(play())


def test_rooms_that_shall_end_are_found(url: URL) -> None:
    async def play() -> None:
        async with await Database.open(url) as database:
            await database.write(room("1"), room("2"), *match_of("m", 3))
            await database.write(room("r", state="playing"), OrderEnd(code="2"))
            await database.write(room("2"))  # saved meanwhile: the order stays
            assert await database.ordered() == ["2"]
            assert [(one.code, one.answers) for one in await library.going(database)] == [
                ("1", None),
                ("2", None),
                ("r", 3),
            ]

    run(play())
