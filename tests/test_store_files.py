"""Databases that cannot be opened are told in one line; old ones are brought up to date."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.engine import URL

from hongzhong.ledger import StoreError
from hongzhong.server.store import Database, database_url, engine, library, schema
from hongzhong.server.store.tables import METADATA
from tests.stores import BOTH, OLD, entries_of, entry, fresh_url, match_of, old_file, room, run

REVISIONS = sorted(path.stem for path in OLD.glob("*.sql"))


async def opened(url: URL, *, make: bool = True) -> None:
    async with await Database.open(url, make=make):
        pass


def refused(path: Path, *, make: bool = True) -> str:
    """The one line that opening this file ends with."""
    with pytest.raises(StoreError) as caught:
        run(opened(URL.create("sqlite+aiosqlite", database=str(path)), make=make))
    said = str(caught.value)
    assert "\n" not in said and str(path) in said
    return said


def test_no_database_file(tmp_path: Path) -> None:
    text_file = tmp_path / "notes.sqlite3"
    text_file.write_text("just notes, and quite a few of them")
    assert "is no SQLite database" in refused(text_file)
    assert text_file.read_text().startswith("just notes")


def test_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE photos (id INTEGER)")
    other.close()
    assert "is a database of another program (it has a table 'photos')" in refused(path)


def test_newer_schema(tmp_path: Path) -> None:
    path = tmp_path / "newer.sqlite3"
    run(opened(URL.create("sqlite+aiosqlite", database=str(path))))
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"UPDATE {schema.VERSION_TABLE} SET version_num = '9999'")
    connection.close()
    assert "newer version of hongzhong (schema 9999" in refused(path)


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_damaged_file(tmp_path: Path, at: float) -> None:
    path = tmp_path / "hongzhong.sqlite3"

    async def fill() -> None:
        async with await Database.open(database_url(tmp_path)) as database:
            for number in range(40):
                await database.write(*match_of(f"m{number}", 40), room(str(number), data=os.urandom(500)))

    run(fill())
    data = bytearray(path.read_bytes())
    place = int(len(data) * at) // 4096 * 4096
    data[place : place + 4096] = bytes(b ^ 0x5A for b in data[place : place + 4096])
    path.write_bytes(data)
    assert "is damaged: restore a backup with 'hongzhong restore'" in refused(path)


def test_cut_off_file(tmp_path: Path) -> None:
    path = tmp_path / "hongzhong.sqlite3"
    run(opened(database_url(tmp_path)))
    path.write_bytes(path.read_bytes()[:9000])
    assert "is damaged" in refused(path)


def test_missing_file_where_none_shall_be_made(tmp_path: Path) -> None:
    assert "no database at" in refused(tmp_path / "none.sqlite3", make=False)
    assert not (tmp_path / "none.sqlite3").exists()


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert "cannot open the database" in refused(tmp_path / "data" / "hongzhong.sqlite3")


@contextmanager
def as_nobody(inside: Path) -> Iterator[None]:
    """Root may write everywhere; these tests go on as a user who may not, but may look into the folders of the tests."""
    if os.geteuid() != 0:
        yield
        return
    for folder in [inside, *inside.parents]:
        if folder == Path(tempfile.gettempdir()):
            break
        folder.chmod(folder.stat().st_mode | 0o055)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_read_only_folder_and_file(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    run(opened(database_url(folder)))
    (folder / "hongzhong.sqlite3").chmod(0o444)
    folder.chmod(0o555)
    try:
        with as_nobody(tmp_path):
            assert "is read-only for this user" in refused(folder / "hongzhong.sqlite3")
            assert "is read-only for this user" in refused(folder / "new.sqlite3")
    finally:
        folder.chmod(0o755)


@pytest.mark.parametrize(
    "given", ["mysql://host/name", "nonsense", "sqlite://", "postgresql+asyncpg://host", "sqlite:///:memory:"]
)
def test_unknown_addresses(tmp_path: Path, given: str) -> None:
    with pytest.raises(StoreError, match=r"unknown kind of address; give sqlite\+aiosqlite:///FILE or"):
        database_url(tmp_path, given)


def test_addresses() -> None:
    assert database_url(Path("d")).database == str(Path("d") / "hongzhong.sqlite3")
    for given in ("postgres://me:geheim@host/name", "postgresql://me:geheim@host/name"):
        url = database_url(Path("d"), given)
        assert url.drivername == "postgresql+asyncpg" and "geheim" not in engine.shown_url(url)


def test_a_wrong_address_shows_no_password(tmp_path: Path) -> None:
    for given in ("mysql://me:geheim@host/name", "postgresql://me:geheim@host:port/name"):
        with pytest.raises(StoreError) as caught:
            database_url(tmp_path, given)
        assert "geheim" not in str(caught.value)


def test_no_server_there() -> None:
    with pytest.raises(StoreError) as caught:
        run(opened(database_url(Path(), "postgresql://me:geheim@127.0.0.1:1/name")))
    said = str(caught.value)
    assert (
        said.startswith("cannot open the database postgresql+asyncpg://me:***@127.0.0.1:1/name: ") and "\n" not in said
    )


@pytest.mark.postgres
def test_wrong_name_on_the_server(tmp_path: Path) -> None:
    for url in fresh_url("postgres", tmp_path):
        with pytest.raises(StoreError, match="nowhere"):
            run(opened(url.set(database="nowhere")))


# migrations


@pytest.fixture(params=BOTH)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[URL]:
    yield from fresh_url(request.param, tmp_path)


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_server_default": True, "version_table": schema.VERSION_TABLE}
    )
    return list(compare_metadata(context, METADATA))


def test_a_new_database_is_as_the_tables_say(url: URL) -> None:
    async def look() -> tuple[list[object], object]:
        async with await Database.open(url) as database, database.reading() as connection:
            (revision,) = await database.rows(text(f"SELECT version_num FROM {schema.VERSION_TABLE}"))
            return await connection.run_sync(differences), revision[0]

    assert run(look()) == ([], schema.head())


def to_revision(connection: Connection, revision: str) -> None:
    alembic = schema.config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, revision)


def test_every_step_leads_on_to_the_newest(url: URL) -> None:
    async def climb() -> list[object]:
        made = engine.create(url)
        async with made.begin() as connection:
            await connection.run_sync(to_revision, "0001")
        await made.dispose()
        async with await Database.open(url) as database, database.reading() as connection:
            return await connection.run_sync(differences)

    assert run(climb()) == []


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_kept_database_is_brought_up_to_date(tmp_path: Path, revision: str) -> None:
    old_file(revision, tmp_path / "hongzhong.sqlite3")

    async def look() -> None:
        async with await Database.open(database_url(tmp_path), claim=True) as database:
            async with database.reading() as connection:
                assert await connection.run_sync(differences) == []
            playing, waiting = await database.rooms()
            assert {playing.code, waiting.code} == {"428571", "142857"} and not playing.ordered
            assert {"阿红", "Wang"} <= {*playing.players, *waiting.players}
            assert await entries_of(database, "going") == [
                b'{"type":"answer","seat":0,"action":3}',
                b'{"type":"answer","seat":1,"action":34}',
            ]
            (mine,) = await library.records_of(database, "browser-b", 10)
            assert (mine.id, mine.seat, mine.hands) == ("kept-record-1", 2, 4)
            found = await library.record(database, "kept-record-1")
            kept = Path(__file__).parent / "records" / "0.1.0-qiqihar-plain.jsonl"
            assert found is not None and found[1] == kept.read_bytes()
            await database.write(*match_of("new", 2))
            assert await entries_of(database, "new") == [entry(0), entry(1)]

    run(look())
    run(look_again(tmp_path))


async def look_again(folder: Path) -> None:
    async with await Database.open(database_url(folder)) as database:
        assert len(await database.matches()) == 2


def test_a_step_that_fails_leaves_the_old_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = old_file("0001", tmp_path / "hongzhong.sqlite3")

    def broken(config: object, revision: str) -> None:
        config.attributes["connection"].execute(text("DROP TABLE owners"))  # type: ignore[attr-defined]
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(command, "upgrade", broken)
        with pytest.raises(StoreError, match="the disk is full"):
            run(opened(database_url(tmp_path)))
    connection = sqlite3.connect(path)
    assert connection.execute(f"SELECT version_num FROM {schema.VERSION_TABLE}").fetchone() == ("0001",)
    assert connection.execute("SELECT count(*) FROM owners").fetchone() == (2,)
    connection.close()
    run(opened(database_url(tmp_path)))


def test_kept_databases_are_of_every_old_schema() -> None:
    steps = [step.revision for step in ScriptDirectory.from_config(schema.config()).walk_revisions()]
    assert set(REVISIONS) >= set(steps) - {schema.head()}
