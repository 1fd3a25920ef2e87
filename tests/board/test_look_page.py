"""Looking at a game as a person does: steps, what if, comments, views, what is taken along, the games of a folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from couperation_formal.game.tower import Value
from tests.board.local import Local
from tests.board.taps import LAPTOP, THURSDAY, Hand, Seat, lost, problems, screen, thursday

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

PLACES = """() => Object.fromEntries(
  [..."stage steps told-place hand reserve unseen fifty line".split(" ")].map((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return [id, [left, top + scrollY, right, bottom + scrollY].map(Math.round)];
  }))"""

SMALL = """() => [...document.querySelectorAll(":is(#steps, #what-if, #look-acts, #turns) button")].filter((each) => {
  const { width, height } = each.getBoundingClientRect();
  return width > 0 && !each.closest("#glyphs, .typed, .tools") && (width < 40 || height < 40);
}).map((each) => each.outerHTML)"""
"""Buttons of looking that are too small for a finger."""


def cards(page: Page, row: str) -> list[str]:
    return page.locator(f"#{row} .value").all_inner_texts()


def glass(page: Page, cell: str) -> str:
    return page.locator(f'#tower [data-cell="{cell}"]').get_attribute("aria-label") or ""


def says(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#told")).to_contain_text(text)


def test_earlier_tables_are_looked_at_and_what_was_begun_waits(laptop: Seat) -> None:
    with laptop(thursday(9)) as (file, board, hand, page):
        places = page.evaluate(PLACES)
        hand.tap('#fifty [data-card="26"]')
        hand.tap('#fifty [data-card="10"]')
        hand.tap('#reserve [data-card="36"]')
        says(page, "= 36")
        expect(page.locator("#told .chip", has_not_text="= 36")).to_have_count(0)
        expect(page.locator("#told")).to_have_attribute("aria-busy", "false")
        begun = hand.told
        hand.tap('#steps [data-go="back"]')
        says(page, "After turn 8 of 9")
        assert page.locator("#acts").is_hidden()
        for selector in ('#fifty [data-card="3"]', "#hand .card", '#reserve [data-card="36"]'):
            hand.tap(selector)
        hand.cell("j1")
        page.locator("#line").press("Enter")
        says(page, "After turn 8 of 9")
        page.locator("#tab-turns").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Home")
        says(page, "The set-up, before 9 turns")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("j")
        page.keyboard.press("j")
        says(page, "3. Noor draws 43 and 2; lays 11 up on e1; destroys 2.")
        says(page, "32 bears two diamonds")
        assert "11" in glass(page, "e1")
        assert cards(page, "hand") == ["8", "29", "39"]
        expect(page.locator('#turns [aria-current="step"] code')).to_have_text("3. Noor +43,2 A 11@e1 drop 2")
        hand.tap('#turns [data-place="5"]')
        says(page, "After turn 5 of 9")
        assert page.evaluate(PLACES) == places
        found = problems(page)
        board.edit("comment", file=file.name, place=9, text="told elsewhere")
        expect(page.locator("#yours")).to_have_text("a turn that was begun")
        hand.tap("#again")
        says(page, "After turn 5 of 9")
        hand.tap('#steps [data-go="last"]')
        expect(page.locator("#told")).to_have_text(begun.replace("\n", ""), use_inner_text=False)
        assert cards(page, "hand")[-2:] == ["26", "10"]
        hand.tap("#fork")
        expect(page.locator("#what-if-head")).to_have_text("What if, from turn 9")
        page.keyboard.press("Escape")
        assert cards(page, "hand")[-2:] == ["26", "10"]
        page.keyboard.press("Escape")
        hand.tap("#play")
        says(page, "The set-up, before 9 turns")
        says(page, "After turn 1 of 9")
        hand.tap("#play")
        hand.tap("#present")
        says(page, "Tap what was drawn")
        assert found == []
    assert file.read_text("utf-8") == thursday(9).replace("46@j1 ;", "46@j1 { told elsewhere } ;")


def test_turns_are_sentences_marks_are_spoken_and_what_a_tab_opens_is_in_view(phone: Seat) -> None:
    with phone(thursday(9)) as (_, _, hand, page):
        newest, other = (page.locator(f'#turns [data-place="{place}"]') for place in (9, 3))
        expect(newest).not_to_be_in_viewport()
        hand.tap("#tab-table")
        expect(page.locator("#piles dd").first).to_be_in_viewport()
        hand.tap("#tab-turns")
        expect(newest).to_be_in_viewport()
        assert other.inner_text().startswith("3. Noor draws 43 and 2; lays 11 up on e1; destroys 2.")
        expect(newest.locator("code")).to_be_hidden()
        hand.tap("[data-cgn-shown] summary")
        expect(newest.locator("code")).to_be_visible()
        card = page.locator('#fifty [data-card="25"]')
        expect(card).to_have_attribute("aria-label", "25, two diamonds, elsewhere on the table")
        expect(card.locator(".mark")).to_have_text("♦♦")
        assert glass(page, "g1") == "25, two diamonds, on g1"
        assert problems(page) == []


def test_a_game_that_is_lost_says_why_and_what_next(phone: Seat) -> None:
    with phone(lost(35)) as (_, _, hand, page):
        says(page, "No action is possible: that is the turn.")
        hand.tap("#acts #none")
        hand.tap("#up")
        says(page, "The game is lost: no action was possible.")
        expect(page.locator("#acts")).to_be_hidden()
        with page.expect_download() as made:
            hand.tap("#end-report")
        assert made.value.suggested_filename.endswith("-page.html")
        assert problems(page) == []
        hand.tap("#same")
        assert [page.locator('[name="player"]').nth(seat).input_value() for seat in (0, 1, 2)] == ["Aki", "Ben", ""]
        expect(page.locator("#rules")).to_have_value("en-2")
        hand.tap("#new")


def test_a_game_that_is_won_is_poured_unless_motion_is_unwanted(laptop: Seat) -> None:
    with laptop(THURSDAY) as (_, _, hand, page):
        poured = "getComputedStyle(document.getElementById('tower')).animationName"
        assert page.evaluate(poured) == "pour"
        page.emulate_media(reduced_motion="reduce")
        assert page.evaluate(poured) == "none"
        page.emulate_media(reduced_motion="no-preference")
        hand.tap('#steps [data-go="back"]')
        says(page, "After turn 28 of 29")
        assert page.evaluate(poured) == "none"
        hand.tap("#present")


def test_a_key_for_each_frequent_act_and_paper_with_all_that_lies_there(laptop: Seat) -> None:
    with laptop(thursday(9)) as (_, _, hand, page):
        page.keyboard.press("c")
        expect(page.locator("#line")).to_be_focused()
        page.keyboard.type("?")
        expect(page.locator("#line")).to_have_value("?")
        hand.tap("#clear")
        page.locator("#told").focus()
        page.keyboard.press("?")
        keys = page.get_by_role("dialog", name="The keys")
        expect(keys).to_contain_text("Next turn, in CGN")
        assert problems(page) == []
        hand.tap(".keys button")
        expect(keys).to_have_count(0)
        page.keyboard.press("w")
        expect(page.locator("#what-if-head")).to_have_text("What if, from turn 9")
        page.keyboard.press("Escape")
        page.emulate_media(media="print", color_scheme="dark")
        for part in ("#tower", "#piles", "#turns"):
            expect(page.locator(part)).to_be_visible()
        expect(page.locator("#piles dt").first).to_have_text("Mira")
        expect(page.locator("button:visible:not(.turn)")).to_have_count(0)
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        page.emulate_media(media="screen", color_scheme="light")


def test_what_if_is_tried_kept_opened_and_removed(phone: Seat) -> None:
    with phone(THURSDAY) as (file, _, hand, page):
        hand.more()
        before = page.evaluate(PLACES)
        hand.tap('#turns [data-place="9"]')
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        hand.tap("#try")
        expect(page.locator("#what-if-head")).to_have_text("What if, from turn 9")
        exchange(hand)
        lines = page.locator("#what-if-turns code")
        expect(lines).to_have_text(["10. Mira +26,10 D 26+10=36@h2x? drop 45 trim 50"])
        hand.tap('#hand [data-card="19"]')
        hand.cell("d7")
        says(page, "Against the rules")
        hand.keep()
        expect(lines).to_have_count(2)
        expect(lines.last).to_contain_text("19@d7 ~~")
        assert page.locator("#what-if .finding").count() == 1
        hand.tap("#what-if-back")
        expect(lines).to_have_count(1)
        line = page.locator("#line")
        line.fill("B 7@d1")
        says(page, "11. Tomas +0 B 7@d1")
        line.press("Enter")
        expect(lines).to_have_count(2)
        assert page.evaluate(PLACES) == before
        found = problems(page)
        assert page.evaluate(SMALL) == []
        hand.tap('#steps [data-go="back"]')
        expect(page.locator("#what-if-turns [aria-current] code")).to_have_text(lines.first.inner_text())
        hand.tap('#steps [data-go="last"]')
        hand.tap("#what-if-keep")
        says(page, "what if: 10. Mira +26,10 D 26+10=36@h2x? drop 45 trim 50 / 11. Tomas +0 B 7@d1")
        hand.tap("#remarks [data-open]")
        expect(lines).to_have_count(2)
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        hand.tap("#what-if-drop")
        says(page, "After turn 9 of 29")
        assert "what if: 10." in file.read_text("utf-8")
        hand.tap('#remarks [data-remove="0"]')
        expect(page.locator("#remarks li")).to_have_count(1)
        assert found == []
    assert file.read_text("utf-8") == THURSDAY


def exchange(hand: Hand) -> None:
    """A turn with all that there is: two cards drawn, an exchange, a drop and a trim."""
    hand.draw((Value(26), Value(10)))
    hand.tap('#reserve [data-card="36"]')
    hand.card(Value(26))
    hand.card(Value(10))
    hand.cell("h2")
    hand.tap('#told [data-part="drop"]', "45")
    hand.tap('#told [data-part="trim"]', "50")
    hand.tap("#up")


def test_the_games_of_a_folder_are_found_opened_and_taken_along(browser: Browser, tmp_path: Path) -> None:
    for name, text in {
        "thursday.cgn": THURSDAY, "wrong.cgn": f"{thursday(3)}4. Mira +12 A 29@a7\n", "none.cgn": "nothing\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text, "utf-8")
    settings: dict[str, Any] = {**LAPTOP, "color_scheme": "dark", "reduced_motion": "reduce"}
    with Local(tmp_path, known=False) as board, screen(browser, board, **settings) as (hand, page):
        shown = page.locator("#folder-games .game:visible")
        expect(page.locator("#folder-told")).to_have_text("3 of 3 games")
        expect(shown).to_have_count(3)
        found = problems(page)
        hand.tap('#folder-verdicts [data-verdict="illegal"]')
        expect(shown).to_have_count(1)
        expect(shown).to_contain_text("Illegal at turn 4")
        hand.tap('#folder-verdicts [data-verdict=""]')
        page.keyboard.press("Shift+Tab")
        page.keyboard.type("noor WON")
        expect(shown).to_have_count(1)
        page.keyboard.press("Tab")
        hand.tap("#folder-games .game")
        assert page.locator("#folder").is_hidden()
        says(page, "The game is won.")
        hand.tap("#tab-table")
        page.locator("#seen-by").select_option(label="Tomas")
        says(page, "After turn 29 of 29, as Tomas saw it")
        hand.tap('#steps [data-go="first"]')
        says(page, "The set-up, before 29 turns, as Tomas saw it")
        for _ in range(3):
            hand.tap('#steps [data-go="on"]')
        says(page, "3. Noor +?,? A 11@e1 drop ?")
        assert page.locator('#turns [data-place="3"] code').text_content() == "3. Noor +?,? A 11@e1 drop ?"
        assert cards(page, "hand") == ["?"]
        for form, ending in (("position", "cgn"), ("svg", "svg"), ("png", "png"), ("report", "html")):
            with page.expect_download() as saved:
                hand.tap(f'#exports [data-form="{form}"]')
            assert saved.value.suggested_filename.endswith(f".{ending}")
            data = Path(saved.value.path()).read_bytes()
            if form == "png":
                assert data.startswith(b"\x89PNG")
                assert len(data) > 20_000
            else:
                assert (b"+43" if form == "report" else b">43<") not in data
                assert (b"hand Noor ? ? ?" in data) is (form != "svg")
        hand.tap("#games")
        expect(page.locator("#folder-told")).to_contain_text("1 of 3 games")
        page.keyboard.press("Escape")
        says(page, "as Tomas saw it")
        page.keyboard.press("Escape")
        says(page, "The game is won.")
        assert found == []
    assert (tmp_path / "thursday.cgn").read_text("utf-8") == THURSDAY
