"""One screen: at each size of window every step shows tower, turn, cards and buttons, and nothing moves."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from couperation_formal.game.rulings import parse_rules
from couperation_formal.notation.write import record_text
from couperation_formal.questions.records.sample import sample_game
from tests.conftest import LONG, some
from tests.kit.browser import resize
from tests.page.page import data_of
from tests.page.pages import (
    BROKEN,
    DEAD,
    EVENING,
    FINISH,
    HEAD,
    LEGAL,
    ROOT,
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
  const places = [...article.querySelectorAll(".table [data-pile]")].map((pile) => pile.children.length);
  return [boxes, out.map((node) => node.textContent), scrollY, svg.getAttribute("viewBox"), places];
}"""

THROUGH = (
    f"views => {{ const parts = {PARTS};"
    + """
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const labels = document.querySelectorAll(".views label");
  press("Home");
  return [parts(), ...[...document.querySelectorAll("[data-turn-bar]")].map((_, at) => {
    if (views) {
      labels[at % labels.length].click();
      scrollTo({ top: 0, behavior: "instant" });
    }
    const found = parts();
    press("j");
    return found;
  })];
}"""
)


def game_of(players: int, seed: int) -> str:
    return record_text(sample_game(players, "first" if seed % 2 else "finish", parse_rules("ja-2.2"), seed, "random"))


def looked_through(shown: Opened, size: tuple[int, int], views: bool = False) -> None:
    """Go through the game by key: each part is where it was, and inside the window."""
    resize(shown.tab, *size)
    (first, _, _, frame, room), *found = shown.tab.evaluate(THROUGH, views)
    assert len(found) > 1
    assert first["tower"][3] - first["tower"][1] > 200
    assert first["tower"][2] - first["tower"][0] > 300
    for name, (left, top, right, bottom) in first.items():
        assert min(left, top) >= 0, (size, name)
        assert right <= size[0], (size, name)
        assert bottom <= size[1], (size, name)
    for at, (boxes, out, scrolled, now, places) in enumerate(found):
        assert out == [], (size, at)
        assert (scrolled, now, places) == (0, frame, room), (size, at)
        moved = {name for name in first if any(abs(a - b) > 1 for a, b in zip(first[name], boxes[name], strict=True))}
        assert moved == set(), (size, at)


def test_every_step_is_on_one_screen_and_nothing_moves(browser: Browser, tmp_path: Path) -> None:
    games = [(page_of(LEGAL), SIZES[:1]), (page_of(BROKEN), SIZES[1:3]), (page_of_text(game_of(4, 3)), SIZES[3:])]
    if LONG:
        games = [(html, (*SIZES, LOW)) for html in (*dict(games), page_of(DEAD), page_of_text(game_of(2, 4)))]
    with opened(browser, "", tmp_path) as shown:
        for html, sizes in games:
            shown.load(html)
            for size in sizes:
                looked_through(shown, size)
        shown.load(page_of(LEGAL))
        looked_through(shown, SIZES[3], views=True)


def test_long_names_and_remarks_and_a_draw_of_many_cards_move_nothing(browser: Browser, tmp_path: Path) -> None:
    names = ("Maximiliane-Wilhelmine-von-und-zu-Hohenbachel", "W" * 60)
    first = FINISH.read_text().split('[Players "')[1].split()[0].strip('"')
    lines = FINISH.read_text().replace(first, names[0]).split("\n")
    remark = "\n".join(f"{line} {{ {'a long remark ' * 12}}}" if line.startswith("3. ") else line for line in lines)
    text = HEAD.replace("Aki", names[0]).replace("Ben", names[1])
    many = ",".join(map(str, [2, *range(4, 7), 8, 10, 11, *range(13, 17), 18, 19, 20, 21, 23, 24]))
    four = game_of(4, 5)
    for player, name in zip(four.split('[Players "')[1].split('"')[0].split(), "ABCD", strict=True):
        four = re.sub(rf"\b{player}\b", name * 30, four)
    with opened(browser, page_of_text(remark), tmp_path) as shown:
        looked_through(shown, SIZES[3])
        shown.load(page_of_text(f"{text}1. {names[0]} +{many} A 17@f1\n"))
        for size in (*SIZES, LOW):
            looked_through(shown, size)
        shown.load(page_of_text(four))
        for size in some(SIZES, 3):
            looked_through(shown, size)


def test_levels_that_no_step_uses_are_not_shown(browser: Browser, tmp_path: Path) -> None:
    """And a position is on one screen as well."""
    whole = data_of(page_of(LEGAL))
    assert {cell[1] for cell in whole["near"]} == set("1234567")
    early = data_of(page_of(BROKEN))
    assert {cell[1] for cell in early["near"]} == set("123")
    assert int(early["frames"]["home"].split()[3]) < int(whole["frames"]["home"].split()[3]) / 1.5
    with opened(browser, page_of(BROKEN), tmp_path) as shown:
        names = shown.tab.locator('[data-part="near"] text').all_text_contents()
        assert [name for name in names if name.isdigit()] == ["1", "2", "3"]
        assert shown.cell("d7") == ""
        shown.load(page_of(ROOT / "examples" / "towers" / "open.cgn"))
        for size in SIZES:
            resize(shown.tab, *size)
            found: Any = shown.tab.evaluate(PARTS)
            assert all(box[1] >= 0 and box[3] <= size[1] for box in found[0].values())


def test_several_games_each_fill_the_window(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(*EVENING), tmp_path) as shown:
        for size in (SIZES[0], SIZES[3]):
            resize(shown.tab, *size)
            shown.click(shown.tab.locator('[data-open="5"]'))
            in_view(shown.tab.locator('[id="game=5"]'))
            shown.wait("Math.abs(couperation.games[4].article.getBoundingClientRect().top) < 2")
            for _ in range(3):
                boxes, out, *_ = shown.tab.evaluate(PARTS)
                assert out == []
                for name, (left, top, right, bottom) in boxes.items():
                    assert min(left, top) >= -2, (size, name)
                    assert right <= size[0], (size, name)
                    assert bottom <= size[1] + 2, (size, name)
                shown.tab.keyboard.press("k")
