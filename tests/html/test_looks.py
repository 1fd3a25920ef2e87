"""How the page looks in a browser: colours, widths, print, what is folded, what a screen reader would miss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.html.pages import BROKEN, DEAD, LEGAL, ROOT, TWO, opened, page_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CONFLICTS = ROOT / "examples" / "towers" / "dead.cgn"


def test_why_a_clause_fails_unfolds_at_a_click(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(BROKEN), tmp_path) as shown:
        told = shown.tab.get_by_text("is false")
        assert not told.is_visible()
        shown.tab.get_by_text("Why it fails").click()
        assert told.is_visible()


def test_colours(browser: Browser, tmp_path: Path) -> None:
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light, dark = "rgb(251, 248, 241)", "rgb(22, 20, 15)"
    for scheme, first in (("light", light), ("dark", dark)):
        with opened(browser, page_of(LEGAL), tmp_path, color_scheme=scheme) as shown:
            button = shown.tab.get_by_role("button", name="Colours")
            seen = [shown.tab.evaluate(ground)]
            for _ in range(3):
                button.click()
                seen.append(shown.tab.evaluate(ground))
            assert seen == [first, light, dark, first]


def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL, BROKEN, TWO), tmp_path) as shown:
        for width in (320, 390, 768, 1280, 2000):
            shown.tab.set_viewport_size({"width": width, "height": 800})
            for game in (1, 2, 3):
                shown.tab.goto(shown.tab.url.split("#")[0] + f"#game={game}")
                expect(shown.tab.locator("article:visible")).to_have_attribute("data-game", str(game))
                assert shown.tab.evaluate("document.documentElement.scrollWidth") <= width, (width, game)


def test_print(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(BROKEN), tmp_path, color_scheme="dark") as shown:
        shown.tab.emulate_media(media="print")
        assert not shown.tab.locator(".controls").is_visible()
        assert shown.tab.locator("svg.tower").is_visible()
        assert shown.tab.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(251, 248, 241)"
        assert shown.tab.locator('[data-pile="hand-1"] .card:visible').count() == 3
        assert shown.tab.locator(".moves li:visible").count() == 11
        assert shown.tab.locator('[data-part="outlook"]').is_visible()
        assert shown.text("cause").startswith("22 on e2 cannot lie between")
        assert not shown.tab.locator("article button:visible, article select:visible").count()
        height = shown.tab.evaluate("document.documentElement.scrollHeight")
        assert shown.tab.locator(".findings").bounding_box()["y"] < height  # type: ignore[index]
        assert shown.tab.pdf().startswith(b"%PDF")


AXE: list[Any] = [
    pytest.param((LEGAL,), "#turn=22", "light", id="legal"),
    pytest.param((LEGAL,), "#turn=22", "dark", id="legal-dark"),
    pytest.param((BROKEN,), "", "light", id="illegal"),
    pytest.param((DEAD, TWO), "#game=1&turn=9", "dark", id="dead-dark"),
    pytest.param((DEAD, TWO), "#game=2", "light", id="malformed"),
    pytest.param((CONFLICTS,), "", "light", id="position"),
]


@pytest.mark.parametrize("files, fragment, scheme", AXE)
def test_axe_finds_nothing_serious(
    browser: Browser, tmp_path: Path, files: tuple[Path, ...], fragment: str, scheme: str
) -> None:
    with opened(browser, page_of(*files), tmp_path, fragment, color_scheme=scheme) as shown:
        shown.tab.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        shown.wait("true")
        found = Axe().run(shown.tab).response
        assert len(found["passes"]) > 20
        told = [(each["impact"], each["id"], [n["html"][:120] for n in each["nodes"]]) for each in found["violations"]]
        assert [each for each in told if each[0] in ("serious", "critical")] == []
        assert told == []


def test_axe_finds_nothing_on_a_phone_with_a_cell_chosen(browser: Browser, tmp_path: Path) -> None:
    phone: Any = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9", **phone) as shown:
        shown.tab.locator('[data-cell="f3"]').tap()
        shown.tab.get_by_label("Lay", exact=True).select_option("23")
        assert Axe().run(shown.tab).response["violations"] == []
        shown.tab.get_by_role("tab", name="Outlook").tap()
        assert Axe().run(shown.tab).response["violations"] == []
