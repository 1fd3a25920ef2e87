"""The orders of the tower as data: the one list that the plain evaluator, the Z3 model and the completability algorithm
read.

Sources: TOW01 (every pair of a level), TOW02 (two separate orders for a card and its supports).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import Down, FinishCard, Laid
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower

OrderClause = Literal["TOW01", "TOW02"]


class Order(NamedTuple):
    """The number on `lower` stays below the one on `upper` (or equals it, where the clause's ruling is lax)."""

    lower: Cell
    upper: Cell
    clause: OrderClause


Neighbours = dict[OrderClause, dict[Cell, tuple[Cell, ...]]]
"""For each clause and cell the cells that its orders lead to; every cell of the board is there."""

CLAUSES: tuple[OrderClause, ...] = ("TOW01", "TOW02")


class Orders(NamedTuple):
    """All orders of a board, and for each cell the cells whose numbers stay below and above its own."""

    every: tuple[Order, ...]
    cells: frozenset[Cell]
    below: Neighbours
    above: Neighbours


@lru_cache(maxsize=64)
def orders(board: Board) -> Orders:
    """Every order between two cells of the board, its columns all around the anchor included. Cost: built once a
    board.
    """
    every: list[Order] = []
    cells = [Cell(column, level) for level in range(1, board.levels + 1) for column in range(board.columns - level + 1)]
    for left in cells:
        every += [
            Order(left, Cell(column, left.level), "TOW01")
            for column in range(left.column + 1, board.columns - left.level + 1)
        ]
    for cell in cells:
        if cell.level > 1:
            left, right = cell.supports
            every += [Order(left, cell, "TOW02"), Order(cell, right, "TOW02")]
    below: dict[OrderClause, dict[Cell, list[Cell]]] = {clause: {cell: [] for cell in cells} for clause in CLAUSES}
    above: dict[OrderClause, dict[Cell, list[Cell]]] = {clause: {cell: [] for cell in cells} for clause in CLAUSES}
    for lower, upper, clause in every:
        below[clause][upper].append(lower)
        above[clause][lower].append(upper)
    return Orders(tuple(every), frozenset(cells), _frozen(below), _frozen(above))


def _frozen(neighbours: dict[OrderClause, dict[Cell, list[Cell]]]) -> Neighbours:
    return {clause: {cell: tuple(others) for cell, others in by_cell.items()} for clause, by_cell in neighbours.items()}


def gap(clause: str, rulings: Rulings) -> int:
    """The least difference that an order of this clause asks for: 1 where it is strict, 0 where equal numbers will
    do.
    """
    if clause == "TOW01":
        return 1 if rulings.row_order == "strict" else 0
    return 1 if rulings.between == "strict" else 0


def finish_number(board: Board, rulings: Rulings) -> int | None:
    """The Finish card's number under [finish_value], None where it has none. To the orders it shows what `shown_on`
    says.
    """
    return None if rulings.finish_value == "none" else board.anchor


def shown_on(board: Board, cell: Cell, rulings: Rulings) -> int | None:
    """The number that the Finish card shows to the orders on a cell, None where they are waived."""
    if rulings.finish_value == "25":
        return board.anchor
    return board.anchor if rulings.finish_value == "apex_free" and cell.level < board.levels else None


def up_numbers(board: Board, tower: Tower, rulings: Rulings) -> Mapping[Cell, int]:
    """The numbers that the up cards of a tower show to the orders; a card without one is left out."""
    if tower.finish is None:
        return tower.numbers
    finish = shown_on(board, tower.finish, rulings)
    return tower.numbers if finish is None else {**tower.numbers, tower.finish: finish}


def number(laid: Laid, finish: int | None) -> int | None:
    """The number an up card shows to the orders; None for a down card, an unseen one, or a Finish card without a
    number.
    """
    card = laid.card
    if type(laid) is Down:
        return None
    if isinstance(card, int):
        return card
    return finish if isinstance(card, FinishCard) else None
