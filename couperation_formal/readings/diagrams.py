"""Reduced ordered decision diagrams over variables with several values (Bryant 1986; Srinivasan et al. 1990).

A node asks one variable, told by its level, and has a node for each of its values; levels rise downwards. No node has
equal nodes for all values, and no two nodes are equal: so two diagrams stand for the same set exactly when they are the
same node, and a variable on which a set does not depend costs nothing.
"""

from __future__ import annotations

from typing import Final
from weakref import WeakValueDictionary

_KEPT: Final = 1 << 14
"""So many results of an operation are remembered."""

BELOW: Final = 1 << 30
"""The level of the two ends."""


class Node:
    """A node, made by `node` only: two are equal when they are the same."""

    __slots__ = ("__weakref__", "kids", "level")

    def __init__(self, level: int, kids: tuple[Node, ...]) -> None:
        self.level, self.kids = level, kids


NONE: Final = Node(BELOW, ())
ALL: Final = Node(BELOW, ())

_nodes: WeakValueDictionary[tuple[int, tuple[int, ...]], Node] = WeakValueDictionary()


def node(level: int, kids: tuple[Node, ...]) -> Node:
    """The node that asks the variable at `level` and goes on with one of `kids`, which lie deeper."""
    first = kids[0]
    if all(kid is first for kid in kids):
        return first
    key = level, tuple(map(id, kids))  # a node holds its kids, so their ids are theirs as long as it is there
    found = _nodes.get(key)
    if found is None:
        found = _nodes[key] = Node(level, kids)
    return found


class _Joined:
    """An operation on two sets, member by member, with what it gives at the ends: `unit` leaves the other one as it is,
    `zero` decides.
    """

    def __init__(self, unit: Node, zero: Node) -> None:
        self._unit, self._zero = unit, zero
        self._known: dict[tuple[Node, Node], Node] = {}

    def __call__(self, one: Node, other: Node) -> Node:
        if one is other or other is self._unit or one is self._zero:
            return one
        if one is self._unit or other is self._zero:
            return other
        key = one, other
        found = self._known.get(key)
        if found is None:
            if one.level == other.level:
                made = tuple(map(self, one.kids, other.kids))
            elif one.level < other.level:
                made = tuple([self(kid, other) for kid in one.kids])
            else:
                made = tuple([self(one, kid) for kid in other.kids])
            if len(self._known) >= _KEPT:
                self._known.clear()
            found = self._known[key] = node(min(one.level, other.level), made)
        return found


both = _Joined(ALL, NONE)
"""The members of both sets."""

either = _Joined(NONE, ALL)
"""The members of one of the sets."""


_opposites: dict[Node, Node] = {}


def opposite(one: Node) -> Node:
    """All that is not a member of the set."""
    if not one.kids:
        return NONE if one is ALL else ALL
    found = _opposites.get(one)
    if found is None:
        if len(_opposites) >= _KEPT:
            _opposites.clear()
        found = _opposites[one] = node(one.level, tuple(map(opposite, one.kids)))
    return found


def nodes_of(root: Node) -> list[Node]:
    """Every node of a diagram but the ends, each once."""
    found: dict[Node, None] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if one.kids and one not in found:
            found[one] = None
            waiting += one.kids
    return list(found)
