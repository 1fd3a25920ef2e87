"""The board: levels, columns, cells, and the numbers that the set-up fixes.

Everything is parametric, so that small games can be tried exhaustively; `STANDARD` is the printed game.
Columns count from 0 (letter ``a``), levels from 1 (the bottom).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def column_name(column: int) -> str:
    """The letters of a column: ``a`` for 0, ``z`` for 25, ``aa`` for 26 (boards beyond the printed one)."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = _LETTERS[rest] + name
    return name


class Cell(NamedTuple):
    """A place of the tower: column from 0 (``a``), level from 1 (the bottom)."""

    column: int
    level: int

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.level}"

    @property
    def supports(self) -> tuple[Cell, Cell]:
        """The left and the right cell that a card here rests on; meaningful above level 1 only."""
        return _supports(self)


@lru_cache(maxsize=4096)
def _supports(cell: Cell) -> tuple[Cell, Cell]:
    return Cell(cell.column, cell.level - 1), Cell(cell.column + 1, cell.level - 1)


class Board(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The numbers of a game. `reserve_sizes` pairs a number of players with the Reserve's size (SET03)."""

    levels: int = 7
    cards: int = 50
    anchor: int = 25
    deal: int = 3
    hand_limit: int = 3
    refill: int = 2
    reserve_sizes: tuple[tuple[int, int], ...] = ((2, 6), (3, 5), (4, 4))

    @property
    def columns(self) -> int:
        """How many columns the seven of level 1 can reach when they may lie anywhere around the anchor."""
        return 2 * self.levels - 1

    @property
    def anchor_cell(self) -> Cell:
        """Where the set-up lays the anchor card (SET04): `g1` on the printed board."""
        return Cell(self.levels - 1, 1)

    @property
    def middle(self) -> int:
        """The leftmost column of the pyramid whose level 1 has the anchor in the middle."""
        return self.levels - 1 - self.levels // 2

    @property
    def size(self) -> int:
        """The number of cells of a full tower."""
        return self.levels * (self.levels + 1) // 2

    def reserve_size(self, players: int) -> int | None:
        """The Reserve's size for so many players, or None where the rules give none (SET01)."""
        for count, size in self.reserve_sizes:
            if count == players:
                return size
        return None

    def pyramid(self, left: int) -> tuple[Cell, ...]:
        """The cells of the pyramid whose level 1 begins in column `left`, level by level."""
        return _pyramid(self.levels, left)


@lru_cache(maxsize=512)
def _pyramid(levels: int, left: int) -> tuple[Cell, ...]:
    return tuple(
        Cell(column, level) for level in range(1, levels + 1) for column in range(left, left + levels - level + 1)
    )


STANDARD = Board()
