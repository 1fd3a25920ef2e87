"""Reasons recomputed from nothing but the position, and the smallest interval by looking at all of them."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.game.record import Position
from couperation_formal.game.tower import FINISH, Board, Cell
from couperation_formal.towers.completion.fill import FinishReason, Interval, OrderClash, Problem, Starved
from tests.towers.completion.brute import World, extension, ordered, up_cards


class Reasons:
    """The windows of a world and what of them is violated. `finish` is the apex where it is the Finish card's and has a
    number.
    """

    def __init__(self, there: World, position: Position, board: Board, left: int) -> None:
        self.there = there
        self.pairs = ordered(there)
        self.top = board.cards + 1
        apex = Cell(left, board.levels)
        numbered = position.variant == "finish" and apex in there.numbers
        lax = numbered and position.rules.rulings.between == "inclusive"
        self.under = {cell: value + (lax and cell == apex) for cell, value in there.numbers.items()}
        self.over = {cell: value - (lax and cell == apex) for cell, value in there.numbers.items()}
        self.windows = {
            cell: (
                max((self.over[low] for low in there.numbers if (low, cell) in self.pairs), default=0),
                min((self.under[high] for high in there.numbers if (cell, high) in self.pairs), default=self.top),
            )
            for cell in there.free
        }

    def disagree(self) -> set[tuple[Cell, Cell]]:
        """Every two fixed cells that are out of order."""
        return {
            (low, high)
            for low, high in self.pairs
            if low in self.over and high in self.under and self.over[low] >= self.under[high]
        }

    def inside(self, above: int, below: int) -> set[Cell]:
        return {cell for cell, (low, high) in self.windows.items() if low >= above and high <= below}

    def violated(self) -> Iterator[tuple[int, int, int, int]]:
        """Every interval with more cells than values: cells, width, ends."""
        for above in range(self.top):
            for below in range(above + 1, self.top + 1):
                cells = len(self.inside(above, below))
                if cells > sum(above < value < below for value in self.there.values):
                    yield cells, below - above, above, below

    def check_interval(self, problem: Problem, found: Interval, values: list[int]) -> None:
        """An interval in the form that both kinds of reason share."""
        cells = [problem.cell(i) for i in found.cells]
        assert len(set(cells)) == len(cells)
        assert set(cells) == self.inside(found.above, found.below)
        assert list(found.left) == [value for value in values if found.above < value < found.below]
        assert len(found.left) < len(cells)

    def check(self, problem: Problem, reason: Interval | OrderClash | Starved) -> None:
        """That a reason holds and is the one to be named: a clash first, then the smallest interval, then gone
        cards.
        """
        if isinstance(reason, OrderClash):
            first = min(self.disagree(), key=lambda pair: (extension(pair[0]), extension(pair[1])))
            assert (problem.cell(reason.lower), problem.cell(reason.upper)) == first
            return
        assert not self.disagree()
        if isinstance(reason, Interval):
            self.check_interval(problem, reason, list(self.there.values))
            smallest = min(self.violated())
            assert (len(reason.cells), reason.below - reason.above, reason.above, reason.below) == smallest
            return
        assert not any(self.violated())
        self._check_starved(problem, reason)

    def _check_starved(self, problem: Problem, reason: Starved) -> None:
        shown = [value for value in self.there.values if value in self.there.located]
        lack, end = 0, 0
        for found in reason.intervals:
            self.check_interval(problem, found, shown)
            assert found.above >= end
            end = found.below
            lack += len(found.cells) - len(found.left)
        assert reason.missing == lack - self.there.spare
        assert reason.missing > 0


def check_finish(problem: Problem, reason: FinishReason, position: Position) -> None:
    """That the Finish card is where the reason says."""
    if reason.why == "gone":
        assert reason.cell is None
        assert FINISH in position.gone
    else:
        assert reason.cell is not None
        cell = problem.cell(reason.cell)
        assert cell.level < problem.board.levels or cell.column != problem.left
        assert up_cards(position)[cell] is FINISH
