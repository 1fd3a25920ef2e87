"""Why a tower cannot be completed, so that a person can check it, and the fewest up cards that must be given up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.towers.completion import fill


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


class Starved(NamedTuple):
    """Disjoint intervals with more cells than located values; `missing` is by how much their lack exceeds the values to
    spare.
    """

    intervals: tuple[Interval, ...]
    missing: int


Reason = Interval | OrderClash | Starved


def smallest_interval(windows: fill.CellBounds, free: Sequence[int], values: Sequence[int]) -> Interval | None:
    """The violated interval with the fewest cells, of those the narrowest, of those the lowest; None when none is
    violated.

    Only intervals between ends of windows need a look. Cost: the number of lower ends times the number of cells.
    """
    best: tuple[int, int, int, int] | None = None
    jobs = sorted((windows.high[i], windows.low[i]) for i in free)
    rank = _ranks(values, max(windows.high))
    for above in {windows.low[i] for i in free}:
        cells = 0
        start = rank[above]
        for at, (below, low) in enumerate(jobs):
            if low < above:
                continue
            cells += 1
            if at + 1 < len(jobs) and jobs[at + 1][0] == below and jobs[at + 1][1] >= above:
                continue
            if cells > max(0, rank[below - 1] - start):
                key = (cells, below - above, above, below)
                if best is None or key < best:
                    best = key
                break
    return None if best is None else interval(windows, free, values, best[2], best[3])


def _ranks(values: Sequence[int], top: int) -> list[int]:
    """How many of `values` are at most v, for each v up to `top`."""
    ranks = [0] * (top + 1)
    for value in values:
        ranks[value] = 1
    total = 0
    for value in range(top + 1):
        total += ranks[value]
        ranks[value] = total
    return ranks


def interval(windows: fill.CellBounds, free: Sequence[int], values: Sequence[int], above: int, below: int) -> Interval:
    """The free cells whose windows lie inside (above, below), and the values there."""
    cells = tuple(i for i in free if windows.low[i] >= above and windows.high[i] <= below)
    return Interval(above, below, cells, tuple(value for value in values if above < value < below))


def first_clash(problem: fill.Problem, fixed: Sequence[int]) -> OrderClash | None:
    """Two fixed cells that disagree, the first along the linear extension; None when all agree."""
    return next(clashes(problem, fixed), None)


def clashes(problem: fill.Problem, fixed: Sequence[int]) -> Iterator[OrderClash]:
    """Every pair of fixed cells that disagree. Cost: quadratic in the fixed cells."""
    grid = problem.shape
    apex = grid.apex if problem.finish else -1
    held = [i for i, value in enumerate(fixed) if value or (i == apex and problem.ends is not None)]
    for at, lower in enumerate(held):
        for upper in held[at + 1 :]:
            if not fill.before(grid, lower, upper):
                continue
            low = problem.ends[1] if lower == apex and problem.ends else fixed[lower]
            high = problem.ends[0] if upper == apex and problem.ends else fixed[upper]
            if low >= high:
                yield OrderClash(lower, upper)


def starved(
    problem: fill.Problem, windows: fill.CellBounds, free: Sequence[int], values: Sequence[int], located: frozenset[int]
) -> Starved | None:
    """Disjoint intervals that lack more located values than unseen gone cards leave of the others, or None.

    The greatest total lack over disjoint intervals is the number of cells that located values cannot fill (the
    deficiency form of Hall's condition). Cost: cubic in the number of window ends.
    """
    shown = [value for value in values if value in located]
    spare = len(values) - len(shown) - problem.hidden
    lows = {windows.low[i] for i in free}
    points = sorted(lows | {windows.high[i] for i in free})
    best = dict.fromkeys(points, 0)
    come: dict[int, int | None] = {}
    for at, below in enumerate(points):
        best[below] = best[points[at - 1]] if at else 0
        come[below] = None
        for above in points[:at]:
            if above not in lows:
                continue
            lack = len(interval(windows, free, shown, above, below).cells) - sum(above < v < below for v in shown)
            if lack > 0 and best[above] + lack > best[below]:
                best[below], come[below] = best[above] + lack, above
    total = best[points[-1]] if points else 0
    if total <= spare:
        return None
    intervals = []
    at = len(points) - 1
    while at > 0:
        begin = come[points[at]]
        if begin is None:
            at -= 1
            continue
        intervals.append(interval(windows, free, shown, begin, points[at]))
        at = points.index(begin)
    return Starved(tuple(reversed(intervals)), total - spare)


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


def tower_slack(position: Position, board: Board = STANDARD) -> tuple[fill.Problem, Slack] | None:
    """The place of the columns with the greatest slack, the leftmost of these, and its slack.

    None where no cell is left to fill, or where every place is out of the question for another reason than too few
    values (two up cards that disagree, the Finish card).
    """
    best: tuple[fill.Problem, Slack] | None = None
    for problem in fill.problems(position, board):
        room = slack(problem)
        if room is not None and (best is None or room.least > best[1].least):
            best = problem, room
    return best


def slack(problem: fill.Problem) -> Slack | None:
    """The slack of one place; None as for `tower_slack`. With unseen gone cards it is at most the number of values out
    of sight that may still be lost. Cost: the number of lower window ends times that of the cells and values.
    """
    windows = fill.bounds(problem, problem.fixed)
    free = problem.free
    if windows.clash or problem.stray is not None or problem.finish_gone or not free:
        return None
    best: tuple[int, int, int, int, int] | None = None
    for above in {windows.low[i] for i in free}:
        inside = sorted(windows.high[i] for i in free if windows.low[i] >= above)
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
    return Slack(best[0], interval(windows, free, problem.values, best[3], best[4]))


def _hidden_slack(problem: fill.Problem) -> int | None:
    """How many more values out of sight could be gone; None where no gone card is unseen."""
    if not problem.hidden:
        return None
    shift = problem.shape.size.bit_length()
    shown = [value for value in problem.values if value in problem.located]
    placed = fill.most_placed(fill.bounds(problem, problem.fixed), problem.free, shown, shift)
    return len(problem.values) - len(shown) - problem.hidden - (len(problem.free) - placed)


# The repair distance: the fewest up cards that must be given up, and why no fewer will do.


class PartialTower(NamedTuple):
    """A tower in which only some of the up cards are left: its fixed values, free cells, available and located
    values.
    """

    fixed: list[int]
    free: tuple[int, ...]
    values: tuple[int, ...]
    located: frozenset[int]


class ConflictingCards(NamedTuple):
    """Up cards (cells, rising) that alone leave no filling, and why."""

    cells: tuple[int, ...]
    reason: Reason


class Repair(NamedTuple):
    """The cells to give up (rising), the filling that follows, and conflicts that no smaller set of cells meets."""

    cells: tuple[int, ...]
    filling: dict[int, int]
    conflicts: tuple[ConflictingCards, ...]


def world(problem: fill.Problem, left: Sequence[int]) -> PartialTower:
    """The tower with only the up cards on the cells `left` and those that may not be given up. Given up cards are
    located.
    """
    stay = problem.kept.union(left)
    fixed = [value if i in stay else 0 for i, value in enumerate(problem.fixed)]
    given = frozenset(value for i, value in enumerate(problem.fixed) if value and i not in stay)
    apex = problem.shape.apex if problem.finish else -1
    free = tuple(i for i, value in enumerate(fixed) if not value and i != apex)
    return PartialTower(fixed, free, tuple(sorted(given.union(problem.values))), problem.located | given)


def fill_world(problem: fill.Problem, there: PartialTower) -> dict[int, int] | None:
    """A filling of a world, or None. Cost: as `fill`."""
    windows = fill.bounds(problem, there.fixed)
    return None if windows.clash else fill.fill_within(problem, windows, there.free, there.values, there.located)


def reason_in(problem: fill.Problem, there: PartialTower) -> Reason | None:
    """Why a world has no filling; None when it has one."""
    windows = fill.bounds(problem, there.fixed)
    if windows.clash:
        return first_clash(problem, there.fixed)
    interval = smallest_interval(windows, there.free, there.values)
    if interval is not None or not problem.hidden:
        return interval
    return starved(problem, windows, there.free, there.values, there.located)


def conflict(problem: fill.Problem, left: Sequence[int]) -> ConflictingCards | None:
    """A minimal conflict among the up cards on the cells `left`, or None when they can stay together.

    Cost: one filling for each of them.
    """
    if fill_world(problem, world(problem, left)) is not None:
        return None
    cells = list(left)
    for cell in left:
        without = [other for other in cells if other != cell]
        if fill_world(problem, world(problem, without)) is None:
            cells = without
    reason = reason_in(problem, world(problem, cells))
    if reason is None:
        raise AssertionError("a world without a filling has a reason")
    return ConflictingCards(tuple(cells), reason)


def repair(problem: fill.Problem) -> Repair | None:
    """The least set of up cards whose giving up saves the tower; None when no set does.

    The Finish card off the apex is always given up, and counts. Of several least sets the one is taken whose cells come
    first along the linear extension. Cost: exponential in the distance at worst; a few milliseconds for the towers met
    in play.
    """
    if problem.finish_gone:
        return None
    forced = () if problem.stray is None else (problem.stray,)
    if forced and problem.kept.issuperset(forced):
        return None
    able = [i for i, value in enumerate(problem.fixed) if value and i not in problem.kept]
    conflicts: list[ConflictingCards] = []
    while True:
        given = least_hitting_set([clash.cells for clash in conflicts])
        rest = [i for i in able if i not in given]
        clash = conflict(problem, rest)
        if clash is None:
            filling = fill_world(problem, world(problem, rest))
            if filling is None:
                raise AssertionError("a world without a conflict has a filling")
            return Repair(tuple(sorted({*given, *forced})), filling, tuple(conflicts))
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
    size = len(disjoint(sets))
    while True:
        hit = _hit(sets, (), size, 0)
        if hit is not None:
            return hit
        size += 1


def _hit(sets: Sequence[tuple[int, ...]], chosen: tuple[int, ...], size: int, start: int) -> tuple[int, ...] | None:
    """The first set of `size` elements that contains `chosen`, goes on with elements from `start`, and meets all
    `sets`.
    """
    open_sets = [cells for cells in sets if not set(cells).intersection(chosen)]
    if not open_sets:
        return chosen
    rest = size - len(chosen)
    if len(disjoint(open_sets)) > rest:
        return None
    if any(cells[-1] < start for cells in open_sets):
        return None
    last = min(cells[-1] for cells in open_sets)
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
