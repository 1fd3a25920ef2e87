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


SEEDED = ("seed", "chunk", "part")
"""Parameters by which a test is tried on random inputs: each value stands for others of its kind."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """``COUPERATION_SHARE=K/N`` leaves every Nth test, from the Kth on: a long run in parts, on several days or
    machines. Of the seeds of a test every fourth is taken, ``COUPERATION_SEEDS=K/4`` takes another fourth, and a long
    run takes all.
    """
    if share := _share("COUPERATION_SHARE"):
        items[:] = items[share[0] - 1 :: share[1]]
    if "COUPERATION_LONG" not in os.environ:
        first, step = _share("COUPERATION_SEEDS") or (1, 4)
        taken = _of_the_seeds(items, first - 1, step)
        config.hook.pytest_deselected(items=[item for item in items if item not in taken])
        items[:] = [item for item in items if item in taken]


def _share(name: str) -> tuple[int, int] | None:
    """The K and N of a variable. Anything but a K from 1 to N is refused, as it would leave tests out of every part."""
    told = os.environ.get(name)
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", told or "")
    first, step = map(int, found.groups()) if found else (0, 0)
    if told and not 1 <= first <= step:
        raise pytest.UsageError(f"{name} is K/N with K from 1 to N, not {told!r}")
    return (first, step) if told else None


def _of_the_seeds(items: list[pytest.Item], first: int, step: int) -> set[pytest.Item]:
    """The tests without seeds, and of the others every `step`th from the one at `first`, of fewer at least one."""
    groups: dict[str, list[pytest.Item]] = {}
    taken = set()
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if any(isinstance(params.get(name), int) for name in SEEDED):
            rest = [f"{name}={value!r}" for name, value in params.items() if name not in SEEDED]
            groups.setdefault(f"{item.nodeid.partition('[')[0]} {rest}", []).append(item)
        else:
            taken.add(item)
    for same in groups.values():
        taken |= set(same[first % min(step, len(same)) :: step])
    return taken


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
