"""What the tests of arrangement agree share with others."""

from __future__ import annotations

from itertools import product

from couperation_formal.game.rules.arrangement import gap, number, orders, shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board, Tower


def some_numbers_fit(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """TOW07 as it is worded, by trying."""
    known = {
        cell: value
        for cell, laid in tower.cells.items()
        if (value := number(laid, shown_on(board, cell, rulings))) is not None
    }
    asked = [order for order in orders(board).every if tower.down.intersection(order[:2])]
    if rulings.facedown == "ignored":
        return True
    beyond = 4 if rulings.facedown == "integers" else 0
    loose = rulings.facedown == "repeats"
    for choice in product(range(1 - beyond, board.cards + beyond + 1), repeat=len(tower.down)):
        numbers = known | dict(zip(tower.down, choice, strict=True))
        if all(
            numbers[order.lower] + (0 if loose else gap(order.clause, rulings)) <= numbers[order.upper]
            for order in asked
            if order.lower in numbers and order.upper in numbers
        ):
            return True
    return False
