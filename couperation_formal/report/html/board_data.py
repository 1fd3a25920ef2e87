"""The order rules as data for the page: it evaluates difference constraints and counts intervals, and knows no rule
itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from couperation_formal.completion.problem import Problem, problems
from couperation_formal.completion.shape import shape
from couperation_formal.model.board import STANDARD, Board, Cell, column_name
from couperation_formal.model.cards import FINISH, Value
from couperation_formal.model.record import LayUp, Position, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.report.clauses import title_of
from couperation_formal.rules.orders import CLAUSES, finish_number, gap, orders
from couperation_formal.rules.step import carry_out
from couperation_formal.rules.towers import tow03, tow04, tow05, tow08

Json = dict[str, Any]

_PLACING = {"TOW03": tow03, "TOW04": tow04, "TOW05": tow05, "TOW08": tow08}


@lru_cache(maxsize=8)
def board_data(board: Board = STANDARD) -> Json:
    """What all games share.

    `cells` by name; `orders` as [lower, upper, clause], numbers into `cells` and `clauses`; `titles` of the clauses
    that refuse a place; `pyramids` by the letter of their leftmost column: their cells along a linear extension, and
    the apex.
    """
    index = orders(board)
    cells = sorted(index.cells, key=lambda cell: (cell.level, cell.column))
    number = {cell: i for i, cell in enumerate(cells)}
    grid = shape(board.levels)
    return {
        "cells": [str(cell) for cell in cells],
        "clauses": list(CLAUSES),
        "orders": [[number[each.lower], number[each.upper], CLAUSES.index(each.clause)] for each in index.every],
        "titles": {code: title_of(code) for code in (*_PLACING, "TOW01", "TOW02", "TOW07")},
        "pyramids": {
            column_name(left): {
                "cells": [number[Cell(column + left, level)] for column, level in grid.places],
                "apex": number[Cell(left, board.levels)],
            }
            for left in range(board.levels)
        },
        "top": board.cards,
    }


def rulings_data(rulings: Rulings, board: Board = STANDARD) -> Json:
    """How the rulings read the orders.

    `gaps` is the least difference that an order of each clause asks for. `down` tells what a down card may stand for:
    null where its orders are waived, else its least and greatest number, null where nothing bounds it. `finish` is the
    Finish card's number, null where it has none.
    """
    bounds = {"ignored": None, "integers": [None, None], "deck": [1, board.cards]}[rulings.facedown]
    return {
        "gaps": [gap(clause, rulings) for clause in CLAUSES],
        "down": bounds,
        "finish": finish_number(board, rulings),
    }


def question_data(position: Position) -> Json:
    """The completion question of a position as numbers: see `completion.problem.Problem`. `places` are the letters of
    the leftmost columns that the tower allows.
    """
    found = problems(position)
    if not found:
        return {"places": []}
    first: Problem = found[0]
    return {
        "places": [column_name(each.left) for each in found],
        "values": list(first.values),
        "located": sorted(first.located),
        "hidden": first.hidden,
        "ends": first.ends,
        "finish": first.finish,
        "finish_gone": first.finish_gone,
    }


def places_data(state: State, rulings: Rulings) -> Json:
    """Where the next card can be laid: `open` cells, and by clause those that it refuses, of all pyramids that the
    tower allows. `finish` is the same for the Finish card, where it differs. Cost: a step for each empty cell.
    """
    glass = _placing(state, rulings, LayUp(Value(1), Cell(0, 1)))
    if state.variant != "finish":
        return glass
    finish = _placing(state, rulings, LayUp(FINISH, Cell(0, 1)))
    return glass if finish == glass else {**glass, "finish": finish}


def _placing(state: State, rulings: Rulings, action: LayUp) -> Json:
    found: Json = {"open": []}
    tower, board = state.tower, state.board
    first, last = (board.middle, board.middle) if rulings.anchor == "middle" else (tower.first, tower.last)
    cells = {cell for left in range(first, last + 1) for cell in board.pyramid(left)}
    for cell in sorted(cells - set(tower.cells), key=lambda cell: (cell.level, cell.column)):
        turn = Turn(1, state.players[0], (), LayUp(action.card, cell))
        step = carry_out(state, turn, state.to_move)
        code = next((code for code, clause in _PLACING.items() if clause(step, rulings) is not None), "open")
        found.setdefault(code, []).append(str(cell))
    return found
