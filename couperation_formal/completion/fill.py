"""Windows and earliest deadline first: the exact answer for one place of the columns.

A free cell has a window: more than the largest fixed value forced below it, less than the smallest one forced above it.
Windows are monotone along the order, so distinct values inside the windows can be put in order by swaps, and deciding
whether there are any is scheduling unit jobs with release times and deadlines on a given set of moments: earliest
deadline first (Jackson 1955; Horn 1974; for convex bipartite graphs Glover 1967). With ties broken along the order no
swap is needed. The proof is in the specification, `completability.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from couperation_formal.completion.problem import Problem


class Bounds(NamedTuple):
    """For each cell the largest fixed value at or below it, and the smallest one at or above it.

    A free cell's window lies strictly between `low` and `high`. `clash` tells whether two fixed values disagree.
    """

    low: list[int]
    high: list[int]
    clash: bool


def bounds(problem: Problem, fixed: Sequence[int]) -> Bounds:
    """The windows that these fixed values leave; 0 and one more than the greatest card where nothing bounds. Cost:
    linear.
    """
    grid = problem.shape
    size, above, top = grid.size, grid.above, problem.board.cards + 1
    low = [0] * (size + 1)
    high = [top] * (size + 1)
    clash = False
    under, over = problem.ends or (top, 0)
    apex = grid.apex if problem.finish and problem.ends is not None else -1
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
    return Bounds(low, high, clash)


def assign(found: Bounds, free: Sequence[int], values: Sequence[int], shift: int) -> dict[int, int] | None:
    """Distinct `values` (rising) for the `free` cells inside their windows and in order, or None when there are none.

    `shift` is a number of bits that holds every cell's number. Cost: n log n in the cells.
    """
    low, high, _ = found
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


def most_placed(found: Bounds, free: Sequence[int], values: Sequence[int], shift: int) -> int:
    """How many of the `free` cells these values (rising) alone can fill. Cost: n log n."""
    low, high = found.low, found.high
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
    found = bounds(problem, problem.fixed)
    return None if found.clash else fill_within(problem, found, problem.free, problem.values, problem.located)


def fill_within(
    problem: Problem, found: Bounds, free: Sequence[int], values: Sequence[int], located: frozenset[int]
) -> dict[int, int] | None:
    """The filling of `fill` for windows that are known."""
    shift = problem.shape.size.bit_length()
    filling = assign(found, free, values, shift)
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
        if most_placed(found, free, tried, shift) == len(tried):
            chosen = tried
            if len(chosen) == len(free):
                break
    if sum(value not in located for value in chosen) > spare:
        return None
    return assign(found, free, chosen, shift)
