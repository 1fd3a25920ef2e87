"""The tower question by plain trying: every order as TOW01 and TOW02 word it, every value on every cell.

Reads positions itself and shares nothing with the package's completion but the data types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from couperation_formal.game.record import Position
from couperation_formal.game.tower import FINISH, UNSEEN, Board, Card, Cell, Down, FinishCard, UnseenCard, Up, Value


class Step(NamedTuple):
    """The number on `lower` is at least `gap` less than the one on `upper`."""

    lower: Cell
    upper: Cell
    gap: int


class World(NamedTuple):
    """One place of the columns after some up cards were given up.

    `numbers` are those that up cards and the Finish card's apex show; `orders` those between cells that have or will
    have a number; `spare` is how many values that are not located may be used at most.
    """

    numbers: dict[Cell, int]
    free: tuple[Cell, ...]
    values: tuple[int, ...]
    located: frozenset[int]
    hidden: int
    orders: tuple[Step, ...]

    @property
    def spare(self) -> int:
        return sum(value not in self.located for value in self.values) - self.hidden


def extension(cell: Cell) -> tuple[int, int]:
    """Where a cell stands in the linear extension."""
    return 2 * cell.column + cell.level, cell.level


def places(position: Position, board: Board) -> list[int]:
    """The leftmost columns of the pyramids that the ruling allows and the tower fits in."""
    lefts = [board.middle] if position.rules.rulings.anchor == "middle" else list(range(board.levels))
    return [left for left in lefts if {cell for cell, _ in position.tower} <= set(board.pyramid(left))]


def up_cards(position: Position) -> dict[Cell, Card]:
    return {cell: laid.card for cell, laid in position.tower if type(laid) is Up}  # type: ignore[misc]


def may_go(position: Position, board: Board, left: int) -> list[Cell]:
    """The up cards that a D may replace, the Finish card on its apex left out, along the linear extension."""
    target = position.rules.rulings.replace_target
    apex = Cell(left, board.levels)
    able = []
    for cell, card in up_cards(position).items():
        anchor = cell == board.anchor_cell and card == board.anchor
        barred = target == "facedown_only" or (target == "not_anchor" and anchor)
        if not barred and not (card is FINISH and cell == apex):
            able.append(cell)
    return sorted(able, key=extension)


def world(position: Position, board: Board, left: int, given: Iterable[Cell] = ()) -> World | None:
    """The question at a place once the cards on `given` were given up; None when the Finish card alone forbids it."""
    rulings = position.rules.rulings
    apex = Cell(left, board.levels)
    finish = position.variant == "finish"
    gone_up = [card for cell, card in up_cards(position).items() if cell in given]
    up = {cell: card for cell, card in up_cards(position).items() if cell not in given}
    if FINISH in position.gone or any(card is FINISH and cell != apex for cell, card in up.items()):
        return None
    numbers = {cell: int(card) for cell, card in up.items() if not isinstance(card, FinishCard)}
    if finish and rulings.finish_value == "25":
        numbers[apex] = board.anchor
    cells = [cell for cell in board.pyramid(left) if not (finish and cell == apex)]
    taken = {*up.values(), *position.gone}
    values = tuple(value for value in range(1, board.cards + 1) if Value(value) not in taken)
    shown = [card for hand in position.hands.values() for card in hand]
    shown += [*(position.reserve or ()), *(position.deck or ()), *gone_up]
    shown += [laid.card for _, laid in position.tower if type(laid) is Down]
    numbered = {*cells, *numbers}
    return World(
        numbers,
        tuple(sorted((cell for cell in cells if cell not in numbers), key=extension)),
        values,
        frozenset(int(card) for card in shown if not isinstance(card, FinishCard | UnseenCard)).intersection(values),
        sum(card is UNSEEN for card in position.gone),
        tuple(
            step for step in _orders(position, board, left) if step.lower in numbered and step.upper in numbered
        ),
    )  # fmt: skip


def _orders(position: Position, board: Board, left: int) -> Iterator[Step]:
    rulings = position.rules.rulings
    row, between = rulings.row_order == "strict", rulings.between == "strict"
    for lower, upper in combinations(board.pyramid(left), 2):
        if lower.level == upper.level:
            yield Step(lower, upper, int(row))
    for cell in board.pyramid(left):
        if cell.level > 1:
            yield Step(Cell(cell.column, cell.level - 1), cell, int(between))
            yield Step(cell, Cell(cell.column + 1, cell.level - 1), int(between))


def holds(there: World, filling: dict[Cell, int]) -> bool:
    """Whether a filling is right."""
    if set(filling) != set(there.free) or len(set(filling.values())) < len(filling):
        return False
    if not set(filling.values()) <= set(there.values):
        return False
    numbers = there.numbers | filling
    if any(numbers[step.lower] + step.gap > numbers[step.upper] for step in there.orders):
        return False
    return sum(value not in there.located for value in filling.values()) <= there.spare


def some_filling(there: World | None) -> dict[Cell, int] | None:
    """A right filling, by backtracking; None when there is none."""
    if there is None:
        return None
    numbers = dict(there.numbers)
    if any(
        numbers[lower] + gap > numbers[upper]
        for lower, upper, gap in there.orders
        if lower in numbers and upper in numbers
    ):
        return None
    under: dict[Cell, list[tuple[Cell, int]]] = {cell: [] for cell in there.free}
    over: dict[Cell, list[tuple[Cell, int]]] = {cell: [] for cell in there.free}
    known = set(numbers)
    for cell in there.free:
        under[cell] = [(step.lower, step.gap) for step in there.orders if step.upper == cell and step.lower in known]
        over[cell] = [(step.upper, step.gap) for step in there.orders if step.lower == cell and step.upper in known]
        known.add(cell)
    used: set[int] = set()

    def extend(at: int, spare: int) -> bool:
        if spare < 0:
            return False
        if at == len(there.free):
            return True
        cell = there.free[at]
        least = max((numbers[other] + gap for other, gap in under[cell]), default=0)
        most = min((numbers[other] - gap for other, gap in over[cell]), default=there.values[-1] if there.values else 0)
        for value in there.values:
            if least <= value <= most and value not in used:
                numbers[cell] = value
                used.add(value)
                if extend(at + 1, spare - (value not in there.located)):
                    return True
                used.remove(value)
        return False

    return {cell: numbers[cell] for cell in there.free} if extend(0, there.spare) else None


def least_repair(position: Position, board: Board, left: int) -> tuple[Cell, ...] | None:
    """The smallest set of up cards whose giving up leaves a filling, of several the first along the linear extension.

    On more than three levels it is taken for granted that giving up more cards never hurts.
    """
    able = may_go(position, board, left)
    if board.levels > 3 and some_filling(world(position, board, left, able)) is None:
        return None
    for size in range(len(able) + 1):
        for given in combinations(able, size):
            if some_filling(world(position, board, left, given)) is not None:
                return given
    return None


def ordered(there: World) -> set[tuple[Cell, Cell]]:
    """Every pair of cells, lower first, that a run of orders links."""
    above: dict[Cell, set[Cell]] = {}
    for step in there.orders:
        above.setdefault(step.lower, set()).add(step.upper)
    found: set[tuple[Cell, Cell]] = set()
    for cell in above:
        reached, edge = set(above[cell]), list(above[cell])
        while edge:
            for upper in above.get(edge.pop(), ()):
                if upper not in reached:
                    reached.add(upper)
                    edge.append(upper)
        found |= {(cell, upper) for upper in reached}
    return found
