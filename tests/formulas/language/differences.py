"""Systems of differences at random, and the formulas that ask for numbers."""

from __future__ import annotations

from functools import cache
from random import Random

from couperation_formal.formulas.book import Book

PAGE = """# Differences

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


@cache
def book() -> Book:
    return Book({"differences.md": PAGE}, {})


def system(rng: Random) -> tuple[dict[str, object], int]:
    size = rng.randint(1, 4)
    known = rng.randint(0, 2)

    def edges(count: int) -> frozenset[tuple[int, int, int]]:
        ends = range(size + known)
        return frozenset((rng.choice(ends), rng.choice(ends), rng.randint(-3, 3)) for _ in range(count))

    given: dict[str, object] = {
        "edges": edges(rng.randint(0, 6)),
        "twins": edges(rng.choice((0, 0, 1, 2))),
        "nodes": frozenset(range(size)),
        "fixed": {size + place: rng.randint(-4, 4) for place in range(known)},
        "low": -3,
        "high": rng.randint(-4, 2),
    }
    return given, size
