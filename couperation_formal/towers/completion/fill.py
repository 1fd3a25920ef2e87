"""The poset of a full tower, a position as numbers on it, and its windows and filling by earliest deadline first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.rules.arrangement import shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Card, Cell, Down, UnseenCard, Variant

# The poset of a full tower, as index tables.
#
# In a full tower the orders of TOW02 generate all others: a cell lies below the cell on top of it that it supports from
# the left, and above the one that it supports from the right. So each cell has at most two cells next below it in the
# order and two next above. Cells are numbered along a linear extension (2·column + level), columns counted from the
# left end of level 1.


class Shape(NamedTuple):
    """The cells of a pyramid in a linear extension, and the cells next below and next above each.

    `places[i]` is the (column, level) of cell i, columns from 0, and `number` the way back. `below[i]` and `above[i]`
    are pairs of indices; `size`, one past the last cell, stands for no cell. `apex` is the apex's index.
    """

    levels: int
    size: int
    places: tuple[tuple[int, int], ...]
    number: dict[tuple[int, int], int]
    below: tuple[tuple[int, int], ...]
    above: tuple[tuple[int, int], ...]
    apex: int


@lru_cache(maxsize=64)
def shape(levels: int) -> Shape:
    """The shape of a pyramid of so many levels. Built once; cost linear in the cells."""
    places = sorted(
        ((column, level) for level in range(1, levels + 1) for column in range(levels - level + 1)),
        key=lambda place: (2 * place[0] + place[1], place[1]),
    )
    number = {place: i for i, place in enumerate(places)}
    size = len(places)

    def at(column: int, level: int) -> int:
        return number.get((column, level), size)

    return Shape(
        levels,
        size,
        tuple(places),
        number,
        tuple((at(column, level - 1), at(column - 1, level + 1)) for column, level in places),
        tuple((at(column, level + 1), at(column + 1, level - 1)) for column, level in places),
        number[0, levels],
    )


def before(shape: Shape, lower: int, upper: int) -> bool:
    """Whether the orders force cell `lower` below cell `upper`: column and column + level not greater, and not the same
    cell.
    """
    (x, r), (y, s) = shape.places[lower], shape.places[upper]
    return lower != upper and x <= y and x + r <= y + s


# The tower question as numbers: one problem for each place that the columns of level 1 can still have.


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One place of the columns: which cells are fixed, and which values there are for the others.

    `left` is the leftmost column. `fixed[i]` is the value up on cell i of `shape`, 0 where the cell is free. `finish`
    tells whether the apex is the Finish card's: it is then neither fixed nor free, and its order is given by `ends`,
    the bounds that it sets: values before it stay under ends[0], those after it above ends[1]; None when it sets none.
    `values` are the available values, rising; `located` those of which the position shows where the card is; `hidden`
    counts the unseen gone cards. `kept` are the fixed cells that may not be given up. `stray` is a cell with the Finish
    card on it that is not the apex.
    """

    board: Board
    shape: Shape
    left: int
    fixed: tuple[int, ...]
    finish: bool
    ends: tuple[int, int] | None
    values: tuple[int, ...]
    located: frozenset[int]
    hidden: int
    kept: frozenset[int]
    stray: int | None
    finish_gone: bool

    @property
    def free(self) -> tuple[int, ...]:
        """The cells to fill, along the linear extension."""
        apex = self.shape.apex if self.finish else -1
        return tuple([i for i, value in enumerate(self.fixed) if not value and i != apex and i != self.stray])

    def cell(self, index: int) -> Cell:
        """The cell of the board that has this number."""
        column, level = self.shape.places[index]
        return Cell(column + self.left, level)


def edges(board: Board, variant: Variant, rulings: Rulings) -> tuple[int, int] | None:
    """The bounds that the Finish card's apex sets, if any: the cells below it stay under the first, those above it over
    the second.
    """
    number = shown_on(board, Cell(0, board.levels), rulings)
    if variant == "first" or number is None:
        return None
    return (number, number) if rulings.between == "strict" else (number + 1, number - 1)


def problems(position: Position, board: Board = STANDARD) -> tuple[Problem, ...]:
    """The problems of a position, one for each place of the columns that the tower still allows, from left to right.

    Only `middle`, under `anchor=middle`. Cost: linear in the cards, for each place.
    """
    rulings = position.rules.rulings
    tower = dict(position.tower)
    lefts = range(board.levels)
    if rulings.anchor == "middle":
        lefts = range(board.middle, board.middle + 1)
    up = {cell: laid.card for cell, laid in tower.items() if not isinstance(laid, Down)}
    shown_gone = frozenset(card for card in position.gone if not isinstance(card, UnseenCard))
    taken = {card for card in up.values() if not isinstance(card, UnseenCard)} | shown_gone
    values = tuple(value for value in range(1, board.cards + 1) if value not in taken)
    places = []
    for left in lefts:
        grid = shape(board.levels)
        if any((cell.column - left, cell.level) not in grid.number for cell in tower):
            continue
        fixed = [0] * grid.size
        stray = None
        for cell, card in up.items():
            at = grid.number[cell.column - left, cell.level]
            if isinstance(card, int):
                fixed[at] = card
            elif card is FINISH and at != grid.apex:
                stray = at
        places.append(
            Problem(
                board=board,
                shape=grid,
                left=left,
                fixed=tuple(fixed),
                finish=position.variant == "finish",
                ends=edges(board, position.variant, rulings),
                values=values,
                located=frozenset(values) & _located(position),
                hidden=sum(card is UNSEEN for card in position.gone),
                kept=_kept(position, board, grid, left, fixed),
                stray=stray,
                finish_gone=_finish_gone(position, board),
            )
        )
    return tuple(places)


def _finish_gone(position: Position, board: Board) -> bool:
    """Whether the Finish card is seen gone, or nowhere, with no unseen card that it may be: of the Reserve, up in the
    tower, or of the deck, which holds what is placed nowhere else. A drawn one lies in front, so no hand hides it.
    """
    if position.variant == "first" or FINISH in position.gone:
        return FINISH in position.gone
    piles = [*position.hands.values(), position.reserve or (), position.deck or ()]
    shown = [card for pile in piles for card in pile] + [laid.card for _, laid in position.tower]
    unlisted = board.cards + 1 - len(shown) - len(position.gone)
    hides = [*(position.reserve or ()), *(position.deck or ())]
    hides += [laid.card for _, laid in position.tower if not isinstance(laid, Down)]
    return position.front is None and FINISH not in shown and UNSEEN not in hides and not unlisted


def _located(position: Position) -> frozenset[Card]:
    """The cards that the position shows in a hand, the Reserve, the deck, or down in the tower."""
    shown = [card for hand in position.hands.values() for card in hand]
    shown += [*(position.reserve or ()), *(position.deck or ())]
    shown += [laid.card for _, laid in position.tower if isinstance(laid, Down)]
    return frozenset(card for card in shown if not isinstance(card, UnseenCard))


def _kept(position: Position, board: Board, grid: Shape, left: int, fixed: list[int]) -> frozenset[int]:
    """The fixed cells that no D may replace [replace_target]; an up 25 on its cell counts as the one of the set-up."""
    target = position.rules.rulings.replace_target
    if target == "facedown_only":
        return frozenset(range(grid.size))
    anchor = board.anchor_cell
    at = grid.number.get((anchor.column - left, anchor.level))
    if target == "not_anchor" and at is not None and fixed[at] == board.anchor:
        return frozenset({at})
    return frozenset()


# Windows and earliest deadline first: the exact answer for one place of the columns.
#
# A free cell has a window: more than the largest fixed value forced below it, less than the smallest one forced above
# it. Windows are monotone along the order, so distinct values inside the windows can be put in order by swaps, and
# deciding whether there are any is scheduling unit jobs with release times and deadlines on a given set of moments:
# earliest deadline first (Jackson 1955; Horn 1974; for convex bipartite graphs Glover 1967). With ties broken along the
# order no swap is needed. The proof is in the specification, `completability.md`.


class CellBounds(NamedTuple):
    """For each cell the largest fixed value at or below it, and the smallest one at or above it.

    A free cell's window lies strictly between `low` and `high`. `clash` tells whether two fixed values disagree.
    """

    low: list[int]
    high: list[int]
    clash: bool


def bounds(problem: Problem, fixed: Sequence[int]) -> CellBounds:
    """The windows that these fixed values leave; 0 and one more than the greatest card where nothing bounds. Cost:
    linear.
    """
    grid = problem.shape
    size, above, top = grid.size, grid.above, problem.board.cards + 1
    low = [0] * (size + 1)
    high = [top] * (size + 1)
    clash = False
    under, over = problem.ends or (top, 0)
    apex = grid.apex if problem.finish else -1
    # Cells come along a linear extension, so those next below were seen; no cell reads the last entry, which stays.
    for i, (first, second) in enumerate(grid.below):
        most, other = low[first], low[second]
        if other > most:
            most = other
        value = fixed[i]
        if value:
            # A fixed value is over all that are forced below it.
            if value <= most:
                clash = True
            else:
                most = value
        elif i == apex:
            # The Finish card on the apex: what is below stays under the one bound, what is above over the other.
            clash = clash or most >= under
            most = max(most, over)
        low[i] = most
    for i in range(size - 1, -1, -1):
        first, second = above[i]
        # The same from above.
        least, other = high[first], high[second]
        if other < least:
            least = other
        value = fixed[i]
        if value:
            if value >= least:
                clash = True
            else:
                least = value
        elif i == apex:
            clash = clash or least <= over
            least = min(least, under)
        high[i] = least
    return CellBounds(low, high, clash)


def assign(windows: CellBounds, free: Sequence[int], values: Sequence[int], shift: int) -> dict[int, int] | None:
    """Distinct `values` (rising) for the `free` cells inside their windows and in order, or None when there are none.

    `shift` is a number of bits that holds every cell's number. Cost: n log n in the cells.
    """
    low, high, _ = windows
    mask = (1 << shift) - 1
    jobs = sorted([(low[i], high[i] << shift | i) for i in free])
    count, released = len(jobs), 0
    waiting: list[int] = []
    filling: dict[int, int] = {}
    for value in values:
        # The cells whose windows have begun wait.
        while released < count and jobs[released][0] < value:
            heappush(waiting, jobs[released][1])
            released += 1
        # The one whose window ends first takes the value, the first along the extension where two end together.
        if waiting:
            job = heappop(waiting)
            # Its window has ended: no value is left for it.
            if job >> shift <= value:
                return None
            filling[job & mask] = value
        elif released == count:
            break
    return filling if len(filling) == count else None


def most_placed(windows: CellBounds, free: Sequence[int], values: Sequence[int], shift: int) -> int:
    """How many of the `free` cells these values (rising) alone can fill. Cost: n log n."""
    low, high = windows.low, windows.high
    jobs = sorted((low[i], high[i] << shift | i) for i in free)
    count, released, placed = len(jobs), 0, 0
    waiting: list[int] = []
    for value in values:
        while released < count and jobs[released][0] < value:
            heappush(waiting, jobs[released][1])
            released += 1
        # Cells whose window has ended stay empty; the next one takes the value.
        while waiting:
            if heappop(waiting) >> shift > value:
                placed += 1
                break
    return placed


def fill(problem: Problem) -> dict[int, int] | None:
    """A filling of the free cells, by cell number, or None when there is none.

    Where gone cards are unseen, enough values that are not located stay unused for them. Cost: n log n in the cells;
    with unseen gone cards the number of values times that.
    """
    if problem.finish_gone or problem.stray is not None:
        return None
    windows = bounds(problem, problem.fixed)
    return None if windows.clash else fill_within(problem, windows, problem.free, problem.values, problem.located)


def fill_within(
    problem: Problem, windows: CellBounds, free: Sequence[int], values: Sequence[int], located: frozenset[int]
) -> dict[int, int] | None:
    """The filling of `fill` for windows that are known."""
    shift = problem.shape.size.bit_length()
    filling = assign(windows, free, values, shift)
    if filling is None or not problem.hidden:
        return filling
    # So many values that are not located may be used: the unseen gone cards need the others.
    spare = len(values) - len(located) - problem.hidden
    if sum(value not in located for value in filling.values()) <= spare:
        return filling
    # Fewest of them: the sets of values that can be placed are a matroid, so take located ones first, greedily.
    chosen: list[int] = []
    for value in [*(v for v in values if v in located), *(v for v in values if v not in located)]:
        tried = sorted([*chosen, value])
        if most_placed(windows, free, tried, shift) == len(tried):
            chosen = tried
            if len(chosen) == len(free):
                break
    if sum(value not in located for value in chosen) > spare:
        return None
    return assign(windows, free, chosen, shift)
