"""The page in a browser, from a file: steps, links, views, keys alone, what a screen reader is told, looks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from couperation_formal.analysis.verify import check
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.notation.read import read_file, read_text
from couperation_formal.report.html.page import page
from couperation_formal.report.svg import slot
from couperation_formal.report.svg_picture import tower_picture
from tests.html.page import EVIL, data_of
from tests.html.pages import BROKEN, DEAD, FINISH, HEAD, LEGAL, ROOT, TWO, Opened, opened, page_of, page_of_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CONFLICTS = ROOT / "examples" / "towers" / "dead.cgn"


def test_the_page_begins_at_the_end_and_steps(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        assert shown.place == "Turn 29 of 29"
        assert shown.cell("d7") == "up laid 23"
        tab = shown.tab
        tab.get_by_role("button", name="To the set-up").click()
        assert shown.place == "The set-up"
        assert shown.cell("g1") == "up mark-2 25"
        assert shown.cell("f1") == "open"
        tab.get_by_role("button", name="One turn on").click()
        assert shown.place == "Turn 1 of 29"
        assert shown.cell("f1") == "up laid mark-1 18"
        assert shown.text("words") == "Mira draws 29; lays 18 up on f1."
        tab.get_by_role("button", name="One turn back").click()
        tab.get_by_role("button", name="One turn back").click(force=True)
        assert shown.place == "The set-up"
        tab.get_by_role("slider", name="Turn").fill("8")
        assert shown.place == "Turn 8 of 29"
        assert shown.cell("h2") == "down laid-down ~45"
        tab.locator('[data-turn-bar="12"]').click()
        assert shown.place == "Turn 12 of 29"
        tab.get_by_role("link", name="Mira +26,10 D").click()
        shown.arrives("Turn 10 of 29")
        assert tab.url.endswith("#turn=10")
        assert tab.locator("[aria-current=step]").get_attribute("data-turn") == "10"


def test_keys_alone(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        keys = shown.tab.keyboard
        for key, place in [
            ("Home", "The set-up"),
            ("ArrowLeft", "The set-up"),
            ("ArrowRight", "Turn 1 of 29"),
            ("ArrowRight", "Turn 2 of 29"),
            ("End", "Turn 29 of 29"),
            ("ArrowRight", "Turn 29 of 29"),
            ("ArrowLeft", "Turn 28 of 29"),
        ]:
            keys.press(key)
            assert shown.place == place
        assert shown.tab.url.endswith("#turn=28")
        order = []
        for _ in range(60):
            keys.press("Tab")
            order.append(shown.tab.evaluate(
                "(() => { const e = document.activeElement; const d = e.dataset;"
                " return d.go ?? d.part ?? d.turn ?? d.tab ?? (e.name || e.id || e.className || e.tagName); })()"
            ))  # fmt: skip
        wanted = [
            "skip",
            "theme",
            "first",
            "back",
            "slider",
            "on",
            "last",
            "view-1",
            "moves",
            "0",
            "29",
            "link",
            "download",
            "names",
        ]
        places = [order.index(name) for name in wanted]
        assert places == sorted(places)
        visible = "(() => getComputedStyle(document.activeElement).outlineStyle)()"
        shown.tab.get_by_role("button", name="One turn back").focus()
        keys.press("Tab")
        assert shown.tab.evaluate(visible) != "none"
        keys.press("Home")
        assert shown.place == "The set-up"
        keys.press("ArrowRight")
        assert shown.place == "Turn 1 of 29"
        shown.tab.get_by_role("radio", name="the table").focus()
        keys.press("ArrowRight")
        assert shown.place == "Turn 1 of 29"
        assert shown.tab.get_by_role("radio", name="Mira").is_checked()


@pytest.mark.parametrize("fragment, place", [
    ("#turn=14", "Turn 14 of 29"), ("#turn=0", "The set-up"), ("#turn=99", "Turn 29 of 29"),
    ("#turn=x", "Turn 29 of 29"), ("#%3Cscript%3E", "Turn 29 of 29"), ("#game=7&turn=3", "Turn 3 of 29"),
])  # fmt: skip
def test_links(browser: Browser, tmp_path: Path, fragment: str, place: str) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, fragment) as shown:
        assert shown.place == place


def test_a_turn_after_the_illegal_one_leads_to_it(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(BROKEN), tmp_path, "#turn=10") as shown:
        assert shown.place == "Turn 8 of 10"
        assert shown.cell("e2") == "up mark-1 refused 22"
        assert "conflict" in shown.cell("f1")
        assert shown.text("verdict") == "Breaks TOW02."


def test_several_games(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL, TWO, DEAD), tmp_path) as shown:
        tab = shown.tab
        assert tab.locator("article:visible").get_attribute("data-game") == "1"
        tab.get_by_role("link", name="game 6").click()
        expect(tab.locator("article:visible")).to_have_attribute("data-game", "4")
        tab.keyboard.press("Home")
        assert tab.url.endswith("#game=4&turn=0")
        tab.goto(tab.url.split("#")[0] + "#game=3&turn=2")
        shown.arrives("Turn 2 of 2")
        assert shown.cell("e1") == "up laid 9"
        tab.goto(tab.url.split("#")[0] + "#game=2")
        expect(tab.locator("article:visible")).to_contain_text("This is no CGN")
        tab.keyboard.press("ArrowLeft")
        assert tab.locator("[aria-current=true]").get_attribute("data-open") == "2"


def test_views(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9") as shown:
        tab = shown.tab

        def piles() -> list[str]:
            return [" ".join(each.split()) for each in tab.locator("article [data-pile]").all_inner_texts()]

        def turn(number: int) -> str:
            return tab.locator(f'[data-turn="{number}"] [data-cgn]').inner_text()

        assert piles()[:3] == [
            "8 ♦ one diamond 12 ♦ one diamond 40 ♦ one diamond",
            "4 ♦ one diamond 7 19 ♦ one diamond",
            "33 ♦♦ two diamonds 43 ♦ one diamond",
        ]
        assert shown.cell("h2") == "down ~45"
        tab.get_by_text("the table", exact=True).click()
        assert piles()[0] == "? ×\u20093 3 unseen cards".replace("\u2009", " ")
        assert piles()[3].startswith("1 14 27")
        assert shown.cell("h2") == "down ~?"
        assert turn(8) == "+? B ?@h2"
        assert turn(3) == "+?,? A 11@e1 drop ?"
        assert shown.text("remark") == ""
        tab.locator(".views").get_by_text("Tomas").click()
        assert piles()[1].startswith("4 ♦")
        assert piles()[2].startswith("?")
        assert shown.cell("h2") == "down ~45"
        assert turn(8) == "+7 B 45@h2"
        tab.locator(".views").get_by_text("Noor").click()
        assert shown.cell("h2") == "down ~?"


@pytest.mark.parametrize("path", [LEGAL, FINISH, BROKEN, DEAD], ids=lambda path: path.stem)
def test_the_page_draws_what_the_library_draws(browser: Browser, tmp_path: Path, path: Path) -> None:
    (item,) = read_file(path)
    report = check(item)
    assert report.rules is not None
    with opened(browser, page([report]), tmp_path) as shown:
        home = data_of(page([report]))["home"]
        steps = shown.tab.evaluate("""turns => turns.map((turn) => {
          couperation.games[0].go(turn, true);
          return [...document.querySelectorAll("[data-cell]")].map((slot) => [slot.dataset.cell, slot.outerHTML]);
        })""", [state.turns for state in report.states])  # fmt: skip
        for state, drawn in zip(report.states, steps, strict=True):
            picture = tower_picture(state.tower, report.rules.rulings, state.marks, laid=state.touched)
            slots = dict(drawn)
            for glass in picture.glasses:
                if glass.kind != "place" and (glass.kind != "open" or str(glass.cell) in home):
                    assert _plain(slots[str(glass.cell)]) == _plain(slot(glass)), (state.turns, glass)


def _plain(markup: str) -> str:
    """A slot as it is drawn, without what makes a button of it."""
    markup = re.sub(r' (role|tabindex|aria-label|aria-pressed)="[^"]*"', "", markup)
    return re.sub(r'<rect class="hit"[^>]*></rect>', "", markup).replace("></use>", "/>")


def test_a_filling_and_a_conflict_are_shown_on_demand(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(DEAD), tmp_path, "#turn=4") as shown:
        tab = shown.tab
        tab.get_by_role("tab", name="Outlook").click()
        assert "can still be completed" in shown.text("outlook")
        tab.get_by_role("button", name="Show a filling").click()
        filling = data_of(page_of(DEAD))["steps"][4]["outlook"]["filling"]
        for cell, value in filling.items():
            assert shown.cell(cell).replace("laid ", "") == f"fill ({value})"
        tab.get_by_role("button", name="Hide a filling").click()
        assert "fill" not in shown.cell(next(iter(filling)))
        tab.keyboard.press("ArrowRight")
        assert "is deadlocked" in shown.text("outlook")
        tab.get_by_role("button", name="Show the cells in conflict").click()
        assert "conflict" in shown.cell("k1")


def test_each_turn_is_announced(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=21") as shown:
        live = shown.tab.locator("[aria-live=polite]").first
        assert live.get_attribute("aria-atomic") == "true"
        shown.tab.keyboard.press("ArrowRight")
        assert " ".join(live.inner_text().split()) == "Turn 22 of 29 Mira lays 24 up on e4. Keeps the rules."
        slider = shown.tab.get_by_role("slider", name="Turn")
        assert slider.get_attribute("aria-valuetext") == "Turn 22 of 29"
        tower = shown.tab.locator("svg.tower")
        assert "22 cards laid" in tower.locator("title").inner_html()
        assert "~31 on f4" in tower.locator("desc").inner_html()
        for role in ("banner", "main", "contentinfo"):
            assert shown.tab.get_by_role(role).count() == 1


def test_the_exported_position_is_read_and_has_the_tried_card(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(FINISH), tmp_path) as shown:
        run = """tries => tries.map(([turn, card, cell]) => {
          const game = couperation.games[0];
          game.go(turn, true);
          game.panels.open("what-if");
          game.part("card").value = card;
          game.part("cell").value = cell;
          game.whatIf.tryIt();
          return [game.part("cgn").value, game.part("card").value, game.part("cell").value];
        })"""
        steps = data_of(page_of(FINISH))["steps"]
        tries = [
            (turn, card, cell)
            for turn, step in enumerate(steps)
            for cell in [name for name, fit in step["fits"].items() if "bar" not in fit][:2]
            for card in [*step["cards"][:: turn + 9], "F"]
        ]
        tried = 0
        for (turn, card, cell), (text, chosen, on) in zip(tries, shown.tab.evaluate(run, tries), strict=True):
            if (chosen, on) != (card, cell):
                assert card == "F"
                continue
            (table,) = read_text(text)
            assert isinstance(table, Snapshot), (text, table)
            laid = {str(at): str(each) for at, each in table.position.tower}
            assert laid == {**steps[turn]["cells"], cell: card}
            cards = [each for hand in table.position.hands.values() for each in hand]
            assert card not in map(str, [*cards, *(table.position.reserve or ())])
            tried += 1
        assert tried > 100


def try_it(shown: Opened, card: str, cell: str) -> str:
    """Lay a card as a person does: the cell in the picture, the card in the list; what is told."""
    shown.tab.locator(f'[data-cell="{cell}"]').click()
    shown.tab.get_by_label("Lay", exact=True).select_option(card)
    return shown.text("trial")


def test_what_cannot_be_told_is_not_claimed(browser: Browser, tmp_path: Path) -> None:
    text = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben A ?@h1\n'
    with opened(browser, page_of_text(text), tmp_path) as shown:
        shown.tab.get_by_role("tab", name="Outlook").click()
        assert "cannot be told" in shown.text("outlook")
        assert not shown.tab.locator('[data-part="fill"]').is_visible()
        told = try_it(shown, "20", "f2")
        assert "As far as the up cards are shown, the orders accept 20 on f2." in told
        assert "cannot be told" in told
        assert "still be completed" not in told


@pytest.mark.parametrize("rules, words", [("en-2", "24"), ("en-2 between=inclusive", "25")])
def test_the_words_follow_the_rulings(browser: Browser, tmp_path: Path, rules: str, words: str) -> None:
    text = f'[CGN "1"]\n[Rules "{rules}"]\n[Players "Aki Ben"]\nposition\ntower 17@f1 25@g1 40@h1 30@g2\n'
    with opened(browser, page_of_text(text), tmp_path) as shown:
        assert f"TOW02: only numbers up to {words} lie below 25 on g1." in try_it(shown, "42", "f2")
        assert "conflict" in shown.cell("g1")


def test_what_a_card_would_close(browser: Browser, tmp_path: Path) -> None:
    text = '[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\nposition\ntower 24@f1 25@g1 30@h1\ngone 26\n'
    with opened(browser, page_of_text(text), tmp_path) as shown:
        shown.tab.get_by_role("tab", name="Outlook").click()
        assert "f2 must hold a number between 24 and 25, and none is left" in shown.text("outlook").replace("F2", "f2")
        assert "deadlocked already" in try_it(shown, "27", "g2")
    text = text.replace("24@f1", "20@f1").replace("30@h1", "40@h1").replace("gone 26", "gone 21 22 23")
    with opened(browser, page_of_text(text), tmp_path) as shown:
        assert "The tower can still be completed with it." in try_it(shown, "24", "f2")
        shown.tab.get_by_role("button", name="Clear").click()
        assert try_it(shown, "26", "g2").split("\n\n") == [
            "The orders accept 26 on g2.",
            "It would deadlock the tower.",
            "Of the cards that are left 27 to 39 on g2 would not.",
        ]
        shown.tab.get_by_label("on", exact=True).select_option("j1")
        shown.tab.get_by_label("Lay", exact=True).select_option("29")
        assert "The orders refuse 29 on j1." in shown.text("trial")
        assert "TOW01: only numbers from 41 on lie above 40 on h1." in shown.text("trial")


def test_a_position_shows_what_it_gives(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(CONFLICTS), tmp_path) as shown:
        assert shown.text("mover") == ""
        terms = shown.tab.locator("article dt").all_inner_texts()
        assert terms == []
        assert "f2, f3, g2" in shown.text("outlook")
        shown.tab.get_by_role("button", name="Show the cells in conflict").click()
        assert [shown.cell(cell).split()[-1] for cell in ("f2", "f3", "g2")] == ["conflict"] * 3


def test_text_from_a_record_does_nothing(browser: Browser, tmp_path: Path) -> None:
    text = HEAD.replace("Aki", EVIL) + f"1. {EVIL} A 17@f1 {{ {EVIL} }}\n2. Ben A 9@f2\n"
    with opened(browser, page_of_text(text, f"{EVIL}.cgn"), tmp_path, "#turn=1") as shown:
        assert shown.text("words").startswith(EVIL)
        assert shown.tab.locator("article script, article img").count() == 0


def test_scripts_that_are_not_the_pages_own_do_not_run(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "other.html"
    file.write_text(page_of(LEGAL).replace("</body>", "<script>document.title = 'changed'</script></body>"))
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto(file.as_uri())
        assert tab.title() == "Thursday table, fourth try · Couperation"


def test_a_record_is_a_game() -> None:
    assert all(isinstance(item, Game) for path in (LEGAL, FINISH, BROKEN, DEAD) for item in read_file(path))
