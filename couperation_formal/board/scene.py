"""The tower as the board's page draws it: what stands on each cell, and which part of the plane is shown."""

from __future__ import annotations

from typing import Any

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Cell
from couperation_formal.report.svg import axes, frame_of, slot
from couperation_formal.report.svg_picture import Glass, home_column, tower_picture


def scene(state: State, rulings: Rulings) -> dict[str, Any]:
    """The tower of a table: each glass by its cell, the pyramid's empty places among them, and the frame with its axes.

    Cost: linear in the cells.
    """
    picture = tower_picture(state.tower, rulings, state.marks, laid=state.touched)
    home = state.board.pyramid(home_column(state.tower, rulings, state.board))
    glasses = {each.cell: each for each in picture.glasses}
    for cell in home:
        glasses.setdefault(cell, Glass(cell, "place"))
    return {
        "frame": str(frame_of(glasses)),
        "axes": axes(glasses),
        "glasses": {
            str(cell): {"kind": each.kind, "text": each.text, "mark": each.mark, "flag": each.flag}
            for cell, each in sorted(glasses.items())
        },
        "title": picture.title,
    }


def empty_slots() -> str:
    """A place for each cell of the board, as SVG with nothing in it yet."""
    levels, columns = range(1, STANDARD.levels + 1), range(STANDARD.columns)
    cells = (Cell(column, level) for level in levels for column in columns if column + level <= STANDARD.columns)
    return "".join(slot(Glass(cell, "place")).split("<use")[0] + "</g>" for cell in cells)
