"""Answers that come late: what was begun is played once, on the table that is shown, and moved nowhere unasked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from couperation_formal.game.tower import Value
from tests.board.local import Local
from tests.board.taps import LAPTOP, PHONE, Seat, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.slow
D1 = '[data-cell="d1"] .hit'


def late(page: Page, path: str) -> list[Route]:
    """The questions to this path from now on, which wait until they are gone on with."""
    held: list[Route] = []
    page.route(path, lambda route: held.append(route))
    return held


def test_what_is_pressed_twice_is_played_once(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        page.locator("#line").fill("+12 A 29@g2")
        expect(page.locator("#told")).to_contain_text("Keeps the rules")
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


def test_a_turn_begun_while_another_is_heard_of_is_not_moved_to_it(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, board, hand, page):
        expect(page.locator("#told")).to_contain_text("Tap what was drawn")
        held = late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*"):
            board.edit("turn", file=file.name, line="+12 A 29@g2")
        hand.tap('#fifty [data-card="19"]')
        let_go(page, held, "**/api/game?*")
        expect(page.locator("#there")).to_contain_text("4. Mira +12 A 29@g2")
        hand.tap("#let-go")
        hand.listed("4. Mira +12 A 29@g2")


def test_a_turn_goes_to_the_file_that_is_shown(browser: Browser, tmp_path: Path) -> None:
    for name in ("a.cgn", "b.cgn"):
        (tmp_path / name).write_text(thursday(3), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
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
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        ended: dict[str, Any] = {"content_type": "text/event-stream", "body": "retry: 100\n\n"}
        page.route("**/api/events", lambda route: route.fulfill(**ended))
        page.reload()
        hand.listed(thursday(3).splitlines()[-1].split(" ;")[0])
        hand.tap('#fifty [data-card="12"]')
        board.edit("turn", line="+12 A 29@g2")
        page.unroute("**/api/events")
        expect(page.locator("#there")).to_contain_text("4. Mira +12 A 29@g2")


def test_what_is_let_go_is_gone_also_where_another_table_is_looked_at(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, board, hand, page):
        for card in (12, 8):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("d1")
        expect(page.locator("#told .line").first).to_have_text("4. Mira +12 A 8@d1")
        hand.tap('#steps [data-go="back"]')
        board.edit("turn", file=file.name, line="+12 A 29@g2")
        expect(page.locator("#yours")).to_have_text("4. Mira +12 A 8@d1")
        hand.tap("#let-go")
        hand.listed("4. Mira +12 A 29@g2")
        hand.tap("#present")
        expect(page.locator("#clear")).to_have_attribute("aria-disabled", "true")


@contextmanager
def pressed(page: Page, selector: str) -> Iterator[None]:
    """The mouse is down on something meanwhile."""
    page.locator(selector).first.hover()
    page.mouse.down()
    yield
    page.mouse.up()


def test_a_press_is_felt_though_an_answer_comes_while_it_is_down(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, board, hand, page):
        expect(page.locator("#strip")).to_have_attribute("aria-busy", "false")
        hand.tap('#fifty [data-card="12"]')
        held = late(page, "**/api/draft")
        with page.expect_request("**/api/draft"):
            hand.tap('#hand [data-card="29"]')
        with pressed(page, '#tower [data-cell="g2"] .hit'), page.expect_response("**/api/draft"):
            let_go(page, held, "**/api/draft")
        expect(page.locator("#told .line").first).to_have_text("4. Mira +12 A 29@g2")
        hand.tap("#clear")
        for path, selector, shown in (
            ("game", '#turns [data-place="2"]', '#turns [data-place="2"][aria-pressed="true"]'),
            ("strip", "#strip .chip", "#books"),
        ):
            held = late(page, f"**/api/{path}?*")
            with page.expect_request(f"**/api/{path}?*"):
                board.edit("comment", file=file.name, place=1, text=path)
            with pressed(page, selector), page.expect_response(f"**/api/{path}?*"):
                let_go(page, held, f"**/api/{path}?*")
            expect(page.locator(shown)).to_be_visible()
            page.keyboard.press("Escape")


def test_what_was_begun_is_there_when_the_page_is_loaded_anew(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "x.cgn").write_text(thursday(3), "utf-8")
    with Local(tmp_path / "x.cgn", known=False) as board, screen(browser, board, **PHONE) as (hand, page):
        for tap in ('#fifty [data-card="12"]', '#hand [data-card="29"]'):
            hand.tap(tap)
        page.reload()
        hand.cell("g2")
        hand.tap("#up")
        hand.listed("4. Mira +12 A 29@g2")
        page.reload()
        hand.listed("4. Mira +12 A 29@g2")
        expect(page.locator("#told")).to_contain_text("Tap what was drawn")


def test_a_press_on_the_way_to_lay_waits_for_the_answer(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        held = late(page, "**/api/draft")
        with page.expect_request("**/api/draft"):
            hand.cell("g2")
        with pressed(page, "#up"), page.expect_response("**/api/draft"):
            let_go(page, held, "**/api/draft")
        hand.listed("4. Mira +12 A 29@g2")


def test_a_press_waits_for_the_verdict_on_what_it_lies_on(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        expect(page.locator("#told .verdict")).to_have_text("✓ Keeps the rules")
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


def test_a_card_that_was_due_for_what_is_taken_back_is_not_due_any_more(laptop: Seat) -> None:
    with laptop(thursday(9)) as (_, _, hand, page):
        for tap in ('#fifty [data-card="26"]', '#fifty [data-card="10"]', *(lay := ('#hand [data-card="12"]', D1))):
            hand.tap(tap)
        expect(page.locator("#told")).to_contain_text("Hand, destroy 1:")
        held = late(page, "**/api/draft")
        for tap in (D1, lay[0], *lay):
            hand.tap(tap)
        let_go(page, held, "**/api/draft")
        expect(page.locator('#told[aria-busy="false"] .line').first).to_have_text("10. Mira +26,10 A 12@d1")


def test_the_next_game_is_dealt_anew(browser: Browser, tmp_path: Path) -> None:
    with Local(tmp_path / "x.cgn", known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        for seat, name in enumerate(("Ida", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        for card in (2, 3, 4, 5):
            hand.tap(f'#dealt [data-card="{card}"]')
        for seat, name in ((2, "Kai"), (3, "Lea")):
            page.locator('[name="player"]').nth(seat).fill(name)
        expect(page.locator("#targets button:first-child")).to_have_text("Reserve: 1 50 2 3")
        page.evaluate("for (let i = 0; i < 2; i += 1) document.querySelector('#start .go').click()")
        page.locator("#game").wait_for()
        hand.tap("#new")
        expect(page.locator("#targets button:first-child")).to_have_text("Reserve: 1 50 ? ?")
        assert page.locator("#start-said").inner_text() == ""
    assert (tmp_path / "x.cgn").read_text("utf-8").count("[CGN") == 1


def let_go(page: Page, held: list[Route], path: str) -> None:
    """Answer what was held back."""
    for route in held:
        route.continue_()
    page.unroute(path)


def test_a_tap_before_an_earlier_table_is_there_is_a_tap_on_it(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#turns [data-place="3"]')
        held = late(page, "**/api/table?*")
        with page.expect_request("**/api/table?*"):
            hand.tap("#edit")
        hand.cell("d1")
        let_go(page, held, "**/api/table?*")
        expect(page.locator("#told .line").first).to_have_text("3. Noor +43,2 A 11@d1 drop 2")


def test_taps_while_a_turn_is_written_are_of_the_next_one(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        held = late(page, "**/api/edit")
        with page.expect_request("**/api/edit"):
            hand.tap("#up")
        for card in (19, 6, 15):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("e2")
        let_go(page, held, "**/api/edit")
        hand.listed("4. Mira +12 A 29@g2")
        expect(page.locator("#told .line").first).to_have_text("5. Tomas +19,6 A 15@e2")


def test_what_is_typed_while_something_is_written_stays(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, _, hand, page):
        line, remark, text = (page.locator(each) for each in ("#line", "#remark", "#text"))
        line.fill("+12 A 29@g2")
        expect(page.locator("#told")).to_contain_text("Keeps the rules")
        held = late(page, "**/api/edit")
        with page.expect_request("**/api/edit"):
            line.press("Enter")
        page.keyboard.insert_text("+19,6 A 15@e2 drop 6")
        page.keyboard.press("Enter")
        let_go(page, held, "**/api/edit")
        hand.listed("4. Mira +12 A 29@g2")
        expect(line).to_have_value("+19,6 A 15@e2 drop 6")
        expect(page.locator("#told .line")).to_have_text("5. Tomas +19,6 A 15@e2 drop 6")
        hand.tap('#turns [data-place="4"]')
        remark.fill("first")
        held = late(page, "**/api/edit")
        with page.expect_request("**/api/edit"):
            remark.press("Enter")
        page.keyboard.insert_text("second")
        let_go(page, held, "**/api/edit")
        expect(page.locator("#remarks")).to_contain_text("first")
        expect(remark).to_have_value("second")
        hand.tap("#tab-text")
        text.fill(text.input_value() + "; one\n")
        held = late(page, "**/api/edit")
        with page.expect_request("**/api/edit"):
            hand.tap("#put-text")
        text.press("Control+End")
        page.keyboard.insert_text("; two\n")
        let_go(page, held, "**/api/edit")
        expect(page.locator("#remarks")).to_contain_text("one")
        hand.tap("#put-text")
        expect(page.locator("#remarks")).to_contain_text("two")
    assert file.read_text("utf-8").endswith("; one\n; two\n")


def test_a_text_that_was_typed_waits_for_what_is_played_meanwhile(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        text = page.locator("#text")
        hand.tap("#tab-text")
        typed = text.input_value() + "; said\n"
        text.fill(typed)
        page.locator("#line").fill("+12 A 29@g2")
        page.locator("#line").press("Enter")
        hand.listed("4. Mira +12 A 29@g2")
        expect(text).to_have_value(typed)
        hand.tap("#put-text")
        expect(page.locator("#yours")).to_have_text(typed)
        expect(page.locator("#there")).to_contain_text("4. Mira +12 A 29@g2")
        hand.tap("#let-go")
        expect(text).to_have_value(re.compile(r"4\. Mira \+12 A 29@g2"))
        assert "; said" not in text.input_value()


def test_what_is_put_anew_stays_where_something_else_is_written(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#turns [data-place="3"]')
        hand.tap("#edit")
        expect(page.locator("#told .line")).to_have_text("3. Noor +43,2 A 11@e1 drop 2")
        hand.cell("d1")
        expect(page.locator("#told .line").first).to_have_text("3. Noor +43,2 A 11@d1 drop 2")
        hand.tap('#glyphs [data-glyph="!"]')
        hand.listed("3. Noor +43,2 A 11@e1 ! drop 2")
        expect(page.locator("#told .line").first).to_have_text("3. Noor +43,2 A 11@d1 drop 2")
        hand.tap("#back")
        expect(page.locator("#turns code")).to_have_count(2)
        expect(page.locator("#clear")).to_have_text("Take back")
        expect(page.locator("#told .line").first).to_have_text("3. Noor +43,2 A 11@d1 drop 2")
        assert page.locator("#notices").inner_text() == ""


def test_a_game_that_is_begun_stays_open_and_then_what_was_written_is_shown(laptop: Seat) -> None:
    with laptop(thursday(3)) as (file, board, hand, page):
        expect(page.locator("#told")).to_contain_text("Tap what was drawn")
        held = late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*"):
            board.edit("turn", file=file.name, line="+12 A 29@g2")
        hand.tap("#new")
        with page.expect_response("**/api/game?*"):
            let_go(page, held, "**/api/game?*")
        page.locator('[name="player"]').nth(0).fill("Ida")
        board.edit("turn", file=file.name, line="+19,6 A 15@e2 drop 6")
        hand.tap("#new")
        hand.listed("5. Tomas +19,6 A 15@e2 drop 6")


def test_what_was_begun_while_the_board_was_away_is_heard_when_it_is_back(laptop: Seat) -> None:
    with laptop(thursday(3)) as (_, _, hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        page.context.set_offline(True)
        hand.cell("g2")
        expect(page.locator("#notices")).to_contain_text("does not answer")
        page.context.set_offline(False)
        expect(page.locator("#notices")).to_be_empty()
        expect(page.locator("#told .line").first).to_have_text("4. Mira +12 A 29@g2")
        hand.away = True


def test_another_game_is_shown_also_where_the_board_is_heard_meanwhile(laptop: Seat) -> None:
    with laptop(f"{thursday(3)}\n{thursday(5)}") as (_, _, hand, page):
        expect(page.locator("#turns code")).to_have_count(5)
        held = late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*game=1"):
            page.locator("#which").select_option("1")
        with page.expect_request("**/api/game?*"):
            page.context.set_offline(True)
            page.context.set_offline(False)
        let_go(page, held, "**/api/game?*")
        expect(page.locator("#turns code")).to_have_count(3)
        expect(page.locator("#which")).to_have_value("1")
        hand.away = True


def test_a_game_that_is_refused_leaves_the_file_that_is_shown(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text(thursday(3), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap('#folder-games .game[data-file="a.cgn"]')
        hand.tap("#new")
        page.locator("#name").fill("b.cgn")
        for seat, name in enumerate(("Ida;Jo", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        hand.tap("#start .go")
        expect(page.locator("#start-said")).to_contain_text("no name can hold")
        expect(page.locator("#file")).to_have_value("a.cgn")
        page.locator('[name="player"]').nth(0).fill("Ida")
        hand.tap("#start .go")
        page.locator("#game").wait_for()
        expect(page.locator("#file")).to_have_value("b.cgn")
        expect(page.locator("#file option")).to_have_count(2)


def test_a_new_game_is_begun_although_another_one_comes_then(browser: Browser, tmp_path: Path) -> None:
    """What was asked for before comes behind it: a game that was opened, and a turn that was played."""
    (tmp_path / "a.cgn").write_text(thursday(3), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        for turns, path, tap in ((3, "game?*", '#folder-games .game[data-file="a.cgn"]'), (4, "edit", "#up")):
            held = late(page, f"**/api/{path}")
            with page.expect_request(f"**/api/{path}"):
                hand.tap(tap)
            hand.tap("#new")
            page.locator("#name").fill("b.cgn")
            with page.expect_response(f"**/api/{path}"):
                let_go(page, held, f"**/api/{path}")
            expect(page.locator("#turns code")).to_have_count(turns)
            expect(page.locator("#name")).to_be_visible()
            expect(page.locator("#game")).to_be_hidden()
            hand.tap("#new")
            expect(page.locator("#name")).to_be_hidden()
            page.locator("#line").fill("+12 A 29@g2")
            expect(page.locator("#up")).to_be_enabled()


def test_what_was_asked_for_before_a_game_is_begun_does_not_come_after_it(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.cgn").write_text(thursday(3), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        held = late(page, "**/api/game?*")
        with page.expect_request("**/api/game?*"):
            hand.tap('#folder-games .game[data-file="a.cgn"]')
        hand.tap("#new")
        page.locator("#name").fill("b.cgn")
        for seat, name in enumerate(("Ida", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        hand.tap("#start .go")
        expect(page.locator("#kept")).to_contain_text("b.cgn")
        with page.expect_response("**/api/game?*"):
            let_go(page, held, "**/api/game?*")
        expect(page.locator("html")).to_have_attribute("data-busy", "0")
        expect(page.locator("#kept")).to_contain_text("b.cgn")
        page.locator("#line").fill("+0 A 18@f1")
        page.locator("#line").press("Enter")
        hand.listed("1. Ida +0 A 18@f1")
    assert "1. Ida +0 A 18@f1" in (tmp_path / "b.cgn").read_text("utf-8")
    assert (tmp_path / "a.cgn").read_text("utf-8") == thursday(3)


def test_a_game_that_is_chosen_before_the_files_are_told_is_shown(browser: Browser, tmp_path: Path) -> None:
    for name, turns in (("a.cgn", 2), ("b.cgn", 3)):
        (tmp_path / name).write_text(thursday(turns), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        held = late(page, "**/api/files")
        page.reload()
        hand.tap('#folder-games .game[data-file="b.cgn"]')
        expect(page.locator("#turns code")).to_have_count(3)
        let_go(page, held, "**/api/files")
        expect(page.locator("#file option")).to_have_count(2)
        page.wait_for_selector("html.live")
        expect(page.locator("#file")).to_have_value("b.cgn")
        expect(page.locator("#turns code")).to_have_count(3)


def test_a_press_on_a_row_counts_although_the_games_are_read_again(browser: Browser, tmp_path: Path) -> None:
    """A row that says what it said stays where it is, so that a press that has begun on it ends on it."""
    for name in ("a.cgn", "b.cgn"):
        (tmp_path / name).write_text(thursday(3), "utf-8")
    with Local(tmp_path, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        expect(page.locator("#folder-told")).to_have_text("2 of 2 games")
        hand.tap('#folder-games .game[data-file="a.cgn"]')
        expect(page.locator("#folder")).to_be_hidden()
        held = late(page, "**/api/folder")
        with page.expect_request("**/api/folder"):
            hand.tap("#games")
        page.locator('#folder-games .game[data-file="b.cgn"]').hover()
        page.mouse.down()
        for route in held:
            route.continue_()
        expect(page.locator("#folder-told")).to_have_text("2 of 2 games")
        page.mouse.up()
        expect(page.locator("#folder")).to_be_hidden()
        expect(page.locator("#file")).to_have_value("b.cgn")


def test_that_it_was_copied_stays_said_when_what_was_asked_before_is_answered(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap("#share")
        hand.tap("#share-with .go")
        page.locator('#shares [data-share=""]').wait_for()
        held = late(page, "**/api/share")
        with page.expect_request("**/api/share"):
            hand.tap("#share-with .go")
        hand.tap('#shares [data-share=""] .tools button:first-child')
        expect(page.locator("#share-said")).to_have_text("Copied.")
        for route in held:
            route.continue_()
        page.locator('html[data-busy="0"]').wait_for()
        assert page.locator("#share-said").text_content() == "Copied."


def test_an_answer_that_comes_late_takes_no_share_away(laptop: Seat) -> None:
    """What was shared is asked for as the panel opens; something is shared and copied before that is answered."""
    with laptop(thursday(3)) as (_, _, hand, page):
        held: list[Route] = []
        page.route(
            "**/api/share", lambda route: held.append(route) if route.request.method == "GET" else route.continue_()
        )
        with page.expect_request("**/api/share"):
            hand.tap("#share")
        hand.tap("#share-with .go")
        hand.tap('#shares [data-share=""] .tools button:first-child')
        expect(page.locator("#share-said")).to_have_text("Copied.")
        (early,) = held
        early.fulfill(json={"shares": [], "addresses": ["nowhere"], "local": True, "of": None})
        page.unroute("**/api/share")
        page.locator('html[data-busy="0"]').wait_for()
        assert page.locator("#share-said").text_content() == "Copied."
        assert page.locator("#shares li").count() == 1
