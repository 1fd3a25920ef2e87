"""The page as a person uses it: a game typed, refused, undone, put anew, killed, in two tabs, by keys alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from couperation_formal.game.tower import Value
from tests.board.local import Local, Own
from tests.board.taps import LAPTOP, PHONE, THURSDAY, Hand, Seat, problems, screen, thursday
from tests.conftest import LONG, some
from tests.kit.browser import resize

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

SIZES = ((1440, 900), (768, 1024), (390, 844))


def wait_text(page: Page, selector: str, text: str | re.Pattern[str]) -> None:
    expect(page.locator(selector).last).to_contain_text(text)


def test_a_game_in_japanese_is_typed_commented_undone(browser: Browser, tmp_path: Path) -> None:
    file, leading = tmp_path / "x.cgn", tmp_path / "lead.html"
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        leading.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={board.address}">')
        other = page.context.new_page()
        other.goto(leading.as_uri())
        other.wait_for_url(f"http://{board.host}/")
        other.wait_for_selector("html.live")
        other.close()
        page.locator('[name="player"]').nth(0).fill("花子")
        page.locator('[name="player"]').nth(1).fill("<b>Ben</b>")
        page.locator("#event").fill("木曜日の卓")
        hand.tap("#start .go")
        line = page.get_by_label("Next turn")
        line.fill("A 17@f")
        wait_text(page, "#told", "f")
        line.fill("A 17@f1")
        wait_text(page, "#told", "✓ Keeps the rules")
        line.press("Enter")
        hand.listed("1. 花子 +0 A 17@f1")
        line.fill("A 13@h1")
        wait_text(page, "#told", "17 is not below 13")
        line.press("Enter")
        page.wait_for_selector('html[data-busy="0"]')  # what is pressed before the refusal is there is let go
        hand.keep()
        hand.listed("2. <b>Ben</b> +0 A 13@h1 ~~")
        wait_text(page, "#turns .finding", "TOW01")
        hand.tap('#turns [data-place="2"]')
        hand.tap("#back")
        hand.listed("1. 花子 +0 A 17@f1")
        hand.tap("#undo")
        hand.listed("2. <b>Ben</b> +0 A 13@h1 ~~")
        hand.tap("#redo")
        hand.listed("1. 花子 +0 A 17@f1")
        hand.tap('#turns [data-place="1"]')
        page.locator("#remark").fill("最初の一手")
        hand.tap("#comment button")
        wait_text(page, "#turns code", "1. 花子")
        expect(page.locator("#text")).to_have_value(re.compile("最初の一手"))
        assert page.locator("#title").inner_text() == "木曜日の卓"
        assert page.locator("main b:not(.code)").count() == 0
        hand.tap("#tab-text")
        expect(page.locator("#kept")).to_have_text(f"Kept in {file}, with every turn.")
        with page.expect_download() as saved:
            hand.tap("#export")
        assert Path(saved.value.path()).read_text("utf-8") == page.locator("#text").input_value()
    text = file.read_text("utf-8")
    assert "1. 花子 +0 A 17@f1 ; 最初の一手\n" in text
    assert '[Players "花子 <b>Ben</b>"]' in text
    assert '[Event "木曜日の卓"]' in text


def test_a_game_whose_beginning_is_undone_leaves_the_one_before(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        hand.tap("#new")
        for seat, name in enumerate(("Ida", "Jon")):
            page.locator('[name="player"]').nth(seat).fill(name)
        hand.tap("#start .go")
        expect(page.locator("#which")).to_have_value("2")
        hand.tap("#undo")
        expect(page.locator("#turns code")).to_have_count(3)
        expect(page.locator("#start")).to_be_hidden()
    assert file.read_text("utf-8") == thursday(3)


def test_what_is_set_once_is_there_at_another_port_in_another_browser_and_on_another_device(
    browser: Browser, tmp_path: Path
) -> None:
    """Marks, theme and the switch of hints; a page that tells one more mark tells none of the others."""
    addresses, file = set(), tmp_path / "x.cgn"
    file.write_text(thursday(2), "utf-8")
    seats = ((PHONE, "", ("H", "2")), (LAPTOP, "2 cards marked", ("", "", "1")), (PHONE, "1 card marked", ()))
    for place, (settings, told, marks) in enumerate(seats):
        with Local(file, known=False) as board, screen(browser, board, known=False, **settings) as (hand, page):
            addresses.add(board.host)
            page.locator("#tab-know").click()
            expect(page.locator("#know-hints")).to_be_checked(checked=place > 0)
            page.locator("#know-hints").check()
            expect(page.locator("#theme")).to_have_text(re.compile("light$" if place else "auto$"))
            hand.more()
            if place == 0:
                hand.tap("#theme")
            hand.tap("#new")
            hand.tap("#marking summary")
            expect(page.locator("#marks-told")).to_have_text(told)
            for mark in marks:
                hand.tap(f'#marking [data-mark="{mark}"]')
            expect(page.locator("html")).to_have_attribute("data-busy", "0")
    assert len(addresses) == 3


def test_two_players_have_two_names_and_a_name_holds_a_blank(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        for seat in (0, 1):
            page.locator('[name="player"]').nth(seat).fill("Ida")
        hand.tap("#start .go")
        expect(page.locator("#start-said")).to_have_text("two players have the name Ida")
        assert not file.exists()
        page.locator('[name="player"]').nth(0).fill(" Anna  Maria ")
        page.locator('[name="player"]').nth(1).fill("Ben")
        hand.tap("#start .go")
        expect(page.locator("#mover")).to_have_text("Anna Maria")
        expect(page.locator("#told")).to_contain_text("Anna Maria's turn")
        assert "Anna Maria" in page.locator("#seen-by").inner_text()
        assert page.locator("#piles dt").first.inner_text() == "Anna Maria"
        page.locator("#line").fill("+0 A 17@f1")
        hand.tap("#up")
        hand.listed("1. Anna_Maria +0 A 17@f1")
        page.locator("#line").fill("2. Anna_Maria +0 A 30@h1")
        expect(page.locator("#told")).not_to_contain_text("Anna_Maria's")
    assert '[Players "Anna_Maria Ben"]' in file.read_text("utf-8")
    assert "deal Anna_Maria ? ? ?" in file.read_text("utf-8")


def test_an_earlier_turn_is_put_anew_and_what_it_breaks_is_told(laptop: Seat) -> None:
    with laptop(THURSDAY) as (file, _, hand, page):
        hand.tap('#turns [data-place="28"]')
        hand.tap("#edit")
        wait_text(page, "#told", re.compile(r"Keeps the rules.*28\. Mira \+17 D 34-13=21@d6 trim 34", re.DOTALL))
        expect(page.locator("#clear")).to_have_text("Leave it as it was")
        hand.cell("d5")
        wait_text(page, "#told", "Then turn 29 breaks TOW03")
        hand.tap("#clear")
        wait_text(page, "#told", "The game is won.")
        hand.tap("#edit")
        wait_text(page, "#told", re.compile(r"Keeps the rules.*28\. Mira \+17 D 34-13=21@d6 trim 34", re.DOTALL))
        line = page.get_by_label("Next turn")
        line.fill("+17 B 17@d6")
        wait_text(page, "#told", "Then turn 29 breaks END05")
        line.press("Enter")
        hand.listed("29. Tomas +0 A 23@d7")
        wait_text(page, '#turns [data-place="28"]', "28. Mira +17 B 17@d6")
        wait_text(page, "#turns .finding", "END05")
        hand.tap("#undo")
        wait_text(page, '#turns [data-place="28"]', "34-13=21@d6 trim 34")
    assert file.read_text("utf-8") == THURSDAY


def test_the_board_is_killed_and_the_game_goes_on(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    board = Own(file)
    with screen(browser, board, known=False, **PHONE) as (hand, page):
        hand.tap('#fifty [data-card="12"]')
        hand.tap('#hand [data-card="29"]')
        hand.cell("g2")
        hand.tap("#up")
        hand.listed("4. Mira +12 A 29@g2")
        hand.tap('#fifty [data-card="19"]')
        board.kill()
        hand.tap('#fifty [data-card="6"]')
        wait_text(page, "#notices", "start it again with the same file")
        hand.away = True
    with Own(file) as again, screen(browser, again, known=False, **PHONE) as (hand, page):
        hand.listed("4. Mira +12 A 29@g2")
        hand.tap('#fifty [data-card="19"]')
        hand.tap('#fifty [data-card="6"]')
        hand.tap('#fifty [data-card="15"]')
        hand.cell("e2")
        hand.tap('#told [data-part="drop"]', "6")
        hand.tap("#up")
        hand.listed("5. Tomas +19,6 A 15@e2 drop 6")
    assert "4. Mira +12 A 29@g2\n5. Tomas +19,6 A 15@e2 drop 6\n" in file.read_text("utf-8")


@pytest.mark.parametrize("heard", [False, True] if LONG else [False])  # races have one that hears of it
def test_two_tabs_show_both_when_one_is_stale(browser: Browser, tmp_path: Path, heard: bool) -> None:
    file = tmp_path / "x.cgn"
    file.write_text(thursday(3), "utf-8")
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, other):
        page = other.context.new_page()
        if not heard:
            page.route("**/api/events", lambda route: route.abort())
        page.goto(board.address)
        page.wait_for_selector("html.live")
        late = Hand(page, False)
        late.tap('#fifty [data-card="12"]')
        late.tap('#fifty [data-card="8"]')
        late.cell("d1")
        wait_text(page, "#told", "4. Mira +12 A 8@d1")
        hand.page.locator("#line").fill("+12 A 29@g2")
        wait_text(hand.page, "#told", "Keeps the rules")
        hand.page.locator("#line").press("Enter")
        hand.listed("4. Mira +12 A 29@g2")
        if not heard:
            late.tap("#up")
        wait_text(page, "#yours", "4. Mira +12 A 8@d1")
        wait_text(page, "#there", "4. Mira +12 A 29@g2")
        late.tap("#let-go")
        late.listed("4. Mira +12 A 29@g2")
        assert page.locator("#stale").is_hidden()
        page.locator("#line").fill("+19,6 A 15@e2 drop 6")
        wait_text(page, "#told", "Keeps the rules")
        page.locator("#line").press("Enter")
        late.listed("5. Tomas +19,6 A 15@e2 drop 6")
        hand.listed("5. Tomas +19,6 A 15@e2 drop 6")


def go(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until the focus is there."""
    for _ in range(80):
        if page.evaluate("selector => Boolean(document.activeElement.closest(selector))", selector):
            return
        page.keyboard.press(key)
    pytest.fail(f"{selector} is not reached by Tab")


def test_a_game_by_keys_alone(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "x.cgn"
    with Local(file, known=False) as board, screen(browser, board, **LAPTOP) as (hand, page):
        go(page, '[name="player"]')
        page.keyboard.type("Aki")
        page.keyboard.press("Tab")
        page.keyboard.type("Ben")
        page.keyboard.press("Enter")
        page.locator("#game").wait_for()
        for drawn, (keys, cell, way, text) in enumerate((
            (("ArrowDown", *("ArrowRight",) * 6), "ArrowLeft", "up", "1. Aki +0 A 17@f1"),
            (("ArrowDown", "ArrowDown"), "ArrowRight", "down", "2. Ben +? B 37@h1"),
        )):  # fmt: skip
            go(page, "#unseen")
            for _ in range(drawn):
                page.keyboard.press("ArrowRight")
            page.keyboard.press("Enter")
            go(page, "#fifty")
            for key in keys:
                page.keyboard.press(key)
            page.keyboard.press("Enter")
            go(page, "#tower", "Shift+Tab")
            while page.evaluate("document.activeElement.dataset.cell") != "g1":
                page.keyboard.press("ArrowRight")
            page.keyboard.press(cell)
            page.keyboard.press("Enter")
            go(page, f"#{way}")
            expect(page.locator(f"#{way}")).to_contain_text(f"{text[-5:-3]} {way} on {text[-2:]}")
            page.keyboard.press("Enter")
            hand.listed(text)
        page.keyboard.press("Control+z")
        hand.listed("1. Aki +0 A 17@f1")
        go(page, "#tab-turns")
        page.keyboard.press("ArrowRight")
        assert page.locator("#tab-know").get_attribute("aria-selected") == "true"


def test_keys_stay_where_what_they_pressed_is_gone(laptop: Seat) -> None:
    with laptop(thursday(4)) as (_, _, hand, page):
        for card in (19, 6, 15):
            hand.tap(f'#fifty [data-card="{card}"]')
        hand.cell("e2")
        go(page, '#told [data-part="drop"]')
        page.keyboard.press("Enter")
        wait_text(page, "#told .line", "drop 4")
        expect(page.locator("#told")).to_be_focused()
        hand.tap('#turns [data-place="3"]')
        go(page, "#remarks button")
        page.keyboard.press("Enter")
        expect(page.locator("#remarks button")).to_have_count(0)
        expect(page.locator("#remark")).to_be_focused()


def test_what_is_being_asked_can_be_read(laptop: Seat) -> None:
    with laptop(thursday(4)) as (_, _, hand, page):
        hand.cell("e1")
        wait_text(page, "#told", "Which card?")
        expect(page.locator("#strip .chip")).to_have_count(4)
        page.route(re.compile("/api/(draft|strip)"), lambda _: None)
        hand.tap('#turns [data-place="4"]')
        hand.tap('#glyphs [data-glyph="!"]')
        expect(page.locator("#strip")).to_have_attribute("aria-busy", "true")
        hand.tap('#fifty [data-card="19"]')
        page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
        assert problems(page) == []
        page.unroute_all(behavior="ignoreErrors")


PARTS = """() => Object.fromEntries(
  [..."stage told-place acts look-acts hand reserve unseen fifty line up down clear".split(" ")].filter((id) =>
    document.getElementById(id).getClientRects().length).map((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return [id, [left, top, right, bottom].map(Math.round)];
  }))"""
"""Where the parts are that are shown."""


COVERED = """() => [...document.querySelectorAll("#tower [role=button]")].filter((cell) => {
  const { left, top, width, height } = cell.querySelector(".hit").getBoundingClientRect();
  return !cell.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((cell) => cell.dataset.cell)"""
"""The cells in whose middle something else lies."""


def sized(page: Page, script: str = PARTS) -> list[Any]:
    """What a script says in a window of each size, of which the last one stays."""
    found = []
    for width, height in SIZES:
        resize(page, width, height)
        found.append(page.evaluate(script))
    return found


def test_one_screen_and_nothing_jumps(phone: Seat) -> None:
    with phone(thursday(9)) as (_, _, hand, page):
        first = sized(page)
        for (wide, high), there in zip(SIZES, first, strict=True):
            for name, (left, top, right, bottom) in there.items():
                assert left >= 0, name
                assert top >= 0, name
                assert right <= wide, name
                assert bottom <= high, name
        assert sized(page, "document.documentElement.scrollWidth <= innerWidth") == [True] * len(SIZES)
        acts: tuple[Callable[[], None], ...] = (
            lambda: hand.tap('#fifty [data-card="26"]'), lambda: hand.tap('#fifty [data-card="10"]'),
            lambda: hand.tap('#reserve [data-card="36"]'), lambda: hand.card(Value(26)), lambda: hand.card(Value(10)),
            lambda: hand.cell("h2"), lambda: hand.tap('#told [data-part="drop"]', "45"),
            lambda: hand.tap('#told [data-part="trim"]', "50"), lambda: hand.tap("#up"),
        )  # fmt: skip
        placing = [  # the places of an exchange take the room of both buttons
            {name: place for name, place in each.items() if name != "down"}
            | {"up": [*each["up"][:2], each["down"][2], each["up"][3]]}
            for each in first
        ]
        for at, act in enumerate(acts):
            act()
            assert sized(page) == (placing if at in (2, 3, 4) else first)
        hand.listed("10. Mira +26,10 D 26+10=36@h2x? drop 45 trim 50")
        assert sized(page) == first
        hand.more()
        first = sized(page)
        for where, turn in (("back", 9), ("back", 8), ("on", 9)):
            hand.tap(f'#steps [data-go="{where}"]')
            wait_text(page, "#told", f"After turn {turn} of 10")
            assert sized(page) == [
                {name: place for name, place in each.items() if name not in ("up", "down", "clear", "acts")}
                | {"look-acts": each["acts"]}
                for each in first
            ]
        assert sized(page, COVERED) == [[]] * len(SIZES)
        hand.tap("#present")
        wait_text(page, "#told", "Tap what was drawn")
        assert sized(page) == first


def test_a_hand_without_a_card_takes_as_much_room(laptop: Seat) -> None:
    head = '[CGN "1"]\n[Players "Ida Jon"]\n\ndeal Ida 18 30 40\ndeal Jon 21 32 44\n\n'
    with laptop(f"{head}1. Ida +0 A 18@f1 ~~ drop 30,40\n") as (_, _, hand, page):
        expect(page.locator("#hand .card")).to_have_count(3)
        first = sized(page)
        for tap in ('#unseen [data-card="0"]', '#hand [data-card="32"]', '[data-cell="h1"] .hit', "#up"):
            hand.tap(tap)
        hand.listed("2. Jon +0 A 32@h1")
        expect(page.locator("#hand .card")).to_have_count(0)
        assert sized(page) == first


def test_enlarged_pages_scroll_one_way_only(laptop: Seat) -> None:
    with laptop(thursday(9)) as (_, _, hand, page):
        resize(page, 683, 384)
        hand.tap('#fifty [data-card="26"]')
        hand.tap('#reserve [data-card="36"]')
        for wide in (683, 320):
            resize(page, wide, 384)
            wait_text(page, "#told", "= 36")
            assert page.evaluate("document.documentElement.scrollWidth") == wide


MEETING = """() => [...document.querySelectorAll("#game button, #game .who, #told")].filter((each) => each.offsetParent)
  .map((each) => [each.id || each.dataset.card, each, each.getBoundingClientRect()])
  .flatMap(([name, one, a], i, all) => all.slice(i + 1).filter(([, other, b]) => !one.contains(other)
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2).map(([other]) => [name, other]))"""
"""Controls of which one lies over another."""

CUT = """() => [...document.querySelectorAll("#up, #up .place, #up small")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""
"""What of the confirming button does not fit where it stands."""


def test_text_twice_as_large_overlaps_nowhere_on_a_telephone(phone: Seat) -> None:
    with phone(thursday(9)) as (_, _, hand, page):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        for wide, high in ((390, 664), (844, 390)):
            resize(page, wide, high)
            assert page.evaluate("document.documentElement.scrollWidth") == wide
            assert page.evaluate(MEETING) == []
        hand.tap('#reserve [data-card="36"]')
        expect(page.locator("#up .place")).to_have_count(5)
        for wide, high in ((390, 664), (844, 390)):
            resize(page, wide, high)
            assert page.evaluate("document.documentElement.scrollWidth") == wide
            assert page.evaluate(CUT) == []
        page.evaluate("document.documentElement.style.fontSize = ''")


@pytest.mark.parametrize("settings", some([
    pytest.param({**LAPTOP, "color_scheme": "dark", "reduced_motion": "reduce"}, id="dark"),
    pytest.param(PHONE, id="phone"),
], 2))  # fmt: skip
def test_nothing_stands_in_the_way_of_a_screen_reader(
    browser: Browser, tmp_path: Path, settings: dict[str, Any]
) -> None:
    file = tmp_path / "x.cgn"
    with Local(file, known=False) as board, screen(browser, board, **settings) as (hand, page):
        found: dict[str, list[str]] = {}
        hand.tap("#marking summary")
        found["dealt"] = problems(page)
        page.locator('[name="player"]').nth(0).fill("Aki")
        page.locator('[name="player"]').nth(1).fill("Ben")
        hand.tap("#start .go")
        hand.card(Value(17))
        hand.cell("f2")
        wait_text(page, "#told", "Against the rules")
        found["refused"] = problems(page)
        hand.keep()
        hand.listed("1. Aki +0 A 17@f2 ~~")
        hand.tap('#turns [data-place="1"]')
        for name in () if settings is PHONE else ("turns", "know", "books", "table", "text"):
            hand.tap(f"#tab-{name}")
            found[name] = problems(page, "html" if LONG or name == "turns" else "#beside")  # all else is as it was
        if settings.get("color_scheme") == "dark":
            assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(22, 20, 15)"
    assert {name: each for name, each in found.items() if each} == {}
