"""The tower as an immutable value: what lies where, and what follows from it at once."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import Down, Laid, Up, Value


class Tower(msgspec.Struct, frozen=True):
    """The laid cards by cell.

    `down` holds the cells of down cards; `first` and `last` bound the leftmost column of the pyramids that hold every
    laid card (TOW04): no pyramid does when `first > last`. `cells` is never changed: each move makes a new tower.
    """

    levels: int
    cells: Mapping[Cell, Laid]
    down: frozenset[Cell]
    first: int
    last: int

    @classmethod
    def of(cls, board: Board, cells: Mapping[Cell, Laid]) -> Tower:
        """The tower of these laid cards. Cost: linear in their number."""
        first, last = 0, board.levels - 1
        for column, level in cells:
            first = max(first, column - board.levels + level)
            last = min(last, column)
        down = frozenset(cell for cell, laid in cells.items() if type(laid) is Down)
        return cls(board.levels, dict(cells), down, first, last)

    @classmethod
    def start(cls, board: Board) -> Tower:
        """The tower of the set-up (SET04)."""
        return cls.of(board, {board.anchor_cell: Up(Value(board.anchor))})

    def lay(self, cell: Cell, laid: Laid) -> Tower:
        """The tower with `laid` on `cell`, in place of what lay there."""
        cells = dict(self.cells)
        cells[cell] = laid
        down = self.down
        if type(laid) is Down:
            down = down | {cell}
        elif cell in down:
            down = down - {cell}
        column, level = cell
        first = max(self.first, column - self.levels + level)
        return Tower(self.levels, cells, down, first, min(self.last, column))

    def without(self, cell: Cell) -> Tower:
        """The tower with `cell` empty; its pyramids stay as they were, as a replaced card's place does (ACT07)."""
        cells = dict(self.cells)
        del cells[cell]
        return Tower(self.levels, cells, self.down - {cell}, self.first, self.last)

    @property
    def full(self) -> bool:
        """Whether every cell of a pyramid is taken."""
        return len(self.cells) >= self.levels * (self.levels + 1) // 2

    @property
    def all_up(self) -> bool:
        """Whether the tower is full and no card of it is down."""
        return self.full and not self.down
