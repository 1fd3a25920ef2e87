"""What the search moves about: positions and turns as named tuples, and the frame of what stays the same."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from couperation_formal.game.budget import Steps
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.rules.arrangement import finish_number, gap, shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Board, Cell, Mark, Value, Variant

# What the search moves about: positions, turns, what a player has after a draw and what an action leaves, as named
# tuples of numbers and masks (`frame`).


class Hidden(NamedTuple):
    """What is not seen, in a position: the numbers of unseen cards as a mask, how many of them lie in each hand and in
    the Reserve, whether the Finish card is among the deck's, and the marks that were settled, as masks.
    """

    values: int
    hands: tuple[int, ...]
    reserve: int
    finish: bool
    ones: int = 0
    twos: int = 0
    hearts: int = 0


FIRST_TURN: Final = -1


class Node(NamedTuple):
    """A position before the draw of the player in `seat`; the parts of `spec/search.md`, "Positions".

    Hands and the Reserve are masks of cards; `front` is the seat with the Finish card in front, -1 for none; `top`
    counts the cards that have left the deck; `limit` is how many cards can be drawn now, FIRST_TURN in turn 1 (one, if
    wanted), below that as many less for none or all of them; `laid` is the cell laid last, or that of the source, where
    a later draw can hang on it, else -1; `moved` tells whether the card of set-up was replaced, where that matters;
    `hidden` is None where everything is seen; `replaced` tells whether D replaced a card, where that matters; `skipped`
    counts the turns without action just before.
    """

    tower: bytes
    hands: tuple[int, ...]
    front: int
    reserve: int
    top: int
    seat: int
    limit: int
    laid: int
    moved: bool
    hidden: Hidden | None
    replaced: bool = False
    skipped: int = 0


class LayUpMove(NamedTuple):
    """A: the card and the cell."""

    card: int
    cell: int


class LayDownMove(NamedTuple):
    """B: the card, 0 for an unseen one, and the cell."""

    card: int
    cell: int


class OpenMove(NamedTuple):
    """C: the cell and the card that it shows."""

    cell: int
    card: int


class ExchangeMove(NamedTuple):
    """D: the cards sent, destroyed (0 for unseen ones) and taken, and how and where it is laid; `replaced` is what lay
    there, 0 for nothing.
    """

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    face_up: bool
    cell: int
    replaced: int


class PassMove(NamedTuple):
    """No action: none is legal (`no_action=skipped`)."""


Act = LayUpMove | LayDownMove | OpenMove | ExchangeMove


class Move(NamedTuple):
    """A turn: how many cards the draw takes off the deck, which of them the Finish card unseen until now is (-1 for
    none), the action, the cards dropped and trimmed, 0 for unseen ones, and how many more leave the deck after the
    action.
    """

    drawn: int
    finish_at: int
    act: Act | PassMove
    drop: tuple[int, ...] = ()
    trim: tuple[int, ...] = ()
    fill: int = 0


class Own(NamedTuple):
    """What the player to move has after a draw."""

    hand: int
    unseen: int
    front: int
    top: int
    finish_at: int
    finish: bool
    """Whether the Finish card is still among the deck's unseen cards."""


class Total(NamedTuple):
    """What D sends, destroys and takes: masks and the numbers of cards, unseen ones apart."""

    first: int
    second: int
    destroyed: tuple[int, ...]
    taken: int
    sent_mask: int
    sent_unseen: int
    gone_mask: int
    gone_unseen: int
    taken_unseen: bool
    shown: int
    """The unseen cards that become numbers by this."""


class SearchStep(NamedTuple):
    """How a search came to a position: the step before it, and the turn that led here, None at the root. The step of a
    winning turn holds the position before that turn.
    """

    before: SearchStep | None
    node: Node
    move: Move | None


def put(parts: tuple[int, ...], seat: int, part: int) -> tuple[int, ...]:
    """The parts of all players with that of one seat changed."""
    return (*parts[:seat], part, *parts[seat + 1 :])


# What stays the same while a continuation is searched: the board as index tables, the rulings, the deck, the marks.
#
# Cells are numbered level by level from the left, `-1` is no cell. A Glass card is its number and the bit of that
# number in a mask; the Finish card has the number after the greatest one. In a tower one byte stands for each cell: 0
# for an empty cell, a card's number for an up card, `DOWN` more for a down one, `DOWN` alone for a down card nobody
# saw.

DOWN: Final = 128
MOST_CARDS: Final = DOWN - 2
"""The greatest deck that a byte a cell can hold."""
UNKNOWN_MARK: Final = -1

Links = tuple[tuple[tuple[int, int], ...], ...]
"""For each cell the cells that an order leads to, each with the least difference."""


@lru_cache(maxsize=1 << 16)
def bits(mask: int) -> tuple[int, ...]:
    """The numbers whose bits are set, rising."""
    numbers = []
    while mask:
        low = mask & -mask
        numbers.append(low.bit_length() - 1)
        mask ^= low
    return tuple(numbers)


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
        masks = [0]
        for card in reversed(self.deck):
            masks.append(masks[-1] | (1 << card if card else 0))
        return masks[::-1]

    def _unseen_below(self) -> list[int]:
        """For each place in the deck how many unseen cards lie from there on."""
        counts = [0]
        for card in reversed(self.deck):
            counts.append(counts[-1] + (card == 0))
        return counts[::-1]

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
