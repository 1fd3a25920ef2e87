"""How much room a tower has left: the least number of values to spare over its intervals.

An interval (a, b) between window ends must hold the free cells whose windows lie inside it with the available values
strictly between a and b. Its slack is what is left over. By the theorem of the specification (`completability.md`) the
tower is completable at a place of the columns exactly when its fixed cards agree and no slack is negative.
"""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.completion.fill import bounds, most_placed
from couperation_formal.completion.problem import Problem, problems
from couperation_formal.completion.reason import Interval, interval
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.record import Position


class Slack(NamedTuple):
    """The least slack of a place, and the interval that has it, of those the one with the fewest cells, the narrowest,
    the lowest; None where the cards out of sight are what is scarce.
    """

    least: int
    interval: Interval | None


def tower_slack(position: Position, board: Board = STANDARD) -> tuple[Problem, Slack] | None:
    """The place of the columns with the greatest slack, the leftmost of these, and its slack.

    None where no cell is left to fill, or where every place is out of the question for another reason than too few
    values (two up cards that disagree, the Finish card).
    """
    best: tuple[Problem, Slack] | None = None
    for problem in problems(position, board):
        found = slack(problem)
        if found is not None and (best is None or found.least > best[1].least):
            best = problem, found
    return best


def slack(problem: Problem) -> Slack | None:
    """The slack of one place; None as for `tower_slack`. With unseen gone cards it is at most the number of values out
    of sight that may still be lost. Cost: the number of lower window ends times that of the cells and values.
    """
    found = bounds(problem, problem.fixed)
    free = problem.free
    if found.clash or problem.stray is not None or problem.finish_gone or not free:
        return None
    best: tuple[int, int, int, int, int] | None = None
    for above in {found.low[i] for i in free}:
        inside = sorted(found.high[i] for i in free if found.low[i] >= above)
        for cells, below in enumerate(inside, 1):
            if cells < len(inside) and inside[cells] == below:
                continue
            left = sum(above < value < below for value in problem.values)
            key = (left - cells, cells, below - above, above, below)
            best = key if best is None or key < best else best
    if best is None:
        raise AssertionError("a free cell has a window")
    hidden = _hidden_slack(problem)
    if hidden is not None and hidden < best[0]:
        return Slack(hidden, None)
    return Slack(best[0], interval(found, free, problem.values, best[3], best[4]))


def _hidden_slack(problem: Problem) -> int | None:
    """How many more values out of sight could be gone; None where no gone card is unseen."""
    if not problem.hidden:
        return None
    shift = problem.shape.size.bit_length()
    shown = [value for value in problem.values if value in problem.located]
    placed = most_placed(bounds(problem, problem.fixed), problem.free, shown, shift)
    return len(problem.values) - len(shown) - problem.hidden - (len(problem.free) - placed)
