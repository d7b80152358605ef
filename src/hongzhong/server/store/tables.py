"""The tables of the database. Times are milliseconds since 1970; lists are JSON text. Changes here need a migration (migrations/versions)."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    false,
)

METADATA: Final = MetaData()

ROOMS: Final = Table(
    "rooms",
    METADATA,
    Column("code", String(32), primary_key=True),
    Column("state", String(16), nullable=False),
    Column("rules", String(64), nullable=False),
    Column("players", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Column("ordered", Boolean, nullable=False, server_default=false()),  # a command asks for its end
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("room", String(32), nullable=False),
    Column("header", LargeBinary, nullable=False),  # holds the secret
    Column("begun", BigInteger, nullable=False),
    Column("ended", BigInteger),
)

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("match", String(64), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
    sqlite_with_rowid=False,  # one tree to write, in the order of a match
)

RECORDS: Final = Table(
    "records",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("match", String(64), ForeignKey("matches.id", ondelete="SET NULL"), index=True),
    Column("rules", String(64), nullable=False),
    Column("players", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("hands", Integer, nullable=False),
    Column("kept", BigInteger, nullable=False),
    Column("digest", String(64), nullable=False, unique=True),  # SHA-256 of the lines
    Column("lines", LargeBinary, nullable=False),  # zlib
)

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("browser", String(64), primary_key=True),
    Column("record", String(64), ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, nullable=False),
)
Index("ix_owners_record", OWNERS.c.record)

HOUSE_RULES: Final = Table(
    "house_rules",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("browser", String(64), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("rules", String(64), nullable=False),
    Column("options", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

META: Final = Table(  # what a backup carries beside the tables, such as the key that signs seats
    "meta",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
