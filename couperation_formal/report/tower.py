"""A tower as a small drawing in plain text.

Level 1 is the bottom row and every level stands half a step to the right, so that a card is drawn over the gap between
its two supports. `25` lies up, `~16` down and known, `~?` down and unseen, `F` is the Finish card, `[25]` the card in
question, `(25)` one that is not there yet, and `·` an empty cell that has its supports. The letters are the columns of
level 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import STANDARD, Board, Cell, Laid, Tower, column_name

_HALF = 3
"""The width of half a step in characters: room for ``[~16]``."""

EMPTY = "·"


def draw_tower(
    tower: Tower, rulings: Rulings, marked: Cell | None = None, attempt: Laid | None = None, board: Board = STANDARD
) -> list[str]:
    """The drawing's lines, top level first, the column letters last.

    The cell `marked` stands in brackets and, where `attempt` is given, shows that card in place of what lies there.
    """
    cells = {cell: str(laid) for cell, laid in tower.cells.items()}
    if marked is not None and attempt is not None:
        cells[marked] = str(attempt)
    shown = _columns(cells, tower, rulings, board)
    for cell in _open_cells(tower, shown, rulings, board):
        cells.setdefault(cell, EMPTY)
    if marked in cells:
        cells[marked] = f"[{cells[marked]}]"
    return draw_cells(cells, shown)


def draw_cells(cells: Mapping[Cell, str], columns: range) -> list[str]:
    """The drawing's lines of what stands in each cell, over these columns of level 1."""
    top = max(cell.level for cell in cells)
    lines = [_row(level, cells, columns.start) for level in range(top, 0, -1)]
    letters = _place({_middle(Cell(column, 1), columns.start): column_name(column) for column in columns})
    return [*lines, "   " + letters]


def _columns(cells: dict[Cell, str], tower: Tower, rulings: Rulings, board: Board) -> range:
    """The columns of level 1 that are drawn: those under a laid card and the next ones where the tower may still grow;
    all of the pyramid where it is known.
    """
    first = min(cell.column for cell in cells)
    last = max(cell.column + cell.level - 1 for cell in cells)
    pyramid = _pyramid(tower, rulings, board)
    if len(pyramid) == board.levels:
        return range(min(first, pyramid.start), max(last + 1, pyramid.stop))
    return range(min(first, max(first - 1, pyramid.start)), max(last + 1, min(last + 2, pyramid.stop)))


def _pyramid(tower: Tower, rulings: Rulings, board: Board) -> range:
    """The columns of level 1 that some pyramid holding the tower has; TOW04."""
    if rulings.anchor == "middle":
        return range(board.middle, board.middle + board.levels)
    return range(tower.first, tower.last + board.levels)


def _open_cells(tower: Tower, shown: range, rulings: Rulings, board: Board) -> list[Cell]:
    """The empty cells that have their supports, level 1 as far as it is drawn."""
    pyramid = _pyramid(tower, rulings, board)
    found = [Cell(column, 1) for column in shown if column in pyramid]
    for cell in tower.cells:
        above = Cell(cell.column, cell.level + 1)
        if Cell(cell.column + 1, cell.level) in tower.cells and above.level <= board.levels:
            found.append(above)
    return found


def _middle(cell: Cell, first: int) -> int:
    return (2 * (cell.column - first) + cell.level) * _HALF


def _row(level: int, cells: Mapping[Cell, str], first: int) -> str:
    tokens = {_middle(cell, first): text for cell, text in cells.items() if cell.level == level}
    return f"{level}  {_place(tokens)}".rstrip()


def _place(tokens: dict[int, str]) -> str:
    """Tokens on one line, each around its middle; two digits and a bracket before them stand left of it."""
    line = ""
    for middle, token in sorted(tokens.items()):
        start = middle - len(token.strip("[]()")) // 2 - token.startswith(("[", "("))
        line = line.ljust(start) + token
    return line
