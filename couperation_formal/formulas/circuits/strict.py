"""The strict operations of the language over values that may be open: of one value, and of two.

None is what is not defined; a truth is a formula of the circuit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from couperation_formal.formulas.circuits.circuit import FALSE, TRUE, Formula, Many, OpenMap, OpenValue, no
from couperation_formal.formulas.circuits.collected import OpenValues
from couperation_formal.formulas.tables import divided

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
    keyed = [(lift.here(found), key) for key, found in value.entries.items()]
    return value.entries.keys() if all(here == TRUE for here, _ in keyed) else lift.gathered(keyed)


def _greatest(lift: OpenValues, members: Any, sign: int = 1) -> Any:
    found: Any = None
    if members is not None:
        for member, when in sorted(lift.members(members).members.items(), key=lambda pair: sign * pair[0]):
            found = lift.choose(when, member, found)
    return found


def _over(lift: OpenValues, first: Any, second: Any) -> Any:
    if not isinstance(first, OpenValue) and not isinstance(second, OpenValue):
        return {**first, **second}
    found = dict(lift.entries(first))
    for key, value in lift.entries(second).items():
        here = lift.here(value)
        found[key] = value if here == TRUE else lift.choose(here, value, found.get(key))
    return OpenMap(found)


def _map_without(lift: OpenValues, first: Any, out: Any) -> Any:
    entries = lift.entries(first)
    return OpenMap({key: lift.choose(lift.within(key, out), None, value) for key, value in entries.items()})


def _range(lift: OpenValues, first: Any, last: Any) -> Any:
    if first is None or last is None:
        return None
    if not isinstance(first, OpenValue) and not isinstance(last, OpenValue):
        return range(first, last + 1)
    pairs = lift.join(lambda one, other: (one, other), first, last)
    return lift.gathered(
        (when, number) for (low, high), when in lift.ways(pairs).items() for number in range(low, high + 1)
    )


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
