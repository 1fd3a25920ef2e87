"""A browser for the tests of pages; without one they are skipped, and the end of the run says so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find_browser() -> str | None:
    """The program named by COUPERATION_BROWSER, else the first of the usual ones."""
    named = os.environ.get("COUPERATION_BROWSER")
    return next((path for name in ((named,) if named else NAMES) if (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    sync_api: Any = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = find_browser()
    if program is None:
        pytest.skip("no browser was found: install chromium, or name one in COUPERATION_BROWSER")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield started
        started.close()
