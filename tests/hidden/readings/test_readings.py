"""Sets of readings behave as sets of combinations."""

from __future__ import annotations

from functools import reduce
from itertools import combinations
from math import prod
from operator import or_

import pytest
from hypothesis import given, strategies as st

from couperation_formal.game.rulings import RULING_NAMES, Rulings, options_in_order, registry
from couperation_formal.hidden.readings.sets import Readings, depends_on, space
from tests.hidden.readings.readings import count, terms, union
from tests.hidden.readings.records import reading_at

INDICES = st.integers(0, count(Readings.every()) - 1)


def allows(term: dict[str, tuple[str, ...]], rulings: Rulings) -> bool:
    return all(rulings.option(name) in options for name, options in term.items())


def test_the_space_has_every_combination() -> None:
    assert count(Readings.every()) == prod(len(options) for _, options in options_in_order()) == 226_492_416
    assert list(space()) == list(registry().rulings) == list(RULING_NAMES)


def test_options_of_a_ruling_partition_the_readings() -> None:
    for ruling, options in options_in_order():
        parts = [Readings.option(ruling, option) for option in options]
        assert sum(count(part) for part in parts) == count(Readings.every())
        assert reduce(or_, parts) == Readings.every()
        assert all(not one & other for one, other in combinations(parts, 2))


@given(INDICES)
def test_an_index_and_its_reading(index: int) -> None:
    rulings = reading_at(index)
    before = reading_at(index - 1) if index else None
    assert rulings != before
    assert all((rulings in Readings.option(name, option)) == (rulings.option(name) == option)
               for name, options in options_in_order() for option in options)  # fmt: skip
    assert Readings.one(rulings).member() == rulings
    assert count(Readings.one(rulings)) == 1


@given(st.lists(terms(), max_size=3), st.lists(terms(), max_size=3), INDICES)
def test_operations(first: list[dict[str, tuple[str, ...]]], second: list[dict[str, tuple[str, ...]]], at: int) -> None:
    one, two, rulings = union(first), union(second), reading_at(at)
    a, b = (any(allows(term, rulings) for term in each) for each in (first, second))
    assert (rulings in one, rulings in two) == (a, b)
    assert (rulings in one & two) == (a and b)
    assert (rulings in one | two) == (a or b)
    assert (rulings in one - two) == (a and not b)
    assert (rulings in ~one) == (not a)
    assert not (one & two) - one
    assert not one - (one | two)
    assert count(one) + count(~one) == count(Readings.every())
    assert not one - one
    assert bool(one) == bool(first)
    if one:
        assert one.member() in one


@pytest.mark.slow
@given(st.lists(terms(), max_size=4), st.lists(terms(), max_size=4))
def test_equal_sets_are_one_and_name_what_they_depend_on(
    first: list[dict[str, tuple[str, ...]]], second: list[dict[str, tuple[str, ...]]]
) -> None:
    one, two = union(first), union(second)
    assert ((one - two) | (two - one) == Readings.none()) == (one == two) == (one.root is two.root)
    assert (one & two) | (one - two) == one == ~(~one)
    for name, options in space().items():
        parts = [one & Readings.option(name, option) for option in options]
        free = [union([{name: (option,)}]) for option in options]
        assert name in depends_on(one) or len({count(part) for part in parts}) == 1
        assert reduce(or_, parts) == one
        assert not any(part - each for part, each in zip(parts, free, strict=True))


def test_always_and_never() -> None:
    assert union([{}]) == Readings.every()
    assert union([]) == Readings.none()
    assert not Readings.none()
    with pytest.raises(ValueError, match="no member"):
        Readings.none().member()


def test_unknown_names() -> None:
    with pytest.raises(KeyError):
        Readings.option("between", "sometimes")
    with pytest.raises(KeyError):
        union([{"betwixt": ("strict",)}])
