"""*There are integers h on S with …* on formulas of any kind, against trying all numbers."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from couperation_formal.formula.book import Book

BOOK = Book(
    {
        "differences.md": """# Differences

```formula
type Edge = (from: Int, upto: Int, gap: Int)
given edges: set Edge
given twins: set Edge
given nodes: set Int
given fixed: map Int to Int
given low: Int
given high: Int

kept(v: map Int to Int) :=
    for all e in edges with from e in dom v, upto e in dom v: v(from e) + gap e <= v(upto e)
    for all e in twins with from e in dom v, upto e in dom v: v(from e) = v(upto e) - gap e
apart(one: Int, other: Int) := one < other when low < 0
                            := other > one otherwise
```

## free · without bounds
```formula
there are integers h on nodes with kept(fixed + h)
```

## bound · between bounds
```formula
there are integers h on nodes in low..high with kept(fixed + h)
```

## rows · a row of numbers, each above the one before it
```formula
there are integers h on nodes in low..high with for all i in nodes with i + 1 in nodes: apart(h(i), h(i + 1))
```
"""
    },
    {},
)


def system(rng: Random) -> tuple[dict[str, object], int]:
    size = rng.randint(1, 4)
    known = rng.randint(0, 2)

    def edges(count: int) -> frozenset[tuple[int, int, int]]:
        ends = range(size + known)
        return frozenset((rng.choice(ends), rng.choice(ends), rng.randint(-3, 3)) for _ in range(count))

    given: dict[str, object] = {
        "n_edges": edges(rng.randint(0, 6)),
        "n_twins": edges(rng.choice((0, 0, 1, 2))),
        "n_nodes": frozenset(range(size)),
        "n_fixed": {size + place: rng.randint(-4, 4) for place in range(known)},
        "n_low": -3,
        "n_high": rng.randint(-4, 2),
    }
    return given, size


def holds(given: dict[str, object], numbers: dict[int, int]) -> bool:
    edges: frozenset[tuple[int, int, int]] = given["n_edges"]  # type: ignore[assignment]
    twins: frozenset[tuple[int, int, int]] = given["n_twins"]  # type: ignore[assignment]
    return all(numbers[a] + gap <= numbers[b] for a, b, gap in edges) and all(
        numbers[a] + gap == numbers[b] for a, b, gap in twins
    )


def tried(given: dict[str, object], size: int, numbers: range) -> bool:
    fixed: dict[int, int] = given["n_fixed"]  # type: ignore[assignment]
    return any(holds(given, {**fixed, **dict(enumerate(chosen))}) for chosen in product(numbers, repeat=size))


@pytest.mark.parametrize("chunk", range(4))
def test_integers_exist_exactly_where_some_are_found(chunk: int) -> None:
    rng = Random(chunk)
    answers = set()
    for _ in range(150):
        given, size = system(rng)
        values = BOOK.values(**given)
        bounded = tried(given, size, range(-3, int(str(given["n_high"])) + 1))
        assert values.value("bound") is bounded, given
        answers.add(bounded)
        if size < 4:
            # a system of so few vertices has numbers within the sum of all gaps around those that are fixed, or none
            assert values.value("free") is tried(given, size, range(-4 - 3 * 4, 4 + 3 * 4 + 1)), given
    assert answers == {True, False}


@pytest.mark.parametrize("low, high, fits", [(1, 4, True), (1, 3, False), (-2, 1, True), (-2, 0, False)])
def test_a_row_of_four_needs_four_numbers(low: int, high: int, fits: bool) -> None:
    given = {"n_edges": frozenset(), "n_twins": frozenset(), "n_nodes": frozenset(range(4)), "n_fixed": {}}
    assert BOOK.values(**given, n_low=low, n_high=high).value("rows") is fits
