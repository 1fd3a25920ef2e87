"""The poset of a full tower, as index tables.

In a full tower the orders of TOW02 generate all others: a cell lies below the cell on top of it that it supports from
the left, and above the one that it supports from the right. So each cell has at most two cells next below it in the
order and two next above. Cells are numbered along a linear extension (2·column + level), columns counted from the left
end of level 1.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Shape(NamedTuple):
    """The cells of a pyramid in a linear extension, and the cells next below and next above each.

    `places[i]` is the (column, level) of cell i, columns from 0, and `number` the way back. `below[i]` and `above[i]`
    are pairs of indices; `size`, one past the last cell, stands for no cell. `apex` is the apex's index.
    """

    levels: int
    size: int
    places: tuple[tuple[int, int], ...]
    number: dict[tuple[int, int], int]
    below: tuple[tuple[int, int], ...]
    above: tuple[tuple[int, int], ...]
    apex: int


@lru_cache(maxsize=64)
def shape(levels: int) -> Shape:
    """The shape of a pyramid of so many levels. Built once; cost linear in the cells."""
    places = sorted(
        ((column, level) for level in range(1, levels + 1) for column in range(levels - level + 1)),
        key=lambda place: (2 * place[0] + place[1], place[1]),
    )
    number = {place: i for i, place in enumerate(places)}
    size = len(places)

    def at(column: int, level: int) -> int:
        return number.get((column, level), size)

    return Shape(
        levels,
        size,
        tuple(places),
        number,
        tuple((at(column, level - 1), at(column - 1, level + 1)) for column, level in places),
        tuple((at(column, level + 1), at(column + 1, level - 1)) for column, level in places),
        number[0, levels],
    )


def before(shape: Shape, lower: int, upper: int) -> bool:
    """Whether the orders force cell `lower` below cell `upper`: column and column + level not greater, and not the same
    cell.
    """
    (x, r), (y, s) = shape.places[lower], shape.places[upper]
    return lower != upper and x <= y and x + r <= y + s
