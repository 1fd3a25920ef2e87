"""Every operation of the language, one by one: what a term is worth, and when it is not defined."""

from __future__ import annotations

import pytest

from couperation_formal.formulas.book import Book
from tests.formulas.language.terms import DECLARED, TERMS


@pytest.mark.parametrize("text", TERMS)
def test_what_a_term_is_worth(text: str) -> None:
    book = Book({"terms.md": DECLARED.replace("VALUE", f"value := {text}")}, {})
    found = book.values({}).value("value")
    expected = TERMS[text]
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    "text, said",
    [
        ("m(1, 2)", "applied to one argument"),
        ("u(1)", "cannot be applied"),
        ("{1, Plum}", "the members before this one are a number"),
        ("|a|", "of a number, a set, a sequence or a map"),
        ("dom u", "of a map or a sequence"),
        ("a is empty", "neither empty nor not"),
        ("{x < 1 with x in u}", "a new name, 'in', and a set"),
        ("a = Pair(1, _)", "a Fruit is compared with it"),
        ("a <soft a", "<soft is not defined"),
        ("if 1 < 2 then 1 else a", "the two values are"),
        ("|u| given double = u", "not given, so that"),
        ("there is a in u with a > 1", "a has a meaning already"),
        ("u is a subset of s", "two sets of one type"),
        ("1 in 2", "a set or a sequence is wanted"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Book({"terms.md": DECLARED.replace("VALUE", f"value := {text}")}, {})
