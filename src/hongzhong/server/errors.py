"""What is refused, as the socket and the HTTP API say it."""

from __future__ import annotations

from typing import Final

from hongzhong.server.messages import Refused
from hongzhong.texts.room import problem


class Refusal(Exception):  # noqa: N818 - the name says what happened
    """Something that is not done, told to the one who asked; ``fatal`` ends a socket. ``code`` is of ``texts.room.PROBLEMS``."""

    def __init__(self, code: str, /, *, field: str | None = None, fatal: bool = False, **values: object) -> None:
        zh, en = problem(code, **values)
        super().__init__(en)
        self.said = Refused(code=code, zh=zh, en=en, field=field, fatal=fatal)


STATUS: Final = {
    "warming": 503,
    "engine": 503,
    "storage": 503,
    "restart": 503,
    "too_large": 413,
    "too_many": 429,
    "full_server": 503,
    "origin": 403,
    "password": 403,
    "no_spectators": 403,
    "no_room": 404,
    "fault": 500,
    "not_found": 404,
    "no_record": 404,
    "no_hand": 404,
    "no_house_rules": 404,
    "no_analysis": 501,
    "many_records": 409,
    "many_house_rules": 409,
    "method": 405,
    "no_place": 409,
    "place_taken": 409,
    "name_taken": 409,
    "bad_seat": 403,
    "seat_gone": 403,
}
"""HTTP status by code; 422 for the rest."""
