"""A table of three records fourteen turns by touch, as such evenings go: a slip that is noticed two turns later, a
turn that the rules refuse, an undo, a page that is loaded anew in mid-turn, a board that is killed.

``python -m tests.board.journey FOLDER`` goes the same way in windows of five sizes, light and dark, and leaves a
picture of each state in the folder (`make look`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from playwright.sync_api import expect, sync_playwright

from bench.board import count, tapped
from couperation_formal.board.judge import stood_before
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import parse_rules
from couperation_formal.game.tower import Value
from couperation_formal.notation.write import turn_text
from couperation_formal.questions.records.sample import sample_game
from tests.board.local import Own
from tests.board.taps import Hand, game_of, marked, opened
from tests.kit.browser import ARGUMENTS, find_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TURNS = 14
SMALLEST = """() => Math.min(...["#acts button", "#hand button", "#reserve button", "#unseen button", "#more", "#undo"]
  .flatMap((each) => [...document.querySelectorAll(each)]).filter((each) => each.checkVisibility())
  .flatMap((each) => [each.offsetWidth, each.offsetHeight]))"""
"""The least width or height of a control that a turn needs, in points, but for the fifty cards and the cells."""
NEEDED = "stage unseen hand reserve fifty told-place acts"
SHOWN = f"""() => "{NEEDED}".split(" ").every((id) => {{
  const {{ top, bottom, left, right }} = document.getElementById(id).getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}})"""
"""Whether all that a turn needs is on the screen."""


def evening() -> Record:
    """The game: an exchange that destroys a card in turn 6, a card laid down in turn 9 and opened in turn 12."""
    record = sample_game(3, "first", parse_rules("ja-2.2"), 322, "careful")
    return msgspec.structs.replace(record, turns=record.turns[:TURNS], deck=None, result=None)


def journey(browser: Browser, file: Path, settings: dict[str, Any], shot: Callable[[Page, str], None]) -> list[int]:
    """Go all of it; `shot` is called with the page and the name of each state. The taps of each turn, what went wrong
    at it left out.
    """
    record, taps = evening(), []
    board = Own(file)
    assert board.post("/api/remember", marked(record)).status == 200
    hand, page = opened(browser, board, settings, known=False)
    shot(page, "start")
    hand.begin(record, remembered=True)
    for place, turn in enumerate(record.turns, 1):
        shot(page, f"turn-{place}")
        before = stood_before(record, place)
        if place == 4:  # 21 is tapped for 12
            slip = msgspec.structs.replace(turn, draw=(Value(21),))
            hand.take(slip, before)
            hand.listed(turn_text(slip))
            continue
        if place == 6:
            mended(hand, turn_text(record.turns[3]), shot)
        if place == 8:
            refused(hand, shot)
        hand.taps = 0
        if place == 10:
            hand.tap('#unseen [data-card="0"]')
            hand.card(Value(35))
            page.reload()
            shot(page, "loaded-anew")
            hand.cell("g4")
            hand.tap("#up")
        elif place == 11:
            board = killed(board, file, hand, shot)
            hand.take(turn, before)
        else:
            if place in (6, 9, 12):
                states(hand, place, shot)
                hand.taps = 0
            hand.take(turn, before)
        hand.listed(turn_text(turn))
        assert hand.taps <= count(turn, tapped(turn, before, False)).named
        taps.append(hand.taps)
    shot(page, "end")
    assert hand.problems == []
    page.context.close()
    assert board.stop() == 0
    assert list(map(turn_text, game_of(file).record.turns)) == list(map(turn_text, record.turns))
    return taps


def mended(hand: Hand, text: str, shot: Callable[[Page, str], None]) -> None:
    """Put the fourth turn anew."""
    hand.tap('#turns [data-place="4"]')
    hand.tap("#edit")
    expect(hand.page.locator("#clear")).to_have_text("Leave it as it was")
    shot(hand.page, "put-anew")
    for tap in ('#fifty [data-card="21"]', '#fifty [data-card="12"]', "#up"):
        hand.tap(tap)
    expect(hand.page.locator('#turns [data-place="4"] code')).to_have_text(text)
    hand.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")


def refused(hand: Hand, shot: Callable[[Page, str], None]) -> None:
    """A turn that the rules refuse is kept, and taken back."""
    for tap in ('#unseen [data-card="0"]', '#hand [data-card="14"]', '[data-cell="h3"] .hit'):
        hand.tap(tap)
    hand.page.locator("#told.no").wait_for()
    shot(hand.page, "refused")
    hand.keep()
    hand.listed("8. Ben +0 A 14@h3 ~~")
    shot(hand.page, "disputed")
    hand.tap("#undo")
    hand.listed("7. Aki +35 A 48@i2")


def killed(board: Own, file: Path, hand: Hand, shot: Callable[[Page, str], None]) -> Own:
    """The board is killed, and begun again at the same port: the page goes on by itself."""
    hand.away = True
    board.kill()
    expect(hand.page.locator("#link")).to_have_attribute("data-link", "cut")
    shot(hand.page, "cut-off")
    again = Own(file, "--port", str(board.port))
    expect(hand.page.locator("#link")).to_have_attribute("data-link", "live")
    return again


def states(hand: Hand, place: int, shot: Callable[[Page, str], None]) -> None:
    """What is shown while a card is chosen, and let go of."""
    for tap in {
        6: ('#fifty [data-card="31"]', '#reserve [data-card="50"]', '#hand [data-card="24"]'),
        9: ('#fifty [data-card="47"]', '#fifty [data-card="7"]', '#hand [data-card="7"]', '[data-cell="f1"] .hit'),
        12: ('#fifty [data-card="41"]', '[data-cell="f1"] .hit'),
    }[place]:
        hand.tap(tap)
    expect(hand.page.locator("html")).to_have_attribute("data-busy", "0")
    shot(hand.page, f"turn-{place}-begun")
    hand.tap("#clear")


def main() -> None:
    """Take the pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    sizes = ((390, 664), (390, 844), (844, 390), (768, 1024), (1366, 768))
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        os.environ["XDG_CONFIG_HOME"] = place
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(ARGUMENTS))
        for (wide, high), scheme in product(sizes, ("light", "dark")):
            name, touch = f"{wide}x{high}-{scheme}", wide < 1366
            window = {"viewport": {"width": wide, "height": high}, "has_touch": touch, "is_mobile": touch}

            def shot(page: Page, state: str, name: str = name) -> None:
                page.screenshot(path=folder / f"{name}-{state}.png")

            taps = journey(browser, Path(place) / f"{name}.cgn", {**window, "color_scheme": scheme}, shot)
            print(name, "taps:", *taps)
        browser.close()


if __name__ == "__main__":
    main()
