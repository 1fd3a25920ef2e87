"""The parts that the SMT-LIB files of the specification are made of: numbers, orders, blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from couperation_formal.game.tower import STANDARD, Cell

LEFT = STANDARD.middle
APEX = Cell(LEFT, STANDARD.levels)
CELLS = sorted(STANDARD.pyramid(LEFT), key=lambda cell: (2 * cell.column + cell.level, cell.level))
SUPPORTED = [(cell, *cell.supports) for cell in CELLS if cell.level > 1]


def least_and_greatest(cell: Cell, between: str | None) -> tuple[int, int]:
    """The closed form. `between` None: no Finish card; otherwise its apex has the number 25."""
    cells = [other for other in CELLS if between is None or other != APEX]
    down = [other for other in cells if at_or_below(other, cell)]
    up = [other for other in cells if at_or_below(cell, other)]
    least, greatest = len(down), 51 - len(up)
    if between is not None:
        lax = between == "inclusive"
        if at_or_below(APEX, cell):
            least = max(least, 25 - lax + sum(at_or_below(APEX, other) for other in down))
        if at_or_below(cell, APEX):
            greatest = min(greatest, 25 + lax - sum(at_or_below(other, APEX) for other in up))
    return least, greatest


def at_or_below(lower: Cell, upper: Cell) -> bool:
    return lower.column <= upper.column and lower.column + lower.level <= upper.column + upper.level


def block(status: str, note: str, *lines: str) -> Iterator[str]:
    """One question of its own."""
    yield from ("", f"; {note}", "(push 1)", *lines, f"(set-info :status {status})", "(check-sat)", "(pop 1)")


def head(*comments: str, logic: str = "QF_LIA") -> Iterator[str]:
    yield from (f"; {comment}" for comment in comments)
    yield from ("(set-info :smt-lib-version 2.6)", f"(set-logic {logic})")


def numbers(cells: Iterable[Cell] = CELLS) -> Iterator[str]:
    yield ""
    yield "; the number on each cell"
    yield from (f"(declare-const {cell} Int)" for cell in cells)


def betweenness(sign: str, name: str = "TOW02", without: Cell | None = None) -> Iterator[str]:
    """TOW02 with `sign` for "before"; the orders of the cell `without` are left out."""
    for cell, left, right in SUPPORTED:
        if cell != without:
            yield f"(assert (! ({sign} {left} {cell}) :named |{name} {left} {cell}|))"
            yield f"(assert (! ({sign} {cell} {right}) :named |{name} {cell} {right}|))"


def distinct(cells: Iterable[Cell] = CELLS) -> str:
    return f"(assert (! (distinct {' '.join(map(str, cells))}) :named |SET06 each card once|))"


def some_row_pair(sign: str) -> str:
    pairs = [(left, right) for left, right in combinations(sorted(CELLS), 2) if left.level == right.level]
    return "(assert (or " + " ".join(f"({sign} {left} {right})" for left, right in pairs) + "))"
