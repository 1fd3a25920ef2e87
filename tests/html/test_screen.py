"""One screen: at each size of window every step shows tower, turn, cards and buttons, and nothing moves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from couperation_formal.model.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.play.sample import sample_game
from tests.conftest import LONG
from tests.html.page import data_of
from tests.html.pages import (
    BROKEN,
    DEAD,
    FINISH,
    HEAD,
    LEGAL,
    ROOT,
    TWO,
    Opened,
    in_view,
    opened,
    page_of,
    page_of_text,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

SIZES = ((1366, 768), (1440, 900), (768, 1024), (390, 844))
LOW = (1366, 650)
"""What a browser's bars leave of the smallest laptop."""

PARTS = """() => {
  const article = document.querySelector("article:not([hidden])");
  const boxes = {};
  const keep = (name, node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    boxes[name] = [left, top, right, bottom].map((each) => Math.round(each * 100) / 100);
  };
  keep("tower", article.querySelector("svg.tower"));
  keep("told", article.querySelector(".told"));
  for (const button of article.querySelectorAll(".controls > *")) {
    keep(button.dataset.go ?? button.dataset.part, button);
  }
  const strip = article.querySelector(".strip");
  if (strip && innerWidth > 992) keep("strip", strip);
  keep("table", article.querySelector(".table"));
  for (const pile of article.querySelectorAll(".table [data-pile], .table dt")) {
    keep(pile.dataset.pile ?? `name ${pile.textContent}`, pile);
  }
  const inside = (inner, outer) => {
    const [a, b] = [inner, outer].map((node) => node.getBoundingClientRect());
    return a.top >= b.top - 1 && a.bottom <= b.bottom + 1 && a.left >= b.left - 1 && a.right <= b.right + 1;
  };
  const out = [...article.querySelectorAll(".table .card:not(.room)")].filter((card) => !inside(card, card.parentNode));
  const caption = article.querySelector(".caption[aria-live]");
  if (!inside(caption, article.querySelector(".told"))) out.push(caption);
  const svg = article.querySelector("svg.tower");
  return [boxes, out.map((node) => node.textContent), scrollY, svg.getAttribute("viewBox")];
}"""


def game_of(players: int, seed: int) -> str:
    return record_text(sample_game(players, "first" if seed % 2 else "finish", parse_rules("ja-2.2"), seed, "random"))


def looked_through(shown: Opened, size: tuple[int, int], views: bool) -> None:
    """Go through the game by key: each part is where it was, and inside the window."""
    tab, steps = shown.tab, len(shown.tab.locator("[data-turn-bar]").all())
    tab.set_viewport_size({"width": size[0], "height": size[1]})
    tab.keyboard.press("Home")
    first, _, _, frame = tab.evaluate(PARTS)
    assert first["tower"][3] - first["tower"][1] > 200
    assert first["tower"][2] - first["tower"][0] > 300
    for name, (left, top, right, bottom) in first.items():
        assert min(left, top) >= 0, (size, name)
        assert right <= size[0], (size, name)
        assert bottom <= size[1], (size, name)
    for at in range(steps):
        if views:
            tab.locator(".views label").nth(at % 5).click()
            tab.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
        boxes, out, scrolled, now = tab.evaluate(PARTS)
        assert out == [], (size, at)
        assert (scrolled, now) == (0, frame)
        moved = {name for name in first if any(abs(a - b) > 1 for a, b in zip(first[name], boxes[name], strict=True))}
        assert moved == set(), (size, at)
        tab.keyboard.press("j")


@pytest.mark.parametrize("text, sizes", [
    pytest.param(LEGAL.read_text(), SIZES[::2], id="thursday"),
    pytest.param(BROKEN.read_text(), SIZES[1::2], id="broken"),
    pytest.param(DEAD.read_text(), (SIZES[0],), id="dead"), pytest.param(game_of(4, 3), (SIZES[3], LOW), id="four"),
    pytest.param(game_of(2, 4), (SIZES[2],), id="two"),
])  # fmt: skip
def test_every_step_is_on_one_screen_and_nothing_moves(
    browser: Browser, tmp_path: Path, text: str, sizes: tuple[tuple[int, int], ...]
) -> None:
    with opened(browser, page_of_text(text), tmp_path) as shown:
        for size in SIZES if LONG else sizes[:1]:
            looked_through(shown, size, views=False)


def test_nothing_moves_between_views(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL), tmp_path) as shown:
        looked_through(shown, SIZES[3], views=True)


def test_a_long_remark_and_long_names_move_nothing(browser: Browser, tmp_path: Path) -> None:
    names = "Maximiliane-Wilhelmine-von-und-zu-Hohenbachel"
    first = FINISH.read_text().split('[Players "')[1].split()[0].strip('"')
    lines = FINISH.read_text().replace(first, names).split("\n")
    text = "\n".join(f"{line} {{ {'a long remark ' * 12}}}" if line.startswith("3. ") else line for line in lines)
    with opened(browser, page_of_text(text), tmp_path) as shown:
        looked_through(shown, SIZES[3], views=False)


def test_a_refused_draw_of_many_cards_and_views_with_long_names_move_nothing(browser: Browser, tmp_path: Path) -> None:
    names = ("Maximiliane-Wilhelmine-von-und-zu-Hohenbachel", "W" * 60)
    text = HEAD.replace("Aki", names[0]).replace("Ben", names[1])
    many = ",".join(map(str, [2, *range(4, 7), 8, 10, 11, *range(13, 17), 18, 19, 20, 21, 23, 24]))
    with opened(browser, page_of_text(f"{text}1. {names[0]} +{many} A 17@f1\n"), tmp_path) as shown:
        for size in (*SIZES, LOW):
            looked_through(shown, size, views=False)
    four = game_of(4, 5)
    for player, name in zip(four.split('[Players "')[1].split('"')[0].split(), "ABCD", strict=True):
        four = re.sub(rf"\b{player}\b", name * 30, four)
    with opened(browser, page_of_text(four), tmp_path) as shown:
        for size in SIZES:
            looked_through(shown, size, views=False)


def test_levels_that_no_step_uses_are_not_shown(browser: Browser, tmp_path: Path) -> None:
    whole = data_of(page_of(LEGAL))
    assert {cell[1] for cell in whole["near"]} == set("1234567")
    early = data_of(page_of(BROKEN))
    assert {cell[1] for cell in early["near"]} == set("123")
    assert int(early["frames"]["home"].split()[3]) < int(whole["frames"]["home"].split()[3]) / 1.5
    with opened(browser, page_of(BROKEN), tmp_path) as shown:
        names = shown.tab.locator('[data-part="near"] text').all_text_contents()
        assert [name for name in names if name.isdigit()] == ["1", "2", "3"]
        assert shown.cell("d7") == ""


def test_several_games_each_fill_the_window(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(LEGAL, TWO, DEAD), tmp_path) as shown:
        for size in (SIZES[0], SIZES[3]):
            shown.tab.set_viewport_size({"width": size[0], "height": size[1]})
            shown.tab.locator('[data-open="4"]').click()
            in_view(shown.tab.locator('[id="game=4"]'))
            shown.wait("Math.abs(couperation.games[3].article.getBoundingClientRect().top) < 2")
            for _ in range(3):
                boxes, out, _, _ = shown.tab.evaluate(PARTS)
                assert out == []
                for name, (left, top, right, bottom) in boxes.items():
                    assert min(left, top) >= -2, (size, name)
                    assert right <= size[0], (size, name)
                    assert bottom <= size[1] + 2, (size, name)
                shown.tab.keyboard.press("k")


def test_a_position_is_on_one_screen(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(ROOT / "examples" / "towers" / "open.cgn"), tmp_path) as shown:
        for size in SIZES:
            shown.tab.set_viewport_size({"width": size[0], "height": size[1]})
            found: Any = shown.tab.evaluate(PARTS)
            assert all(box[1] >= 0 and box[3] <= size[1] for box in found[0].values())
