"""The tower as an immutable value: what lies where, and what follows from it at once."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Down, Laid, Up, Value


class Tower(msgspec.Struct, frozen=True):
    """The laid cards by cell.

    `down` holds the cells of down cards, `numbers` the numbers of the Glass cards that lie up, `finish` the cell where
    the Finish card does; `first` and `last` bound the leftmost column of the pyramids that hold every
    laid card (TOW04): no pyramid does when `first > last`. `cells` and `numbers` are never changed: each move makes a
    new tower.
    """

    levels: int
    cells: Mapping[Cell, Laid]
    down: frozenset[Cell]
    numbers: Mapping[Cell, int]
    finish: Cell | None
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
        up = {cell: laid.card for cell, laid in cells.items() if type(laid) is Up}
        numbers = {cell: card for cell, card in up.items() if isinstance(card, int)}
        finish = next((cell for cell, card in up.items() if card is FINISH), None)
        return cls(board.levels, dict(cells), down, numbers, finish, first, last)

    @classmethod
    def start(cls, board: Board) -> Tower:
        """The tower of the set-up (SET04)."""
        return cls.of(board, {board.anchor_cell: Up(Value(board.anchor))})

    def lay(self, cell: Cell, laid: Laid) -> Tower:
        """The tower with `laid` on `cell`, in place of what lay there."""
        cells, numbers = dict(self.cells), dict(self.numbers)
        down, finish = self.down, self.finish
        if cell in cells:
            numbers.pop(cell, None)
            down = down - {cell}
            finish = None if finish == cell else finish
        cells[cell] = laid
        if type(laid) is Down:
            down = down | {cell}
        elif isinstance(laid.card, int):
            numbers[cell] = laid.card
        elif laid.card is FINISH:
            finish = cell
        column, level = cell
        first, last = column - self.levels + level, column
        if first < self.first:
            first = self.first
        if last > self.last:
            last = self.last
        return Tower(self.levels, cells, down, numbers, finish, first, last)

    def without(self, cell: Cell) -> Tower:
        """The tower with `cell` empty; its pyramids stay as they were, as a replaced card's place does (ACT07)."""
        cells, numbers = dict(self.cells), dict(self.numbers)
        del cells[cell]
        numbers.pop(cell, None)
        finish = None if self.finish == cell else self.finish
        return Tower(self.levels, cells, self.down - {cell}, numbers, finish, self.first, self.last)

    @property
    def hidden(self) -> frozenset[Cell]:
        """The cells on which a card lies up that the record does not show."""
        return frozenset(cell for cell, laid in self.cells.items() if laid.card is UNSEEN and type(laid) is Up)

    @property
    def full(self) -> bool:
        """Whether every cell of a pyramid is taken."""
        return len(self.cells) >= self.levels * (self.levels + 1) // 2

    @property
    def all_up(self) -> bool:
        """Whether the tower is full and no card of it is down."""
        return self.full and not self.down
