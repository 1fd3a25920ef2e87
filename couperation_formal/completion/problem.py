"""The tower question as numbers: one problem for each place that the columns of level 1 can still have."""

from __future__ import annotations

import msgspec

from couperation_formal.completion.shape import Shape, shape
from couperation_formal.model.board import STANDARD, Board, Cell
from couperation_formal.model.cards import FINISH, UNSEEN, Card, Down, FinishCard, UnseenCard
from couperation_formal.model.record import Position
from couperation_formal.rules.orders import shown_on


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One place of the columns: which cells are fixed, and which values there are for the others.

    `left` is the leftmost column. `fixed[i]` is the value up on cell i of `shape`, 0 where the cell is free. `finish`
    tells whether the apex is the Finish card's: it is then neither fixed nor free, and its order is given by `ends`,
    the bounds that it sets: values before it stay under ends[0], those after it above ends[1]; None when it sets none.
    `values` are the available values, rising; `located` those of which the position shows where the card is; `hidden`
    counts the unseen gone cards. `kept` are the fixed cells that may not be given up. `stray` is a cell with the Finish
    card on it that is not the apex.
    """

    board: Board
    shape: Shape
    left: int
    fixed: tuple[int, ...]
    finish: bool
    ends: tuple[int, int] | None
    values: tuple[int, ...]
    located: frozenset[int]
    hidden: int
    kept: frozenset[int]
    stray: int | None
    finish_gone: bool

    @property
    def free(self) -> tuple[int, ...]:
        """The cells to fill, along the linear extension."""
        apex = self.shape.apex if self.finish else -1
        return tuple([i for i, value in enumerate(self.fixed) if not value and i != apex and i != self.stray])

    def cell(self, index: int) -> Cell:
        """The cell of the board that has this number."""
        column, level = self.shape.places[index]
        return Cell(column + self.left, level)


def problems(position: Position, board: Board = STANDARD) -> tuple[Problem, ...]:
    """The problems of a position, one for each place of the columns that the tower still allows, from left to right.

    Only `middle`, under `anchor=middle`. Cost: linear in the cards, for each place.
    """
    rulings = position.rules.rulings
    tower = dict(position.tower)
    lefts = range(board.levels)
    if rulings.anchor == "middle":
        lefts = range(board.middle, board.middle + 1)
    up = {cell: laid.card for cell, laid in tower.items() if not isinstance(laid, Down)}
    shown_gone = frozenset(card for card in position.gone if not isinstance(card, UnseenCard))
    taken = {card for card in up.values() if not isinstance(card, UnseenCard)} | shown_gone
    values = tuple(value for value in range(1, board.cards + 1) if value not in taken)
    ends: tuple[int, int] | None = None
    number = shown_on(board, Cell(0, board.levels), rulings)
    if number is not None:
        ends = (number, number) if rulings.between == "strict" else (number + 1, number - 1)
    found = []
    for left in lefts:
        grid = shape(board.levels)
        if any((cell.column - left, cell.level) not in grid.number for cell in tower):
            continue
        fixed = [0] * grid.size
        stray = None
        for cell, card in up.items():
            at = grid.number[cell.column - left, cell.level]
            if not isinstance(card, FinishCard | UnseenCard):
                fixed[at] = card
            elif card is FINISH and at != grid.apex:
                stray = at
        found.append(
            Problem(
                board=board,
                shape=grid,
                left=left,
                fixed=tuple(fixed),
                finish=position.variant == "finish",
                ends=ends,
                values=values,
                located=frozenset(values) & _located(position),
                hidden=sum(card is UNSEEN for card in position.gone),
                kept=_kept(position, board, grid, left, fixed),
                stray=stray,
                finish_gone=_finish_gone(position, board),
            )
        )
    return tuple(found)


def _finish_gone(position: Position, board: Board) -> bool:
    """Whether the Finish card is seen gone, or nowhere, with no unseen card that it may be: of the Reserve, up in the
    tower, or of the deck, which holds what is placed nowhere else. A drawn one lies in front, so no hand hides it.
    """
    if position.variant == "first" or FINISH in position.gone:
        return FINISH in position.gone
    piles = [*position.hands.values(), position.reserve or (), position.deck or ()]
    shown = [card for pile in piles for card in pile] + [laid.card for _, laid in position.tower]
    unlisted = board.cards + 1 - len(shown) - len(position.gone)
    hides = [*(position.reserve or ()), *(position.deck or ())]
    hides += [laid.card for _, laid in position.tower if not isinstance(laid, Down)]
    return position.front is None and FINISH not in shown and UNSEEN not in hides and not unlisted


def _located(position: Position) -> frozenset[Card]:
    """The cards that the position shows in a hand, the Reserve, the deck, or down in the tower."""
    shown = [card for hand in position.hands.values() for card in hand]
    shown += [*(position.reserve or ()), *(position.deck or ())]
    shown += [laid.card for _, laid in position.tower if isinstance(laid, Down)]
    return frozenset(card for card in shown if not isinstance(card, UnseenCard))


def _kept(position: Position, board: Board, grid: Shape, left: int, fixed: list[int]) -> frozenset[int]:
    """The fixed cells that no D may replace [replace_target]; an up 25 on its cell counts as the one of the set-up."""
    target = position.rules.rulings.replace_target
    if target == "facedown_only":
        return frozenset(range(grid.size))
    anchor = board.anchor_cell
    at = grid.number.get((anchor.column - left, anchor.level))
    if target == "not_anchor" and at is not None and fixed[at] == board.anchor:
        return frozenset({at})
    return frozenset()
