"""An evening recorded by touch on a small telephone (`journey`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.board.journey import SHOWN, SMALLEST, TURNS, journey

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

SMALL = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}


def test_an_evening_is_recorded_by_touch(browser: Browser, tmp_path: Path) -> None:
    shown: dict[str, bool] = {}
    smallest: list[int] = []

    def shot(page: Page, name: str) -> None:
        if name.startswith("turn-"):
            shown[name] = page.evaluate(SHOWN)
            smallest.append(page.evaluate(SMALLEST))

    taps = journey(browser, tmp_path / "evening.cgn", SMALL, shot)
    assert len(taps) == TURNS - 1  # the one with the slip was put anew
    assert min(smallest) >= 44
    assert [name for name, seen in shown.items() if not seen] == []
