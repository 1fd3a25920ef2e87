"""Which towers the rules can reach by laying cards: their shapes, and the limits of the numbers on them.

Actions A and B only; nothing is opened or replaced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise, product

import msgspec

from couperation_formal.completion.span_search import Limits
from couperation_formal.completion.spans import ANCHOR, FIRST, Apex
from couperation_formal.model.board import STANDARD, Board, Cell
from couperation_formal.model.cards import Variant
from couperation_formal.model.rulings import Rules, Rulings
from couperation_formal.rules.arrangement import extension_key
from couperation_formal.rules.orders import gap, orders, shown_on

Cells = tuple[Cell, ...]
"""The cells of a tower besides the anchor's, level by level, from left to right."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: the deadlocks of a board under some rulings, with at most `gone` destroyed cards."""

    rules: Rules
    board: Board = STANDARD
    variant: Variant = "first"
    gone: int = 0

    @property
    def rulings(self) -> Rulings:
        """The rulings that are asked about."""
        return self.rules.rulings

    @property
    def finish(self) -> int:
        """The number that stands for the Finish card."""
        return self.board.cards + 1

    @property
    def apex(self) -> Apex:
        """What the apex is."""
        if self.variant == "first":
            return "glass"
        if shown_on(self.board, Cell(0, self.board.levels), self.rulings) is None:
            return "bare"
        return "strict" if self.rulings.between == "strict" else "inclusive"

    def places(self, cells: Sequence[Cell]) -> list[int]:
        """The leftmost columns of the pyramids that hold the cells [anchor]; TOW04."""
        board = self.board
        first = max((cell.column + cell.level for cell in cells), default=0) - board.levels
        last = min((cell.column for cell in cells), default=board.levels)
        if self.rulings.anchor == "middle":
            return [board.middle] if first <= board.middle <= last else []
        return list(range(max(first, 0), min(last, board.levels - 1) + 1))


def laying_key(cell: Cell) -> tuple[int, int]:
    """The order in which the cells of a tower are named: level by level, from left to right."""
    return cell.level, cell.column


def shapes(question: Question, cards: int) -> list[Cells]:
    """The sets of `cards` cells besides the anchor's that can hold a tower (TOW03 to TOW05), sorted."""
    board = question.board
    found = []
    for row in _rows(question, cards):
        base = [cell for cell in row if cell != board.anchor_cell]
        for upper in _stacks(row, cards - len(base)):
            cells = (*base, *upper)
            if question.places((*row, *upper)):
                found.append(cells)
    return sorted(found, key=lambda cells: [laying_key(cell) for cell in cells])


def _rows(question: Question, cards: int) -> Iterator[Cells]:
    """Level 1 with at most `cards` cells besides the anchor's."""
    board, anchor = question.board, question.board.anchor_cell.column
    if question.rulings.spread == "adjacent":
        for first in range(max(0, anchor - cards), anchor + 1):
            for last in range(anchor, min(board.columns - 1, first + cards) + 1):
                yield tuple(Cell(column, 1) for column in range(first, last + 1))
        return
    others = [column for column in range(board.columns) if column != anchor]
    for size in range(min(cards, board.levels - 1) + 1):
        for chosen in combinations(others, size):
            if max((*chosen, anchor)) - min((*chosen, anchor)) < board.levels:
                yield tuple(Cell(column, 1) for column in sorted((*chosen, anchor)))


def _stacks(row: Cells, cards: int) -> Iterator[Cells]:
    """The sets of `cards` cells above a level's cells that have their supports."""
    if not cards:
        yield ()
        return
    level = row[0].level + 1 if row else 0
    able = [Cell(left.column, level) for left, right in pairwise(row) if right.column == left.column + 1]
    for size in range(1, min(cards, len(able)) + 1):
        for chosen in combinations(able, size):
            for rest in _stacks(chosen, cards - size):
                yield (*chosen, *rest)


def removable(question: Question, cells: Cells) -> Cells:
    """The cells of a shape that can be left out so that the rest is one: the last ones that a laying order may have."""
    board, there = question.board, {*cells, question.board.anchor_cell}
    held = {support for cell in there if cell.level > 1 for support in cell.supports}
    free = [cell for cell in cells if cell not in held]
    if question.rulings.spread == "adjacent":
        row = [cell.column for cell in there if cell.level == 1]
        free = [cell for cell in free if cell.level > 1 or cell.column in (min(row), max(row))]
    return tuple(cell for cell in free if cell != board.anchor_cell)


def limits_of(question: Question, cells: Cells, ups: Cells, gone: int) -> Limits | None:
    """What TOW01, TOW02 and TOW07 let the up cards be while the others are down; None when no numbers will do.

    By longest paths through the down cards, in a linear extension of the orders.
    """
    board, rulings = question.board, question.rulings
    elements = {board.anchor_cell: ANCHOR} | {cell: FIRST + at for at, cell in enumerate(ups)}
    steps = _steps(board, rulings, cells)
    count = FIRST + len(ups) + gone
    limits = Limits([1] * count, [board.cards] * count, [[None] * count for _ in range(count)])
    for source, element in elements.items():
        for cell, far in _paths(question, steps, elements, {source: 0}).items():
            if cell in elements and cell != source:
                limits.gaps[element][elements[cell]] = far
            elif cell not in elements and rulings.facedown == "deck":
                limits.most[element] = min(limits.most[element], board.cards - far)
    if rulings.facedown == "deck":
        downs = {cell: 1 for cell in steps if cell not in elements}
        for cell, far in _paths(question, steps, elements, downs).items():
            if cell in elements:
                limits.least[elements[cell]] = far
            elif far > board.cards:
                return None
    _close(limits.gaps, list(elements.values()))
    anchored = limits.least[ANCHOR] <= board.anchor <= limits.most[ANCHOR]
    return limits if anchored else None


def _close(gaps: list[list[int | None]], elements: list[int]) -> None:
    """Add what follows: a gap over a third element."""
    for by, low, high in product(elements, repeat=3):
        first, second, known = gaps[low][by], gaps[by][high], gaps[low][high]
        if first is not None and second is not None and (known is None or known < first + second):
            gaps[low][high] = first + second


Steps = dict[Cell, list[tuple[Cell, int]]]


@lru_cache(maxsize=4)
def _steps(board: Board, rulings: Rulings, cells: Cells) -> Steps:
    """For each cell of a shape, in a linear extension, the cells whose numbers stay above its own, and by how much."""
    there = sorted({*cells, board.anchor_cell}, key=extension_key)
    steps: Steps = {cell: [] for cell in there}
    for lower, upper, clause in orders(board).every:
        if lower in steps and upper in steps:
            steps[lower].append((upper, gap(clause, rulings)))
    return steps


def _paths(question: Question, steps: Steps, elements: dict[Cell, int], start: dict[Cell, int]) -> dict[Cell, int]:
    """The longest paths along the orders from the cells of `start`, with their lengths so far, through down cards."""
    waived = question.rulings.facedown == "ignored"
    far = dict(start)
    for cell, above in steps.items():
        if cell not in far or (cell in elements and cell not in start):
            continue
        for upper, least in above:
            if not waived or (cell in elements and upper in elements):
                far[upper] = max(far.get(upper, 0), far[cell] + least)
    return far
