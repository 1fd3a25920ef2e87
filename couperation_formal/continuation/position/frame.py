"""What stays the same while a continuation is searched: the board as index tables, the rulings, the deck, the marks.

Cells are numbered level by level from the left, `-1` is no cell. A Glass card is its number and the bit of that number
in a mask; the Finish card has the number after the greatest one. In a tower one byte stands for each cell: 0 for an
empty cell, a card's number for an up card, `DOWN` more for a down one, `DOWN` alone for a down card nobody saw.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.budget import Steps
from couperation_formal.model.cards import Mark, Value, Variant
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.rulings import Rulings
from couperation_formal.rules.orders import finish_number, gap, shown_on

DOWN: Final = 128
MOST_CARDS: Final = DOWN - 2
"""The greatest deck that a byte a cell can hold."""
UNKNOWN_MARK: Final = -1

Links = tuple[tuple[tuple[int, int], ...], ...]
"""For each cell the cells that an order leads to, each with the least difference."""


@lru_cache(maxsize=1 << 16)
def bits(mask: int) -> tuple[int, ...]:
    """The numbers whose bits are set, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


class Frame:
    """The tables of one search, and the `budget` that pays for it. Built once for a position; cost: linear in the
    orders of the board.
    """

    def __init__(
        self,
        board: Board,
        variant: Variant,
        players: int,
        rulings: Rulings,
        marks: dict[Value, Mark],
        deck: tuple[int, ...],
        budget: Steps | None = None,
    ) -> None:
        if board.cards > MOST_CARDS:
            raise Unfit(fact("many_for_search", most=MOST_CARDS, cards=board.cards))
        self.board, self.variant, self.players, self.rulings = board, variant, players, rulings
        self.budget = Steps() if budget is None else budget
        self.cells = [Cell(x, r) for r in range(1, board.levels + 1) for x in range(board.columns - r + 1)]
        self.number = {cell: at for at, cell in enumerate(self.cells)}
        self.glass = (1 << board.cards + 1) - 2
        self.finish = board.cards + 1
        self.finish_bit = 1 << self.finish
        self.cards = self.glass | self.finish_bit
        # F's number in sums and on cells below the apex, and on the apex; 0 where it has none.
        self.finish_value = finish_number(board, rulings) or 0
        self.finish_on_apex = shown_on(board, Cell(0, board.levels), rulings) or 0
        # On the apex it is a bound: cells below it stay under the first of these, cells above over the second.
        bound = self.finish_on_apex if variant == "finish" else 0
        lax = rulings.between == "inclusive"
        self.edges = (bound + lax, bound - lax) if bound else (board.cards + 1, 0)
        # Whether only laying the apex wins, so that one that lies too early has to be laid again (END01).
        self.apex_again = rulings.early_apex != "win_on_completion"
        self.size = board.size
        self.limit = board.hand_limit
        self.anchor = self.number[board.anchor_cell]
        size = board.reserve_size(players)
        if size is None:
            raise Unfit(fact("no_reserve", players=players))
        self.reserve_size = size
        self.deck = deck
        self.deck_masks = self._deck_masks()
        self.unseen_below = self._unseen_below()
        self.units_below = self._units_below()
        self.diamonds = [UNKNOWN_MARK] * (board.cards + 2)
        for value, mark in marks.items():
            self.diamonds[value] = 0 if mark == "H" else int(mark)
        self.below, self.above = self._links()
        self.extension = sorted(range(len(self.cells)), key=lambda at: 2 * self.cells[at].column + self.cells[at].level)
        self.supports = [
            (-1, -1) if level == 1 else (self.number[Cell(x, level - 1)], self.number[Cell(x + 1, level - 1)])
            for x, level in self.cells
        ]
        self.beside = [
            tuple(self.number[Cell(y, 1)] for y in (x - 1, x + 1) if 0 <= y < board.columns) if level == 1 else ()
            for x, level in self.cells
        ]
        self.lefts = [(max(0, x - board.levels + level), min(board.levels - 1, x)) for x, level in self.cells]
        self.is_apex = [level == board.levels for _, level in self.cells]

    def _deck_masks(self) -> list[int]:
        """For each place in the deck the cards known to lie from there on, as a mask."""
        found = [0]
        for card in reversed(self.deck):
            found.append(found[-1] | (1 << card if card else 0))
        return found[::-1]

    def _unseen_below(self) -> list[int]:
        """For each place in the deck how many unseen cards lie from there on."""
        found = [0]
        for card in reversed(self.deck):
            found.append(found[-1] + (card == 0))
        return found[::-1]

    def _units_below(self) -> list[int]:
        """For each place in the deck how many cards can be drawn from there on, the Finish card with its replacement
        counting as one (DRW06).
        """
        count = len(self.deck)
        held = [count - top for top in range(count + 1)]
        if self.finish in self.deck[:-1]:
            at = self.deck.index(self.finish)
            held = [units - (top <= at) for top, units in enumerate(held)]
        return held

    def _links(self) -> tuple[Links, Links]:
        """For each cell the orders to the cells below and above it in number, nearest gaps first."""
        row, rest = gap("TOW01", self.rulings), gap("TOW02", self.rulings)
        below: list[list[tuple[int, int]]] = [[] for _ in self.cells]
        above: list[list[tuple[int, int]]] = [[] for _ in self.cells]
        for at, (x, level) in enumerate(self.cells):
            for y in range(x + 1, self.board.columns - level + 1):
                other = self.number[Cell(y, level)]
                below[other].append((at, row))
                above[at].append((other, row))
            if level > 1:
                left, right = self.number[Cell(x, level - 1)], self.number[Cell(x + 1, level - 1)]
                below[at].append((left, rest))
                above[left].append((at, rest))
                below[right].append((at, rest))
                above[at].append((right, rest))
        return tuple(map(tuple, below)), tuple(map(tuple, above))
