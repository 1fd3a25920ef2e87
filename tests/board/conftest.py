"""What the tests of the board share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from couperation_formal.board import beside
from tests.board.local import forked
from tests.board.taps import LAPTOP, PHONE, Seat

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def _forked_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What works beside a board of this process is forked, as `tests.kit.started` says."""
    monkeypatch.setattr(beside, "begun", forked)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Who runs the boards of a test has nothing remembered yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("user")))


@pytest.fixture(scope="session")
def laptop(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    seat = Seat(browser, tmp_path_factory.mktemp("laptop"), LAPTOP)
    yield seat
    seat.end()


@pytest.fixture(scope="session")
def phone(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seat]:
    seat = Seat(browser, tmp_path_factory.mktemp("phone"), PHONE)
    yield seat
    seat.end()
