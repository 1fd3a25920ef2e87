"""Tables of values: what the names of a book stand for under one choice of what is given.

Numbers are int, truth is bool, texts and options str; a variant is a tuple that begins with its constructor's name, a
record a tuple of its fields; sets are frozensets, sequences tuples, maps dicts. None is what is not defined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from couperation_formal.game.budget import Steps

STEPS = 10
"""What it costs to evaluate formulas for other given values: some hundred microseconds."""


def item(sequence: tuple[Any, ...], place: int) -> Any:
    """The member at a place, from 1."""
    return sequence[place - 1] if 1 <= place <= len(sequence) else None


def divided(number: int, by: int) -> int | None:
    """The quotient rounded down; nothing for a division by 0."""
    return number // by if by else None


def subsets(members: Iterable[Any]) -> Iterator[frozenset[Any]]:
    """Every subset, the small ones first."""
    every = sorted(members)
    for count in range(len(every) + 1):
        yield from map(frozenset, combinations(every, count))


class Values:
    """The values of a book's names for one choice of what is given: each definition is evaluated when first asked for.

    Attributes are the names with ``n_`` before them. Given values may not be changed; `given` makes another table.
    Where there is a `budget`, each such table takes `STEPS` of it: what grows beyond the size of the values tries
    things out with other given values. `Spent` is raised where it ends.
    """

    budget: Steps | None = None
    dependents: Mapping[str, frozenset[str]] = {}
    defaults: Mapping[str, Callable[[Any], Any]] = {}
    functions: Mapping[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)
        for name, default in self.defaults.items():
            if name not in values:
                self.__dict__[name] = default(self)

    def given(self, **values: Any) -> Values:
        """The same with other values for some given names. What does not depend on them is not evaluated anew."""
        if self.budget is not None:
            self.budget.spend(STEPS)
        other = object.__new__(type(self))
        stale: frozenset[str] = frozenset()
        for name in values:
            stale |= self.dependents[name]
        kept = self.__dict__.copy()  # less what is stale: quicker than to look at each name
        for name in stale:
            kept.pop(name, None)
        other.__dict__.update(kept, **values)
        return other

    def value(self, name: str) -> Any:
        """The value of a name of the book."""
        return getattr(self, attribute(name))


class Lazy:
    """A definition without parameters: evaluated once, then kept in the table itself."""

    def __init__(self, name: str, function: Callable[[Any], Any]) -> None:
        self._name, self._function = name, function

    def __get__(self, values: Any, _owner: type) -> Any:
        found = values.__dict__[self._name] = self._function(values)
        return found


def attribute(name: str) -> str:
    """A name of a book as an attribute of `Values`."""
    return "n_" + name.replace("'", "_q").replace("<", "lt_")
