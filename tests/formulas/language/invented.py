"""What the tests of invented share with others."""

from __future__ import annotations

from couperation_formal.formulas.book import Book
from couperation_formal.formulas.writer import Values

RULES = """# Frogs on stones

Stones lie in a ring. A frog weighs something, or it is a toad.

```formula
type Stone = (ring: Int, spot: Int)
type Frog = Weighs(Int) | Toad
type Leap = Leaps(Frog, Stone) | Swaps(Stone, Stone) | Rests

given stones: set Stone
given pond: map Stone to Frog
given leap: Leap
given queue: seq Frog
given favourite: Stone or undefined
given most: Int = 3

weight(f: Frog) := w when f = Weighs(w)
                := 0 when f = Toad, croak = quiet
a <soft b := a < b when croak = loud
          := a <= b otherwise
next(s: Stone) := Stone(ring s, spot s + 1)
after := pond + {s -> f} when leap = Leaps(f, s)
      := (pond - {s, z}) + {s -> pond(z), z -> pond(s)} when leap = Swaps(s, z)
      := pond otherwise
weights := {s -> weight(pond(s)) for s in dom pond}
total := (the sum of weight(pond(s)) for s in dom pond)
heaviest := max({weights(s) for s in dom weights})
toads := (the number of s in dom pond with pond(s) = Toad)
served := [f for f in queue with f != Toad]
pairs := {Stone(i, k) for i in 1..2, k in 1..most}
thirds := {|s| for s in subsets of stones}
choice := if toads > 1 then "many" else "few"
seen := {f for s in dom pond, f in [pond(s)]} - {Toad}
other := free given pond = after
uphill(v: map Stone to Int) := for all s in dom v with next s in dom v: v(s) <soft v(next s)
half := total / toads
```

## free · A frog leaps to a free stone

```formula
leap = Leaps(_, s): s not in dom pond and s in stones
leap = Swaps(s, z):
    s != z
    {s, z} is a subset of dom pond
```

## steady · Weights rise along each ring

```formula
uphill(weights)
favourite is defined: pond(favourite) = Toad or |pond| <= most
toads = 0 if and only if Toad not in {pond(s) for s in dom pond}
```

## fits · The stones without a frog can be given weights

```formula
there are integers h on stones - dom pond in 1..9 with uphill(weights + h)
```
"""


OPTIONS = {"croak": ("loud", "quiet")}


def frogs(text: str = RULES) -> Book:
    return Book({"frogs.md": text}, OPTIONS)


def given(**changed: object) -> dict[str, object]:
    """What is given for the frogs, some of it changed."""
    stones = frozenset((1, spot) for spot in (1, 2, 3, 4))
    return {
        "croak": "loud",
        "stones": stones,
        "pond": {(1, 1): ("Weighs", 2), (1, 4): ("Weighs", 5)},
        "leap": ("Rests",),
        "queue": (("Toad",), ("Weighs", 7), ("Weighs", 1)),
        **changed,
    }


def table(**changed: object) -> Values:
    return BOOK.values(given(**changed))


BOOK = frogs()
