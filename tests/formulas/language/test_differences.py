"""*There are integers h on S with …* on formulas of any kind, against trying all numbers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.conftest import LONG
from tests.formulas.language.differences import book, system

pytestmark = pytest.mark.slow


def holds(given: dict[str, object], numbers: dict[int, int]) -> bool:
    edges: frozenset[tuple[int, int, int]] = given["edges"]  # type: ignore[assignment]
    twins: frozenset[tuple[int, int, int]] = given["twins"]  # type: ignore[assignment]
    return all(numbers[a] + gap <= numbers[b] for a, b, gap in edges) and all(
        numbers[a] + gap == numbers[b] for a, b, gap in twins
    )


def tried(given: dict[str, object], size: int, numbers: range) -> bool:
    fixed: dict[int, int] = given["fixed"]  # type: ignore[assignment]
    return any(holds(given, {**fixed, **dict(enumerate(chosen))}) for chosen in product(numbers, repeat=size))


@pytest.mark.parametrize("chunk", range(4))
def test_integers_exist_exactly_where_some_are_found(chunk: int) -> None:
    rng = Random(chunk)
    answers = set()
    for _ in range(150 if LONG else 60):
        given, size = system(rng)
        values = book().values(given)
        bounded = tried(given, size, range(-3, int(str(given["high"])) + 1))
        assert values.value("bound") is bounded, given
        answers.add(bounded)
        if size < 4:
            # a system of so few vertices has numbers within the sum of all gaps around those that are fixed, or none
            assert values.value("free") is tried(given, size, range(-4 - 3 * 4, 4 + 3 * 4 + 1)), given
    assert answers == {True, False}


@pytest.mark.parametrize("low, high, fits", [(1, 4, True), (1, 3, False), (-2, 1, True), (-2, 0, False)])
def test_a_row_of_four_needs_four_numbers(low: int, high: int, fits: bool) -> None:
    given = {"edges": frozenset(), "twins": frozenset(), "nodes": frozenset(range(4)), "fixed": {}}
    assert book().values({**given, "low": low, "high": high}).value("rows") is fits
