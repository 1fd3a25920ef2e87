"""Turns with cards that the recorder did not see, or saw later than others, by taps: each as its text, no tap more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.board.taps import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Route

pytestmark = pytest.mark.slow

TABLE = """[CGN "1"]
[Players "Ida Jon"]

deal Ida ? ? ?
deal Jon ? ? ?
reserve 1 50 ? ? ? ?

1. Ida +? A 17@f1
2. Jon +? B ?@h1
"""
KNOWN = TABLE.replace("?@h1", "28@h1")


def test_a_card_that_nobody_saw_is_opened(phone: Seat) -> None:
    with phone(TABLE) as (file, _, hand, _):
        hand.cell("h1")
        hand.tap('#told [data-part="card"]')
        hand.tap("#up")
        hand.listed("3. Ida +0 C h1=?")
        assert hand.taps == 3
    assert file.read_text("utf-8").endswith("3. Ida +0 C h1=?\n")


@pytest.mark.parametrize("known", [False, True])
def test_the_card_that_comes_back_is_named(laptop: Seat, known: bool) -> None:
    with laptop(KNOWN if known else TABLE) as (_, _, hand, page):
        hand.tap('#reserve [data-card="50"]')
        for card in (14, 36):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("h1")
        line = page.locator("#told .line").first
        expect(line).to_have_text("3. Ida +0 D 14+36=50@h1x?")
        hand.tap('#told [data-part="trim"]', "1")
        hand.tap('#told [data-part="replaced"]' if known else '#fifty [data-card="28"]')
        expect(line).to_have_text("3. Ida +0 D 14+36=50@h1x~28 trim 1")
        hand.tap("#up")
        hand.listed("3. Ida +0 D 14+36=50@h1x~28 trim 1")
        assert hand.taps == 7


def test_a_card_tapped_before_the_board_has_said_what_is_due(laptop: Seat) -> None:
    """The trim that was tapped is the last that is due: the card after it is the one that comes back, however late the
    board says so.
    """
    with laptop(TABLE) as (_, _, hand, page):
        hand.tap('#reserve [data-card="50"]')
        for card in (14, 36):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("h1")
        line = page.locator("#told .line").first
        expect(line).to_have_text("3. Ida +0 D 14+36=50@h1x?")
        held: list[Route] = []
        said: list[bool] = []
        page.route("**/api/draft", lambda route: route.continue_() if said else held.append(route))
        hand.tap('#told [data-part="trim"]', "1")
        hand.tap('#fifty [data-card="28"]')
        expect(page.locator("#told")).to_have_attribute("aria-busy", "true")
        said.append(True)
        for route in held:
            route.continue_()
        expect(line).to_have_text("3. Ida +0 D 14+36=50@h1x~28 trim 1")
        hand.tap("#up")
        hand.listed("3. Ida +0 D 14+36=50@h1x~28 trim 1")


@pytest.mark.parametrize("first", [False, True])
def test_a_card_comes_from_an_unseen_reserve(phone: Seat, first: bool) -> None:
    """After what pays for it, or where an unseen card of the Reserve was tapped."""
    with phone(TABLE) as (_, _, hand, page):
        if first:
            hand.tap('#reserve [data-card="?"]')
            hand.tap('#fifty [data-card="14"]')
        for card in (44, 30):
            hand.tap(f'#fifty [data-card="{card}"]')
        if not first:
            hand.tap('#fifty [data-card="14"]')
        expect(page.locator('#reserve [data-card="14"]')).to_have_attribute("aria-pressed", "true")
        expect(page.locator('#reserve [data-card="?"] .times')).to_have_text("×3")
        hand.cell("e1")
        hand.tap('#told [data-part="trim"]', "1")
        hand.tap("#up")
        hand.listed("3. Ida +0 D 44-30=14@e1 trim 1")
        assert hand.taps == 6 + first


def test_what_is_tapped_of_an_exchange_stands_in_its_place(phone: Seat) -> None:
    """In any order; a second tap takes a card out of its place."""
    with phone(TABLE) as (_, _, hand, page):
        places, idle = page.locator("#up .place"), page.locator('html[data-busy="0"]')
        hand.tap('#reserve [data-card="50"]')
        expect(idle).to_be_attached()
        expect(places).to_have_text(["pays …", "pays ± …", "destroyed ± …", "takes = 50", "onto → …"])
        hand.cell("e1")
        expect(idle).to_be_attached()
        expect(places.last).to_have_text("onto → e1")
        hand.cell("e1")
        for card in (14, 35, 3):
            hand.tap(f'#fifty [data-card="{card}"]')
        expect(idle).to_be_attached()
        expect(places).to_have_text(["pays 14", "pays ± 35", "destroyed ± 3", "takes = 50", "onto → …"])
        hand.tap('#fifty [data-card="4"]')
        expect(idle).to_be_attached()
        expect(places.nth(2)).to_have_text("destroyed ± 3 ± 4")
        hand.tap('#fifty [data-card="4"]')
        clear, up = (page.locator(each).bounding_box() for each in ("#clear", "#up"))
        assert clear
        assert up
        assert up["x"] + up["width"] <= clear["x"] < 390
        hand.tap('#fifty [data-card="14"]')
        expect(idle).to_be_attached()
        expect(places).to_have_text(["pays 35", "pays ± 3", "destroyed ± …", "takes = 50", "onto → …"])


def test_a_card_that_is_sent_is_taken(laptop: Seat) -> None:
    with laptop(TABLE) as (_, _, hand, _):
        for card in (12, 6):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.tap('#reserve [data-card="6"]')
        hand.cell("e1")
        hand.tap('#told [data-part="trim"]', "1")
        hand.tap("#up")
        hand.listed("3. Ida +0 D 12-6=6@e1 trim 1")
        assert hand.taps == 6


def test_a_card_of_the_reserve_is_laid_down_where_the_hand_is_unseen(laptop: Seat) -> None:
    with laptop(TABLE.replace("[Players", '[Rules "ja-2.2 reserve_face=either"]\n[Players')) as (_, _, hand, _):
        hand.tap('#reserve [data-card="50"]')
        for card in (14, 36):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("e1")
        hand.tap('#told [data-part="trim"]', "1")
        hand.tap("#down")
        hand.listed("3. Ida +0 D 14+36=~50@e1 trim 1")
