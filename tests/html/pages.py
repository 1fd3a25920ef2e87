"""Pages for the tests, and what a browser does with them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from couperation_formal.analysis.verify import check
from couperation_formal.notation.read import read_file, read_text
from couperation_formal.report.html.page import page
from tests.browser import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
LEGAL = ROOT / "examples" / "legal" / "thursday.cgn"
FINISH = ROOT / "examples" / "legal" / "finish.cgn"
BROKEN = ROOT / "examples" / "broken" / "between.cgn"
TWO = ROOT / "examples" / "broken" / "two-games.cgn"
DEAD = ROOT / "tests" / "data" / "games" / "game-00006.cgn"

HEAD = """\
[CGN "1"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
"""


@cache
def page_of(*files: Path) -> str:
    """The page of files that no test changes, made once."""
    return page([check(item) for file in files for item in read_file(file)])


def page_with(found: dict[str, Any], file: Path) -> str:
    """The page of a game with its dispute."""
    return page([check(item) for item in read_file(file)], disputes={0: found})


def page_of_text(text: str, file: str = "game.cgn") -> str:
    return page([check(item) for item in read_text(text, file)])


class Opened:
    """A page in a browser, and what it did that it should not have done."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.requests: list[str] = []
        self.errors: list[str] = []
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("console", lambda message: self.errors.append(message.text) if message.type != "log" else None)
        tab.on("pageerror", lambda error: self.errors.append(str(error)))

    def text(self, part: str) -> str:
        return self.tab.locator(f'article:not([hidden]) [data-part="{part}"]').inner_text()

    def cell(self, name: str) -> str:
        """What stands in a glass, its shapes and its text."""
        slot = f'article:not([hidden]) [data-cell="{name}"]'
        shapes = self.tab.locator(f"{slot} use").evaluate_all(
            "all => all.map(use => use.getAttribute('href').slice(4))"
        )
        texts = self.tab.locator(f"{slot} text:not(.cf-halo)").all_text_contents()
        return " ".join([*shapes, *texts])

    def wait(self, condition: str) -> None:
        """Wait until this holds in the page, which is looked at as often as it is drawn."""
        assert self.tab.evaluate(DRAWN % condition), condition

    @property
    def place(self) -> str:
        return self.text("where")

    def arrives(self, place: str) -> None:
        """Wait until this place is shown: a link is followed once its click has been answered."""
        expect(self.tab.locator('article:not([hidden]) [data-part="where"]')).to_have_text(place)


DRAWN = (
    "() => new Promise(done => { const end = performance.now() + "
    f"{PATIENCE}, look = () => {{ const holds = Boolean(%s);"
    " holds || performance.now() > end ? done(holds) : requestAnimationFrame(look); }; look(); })"
)
"""Waits until something holds in the page, which is looked at as often as it is drawn; false where it never does."""


@contextmanager
def opened(browser: Browser, html: str, folder: Path, fragment: str = "", **context: Any) -> Iterator[Opened]:
    """The page from a file. At the end there must have been no request but for the file itself, and no complaint."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    with browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **context}) as made:
        made.set_default_timeout(PATIENCE)
        found = Opened(made.new_page())
        found.tab.goto(f"{file.as_uri()}{fragment}")
        yield found
        wanted = {f"{file.as_uri()}", "data:,"}
        assert {url.split("#")[0] for url in found.requests} <= wanted
        assert found.errors == []


def in_view(found: Locator) -> None:
    """Wait until the top of an element is near the top of the window."""
    top = "element.getBoundingClientRect().top"
    assert found.evaluate(DRAWN.replace("()", "element", 1) % f"{top} >= -2 && {top} < 200"), "out of view"
