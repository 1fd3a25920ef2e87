"""The repair distance by dynamic programming over order ideals: another way than conflicts and hitting sets.

Numbers are dealt out from 1 upward; the cells that have one so far form an ideal of the order (with a cell, all below
it), and the staircase of seven levels has only 1,430. An up card is kept when its own number comes to its cell. Every
card that is not gone may be used: one that is up and not kept was given up. Unseen gone cards are left out of it.
"""

from __future__ import annotations

from functools import lru_cache

from couperation_formal.game.record import Position
from couperation_formal.game.tower import Board, Cell, FinishCard, UnseenCard
from tests.towers.completion.brute import extension, may_go, up_cards

Moves = tuple[tuple[tuple[int, int], ...], ...]


@lru_cache(maxsize=8)
def ideals(levels: int) -> tuple[tuple[Cell, ...], Moves]:
    """The cells of a pyramid from column 0 along the linear extension; for each ideal, the empty one first, the cells
    that may come next and the ideal they lead to.
    """
    cells = sorted((Cell(c, r) for r in range(1, levels + 1) for c in range(levels - r + 1)), key=extension)
    numbers = {cell: i for i, cell in enumerate(cells)}
    below = [
        [numbers[low] for low in (Cell(c, r - 1), Cell(c - 1, r + 1)) if low in numbers] for c, r in cells
    ]  # fmt: skip
    found = {0: 0}
    edges: list[tuple[tuple[int, int], ...]] = []
    waiting = [0]
    for ideal in waiting:
        steps = []
        for i, lower in enumerate(below):
            if not ideal >> i & 1 and all(ideal >> j & 1 for j in lower):
                after = ideal | 1 << i
                if after not in found:
                    found[after] = len(waiting)
                    waiting.append(after)
                steps.append((i, found[after]))
        edges.append(tuple(steps))
    return tuple(cells), tuple(edges)


def ideal_repair(position: Position, board: Board, left: int) -> tuple[Cell, ...] | None:
    """The least set of up cards to give up, of several the first along the linear extension; None when none helps.

    The Finish card off its apex goes with them. No unseen gone cards.
    """
    shown, edges = ideals(board.levels)
    cells = [Cell(column + left, level) for column, level in shown]
    able = set(may_go(position, board, left))
    up = up_cards(position)
    stray = {cell for cell, card in up.items() if isinstance(card, FinishCard) and cell != Cell(left, board.levels)}
    if stray - able or any(isinstance(card, FinishCard) for card in position.gone):
        return None
    gone = {int(card) for card in position.gone if not isinstance(card, FinishCard | UnseenCard)}
    value_of = {cells.index(cell): int(card) for cell, card in up.items() if not isinstance(card, FinishCard)}
    bound = {i for i in value_of if cells[i] not in able}
    # a card kept is worth more than any choice of places, and of these the first along the extension are worth most
    size = len(cells)
    worth = {i: (1 << size) - (1 << (size - 1 - i)) for i in value_of}
    apex = cells.index(Cell(left, board.levels)) if position.variant == "finish" else -1
    number = board.anchor if position.rules.rulings.finish_value == "25" else None
    above = {i for i, cell in enumerate(cells) if apex >= 0 and _over(cell, cells[apex])}
    strict = position.rules.rulings.between == "strict"
    reached = [-1] * len(edges)
    reached[0] = 0
    for value in range(1, board.cards + 1):
        if apex >= 0 and (number is None or value == number):
            _pass_apex(reached, edges, apex)
        if value in gone:
            continue
        after = reached[:]
        for at, steps in enumerate(edges):
            kept = reached[at]
            if kept < 0:
                continue
            for i, to in steps:
                if i == apex or (i in bound and value_of[i] != value):
                    continue
                if number is not None and strict and value == number and i in above:
                    continue
                total = kept + worth[i] if value_of.get(i) == value else kept
                if total > after[to]:
                    after[to] = total
        reached = after
        if apex >= 0 and (number is None or (value == number and not strict)):
            _pass_apex(reached, edges, apex)
    if reached[-1] < 0:
        return None
    lost = sum(worth.values()) - reached[-1]
    count = -(-lost // (1 << size))
    given = {cells[i] for i in value_of if ((count << size) - lost) >> (size - 1 - i) & 1}
    return tuple(sorted(given | stray, key=extension))


def _over(cell: Cell, other: Cell) -> bool:
    """Whether `cell` is above `other` in the order."""
    return cell != other and cell.column >= other.column and cell.column + cell.level >= other.column + other.level


def _pass_apex(reached: list[int], edges: Moves, apex: int) -> None:
    """The Finish card's cell joins each ideal that it may, without a number being used up."""
    for at, steps in enumerate(edges):
        for i, to in steps:
            if i == apex and reached[at] > reached[to]:
                reached[to] = reached[at]
