"""What is told, as a person sees it: notices and the box under the tower, by clicks and taps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.board.local import Local
from tests.board.taps import LAPTOP, Hand, Seat, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PLACES = """() => ["tower", "hand", "reserve", "fifty", "acts"].map((id) => {
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


def test_what_fits_then_is_told_to_who_wants_hints(laptop: Seat) -> None:
    with laptop('[CGN "1"]\n[Players "Ada Bo"]\ndeal Ada 17 28 30\n*\n') as (_, _, hand, page):
        hand.tap("#tab-know")
        page.locator("#know-hints").check()
        hand.tap('#unseen [data-card="0"]')
        hand.tap('#hand [data-card="28"]')
        hand.cell("h1")
        expect(page.locator("#told")).to_contain_text("What fits then: i1 29 or more, g2 26–27.")


def refuses(hand: Hand, page: Page) -> None:
    """A card on a cell where it cannot lie."""
    hand.tap('#unseen [data-card="0"]')
    hand.tap('#hand [data-card="29"]')
    hand.cell("d1")
    expect(page.locator("#told .verdict")).to_contain_text("Against the rules")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_refused_turn_grows_its_box_and_is_kept_by_two_presses(
    phone: Seat, motion: Literal["no-preference", "reduce"]
) -> None:
    """On the smallest screen: nothing moves, the reason comes first, and the button that confirms plays nothing."""
    with phone(thursday(3)) as (file, _, hand, page):
        page.set_viewport_size({"width": 390, "height": 664})
        page.emulate_media(reduced_motion=motion)
        told = page.locator("#told")
        expect(told).to_contain_text("Tap")
        page.evaluate("document.body.classList.remove('more')")
        before, low = places(page), told.bounding_box()
        refuses(hand, page)
        high = told.bounding_box()
        assert low is not None
        assert high is not None
        assert high["height"] > low["height"]
        assert high["y"] + high["height"] == pytest.approx(low["y"] + low["height"], abs=1)
        assert 0 <= high["y"] <= 664 - high["height"]
        assert places(page) == before
        first, last = told.locator("> *").first, told.locator("> *").last
        expect(first).to_have_text(re.compile("^✗ Against the rules: 29 on d1 .* TOW"))
        expect(last).to_have_class(re.compile("line"))
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport(ratio=1)
        expect(page.locator("#up")).to_have_text("Against the rules: keep as disputed")
        hand.tap("#up")
        expect(told).to_have_css("outline-width", "3px")
        expect(told).to_have_css("animation-name", "refused" if motion == "no-preference" else "none")
        assert len(hand.turns) == 3
        hand.tap("#up")
        hand.listed("4. Mira +0 A 29@d1 ~~")
        page.emulate_media(reduced_motion="no-preference")
    assert file.read_text("utf-8") == f"{thursday(3)}4. Mira +0 A 29@d1 ~~\n"
