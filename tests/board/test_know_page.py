"""The chip that tells what is known of a table, and its panel, by taps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from couperation_formal.board.judge import stood_before
from couperation_formal.game.tower import Value
from tests.board.local import Local
from tests.board.taps import LAPTOP, LOST, PHONE, Hand, game_of, lost, problems, screen
from tests.page.pages import DRAWN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route


def overlaps(page: Page) -> list[str]:
    """The glasses that the chip lies over."""
    found: list[str] = page.evaluate("""() => {
      const chip = document.getElementById("know-chip").getBoundingClientRect();
      return [...document.querySelectorAll("#tower [data-cell] use")].filter((each) => {
        const { left, top } = each.getBoundingClientRect();
        return left < chip.right && top < chip.bottom;
      }).map((each) => each.parentNode.dataset.cell);
    }""")
    return found


def told(hand: Hand, chip: Locator) -> None:
    """Have it told while a game is being recorded."""
    hand.tap("#tab-know")
    hand.tap("label:has(#know-hints)")
    expect(chip).to_have_text("✓ alive")


@pytest.mark.slow
def test_a_tower_dies_by_taps_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    questions: list[str] = []
    file.write_text(lost(31), "utf-8")
    with Local(file) as board, screen(browser, board, **PHONE) as (hand, page):
        chip, panel, table = (page.locator(f"#{name}") for name in ("know-chip", "panel-know", "know-table"))
        page.on("request", lambda request: questions.append(request.url) if "/api/know" in request.url else None)
        hand.tap("#tab-know")
        expect(panel).to_contain_text("at the table hints are forbidden")
        expect(chip).to_be_hidden()
        assert questions == []
        told(hand, chip)
        page.reload()
        expect(chip).to_have_text("✓ alive")
        hand.tap('#unseen [data-card="0"]')
        hand.card(Value(13))
        hand.cell("d6")
        hand.tap("#down")
        hand.listed("32. Ben +0 B 13@d6")
        expect(chip).to_have_text("✗ lost since turn 32")
        expect(page.locator("#know-heard")).to_have_text("Table: lost since turn 32")
        assert overlaps(page) == []
        hand.tap("#know-chip")
        expect(panel).to_be_focused()
        expect(panel).to_contain_text("from turn 32 on no continuation wins")
        expect(panel).to_contain_text("d6 must hold a number between 17 and 20, and none is left.")
        expect(panel).not_to_contain_text("spec/", use_inner_text=True)
        hand.tap("#panel-know summary")
        expect(panel).to_contain_text("spec/", use_inner_text=True)
        assert page.locator("#tower .known").get_attribute("data-cell") == "d6"
        assert problems(page) == []
        for button in page.locator("#know-chip, #panel-know button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 40
        hand.tap("#know-close")
        expect(chip).to_be_focused()
        expect(page.locator("#tower .known")).to_have_count(0)
        hand.tap("#undo")
        expect(chip).to_have_text("✓ alive")
        hand.tap("#know-chip")
        expect(table).to_contain_text("Some continuation of legal turns wins from here.")
        expect(page.locator("#what-if")).to_be_hidden()
        hand.tap("#know-line")
        expect(page.locator("#what-if-turns li").first).to_contain_text("32. Ben")
        hand.tap("#what-if-drop")
        hand.tap("#know-close")
        for name in ("know", "turns"):  # from its tab the panel stands below, and lies over nothing
            hand.tap(f"#tab-{name}")


@pytest.mark.slow
def test_a_table_is_lost_by_taps_and_what_would_have_saved_it(browser: Browser, tmp_path: Path) -> None:
    file, record = tmp_path / "x.cgn", game_of(LOST).record
    file.write_text(lost(33), "utf-8")
    with Local(file) as board, screen(browser, board, **LAPTOP) as (hand, page):
        chip, more = page.locator("#know-chip"), page.locator("#know-more")
        told(hand, chip)
        hand.tap("#fork")
        expect(page.locator("#what-if-head")).to_have_text("What if, from turn 33")
        hand.take(record.turns[33], stood_before(record, 34))
        expect(chip).to_have_text("✗ lost since turn 34")
        hand.tap("#what-if-drop")
        expect(chip).to_have_text("✓ alive")
        hand.take(record.turns[33], stood_before(record, 34))
        expect(chip).to_have_text("✗ lost since turn 34")
        assert overlaps(page) == []
        hand.tap("#tab-know")
        expect(more).to_have_text("")
        hand.tap("#know-saving")
        expect(more).to_contain_text("4 legal actions after the draw of this turn would have kept")
        assert "† ✓ Keeps the rules, and loses" in marked(page)
        expect(page.locator('#tower [data-cell="j1"]')).to_contain_text("†")
        expect(page.locator("#tower text.ghost")).to_have_count(4)
        assert problems(page) == []
        hand.cell("e5")
        expect(page.locator("#what-if-turns li").first).to_contain_text("34. Ben +3,48 D 11-33^3^48=24@e5x21 trim")
        expect(page.locator("#what-if-turns [aria-current]")).to_contain_text("36. Ben +0 A 21@d7")
        expect(page.locator("#told")).to_contain_text("The game is won.")
        hand.tap("#what-if-drop")
        hand.tap("#present")
        page.locator("#panel-know").press("Escape")
        expect(page.locator("#tab-turns")).to_have_attribute("aria-selected", "true")
        hand.tap("#undo")
        expect(chip).to_have_text("✓ alive")
        hand.tap("#know-chip")
        hand.tap("#know-line")
        expect(page.locator("#what-if-turns li").first).to_contain_text("34. Ben")
        hand.tap("#what-if-drop")
        expect(chip).to_have_text("✓ alive")
        late(page, hand)


@pytest.mark.slow
def test_a_lost_game_says_why_it_ended_and_what_the_last_chance_was(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(LOST.read_text("utf-8"), "utf-8")
    with Local(file) as board, screen(browser, board, **PHONE) as (hand, page):
        expect(page.locator("#know-chip")).to_have_text("✗ lost since turn 34")
        told = page.locator("#told")
        expect(told).to_contain_text("The game is lost: no action was possible.")
        expect(told).to_contain_text("The last chance to win was turn 34.")
        assert "† ✓ Keeps the rules, and loses" in marked(page)
        hand.tap('[data-place="34"]')
        expect(told).to_contain_text("✓ Keeps the rules, and loses the game.")


def marked(page: Page) -> str:
    """What stands below turn 34 in the list."""
    said: str = page.evaluate("getComputedStyle(document.querySelector('[data-place=\"34\"]'), '::after').content")
    return said


def caught(page: Page, held: list[Route], count: int) -> None:
    """Wait until so many questions are held up."""
    while len(held) < count:
        page.evaluate(DRAWN % "true")
    assert len(held) == count


def asked(route: Route) -> dict[str, Any]:
    """What a question that is held up asks."""
    return dict(route.request.post_data_json or {})


def late(page: Page, hand: Any) -> None:
    """An answer that comes after a newer turn is not shown; in the form of a new game nothing is asked."""
    held: list[Route] = []
    page.route(re.compile("/api/know"), lambda route: held.append(route))
    hand.tap("#redo")
    caught(page, held, 1)
    expect(page.locator("#know-chip")).to_have_text("… asking …")
    hand.tap("#undo")
    caught(page, held, 2)
    said = {
        "turn": 32,
        "standing": "lost",
        "since": 7,
        "alive": 6,
        "first": 0,
        "said": [],
        "cells": [],
        "line": [],
        "chances": [],
        "saving": None,
    }
    held[0].fulfill(json={**said, "detail": "since"})
    page.wait_for_selector('html[data-busy="2"]')
    expect(page.locator("#know-chip")).to_have_text("… asking …")
    held[1].fulfill(json=said)
    caught(page, held, 3)
    held[2].fulfill(json={**said, "standing": "unknown", "since": None, "detail": "end"})
    expect(page.locator("#know-chip")).to_have_text("? not known yet")
    hand.tap("#know-on")
    caught(page, held, 4)
    assert asked(held[3])["double"] == 1
    held[3].fulfill(json={**said, "since": 33, "alive": 30, "detail": "since"})
    expect(page.locator("#know-chip")).to_have_text("✗ lost by turn 33")
    hand.tap("#know-on")
    caught(page, held, 5)
    assert [asked(held[4])[name] for name in ("detail", "double")] == ["since", 2]
    held[4].fulfill(json={**said, "standing": "alive", "since": None, "detail": "line"})
    expect(page.locator("#know-chip")).to_have_text("✓ alive")
    hand.tap("#new")
    page.locator('[name="player"]').first.fill("Aki")
    page.wait_for_selector('html[data-busy="0"]')
    assert len(held) == 5
    hand.tap("#new")
    hand.tap("#redo")
    caught(page, held, 6)
    hand.tap("#new")
    held[5].fulfill(json=said)
    page.wait_for_selector('html[data-busy="0"]')
    assert len(held) == 6
    hand.tap("#new")
    caught(page, held, 7)
