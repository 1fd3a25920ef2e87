"""The poset of a full tower, a position as numbers on it, its windows and its filling by earliest deadline first; why
there is none, and the fewest up cards that must be given up.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import accumulate, chain, combinations, count
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.rules.arrangement import shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import FINISH, STANDARD, UNSEEN, Board, Cell, Down, Shown, Variant

# Sets of cells, of numbers and of cards are numbers with a bit for each member.


@lru_cache(maxsize=1 << 16)
def bits(mask: int) -> tuple[int, ...]:
    """The numbers whose bits are set, rising."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return tuple(numbers)


# The poset of a full tower, as index tables.
#
# In a full tower the orders of TOW02 generate all others: a cell lies below the cell on top of it that it supports from
# the left, and above the one that it supports from the right. So each cell has at most two cells next below it in the
# order and two next above. Cells are numbered along a linear extension (2·column + level), columns counted from the
# left end of level 1.


class Shape(NamedTuple):
    """The cells of a pyramid in a linear extension, and the cells next below and next above each.

    `places[i]` is the (column, level) of cell i, columns from 0, and `number` the way back. `below[i]` and `above[i]`
    are pairs of indices; `size`, one past the last cell, stands for no cell. `apex` is the apex's index. `down_sets[i]`
    and `up_sets[i]` are all cells at or below cell i in the order, and at or above it, as bits.
    """

    levels: int
    size: int
    places: tuple[tuple[int, int], ...]
    number: dict[tuple[int, int], int]
    below: tuple[tuple[int, int], ...]
    above: tuple[tuple[int, int], ...]
    apex: int
    down_sets: tuple[int, ...]
    up_sets: tuple[int, ...]


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
        tuple(sum(1 << i for i, (x, r) in enumerate(places) if x <= y and x + r <= y + s) for y, s in places),
        tuple(sum(1 << i for i, (x, r) in enumerate(places) if x >= y and x + r >= y + s) for y, s in places),
    )


def before(shape: Shape, lower: int, upper: int) -> bool:
    """Whether the orders force cell `lower` below cell `upper`: column and column + level not greater, and not the same
    cell.
    """
    return lower != upper and bool(shape.down_sets[upper] >> lower & 1)


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
    located: frozenset[int] = frozenset()
    hidden: int = 0
    kept: frozenset[int] = frozenset()
    stray: int | None = None
    finish_gone: bool = False

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


def barred(grid: Shape, value: int, ends: tuple[int, int] | None) -> int:
    """The cells, as bits, off which the Finish card on the apex keeps a value by the bounds that it sets, if any."""
    under, over = ends or (value + 1, value - 1)
    return (grid.down_sets[grid.apex] if value >= under else 0) | (grid.up_sets[grid.apex] if value <= over else 0)


def places(board: Board, rulings: Rulings, cells: Iterable[Cell]) -> range:
    """The leftmost columns of the pyramids that hold all these cells (TOW04); only `middle`, under `anchor=middle`."""
    bounds = [(column + level - board.levels, column) for column, level in cells]
    first, last = max([0, *(low for low, _ in bounds)]), min([board.levels - 1, *(high for _, high in bounds)])
    if rulings.anchor == "middle":
        return range(board.middle, board.middle + (first <= board.middle <= last))
    return range(first, last + 1)


def problems(position: Position, board: Board = STANDARD) -> tuple[Problem, ...]:
    """The problems of a position, one for each place of the columns that the tower still allows, from left to right.

    Cost: linear in the cards, for each place.
    """
    rulings, grid = position.rules.rulings, shape(board.levels)
    up = {cell: laid.card for cell, laid in position.tower if not isinstance(laid, Down)}
    taken = {card for card in (*up.values(), *position.gone) if isinstance(card, int)}
    values = tuple(value for value in range(1, board.cards + 1) if value not in taken)
    # What the position shows in hands, the Reserve, the deck and the tower.
    piles = chain(*position.hands.values(), position.reserve or (), position.deck or ())
    shown = [*piles, *(laid.card for _, laid in position.tower)]
    ends = edges(board, position.variant, rulings)
    listed = []
    for left in places(board, rulings, [cell for cell, _ in position.tower]):
        lying = {grid.number[cell.column - left, cell.level]: card for cell, card in up.items()}
        fixed = [0] * grid.size
        for i, card in lying.items():
            fixed[i] = card if isinstance(card, int) else 0
        listed.append(
            Problem(
                board=board,
                shape=grid,
                left=left,
                fixed=tuple(fixed),
                finish=position.variant == "finish",
                ends=ends,
                values=values,
                located=frozenset(values).intersection(shown),
                hidden=sum(card is UNSEEN for card in position.gone),
                kept=_kept(rulings, board, grid, left, fixed),
                stray=next((i for i, card in lying.items() if card is FINISH and i != grid.apex), None),
                finish_gone=_finish_gone(position, shown, board),
            )
        )
    return tuple(listed)


def _finish_gone(position: Position, shown: Sequence[Shown], board: Board) -> bool:
    """Whether the Finish card is seen gone, or nowhere, with no unseen card that it may be: of the Reserve, up in the
    tower, or of the deck, which holds what is placed nowhere else. A drawn one lies in front, so no hand hides it.
    """
    if position.variant == "first" or FINISH in position.gone:
        return FINISH in position.gone
    unlisted = board.cards + 1 - len(shown) - len(position.gone)
    hides = [*(position.reserve or ()), *(position.deck or ())]
    hides += [laid.card for _, laid in position.tower if not isinstance(laid, Down)]
    return position.front is None and FINISH not in shown and UNSEEN not in hides and not unlisted


def _kept(rulings: Rulings, board: Board, grid: Shape, left: int, fixed: Sequence[int]) -> frozenset[int]:
    """The fixed cells that no D may replace [replace_target]; an up 25 on its cell counts as the one of the set-up."""
    if rulings.replace_target == "facedown_only":
        return frozenset(range(grid.size))
    at = grid.number.get((board.anchor_cell.column - left, board.anchor_cell.level))
    if rulings.replace_target == "not_anchor" and at is not None and fixed[at] == board.anchor:
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


def bounds(problem: Problem) -> CellBounds:
    """The windows that the fixed values of a problem leave."""
    return cell_bounds(problem.shape, problem.fixed, problem.board.cards + 1, problem.ends)


def cell_bounds(grid: Shape, fixed: Sequence[int], top: int, ends: tuple[int, int] | None) -> CellBounds:
    """The windows that fixed values leave; 0 and `top`, one more than the greatest card, where nothing bounds. `ends`
    are the bounds that the Finish card on the apex sets, if any. Cost: linear.
    """
    size, above = grid.size, grid.above
    low = [0] * (size + 1)
    high = [top] * (size + 1)
    clash = False
    under, over = ends or (top, 0)
    apex = grid.apex if ends else -1
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


_SHIFT = 16
_CELL = (1 << _SHIFT) - 1
"""The bits that hold every cell's number."""


def assign(windows: CellBounds, free: Sequence[int], values: Sequence[int]) -> dict[int, int] | None:
    """Distinct `values` (rising) for the `free` cells inside their windows and in order, or None when there are none.

    Cost: n log n in the cells.
    """
    low, high, _ = windows
    jobs = sorted([(low[i], high[i] << _SHIFT | i) for i in free])
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
            if job >> _SHIFT <= value:
                return None
            filling[job & _CELL] = value
        elif released == count:
            break
    return filling if len(filling) == count else None


def most_placed(windows: CellBounds, free: Sequence[int], values: Sequence[int]) -> int:
    """How many of the `free` cells these values (rising) alone can fill. Cost: n log n."""
    low, high, _ = windows
    jobs = sorted([(low[i], high[i]) for i in free])
    count, released, placed = len(jobs), 0, 0
    waiting: list[int] = []
    for value in values:
        while released < count and jobs[released][0] < value:
            heappush(waiting, jobs[released][1])
            released += 1
        # Cells whose window has ended stay empty; the next one takes the value.
        while waiting:
            if heappop(waiting) > value:
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
    windows, free, values, located = bounds(problem), problem.free, problem.values, problem.located
    filling = None if windows.clash else assign(windows, free, values)
    if filling is None or not problem.hidden:
        return filling
    # So many values that are not located may be used: the unseen gone cards need the others.
    spare = len(values) - len(located) - problem.hidden
    if sum(value not in located for value in filling.values()) <= spare:
        return filling
    # Fewest of them: the sets of values that can be placed are a matroid, so take located ones first, greedily.
    chosen: list[int] = []
    for value in sorted(values, key=lambda value: value not in located):
        tried = sorted([*chosen, value])
        if most_placed(windows, free, tried) == len(tried):
            chosen = tried
            if len(chosen) == len(free):
                break
    return assign(windows, free, chosen) if sum(value not in located for value in chosen) <= spare else None


# Why a tower cannot be completed, so that a person can check it.


class Interval(NamedTuple):
    """Cells that must all hold a value strictly between `above` and `below`, and the values left there: fewer than the
    cells.
    """

    above: int
    below: int
    cells: tuple[int, ...]
    left: tuple[int, ...]


class OrderClash(NamedTuple):
    """Two fixed cells whose values disagree with their order, the lower cell first; the Finish card's apex may be
    one.
    """

    lower: int
    upper: int


class FinishReason(NamedTuple):
    """The Finish card is gone, or lies on the cell `cell` (its number) below the apex."""

    why: Literal["gone", "below_apex"]
    cell: int | None


class Starved(NamedTuple):
    """Disjoint intervals with more cells than located values; `missing` is by how much their lack exceeds the values to
    spare.
    """

    intervals: tuple[Interval, ...]
    missing: int


Reason = Interval | OrderClash | Starved | FinishReason


def reason_of(problem: Problem) -> Reason:
    """Why a problem has no filling. Called on problems that have none."""
    if problem.finish_gone:
        return FinishReason("gone", None)
    if problem.stray is not None:
        return FinishReason("below_apex", problem.stray)
    windows = bounds(problem)
    reason: Reason | None = first_clash(problem) if windows.clash else None
    reason = reason or smallest_interval(problem, windows) or starved(problem, windows)
    if reason is None:
        raise AssertionError("a tower without a filling has a reason")
    return reason


def _rooms(problem: Problem, windows: CellBounds) -> Iterator[tuple[int, int, int, int, int]]:
    """Of every interval (above, below) that begins and ends where windows do: its values less its cells, its cells, how
    far its ends are apart, above, below. Cost: the number of lower ends times that of cells.
    """
    values, free = set(problem.values), problem.free
    rank = list(accumulate([value in values for value in range(problem.board.cards + 2)]))
    jobs = sorted([(windows.high[i], windows.low[i]) for i in free])
    for above in {low for _, low in jobs}:
        inside = [high for high, low in jobs if low >= above]
        start = rank[above]
        for cells, below in enumerate(inside, 1):
            if cells == len(inside) or inside[cells] != below:
                left = rank[below - 1] - start  # negative where the window is empty
                yield (left if left > 0 else 0) - cells, cells, below - above, above, below


def smallest_interval(problem: Problem, windows: CellBounds) -> Interval | None:
    """The violated interval with the fewest cells, of those the narrowest, of those the lowest; None when none is
    violated.
    """
    least = min([room[1:] for room in _rooms(problem, windows) if room[0] < 0], default=None)
    return least and interval(windows, problem.free, problem.values, *least[2:])


def interval(windows: CellBounds, free: Sequence[int], values: Sequence[int], above: int, below: int) -> Interval:
    """The free cells whose windows lie inside (above, below), and the values there."""
    cells = tuple(i for i in free if windows.low[i] >= above and windows.high[i] <= below)
    return Interval(above, below, cells, tuple(value for value in values if above < value < below))


def first_clash(problem: Problem) -> OrderClash | None:
    """Two fixed cells that disagree, the first along the linear extension; None when all agree. Cost: quadratic in the
    fixed cells.
    """
    numbers = {i: (value, value) for i, value in enumerate(problem.fixed) if value}
    if problem.finish and problem.ends:
        numbers[problem.shape.apex] = problem.ends
    for lower, upper in combinations(sorted(numbers), 2):
        if numbers[lower][1] >= numbers[upper][0] and before(problem.shape, lower, upper):
            return OrderClash(lower, upper)
    return None


def starved(problem: Problem, windows: CellBounds) -> Starved | None:
    """Disjoint intervals that lack more located values than unseen gone cards leave of the others, or None.

    The greatest total lack over disjoint intervals is the number of cells that located values cannot fill (the
    deficiency form of Hall's condition). Cost: cubic in the number of window ends.
    """
    free, shown = problem.free, [value for value in problem.values if value in problem.located]
    spare = len(problem.values) - len(shown) - problem.hidden
    lows = {windows.low[i] for i in free}
    # For each lower end the greatest lack of intervals below it, and these intervals.
    best: dict[int, tuple[int, tuple[Interval, ...]]] = {}
    total, chosen = 0, tuple[Interval, ...]()
    for below in sorted(lows | {windows.high[i] for i in free}):
        for above, (lack, lower) in best.items():
            last = interval(windows, free, shown, above, below)
            lack += len(last.cells) - len(last.left)
            if lack > total:
                total, chosen = lack, (*lower, last)
        if below in lows:
            best[below] = total, chosen
    return Starved(chosen, total - spare) if total > spare else None


# How much room a tower has left: the least number of values to spare over its intervals.
#
# An interval (a, b) between window ends must hold the free cells whose windows lie inside it with the available values
# strictly between a and b. Its slack is what is left over. By the theorem of the specification (`completability.md`)
# the tower is completable at a place of the columns exactly when its fixed cards agree and no slack is negative.


class Slack(NamedTuple):
    """The least slack of a place, and the interval that has it, of those the one with the fewest cells, the narrowest,
    the lowest; None where the cards out of sight are what is scarce.
    """

    least: int
    interval: Interval | None


def tower_slack(position: Position, board: Board = STANDARD) -> Slack | None:
    """The slack of the place of the columns with the greatest one, the leftmost of these.

    None where no cell is left to fill, or where every place is out of the question for another reason than too few
    values (two up cards that disagree, the Finish card).
    """
    rooms = filter(None, map(slack, problems(position, board)))
    return max(rooms, key=lambda room: room.least, default=None)


def slack(problem: Problem) -> Slack | None:
    """The slack of one place; None as for `tower_slack`. With unseen gone cards it is at most the number of values out
    of sight that may still be lost. Cost: the number of lower window ends times that of the cells and values.
    """
    windows, free = bounds(problem), problem.free
    if windows.clash or problem.stray is not None or problem.finish_gone or not free:
        return None
    least, *_, above, below = min(_rooms(problem, windows))
    if problem.hidden:
        # How many more values out of sight could be gone.
        shown = [value for value in problem.values if value in problem.located]
        unfilled = len(free) - most_placed(windows, free, shown)
        spare = len(problem.values) - len(shown) - problem.hidden - unfilled
        if spare < least:
            return Slack(spare, None)
    return Slack(least, interval(windows, free, problem.values, above, below))


# The repair distance: the fewest up cards that must be given up, and why no fewer will do.


class ConflictingCards(NamedTuple):
    """Up cards (cells, rising) that alone leave no filling, and why; the Finish card off the apex is one."""

    cells: tuple[int, ...]
    reason: Reason


class Repair(NamedTuple):
    """The cells to give up (rising), the filling that follows, and conflicts that no smaller set of cells meets."""

    cells: tuple[int, ...]
    filling: dict[int, int]
    conflicts: tuple[ConflictingCards, ...]


def world(problem: Problem, left: Sequence[int]) -> Problem:
    """The tower with only the up cards on the cells `left` and those that may not be given up. Given up cards are
    located.
    """
    stay = problem.kept.union(left)
    given = frozenset(value for i, value in enumerate(problem.fixed) if value and i not in stay)
    return msgspec.structs.replace(
        problem,
        fixed=tuple([value if i in stay else 0 for i, value in enumerate(problem.fixed)]),
        values=tuple(sorted(given.union(problem.values))),
        located=problem.located | given,
        stray=None,
    )


def conflict(problem: Problem, left: Sequence[int]) -> ConflictingCards | None:
    """A minimal conflict among the up cards on the cells `left`, or None when they can stay together.

    Cost: one filling for each of them.
    """
    if fill(world(problem, left)) is not None:
        return None
    cells = list(left)
    for cell in left:
        without = [other for other in cells if other != cell]
        if fill(world(problem, without)) is None:
            cells = without
    return ConflictingCards(tuple(cells), reason_of(world(problem, cells)))


def repair(problem: Problem) -> Repair | None:
    """The least set of up cards whose giving up saves the tower; None when no set does.

    The Finish card off the apex is always given up, and counts. Of several least sets the one is taken whose cells come
    first along the linear extension. Cost: exponential in the distance at worst; a few milliseconds for the towers met
    in play.
    """
    if problem.finish_gone or problem.stray in problem.kept:
        return None
    able = [i for i, value in enumerate(problem.fixed) if value and i not in problem.kept]
    conflicts = [] if problem.stray is None else [ConflictingCards((problem.stray,), reason_of(problem))]
    while True:
        given = least_hitting_set([clash.cells for clash in conflicts])
        rest = [i for i in able if i not in given]
        clash = conflict(problem, rest)
        if clash is None:
            filling = fill(world(problem, rest))
            if filling is None:
                raise AssertionError("a world without a conflict has a filling")
            return Repair(given, filling, tuple(conflicts))
        while clash is not None:
            if not clash.cells:
                return None
            conflicts.append(clash)
            rest = [i for i in rest if i not in clash.cells]
            clash = conflict(problem, rest)


def least_hitting_set(sets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The smallest set that meets every one of `sets` (none empty), of several the first in order. Cost: exponential in
    its size.
    """
    return next(hit for size in count(len(disjoint(sets))) if (hit := _hit(sets, (), size, 0)) is not None)


def _hit(sets: Sequence[tuple[int, ...]], chosen: tuple[int, ...], size: int, start: int) -> tuple[int, ...] | None:
    """The first set of `size` elements that contains `chosen`, goes on with elements from `start`, and meets all
    `sets`.
    """
    open_sets = [cells for cells in sets if not set(cells).intersection(chosen)]
    if not open_sets:
        return chosen
    rest = size - len(chosen)
    last = min(cells[-1] for cells in open_sets)
    if len(disjoint(open_sets)) > rest or last < start:
        return None
    for element in sorted({cell for cells in open_sets for cell in cells if start <= cell <= last}):
        hit = _hit(sets, (*chosen, element), size, element + 1)
        if hit is not None:
            return hit
    return None


def disjoint(sets: Sequence[tuple[int, ...]]) -> list[int]:
    """Indices of sets that are pairwise disjoint, taken greedily, small ones first: as many elements are needed at
    least.
    """
    taken: set[int] = set()
    chosen = []
    for at in sorted(range(len(sets)), key=lambda i: (len(sets[i]), sets[i])):
        if taken.isdisjoint(sets[at]):
            taken.update(sets[at])
            chosen.append(at)
    return chosen
