"""How much each card is wanted by the rest of a tower, at one place of its columns.

A guess that proves nothing: it chooses with what the search for a line pays, and what it drops and trims.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from couperation_formal.completion.shape import before, shape
from couperation_formal.continuation.position.frame import DOWN, Frame

_KEPT: Final = 1 << 16
_WANTED: Final = 8
"""The steps that the worth of all cards to one tower takes."""


class Worth(NamedTuple):
    """How much each card is wanted, by number, on empty cells and on laid cells that need another card: the sum, over
    these cells, of the parts of each that their numbers would get if all were left.
    """

    empty: tuple[float, ...]
    laid: tuple[float, ...]


class Wanted:
    """How much cards are wanted by towers that are meant to stand at column `left`; `inside` are the cells there. With
    a plan, a mask for each cell, only its cards are wanted.
    """

    def __init__(self, frame: Frame, left: int, plan: Mapping[int, int] | None = None) -> None:
        self.frame, self.plan = frame, plan
        self.grid = shape(frame.board.levels)
        places = {(cell.column, cell.level): at for at, cell in enumerate(frame.cells)}
        self.cells = [places[column + left, level] for column, level in self.grid.places]
        self.inside = frozenset(self.cells)
        self._kept: dict[bytes, Worth] = {}

    def worth(self, tower: bytes) -> Worth:
        """How much each card is wanted. Cost: some tens of microseconds; kept for the next time."""
        found = self._kept.get(tower)
        if found is None:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self.frame.budget.spend(_WANTED)
            found = self._kept[tower] = self._worth(tower)
        return found

    def _bounds(self, fixed: list[int]) -> tuple[list[int], list[int]]:
        """For each cell the largest fixed number forced below it and the smallest one forced above it, its own left
        out.
        """
        grid, top = self.grid, self.frame.board.cards + 1
        size = grid.size
        apex = grid.apex if self.frame.variant == "finish" else -1
        most_below, least_above = self.frame.edges
        low, high = [0] * (size + 1), [top] * (size + 1)
        under, over = [0] * (size + 1), [top] * (size + 1)
        for i, (first, second) in enumerate(grid.below):
            most = low[i] = max(under[first], under[second])
            if i == apex:
                most = max(most, least_above)
            under[i] = max(most, fixed[i])
        for i in range(size - 1, -1, -1):
            first, second = grid.above[i]
            least = high[i] = min(over[first], over[second])
            if i == apex:
                least = min(least, most_below)
            over[i] = min(least, fixed[i]) if fixed[i] else least
        return low, high

    def _misfits(self, codes: list[int], fixed: list[int]) -> set[int]:
        """The cells whose up card cannot stay: out of order, the Finish card below the apex, an apex to be laid
        again.
        """
        apex = self.grid.apex
        found = {i for i, code in enumerate(codes) if code == self.frame.finish and i != apex}
        if self.frame.apex_again and codes[apex]:
            found.add(apex)
        low, high = self._bounds(fixed)
        if all(low[i] < value < high[i] for i, value in enumerate(fixed) if value and i not in found):
            return found
        return found | self._cover([value if i not in found else 0 for i, value in enumerate(fixed)])

    def _cover(self, fixed: list[int]) -> set[int]:
        """Cells without which the others agree: again and again the one that disagrees with most others."""
        clashes: dict[int, set[int]] = {i: set() for i, value in enumerate(fixed) if value}
        for i in clashes:
            for j in clashes:
                if fixed[i] >= fixed[j] and before(self.grid, i, j):
                    clashes[i].add(j)
                    clashes[j].add(i)
        found = set()
        while True:
            most = max(clashes, key=lambda i: (len(clashes[i]), i), default=-1)
            if most < 0 or not clashes[most]:
                break
            found.add(most)
            for other in clashes.pop(most):
                clashes[other].discard(most)
        left = [value if i not in found else 0 for i, value in enumerate(fixed)]
        low, high = self._bounds(left)
        return found | {i for i, value in enumerate(left) if value and not low[i] < value < high[i]}

    def _worth(self, tower: bytes) -> Worth:
        frame, grid = self.frame, self.grid
        if self.plan is not None:
            left = sum(
                mask for cell, mask in self.plan.items() if not tower[cell] or not mask >> (tower[cell] & ~DOWN) & 1
            )
            return Worth(
                tuple(float(left >> card & 1) for card in range(frame.board.cards + 2)),
                (0.0,) * (frame.board.cards + 2),
            )
        codes = [tower[cell] for cell in self.cells]
        fixed = [code if code < DOWN and code != frame.finish else 0 for code in codes]
        for i in self._misfits(codes, fixed):
            fixed[i] = 0
        low, high = self._bounds(fixed)
        for i, code in enumerate(codes):
            if code > DOWN and low[i] < code - DOWN < high[i]:
                fixed[i] = code - DOWN
                low, high = self._bounds(fixed)
        apex = grid.apex if frame.variant == "finish" else -1
        empty, laid = [0.0] * (frame.board.cards + 2), [0.0] * (frame.board.cards + 2)
        empty[-1] = 100.0
        for i, value in enumerate(fixed):
            if not value and i != apex:
                share = 1 / (max(0, high[i] - low[i] - 1) + 0.3)
                worth = laid if codes[i] else empty
                for card in range(low[i] + 1, high[i]):
                    worth[card] += share
        return Worth(tuple(empty), tuple(laid))
