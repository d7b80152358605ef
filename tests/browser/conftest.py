"""A Chromium and a server for the tests here; they skip, and say why, where one of them cannot be had."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.required import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.site import Site

STATIC = Path(__file__).parents[2] / "src" / "hongzhong" / "server" / "static"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def launch() -> Iterator[Callable[..., Browser]]:
    """Starts Debian's Chromium with more arguments; skips where it, Playwright or the built page is missing.

    Of a module and no longer: Playwright's event loop runs in this thread, and other tests begin loops of their own.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("chromium", "Playwright is not installed: uv run --group browser pytest")
    program = shutil.which("chromium")
    if program is None:
        missing("chromium", "install Debian's packages chromium and fonts-noto-cjk")
    if not (STATIC / "index.html").exists():
        missing("chromium", "the browser client is not built; see BUILD_FAILED.txt beside it")
    with sync_playwright() as playwright:
        yield lambda *arguments: playwright.chromium.launch(executable_path=program, args=["--no-sandbox", *arguments])


@pytest.fixture(scope="module")
def chromium(launch: Callable[..., Browser]) -> Iterator[Browser]:
    browser = launch()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    from tests.browser.site import Site

    with Site(tmp_path_factory.mktemp("data")) as running:
        yield running
