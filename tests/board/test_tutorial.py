"""The tutorial is done as it says: its game by taps, each button that it names, what it shows at the end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.board.local import Local
from tests.board.taps import PHONE, ROOT, Hand, screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

TUTORIAL = (ROOT / "docs" / "at-the-table.md").read_text("utf-8")
MARKS = {18: "H", 21: "H", 25: "1"}


def test_the_tutorial_is_done_as_it_says(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "friday.cgn"
    named = {" ".join(each.split()) for each in re.findall(r"\*\*([^*]+)\*\*", TUTORIAL)}
    found: set[str] = set()

    def seen(hand: Hand) -> None:
        words = " ".join(hand.page.locator("body").inner_text().split())
        found.update(each for each in named if each in words)

    with Local(file, known=False) as board, screen(browser, board, **PHONE) as (hand, page):
        page.locator('[name="player"]').nth(0).fill("Ida")
        page.locator('[name="player"]').nth(1).fill("Jon")
        page.locator("#rules").select_option("en-2")
        hand.tap("#marking summary")
        seen(hand)
        for value in range(1, 51):
            button = f'#marking [data-mark="{MARKS.get(value, "")}"]'
            if value in MARKS or value == 1:
                hand.tap(button)
            else:  # as a tap, which takes more than all else that is done here
                page.locator(button).evaluate("each => each.click()")
        hand.tap("#start .go")
        for card, cell in (("18", "f1"), ("21", "f2"), ("30", "h1")):
            if card != "21":
                hand.tap(f'#unseen [data-card="{int(card == "30")}"]')
            hand.tap(f'#fifty [data-card="{card}"]')
            hand.cell(cell)
            expect(page.locator("#told .line").first).to_contain_text(f"A {card}@{cell}")
            seen(hand)
            rest = page.locator('#hand [data-card="?"] .times')
            if card != "30":  # it came from the unseen hand
                expect(rest).to_have_text("×2")
                hand.tap("#up")
                hand.listed(f"{'1. Ida' if card == '18' else '2. Jon'} +0 A {card}@{cell}")
        told = " ".join(hand.told.split())
        for line in re.findall(r"^> (.+)$", TUTORIAL, re.MULTILINE):
            assert line.removesuffix(" …") in told
        hand.keep()
        hand.listed("3. Ida +? A 30@h1 ~~")
        hand.tap('#turns [data-place="3"]')
        seen(hand)
        glyphs = page.locator("#turns .finding").last
        expect(glyphs).to_contain_text("DRW03")
        hand.tap("#glyphs [data-glyph='~~']")
        hand.listed("3. Ida +? A 30@h1")
        seen(hand)
        hand.tap("#glyphs [data-glyph='~~']")
        hand.listed("3. Ida +? A 30@h1 ~~")
        hand.tap("#more")
        hand.tap("#share")
        hand.tap("#share-with .go")
        expect(page.locator("#share-local")).to_be_visible()
        expect(page.locator("#shares input")).to_have_value(re.compile("^http://127"))
        assert page.locator("#shares img").count() == 0
        seen(hand)
        hand.tap("#share-close")
        seen(hand)
        hand.tap('#steps [data-go="back"]')
        hand.tap("#tab-table")
        expect(page.locator("#told")).to_contain_text("After turn 2 of 3")
        seen(hand)
    assert named - found == set()
    assert file.read_text("utf-8").rstrip() == re.findall(r"```cgn\n(.*?)```", TUTORIAL, re.DOTALL)[0].rstrip()
