"""A turn that breaks a rule: the card that it lays or opens, and the laid ones that it cannot stand with."""

from __future__ import annotations

from typing import assert_never

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Down, Laid, Up
from couperation_formal.model.record import Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.arrangement import broken_orders, failing_chain


def attempt(turn: Turn) -> tuple[Cell, Laid] | None:
    """The cell that a turn acts on, and how the card that it lays or opens there would lie."""
    action = turn.action
    match action:
        case LayUp() | Open():
            return action.cell, Up(action.card)
        case LayDown():
            return action.cell, Down(action.card)
        case Exchange():
            return action.cell, Up(action.taken) if action.face_up else Down(action.taken)
        case NoAction():
            return None
        case _:
            assert_never(action)


def conflict(state: State, cell: Cell, laid: Laid, rulings: Rulings) -> tuple[Cell, ...]:
    """The other cells of the orders that this card on `cell` breaks, sorted; of a chain through down cards where it
    breaks none by itself. None off the board, and none where the card lies there already. Cost: one check of a tower.
    """
    board = state.board
    if laid == state.tower.cells.get(cell) or cell.level > board.levels or cell.column + cell.level > board.columns:
        return ()
    tower = state.tower.lay(cell, laid)
    broken = broken_orders(board, tower, rulings, cell)
    chain = None if broken else failing_chain(board, tower, rulings)
    cells = {each for found in broken for each in found.order[:2]} | set(chain.cells if chain else ())
    return tuple(sorted(cells - {cell}))
