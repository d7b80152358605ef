"""Rooms, matches with their journals, records with their owners."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(32), primary_key=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("room", sa.String(32), nullable=False),
        sa.Column("header", sa.LargeBinary, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
    )
    op.create_table(
        "entries",
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("match", sa.String(64), sa.ForeignKey("matches.id", ondelete="SET NULL")),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("kept", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("lines", sa.LargeBinary, nullable=False),
    )
    op.create_index("ix_records_match", "records", ["match"])
    op.create_table(
        "owners",
        sa.Column("browser", sa.String(64), primary_key=True),
        sa.Column("record", sa.String(64), sa.ForeignKey("records.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
    )
    op.create_index("ix_owners_record", "owners", ["record"])
