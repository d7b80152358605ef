"""Rooms, journals, records and house rules in SQLite or PostgreSQL: see ``ledger`` for what a host asks of it."""

from hongzhong.server.store.changes import ForgetRecord, KeepRecord
from hongzhong.server.store.database import Database
from hongzhong.server.store.engine import database_url, shown_url

__all__ = ["Database", "ForgetRecord", "KeepRecord", "database_url", "shown_url"]
