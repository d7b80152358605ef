"""What players read, by id, in Chinese and English. One module a room; ``language`` picks."""

from __future__ import annotations

import os
from typing import Final

LANGUAGES: Final = ("zh", "en")


def language(wanted: str | None = None) -> str:
    """``zh`` or ``en``: the wanted one, else ``HONGZHONG_LANG``, else the locale's, else ``en``."""
    for value in (
        wanted,
        os.environ.get("HONGZHONG_LANG"),
        os.environ.get("LC_ALL"),
        os.environ.get("LC_MESSAGES"),
        os.environ.get("LANG"),
    ):
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
