"""What the tests of readings share with others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from math import prod
from operator import and_, or_

from hypothesis import strategies as st

from couperation_formal.game.rulings import Rulings
from couperation_formal.hidden.readings.condition import Leaf, Tree
from couperation_formal.hidden.readings.sets import ALL, NONE, Readings, Vertex, space


@st.composite
def terms(draw: st.DrawFn, most: int = 4) -> dict[str, tuple[str, ...]]:
    names = draw(st.lists(st.sampled_from(list(space())), max_size=most, unique=True))
    return {name: tuple(draw(st.lists(st.sampled_from(space()[name]), min_size=1, unique=True))) for name in names}


def union(every: Iterable[Mapping[str, Sequence[str]]]) -> Readings:
    """The readings that some of these terms allow: rulings with the options that are allowed, the others free."""
    return _any(
        _all(_any(Readings.option(name, each) for each in allowed) for name, allowed in term.items()) for term in every
    )


def _any(some: Iterable[Readings]) -> Readings:
    return reduce(or_, some, Readings.none())


def _all(some: Iterable[Readings]) -> Readings:
    return reduce(and_, some, Readings.every())


def count(readings: Readings) -> int:
    """How many readings the set has. Cost: linear in the diagram."""
    sizes = list(map(len, space().values()))
    known = {NONE: 0, ALL: 1}

    def below(one: Vertex, level: int) -> int:
        """How many combinations of the rulings from `level` on."""
        if one not in known:
            known[one] = sum(below(kid, one.level + 1) for kid in one.kids)
        return known[one] * prod(sizes[level : min(one.level, len(sizes))])

    return below(readings.root, 0)


def answer(tree: Tree, rulings: Rulings) -> str:
    """The verdict that the questions lead to; every option leads on, once."""
    while not isinstance(tree, Leaf):
        options = [option for branch, _ in tree.branches for option in branch]
        assert sorted(options) == sorted(space()[tree.ruling])
        (tree,) = [branch for options, branch in tree.branches if rulings.option(tree.ruling) in options]
    return tree.verdict
