"""The shape of a tower, which every record shows: where a card can come to lie (TOW03 to TOW05)."""

from __future__ import annotations

from couperation_formal.model.board import Cell
from couperation_formal.symbolic.circuit import FALSE, TRUE, Formula
from couperation_formal.symbolic.table import Table


def inside(table: Table, cell: Cell) -> Formula:
    """Whether a pyramid that [anchor] allows holds the tower and `cell` (TOW04)."""
    board = table.cards.board
    cells = [*table.tower, cell]
    first = max(0, *(other.column - board.levels + other.level for other in cells))
    last = min(board.levels - 1, *(other.column for other in cells))
    if first > last:
        return FALSE
    return TRUE if first <= board.middle <= last else table.choices.chooses("anchor", "floating")


def beside(table: Table, cell: Cell) -> bool:
    """Whether a neighbour of `cell` on level 1 is taken (TOW05)."""
    return Cell(cell.column - 1, 1) in table.tower or Cell(cell.column + 1, 1) in table.tower
