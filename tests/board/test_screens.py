"""Several screens: who writes shares the game, others watch it on a phone and as a player, and are cut off and back."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from couperation_formal.board.share import MOST_WATCHING
from tests.board.local import Local, Own
from tests.board.taps import LAPTOP, PHONE, Hand, problems, screen, thursday, watching

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DARK: dict[str, Any] = {**LAPTOP, "color_scheme": "dark", "reduced_motion": "reduce"}

pytestmark = pytest.mark.slow


ENTRY = ("form", "input", "textarea", "select", "dialog", "[data-card]", "#typed", "#acts", "#undo", "#text", "#fifty")
"""What a page that watches does not hold."""
PARTS = """() => Object.fromEntries(["tower", "last", "mover", "seer", "piles"].map((id) => {
  const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
  return [id, [left, top, right, bottom].map(Math.round)];
}))"""


def test_a_laptop_writes_and_a_phone_and_a_player_watch(browser: Browser, tmp_path: Path) -> None:
    """A journey: shared by the panel, followed on two screens, looked back, cut off, started again, withdrawn."""
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    board = Own(file, "--host", "0.0.0.0")
    with ExitStack() as stack:
        hand, page = stack.enter_context(screen(browser, board, known=False, **LAPTOP))
        hand.tap("#share")
        hand.tap("#share-with .go")
        everybody = copied(hand, "")
        page.locator("#share-as").select_option("Mira")
        hand.tap("#share-with .go")
        mira = copied(hand, "Mira")
        assert problems(page) == []
        page.keyboard.press("Escape")
        expect(page.locator("#sharing")).to_be_hidden()
        phone = stack.enter_context(watching(browser, everybody, **PHONE))
        tablet = stack.enter_context(watching(browser, mira, **DARK))
        for watched, hands in ((phone, ["?"]), (tablet, ["8", "29", "39"])):
            expect(watched.locator("#last")).to_have_text("3. Noor +?,? A 11@e1 drop ?")
            expect(watched.locator("#piles dd").first.locator(".card > span:first-child")).to_have_text(hands)
            assert [each for each in ENTRY if watched.locator(each).count()] == []
            assert problems(watched) == []
            assert watched.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert phone.locator("#tower").bounding_box()["height"] > 844 * 0.4  # type: ignore[index]
        assert tablet.locator("#tower").bounding_box()["height"] > 768 * 0.85  # type: ignore[index]
        places = [watched.evaluate(PARTS) for watched in (phone, tablet)]
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        hand.tap("#up")
        expect(phone.locator("#last")).to_have_text("4. Mira +? A 29@g2")
        expect(tablet.locator("#last")).to_have_text("4. Mira +12 A 29@g2")
        expect(phone.locator("#mover")).to_have_text("Tomas's turn")
        assert [watched.evaluate(PARTS) for watched in (phone, tablet)] == places
        phone.locator('#turns [data-place="2"]').tap()
        expect(phone.locator("#mover")).to_have_text("After turn 2 of 4")
        expect(phone.locator('#tower [data-cell="g2"] .cf-text')).to_have_count(0)
        phone.context.set_offline(True)
        expect(phone.locator("#link")).to_contain_text("cut off")
        play(hand, "+19,6 A 15@e2 drop 6", "5. Tomas +19,6 A 15@e2 drop 6")
        expect(tablet.locator("#last")).to_have_text("5. Tomas +?,? A 15@e2 drop ?")
        expect(phone.locator("#turns li")).to_have_count(4)
        phone.context.set_offline(False)
        expect(phone.locator("#link")).to_have_text("live")
        expect(phone.locator("#mover")).to_have_text("After turn 2 of 5")
        phone.locator("#present").tap()
        expect(phone.locator("#last")).to_have_text("5. Tomas +?,? A 15@e2 drop ?")
        board.kill()
        for watched in (phone, tablet):
            expect(watched.locator("#link")).to_contain_text("cut off")
        stack.enter_context(again := Own(file, "--host", "0.0.0.0", "--port", str(board.port)))
        page.goto(again.address)
        for watched in (phone, tablet):
            expect(watched.locator("#link")).to_have_text("live")
        hand.listed("5. Tomas +19,6 A 15@e2 drop 6")
        hand.away = True
        cookie = again.entered(f"/?{urlsplit(everybody).query}")
        held = [again.listen(cookie) for _ in range(MOST_WATCHING)]
        assert 429 in [each.status for each in held]
        late = stack.enter_context(watching(browser, everybody, **PHONE))
        expect(late.locator("#link")).to_have_text("looking again every few seconds")
        expect(late.locator("#turns li")).to_have_count(5)
        hand.tap("#undo")
        expect(tablet.locator("#turns li")).to_have_count(4)
        expect(phone.locator("#last")).to_have_text("4. Mira +? A 29@g2")
        hand.tap("#share")
        if page.locator('#shares [data-share="Mira"] details:not([open])').count():
            hand.tap('#shares [data-share="Mira"] summary')
        hand.tap('#shares [data-share="Mira"] .quiet')
        expect(tablet.locator("#link")).to_have_text("no longer shared")
        expect(page.locator('#shares [data-share="Mira"]')).to_have_count(0)
        expect(phone.locator("#link")).to_have_text("live")
        page.close()  # it would miss its board, which ends first


def test_a_telephone_records_by_the_code_and_the_laptop_shows_it(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Own(file, "--host", "0.0.0.0") as board, screen(browser, board, known=False, **LAPTOP) as (hand, page):
        assert board.process.stdout is not None
        told = board.process.stdout.readline().rpartition(" ")[2].strip()
        if not told.startswith("http"):
            pytest.skip("no address here by which others reach it")
        hand.tap("#share")
        hand.tap("#share-record summary")
        page.wait_for_function("() => document.getElementById('share-code').naturalWidth > 100")
        assert problems(page) == []
        page.keyboard.press("Escape")
        board.address, board.host = told, urlsplit(told).netloc
        with screen(browser, board, known=False, **PHONE) as (finger, phone):
            finger.tap('#fifty [data-card="12"]')
            finger.tap('#hand [data-card="29"]')
            finger.cell("g2")
            finger.tap("#up")
            finger.listed("4. Mira +12 A 29@g2")
            assert phone.url == f"http://{board.host}/"
        hand.listed("4. Mira +12 A 29@g2")


def test_who_watches_follows_the_steps_of_who_writes_or_looks_alone(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(5), "utf-8")
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap("#share")
        hand.tap("#share-with .go")
        address = copied(hand, "")
        page.keyboard.press("Escape")
        with watching(browser, address, **PHONE) as phone:
            mover, follow = phone.locator("#mover"), phone.locator("#present")
            expect(mover).to_have_text("Noor's turn")
            hand.tap('#steps [data-go="back"]')
            expect(mover).to_have_text("After turn 4 of 5")
            expect(follow).to_be_hidden()
            phone.locator('#turns [data-place="2"]').tap()
            expect(mover).to_have_text("After turn 2 of 5")
            expect(phone.locator("#tower")).to_be_in_viewport(ratio=0.9)
            hand.tap('#steps [data-go="back"]')
            expect(page.locator("#told")).to_contain_text("After turn 3 of 5")
            expect(mover).to_have_text("After turn 2 of 5")
            follow.tap()
            expect(mover).to_have_text("After turn 3 of 5")
            expect(follow).to_be_hidden()
            hand.tap("#present")
            expect(mover).to_have_text("Noor's turn")
            hand.tap('#steps [data-go="first"]')
            expect(mover).to_have_text("After turn 0 of 5")
            hand.tap("#present")
            expect(mover).to_have_text("Noor's turn")
            play(hand, "+33 A 22@f2", "6. Noor +33 A 22@f2")
            expect(mover).to_have_text("Mira's turn")


def copied(hand: Hand, player: str) -> str:
    """The address of a share, copied and put into a field; its code is drawn."""
    share = hand.page.locator(f'#shares [data-share="{player}"]')
    hand.tap(f'#shares [data-share="{player}"] .tools button:first-child')
    expect(hand.page.locator("#share-said")).to_have_text("Copied.")
    if hand.page.locator("#share-plain").is_visible():  # other machines can open it
        hand.page.wait_for_function(
            'player => document.querySelector(`[data-share="${player}"] img`).naturalWidth > 100', arg=player
        )
    return share.locator("input").input_value()


def play(hand: Hand, line: str, listed: str) -> None:
    """Type a turn."""
    field = hand.page.locator("#line")
    field.fill(line)
    expect(hand.page.locator("#told")).to_contain_text("Keeps the rules")
    field.press("Enter")
    hand.listed(listed)
