"""The language on a game that nobody plays: nothing in it knows of the game that the specification is about."""

from __future__ import annotations

import pytest

from couperation_formal.formulas.book import Book, BookError
from tests.formulas.language.invented import OPTIONS, RULES, frogs, table


def test_values() -> None:
    values = table()
    assert values.value("total") == 7
    assert values.value("heaviest") == 5
    assert values.value("served") == (("Weighs", 7), ("Weighs", 1))
    assert values.value("toads") == 0
    assert values.value("pairs") == frozenset((i, k) for i in (1, 2) for k in (1, 2, 3))
    assert values.value("thirds") == frozenset(range(5))
    assert values.value("choice") == "few"
    assert values.value("seen") == frozenset({("Weighs", 2), ("Weighs", 5)})
    assert [values.value(name) for name in ("free", "steady", "fits")] == [True, True, True]
    assert values.value("half") is None


def test_what_is_not_defined_is_left_out_and_no_comparison_with_it_holds() -> None:
    toad = {(1, 1): ("Toad",), (1, 2): ("Weighs", 4)}
    loud, quiet = table(pond=toad), table(pond=toad, croak="quiet")
    assert loud.value("weights") == {(1, 2): 4}
    assert loud.value("total") == 4
    assert quiet.value("weights") == {(1, 1): 0, (1, 2): 4}
    assert table(pond={}).value("heaviest") is None
    assert table(favourite=(1, 9)).value("steady") is True
    assert table(favourite=(1, 9), most=1).value("steady") is False


@pytest.mark.parametrize(
    "leap, free, after",
    [
        (("Leaps", ("Weighs", 3), (1, 2)), True, {(1, 1): ("Weighs", 2), (1, 2): ("Weighs", 3), (1, 4): ("Weighs", 5)}),
        (("Leaps", ("Toad",), (1, 1)), False, {(1, 1): ("Toad",), (1, 4): ("Weighs", 5)}),
        (("Swaps", (1, 1), (1, 4)), True, {(1, 1): ("Weighs", 5), (1, 4): ("Weighs", 2)}),
        (("Swaps", (1, 1), (1, 2)), False, {(1, 2): ("Weighs", 2), (1, 4): ("Weighs", 5)}),
        (("Rests",), True, {(1, 1): ("Weighs", 2), (1, 4): ("Weighs", 5)}),
    ],
)
def test_guards_bind_and_cases_choose(leap: object, free: bool, after: object) -> None:
    values = table(leap=leap)
    assert values.value("free") is free
    assert values.value("after") == after


def test_another_value_can_be_given_inside_a_formula() -> None:
    values = table(leap=("Leaps", ("Toad",), (1, 2)))
    assert values.value("free") is True
    assert values.value("other") is False


def test_integers_exist_or_not() -> None:
    narrow = {(1, 1): ("Weighs", 2), (1, 4): ("Weighs", 4)}
    assert table(pond=narrow).value("fits") is False
    assert table(pond=narrow, croak="quiet").value("fits") is True
    assert table(pond={(1, 1): ("Weighs", 7)}, most=9).value("fits") is False


def test_another_table_keeps_what_does_not_depend_on_what_changed() -> None:
    values = table()
    values.value("total"), values.value("pairs")
    other = values.given({"leap": ("Swaps", (1, 1), (1, 4))})
    assert "n_total" in other.__dict__
    assert other.value("after") == {(1, 1): ("Weighs", 5), (1, 4): ("Weighs", 2)}
    changed = values.given({"pond": {}})
    assert "n_total" not in changed.__dict__
    assert "n_pairs" in changed.__dict__


def test_a_definition_that_needs_itself_is_refused() -> None:
    text = RULES.replace("total := ", "total := half + ")
    with pytest.raises(BookError, match=r"total -> half -> total|half -> total -> half"):
        frogs(text)


def test_a_type_that_holds_itself_is_refused() -> None:
    with pytest.raises(BookError, match="holds itself"):
        frogs(RULES.replace("type Frog = Weighs(Int)", "type Frog = Weighs(seq Leap)"))


def test_an_error_names_the_page_that_it_is_on() -> None:
    """Of several pages, also where another page's definition asks for the wrong one."""
    first = "# One\n\n```formula\ntwice := 2 * once\n```\n"
    second = "# Two\n\n```formula\nonce := 1 + croak\ntype Pad = Leaf(Pond)\n```\n"
    with pytest.raises(BookError, match=r"two\.md:5:17: there is no type Pond"):
        Book({"one.md": first, "two.md": second}, OPTIONS)
    with pytest.raises(BookError, match=r"two\.md:4:9: \+ does not join a number and an option of croak"):
        Book({"one.md": first, "two.md": second.replace("Pond", "Int")}, OPTIONS)
