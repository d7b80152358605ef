"""The schema of a database: found, refused or brought up to date when it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from hongzhong.ledger import StoreError
from hongzhong.server.store.engine import DamagedError
from hongzhong.server.store.tables import METADATA

VERSION_TABLE: Final = "hongzhong_schema"
"""Holds the revision; by its name our databases are known from others."""
UPGRADE_LOCK: Final = 0x48_5A_00_01
"""Of PostgreSQL: one process at a time upgrades."""
CHECKED_BYTES: Final = 256 << 20
"""A SQLite file up to this size is checked for damage at each start, in a second or two."""


def config() -> Config:
    """Alembic's, of the steps in this package."""
    out = Config()
    out.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return out


def head() -> str:
    """The newest revision that this version knows."""
    found = ScriptDirectory.from_config(config()).get_current_head()
    assert found is not None
    return found


def upgrade(connection: Connection, where: str) -> None:
    """Brings the database up to date, all or nothing; the caller commits. Raises ``StoreError`` naming ``where``."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")  # a table that is rebuilt must not take others with it
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
    present = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in present:
        strangers = present if connection.dialect.name == "sqlite" else present & set(METADATA.tables)
        if strangers:
            raise StoreError(
                f"{where} is a database of another program (it has a table {min(strangers)!r}): give another file or database"
            )
    else:
        revision = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
        known = [step.revision for step in ScriptDirectory.from_config(config()).walk_revisions()]
        if revision not in known:
            raise StoreError(
                f"{where} was written by a newer version of hongzhong (schema {revision}; this one knows up to {known[0]}): "
                "upgrade hongzhong, or give another database"
            )
        if revision == known[0]:
            return
    alembic = config()
    alembic.attributes["connection"] = connection
    command.upgrade(alembic, "head")


def check_damage(connection: Connection, where: str) -> None:
    """Looks through a SQLite file. Raises ``StoreError``."""
    said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if said != "ok":
        raise DamagedError(where, str(said).splitlines()[-1])
