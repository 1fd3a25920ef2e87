"""Every formula of the specification is a program; the language that it is written in knows nothing of the game."""

from __future__ import annotations

import re

import pytest

from couperation_formal.formulas.book import Book, BookError
from couperation_formal.formulas.judge import PAGES, book, constants
from couperation_formal.formulas.writer import uses_of
from couperation_formal.game.rules.arrangement import orders
from couperation_formal.game.rulings import RULING_NAMES, options_in_order, spec_text
from couperation_formal.game.tower import STANDARD
from tests.conftest import some
from tests.spec.book import ROOT, Chapter, chapters

CHAPTERS = chapters()
DEFINED = {"END01": "won", "END02": "lost", "END03": "stuck"}
"""Clauses that define how a game ends: no formula of theirs can be broken."""
GAME = [
    "card",
    "glass",
    "finish",
    "tower",
    "cell",
    "level",
    "support",
    "pyramid",
    "anchor",
    "apex",
    "hand",
    "reserve",
    "deck",
    "gone",
    "front",
    "draw",
    "action",
    "turn",
    "player",
    "round",
    "heart",
    "diamond",
    "mark",
    "lay",
    "laid",
    "sent",
    "taken",
    "drop",
    "trim",
    "couperation",
]


def test_all_formulas_are_read_and_checked() -> None:
    found = book()
    assert len(found.definitions) > 100
    assert not [page for page in PAGES if "```formula" not in spec_text(page)]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_every_clause_is_a_program(chapter: Chapter) -> None:
    page = next(page for page in PAGES if f"## {chapter.id} ·" in spec_text(page))
    section = re.split(r"^## ", spec_text(page).split(f"## {chapter.id} ·")[1], flags=re.MULTILINE)[0]
    assert "**Formula.**\n```formula\n" in section
    assert "```text" not in section
    assert DEFINED.get(chapter.id, chapter.id) in book().definitions


def test_what_is_asked_are_clauses_and_every_clause_is_asked() -> None:
    asked = set(re.findall(r'"([A-Z]{3}\d\d)"', spec_text("step.md")))
    assert asked == {chapter.id for chapter in CHAPTERS} - set(DEFINED)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
def test_a_formula_asks_no_ruling_that_its_clause_does_not_name(chapter: Chapter) -> None:
    definitions = book().definitions
    reached: set[str] = set()
    edge = {DEFINED.get(chapter.id, chapter.id)}
    while edge:
        reached |= edge
        edge = {name for old in edge if old in definitions for name in uses_of(definitions[old].body)} - reached
        edge -= {"ordered"}  # whether a card has a place, which others' rulings decide, tells what is asked of it (D7)
    assert reached & set(RULING_NAMES) <= chapter.rulings


def test_no_word_of_the_game_stands_in_the_language_or_its_evaluator() -> None:
    named = {*(chapter.id for chapter in CHAPTERS), *RULING_NAMES}
    for path in sorted((ROOT / "couperation_formal" / "formula").glob("*")):
        if path.suffix not in (".py", ".lark"):
            continue
        words = set(re.findall(r"[A-Za-z_0-9]+", path.read_text(encoding="utf-8"))) - {"couperation_formal"}
        parts = {part.lower() for word in words for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", word)}
        assert not parts & {*GAME, *(word + "s" for word in GAME)}, path.name
        assert not words & named, path.name


SLIPS = [
    ("clauses/tower.md", "y and col x < col y: v(x) <row", "z and col x < col y: v(x) <row", "z is not known here"),
    ("clauses/drawing.md", "allowed(heart(source))", "allowed(heart(d))", "a Cell is wanted here"),
    ("step.md", "num(c: Card) := v", "num(c: Crad) := v", "there is no type Crad"),
    ("clauses/actions.md", "adjust = uniform", "adjust = unifrom", "adjust has no option unifrom"),
    ("clauses/tower.md", "on backs with in_order", "on backs with not in_order", "only differences"),
]


@pytest.mark.slow
@pytest.mark.parametrize("page, old, new, said", some(SLIPS, 2))
def test_a_slip_in_a_page_is_found(page: str, old: str, new: str, said: str) -> None:
    pages = {name: spec_text(name) for name in PAGES}
    assert pages[page].count(old) == 1
    pages[page] = pages[page].replace(old, new)
    with pytest.raises(BookError, match=said) as raised:
        Book(pages, dict(options_in_order()))
    assert str(raised.value).startswith(page)


def test_the_numbers_that_the_page_gives_are_those_of_the_printed_board() -> None:
    given = constants(STANDARD)
    values = book().values({})
    assert {name: values.value(name) for name in given} == given
    assert values.value("cells") == frozenset(map(tuple, orders(STANDARD).cells))
