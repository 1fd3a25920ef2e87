"""What all tests share."""

from __future__ import annotations

import faulthandler
import gc
import os
import re
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="write the outputs that the golden tests expect anew"
    )


def is_long() -> bool:
    """Whether a long run is asked for: ``COUPERATION_LONG=1``."""
    return os.environ.get("COUPERATION_LONG", "0") not in ("", "0")


gc.set_threshold(100_000, 50, 100)
"""Full collections are few: while tests are collected nearly nothing can be thrown away."""

LONG = is_long()
T = TypeVar("T")

settings.register_profile(
    "suite", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=not LONG,
    max_examples=300 if LONG else 25,
)  # fmt: skip
settings.load_profile("suite")
"""No example fails by its time; the suite tries the same examples each time, a long run others."""

OUTER = 10_800 if LONG else 900
"""Seconds, or a tenth less, after which a test hangs: its process says where and ends. None passes or fails by it."""


_ARMED = [float("-inf")]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol() -> None:
    """Begin to count anew, once in a while: to do so for each test would cost more than the quick ones do."""
    if time.monotonic() > _ARMED[0] + OUTER / 10:
        _ARMED[0] = time.monotonic()
        faulthandler.dump_traceback_later(OUTER, exit=True)


@pytest.fixture(scope="session", autouse=True)
def _own_folder_of_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test writes into the folder of whoever runs it, or speaks his or her language."""
    os.environ["LC_ALL"] = "C.UTF-8"
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("user"))


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: while one of them waits for a browser or another process the others go on. Of the
    quick tests hardly one waits.
    """
    quick: bool = config.option.markexpr == "not slow"
    return (os.cpu_count() or 1) + (not quick)


def pytest_collection_finish() -> None:
    """Whatever the tests have imported stays to the end: it is not looked through again with each full collection."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    faulthandler.cancel_dump_traceback_later()
    gc.freeze()  # pytest and Python look through all that is left several times before they end


def some(examples: Iterable[T], step: int = 4) -> list[T]:
    """Of examples that are alike each fourth, or so; all of them in a long run."""
    return list(examples)[:: 1 if LONG else step]


SEEDED = ("seed", "chunk", "part")
"""Parameters that number random inputs: any of them stands for the others."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    taken = set(chosen(items))
    config.hook.pytest_deselected(items=[item for item in items if item not in taken])
    items[:] = [item for item in items if item in taken]


def chosen(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that are run. ``COUPERATION_SHARE=K/N`` leaves every Nth test, from the Kth on: a long run in parts, on
    several days or machines. Of the seeds of a test every fourth is taken, of fewer one: ``COUPERATION_SEEDS=K/4``
    takes another fourth, and a long run takes all.
    """
    first, step = _share("COUPERATION_SHARE", (1, 1))
    items = items[first - 1 :: step]
    first, step = _share("COUPERATION_SEEDS", (1, 1 if is_long() else 4))
    groups: dict[str, list[pytest.Item]] = {}
    for item in items:
        groups.setdefault(_seedless(item), []).append(item)
    return [item for same in groups.values() for item in same[(first - 1) % min(step, len(same)) :: step]]


def _share(name: str, unless: tuple[int, int]) -> tuple[int, int]:
    """The K and N of a variable. Anything but a K from 1 to N is refused, as it would leave tests out of every part."""
    told = os.environ.get(name)
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", told or "")
    first, step = map(int, found.groups()) if found else unless
    if told and not (found and 1 <= first <= step):
        raise pytest.UsageError(f"{name} is K/N with K from 1 to N, not {told!r}")
    return first, step


def _seedless(item: pytest.Item) -> str:
    """The name of a test without the number of its random input; that of any other test."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    if not any(isinstance(params.get(name), int) for name in SEEDED):
        return getattr(item, "nodeid", str(item))
    rest = [f"{name}={value!r}" for name, value in params.items() if name not in SEEDED]
    return " ".join([item.nodeid.partition("[")[0], *rest])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import Error, expect, sync_playwright

    from tests.kit.browser import ARGUMENTS, PATIENCE, find_browser

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        except Error as error:
            pytest.fail(f"no browser: install chromium, or name one in COUPERATION_BROWSER; {error}")
        yield started
        started.close()
