"""Conditions against brute force: the same set, prime terms, none to spare, and a least number of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, strategies as st

from couperation_formal.game.fact import DEFAULT, Spent, Steps
from couperation_formal.game.rulings import registry
from couperation_formal.hidden.readings import condition as module
from couperation_formal.hidden.readings.condition import Condition, TruthTable, condition, primes, project
from couperation_formal.hidden.readings.sets import Readings, depends_on, space
from tests.conftest import LONG
from tests.hidden.readings.condition import over
from tests.hidden.readings.readings import count, terms, union

NAMES = list(space())
DISPUTED_FIRST = sorted(NAMES, key=lambda name: registry().accord(name) == 2)


def is_prime(term: dict[str, tuple[str, ...]], readings: Readings) -> bool:
    """Whether the term lies in the set and no option can be added to it."""
    wider = [
        {**term, name: (*options, option)}
        for name, options in term.items()
        for option in space()[name]
        if option not in options
    ]
    return not union([term]) - readings and all(union([each]) - readings for each in wider)


def check(readings: Readings, found: Condition) -> None:
    assert union(found) == readings
    assert all(is_prime(term, readings) for term in found)
    for spare in range(len(found)):
        assert union(found[:spare] + found[spare + 1 :]) != readings
    for term in found:
        assert list(term) == [name for name in DISPUTED_FIRST if name in term]
        for name, options in term.items():
            assert options == tuple(option for option in space()[name] if option in options)
            assert 0 < len(options) < len(space()[name])


@given(st.lists(terms(), max_size=4), st.booleans())
def test_a_union_of_terms_and_its_complement(given_terms: list[dict[str, tuple[str, ...]]], inside: bool) -> None:
    readings = union(given_terms) if inside else ~union(given_terms)
    found = condition(readings, Steps())
    check(readings, found)
    assert found == condition(~~readings, Steps())
    assert {name for term in found for name in term} == set(depends_on(readings))


@pytest.mark.parametrize("seed", range(40))
def test_random_sets_over_few_rulings_get_a_least_cover(seed: int) -> None:
    rng = Random(seed)
    names = tuple(
        sorted(rng.sample(["spread", "between", "facedown", "take_sent"], rng.choice([2, 3])), key=NAMES.index)
    )
    readings = over(names, rng)
    found = condition(readings, Steps())
    check(readings, found)
    every = [dict(zip(names, each, strict=True)) for each in product(*map(subsets, names))]
    primes = [term for term in every if is_prime(cleaned(term), readings)]
    fewest = next(
        count for count in range(len(primes) + 1)
        if any(union(chosen) == readings for chosen in combinations(primes, count))
    )  # fmt: skip
    assert len(found) == fewest
    least = min(worth(chosen) for chosen in combinations(primes, fewest) if union(chosen) == readings)
    assert worth(found) == least


def worth(terms: Sequence[dict[str, tuple[str, ...]]]) -> tuple[int, int]:
    """The literals of a cover, and those among them over rulings in which the texts agree."""
    names = [name for term in terms for name in cleaned(term)]
    return len(names), sum(registry().accord(name) == 2 for name in names)


def subsets(name: str) -> list[tuple[str, ...]]:
    options = space()[name]
    return [chosen for count in range(1, len(options) + 1) for chosen in combinations(options, count)]


def cleaned(term: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {name: options for name, options in term.items() if len(options) < len(space()[name])}


def test_always_and_never() -> None:
    assert condition(Readings.every(), Steps()) == ({},)
    assert condition(Readings.none(), Steps()) == ()


def test_a_known_condition() -> None:
    readings = Readings.option("facedown", "ignored") | Readings.option("between", "inclusive")
    assert condition(readings, Steps()) == ({"facedown": ("ignored",)}, {"between": ("inclusive",)})
    assert depends_on(readings) == ("between", "facedown")


def test_terms_over_what_the_texts_differ_in_come_first() -> None:
    edge = sum(registry().accord(name) < 2 for name in NAMES)
    found = condition(over(tuple(DISPUTED_FIRST[edge - 2 : edge + 2]), Random(1)), Steps())
    agreed = [sum(registry().accord(name) == 2 for name in term) for term in found]
    assert agreed == sorted(agreed)
    assert len(set(agreed)) > 1


@pytest.mark.parametrize("seed", range(6))
def test_many_rulings_without_pattern(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where prime terms are too many to list, terms are grown; the cover keeps its properties."""
    names = ("anchor", "spread", "row_order", "between", "facedown", "adjust")
    readings = over(names, Random(seed))
    monkeypatch.setattr(module, "_MOST_PRIMES", 3)
    check(readings, condition(readings, Steps()))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count", "terms"), [(139, 400, 136), (433, 401, 148)])
def test_so_many_prime_terms_get_a_least_cover(seed: int, count: int, terms: int) -> None:
    """Up to 400 prime terms a least cover is looked for, with more it is left at terms grown one by one."""
    names = ("anchor", "spread", "row_order", "between", "finish_value", "adjust", "take_sent", "replace_target")
    readings = over(names, Random(seed), 0.4)
    found = primes(project(readings, depends_on(readings)), Steps(10**9))
    assert (found is not None) == (count <= 400)
    assert found is None or len(found) == count
    assert len(condition(readings, Steps())) == terms


def parity(names: Sequence[str]) -> Readings:
    """The readings that take the first option of an odd number of these rulings."""
    odd = Readings.none()
    for name in names:
        part = Readings.option(name, space()[name][0])
        odd = (odd - part) | (part - odd)
    return odd


@pytest.mark.slow
def test_a_nasty_set_ends_in_bounded_time() -> None:
    """A parity has thousands of prime terms, none of which can be left out; over all rulings that is more than a budget
    buys.
    """
    odd = parity([*space()][: 16 if LONG else 14])
    found = condition(odd, Steps())
    assert len(found) > 1000
    assert project(union(found[:200]) - odd, ()).bits == 0
    with pytest.raises(Spent):
        condition(parity([*space()]), Steps(DEFAULT))


@given(st.lists(terms(), max_size=3))
def test_projection(given_terms: list[dict[str, tuple[str, ...]]]) -> None:
    readings = union(given_terms)
    names = depends_on(readings)
    table = project(readings, names)
    assert isinstance(table, TruthTable)
    points = list(product(*table.options))
    for index, point in enumerate(points):
        term = {name: (option,) for name, option in zip(names, point, strict=True)}
        assert bool(table.bits >> index & 1) == (not union([term]) - readings)
    assert not names or all(set(map(str, each)) for each in points)
    for name in set(NAMES) - set(names):
        first, second = (Readings.option(name, option) for option in space()[name][:2])
        assert count(readings & first) == count(readings & second)
