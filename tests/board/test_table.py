"""What stands around the turns: house rulings, marks that are remembered, another program's change, and paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from couperation_formal.game.tower import Value
from tests.board.local import Local
from tests.board.taps import PHONE, THURSDAY, Seat, problems, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow


def test_house_rulings_are_chosen_and_marks_are_remembered(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Local(file, known=False) as board, screen(browser, board, **PHONE) as (hand, page):
        page.locator('[name="player"]').nth(0).fill("Aki")
        page.locator('[name="player"]').nth(1).fill("Ben")
        page.locator("#rules").select_option("en-2")
        hand.tap("details:has(#rulings) summary")
        page.locator('[data-ruling="no_action"]').select_option("skipped")
        hand.tap("#marking summary")
        for mark in ("1", "", "H"):
            hand.tap(f'#marking [data-mark="{mark}"]')
        hand.tap("#start .go")
        hand.tap('#unseen [data-card="0"]')
        hand.card(Value(17))
        hand.cell("f1")
        hand.tap("#up")
        hand.listed("1. Aki +0 A 17@f1")
        page.reload()
        hand.listed("1. Aki +0 A 17@f1")
        hand.more()
        hand.tap("#new")
        expect(page.locator("#marks-told")).to_contain_text("2")
        page.locator('[name="player"]').nth(0).fill("Cy")
        page.locator('[name="player"]').nth(1).fill("Di")
        hand.tap("#start .go")
        expect(page.locator("#several")).to_be_visible()
    first, second = file.read_text("utf-8").split('[CGN "1"]')[1:]
    assert '[Rules "en-2 no_action=skipped"]' in first
    assert '[Rules "ja-2.2"]' in second
    assert all('[Marks "1:1 3:H"]' in each for each in (first, second))


def test_another_program_writes_the_file_and_the_page_asks(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, _, hand, page):
        page.locator("#line").fill("+12 A 29@g2")
        page.locator("#line").press("Enter")
        hand.listed("4. Mira +12 A 29@g2")
        file.write_text(thursday(2), "utf-8")
        page.locator("#line").fill("+19,6 A 15@e2 drop 6")
        page.locator("#line").press("Enter")
        hand.listed("5. Tomas +19,6 A 15@e2 drop 6")
        ask = page.locator("#notices button", has_text="Take theirs")
        expect(ask).to_be_visible()
        assert file.read_text("utf-8") == thursday(2)
        ask.click()
        hand.listed("2. Tomas +15 A 32@h1")
        expect(page.locator("#notices")).to_contain_text(f"{file.stem}-2.cgn")
    assert "5. Tomas +19,6 A 15@e2 drop 6" in file.with_stem(f"{file.stem}-2").read_text("utf-8")
    assert file.read_text("utf-8") == thursday(2)


def test_a_change_from_outside_is_told_to_an_idle_page_with_what_differs(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, _, hand, page):
        hand.tap('#fifty [data-card="12"]')
        file.write_text(thursday(2), "utf-8")
        notice = page.locator("#notices")
        expect(notice).to_contain_text("changed by somebody else")
        hand.tap("#notices summary")
        expect(notice.locator("pre")).to_have_text("+3. Noor +43,2 A 11@e1 drop 2")
        assert problems(page) == []
        expect(page.locator('#fifty [data-card="12"]')).to_have_attribute("aria-pressed", "true")
        hand.tap("#notices button", "Keep mine")
        expect(notice).to_contain_text(f"{file.stem}-2.cgn")
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        hand.tap("#up")
        hand.listed("4. Mira +12 A 29@g2")
    assert file.read_text("utf-8").startswith(thursday(3).rstrip())
    assert file.with_stem(f"{file.stem}-2").read_text("utf-8") == thursday(2)


def test_on_paper_the_tower_and_the_turns_are_left(laptop: Seat) -> None:
    with laptop(THURSDAY) as (_, _, hand, page):
        hand.listed("29. Tomas +0 A 23@d7")
        page.emulate_media(media="print")
        for kept in ("#tower", "#turns"):
            expect(page.locator(kept)).to_be_visible()
        for left in ("#acts", "#fifty", "#undo", "#line"):
            expect(page.locator(left)).to_be_hidden()
        assert page.locator("#turns code").count() == 29
        for part in ("#panel-turns", "#beside", "#game"):
            cut = page.locator(part).evaluate("node => node.scrollHeight - node.clientHeight")
            assert cut <= 1, f"{part} is cut off on paper"


def test_how_many_were_drawn_and_which_is_one_draw(laptop: Seat) -> None:
    """In whichever order it is told; a number alone says that they were not seen, and 0 that none was drawn."""
    with laptop(thursday(9)) as (_, _, hand, page):
        drawn = page.locator("#told .line").first
        for taps, line in (
            (('#unseen [data-card="1"]', '#fifty [data-card="26"]', '#fifty [data-card="10"]'), "+26,10"),
            (('#unseen [data-card="0"]', '#fifty [data-card="26"]', '#unseen [data-card="2"]'), "+26,?"),
            (('#fifty [data-card="10"]',), "+26,10"),
            (('#unseen [data-card="0"]',), "+0"),
        ):
            for tap in taps:
                hand.tap(tap)
            for tap in ('#hand [data-card="12"]', '[data-cell="d1"] .hit'):
                hand.tap(tap)
            expect(drawn).to_contain_text(f"10. Mira {line} A 12@d1")
            for tap in ('[data-cell="d1"] .hit', '#hand [data-card="12"]'):
                hand.tap(tap)
        hand.tap("#clear")
        for tap in ('#hand [data-card="12"]', '[data-cell="d1"] .hit', '#fifty [data-card="26"]'):
            hand.tap(tap)
        expect(drawn).to_contain_text("10. Mira +26 A 12@d1")  # where it is asked what was drawn
