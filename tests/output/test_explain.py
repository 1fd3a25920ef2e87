from __future__ import annotations

import pytest

from couperation_formal.game.rules.clauses import TURN_CLAUSES
from couperation_formal.game.rulings import RULING_NAMES, Ruling, registry
from couperation_formal.output.blocks import plain
from couperation_formal.output.report import ClauseText, clauses
from couperation_formal.questions.records.explain import (
    NothingToExplain,
    RulebookText,
    explain,
    explanation,
    known_names,
    rulebook,
    side_by_side,
)
from couperation_formal.words.say import ENGLISH


def text_of(name: str) -> str:
    return plain(explanation(explain(name)), ENGLISH)


def test_every_clause_has_title_rule_sources_and_formula() -> None:
    assert len(clauses()) == 36
    assert set(TURN_CLAUSES) <= set(clauses())
    for clause in clauses().values():
        assert clause.title
        assert clause.rule
        assert clause.sources
        assert clause.formula
        assert "```" not in clause.formula
        assert set(clause.rulings) <= set(RULING_NAMES)
        assert not any(source.texts in ("text", "---") for source in clause.sources)


@pytest.mark.parametrize("name", known_names())
def test_everything_known_can_be_explained(name: str) -> None:
    assert text_of(name).startswith(name)


def test_a_clause_tells_rule_sources_and_rulings() -> None:
    found = explain("tow02")
    assert isinstance(found, ClauseText)
    assert found.id == "TOW02"
    text = text_of("TOW02")
    assert found.rule in text
    assert "ja-2.2, §3, rule 2:" in text
    assert registry().rulings["between"].question in text


def test_a_ruling_tells_options_and_how_each_text_stands() -> None:
    found = explain("early_apex")
    assert isinstance(found, Ruling)
    text = text_of("early_apex")
    for option in found.options:
        house = " (house option)" if option.name == "loses" else ""
        assert f"{option.name}{house}: {option.meaning}" in text
    assert "bgg: win_on_completion, implies" in text
    assert "TOW08" in text


def test_a_rulebook_tells_its_options() -> None:
    found = explain("en-2")
    assert isinstance(found, RulebookText)
    assert found == rulebook("en-2")
    assert "\nspread=anywhere\n" in text_of("en-2")


@pytest.mark.parametrize(
    "name, near", [("TOW2", "TOW02"), ("betwen", "between"), ("ja-2", "ja-2.2"), ("tow1", "TOW01")]
)
def test_an_unknown_name_is_told_with_names_like_it(name: str, near: str) -> None:
    with pytest.raises(NothingToExplain) as error:
        explain(name)
    assert near in error.value.near


def test_rulebooks_side_by_side_mark_what_differs() -> None:
    books = [rulebook(name) for name in registry().rulebooks]
    lines = plain(side_by_side(books), ENGLISH).splitlines()
    rows = {line[1:].split()[0]: line for line in lines[1 : 1 + len(RULING_NAMES)]}
    assert set(rows) == set(RULING_NAMES)
    for name, line in rows.items():
        assert line.startswith("*") == (len({book.rulings[name] for book in books}) > 1)
        assert line.lstrip("* ").split()[1:] == [book.rulings[name] for book in books]
