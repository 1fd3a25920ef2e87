"""What all tests share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write the outputs that the golden tests expect anew"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``COUPERATION_SHARE=K/N`` leaves every Nth test, from the Kth on: a long run in parts, on several days or
    machines. Anything but a K from 1 to N is refused, as it would leave tests out of every part.
    """
    if share := os.environ.get("COUPERATION_SHARE"):
        found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", share)
        first, step = map(int, found.groups()) if found else (0, 0)
        if not 1 <= first <= step:
            raise pytest.UsageError(f"COUPERATION_SHARE is K/N with K from 1 to N, not {share!r}")
        items[:] = items[first - 1 :: step]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import Error, expect, sync_playwright

    from tests.browser import ARGUMENTS, PATIENCE, find_browser

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        except Error as error:
            pytest.fail(f"no browser: install chromium, or name one in COUPERATION_BROWSER; {error}")
        yield started
        started.close()
