"""Several screens: who writes shares the game, others watch it on a phone and as a player, and are cut off and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bench.board_client import Board
from tests.board.taps import LAPTOP, PHONE, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow


@contextmanager
def watching(browser: Browser, address: str, **settings: Any) -> Iterator[Page]:
    """Somebody else's page, by the address that was shared; it has no problem and asks nobody else."""
    context, problems = browser.new_context(**settings), list[str]()
    try:
        page = context.new_page()
        own = address.partition("/?")[0] + "/"
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(own) else problems.append(asked.url))
        page.set_default_timeout(15_000)
        page.goto(address)
        page.wait_for_selector("html.live")
        yield page
        assert problems == []
    finally:
        context.close()


def test_a_journey(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file, "--host", "0.0.0.0") as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap("#share")
        hand.tap("#share-with .go")
        everybody = page.locator('#shares [data-share=""] input').input_value()
        page.screenshot(path="/tmp/s_share.png")
        page.locator("#share-as").select_option("Mira")
        hand.tap("#share-with .go")
        mira = page.locator('#shares [data-share="Mira"] input').input_value()
        hand.tap("#share-close")
        with watching(browser, everybody, **PHONE) as phone, watching(browser, mira, **LAPTOP) as tablet:
            phone.screenshot(path="/tmp/s_phone.png")
            tablet.screenshot(path="/tmp/s_tablet.png")
            page.screenshot(path="/tmp/s_board.png")
