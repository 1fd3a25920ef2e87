"""Several games in a browser: the index, its filter, choosing a game, and a folder of pages; typed and clicked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from couperation_formal.page.page import Entry, index_page
from couperation_formal.words.say import ENGLISH
from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, couperation
from tests.conftest import LONG
from tests.kit.browser import resize
from tests.page.pages import (
    BROKEN as BETWEEN,
    COLOURS,
    EVENING,
    ROOT,
    TWO,
    complaints,
    in_view,
    opened,
    page_of,
    page_of_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

LOST = ROOT / "examples" / "tables" / "lost.cgn"


@contextmanager
def visited(browser: Browser, file: Path, fragment: str = "") -> Iterator[Page]:
    """A page of a folder, which may lead to others there; nothing else is asked for, and nothing goes wrong."""
    asked: list[str] = []
    errors: list[str] = []
    with browser.new_context(viewport={"width": 1366, "height": 768}) as context:
        tab = context.new_page()
        tab.on("request", lambda request: asked.append(request.url))
        tab.on("console", lambda message: errors.append(message.text) if message.type != "log" else None)
        tab.on("pageerror", lambda error: errors.append(str(error)))
        tab.goto(f"{file.as_uri()}{fragment}")
        yield tab
        folder = file.parent.as_uri()
        assert all(url.startswith(f"{folder}/") or url == "data:," for url in asked), asked
        assert errors == []


def shown(tab: Page) -> list[str]:
    """The numbers of the rows that are shown."""
    links = tab.locator(".index li:visible a")
    return [str(link.get_attribute("data-open")) for link in links.all()]


def at(tab: Page, place: str, ends: str = "") -> None:
    """Wait until this place is shown, at an address that ends so."""
    expect(tab.locator('article:not([hidden]) [data-part="where"]')).to_have_text(place)
    address(tab, ends)


def address(tab: Page, ends: str) -> None:
    expect(tab).to_have_url(re.compile(f"{re.escape(ends)}$"))


def test_the_index_filters_by_words_and_by_verdict(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of_text(LEGAL + BROKEN + MALFORMED + POSITION + LEGAL), tmp_path) as page:
        tab = page.tab
        told = tab.locator("[data-filter-told]")
        assert shown(tab) == ["1", "2", "3", "4", "5"]
        assert told.inner_text() == "5 of 5 games"
        buttons = tab.get_by_role("group", name="Games with this verdict").get_by_role("button")
        assert buttons.all_inner_texts() == ["all", "legal 2", "illegal 1", "no CGN 1", "position 1"]
        page.click(tab.get_by_role("button", name="legal 2", exact=True))
        assert shown(tab) == ["1", "5"]
        assert told.inner_text() == "2 of 5 games"
        page.click(tab.get_by_role("button", name="all", exact=True))
        page.click(tab.get_by_role("searchbox", name="Games with the words"))
        tab.keyboard.type("tow02 TURN")
        assert shown(tab) == ["2"]
        at(tab, "Turn 1 of 1")
        tab.keyboard.press("ArrowLeft")
        at(tab, "Turn 1 of 1")
        page.click(tab.get_by_role("button", name="legal 2", exact=True))
        assert shown(tab) == []
        assert told.inner_text() == "0 of 5 games"
        tab.get_by_role("searchbox").fill("")
        assert shown(tab) == ["1", "5"]


def test_choosing_a_game_brings_it_into_view_and_the_keys_stay_in_it(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(*EVENING), tmp_path) as page:
        tab = page.tab
        tab.locator(".index a", has_text="Thursday table").click()
        in_view(tab.locator('[id="game=1"]'))
        page.wait("document.activeElement.dataset.game === '1'")
        tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        tab.locator(".index a", has_text="Sunday table").click()
        article = tab.locator('[id="game=4"]')
        expect(article).to_be_visible()
        in_view(article)
        at(tab, "Turn 8 of 10")
        tab.keyboard.press("ArrowLeft")
        at(tab, "Turn 7 of 10", "#game=4&turn=7")
        tab.keyboard.press("k")
        at(tab, "Turn 6 of 10")
        tab.keyboard.press("j")
        at(tab, "Turn 7 of 10")
        for key in ("Home", "k", "ArrowLeft"):
            tab.keyboard.press(key)
        at(tab, "The set-up")
        assert article.is_visible()
        assert tab.locator(".index [aria-current=true]").get_attribute("data-open") == "4"
        tab.evaluate("scrollTo(0, 0)")
        tab.locator(".index a", has_text="Sunday table").click()
        in_view(article)
        tab.go_back()
        address(tab, "#game=4&turn=0")
        tab.locator(".index a", has_text="With the Finish card").focus()
        tab.keyboard.press("Enter")
        in_view(tab.locator('[id="game=6"]'))
        page.load(page_of(*EVENING), "#game=4&turn=3")
        assert page.place == "Turn 3 of 10"
        in_view(page.tab.locator('[id="game=4"]'))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of an evening with a game that was lost."""
    out = tmp_path_factory.mktemp("pages") / "an evening #2"
    budget = ("--analyse", "--budget", "40000")
    assert couperation("report", TWO, BETWEEN, LOST, *budget, "-o", f"{out}/").exit_code == 0
    return out


def test_a_folder_of_pages(browser: Browser, folder: Path) -> None:
    """From the index to a game and back; an address names game and turn in a folder as in one page."""
    index = folder / "index.html"
    with visited(browser, index) as tab:
        tab.get_by_role("searchbox").click()
        tab.keyboard.type("sunday")
        assert shown(tab) == ["3"]
        tab.locator(".index li:visible a").click()
        at(tab, "Turn 8 of 10", "/game-0003.html")
        tab.keyboard.press("ArrowLeft")
        address(tab, "/game-0003.html#turn=7")
        tab.get_by_role("link", name="All games").click()
        address(tab, "/index.html#row-3")
        expect(tab.locator("#row-3")).to_be_in_viewport()
        tab.goto("about:blank")
        tab.goto(f"{index.as_uri()}#game=3&turn=2")
        tab.wait_for_url("**/game-0003.html#turn=2")
        at(tab, "Turn 2 of 10")
        tab.goto(f"{index.as_uri()}#game=99")
        address(tab, "index.html#game=99")
        assert len(shown(tab)) == 4


def test_axe_finds_nothing_in_an_index_and_it_is_as_wide_as_the_window(browser: Browser, folder: Path) -> None:
    with browser.new_context() as context:
        tab = context.new_page()
        for name in ("game-0004.html", "index.html"):
            tab.goto((folder / name).as_uri())
            for scheme, rules in (("light", ()), ("dark", () if LONG else COLOURS)):
                tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                assert complaints(tab, rules) == [], (name, scheme)
            for width in (320, 390, 768, 1366):
                resize(tab, width, 800)
                assert tab.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            if name != "index.html":
                assert "† Lost from turn 34" in tab.locator(".died").inner_text()
        assert "† Lost at turn 34 by Ben." in tab.locator("#row-4").inner_text()
        tab.emulate_media(media="print")
        assert tab.locator("#row-4").is_visible()
        assert not tab.get_by_role("searchbox").is_visible()


def test_a_folder_is_read_without_scripts(browser: Browser, folder: Path) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto((folder / "index.html").as_uri())
        assert len(shown(tab)) == 4
        assert not tab.get_by_role("searchbox").is_visible()
        tab.locator(".index a", has_text="Sunday table").click()
        address(tab, "/game-0003.html")
        expect(tab.get_by_role("heading", name="Sunday table").first).to_be_visible()
        tab.get_by_role("link", name="All games").click()
        address(tab, "/index.html#row-3")


def test_an_index_of_many_games_is_there_soon(browser: Browser, tmp_path: Path) -> None:
    """A thousand games, and ten times as many on request: loaded and filtered within a few seconds."""
    many = 10_000 if LONG else 1_000
    entries = [
        Entry(number=number, title=f"Evening {number}", where="many.cgn", players="Aki, Ben", verdict="legal",
              said="Every turn keeps the rules.", lost=f"† Lost at turn {number % 40} by Aki.", turns=36,
              href=f"game-{number:04}.html")
        for number in range(1, many + 1)
    ]  # fmt: skip
    with opened(browser, index_page(entries, ENGLISH), tmp_path) as page:
        tab = page.tab
        assert tab.locator("[data-filter-told]").inner_text() == f"{many} of {many} games"
        tab.get_by_role("searchbox").click()
        tab.keyboard.type("evening 777")
        assert tab.locator("[data-filter-told]").inner_text().endswith(f" of {many} games")
        assert "777" in shown(tab)
        tab.locator("#row-777 a").scroll_into_view_if_needed()
        assert tab.locator("#row-777").is_visible()
