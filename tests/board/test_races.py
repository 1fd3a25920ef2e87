"""Answers that come late: what was begun is played once, on the table that is shown, and moved nowhere unasked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from bench.board_client import Board
from couperation_formal.model.cards import Value
from tests.board.taps import LAPTOP, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow


def late(page: Page, path: str) -> list[Route]:
    """The questions to this path from now on, which wait until they are gone on with."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))
    return held


def test_what_is_pressed_twice_is_played_once(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        page.locator("#line").fill("+12 A 29@g2")
        expect(page.locator("#told")).to_contain_text("legal")
        held = late(page, "**/api/edit")
        with page.expect_request("**/api/edit"):
            page.evaluate("for (let i = 0; i < 2; i += 1) document.getElementById('up').click()")
        expect(page.locator("#up")).to_be_enabled()
        for route in held:
            route.continue_()
        page.unroute("**/api/edit")
        hand.listed("4. Mira +12 A 29@g2")
        assert len(held) == 1
        assert page.locator("#stale").is_hidden()


def test_a_turn_begun_while_another_is_heard_of_is_not_moved_to_it(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        expect(page.locator("#told")).to_contain_text("Tap what was drawn")
        held = late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*"):
            board.edit("turn", line="+12 A 29@g2")
        hand.tap('#fifty [data-card="19"]')
        for route in held:
            route.continue_()
        page.unroute("**/api/game?*")
        expect(page.locator("#there")).to_contain_text("4. Mira +12 A 29@g2")
        hand.tap("#let-go")
        hand.listed("4. Mira +12 A 29@g2")


def test_a_turn_goes_to_the_file_that_is_shown(browser: Browser, tmp_path: Path) -> None:
    for name in ("a.cgn", "b.cgn"):
        (tmp_path / name).write_text(thursday(3), "utf-8")
    with Board(tmp_path) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap('#folder-games .game[data-file="a.cgn"]')
        hand.listed(thursday(3).splitlines()[-1].split(" ;")[0])
        late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*"):
            page.locator("#file").select_option("b.cgn")
        page.locator("#line").fill("+12 A 29@g2")
        page.locator("#line").press("Enter")
        hand.listed("4. Mira +12 A 29@g2")
        page.unroute_all(behavior="ignoreErrors")
    assert "29@g2" in (tmp_path / "a.cgn").read_text("utf-8")
    assert (tmp_path / "b.cgn").read_text("utf-8") == thursday(3)


def test_who_was_cut_off_hears_what_was_written_meanwhile(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        ended: dict[str, Any] = {"content_type": "text/event-stream", "body": "retry: 100\n\n"}
        page.route("**/api/events", lambda route: route.fulfill(**ended))
        page.reload()
        hand.listed(thursday(3).splitlines()[-1].split(" ;")[0])
        hand.tap('#fifty [data-card="12"]')
        board.edit("turn", line="+12 A 29@g2")
        page.unroute("**/api/events")
        expect(page.locator("#there")).to_contain_text("4. Mira +12 A 29@g2")


def test_what_is_let_go_is_gone_also_where_another_table_is_looked_at(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#steps [data-go="back"]')
        board.edit("turn", line="+12 A 29@g2")
        hand.tap("#let-go")
        hand.listed("4. Mira +12 A 29@g2")
        hand.tap("#present")
        expect(page.locator("#clear")).to_have_attribute("aria-disabled", "true")


def test_a_press_waits_for_the_verdict_on_what_it_lies_on(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Board(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        expect(page.locator("#told .verdict")).to_have_text("✓ legal")
        held = late(page, "**/api/draft")
        with page.expect_request("**/api/draft"):
            hand.card(Value(12))
        told = page.locator("#told")
        expect(told).to_have_attribute("aria-busy", "true")
        page.evaluate("document.getElementById('up').click()")
        for route in held:
            route.continue_()
        page.unroute("**/api/draft")
        expect(told).to_have_attribute("aria-busy", "false")
        expect(page.locator("#up")).to_have_attribute("aria-disabled", "true")
        assert len(hand.turns) == 3
        assert page.locator("#notices").inner_text() == ""


def test_the_next_game_is_dealt_anew(browser: Browser, tmp_path: Path) -> None:
    with Board(tmp_path / "x.cgn") as board, screen(browser, board, **LAPTOP) as (hand, page):
        for seat, name in enumerate(("Ida", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        hand.tap("#dealing summary")
        hand.tap("#targets button:nth-child(3)")
        for card in (2, 3, 4, 5):
            hand.tap(f'#dealt [data-card="{card}"]')
        for seat, name in ((2, "Kai"), (3, "Lea")):
            page.locator('[name="player"]').nth(seat).fill(name)
        expect(page.locator("#targets button:nth-child(5)")).to_have_text("Reserve: 1 50 2 3")
        page.evaluate("for (let i = 0; i < 2; i += 1) document.querySelector('#start .go').click()")
        page.locator("#game").wait_for()
        hand.tap("#new")
        expect(page.locator("#targets button:nth-child(5)")).to_have_text("Reserve: 1 50 ? ?")
        assert page.locator("#start-said").inner_text() == ""
    assert (tmp_path / "x.cgn").read_text("utf-8").count("[CGN") == 1
