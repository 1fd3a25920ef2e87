"""Pages for the tests, and what a browser does with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe
from msgspec.structs import replace
from playwright.sync_api import expect

from couperation_formal.notation.read import read, read_text
from couperation_formal.page.page import GameView, game_view, page_of as page_of_views
from couperation_formal.questions.disputes.dispute import Dispute
from couperation_formal.questions.records.check import check
from couperation_formal.words.say import ENGLISH
from tests.kit.browser import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

    from couperation_formal.game.rulings import Rules
    from couperation_formal.questions.disputes.dispute import Dispute
    from couperation_formal.questions.records.states import View
from couperation_formal.output.report import Report

SHOWN = "article:not([hidden])"
"""The game that is shown."""

ROOT = Path(__file__).resolve().parents[2]
LEGAL = ROOT / "examples" / "legal" / "thursday.cgn"
FINISH = ROOT / "examples" / "legal" / "finish.cgn"
BROKEN = ROOT / "examples" / "broken" / "between.cgn"
TWO = ROOT / "examples" / "broken" / "two-games.cgn"
DEAD = ROOT / "tests" / "data" / "games" / "game-00006.cgn"
EVENING = (LEGAL, TWO, BROKEN, DEAD, FINISH)
"""The files of a page of six games, of which the second is no CGN."""

HEAD = """\
[CGN "1"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
"""


@cache
def reports_of(file: Path) -> tuple[Report, ...]:
    """What is found in a file that no test changes."""
    return tuple(check(item) for item in read(file))


@cache
def views_of(file: Path) -> tuple[GameView, ...]:
    """What pages show of its games."""
    return tuple(game_view(report, 1, None) for report in reports_of(file))


@cache
def page_of(*files: Path) -> str:
    """The page of such files, as `page` makes it."""
    views = [view for file in files for view in views_of(file)]
    return page_of_views([replace(view, number=number) for number, view in enumerate(views, 1)], ENGLISH)


def page(reports: Sequence[Report], rules: Rules | None = None, only: View | None = None) -> str:
    """The page of these games, as the command makes it."""
    views = [game_view(each, at, rules, only=only) for at, each in enumerate(reports, 1)]
    return page_of_views(views, ENGLISH)


def page_with(found: Dispute, file: Path) -> str:
    """The page of a game with its dispute."""
    first, *others = reports_of(file)
    views = (game_view(each, at, None) for at, each in enumerate(others, 2))
    return page_of_views([game_view(first, 1, None, found), *views], ENGLISH)


def page_of_text(text: str, file: str = "game.cgn") -> str:
    return page([check(item) for item in read_text(text, file)])


class Opened:
    """A page in a browser, and what it did that it should not have done."""

    def __init__(self, tab: Page, file: Path | None = None) -> None:
        self.tab, self.file = tab, file
        self.requests: list[str] = []
        self.errors: list[str] = []
        self._heard = {
            "request": lambda request: self.requests.append(request.url),
            "console": lambda message: self.errors.append(message.text) if message.type != "log" else None,
            "pageerror": lambda error: self.errors.append(str(error)),
        }
        for event, hear in self._heard.items():
            tab.on(event, hear)  # type: ignore[call-overload]

    def leave(self) -> None:
        """Hear no more of the page."""
        for event, hear in self._heard.items():
            self.tab.remove_listener(event, hear)

    def load(self, html: str, fragment: str = "") -> None:
        """Another page in place of this one."""
        assert self.file is not None
        self.file.write_text(html, encoding="utf-8")
        self.tab.evaluate("place => history.replaceState(null, '', place)", f"{self.file.as_uri()}{fragment}")
        self.tab.reload()

    def follow(self, fragment: str) -> None:
        """Go to another fragment of the page, until it was heard of."""
        self.tab.evaluate(FOLLOW, fragment)

    def click(self, found: Locator) -> None:
        """Click into the middle of what is shown there."""
        point = found.evaluate(MIDDLE)
        assert point, found
        self.tab.mouse.click(*point)

    def text(self, part: str) -> str:
        return self.texts(f'{SHOWN} [data-part="{part}"]')[0]

    def texts(self, selector: str) -> list[str]:
        """What is read in each of these elements."""
        found: list[str] = self.tab.evaluate(TEXTS, selector)
        return found

    def cell(self, name: str) -> str:
        """What stands in a glass, its shapes and its text."""
        found: str = self.tab.evaluate(GLASS, f'{SHOWN} [data-cell="{name}"]')
        return found

    def wait(self, condition: str) -> None:
        """Wait until this holds in the page, which is looked at as often as it is drawn."""
        assert self.tab.evaluate(DRAWN % condition), condition

    @property
    def place(self) -> str:
        return self.text("where")

    def arrives(self, place: str) -> None:
        """Wait until this place is shown: a link is followed once its click has been answered."""
        expect(self.tab.locator(f'{SHOWN} [data-part="where"]')).to_have_text(place)


TEXTS = "selector => [...document.querySelectorAll(selector)].map(found => found.innerText)"
GLASS = """selector => [...document.querySelectorAll(selector)].flatMap(slot => [
  ...[...slot.querySelectorAll("use")].map(use => use.getAttribute("href").slice(4)),
  ...[...slot.querySelectorAll("text:not(.cf-halo)")].map(text => text.textContent),
]).join(" ")"""
MIDDLE = """found => {
  found.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = found.getBoundingClientRect();
  const point = [x + width / 2, y + height / 2];
  return found.contains(document.elementFromPoint(...point)) && point;
}"""
"""The middle of an element, if that is what is seen there."""

FOLLOW = """fragment => new Promise((done) => {
  addEventListener("hashchange", done, { once: true });
  location.hash = fragment;
}).then(() => null)"""
DRAWN = (
    "() => new Promise(done => { const end = performance.now() + "
    f"{PATIENCE}, look = () => {{ const holds = Boolean(%s);"
    " holds || performance.now() > end ? done(holds) : requestAnimationFrame(look); }; look(); })"
)
"""Waits until something holds in the page, which is looked at as often as it is drawn; false where it never does."""


_TABS: dict[tuple[Any, ...], Page] = {}
"""The tab that is used again, for each browser and kind of tab: a new one takes longer than to load a page."""


@contextmanager
def opened(browser: Browser, html: str, folder: Path, fragment: str = "", **context: Any) -> Iterator[Opened]:
    """The page from a file. At the end there must have been no request but for the file itself, and no complaint.

    The tab is as a new one but for what was emulated in it: a test that does so closes it.
    """
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    context = {"viewport": {"width": 1100, "height": 700}, **context}
    kind = browser, *map(str, sorted(context.items()))
    tab = _TABS.pop(kind, None) or browser.new_context(**context).new_page()
    tab.set_default_timeout(PATIENCE)
    if tab.viewport_size != context["viewport"]:
        tab.set_viewport_size(context["viewport"])
    tab.mouse.move(0, 0)
    found = Opened(tab, file)
    tab.goto(f"{file.as_uri()}{fragment}")
    yield found
    wanted = {f"{file.as_uri()}", "data:,"}
    assert {url.split("#")[0] for url in found.requests} <= wanted
    assert found.errors == []
    if not tab.is_closed():
        tab.evaluate("localStorage.clear()")
        tab.goto("about:blank")
        found.leave()
        _TABS[kind] = tab


def complaints(shown: Page, only: tuple[str, ...] = ()) -> list[Any]:
    """What axe finds wrong, by all its rules or by these only."""
    options: Any = {"resultTypes": ["violations"], "runOnly": list(only)} if only else {"resultTypes": ["violations"]}
    if not shown.evaluate("'axe' in window"):
        shown.evaluate(Axe().axe_script)
    found = shown.evaluate(COMPLAINTS, options)
    assert found["passes"] > (0 if only else 20)
    return list(found["violations"])


COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that ask for colours: all that other colours of the same page can change."""

COMPLAINTS = """options => axe.run(document, options).then(({ passes, violations }) => ({
  passes: passes.length,
  violations: violations.map(({ impact, id, nodes }) => [impact, id, nodes.map((node) => node.html.slice(0, 120))]),
}))"""


def in_view(found: Locator) -> None:
    """Wait until an element is shown and its top is near the top of the window."""
    top = "element.getBoundingClientRect().top"
    near = f"element.offsetHeight && {top} >= -2 && {top} < 200"
    assert found.evaluate(DRAWN.replace("()", "element", 1) % near), "out of view"
