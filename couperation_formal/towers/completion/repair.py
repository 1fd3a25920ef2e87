"""The repair distance: the fewest up cards that must be given up, and why no fewer will do.

A *conflict* is a set of up cards that alone, every other up card given up, leaves no filling; cards that no D may
replace count as always there. A set of cards to give up saves the tower exactly when it meets every conflict. The least
such set is found by implicit hitting sets (Reiter 1987; Davies and Bacchus 2011): a least set that meets the conflicts
found so far either saves the tower, and is then least of all, or the cards that it leaves hold a new conflict, made
minimal by deletion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from couperation_formal.towers.completion.fill import Problem, bounds, fill_within
from couperation_formal.towers.completion.reason import Reason, first_clash, smallest_interval, starved


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


def world(problem: Problem, left: Sequence[int]) -> PartialTower:
    """The tower with only the up cards on the cells `left` and those that may not be given up. Given up cards are
    located.
    """
    stay = problem.kept.union(left)
    fixed = [value if i in stay else 0 for i, value in enumerate(problem.fixed)]
    given = frozenset(value for i, value in enumerate(problem.fixed) if value and i not in stay)
    apex = problem.shape.apex if problem.finish else -1
    free = tuple(i for i, value in enumerate(fixed) if not value and i != apex)
    return PartialTower(fixed, free, tuple(sorted(given.union(problem.values))), problem.located | given)


def fill_world(problem: Problem, there: PartialTower) -> dict[int, int] | None:
    """A filling of a world, or None. Cost: as `fill`."""
    found = bounds(problem, there.fixed)
    return None if found.clash else fill_within(problem, found, there.free, there.values, there.located)


def reason_in(problem: Problem, there: PartialTower) -> Reason | None:
    """Why a world has no filling; None when it has one."""
    found = bounds(problem, there.fixed)
    if found.clash:
        return first_clash(problem, there.fixed)
    interval = smallest_interval(found, there.free, there.values)
    if interval is not None or not problem.hidden:
        return interval
    return starved(problem, found, there.free, there.values, there.located)


def conflict(problem: Problem, left: Sequence[int]) -> ConflictingCards | None:
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


def repair(problem: Problem) -> Repair | None:
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
        given = least_hitting_set([found.cells for found in conflicts])
        rest = [i for i in able if i not in given]
        found = conflict(problem, rest)
        if found is None:
            filling = fill_world(problem, world(problem, rest))
            if filling is None:
                raise AssertionError("a world without a conflict has a filling")
            return Repair(tuple(sorted({*given, *forced})), filling, tuple(conflicts))
        while found is not None:
            if not found.cells:
                return None
            conflicts.append(found)
            rest = [i for i in rest if i not in found.cells]
            found = conflict(problem, rest)


def least_hitting_set(sets: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The smallest set that meets every one of `sets` (none empty), of several the first in order. Cost: exponential in
    its size.
    """
    size = len(disjoint(sets))
    while True:
        found = _hit(sets, (), size, 0)
        if found is not None:
            return found
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
        found = _hit(sets, (*chosen, element), size, element + 1)
        if found is not None:
            return found
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
