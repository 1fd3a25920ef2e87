"""The orders of a tower as named integer constraints: what the Z3 model asserts and the SMT-LIB script prints."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import Down
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.orders import Order, gap, number, orders, shown_on


class Constraint(NamedTuple):
    """``low + difference <= high``: an order of the tower, or (`order` None) a bound of the deck on a down card.

    Each side is the number that an up card shows, or the cell of a down card, whose number is free. `name` tells the
    clause and the cells, as ``TOW02 d1 d2``; no two constraints of a tower share it.
    """

    name: str
    low: int | Cell
    difference: int
    high: int | Cell
    order: Order | None

    @property
    def free(self) -> bool:
        """Whether a down card has part in it."""
        return isinstance(self.low, Cell) or isinstance(self.high, Cell)


def constraints(board: Board, tower: Tower, rulings: Rulings) -> tuple[Constraint, ...]:
    """Every order of the tower that has two numbers to compare, in the order of `orders`, then the deck's bounds.

    An up card without a number (unseen, or the Finish card where [finish_value] waives its orders) has no orders; under
    `facedown=ignored` a down card has none either. Cost: linear in the orders of the board.
    """
    sides: dict[Cell, int | Cell] = {}
    for cell, laid in tower.cells.items():
        value = number(laid, shown_on(board, cell, rulings))
        if value is not None:
            sides[cell] = value
        elif type(laid) is Down and rulings.facedown != "ignored":
            sides[cell] = cell
    found = [
        Constraint(
            f"{order.clause} {order.lower} {order.upper}",
            sides[order.lower],
            gap(order.clause, rulings),
            sides[order.upper],
            order,
        )
        for order in orders(board).every
        if order.lower in sides and order.upper in sides
    ]
    if rulings.facedown == "deck":
        for cell in sorted(tower.down):
            found.append(Constraint(f"TOW07 floor {cell}", 1, 0, cell, None))
            found.append(Constraint(f"TOW07 ceiling {cell}", cell, 0, board.cards, None))
    return tuple(found)
