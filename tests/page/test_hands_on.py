"""What a person does with the page: clicks, taps, keys, a finger that goes sideways, and what he takes away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.read import read_text
from tests.conftest import LONG, some
from tests.kit.browser import resize
from tests.page.pages import (
    BROKEN,
    DEAD,
    EVENING,
    FINISH,
    HEAD,
    LEGAL,
    ROOT,
    SHOWN,
    TWO,
    Opened,
    opened,
    page_of,
    page_of_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

DRAW = ROOT / "examples" / "broken" / "draw.cgn"
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = ((1366, 768), (1440, 900), (768, 1024), (390, 844))


def middle(shown: Opened, cell: str) -> tuple[float, float]:
    """A point of a cell where an empty one has no line."""
    x, y, width, height = shown.tab.evaluate(HIT, cell)
    return x + width / 2, y + height / 3


def chosen(shown: Opened) -> tuple[list[str], str]:
    """The cells that are marked as chosen, and that of the list."""
    marked, cell = shown.tab.evaluate(CHOSEN)
    return marked, cell


HIT = """cell => {
  const { x, y, width, height } = document.querySelector(`[data-cell="${cell}"] .hit`).getBoundingClientRect();
  return [x, y, width, height];
}"""
CHOSEN = """() => [
  [...document.querySelectorAll('[data-cell][aria-pressed="true"]')].map((slot) => slot.dataset.cell),
  document.querySelector('article:not([hidden]) [data-part="cell"]').value,
]"""


def test_a_click_chooses_the_cell(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, "", tmp_path) as shown:
        tab = shown.tab
        for width, height in SIZES if LONG else SIZES[::2]:
            resize(tab, width, height)
            shown.load(page_of(LEGAL), "#turn=9")
            tab.mouse.click(*middle(shown, "f3"))
            assert chosen(shown) == (["f3"], "f3")
            what_if = tab.get_by_role("tab", name="What if")
            assert what_if.get_attribute("aria-selected") == "true"
            tab.get_by_label("Lay", exact=True).select_option("23")
            assert "The orders accept 23 on f3." in shown.text("trial")
            assert shown.cell("f3") == "up laid 23"
            for cell in ("d2", "i2", "d7"):
                tab.mouse.click(*middle(shown, cell))
                assert chosen(shown) == ([cell], cell)
                assert f"23 on {cell}" in shown.text("trial")
            tab.mouse.click(*middle(shown, "g1"))
            assert chosen(shown) == (["g1"], "")
            assert shown.text("trial") == "25 lies on g1."
            tab.keyboard.press("j")
            assert chosen(shown) == ([], "")
            assert shown.place == "Turn 10 of 29"
        what_if.press("ArrowRight")
        after = "tab => document.activeElement === (tab.nextElementSibling ?? tab.parentElement.firstElementChild)"
        assert what_if.evaluate(after)
        tab.keyboard.press("ArrowLeft")
        assert what_if.get_attribute("aria-selected") == "true"


def test_every_place_of_the_tower_is_hit(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(FINISH), tmp_path, "#turn=12") as shown:
        shown.click(shown.tab.get_by_role("tab", name="What if"))
        cells = shown.tab.locator("[data-cell][aria-label]").evaluate_all("all => all.map(slot => slot.dataset.cell)")
        assert len(cells) >= 28
        for cell in cells:
            there = "at => document.elementFromPoint(...at).closest('[data-cell]').dataset.cell"
            assert shown.tab.evaluate(there, middle(shown, cell)) == cell
        for cell in some(cells, 6):
            shown.tab.mouse.click(*middle(shown, cell))
            assert chosen(shown)[0] == [cell]


def test_cells_are_chosen_by_keys(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9") as shown:
        tab, keys = shown.tab, shown.tab.keyboard
        now = "document.activeElement.dataset.cell ?? ''"
        for _ in range(8):
            keys.press("Tab")
            if tab.evaluate(now):
                break
        first = tab.evaluate(now)
        assert first
        assert tab.locator('[data-cell][tabindex="0"]').count() == 1
        stroke = "getComputedStyle(document.activeElement.querySelector('.hit')).strokeWidth"
        assert tab.evaluate(stroke) == "4px"
        tab.locator('[data-cell="g1"]').focus()
        for key, cell in [("ArrowRight", "h1"), ("ArrowUp", "h2"), ("ArrowLeft", "g2"), ("ArrowDown", "g1"),
                          ("ArrowLeft", "f1"), ("ArrowUp", "f2"), ("ArrowUp", "f3")]:  # fmt: skip
            keys.press(key)
            assert tab.evaluate(now) == cell
        assert shown.place == "Turn 9 of 29"
        keys.press("Enter")
        assert chosen(shown) == (["f3"], "f3")
        assert tab.evaluate(now) == "f3"
        assert tab.locator('[data-cell="f3"]').get_attribute("aria-label") == "f3: no card"
        assert tab.locator('[data-cell="g1"]').get_attribute("aria-label") == "25, two diamonds, on g1"
        keys.press("j")
        assert shown.place == "Turn 10 of 29"
        assert tab.evaluate(now) == "f3"


def drag(shown: Opened, start: tuple[float, float], by: tuple[float, float]) -> None:
    """A finger on the glass, as the system reports it."""
    session = shown.tab.context.new_cdp_session(shown.tab)

    def send(kind: str, points: list[dict[str, float]]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = start
    send("touchStart", [{"x": x, "y": y}])
    for part in range(1, 9):
        send("touchMove", [{"x": x + by[0] * part / 8, "y": y + by[1] * part / 8}])
    send("touchEnd", [])


def test_a_finger_over_the_tower_turns_and_the_page_still_scrolls(browser: Browser, tmp_path: Path) -> None:
    """And one that taps a cell chooses it: what if comes up below the tower."""
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9", **PHONE) as shown:
        tab = shown.tab
        tab.touchscreen.tap(*middle(shown, "f3"))
        assert chosen(shown) == (["f3"], "f3")
        sheet = tab.locator("[data-sheet]")
        assert sheet.is_visible()
        assert tab.evaluate("scrollY") == 0
        box, tower = sheet.bounding_box(), tab.locator("svg.tower").bounding_box()
        assert box is not None
        assert tower is not None
        assert box["y"] >= tower["y"] + tower["height"] - 1
        assert box["y"] + box["height"] <= 845
        tab.get_by_label("Lay", exact=True).select_option("9")
        assert "The orders refuse 9 on f3." in shown.text("trial")
        tab.get_by_role("button", name="Clear").tap()
        assert not sheet.is_visible()
        assert chosen(shown) == ([], "")
        tab.get_by_role("button", name="One turn back").tap()
        assert shown.place == "Turn 8 of 29"
        start = middle(shown, "g1")
        drag(shown, start, (-160, 10))
        assert shown.place == "Turn 9 of 29"
        drag(shown, start, (160, -10))
        assert shown.place == "Turn 8 of 29"
        assert chosen(shown) == ([], "")
        assert tab.evaluate("scrollY") == 0
        drag(shown, start, (10, -200))
        shown.wait("scrollY > 60")
        assert shown.place == "Turn 8 of 29"
        assert chosen(shown) == ([], "")


def test_it_plays_by_itself_to_the_end(browser: Browser, tmp_path: Path) -> None:
    """But not where a card is tried, nor where motion is not wanted."""
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=25") as shown:
        tab = shown.tab
        tab.clock.install()
        play = tab.get_by_role("button", name="Play by itself")
        shown.click(play)
        assert play.get_attribute("aria-pressed") == "true"
        tab.clock.run_for(3_000)
        assert shown.place == "Turn 27 of 29"
        shown.click(play)
        tab.clock.run_for(5_000)
        assert shown.place == "Turn 27 of 29"
        shown.click(play)
        tab.clock.run_for(60_000)
        assert shown.place == "Turn 29 of 29"
        assert play.get_attribute("aria-pressed") == "false"
        shown.click(play)
        assert shown.place == "The set-up"
        tab.keyboard.press("j")
        tab.clock.run_for(5_000)
        assert shown.place == "Turn 1 of 29"
        shown.follow("#turn=9")
        shown.click(tab.get_by_role("tab", name="What if"))
        shown.click(play)
        tab.get_by_label("Lay", exact=True).select_option("23")
        tab.clock.run_for(5_000)
        assert shown.place == "Turn 9 of 29"
        assert tab.get_by_label("Lay", exact=True).input_value() == "23"
        tab.emulate_media(reduced_motion="reduce")
        assert not play.is_visible()
        assert tab.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
        tab.close()


def test_a_key_for_each_frequent_act_and_one_that_shows_them(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        tab = shown.tab
        tab.keyboard.press("2")
        assert tab.get_by_role("tab", name="Outlook").get_attribute("aria-selected") == "true"
        tab.keyboard.press("?")
        keys = tab.get_by_role("dialog", name="The keys")
        assert keys.locator("kbd").all_inner_texts() == ["← → k j", "Home End", "p", "1", "2", "3", "c", "?"]
        tab.keyboard.press("1")
        assert tab.get_by_role("tab", name="Outlook").get_attribute("aria-selected") == "true"
        tab.keyboard.press("Escape")
        assert keys.count() == 0


def test_letters_step_and_stay_letters_where_one_writes(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(*EVENING), tmp_path, "#game=1&turn=4", reduced_motion="reduce") as shown:
        keys = shown.tab.keyboard
        for key, place in [("j", "Turn 5 of 29"), ("k", "Turn 4 of 29"), ("k", "Turn 3 of 29")]:
            keys.press(key)
            assert shown.place == place
        shown.click(shown.tab.get_by_role("searchbox"))
        for key in ("j", "k", "Home"):
            keys.press(key)
            assert shown.place == "Turn 3 of 29"
        assert shown.tab.get_by_role("searchbox").input_value() == "jk"
        shown.tab.get_by_role("slider", name="Turn").focus()
        keys.press("j")
        assert shown.place == "Turn 4 of 29"


def test_what_is_taken_along(browser: Browser, tmp_path: Path) -> None:
    """A link to a turn, also of one of two games; the game as CGN, as the chosen view saw it; the theme."""
    context: Any = {"permissions": ["clipboard-read", "clipboard-write"], "reduced_motion": "reduce"}
    with opened(browser, page_of(TWO), tmp_path, "#game=2&turn=1", **context) as shown:
        tab = shown.tab
        button = tab.locator(f'{SHOWN} [data-part="link"]')
        assert button.inner_text() == "Copy a link to this turn"
        shown.click(button)
        shown.wait(f"""document.querySelector('{SHOWN} [data-part="link"]').textContent == 'Copied'""")
        link = tab.evaluate("navigator.clipboard.readText()")
        assert link.endswith("page.html#game=2&turn=1")
        tab.keyboard.press("Home")
        tab.goto(link)
        shown.arrives("Turn 1 of 2")

        shown.load(page_of(LEGAL))
        button = tab.get_by_role("button", name="Download as CGN")
        with tab.expect_download() as got:
            shown.click(button)
        assert got.value.suggested_filename == "thursday.cgn"
        got.value.save_as(tmp_path / "got.cgn")
        assert (tmp_path / "got.cgn").read_text() == LEGAL.read_text()
        shown.click(tab.get_by_text("the table", exact=True))
        with tab.expect_download() as got:
            shown.click(button)
        assert got.value.suggested_filename == "thursday-table.cgn"
        got.value.save_as(tmp_path / "seen.cgn")
        (item,) = read_text((tmp_path / "seen.cgn").read_text())
        assert isinstance(item, Game)
        assert {str(card) for turn in item.record.turns for card in turn.draw} <= {"?", "F"}

        button = tab.get_by_role("button", name="Colours")
        shown.click(button)
        shown.click(button)
        assert button.inner_text() == "Colours: dark"
        tab.reload()
        assert button.inner_text() == "Colours: dark"
        assert tab.evaluate("getComputedStyle(document.body).colorScheme") == "dark"


def test_where_nothing_may_be_remembered_the_theme_still_changes(browser: Browser, tmp_path: Path) -> None:
    refusing = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })"
    file = tmp_path / "page.html"
    file.write_text(page_of(LEGAL), encoding="utf-8")
    with browser.new_context() as context:
        context.add_init_script(refusing)
        shown = Opened(context.new_page())
        shown.tab.goto(file.as_uri())
        shown.tab.get_by_role("button", name="Colours").click()
        assert shown.tab.evaluate("document.documentElement.dataset.theme") == "light"
        assert shown.place == "Turn 29 of 29"
        assert shown.errors == []


def test_a_refused_fill_is_marked_and_the_draw_is_not(browser: Browser, tmp_path: Path) -> None:
    """A refused draw is marked with its cause, and a word in a comment is no fill."""
    fills = HEAD + "1. Aki +5 A 17@f1 fill 8\n", HEAD + "1. { fill up } Aki +5,6 A 17@f1\n"
    with opened(browser, page_of_text("".join([DRAW.read_text(), *fills])), tmp_path, reduced_motion="reduce") as shown:
        words = shown.tab.locator(f'{SHOWN} [data-part="words"]')
        assert words.locator("mark").inner_text() == "draws 41, 3, 27 and 36"
        assert words.inner_text() == "Kim draws 41, 3, 27 and 36; lays 44 up on i1; destroys 3, 36 and 41."
        hand = f'{SHOWN} [data-pile="hand-0"] .card.refused'
        assert shown.texts(f"{hand} .value") == ["41", "3", "27", "36"]
        assert shown.text("verdict") == "Breaks DRW03."
        assert shown.text("cause").startswith("4 cards were drawn, and at most 3 may be")
        assert shown.cell("i1") == "up refused 44"
        shown.click(shown.tab.locator(".views").get_by_text("Lou"))
        assert words.locator("mark").inner_text() == "draws 4 cards"
        assert shown.texts(hand)[0].split()[0] == "?"
        assert shown.text("cause") == ""
        shown.tab.keyboard.press("k")
        assert shown.tab.locator(f'{SHOWN} [data-part="words"] mark, {SHOWN} .card.refused').count() == 0
        refused = f"{SHOWN} .card.refused .value"
        shown.follow("#game=2")
        assert shown.text("words") == "Aki draws 5; lays 17 up on f1; fills the hand with 8."
        assert words.locator("mark").inner_text() == "fills the hand with 8"
        assert shown.texts(refused) == ["8"]
        shown.follow("#game=3")
        assert words.locator("mark").inner_text() == "draws 5 and 6"
        assert shown.texts(refused) == ["5", "6"]


def test_without_scripts_the_page_is_readable(browser: Browser, tmp_path: Path) -> None:
    """Also on a phone, and there the index leads to its games."""
    context: Any = {"java_script_enabled": False, "reduced_motion": "reduce"}
    with opened(browser, "", tmp_path, **context) as shown:
        tab = shown.tab
        for path in (LEGAL, BROKEN, DEAD) if LONG else (LEGAL, BROKEN):
            (item,) = read_text(path.read_text())
            assert isinstance(item, Game)
            turns = len(item.record.turns)
            shown.load(page_of(path))
            for width, height in (SIZES[0], SIZES[3]):
                tab.set_viewport_size({"width": width, "height": height})
                text = tab.locator("body").inner_text()
                assert tab.locator(".moves li:visible").count() == turns + 1
                assert f"Turn {8 if path == BROKEN else turns} of {turns}" in text
                assert ("Illegal at turn 8, by TOW02." if path == BROKEN else "Every turn keeps the rules.") in text
                tower = tab.locator("svg.tower").bounding_box()
                assert tower is not None
                assert tower["height"] > 100
                assert tab.locator('[data-pile="reserve"] .card:visible').count() > 0
                assert not tab.locator("article button:visible").count()
        shown.load(page_of(*EVENING))
        tab.locator(".index a").nth(3).click()
        box = tab.locator("article").nth(3).bounding_box()
        assert box is not None
        assert abs(box["y"]) < 5
