"""Values of which parts may be open: the strict operations on them, collections, records and variants."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import combinations
from typing import Any

from couperation_formal.formulas.circuit import (
    FALSE,
    TRUE,
    Cases,
    Formula,
    Many,
    OpenMap,
    OpenRecord,
    OpenSequence,
    OpenValue,
    Scalars,
    no,
)
from couperation_formal.formulas.writer import divided

NUMBERS: dict[str, Callable[[int, int], int | None]] = {
    "add": lambda one, other: one + other,
    "subtract": lambda one, other: one - other,
    "multiply": lambda one, other: one * other,
    "divide": divided,
}
ORDERS = {"less": (0, 1, 1), "at_most": (0, 1, 0), "greater": (1, 0, 1), "at_least": (1, 0, 0)}
"""Which side is the lower one, which the upper one, and the least difference."""


def _dom(lift: OpenValues, value: Any) -> Any:
    if not isinstance(value, OpenMap):
        return None if value is None else value.keys()
    keyed = [(lift.here(entry), key) for key, entry in value.entries.items()]
    return value.entries.keys() if all(here == TRUE for here, _ in keyed) else lift.gathered(keyed)


def _greatest(lift: OpenValues, members: Any, sign: int = 1) -> Any:
    best: Any = None
    if members is not None:
        for member, when in sorted(lift.members(members).members.items(), key=lambda pair: sign * pair[0]):
            best = lift.choose(when, member, best)
    return best


def _over(lift: OpenValues, first: Any, second: Any) -> Any:
    if not isinstance(first, OpenValue) and not isinstance(second, OpenValue):
        return {**first, **second}
    entries = dict(lift.entries(first))
    for key, value in lift.entries(second).items():
        here = lift.here(value)
        entries[key] = value if here == TRUE else lift.choose(here, value, entries.get(key))
    return OpenMap(entries)


def _map_without(lift: OpenValues, first: Any, out: Any) -> Any:
    entries = lift.entries(first)
    return OpenMap({key: lift.choose(lift.within(key, out), None, value) for key, value in entries.items()})


def _range(lift: OpenValues, first: Any, last: Any) -> Any:
    if first is None or last is None:
        return None
    if not isinstance(first, OpenValue) and not isinstance(last, OpenValue):
        return range(first, last + 1)
    ends = lift.ways(lift.join(lambda one, other: (one, other), first, last)).items()
    return lift.gathered((when, number) for (low, high), when in ends for number in range(low, high + 1))


def _places(lift: OpenValues, length: Any) -> Any:
    if not isinstance(length, OpenValue):
        return range(1, length + 1)
    places = {place: lift.at_most(place, 0, length) for place in range(1, max(lift.ways(length)) + 1)}
    return Many({place: here for place, here in places.items() if here != FALSE}, None, length)


def _unequal(lift: OpenValues, first: Any, second: Any) -> Formula:
    return lift.all_of((lift.here(first), lift.here(second), no(lift.equal(first, second))))


def _not_member(lift: OpenValues, member: Any, where: Any) -> Formula:
    return FALSE if where is None else lift.both(lift.here(member), no(lift.within(member, where)))


def _iff(lift: OpenValues, first: Formula, second: Formula) -> Formula:
    return lift.both(lift.circuit.implies(first, second), lift.circuit.implies(second, first))


OF_ONE: dict[str, Callable[[OpenValues, Any], Any]] = {
    "negate": lambda lift, value: lift.map(lambda number: -number, value),
    "absolute": lambda lift, value: lift.map(abs, value),
    "max_of": _greatest,
    "min_of": lambda lift, value: _greatest(lift, value, -1),
    "not": lambda _, value: no(value),
    "not_empty": lambda lift, value: lift.some(value),
    "empty": lambda lift, value: FALSE if value is None else no(lift.some(value)),
    "defined": lambda lift, value: lift.here(value),
    "size": lambda lift, value: lift.size(value),
    "dom": _dom,
    "places": lambda lift, value: None if value is None else _places(lift, lift.row(value).length),
}
OF_TWO: dict[str, Callable[[OpenValues, Any, Any], Any]] = {
    "iff": _iff,
    "unequal": _unequal,
    "member": lambda lift, one, other: lift.within(one, other),
    "not_member": _not_member,
    "subset": lambda lift, one, other: lift.subset(one, other),
    "range": _range,
    "union": lambda lift, one, other: lift.union(one, other),
    "without": lambda lift, one, other: lift.without(one, other),
    "over": _over,
    "map_without": _map_without,
    "then": lambda lift, one, other: lift.then(one, other),
    "at": lambda lift, one, other: lift.at(one, other),
    "item": lambda lift, one, other: lift.item(one, other),
}


# Collections, records and variants of which parts may be open.


class OpenValues(Scalars):
    """Everything that can be done with values of which some are open, over one circuit."""

    def union(self, one: Any, other: Any) -> Any:
        """The members of either set."""
        if one is None or other is None:
            return None
        if not isinstance(one, OpenValue) and not isinstance(other, OpenValue):
            return frozenset(one).union(other)
        first, second = self.members(one), self.members(other)
        if not first.members or not second.members:
            return one if first.members else other
        members = dict(first.members)
        for member, when in second.members.items():
            members[member] = self.either(members[member], when) if member in members else when
        both = (*first.listed, *second.listed) if first.listed and second.listed else ()
        return Many(members, first.most + second.most, None, both)

    def without(self, one: Any, other: Any) -> Any:
        """The members of one set that are not in the other."""
        if one is None or other is None:
            return None
        if not isinstance(one, OpenValue) and not isinstance(other, OpenValue):
            return frozenset(one).difference(other)
        first, second = self.members(one), self.members(other)
        if not second.members:
            return one
        out = second.members
        members = {member: self.both(when, no(out.get(member, FALSE))) for member, when in first.members.items()}
        return Many({member: when for member, when in members.items() if when != FALSE}, first.most)

    def gathered(self, members: Iterable[tuple[Formula, Any]]) -> Any:
        """The set of these values, each a member where its formula holds and it is defined."""
        every = [(when, value) for when, value in members if value is not None and when != FALSE]
        if all(when == TRUE and not isinstance(value, OpenValue) for when, value in every):
            return frozenset(value for _, value in every)
        kept: dict[Any, Formula] = {}
        for when, value in every:
            for plain, way in self.ways(value).items():
                now = self.both(when, way)
                if now != FALSE:
                    kept[plain] = self.either(kept.get(plain, FALSE), now)
        listed = tuple(value for when, value in every if when == TRUE and self.here(value) == TRUE)
        return Many(kept, len(every), None, listed if len(listed) == len(every) else ())

    def listed(self, values: Iterable[Any]) -> Any:
        """The sequence of these values."""
        row = tuple(values)
        return OpenSequence(row) if any(isinstance(value, OpenValue) for value in row) else row

    def then(self, one: Any, other: Any) -> Any:
        """One sequence after the other: where the length of the first is open, so are the places of the second."""
        if one is None or other is None:
            return None
        first, second = self.row(one), self.row(other)
        if not isinstance(first.length, OpenValue) and not isinstance(second.length, OpenValue):
            return self.listed((*first.items, *second.items))
        length = self.join(lambda count, more: count + more, first.length, second.length)
        if not isinstance(first.length, OpenValue) or not second.items:
            return OpenSequence((*first.items, *second.items), length)
        items = []
        for place in range(1, len(first.items) + len(second.items) + 1):
            ways = [
                (when, second.items[place - count - 1])
                for count, when in self.ways(first.length).items()
                if 0 < place - count <= len(second.items)
            ]
            if place <= len(first.items):
                ways.append((self.at_most(place, 0, first.length), first.items[place - 1]))
            items.append(self.one_of(ways, self.any_of(when for when, _ in ways)))
        return OpenSequence(tuple(items), length)

    def mapped(self, entries: Iterable[tuple[Formula, Any, Any]]) -> Any:
        """The map with these keys and values, each where its formula holds; of two of one key the later counts."""
        every = [pair for pair in entries if pair[0] != FALSE and pair[1] is not None and pair[2] is not None]
        if all(
            when == TRUE and not isinstance(key, OpenValue) and not isinstance(value, OpenValue)
            for when, key, value in every
        ):
            return {key: value for _, key, value in every}
        made: dict[Any, Any] = {}
        for when, key, value in every:
            for plain, way in self.ways(key).items():
                now = self.both(self.both(when, way), self.here(value))
                made[plain] = value if now == TRUE else self.choose(now, value, made.get(plain))
        return OpenMap(made)

    def some(self, value: Any) -> Formula:
        """Whether a collection has a member."""
        if isinstance(value, Many):
            return self.any_of(value.members.values())
        if isinstance(value, OpenMap):
            return self.any_of(map(self.here, value.entries.values()))
        if isinstance(value, OpenSequence | Cases):
            return self.at_most(1, 0, self.row(value).length)
        return TRUE if value else FALSE

    def size(self, value: Any) -> Any:
        """The number of members."""
        if isinstance(value, Many):
            return self.number(value.members.values(), value.most) if value.size is None else value.size
        if isinstance(value, OpenSequence | Cases):
            return self.row(value).length
        if isinstance(value, OpenMap):
            return self.number(map(self.here, value.entries.values()))
        return None if value is None else len(value)

    def counts(self, value: Any, number: int) -> Formula:
        """Whether a set has so many members. Where it is made of as many values, none of them is there twice."""
        if isinstance(value, Many) and value.size is None and len(value.listed) == number:
            pairs = combinations(value.listed, 2)
            return no(self.any_of(self.equal(one, other) for one, other in pairs))
        return self.equal(self.size(value), number)

    def number(self, formulas: Iterable[Formula], most: int | None = None) -> Any:
        """How many of the formulas hold, which are never more than `most`. Cost: gates, their number times `most`."""
        every = [formula for formula in formulas if formula != FALSE]
        sure = sum(formula == TRUE for formula in every)
        doubtful = [formula for formula in every if formula != TRUE]
        if not doubtful:
            return sure
        bound = len(doubtful) if most is None else max(0, min(most - sure, len(doubtful)))
        row = self.circuit.counts(doubtful, bound)
        exact = {sure + k: self.both(row[k], no(row[k + 1])) for k in range(bound + 1)}
        return self.made({count: when for count, when in exact.items() if when != FALSE}, TRUE)

    def at(self, where: Any, key: Any) -> Any:
        """The value of a map at a key."""
        if where is None or key is None:
            return None
        entries = self.entries(where)
        if not isinstance(key, OpenValue):
            return entries.get(key)
        return self.one_of([(when, entries.get(plain)) for plain, when in self.ways(key).items()], self.here(key))

    def item(self, row: Any, place: Any) -> Any:
        """The value of a sequence at a place, from 1."""
        if row is None or place is None:
            return None
        shown = self.row(row)
        if isinstance(place, OpenValue):
            ways = [(when, self.item(row, plain)) for plain, when in self.ways(place).items()]
            return self.one_of(ways, self.here(place))
        if place > len(shown.items) and self.at_most(place, 0, shown.length) != FALSE:
            raise LookupError("what lies so deep is not modelled")
        return shown.items[place - 1] if 1 <= place <= len(shown.items) else None

    def one_of(self, values: Sequence[tuple[Formula, Any]], here: Formula) -> Any:
        """The one of these values whose formula holds; one of the formulas does where `here` holds, and never two."""
        every = [(when, value) for when, value in values if when != FALSE and value is not None]
        if any(isinstance(value, OpenValue) and not isinstance(value, Cases) for _, value in every):
            chosen: Any = None
            for when, value in every:
                chosen = self.choose(when, value, chosen)
            return chosen
        ways: dict[Any, list[Formula]] = {}
        for when, value in every:
            for plain, way in self.ways(value).items():
                ways.setdefault(plain, []).append(self.both(when, way))
        if len(every) < len(values) or any(self.here(value) != TRUE for _, value in every):
            here = self.any_of(self.both(when, self.here(value)) for when, value in every)
        return self.made({plain: self.any_of(some) for plain, some in ways.items()}, here)

    # Records and variants

    def built_of(self, tag: str | None, parts: tuple[Any, ...]) -> Any:
        """The record (`tag` None) or variant made of these parts, all of them defined."""
        head: tuple[str, ...] = () if tag is None else (tag,)
        openly = [place for place, part in enumerate(parts) if isinstance(part, OpenValue)]
        if not openly:
            return head + parts
        (place, *more), only = openly, parts[openly[0]]
        if more or not isinstance(only, Cases):
            return OpenRecord({tag: (TRUE, parts)})
        before, after = head + parts[:place], parts[place + 1 :]
        return Cases({(*before, plain, *after): when for plain, when in only.ways.items()}, only.here)

    def field(self, value: Any, place: int) -> Any:
        """A part of a record."""
        if isinstance(value, OpenRecord):
            return value.ways[None][1][place]
        return self.map(lambda plain: plain[place], value)


# *There are integers h on S with …* over open values: differences that hold where a formula does.
#
# Unknown numbers are vertices, a difference ``u + k <= v`` is an edge with weight k, guarded by the formula under which
# it is asked; a number that is known, or is one of several, is a vertex too. An unknown number goes when each edge into
# it is joined with each edge out of it (Fourier and Motzkin; exact for differences of integers, spec/language.md). What
# is left compares known numbers.

Vertex = tuple[str, Hashable]
_ZERO: Vertex = "number", 0


class OpenOffset(OpenValue):
    """An unknown number, plus a known one."""

    __slots__ = ("added", "vertex")

    def __init__(self, vertex: Vertex, added: int = 0) -> None:
        self.vertex, self.added = vertex, added

    def more(self, number: int, sign: str) -> OpenOffset:
        """The same with a number added or subtracted."""
        return OpenOffset(self.vertex, self.added + (number if sign == "add" else -number))


class Gaps:
    """Guarded differences, as they are noted while a body is evaluated."""

    def __init__(self, lift: OpenValues) -> None:
        self._lift = lift
        self._unknown: list[Vertex] = []
        self._known: dict[Vertex, Any] = {_ZERO: 0}
        self._out: dict[Vertex, dict[Vertex, dict[int, Formula]]] = {}
        self._into: dict[Vertex, set[Vertex]] = {}

    def sought(self, keys: Any, low: int | None = None, high: int | None = None) -> OpenMap:
        """An unknown number for each of these keys, from `low` to `high` where given."""
        numbers = {key: OpenOffset(("sought", key)) for key in keys}
        self._unknown += [number.vertex for number in numbers.values()]
        for number in numbers.values() if low is not None and high is not None else ():
            self.note(low, 0, number, TRUE)
            self.note(number, 0, high, TRUE)
        return OpenMap(numbers)

    def note(self, lower: Any, gap: int, upper: Any, when: Formula) -> None:
        """Note that ``lower + gap <= upper`` is asked where `when` holds."""
        (one, less), (other, more) = self._vertex(lower), self._vertex(upper)
        self._edge(one, other, gap + less - more, when)

    def _vertex(self, side: Any) -> tuple[Vertex, int]:
        if isinstance(side, OpenOffset):
            return side.vertex, side.added
        if not isinstance(side, OpenValue):
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
