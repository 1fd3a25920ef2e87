"""The orders of a tower, decided plainly (TOW01, TOW02, TOW07).

Orders between up cards are compared. Orders that involve down cards form difference constraints over an acyclic graph:
the least number that each down card can stand for follows by longest paths (Bellman 1958; on an acyclic graph one pass
in a linear extension suffices, here by 2·column + level). Choices for all down cards exist exactly when no least number
passes an up card above it, or the deck's greatest number under `facedown=deck`.
"""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.tower import Tower
from couperation_formal.rules.orders import Order, OrderClause, finish_number, gap, number, orders


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
    index = orders(board)
    if cell is None:
        wanted = index.every
    else:
        wanted = index.of[clause].get(cell, ()) if clause else index.below.get(cell, ()) + index.above.get(cell, ())
    finish = finish_number(board, rulings)
    cells = tower.cells
    found = []
    for order in wanted:
        lower = cells.get(order[0])
        if lower is None:
            continue
        upper = cells.get(order[1])
        if upper is None:
            continue
        low, high = number(lower, finish), number(upper, finish)
        if low is None or high is None or low < high or (clause and order[2] != clause):
            continue
        if low + gap(order[2], rulings) > high:
            found.append(BrokenOrder(order, low, high))
    return found


def failing_chain(board: Board, tower: Tower, rulings: Rulings) -> Chain | None:
    """The reason why no numbers for the down cards keep all orders, or None when some do (TOW07).

    The orders between up cards are taken to hold. Cost: linear in the orders of the down cards.
    """
    if not tower.down or rulings.facedown == "ignored":
        return None
    least, source = _least_numbers(board, tower, rulings)
    finish = finish_number(board, rulings)
    above = orders(board).above
    for cell, value in least.items():
        if rulings.facedown == "deck" and value > board.cards:
            return Chain(_trace(cell, source), value, board.cards)
        for order in above[cell]:
            laid = tower.cells.get(order.upper)
            limit = None if laid is None else number(laid, finish)
            needed = value + gap(order.clause, rulings)
            if limit is not None and needed > limit:
                return Chain((*_trace(cell, source), order.upper), needed, limit)
    return None


def _least_numbers(board: Board, tower: Tower, rulings: Rulings) -> tuple[dict[Cell, int], dict[Cell, Cell | None]]:
    """For each down card that something bounds from below the least number it can stand for, and the cell that bounds
    it.
    """
    finish = finish_number(board, rulings)
    below = orders(board).below
    cells = tower.cells
    least: dict[Cell, int] = {}
    source: dict[Cell, Cell | None] = {}
    for cell in sorted((cell for cell in tower.down if cell in below), key=extension_key):
        best = 1 if rulings.facedown == "deck" else None
        bound_by = None
        for order in below[cell]:
            laid = cells.get(order.lower)
            if laid is None:
                continue
            value = number(laid, finish)
            if value is None:
                value = least.get(order.lower)
            if value is not None and (best is None or value + gap(order.clause, rulings) > best):
                best, bound_by = value + gap(order.clause, rulings), order.lower
        if best is not None:
            least[cell] = best
            source[cell] = bound_by
    return least, source


def _greatest_numbers(board: Board, tower: Tower, rulings: Rulings) -> dict[Cell, int]:
    """For each down card that something bounds from above the greatest number it can stand for."""
    finish = finish_number(board, rulings)
    above = orders(board).above
    greatest: dict[Cell, int] = {}
    for cell in sorted((cell for cell in tower.down if cell in above), key=extension_key, reverse=True):
        best = board.cards if rulings.facedown == "deck" else None
        for order in above[cell]:
            laid = tower.cells.get(order.upper)
            if laid is None:
                continue
            value = number(laid, finish)
            if value is None:
                value = greatest.get(order.upper)
            if value is not None and (best is None or value - gap(order.clause, rulings) < best):
                best = value - gap(order.clause, rulings)
        if best is not None:
            greatest[cell] = best
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
    satisfiable system of difference constraints satisfiable.) Cost: one pass over the orders of the down cards when
    made, one look a cell.
    """

    def __init__(self, board: Board, tower: Tower, rulings: Rulings) -> None:
        self._board, self._tower, self._rulings = board, tower, rulings
        self._waived = rulings.facedown == "ignored"
        self._least = {} if self._waived else _least_numbers(board, tower, rulings)[0]
        self._greatest = {} if self._waived else _greatest_numbers(board, tower, rulings)

    def window(self, cell: Cell) -> Window:
        """The numbers that an up card on `cell` may show. The cell is empty and on the board."""
        index = orders(self._board)
        finish = finish_number(self._board, self._rulings)
        low: int | None = None
        high: int | None = None
        for order in index.below[cell]:
            laid = self._tower.cells.get(order.lower)
            if laid is None:
                continue
            value = number(laid, finish)
            if value is None:
                value = self._least.get(order.lower)
            if value is not None:
                value += gap(order.clause, self._rulings)
                low = value if low is None else max(low, value)
        for order in index.above[cell]:
            laid = self._tower.cells.get(order.upper)
            if laid is None:
                continue
            value = number(laid, finish)
            if value is None:
                value = self._greatest.get(order.upper)
            if value is not None:
                value -= gap(order.clause, self._rulings)
                high = value if high is None else min(high, value)
        return Window(low, high)

    def fits_down(self, cell: Cell) -> bool:
        """Whether a card may lie down on the empty `cell` as far as the orders go (TOW07)."""
        if self._waived:
            return True
        low, high = self.window(cell)
        if self._rulings.facedown == "deck":
            low = 1 if low is None else max(low, 1)
            high = self._board.cards if high is None else min(high, self._board.cards)
        return not Window(low, high).empty
