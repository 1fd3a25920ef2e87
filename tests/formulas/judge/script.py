"""The orders of a tower as an SMT-LIB script, for other solvers: TOW01, TOW02, TOW07."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.game.rules.arrangement import number, shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board, Cell, Tower
from couperation_formal.hidden.smt.tower import constraints


def smt_lib(board: Board, tower: Tower, rulings: Rulings) -> str:
    """The orders of `tower` as a script that any solver with linear integer arithmetic runs.

    The solver answers ``sat`` exactly when the orders between up cards hold (TOW01, TOW02) and some numbers for the
    down cards keep the others (TOW07). Each assertion is named by its clause and its cells, so that after an ``unsat``
    ``(get-unsat-core)`` names what fails. Cost: linear in the orders of the board.
    """
    return "\n".join(_lines(board, tower, rulings)) + "\n"


def _lines(board: Board, tower: Tower, rulings: Rulings) -> Iterator[str]:
    hangs = ("row_order", "between", "facedown", "finish_value")
    yield "; TOW01, TOW02, TOW07 under " + " ".join(f"{name}={rulings.option(name)}" for name in hangs)
    yield "(set-option :produce-unsat-cores true)"
    yield "(set-logic QF_LIA)"
    for cell, laid in sorted(tower.cells.items()):
        value = number(laid, shown_on(board, cell, rulings))
        if cell in tower.down:
            yield f"(declare-const {cell} Int) ; down"
        elif value is not None:
            yield f"(define-fun {cell} () Int {value})"
    for constraint in constraints(board, tower, rulings):
        low, high = constraint.low, constraint.high
        if constraint.order is not None:
            low, high = constraint.order.lower, constraint.order.upper
        yield f"(assert (! (<= {_sum(low, constraint.difference)} {high}) :named |{constraint.name}|))"
    yield "(check-sat)"


def _sum(low: int | Cell, difference: int) -> str:
    return f"(+ {low} {difference})" if difference else str(low)
