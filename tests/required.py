"""What some tests need from outside Python: a browser, a database server. Where it is missing they skip and say so.

``HONGZHONG_TESTS_REQUIRE`` names those that must be there, such as ``postgres,chromium`` (`.ci/run`): then a skip is a failure.
"""

from __future__ import annotations

import os
from typing import NoReturn

import pytest

VARIABLE = "HONGZHONG_TESTS_REQUIRE"


def missing(what: str, why: str) -> NoReturn:
    """Skips the test; fails it where ``what`` is required."""
    if what in os.environ.get(VARIABLE, "").replace(",", " ").split():
        pytest.fail(f"{what} is required here ({VARIABLE}) and missing: {why}")
    pytest.skip(f"{what} is missing: {why}")
