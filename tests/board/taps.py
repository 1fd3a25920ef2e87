"""A person at the board: a page of it, and each thing that is tapped, with a finger or a mouse."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from axe_playwright_python.base import AXE_SCRIPT

from bench.board_client import Board
from couperation_formal.game.record import Exchange, Game, LayDown, LayUp, Open, Record, Turn
from couperation_formal.game.state import State
from couperation_formal.game.tower import UNSEEN, Card, FinishCard, Shown, UnseenCard
from couperation_formal.notation.read import read
from tests.board.local import Local
from tests.kit.browser import PATIENCE
from tests.page.pages import DRAWN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

ROOT = Path(__file__).resolve().parents[2]
THURSDAY = (ROOT / "examples" / "legal" / "thursday.cgn").read_text("utf-8")
LOST = ROOT / "examples" / "tables" / "lost.cgn"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WAITED = re.compile(r"status of (403|409|422)|Cross-Origin-Opener-Policy header has been ignored")
"""What a browser says of a page's own questions that were refused, and of plain HTTP from another machine."""


def thursday(turns: int) -> str:
    """The game up to this turn."""
    return THURSDAY.split(f"\n{turns + 1}. ")[0].rstrip("\n") + "\n"


def lost(turns: int) -> str:
    """The lost game up to this turn."""
    return LOST.read_text("utf-8").split(f"\n{turns + 1}. ")[0].rstrip("\n") + "\n"


def game_of(path: Path) -> Game:
    """The one game of a file."""
    item = next(iter(read(path)))
    assert isinstance(item, Game), item
    return item


MIDDLE = """([selector, text, patience]) => new Promise((done) => {
  const TAP = "pointerdown touchstart mousedown pointerup touchend mouseup click".split(" ");
  const end = performance.now() + patience;
  let last = [];
  const alike = () => [...document.querySelectorAll(selector)].filter((each) =>
    each.getClientRects().length && (text === null || each.innerText.trim() === text));
  const look = () => {
    const [element] = alike();
    const { left, top, width, height } = element?.getBoundingClientRect() ?? {};
    const place = [left + width / 2, top + height / 2];
    const now = [element, ...place];
    const still = element && now.every((each, at) => each === last[at]);
    const ready = still && !element.closest(':disabled, [aria-disabled="true"], [aria-busy="true"]');
    const lies = ready && element.contains(document.elementFromPoint(...place));
    if (ready && !lies) element.scrollIntoView({ block: "nearest", behavior: "instant" });
    last = now;
    if (!lies) return performance.now() < end ? requestAnimationFrame(look) : done(null);
    let hit = null;
    const aimed = (event) => {
      hit ??= alike().some((each) => each.contains(event.target));
      if (hit) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    for (const kind of TAP) addEventListener(kind, aimed, { capture: true, passive: false });
    window.tapped = () => {
      for (const kind of TAP) removeEventListener(kind, aimed, { capture: true });
      return hit;
    };
    done(place);
  };
  look();
})"""
"""Waits until the first visible element of this selector, and text if any, is still, can be pressed and nothing lies on
its middle, scrolled to where that is needed: its middle, null where it never is. Then `tapped` tells whether a tap hit
it; one that comes when it has moved reaches nothing.
"""


class Hand:
    """Somebody's hand on a page. `taps` counts what was tapped; where the board is `away` meanwhile the browser may
    complain of it.
    """

    def __init__(self, page: Page, touch: bool) -> None:
        self.page, self.touch, self.taps = page, touch, 0
        self.away = False
        self._told: list[str] = []

    def problem(self, told: str) -> None:
        """The page complains."""
        self._told.append(told)

    @property
    def problems(self) -> list[str]:
        """Of what the page complains."""
        return [each for each in self._told if not (self.away and "ERR_" in each)]

    def tap(self, selector: str, text: str | None = None) -> None:
        """Tap the first visible element of this selector and text, as `MIDDLE` finds it."""
        self.taps += 1
        for _ in range(100):  # it may move while the tap is on its way
            middle = self.page.evaluate(MIDDLE, [selector, text, PATIENCE])
            assert middle, f"{selector} cannot be tapped; {self.problems}"
            if self.touch:
                self.page.touchscreen.tap(*middle)
            else:
                self.page.mouse.click(*middle)
            hit = self.page.evaluate("window.tapped()")
            if hit is not False:
                break
        assert hit, f"a tap on {selector} was not felt"

    def card(self, card: Shown) -> None:
        """An own card: in the row of the hand if it is there, else among the fifty."""
        row = self.page.locator(f'#hand [data-card="{card}"]')
        self.tap(f'#{"hand" if row.count() else "fifty"} [data-card="{card}"]')

    def cell(self, cell: object) -> None:
        """A cell of the tower, at its glass."""
        self.tap(f'#tower [data-cell="{cell}"] .hit')

    def draw(self, cards: tuple[Shown, ...]) -> None:
        """Cards that were drawn; unseen ones are one tap on how many there are with them."""
        for card in cards:
            if card is not UNSEEN:
                self.tap(f'#{"unseen" if isinstance(card, FinishCard) else "fifty"} [data-card="{card}"]')
        if UNSEEN in cards:
            self.tap(f'#unseen [data-card="{len(cards)}"]')

    def take(self, turn: Turn, before: State) -> None:
        """Tap one turn and confirm it."""
        action = turn.action
        self.draw(turn.draw)
        if turn.draw_open:
            self.more()
            self.tap('#unseen [data-card="*"]')
        elif not turn.draw:
            self.tap('#unseen [data-card="0"]')
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
            self.more()
            self.tap("#none")
        self.draw(turn.fill)
        for part, cards in (("drop", turn.drop), ("trim", turn.trim)):
            for card in cards:
                self.tap(f'#told [data-part="{part}"]', str(card))
        self.tap("#down" if isinstance(action, LayDown) else "#up")

    def more(self) -> None:
        """Show what a telephone keeps behind one button."""
        if self.page.locator("#more").is_visible() and not self.page.locator("body.more").count():
            self.tap("#more")

    def keep(self, button: str = "#up") -> None:
        """Keep what the rules refuse: a press that shows why, and another one."""
        self.tap(button)
        self.page.locator("#told.pressed").wait_for()
        self.tap(button)

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
        that were remembered before (`marked`).
        """
        for seat, name in enumerate(record.players):
            self.page.locator('[name="player"]').nth(seat).fill(name)
        self.page.locator("#event").fill(record.tag("Event") or "")
        self.page.locator("#rules").select_option(record.rules.rulebook)
        self.page.locator("#variant").select_option(record.variant)
        targets: list[tuple[int, tuple[Card, ...]]] = [
            (seat, _seen(record.deals.get(name, ()))) for seat, name in enumerate(record.players, 1)
        ]
        targets.append((0, _seen(record.reserve or ())[2:]))
        if any(cards for _, cards in targets):
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


def marked(record: Record) -> dict[str, Any]:
    """What is posted to have the marks of a copy remembered."""
    return {"marks": {str(card): mark for card, mark in record.marks.items()}}


def _bad(told: ConsoleMessage) -> bool:
    return told.type == "error" and not WAITED.search(told.text)


def _seen(cards: tuple[Shown, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not isinstance(card, UnseenCard))


class Screen(NamedTuple):
    """A board's page in a context of its own."""

    hand: Hand
    page: Page


def opened(browser: Browser, board: Board, settings: dict[str, Any], known: bool = True) -> Screen:
    """The board in a context of a browser; what the page complains of and whom else it asks is noted. Unless `known` no
    question reaches the board about what is known of a table, as each would begin a process.
    """
    page = browser.new_context(**settings).new_page()
    if not known:
        page.route("**/api/know", lambda route: route.fulfill(json=None))
    hand = Hand(page, bool(settings.get("has_touch")))
    own = (f"http://{board.host}/", "blob:")
    page.on("pageerror", lambda error: hand.problem(str(error)))
    page.on("console", lambda told: hand.problem(told.text) if _bad(told) else None)
    page.on("request", lambda asked: None if asked.url.startswith(own) else hand.problem(asked.url))
    page.set_default_timeout(PATIENCE)
    page.goto(board.address)
    page.wait_for_selector("html.live")
    return Screen(hand, page)


@contextmanager
def screen(browser: Browser, board: Board, known: bool = True, **settings: Any) -> Iterator[Screen]:
    """The board in a browser; the page has no problem and asks nobody else."""
    found = opened(browser, board, settings, known)
    try:
        yield found
        assert found.hand.problems == [], found.hand.problems
    finally:
        found.page.context.close()


@contextmanager
def watching(browser: Browser, address: str, **settings: Any) -> Iterator[Page]:
    """Somebody else's page, by the address that was shared; it has no problem and asks nobody else."""
    context, problems = browser.new_context(**settings), list[str]()
    try:
        page = context.new_page()
        own = address.partition("/?")[0] + "/"
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(own) else problems.append(asked.url))
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.wait_for_selector("html.live")
        yield page
        assert problems == []
    finally:
        context.close()


class Seat:
    """A place at the board of a folder, which one game after the other is played at, in one page: it is loaded
    anew only where a test left something open, or failed.
    """

    def __init__(self, browser: Browser, folder: Path, settings: dict[str, Any]) -> None:
        self._browser, self._folder, self._settings = browser, folder, settings
        self._screen: Screen | None = None
        self._board = Local(folder, known=False)
        self._games = 0

    @contextmanager
    def __call__(self, text: str) -> Iterator[tuple[Path, Board, Hand, Page]]:
        """A game that is open in the page: its file, which has all that was entered in the end."""
        self._games += 1
        file = self._folder / f"game-{self._games}.cgn"
        file.write_text(text, "utf-8")
        if self._screen is None:
            self._screen = opened(self._browser, self._board, self._settings)
            self._screen.page.evaluate("document.getElementById('folder').close()")
        hand, page = self._screen
        hand.taps = 0
        page.set_viewport_size(self._settings["viewport"])
        page.emulate_media(media="screen")
        page.evaluate(OPEN, file.name)
        assert page.evaluate(DRAWN % f"{SHOWN} && document.getElementById('kept').textContent.includes('{file.name}')")
        try:
            yield file, self._board, hand, page
            page.unroute_all(behavior="ignoreErrors")
            assert hand.problems == [], hand.problems
            if not page.evaluate(CLEAN):
                self.close()
            assert self._board.get(f"/api/game?file={file.name}").status == 200  # by then it is written
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the page."""
        if self._screen is not None:
            self._screen.page.context.close()
        self._screen = None

    def end(self) -> None:
        """Close the page and end the board."""
        self.close()
        assert self._board.stop() == 0


CLEAN = """() => !document.querySelector("dialog[open], #stale:not([hidden]), body.more")"""
OPEN = """name => {
  const file = document.getElementById("file");
  document.getElementById("tab-turns").click();
  file.append(new Option(name, name, false, true));
  file.dispatchEvent(new Event("change"));
  scrollTo({ top: 0, behavior: "instant" });
}"""
SHOWN = "document.querySelector('#told[aria-busy=\"false\"]')"


def problems(page: Page, part: str = "html") -> list[str]:
    """What stands in the way of a screen reader in a part of the page, as axe finds it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        """async (part) => {
      const { violations } = await axe.run(part, { resultTypes: ["violations"] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`);
    }""",
        part,
    )
    return list(found)
