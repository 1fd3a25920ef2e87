"""The orders of a tower, decided plainly (TOW01, TOW02, TOW07).

Orders between up cards are compared. Orders that involve down cards form difference constraints over an acyclic graph:
the least number that each down card can stand for follows by longest paths (Bellman 1958; on an acyclic graph one pass
in a linear extension suffices, here by 2·column + level). Choices for all down cards exist exactly when no least number
passes an up card above it, or the deck's greatest number under `facedown=deck`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.orders import CLAUSES, Order, OrderClause, gap, orders, up_numbers


class BrokenOrder(NamedTuple):
    """An order that fails between two up cards: the numbers on its lower and upper cell."""

    order: Order
    low: int
    high: int


class Chain(NamedTuple):
    """A run of orders through down cards that leaves no room.

    `cells` rise along the orders; `least` is the least number that the last cell would need and `limit` what it has: an
    up card's number, or the deck's greatest number when the last card is down.
    """

    cells: tuple[Cell, ...]
    least: int
    limit: int


class Window(NamedTuple):
    """The numbers that a cell can take: from `low` to `high`, either end None where nothing bounds it. Empty when low >
    high.
    """

    low: int | None
    high: int | None

    def holds(self, value: int) -> bool:
        """Whether `value` lies inside."""
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)

    @property
    def empty(self) -> bool:
        """Whether no integer lies inside."""
        return self.low is not None and self.high is not None and self.low > self.high


def extension_key(cell: Cell) -> int:
    """A linear extension of the orders: every order's lower cell has the smaller key."""
    return 2 * cell.column + cell.level


def broken_orders(
    board: Board, tower: Tower, rulings: Rulings, cell: Cell | None = None, clause: OrderClause | None = None
) -> list[BrokenOrder]:
    """The orders between up cards that fail; with `cell`, only those that involve it; with `clause`, only its own.

    An unseen up card and, under `finish_value=none`, the Finish card have no order here. Cost: one comparison an order.
    """
    numbers = up_numbers(board, tower, rulings)
    index = orders(board)
    clauses = CLAUSES if clause is None else (clause,)
    if cell is None:
        return [
            BrokenOrder(order, numbers[order.lower], numbers[order.upper])
            for order in index.every
            if order.clause in clauses
            and order.lower in numbers
            and order.upper in numbers
            and numbers[order.lower] + gap(order.clause, rulings) > numbers[order.upper]
        ]
    found: list[BrokenOrder] = []
    value = numbers.get(cell)
    if value is None:
        return found
    for asked in clauses:
        most = value - gap(asked, rulings)
        for other in index.below[asked].get(cell, ()):
            if other in numbers and numbers[other] > most:
                found.append(BrokenOrder(Order(other, cell, asked), numbers[other], value))
    for asked in clauses:
        least = value + gap(asked, rulings)
        for other in index.above[asked].get(cell, ()):
            if other in numbers and numbers[other] < least:
                found.append(BrokenOrder(Order(cell, other, asked), value, numbers[other]))
    return found


def failing_chain(board: Board, tower: Tower, rulings: Rulings) -> Chain | None:
    """The reason why no numbers for the down cards keep all orders, or None when some do (TOW07).

    The orders between up cards are taken to hold. Cost: linear in the orders of the down cards.
    """
    if not tower.down or rulings.facedown == "ignored":
        return None
    numbers = up_numbers(board, tower, rulings)
    least, source = _least_numbers(board, tower, numbers, rulings)
    above = orders(board).above
    ceiling = board.cards if rulings.facedown == "deck" else None
    for cell, value in least.items():
        if ceiling is not None and value > ceiling:
            return Chain(_trace(cell, source), value, ceiling)
        for clause in CLAUSES:
            needed = value + gap(clause, rulings)
            for other in above[clause][cell]:
                if other in numbers and numbers[other] < needed:
                    return Chain((*_trace(cell, source), other), needed, numbers[other])
    return None


def holds(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """Whether the whole tower is in order (TOW01, TOW02, TOW07). Cost: one comparison an order of the board."""
    return not broken_orders(board, tower, rulings) and failing_chain(board, tower, rulings) is None


def within(tower: Tower, board: Board, rulings: Rulings) -> bool:
    """Whether a tower stays inside one pyramid that [anchor] allows."""
    if rulings.anchor == "middle":
        return tower.first <= board.middle <= tower.last
    return tower.first <= tower.last


def _least_numbers(
    board: Board, tower: Tower, numbers: Mapping[Cell, int], rulings: Rulings
) -> tuple[dict[Cell, int], dict[Cell, Cell | None]]:
    """For each down card that something bounds from below the least number it can stand for, and the cell that bounds
    it.
    """
    index = orders(board)
    below = [(gap(clause, rulings), index.below[clause]) for clause in CLAUSES]
    floor = 1 if rulings.facedown == "deck" else None
    known = dict(numbers)
    least: dict[Cell, int] = {}
    source: dict[Cell, Cell | None] = {}
    for cell in sorted(tower.down & index.cells, key=extension_key):
        best, bound_by = floor, None
        for step, others in below:
            for other in others[cell]:
                if other in known:
                    value = known[other] + step
                    if best is None or value > best:
                        best, bound_by = value, other
        if best is not None:
            known[cell] = least[cell] = best
            source[cell] = bound_by
    return least, source


def _greatest_numbers(board: Board, tower: Tower, numbers: Mapping[Cell, int], rulings: Rulings) -> dict[Cell, int]:
    """For each down card that something bounds from above the greatest number it can stand for."""
    index = orders(board)
    above = [(gap(clause, rulings), index.above[clause]) for clause in CLAUSES]
    ceiling = board.cards if rulings.facedown == "deck" else None
    known = dict(numbers)
    greatest: dict[Cell, int] = {}
    for cell in sorted(tower.down & index.cells, key=extension_key, reverse=True):
        best = ceiling
        for step, others in above:
            for other in others[cell]:
                if other in known:
                    value = known[other] - step
                    if best is None or value < best:
                        best = value
        if best is not None:
            known[cell] = greatest[cell] = best
    return greatest


def _trace(cell: Cell, source: dict[Cell, Cell | None]) -> tuple[Cell, ...]:
    """The run of cells that gives `cell` its least number, lowest first."""
    run = [cell]
    while (previous := source.get(run[-1])) is not None:
        run.append(previous)
    return tuple(reversed(run))


class Windows:
    """The windows of the cells of one tower whose orders can hold, down cards included: exact for one more card.

    A card fits on an empty cell exactly when its number lies in the cell's window; for a card laid down `fits_down`
    says whether some number does. (A new number between the bounds that longest paths from below and above give keeps a
    satisfiable system of difference constraints satisfiable.) `least` and `greatest` are the bounds of the laid cards,
    an up card's number for both. Cost: one pass over the orders of the down cards when
    made, one look a cell.
    """

    def __init__(self, board: Board, tower: Tower, rulings: Rulings) -> None:
        self._board, self._rulings = board, rulings
        self._waived = rulings.facedown == "ignored"
        numbers = up_numbers(board, tower, rulings)
        self.least = numbers if self._waived else {**numbers, **_least_numbers(board, tower, numbers, rulings)[0]}
        self.greatest = numbers if self._waived else {**numbers, **_greatest_numbers(board, tower, numbers, rulings)}

    def window(self, cell: Cell) -> Window:
        """The numbers that an up card on `cell` may show. The cell is empty and on the board."""
        index = orders(self._board)
        lows: list[int] = []
        highs: list[int] = []
        for clause in CLAUSES:
            step = gap(clause, self._rulings)
            lows += [self.least[other] + step for other in index.below[clause][cell] if other in self.least]
            highs += [self.greatest[other] - step for other in index.above[clause][cell] if other in self.greatest]
        return Window(max(lows, default=None), min(highs, default=None))

    def fits_down(self, cell: Cell) -> bool:
        """Whether a card may lie down on the empty `cell` as far as the orders go (TOW07)."""
        if self._waived:
            return True
        low, high = self.window(cell)
        if self._rulings.facedown == "deck":
            low = 1 if low is None else max(low, 1)
            high = self._board.cards if high is None else min(high, self._board.cards)
        return not Window(low, high).empty
