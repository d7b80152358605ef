"""Whose records and house rules: a browser names itself by an id of its own making, which nobody else knows."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from starlette.requests import Request

from hongzhong.server.errors import Refusal

HEADER: Final = "x-browser"
_ID: Final = re.compile(r"[\w-]{16,64}", re.ASCII)
MAX_SHOWN: Final = 24


def browser_of(request: Request) -> str:
    """The id of the browser that asks, empty where it names none."""
    found = request.headers.get(HEADER, "")
    return found if _ID.fullmatch(found) else ""


def known_browser(request: Request) -> str:
    """As ``browser_of``. Raises ``Refusal`` where there is none."""
    browser = browser_of(request)
    if not browser:
        raise Refusal("browser", field=HEADER)
    return browser


def shown_name(name: str) -> str:
    """A name from elsewhere without what must not reach a screen: controls, direction marks, endless length."""
    seen = "".join(char for char in name if unicodedata.category(char)[0] != "C")
    return seen if len(seen) <= MAX_SHOWN else seen[: MAX_SHOWN - 1] + "…"
