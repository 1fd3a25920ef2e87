"""What all tests share."""

from __future__ import annotations

import os

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write the outputs that the golden tests expect anew"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """``COUPERATION_SHARE=K/N`` leaves every Nth test, from the Kth on: a long run in parts, on several days or
    machines.
    """
    if share := os.environ.get("COUPERATION_SHARE"):
        first, step = map(int, share.split("/"))
        items[:] = items[first - 1 :: step]
