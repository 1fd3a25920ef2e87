"""A quarrel at the table: a turn of each family of clauses that the rules refuse, told with its reasons, kept or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from bench.board_client import Board
from couperation_formal.model.record import Game
from couperation_formal.notation.read import read_text
from couperation_formal.replay.replay import replay
from couperation_formal.words.say import say
from tests.board.taps import LAPTOP, PHONE, Hand, screen
from tests.board.test_page import THURSDAY, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

Taps = Callable[[Hand], None]


def tapped(*taps: str) -> Taps:
    """Cells by their names, cards of the fifty by their numbers, others by their row."""

    def tap(hand: Hand) -> None:
        for each in taps:
            if each[0].isalpha() and each[1:].isdigit():
                hand.cell(each)
            elif each.isdigit():
                hand.tap(f'#fifty [data-card="{each}"]')
            else:
                hand.tap(each)

    return tap


def typed(line: str) -> Taps:
    return lambda hand: hand.page.locator("#line").fill(line)


REFUSED = [
    pytest.param(3, "SET06", tapped("18", "29", "g2"), "4. Mira +18 A 29@g2", id="SET06"),
    pytest.param(9, "TOW02", tapped("12", "f3"), "10. Mira +0 A 12@f3", id="TOW02"),
    pytest.param(3, "TOW03", tapped("29", "f4"), "4. Mira +0 A 29@f4", id="TOW03"),
    pytest.param(9, "TOW06", tapped("12", "h1"), "10. Mira +0 A 12@h1", id="TOW06"),
    pytest.param(3, "DRW02", tapped("12", "13", "29", "g2"), "4. Mira +12,13 A 29@g2", id="DRW02"),
    pytest.param(3, "ACT01", tapped("#none"), "4. Mira +0 -", id="ACT01"),
    pytest.param(
        3, "ACT05", tapped('#reserve [data-card="36"]', "29", "8", "g2"), "4. Mira +0 D 29+8=36@g2", id="ACT05"
    ),
    pytest.param(3, "LIM01", typed("A 29@g2 drop 8"), "4. Mira +0 A 29@g2 drop 8", id="LIM01"),
    pytest.param(3, "LIM02", typed("A 29@g2 trim 27"), "4. Mira +0 A 29@g2 trim 27", id="LIM02"),
    pytest.param(29, "END04", typed("A 11@a1"), "30. Noor +0 A 11@a1", id="END04"),
]


def message(text: str, place: int, clause: str) -> str:
    """What the rules say of this turn."""
    game = next(iter(read_text(text)))
    assert isinstance(game, Game)
    outcome = replay(game.record, game.record.rules.rulings)
    return next(say(each.what) for each in outcome.broken if (each.turn, each.clause) == (place, clause))


def test_a_turn_of_each_family_is_refused_with_its_message(browser: Browser, tmp_path: Path) -> None:
    for number, case in enumerate(REFUSED):
        turns, clause, taps, line = case.values
        file = tmp_path / f"{number}.cgn"
        text = thursday(turns) if turns < 29 else THURSDAY
        file.write_text(text, "utf-8")
        with Board(file) as board, screen(browser, board, **(PHONE if number % 3 == 0 else LAPTOP)) as (hand, page):
            taps(hand)
            expect(page.locator("#told .line").first).to_have_text(line)
            if clause != "END04":
                told = message(f"{text}{line}\n", turns + 1, clause)
                expect(page.locator("#told .finding", has_text=clause)).to_contain_text(told)
            expect(page.locator("#told .finding", has_text=clause).first).to_be_visible()
            hand.tap("#up")
            expect(page.locator("#turns code")).to_have_count(turns)
            hand.tap("#clear")
            expect(page.locator("#told .finding")).to_have_count(0)
        assert file.read_text("utf-8") == text


def test_a_quarrel_is_kept_and_its_whole_answer_told(browser: Browser, tmp_path: Path) -> None:
    """A draw after a heart on level 1 is legal under one rulebook only, and that is said at once."""
    file = tmp_path / "x.cgn"
    file.write_text(thursday(4), "utf-8")
    with Board(file) as board, screen(browser, board, **PHONE) as (hand, page):
        tapped("19", "6", "16", "17", "23", "15", "e2")(hand)
        expect(page.locator("#told .verdict")).to_contain_text("illegal")
        expect(page.locator("#told")).to_contain_text("DRW03")
        expect(page.locator("#told")).to_contain_text("Legal under")
        hand.tap("#keep")
        expect(page.locator("#turns code").last).to_contain_text("~~")
        expect(page.locator("#strip .chip").first).to_contain_text("✗ ja-2.2 · 5")
        expect(page.locator("#strip")).to_have_attribute("aria-busy", "false")
        hand.tap("#strip .chip >> nth=0")
        expect(page.locator("#answer")).to_contain_text("DRW03", timeout=60_000)
        expect(page.locator("#answer")).to_contain_text("verdict")
    assert "15@e2 ~~" in file.read_text("utf-8")
