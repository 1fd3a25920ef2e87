"""One interval that shows why no final tower can be paid for, where it is that simple: laid cards have to stay."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.completion.fill import bounds
from couperation_formal.completion.problem import Problem
from couperation_formal.completion.reason import smallest_interval
from couperation_formal.completion.shape import shape
from couperation_formal.continuation.reasons.final_tower import edges, laid_again, places
from couperation_formal.model.board import Cell
from couperation_formal.model.cards import Down
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State


class Evidence(NamedTuple):
    """Cells that must all hold a number strictly between `above` and `below`, and the fewer numbers that can come."""

    above: int
    below: int
    cells: tuple[Cell, ...]
    cards: tuple[int, ...]


def evidence(state: State, rulings: Rulings, spare: int) -> Evidence | None:
    """The smallest violated interval of a tower with one place of the columns, or None.

    Without a card to spare no action D can be: every laid card stays and is opened where it lies, and no card leaves
    the Reserve. With some the up cards stay where [replace_target] forbids to replace them. Cost: that of a filling.
    """
    left = places(state, rulings)
    fixed_up = spare == 0 or rulings.replace_target == "facedown_only"
    if len(left) != 1 or not fixed_up or laid_again(state, rulings):
        return None
    grid = shape(state.board.levels)
    fixed = [0] * grid.size
    for (column, level), lying in state.tower.cells.items():
        if isinstance(lying.card, int) and (spare == 0 or type(lying) is not Down):
            fixed[grid.number[column - left[0], level]] = lying.card
    out = state.gone.known | set(fixed) | (state.reserve.known if spare == 0 else frozenset())
    values = tuple(value for value in range(1, state.board.cards + 1) if value not in out)
    under, over = edges(state, rulings)
    problem = Problem(
        board=state.board,
        shape=grid,
        left=left[0],
        fixed=tuple(fixed),
        finish=state.variant == "finish",
        ends=(under, over) if over else None,
        values=values,
        located=frozenset(),
        hidden=0,
        kept=frozenset(),
        stray=None,
        finish_gone=False,
    )
    found = bounds(problem, fixed)
    interval = None if found.clash else smallest_interval(found, problem.free, values)
    if interval is None:
        return None
    return Evidence(
        interval.above, interval.below, tuple(sorted(problem.cell(i) for i in interval.cells)), interval.left
    )
