"""Rooms, journals, records and house rules in SQLite or PostgreSQL: see ``ledger`` for what a host asks of it."""

from hongzhong.server.store.changes import (
    DeleteRecord,
    DropHouseRules,
    ForgetRecord,
    KeepHouseRules,
    KeepRecord,
    OrderEnd,
)
from hongzhong.server.store.database import Database
from hongzhong.server.store.engine import database_url, shown_url

__all__ = [
    "Database",
    "DeleteRecord",
    "DropHouseRules",
    "ForgetRecord",
    "KeepHouseRules",
    "KeepRecord",
    "OrderEnd",
    "database_url",
    "shown_url",
]
