"""Sets of readings, as reduced ordered decision diagrams over variables with several values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import repeat
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from couperation_formal.game.fact import Steps
from couperation_formal.game.rulings import RULING_NAMES, Rules, Rulings, options_in_order

# Reduced ordered decision diagrams over variables with several values (Bryant 1986; Srinivasan et al. 1990).
#
# A node asks one variable, told by its level, and has a node for each of its values; levels rise downwards. No node has
# equal nodes for all values, and no two nodes are equal: so two diagrams stand for the same set exactly when they are
# the same node, and a variable on which a set does not depend costs nothing.

_KEPT: Final = 1 << 14
"""So many results of an operation are remembered."""

BELOW: Final = 1 << 30
"""The level of the two ends."""


class Vertex:
    """A node, made by `node` only: two are equal when they are the same."""

    __slots__ = ("__weakref__", "kids", "level")

    def __init__(self, level: int, kids: tuple[Vertex, ...]) -> None:
        self.level, self.kids = level, kids


NONE: Final = Vertex(BELOW, ())
ALL: Final = Vertex(BELOW, ())

_nodes: WeakValueDictionary[tuple[int, tuple[int, ...]], Vertex] = WeakValueDictionary()


def node(level: int, kids: tuple[Vertex, ...]) -> Vertex:
    """The node that asks the variable at `level` and goes on with one of `kids`, which lie deeper."""
    first = kids[0]
    if all(kid is first for kid in kids):
        return first
    key = level, tuple(map(id, kids))  # a node holds its kids, so their ids are theirs as long as it is there
    vertex = _nodes.get(key)
    if vertex is None:
        vertex = _nodes[key] = Vertex(level, kids)
    return vertex


@lru_cache(maxsize=_KEPT)
def both(one: Vertex, other: Vertex) -> Vertex:
    """The members of both sets."""
    if one is other or other is ALL or one is NONE:
        return one
    if one is ALL or other is NONE:
        return other
    level = min(one.level, other.level)
    kids = (each.kids if each.level == level else repeat(each) for each in (one, other))
    return node(level, tuple(map(both, *kids)))


@lru_cache(maxsize=_KEPT)
def either(one: Vertex, other: Vertex) -> Vertex:
    """The members of one of the sets."""
    return opposite(both(opposite(one), opposite(other)))


@lru_cache(maxsize=_KEPT)
def opposite(one: Vertex) -> Vertex:
    """All that is not a member of the set."""
    if not one.kids:
        return NONE if one is ALL else ALL
    return node(one.level, tuple(map(opposite, one.kids)))


def nodes_of(root: Vertex) -> list[Vertex]:
    """Every node of a diagram but the ends, each once."""
    vertices: dict[Vertex, None] = {}
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if one.kids and one not in vertices:
            vertices[one] = None
            waiting += one.kids
    return list(vertices)


# Sets of readings: which of all combinations of options.
#
# A *reading* is one option for each ruling. A set of readings is a decision diagram over the rulings, in the registry's
# order: as long as what it says, however many readings there are.

_LEVELS: Final = {ruling: level for level, ruling in enumerate(RULING_NAMES)}
"""Each ruling's level in diagrams."""


@cache
def space() -> dict[str, tuple[str, ...]]:
    """The rulings with their options, in the registry's order, which is that of `RULING_NAMES`."""
    return dict(options_in_order())


class Readings(msgspec.Struct, frozen=True):
    """A set of readings; equal sets have the same `root`."""

    root: Vertex

    @classmethod
    def none(cls) -> Readings:
        """The empty set."""
        return cls(NONE)

    @classmethod
    def every(cls) -> Readings:
        """The set of all readings."""
        return cls(ALL)

    @classmethod
    def option(cls, ruling: str, option: str) -> Readings:
        """The readings that choose `option` for `ruling`."""
        return cls.choosing({ruling: option})

    @classmethod
    def one(cls, rulings: Rulings) -> Readings:
        """The set of this reading alone."""
        return cls.choosing(msgspec.structs.asdict(rulings))

    @classmethod
    def choosing(cls, chosen: Mapping[str, str]) -> Readings:
        """The readings that choose these options. Raises `KeyError` for a name that is unknown."""
        root = ALL
        for ruling in sorted(chosen, key=_LEVELS.__getitem__, reverse=True):
            root = _choosing(ruling, chosen[ruling], root)
        return cls(root)

    def __and__(self, other: Readings) -> Readings:
        return self if other.root is ALL else Readings(both(self.root, other.root))

    def __or__(self, other: Readings) -> Readings:
        return self if other.root is NONE else Readings(either(self.root, other.root))

    def __sub__(self, other: Readings) -> Readings:
        return self & ~other if other else self

    def __invert__(self) -> Readings:
        return Readings(opposite(self.root))

    def __bool__(self) -> bool:
        return self.root is not NONE

    def __contains__(self, rulings: Rulings) -> bool:
        at = self.root
        while at.kids:
            name = RULING_NAMES[at.level]
            at = at.kids[space()[name].index(rulings.option(name))]
        return at is ALL

    def member(self) -> Rulings:
        """The first reading of the set in the order of the options. Raises `ValueError` where the set is empty."""
        if not self:
            raise ValueError("an empty set of readings has no member")
        chosen = {name: options[0] for name, options in space().items()}
        at = self.root
        while at.kids:
            name = RULING_NAMES[at.level]
            place = next(place for place, kid in enumerate(at.kids) if kid is not NONE)
            chosen[name], at = space()[name][place], at.kids[place]
        return Rulings(**chosen)


@lru_cache(maxsize=512)
def _choosing(ruling: str, option: str, deeper: Vertex) -> Vertex:
    """The readings of `deeper`, which asks later rulings only, that choose this option."""
    options = space()[ruling]
    if option not in options:
        raise KeyError(option)
    return node(_LEVELS[ruling], tuple(deeper if each == option else NONE for each in options))


@lru_cache(maxsize=_KEPT)
def _within(at: Vertex, admits: tuple[tuple[str, ...], ...]) -> Vertex:
    if not at.kids:
        return at
    options, allowed = space()[RULING_NAMES[at.level]], admits[at.level]
    kids = {option: _within(kid, admits) for option, kid in zip(options, at.kids, strict=True)}
    return node(at.level, tuple(kids[option if option in allowed else allowed[0]] for option in options))


def within(readings: Readings, rules: Rules) -> Readings:
    """The set among the readings that the text of a rulebook admits: its own, and with it each option that it leaves
    open (`Rules.leaves`); any other option counts as the rulebook's. So it is every reading where all of these are in
    the set, none where none is, and depends on what decides. Cost: linear in the diagram.
    """
    leaves = rules.leaves
    admits = tuple(leaves.get(name, (rules.rulings.option(name),)) for name in RULING_NAMES)
    return Readings(_within(readings.root, admits))


class Verdicts(NamedTuple):
    """The readings by the verdict that a record has under them: three sets that share nothing. From
    `standing.plain_verdicts` they are all readings together.
    """

    legal: Readings = Readings.none()
    illegal: Readings = Readings.none()
    undetermined: Readings = Readings.none()


_TRIED: Final = 2
"""The steps that a set of changes takes."""


def nearest(rulings: Rulings, wanted: Readings, names: Sequence[str], budget: Steps) -> tuple[dict[str, str], ...]:
    """Every set of changes of least size, one at least, of rulings among `names` that leads from a reading to a wanted
    one. Raises `Spent` where `budget` does not suffice. Cost: one look a set of changes.
    """
    for count in range(1, len(names) + 1) if wanted else ():
        sets_of_changes = []
        for changes in rulings.changes(names, count):
            budget.spend(_TRIED)
            sets_of_changes += [changes] if rulings.with_changes(changes) in wanted else []
        if sets_of_changes:
            return tuple(sets_of_changes)
    return ()


def depends_on(*sets: Readings) -> tuple[str, ...]:
    """The rulings on which some of these sets depend, in the registry's order. Cost: linear in the diagrams."""
    levels = {vertex.level for each in sets for vertex in nodes_of(each.root)}
    return tuple(RULING_NAMES[level] for level in sorted(levels))
