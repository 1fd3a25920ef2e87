"""The changes of formulas: each is one, each that is told as equal exists, and the examples notice."""

from __future__ import annotations

import pytest

from bench.mutants_formulas import HOW, differs, equals, examples, report, verdict
from bench.mutants_formulas_places import changed, mutants, plain, unasked
from couperation_formal.formulas.book import Book
from couperation_formal.formulas.judge import book
from tests.spec.book import chapters

PAGE = """
```formula
given a: Int
given b: Int
```

## ONE · Two lines

```formula
small(x: Int) := x < 3
idle := a + b

a not in {1, b}
small(a) and small(b): a <= b
```
"""


def test_the_changes_of_an_invented_formula() -> None:
    invented = Book({"page.md": PAGE}, {})
    assert unasked(invented) == {"idle"}
    found = [str(mutant) for mutant in mutants(invented)]
    assert found == [
        "small: x < 3: less becomes at_most",
        "small: 3: one more",
        "ONE: a not in {1, b} small(a) and small(b): a <= b: and becomes or",
        "ONE: a not in {1, b}: left out",
        "ONE: small(a) and small(b): a <= b: left out",
        "ONE: a not in {1, b}: not_member becomes member",
        "ONE: a: b in its place",
        "ONE: 1: one more",
        "ONE: b: a in its place",
        "ONE: small(a): not asked",
        "ONE: small(b): not asked",
        "ONE: a <= b: at_most becomes less",
        "ONE: a: b in its place (2)",
        "ONE: b: a in its place (2)",
        "ONE: a: b in its place (3)",
        "ONE: b: a in its place (3)",
    ]


@pytest.mark.slow
def test_every_change_is_another_formula_and_those_told_as_equal_exist() -> None:
    found = list(mutants(book()))
    assert len({mutant.key for mutant in found}) == len(found) > 1000
    for mutant in found:
        assert plain(mutant.definition.body) != plain(book().definitions[mutant.name].body)
    assert equals().keys() <= {mutant.key for mutant in found}
    assert all(equals().values())


@pytest.mark.slow
def test_the_examples_of_a_clause_notice_changes_of_its_formula() -> None:
    clause = next(chapter for chapter in chapters() if chapter.id == "SET02")
    asked = [((lambda record=record: verdict(record)), verdict(record)) for record in examples(clause)]
    found = [mutant for mutant in mutants(book()) if mutant.name == "SET02" and mutant.key not in equals()]
    assert len(found) > 5
    assert not differs(book(), asked)
    assert [mutant for mutant in found if not differs(changed(book(), mutant), asked)] == []


def test_the_page_counts_and_names() -> None:
    told, *rest = list(mutants(book()))[:3]
    page = report([(told, "equal"), (rest[0], "not noticed"), (rest[1], HOW[2])], {told.key: "for this reason"})
    assert "| equal | 1 |" in page
    assert f"- `{told}`: for this reason" in page.partition("## Equal")[2].partition("## Noticed")[0]
    assert f"- `{rest[1]}`: by a game" in page.partition("## Noticed by no")[2].partition("## Not noticed")[0]
    assert str(rest[0]) in page.partition("## Not noticed")[2]
