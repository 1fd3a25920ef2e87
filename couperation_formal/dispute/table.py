"""A set of readings over the few rulings that it depends on: a truth table that fits in a small number."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.dispute.readings import Readings, space


class Table(NamedTuple):
    """The options of some rulings and a truth table over them: bit i stands for the combination with index i in mixed
    radix, the first ruling counting most.
    """

    options: tuple[tuple[str, ...], ...]
    bits: int


def depends_on(*sets: Readings) -> tuple[str, ...]:
    """The rulings on which some of these sets depend, in the registry's order. Cost: some tens of big-number
    operations a set.
    """
    whole = space()
    found = []
    for ruling, options in whole.options.items():
        first = Readings.option(ruling, options[0]).bits
        stride = whole.strides[ruling]
        if any(
            readings.bits >> (place * stride) & first != readings.bits & first
            for readings in sets
            for place in range(1, len(options))
        ):
            found.append(ruling)
    return tuple(found)


def project(readings: Readings, names: tuple[str, ...]) -> Table:
    """The set over these rulings, on which alone it may depend. Cost: linear in their combinations."""
    whole = space()
    data = readings.bits.to_bytes((whole.size + 7) // 8, "little")
    indices = [0]
    for name in names:
        stride, count = whole.strides[name], len(whole.options[name])
        indices = [index + place * stride for index in indices for place in range(count)]
    digits = "".join("1" if data[index >> 3] >> (index & 7) & 1 else "0" for index in reversed(indices))
    return Table(tuple(whole.options[name] for name in names), int(digits, 2))


def size_of(options: tuple[tuple[str, ...], ...]) -> int:
    """How many combinations these options have."""
    size = 1
    for each in options:
        size *= len(each)
    return size


def slices(table: Table) -> list[Table]:
    """The tables that are left when the first ruling takes each of its options in turn."""
    rest = table.options[1:]
    width = size_of(rest)
    mask = (1 << width) - 1
    return [Table(rest, table.bits >> (place * width) & mask) for place in range(len(table.options[0]))]
