"""How the page looks in a browser: colours, widths, print, what is folded, what a screen reader would miss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import LONG, some
from tests.kit.browser import resize
from tests.page.pages import BROKEN, COLOURS, DEAD, EVENING, LEGAL, ROOT, TWO, complaints, opened, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CONFLICTS = ROOT / "examples" / "towers" / "dead.cgn"


def test_colours(browser: Browser, tmp_path: Path) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = "rgb(251, 248, 241)", "rgb(22, 20, 15)"
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        button = shown.tab.get_by_role("button", name="Colours")
        for scheme, first in (("light", light), ("dark", dark)):
            shown.tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            seen = [shown.tab.evaluate(ground)]
            for _ in range(3):
                shown.click(button)
                seen.append(shown.tab.evaluate(ground))
            assert seen == [first, light, dark, first]
        shown.tab.close()


def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(*EVENING), tmp_path) as shown:
        for width in some((320, 390, 768, 1280, 2000), 2):
            resize(shown.tab, width, 800)
            for game in (4, 2, 1):
                shown.follow(f"#game={game}")
                assert shown.tab.locator("article:visible").get_attribute("data-game") == str(game)
                assert shown.tab.evaluate("document.documentElement.scrollWidth") <= width, (width, game)


def test_print(browser: Browser, tmp_path: Path) -> None:
    """And before it what unfolds at a click."""
    with opened(browser, page_of(BROKEN), tmp_path, color_scheme="dark") as shown:
        told = shown.tab.get_by_text("is false")
        assert not told.is_visible()
        shown.click(shown.tab.get_by_text("Why it fails"))
        assert told.is_visible()
        shown.tab.reload()
        shown.tab.emulate_media(media="print")
        assert not shown.tab.locator(".controls").is_visible()
        assert shown.tab.locator("svg.tower").is_visible()
        assert shown.tab.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        assert shown.tab.locator('[data-pile="hand-1"] .card:visible').count() == 3
        assert shown.tab.locator(".moves li:visible").count() == 11
        assert shown.tab.locator('[data-part="outlook"]').is_visible()
        assert shown.text("cause").startswith("22 on e2 cannot lie between")
        assert not shown.tab.locator("article button:visible, article select:visible").count()
        height = shown.tab.evaluate("document.documentElement.scrollHeight")
        assert shown.tab.locator(".findings").bounding_box()["y"] < height  # type: ignore[index]
        assert shown.tab.pdf().startswith(b"%PDF")
        shown.tab.close()


AXE: list[tuple[tuple[Path, ...], str, tuple[str, ...]]] = [
    ((BROKEN,), "", ("light", "dark")),
    ((TWO,), "#game=1", ("light",)),
    ((CONFLICTS,), "", ("light",)),
]
if LONG:
    AXE += [((LEGAL,), "#turn=22", ("light", "dark")), ((DEAD, TWO), "#game=1&turn=9", ("dark",))]


def test_axe_finds_nothing(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, "", tmp_path) as shown:
        for files, fragment, schemes in AXE:
            shown.load(page_of(*files), fragment)
            shown.tab.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
            for scheme in schemes:
                shown.tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                shown.wait("true")
                assert complaints(shown.tab, () if LONG or scheme == schemes[0] else COLOURS) == [], (files, scheme)
        shown.tab.close()


def test_axe_finds_nothing_on_a_phone_with_a_cell_chosen(browser: Browser, tmp_path: Path) -> None:
    phone: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9", **phone) as shown:
        shown.tab.locator('[data-cell="f3"]').tap()
        shown.tab.get_by_label("Lay", exact=True).select_option("23")
        assert complaints(shown.tab) == []
        shown.tab.get_by_role("tab", name="Outlook").tap()
        assert complaints(shown.tab) == []
