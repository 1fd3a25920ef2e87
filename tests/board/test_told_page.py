"""What is told, as a person sees it: notices and the box under the tower, by clicks and taps."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.board.local import Local
from tests.board.taps import LAPTOP, Seat, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PLACES = """() => ["tower", "hand", "reserve", "fifty", "told", "acts"].map((id) => {
  const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
  return [id, x, y + scrollY, width, height].join(" ");
})"""


def places(page: Page) -> list[str]:
    """Where the parts of the page lie."""
    found: list[str] = page.evaluate(PLACES)
    return found


@pytest.mark.parametrize("small", [False, True])
def test_a_notice_moves_nothing_and_goes_with_the_next_act(laptop: Seat, phone: Seat, small: bool) -> None:
    with (phone if small else laptop)(thursday(3)) as (_, _, hand, page):
        hand.more()
        before = places(page)
        page.locator("#line").fill("A 29")
        page.locator("#line").press("Enter")
        expect(page.locator("#notices p")).to_be_visible()
        page.locator("#line").fill("")
        expect(page.locator("#told")).to_contain_text("Tap")
        assert places(page) == before
        hand.tap('#hand [data-card="29"]')
        expect(page.locator("#notices")).to_be_empty()
        hand.tap("#clear")


def test_a_question_that_an_edit_drops_is_no_error(browser: Browser, tmp_path: Path) -> None:
    """Turn follows turn while the board is still asked whether the table can be won."""
    (tmp_path / "x.cgn").write_text(thursday(3), "utf-8")
    refused: list[str] = []
    with Local(tmp_path / "x.cgn") as board, screen(browser, board, **LAPTOP) as (hand, page):
        page.on("response", lambda told: refused.append(told.url) if told.status >= 400 else None)
        hand.tap("#tab-know")
        with page.expect_request("**/api/know"):
            page.locator("#know-hints").check()
        for line in ("4. Mira +12 A 29@g2", "5. Tomas +19,6 A 15@e2 drop 6"):
            with page.expect_request("**/api/know"):
                page.locator("#line").fill(line.split(" ", 2)[2])
                page.locator("#line").press("Enter")
        expect(page.locator("#turns code").last).to_have_text("5. Tomas +19,6 A 15@e2 drop 6")
    assert refused == []
