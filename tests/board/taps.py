"""A person at the board: a page of it, and each thing that is tapped, with a finger or a mouse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from axe_playwright_python.sync_playwright import Axe

from bench.board_client import Board
from couperation_formal.model.cards import UNSEEN, Card, FinishCard, Shown, UnseenCard
from couperation_formal.model.record import Exchange, Game, LayDown, LayUp, Open, Record, Turn
from couperation_formal.model.state import State
from couperation_formal.notation.read import read_file
from tests.browser import PATIENCE
from tests.html.pages import DRAWN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parents[2]
THURSDAY = (ROOT / "examples" / "legal" / "thursday.cgn").read_text("utf-8")
LOST = ROOT / "examples" / "tables" / "lost.cgn"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WAITED = re.compile(r"status of (403|409|422)")
"""What a browser says of a page's own questions that were refused."""


def thursday(turns: int) -> str:
    """The game up to this turn."""
    return THURSDAY.split(f"\n{turns + 1}. ")[0].rstrip("\n") + "\n"


def lost(turns: int) -> str:
    """The lost game up to this turn."""
    return LOST.read_text("utf-8").split(f"\n{turns + 1}. ")[0].rstrip("\n") + "\n"


def game_of(path: Path) -> Game:
    """The one game of a file."""
    item = next(iter(read_file(path)))
    assert isinstance(item, Game), item
    return item


class Hand:
    """Somebody's hand on a page. `taps` counts what was tapped."""

    def __init__(self, page: Page, touch: bool) -> None:
        self.page, self.touch, self.taps = page, touch, 0
        self.problems: list[str] = []

    def tap(self, selector: str) -> None:
        found = self.page.locator(selector)
        self.taps += 1
        if selector in (
            "#up",
            "#down",
        ):  # a tap that has to wait for the board's answer would scroll the page meanwhile
            assert self.page.evaluate(DRAWN % f"!document.querySelector('{selector}').disabled"), selector
        if self.touch:
            found.tap()
        else:
            found.click()

    def card(self, card: Shown) -> None:
        """An own card: in the row of the hand if it is there, else among the fifty."""
        row = self.page.locator(f'#hand [data-card="{card}"]')
        self.tap(f'#{"hand" if row.count() else "fifty"} [data-card="{card}"]')

    def cell(self, cell: object) -> None:
        """A cell of the tower, at its glass."""
        slot = self.page.locator(f'#tower [data-cell="{cell}"] .hit')
        self.taps += 1
        slot.tap() if self.touch else slot.click()

    def draw(self, cards: tuple[Shown, ...]) -> None:
        """Cards that were drawn; a run of unseen ones is one number."""
        at = 0
        while at < len(cards):
            run = next((i for i, card in enumerate(cards[at:]) if card is not UNSEEN), len(cards) - at)
            if run:
                self.tap(f'#unseen [data-card="{run}"]')
            else:
                row = "unseen" if isinstance(cards[at], FinishCard) else "fifty"
                self.tap(f'#{row} [data-card="{cards[at]}"]')
            at += run or 1

    def take(self, turn: Turn, before: State) -> None:
        """Tap one turn and confirm it."""
        action = turn.action
        self.draw(turn.draw)
        if turn.draw_open:
            self.tap('#unseen [data-card="*"]')
        if isinstance(action, LayUp | LayDown):
            self.card(action.card)
            self.cell(action.cell)
        elif isinstance(action, Open):
            lies = before.tower.cells[action.cell]
            self.cell(action.cell)
            if lies.card is UNSEEN:
                self.card(action.card)
        elif isinstance(action, Exchange):
            self.tap(f'#reserve [data-card="{action.taken}"]')
            for card in (action.first, action.second, *(card for _, card in action.adjust)):
                self.card(card)
            self.cell(action.cell)
        else:
            self.tap("#none")
        self.draw(turn.fill)
        for part, cards in (("drop", turn.drop), ("trim", turn.trim)):
            for card in cards:
                self.tap(f'#told [data-part="{part}"]:text-is("{card}")')
        self.tap("#down" if isinstance(action, LayDown) else "#up")

    @property
    def told(self) -> str:
        """What the board says."""
        return self.page.locator("#told").inner_text()

    @property
    def turns(self) -> list[str]:
        """The turns as they are listed."""
        return self.page.locator("#turns code").all_inner_texts()

    def listed(self, text: str) -> None:
        """Wait until the last turn is this one."""
        last = "[...document.querySelectorAll('#turns code')].at(-1)?.innerText.trim()"
        assert self.page.evaluate(DRAWN % f"{last} === {json.dumps(text)}"), (text, self.turns)

    def begin(self, record: Record, remembered: bool = False) -> None:
        """Start a game as this record starts, with its marks and what was seen of its deals; with `remembered` marks
        that this browser was told before.
        """
        if remembered:
            marks = {str(card): mark for card, mark in record.marks.items()}
            told = quote(json.dumps(marks, separators=(",", ":")))
            self.page.evaluate("value => (document.cookie = `couperation-marks=${value}; path=/`)", told)
            self.page.reload()
            self.page.wait_for_selector("html.live")
        for seat, name in enumerate(record.players):
            self.page.locator('[name="player"]').nth(seat).fill(name)
        self.page.locator("#event").fill(record.tag("Event") or "")
        self.page.locator("#rules").select_option(record.rules.rulebook)
        self.page.locator("#variant").select_option(record.variant)
        targets: list[tuple[int, tuple[Card, ...]]] = [
            (seat, _seen(record.deals.get(name, ()))) for seat, name in enumerate(record.players)
        ]
        targets.append((len(record.players), _seen(record.reserve or ())[2:]))
        if any(cards for _, cards in targets):
            self.tap("#dealing summary")
            for target, cards in targets:
                if cards:
                    self.tap(f"#targets button:nth-child({target + 1})")
                for card in cards:
                    self.tap(f'#dealt [data-card="{card}"]')
        if record.marks and not remembered:
            self.tap("#marking summary")
            for value in range(1, 51):
                mark = next((mark for card, mark in record.marks.items() if card == value), "")
                self.tap(f'#marking [data-mark="{mark}"]')
        self.tap("#start .go")
        self.page.locator("#game").wait_for()


def _bad(told: ConsoleMessage) -> bool:
    return told.type == "error" and not WAITED.search(told.text)


def _seen(cards: tuple[Shown, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not isinstance(card, UnseenCard))


class Screen(NamedTuple):
    """A board's page in a context of its own."""

    hand: Hand
    page: Page


@contextmanager
def screen(browser: Browser, board: Board, **settings: Any) -> Iterator[Screen]:
    """The board in a browser; the page has no problem and asks nobody else."""
    context = browser.new_context(**settings)
    try:
        page = context.new_page()
        hand = Hand(page, bool(settings.get("has_touch")))
        own = (f"http://{board.host}/", "blob:")
        page.on("pageerror", lambda error: hand.problems.append(str(error)))
        page.on("console", lambda told: hand.problems.append(told.text) if _bad(told) else None)
        page.on("request", lambda asked: None if asked.url.startswith(own) else hand.problems.append(asked.url))
        page.set_default_timeout(PATIENCE)
        page.goto(board.address)
        page.wait_for_selector("html.live")
        yield Screen(hand, page)
        assert hand.problems == []
    finally:
        context.close()


def problems(page: Page) -> list[str]:
    """What stands in the way of a screen reader, as axe finds it."""
    return [f"{each['id']}: {each['nodes'][0]['target']}" for each in Axe().run(page).response["violations"]]
