"""The two layers of a step: what a legal turn does (the text block of `spec/step.md`), and what is amended for one that
breaks a rule (`spec/after-a-broken-rule.md`).
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest

from bench.mutants_formulas_places import terms
from couperation_formal.formulas import judge as formulas
from couperation_formal.formulas.book import Book
from couperation_formal.game.record import Game, Record
from couperation_formal.game.rulings import Rulings, options_in_order, parse_rules, registry, spec_text
from couperation_formal.game.tower import Variant
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.sample import sample_game
from tests.conftest import LONG
from tests.spec.book import chapters

PAGE = "after-a-broken-rule.md"
OTHERS = {"won", "lost"}
"""How the action ends the game: END01 and END02 define it."""


@cache
def legal_book() -> Book:
    """The program for whom the page of broken rules is not there: the text block of `step.md` stands in its place."""
    (block,) = re.findall(r"```text\n(.*?)```", spec_text("step.md"), re.DOTALL)
    pages = {page: spec_text(page) for page in formulas.PAGES} | {PAGE: f"```formula\n{block}```\n"}
    return Book(pages, dict(options_in_order()))


def defined(book: Book) -> set[str]:
    """What the page of broken rules, or what stands in its place, defines."""
    return {name for name in book.definitions if book.page_of(name) == PAGE}


def needed(clause: str) -> set[str]:
    """What has to be read for a clause in a legal game: the definitions that it rests on, and theirs, `won` and `lost`
    one each. What the page of broken rules defines counts as what the text block of `step.md` says in its place.
    """
    definitions = legal_book().definitions
    found, waiting = set[str](), [clause]
    while waiting:
        used = {str(term.value) for term in terms(definitions[waiting.pop()].body)} & definitions.keys()
        waiting += [name for name in used - found if name not in OTHERS]
        found |= used
    return found


@pytest.mark.parametrize("clause", ["LIM01", "LIM02", "DRW04", "SET06"])
def test_a_clause_needs_few_definitions(clause: str) -> None:
    figures = re.findall(r"([A-Z]{3}\d\d)(?: rests)? on (\d+)", spec_text("step.md"))
    assert len(needed(clause)) == int(dict(figures)[clause]) <= 25


def test_each_name_of_that_page_that_is_used_elsewhere_has_a_meaning_in_step() -> None:
    book = formulas.book()
    elsewhere = (name for name in book.definitions if book.page_of(name) != PAGE)
    used = {str(term.value) for name in elsewhere for term in terms(book.definitions[name].body)}
    state = {name for name in defined(book) if name.endswith("'")}
    assert defined(legal_book()) == (used & defined(book)) | state


def nothing_is_amended(record: Record, rulings: Rulings, patch: pytest.MonkeyPatch) -> bool:
    """Of a legal game the program says the same with the text block in place of the page; true where F in the Reserve
    was not counted.
    """
    said, (_, *turns) = formulas.judge(record, rulings), formulas.tables(record, rulings)
    assert (said.turn, said.open_) == (None, None)
    uncounted = False
    for values in turns:
        assert not any(map(values.value, ("unnamed", "unfilled", "spare")))
        aside = rulings.finish_reserve_count == "no" and ("F",) in values.value("R2")
        assert values.value("row") == len(values.value("R2")) - aside
        uncounted |= aside
    with patch.context() as alone:
        alone.setattr(formulas, "book", legal_book)
        assert formulas.judge(record, rulings)[:-2] == said[:-2]
        _, *plain = formulas.tables(record, rulings)
        for values, legal in zip(turns, plain, strict=True):
            for name in defined(legal_book()):
                assert values.value(name) == legal.value(name), name
    return uncounted


@pytest.mark.parametrize("seed", range(80 if LONG else 16))
def test_after_a_legal_turn_nothing_is_amended(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(seed)
    variant: Variant = rng.choice(("first", "finish"))
    changes = rng.choice(("", " finish_refill=at_once no_action=skipped reserve_face=either"))
    changes += f" finish_reserve_count={rng.choice(('no', 'yes'))}"
    rules = parse_rules(rng.choice(list(registry().rulebooks)) + changes)
    record = sample_game(2 + seed % 3, variant, rules, seed, "random" if seed % 5 else "careful")
    nothing_is_amended(record, rules.rulings, monkeypatch)


@pytest.mark.slow
def test_nor_in_the_accepted_records_of_the_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [text for chapter in chapters() for text in chapter.accepts]
    games = [item for text in texts for item in read_text(text) if isinstance(item, Game)]
    told = [formulas.judge(game.record, game.record.rules.rulings) for game in games]
    shown = [game.record for game, said in zip(games, told, strict=True) if said.open_ is None]
    uncounted = [nothing_is_amended(record, record.rules.rulings, monkeypatch) for record in shown]
    assert len(shown) > 100
    assert any(uncounted)


def test_a_card_held_twice_before_the_turn_is_no_legal_beginning() -> None:
    """The turn breaks no clause, but the set-up does, so the theorem says nothing of it."""
    text = """[CGN "1"]
[Players "Ada Bo"]
deal Ada 17 30 44
deal Bo 17 21 38
reserve 1 50 12 33 40 7
1. Ada A 17@f1
"""
    (game,) = read_text(text)
    assert isinstance(game, Game)
    first, turn = formulas.tables(game.record, game.record.rules.rulings)
    assert formulas.failing(first, first.value("asked_at_setup")) == ("SET06",)
    assert formulas.failing(turn, turn.value("asked")) == ()
    assert turn.value("H'") != turn.value("H3")
