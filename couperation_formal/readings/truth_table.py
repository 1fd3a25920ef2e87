"""A set of readings over the few rulings that it depends on: a truth table that fits in a small number."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.readings.diagrams import ALL, Node
from couperation_formal.readings.sets import Readings, space


class TruthTable(NamedTuple):
    """The options of some rulings and a truth table over them: bit i stands for the combination with index i in mixed
    radix, the first ruling counting most.
    """

    options: tuple[tuple[str, ...], ...]
    bits: int


def project(readings: Readings, names: tuple[str, ...]) -> TruthTable:
    """The set over these rulings, in the registry's order, on which alone it may depend. Cost: linear in their
    combinations.
    """
    options = tuple(space().options[name] for name in names)
    levels = [space().levels[name] for name in names]
    widths = [size_of(options[place + 1 :]) for place in range(len(options))]
    known: dict[tuple[Node, int], int] = {}

    def bits(at: Node, place: int) -> int:
        """The truth table of a node over the rulings from this place on."""
        if place == len(levels):
            return int(at is ALL)
        if (at, place) not in known:
            kids = at.kids if at.level == levels[place] else (at,) * len(options[place])
            known[at, place] = sum(bits(kid, place + 1) << (widths[place] * each) for each, kid in enumerate(kids))
        return known[at, place]

    return TruthTable(options, bits(readings.root, 0))


def size_of(options: tuple[tuple[str, ...], ...]) -> int:
    """How many combinations these options have."""
    size = 1
    for each in options:
        size *= len(each)
    return size


def slices(table: TruthTable) -> list[TruthTable]:
    """The tables that are left when the first ruling takes each of its options in turn."""
    rest = table.options[1:]
    width = size_of(rest)
    mask = (1 << width) - 1
    return [TruthTable(rest, table.bits >> (place * width) & mask) for place in range(len(table.options[0]))]
