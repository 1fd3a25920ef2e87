"""*There are integers h on S with …* over open values: differences that hold where a formula does.

Unknown numbers are vertices, a difference ``u + k <= v`` is an edge with weight k, guarded by the formula under which
it is asked; a number that is known, or is one of several, is a vertex too. An unknown number goes when each edge into
it is joined with each edge out of it (Fourier and Motzkin; exact for differences of integers, spec/language.md). What
is left compares known numbers.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from couperation_formal.formula.cases import Open, Part
from couperation_formal.formula.circuit import FALSE, TRUE, Formula, no
from couperation_formal.formula.collected import Values

Vertex = tuple[str, Hashable]
_ZERO: Vertex = "number", 0


class Unknown(Open):
    """An unknown number, plus a known one."""

    __slots__ = ("added", "vertex")

    def __init__(self, vertex: Vertex, added: int = 0) -> None:
        self.vertex, self.added = vertex, added

    def more(self, number: int, sign: str) -> Unknown:
        """The same with a number added or subtracted."""
        return Unknown(self.vertex, self.added + (number if sign == "add" else -number))


class Gaps:
    """Guarded differences, as they are noted while a body is evaluated."""

    def __init__(self, lift: Values) -> None:
        self._lift = lift
        self._unknown: list[Vertex] = []
        self._known: dict[Vertex, Any] = {_ZERO: 0}
        self._out: dict[Vertex, dict[Vertex, dict[int, Formula]]] = {}
        self._into: dict[Vertex, set[Vertex]] = {}

    def sought(self, keys: Any, low: int | None = None, high: int | None = None) -> Part:
        """An unknown number for each of these keys, from `low` to `high` where given."""
        numbers = {key: Unknown(("sought", key)) for key in keys}
        self._unknown += [number.vertex for number in numbers.values()]
        for number in numbers.values() if low is not None and high is not None else ():
            self.note(low, 0, number, TRUE)
            self.note(number, 0, high, TRUE)
        return Part(numbers)

    def note(self, lower: Any, gap: int, upper: Any, when: Formula) -> None:
        """Note that ``lower + gap <= upper`` is asked where `when` holds."""
        (one, less), (other, more) = self._vertex(lower), self._vertex(upper)
        self._edge(one, other, gap + less - more, when)

    def _vertex(self, side: Any) -> tuple[Vertex, int]:
        if isinstance(side, Unknown):
            return side.vertex, side.added
        if not isinstance(side, Open):
            return _ZERO, side
        vertex = "number", id(side)
        self._known[vertex] = side
        return vertex, 0

    def _edge(self, one: Vertex, other: Vertex, weight: int, when: Formula) -> None:
        """An edge; of two that hold wherever one of them does, only the greater counts."""
        if when == FALSE:
            return
        weights = self._out.setdefault(one, {}).setdefault(other, {})
        self._into.setdefault(other, set()).add(one)
        for old, here in list(weights.items()):
            if old >= weight and here in (TRUE, when):
                return
            if old <= weight and when in (TRUE, here):
                del weights[old]
        weights[weight] = self._lift.either(weights[weight], when) if weight in weights else when

    def solvable(self) -> Formula:
        """Where integers keep all differences that are asked."""
        kept: list[Formula] = []
        while self._unknown:
            vertex = min(self._unknown, key=self._degree)
            self._unknown.remove(vertex)
            kept += self._removed(vertex)
        for one, edges in self._out.items():
            for other, weights in edges.items():
                for weight, when in weights.items():
                    fits = self._lift.at_most(self._known[one], weight, self._known[other])
                    kept.append(no(self._lift.both(when, no(fits))))
        return self._lift.all_of(kept)

    def _degree(self, vertex: Vertex) -> int:
        return len(self._into.get(vertex, ())) * len(self._out.get(vertex, ()))

    def _removed(self, vertex: Vertex) -> list[Formula]:
        """Join the edges into a vertex with those out of it; where a circle at it asks for nothing impossible."""
        out = self._out.pop(vertex, {})
        into = {one: self._out[one].pop(vertex) for one in self._into.pop(vertex, set()) if one != vertex}
        circle = out.pop(vertex, {})
        for other in out:
            self._into[other].discard(vertex)
        for one, first in into.items():
            for other, second in out.items():
                for less, when in first.items():
                    for more, then in second.items():
                        self._edge(one, other, less + more, self._lift.both(when, then))
        return [no(when) for weight, when in circle.items() if weight > 0]
