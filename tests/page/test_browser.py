"""The page in a browser, from a file: steps, links, views, keys alone, what a screen reader is told, looks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from couperation_formal.game.record import Game, Snapshot
from couperation_formal.notation.read import read, read_text
from couperation_formal.output.svg import slot, tower_picture
from couperation_formal.questions.records.check import check
from tests.conftest import LONG, some
from tests.page.page import EVIL, data_of
from tests.page.pages import (
    BROKEN,
    DEAD,
    EVENING,
    FINISH,
    HEAD,
    LEGAL,
    ROOT,
    SHOWN,
    Opened,
    opened,
    page_of,
    page_of_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

CONFLICTS = ROOT / "examples" / "towers" / "dead.cgn"


def test_the_page_begins_at_the_end_and_steps(browser: Browser, tmp_path: Path) -> None:
    """By buttons, slider, strip and list, and by keys alone; what is told aloud then, and where a link leads."""
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        assert shown.place == "Turn 29 of 29"
        assert shown.cell("d7") == "up laid 23"
        tab = shown.tab
        back = tab.get_by_role("button", name="One turn back")
        shown.click(tab.get_by_role("button", name="To the set-up"))
        assert shown.place == "The set-up"
        assert shown.cell("g1") == "up mark-2 25"
        assert shown.cell("f1") == "open"
        shown.click(tab.get_by_role("button", name="One turn on"))
        assert shown.place == "Turn 1 of 29"
        assert shown.cell("f1") == "up laid mark-1 18"
        assert shown.text("words") == "Mira draws 29; lays 18 up on f1."
        shown.click(back)
        shown.click(back)
        assert shown.place == "The set-up"
        tab.get_by_role("slider", name="Turn").fill("8")
        assert shown.place == "Turn 8 of 29"
        assert shown.cell("h2") == "down laid-down ~45"
        shown.click(tab.locator('[data-turn-bar="12"]'))
        assert shown.place == "Turn 12 of 29"
        shown.click(tab.get_by_role("link", name="Mira draws 26 and 10"))
        shown.arrives("Turn 10 of 29")
        assert tab.url.endswith("#turn=10")
        assert tab.locator("[aria-current=step]").get_attribute("data-turn") == "10"
        steps_by_keys_alone(shown)
        says_each_turn(shown)
        for fragment, place in [
            ("#turn=14", "Turn 14 of 29"), ("#turn=0", "The set-up"), ("#turn=99", "Turn 29 of 29"),
            ("#turn=3", "Turn 3 of 29"), ("#turn=x", "Turn 29 of 29"), ("#game=7&turn=3", "Turn 3 of 29"),
        ]:  # fmt: skip
            shown.follow(fragment)
            assert shown.place == place
        shown.load(page_of(LEGAL), "#%3Cscript%3E")
        assert shown.place == "Turn 29 of 29"


def steps_by_keys_alone(shown: Opened) -> None:
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
    shown.tab.reload()
    assert shown.place == "Turn 28 of 29"
    order: list[str] = []
    wanted = ["skip", "theme", "first", "back", "slider", "on", "last", "view-1", "moves", "0", "29", "link",
              "download", "names"]  # fmt: skip
    while len(order) < 60 and wanted[-1] not in order:
        keys.press("Tab")
        order.append(shown.tab.evaluate(
            "(() => { const e = document.activeElement; const d = e.dataset;"
            " return d.go ?? d.part ?? d.turn ?? d.tab ?? (e.name || e.id || e.className || e.tagName); })()"
        ))  # fmt: skip
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
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    assert shown.tab.get_by_role("radio", name="all").is_checked()


def says_each_turn(shown: Opened) -> None:
    shown.follow("#turn=21")
    live = shown.tab.locator("[aria-live=polite]").first
    assert live.get_attribute("aria-atomic") == "true"
    shown.tab.keyboard.press("j")
    assert " ".join(live.inner_text().split()) == "Turn 22 of 29 Mira lays 24 up on e4. Keeps the rules."
    slider = shown.tab.get_by_role("slider", name="Turn")
    assert slider.get_attribute("aria-valuetext") == "Turn 22 of 29"
    tower = shown.tab.locator("svg.tower")
    assert "22 cards laid" in tower.locator("title").inner_html()
    assert "~31 on f4" in tower.locator("desc").inner_html()
    for role in ("banner", "main", "contentinfo"):
        assert shown.tab.get_by_role(role).count() == 1


def test_several_games(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(*EVENING), tmp_path, reduced_motion="reduce") as shown:
        tab = shown.tab
        assert tab.locator("article:visible").get_attribute("data-game") == "1"
        shown.click(tab.get_by_role("link", name="game 6"))
        expect(tab.locator("article:visible")).to_have_attribute("data-game", "5")
        tab.keyboard.press("Home")
        assert tab.url.endswith("#game=5&turn=0")
        shown.follow("#game=3&turn=2")
        assert shown.place == "Turn 2 of 2"
        assert shown.cell("e1") == "up laid 9"
        shown.follow("#game=4&turn=10")  # a turn after the illegal one leads to it
        assert shown.place == "Turn 8 of 10"
        assert shown.cell("e2") == "up mark-1 refused 22"
        assert "conflict" in shown.cell("f1")
        assert shown.text("verdict") == "Breaks TOW02."
        shown.follow("#game=2")
        expect(tab.locator("article:visible")).to_contain_text("This is no CGN")
        tab.keyboard.press("ArrowLeft")
        assert tab.locator("[aria-current=true]").get_attribute("data-open") == "2"
        shown.follow("#game=7&turn=3")
        assert shown.place == "Turn 3 of 29"
        shown.follow("#game=5&turn=4")
        shows_a_filling_and_a_conflict(shown)


def shows_a_filling_and_a_conflict(shown: Opened) -> None:
    """On demand, in a game whose tower can be completed after turn 4 and not after turn 5."""
    button = shown.tab.locator(f'{SHOWN} [data-part="fill"]')
    shown.click(shown.tab.get_by_role("tab", name="Outlook"))
    assert "can still be completed" in shown.text("outlook")
    assert button.inner_text() == "Show a filling"
    shown.click(button)
    filling = data_of(page_of(DEAD))["steps"][4]["outlook"]["filling"]
    for cell, value in filling.items():
        assert shown.cell(cell).replace("laid ", "") == f"fill ({value})"
    assert button.inner_text() == "Hide a filling"
    shown.click(button)
    assert "fill" not in shown.cell(next(iter(filling)))
    shown.tab.keyboard.press("j")
    assert "is deadlocked" in shown.text("outlook")
    assert button.inner_text() == "Show the cells in conflict"
    shown.click(button)
    assert "conflict" in shown.cell("k1")


def test_views(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path, "#turn=9") as shown:
        tab = shown.tab

        def piles() -> list[str]:
            return [" ".join(each.split()) for each in shown.texts("article [data-pile]")]

        def turn(number: int) -> str:
            return shown.texts(f'[data-turn="{number}"] [data-cgn]')[0]

        assert piles()[:3] == [
            "8 ♦ one diamond 12 ♦ one diamond 40 ♦ one diamond",
            "4 ♦ one diamond 7 19 ♦ one diamond",
            "33 ♦♦ two diamonds 43 ♦ one diamond",
        ]
        assert shown.cell("h2") == "down ~45"
        shown.click(tab.get_by_text("the table", exact=True))
        assert piles()[0] == "? ×\u20093 3 unseen cards".replace("\u2009", " ")
        assert piles()[3].startswith("1 14 27")
        assert shown.cell("h2") == "down ~?"
        assert turn(8) == "+? B ?@h2"
        assert turn(3) == "+?,? A 11@e1 drop ?"
        assert shown.text("remark") == ""
        shown.click(tab.locator(".views").get_by_text("Tomas"))
        assert piles()[1].startswith("4 ♦")
        assert piles()[2].startswith("?")
        assert shown.cell("h2") == "down ~45"
        assert turn(8) == "+7 B 45@h2"
        shown.click(tab.locator(".views").get_by_text("Noor"))
        assert shown.cell("h2") == "down ~?"


def test_the_page_draws_what_the_library_draws(browser: Browser, tmp_path: Path) -> None:
    items = [item for file in EVENING for item in read(file)]
    with opened(browser, page_of(*EVENING), tmp_path) as shown:
        for number, item in enumerate(items, 1):
            if not isinstance(item, Game):
                continue
            report = check(item)
            assert report.rules is not None
            home = data_of(page_of(*EVENING), number)["home"]
            steps = shown.tab.evaluate("""([game, turns]) => turns.map((turn) => {
              couperation.games[game].go(turn, true);
              const slots = [...couperation.games[game].all("[data-cell]")];
              return slots.map((slot) => [slot.dataset.cell, slot.outerHTML]);
            })""", [number - 1, [state.turns for state in some(report.states, 2)]])  # fmt: skip
            for state, drawn in zip(some(report.states, 2), steps, strict=True):
                picture = tower_picture(state.tower, report.rules.rulings, state.marks, laid=state.touched)
                slots = dict(drawn)
                for glass in picture.glasses:
                    if glass.kind != "place" and (glass.kind != "open" or str(glass.cell) in home):
                        assert _plain(slots[str(glass.cell)]) == _plain(slot(glass.cell, glass)), (
                            number,
                            state.turns,
                            glass,
                        )


def _plain(markup: str) -> str:
    """A slot as it is drawn, without what makes a button of it."""
    markup = re.sub(r' (role|tabindex|aria-label|aria-pressed)="[^"]*"', "", markup)
    return re.sub(r'<rect class="hit"[^>]*></rect>', "", markup).replace("></use>", "/>")


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
            for card in [*some(step["cards"][:: turn + 9]), "F"]
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
        assert tried > (100 if LONG else 35)


HEARD = '[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\nposition\n'
WIDE = "tower 17@f1 25@g1 40@h1 30@g2\n"


def try_it(shown: Opened, card: str, cell: str) -> str:
    """Lay a card as a person does: the cell in the picture, the card in the list; what is told."""
    shown.click(shown.tab.locator(f'{SHOWN} [data-cell="{cell}"]'))
    shown.tab.locator(f'{SHOWN} [data-part="card"]').select_option(card)
    return shown.text("trial")


def test_what_is_told_of_a_card(browser: Browser, tmp_path: Path) -> None:
    """What cannot be told is not claimed, the words follow the rulings, and what a card would close is named."""
    texts = (
        '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n2. Ben A ?@h1\n',
        HEARD + WIDE,
        HEARD.replace("en-2", "en-2 between=inclusive") + WIDE,
        f"{HEARD}tower 24@f1 25@g1 30@h1\ngone 26\n",
        f"{HEARD}tower 20@f1 25@g1 40@h1\ngone 21 22 23\n",
        CONFLICTS.read_text(),
    )
    with opened(browser, page_of_text("".join(texts)), tmp_path, reduced_motion="reduce") as shown:
        tab = shown.tab
        shown.click(tab.get_by_role("tab", name="Outlook"))
        assert "cannot be told" in shown.text("outlook")
        assert not tab.locator(f'{SHOWN} [data-part="fill"]').is_visible()
        told = try_it(shown, "20", "f2")
        assert "As far as the up cards are shown, the orders accept 20 on f2." in told
        assert "cannot be told" in told
        assert "still be completed" not in told
        for game, greatest in ((2, 24), (3, 25)):
            shown.follow(f"#game={game}")
            assert f"TOW02: only numbers up to {greatest} lie below 25 on g1." in try_it(shown, "42", "f2")
            assert "conflict" in shown.cell("g1")
        shown.follow("#game=4")
        shown.click(tab.get_by_role("tab", name="Outlook"))
        assert "f2 must hold a number between 24 and 25, and none is left" in shown.text("outlook").replace("F2", "f2")
        assert "deadlocked already" in try_it(shown, "27", "g2")
        shown.follow("#game=5")
        assert "The tower can still be completed with it." in try_it(shown, "24", "f2")
        shown.click(tab.get_by_role("button", name="Clear"))
        assert try_it(shown, "26", "g2").split("\n\n") == [
            "The orders accept 26 on g2.",
            "It would deadlock the tower.",
            "Of the cards that are left 27 to 39 on g2 would not.",
        ]
        tab.locator("article:visible").get_by_label("on", exact=True).select_option("j1")
        tab.locator("article:visible").get_by_label("Lay", exact=True).select_option("29")
        assert "The orders refuse 29 on j1." in shown.text("trial")
        assert "TOW01: only numbers from 41 on lie above 40 on h1." in shown.text("trial")
        shown.follow("#game=6")
        assert shown.text("mover") == ""
        assert shown.texts(f"{SHOWN} dt") == []
        assert "f2, f3, g2" in shown.text("outlook")
        shown.click(tab.get_by_role("button", name="Show the cells in conflict"))
        assert [shown.cell(cell).split()[-1] for cell in ("f2", "f3", "g2")] == ["conflict"] * 3


def test_text_from_a_record_does_nothing_and_no_script_runs_but_the_pages_own(browser: Browser, tmp_path: Path) -> None:
    text = HEAD.replace("Aki", EVIL) + f"1. {EVIL} A 17@f1 {{ {EVIL} }}\n2. Ben A 9@f2\n"
    with opened(browser, page_of_text(text, f"{EVIL}.cgn"), tmp_path, "#turn=1") as shown:
        assert shown.text("words").startswith(EVIL)
        assert shown.tab.locator("article script, article img").count() == 0
        shown.load(page_of(LEGAL).replace("</body>", "<script>document.title = 'changed'</script></body>"))
        assert shown.tab.title() == "Thursday table, fourth try · Couperation"
        assert all("Content Security Policy" in error for error in shown.errors)
        assert len(shown.errors) > 0
        shown.errors.clear()


def test_a_record_is_a_game() -> None:
    assert all(isinstance(item, Game) for path in (LEGAL, FINISH, BROKEN, DEAD) for item in read(path))
