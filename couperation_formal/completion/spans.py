"""The spans of a tower's numbers, and the search for those that leave no filling.

Take some of the up cards of a tower, at one place of the columns. The cells that lie, in the order of the full tower,
between two of them (they themselves included) are their *hull*; all of it is filled with numbers from the least to the
greatest of theirs. So a tower has no filling when a hull has more cells than there are numbers in that *span*, and, as
the theorem of `completability.md` says, only then or when two up cards disagree. Three cards are always there: the one
of the set-up, and two that stand for the ends of the deck, number 0 below every cell and one more than the greatest
number above every cell. A destroyed card fills no cell but takes a number: it counts one more in a hull.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from couperation_formal.completion.shape import before, shape
from couperation_formal.model.board import Cell

BOTTOM, ANCHOR, TOP, FIRST = 0, 1, 2, 3
"""The elements that every tower has, and the first one of a tower's own."""

Line = list[tuple[int, int]]
"""Numbers and the elements that they stand on, rising."""

Apex = Literal["glass", "bare", "strict", "inclusive"]
"""What the apex is: a Glass card, the Finish card that is asked for no order there, or the Finish card with the
anchor's number, [between] being strict or inclusive.
"""


@lru_cache(maxsize=64)
def closures(levels: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For each cell of a pyramid the set of cells at or above it, and at or below it, as bits."""
    grid = shape(levels)
    cells = range(grid.size)
    above = tuple(sum(1 << q for q in cells if q == p or before(grid, p, q)) for p in cells)
    below = tuple(sum(1 << p for p in cells if q == p or before(grid, p, q)) for q in cells)
    return above, below


class Candidate(NamedTuple):
    """Elements that can leave no filling: the size of their hull, and those that may only be their least or
    greatest.
    """

    elements: int
    hull: int
    ends: int


class Place(dict[int, int]):
    """One place of the columns: the size of the hull of every set of elements, as bits, found when asked for.

    `over[e]` are the elements whose number must be greater than that of element e. `closed` tells that no numbers at
    all will do.
    """

    def __init__(self, levels: int, left: int, cells: Sequence[Cell], free: int, apex: Apex) -> None:
        """`cells` are the cells of the elements `ANCHOR` and from `FIRST` on; `free` more elements have none.

        The Finish card's apex is no cell to fill; where it has a number it belongs to the anchor's element.
        """
        super().__init__()
        grid = shape(levels)
        above, below = closures(levels)
        at = [grid.number[cell.column - left, cell.level] for cell in cells]
        self._filled = (1 << grid.size) - 1 - (0 if apex == "glass" else 1 << grid.apex)
        anchor = [at[0], grid.apex] if apex in ("strict", "inclusive") else [at[0]]
        owned = [[], anchor, [], *([i] for i in at[1:]), *([] for _ in range(free))]
        self._above = [_union(above, own) for own in owned]
        self._below = [_union(below, own) for own in owned]
        self._above[BOTTOM] = self._below[TOP] = (1 << grid.size) - 1
        self._bare = sum(1 << e for e, own in enumerate(owned) if not own)
        self.over = [
            sum(1 << f for f, others in enumerate(owned) if f != e and any(self._above[e] >> c & 1 for c in others))
            for e in range(len(owned))
        ]
        self.pairs = [(e, f) for e in range(ANCHOR, len(owned)) for f in bits(self.over[e])]
        self.closed = apex == "strict" and bool((above[at[0]] | below[at[0]]) >> grid.apex & 1)

    def __missing__(self, elements: int) -> int:
        above = below = 0
        for e in bits(elements):
            above |= self._above[e]
            below |= self._below[e]
        size = (above & below & self._filled).bit_count() + (elements & self._bare).bit_count()
        self[elements] = size
        return size

    def dead(self, line: Line) -> bool:
        """Whether these numbers leave no filling here. Cost: quadratic in the elements."""
        return next(self._reasons(line), 0) != 0

    def needed(self, line: Line) -> int:
        """Elements, as bits, without some of which there would be a filling: those in every reason that is a run of the
        line; -1 where there is none.
        """
        common = -1
        for reason in self._reasons(line):
            common &= reason
        return common

    def _reasons(self, line: Line) -> Iterator[int]:
        """The reasons why there is no filling that are two elements that disagree or a run of the line, as bits."""
        seen = 0
        for at, (high, element) in enumerate(line):
            span = 1 << element
            if self.over[element] & seen:
                yield from (span | 1 << other for other in bits(self.over[element] & seen))
            seen |= span
            for low, other in line[at::-1]:
                span |= 1 << other
                if self[span] > high - low + 1:
                    yield span

    def candidates(self, count: int, greatest: int) -> Iterator[Candidate]:
        """The sets of the first `count` elements that some numbers 1 to `greatest` make a reason why there is no
        filling, and none of whose own subsets is one: each element adds to the hull or is an end of the span.
        """
        both = 1 << BOTTOM | 1 << TOP
        under = [sum(1 << f for f in range(count) if self.over[f] >> e & 1) for e in range(count)]
        for elements in range(1 << count):
            hull = self[elements]
            if hull <= elements.bit_count() or (elements & both == both and hull <= greatest + 2):
                continue
            ends = 0
            for e in bits(elements):
                if self[elements & ~(1 << e)] == hull:
                    ends |= 1 << e
            if ends.bit_count() > 2:
                continue
            inner = (e for e in bits(ends) if e >= FIRST or e == ANCHOR)
            low, high = elements & (1 << BOTTOM), elements & (1 << TOP)
            if any((low or elements & under[e]) and (high or elements & self.over[e]) for e in inner):
                continue
            yield Candidate(elements, hull, ends)


def _union(sets: Sequence[int], members: Sequence[int]) -> int:
    found = 0
    for member in members:
        found |= sets[member]
    return found


def bits(elements: int) -> Iterator[int]:
    """The members of a set that is given as bits, rising."""
    while elements:
        lowest = elements & -elements
        yield lowest.bit_length() - 1
        elements ^= lowest
