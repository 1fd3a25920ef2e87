"""Cards and their marks, the board and its cells, and how cards lie in the tower."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, NewType, final

import msgspec

# Cards, marks, and the two ways a card lies in the tower.
#
# The Finish card and a card that the recorder did not see are types of their own, so that neither can be taken for a
# number.

Value = NewType("Value", int)
"""The number on a Glass card."""

Mark = Literal["1", "2", "H"]
"""One diamond, two diamonds, a heart."""

Variant = Literal["first", "finish"]


@final
class FinishCard:
    """The type of `FINISH`, the one Finish card; written ``F``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "FINISH"

    def __str__(self) -> str:
        return "F"

    def __reduce__(self) -> str:
        return "FINISH"


@final
class UnseenCard:
    """The type of `UNSEEN`, some card that the record does not show; written ``?``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSEEN"

    def __str__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNSEEN"


FINISH = FinishCard()
UNSEEN = UnseenCard()

Card = Value | FinishCard
"""A card whose identity is known."""

Shown = Value | FinishCard | UnseenCard
"""A card as a record shows it."""


class Up(msgspec.Struct, frozen=True):
    """A card lying face up."""

    card: Shown

    def __str__(self) -> str:
        return str(self.card)


class Down(msgspec.Struct, frozen=True):
    """A card lying face down; `card` is what the recorder knows of it and plays no part in the orders (TOW07)."""

    card: Shown

    def __str__(self) -> str:
        return f"~{self.card}"


Laid = Up | Down


def card_key(card: Shown) -> tuple[int, int]:
    """A sort key: Glass cards by value, then the Finish card, then unseen ones."""
    if isinstance(card, FinishCard):
        return 1, 0
    if isinstance(card, UnseenCard):
        return 2, 0
    return 0, card


def level_by_level(cells: Mapping[Cell, Laid]) -> tuple[tuple[Cell, Laid], ...]:
    """Laid cards with their cells, from the bottom up, each level from left to right."""
    return tuple(sorted(cells.items(), key=lambda item: (item[0].level, item[0].column)))


def card_list(cards: Iterable[Shown], separator: str = " ") -> str:
    """Cards as text in the order of `card_key`."""
    return separator.join(str(card) for card in sorted(cards, key=card_key))


# The board: levels, columns, cells, and the numbers that the set-up fixes.
#
# Everything is parametric, so that small games can be tried exhaustively; `STANDARD` is the printed game.
# Columns count from 0 (letter ``a``), levels from 1 (the bottom).


def column_name(column: int) -> str:
    """The letters of a column: ``a`` for 0, ``z`` for 25, ``aa`` for 26 (boards beyond the printed one)."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("a") + rest) + name
    return name


class Cell(NamedTuple):
    """A place of the tower: column from 0 (``a``), level from 1 (the bottom)."""

    column: int
    level: int

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.level}"

    @property
    def supports(self) -> tuple[Cell, Cell]:
        """The left and the right cell that a card here rests on; meaningful above level 1 only."""
        return _supports(self)


@lru_cache(maxsize=4096)
def _supports(cell: Cell) -> tuple[Cell, Cell]:
    return Cell(cell.column, cell.level - 1), Cell(cell.column + 1, cell.level - 1)


class Board(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The numbers of a game. `reserve_sizes` pairs a number of players with the Reserve's size (SET03)."""

    levels: int = 7
    cards: int = 50
    anchor: int = 25
    deal: int = 3
    hand_limit: int = 3
    refill: int = 2
    reserve_sizes: tuple[tuple[int, int], ...] = ((2, 6), (3, 5), (4, 4))

    @property
    def columns(self) -> int:
        """How many columns the seven of level 1 can reach when they may lie anywhere around the anchor."""
        return 2 * self.levels - 1

    @property
    def anchor_cell(self) -> Cell:
        """Where the set-up lays the anchor card (SET04): `g1` on the printed board."""
        return Cell(self.levels - 1, 1)

    @property
    def middle(self) -> int:
        """The leftmost column of the pyramid whose level 1 has the anchor in the middle."""
        return self.levels - 1 - self.levels // 2

    @property
    def size(self) -> int:
        """The number of cells of a full tower."""
        return self.levels * (self.levels + 1) // 2

    def reserve_size(self, players: int) -> int | None:
        """The Reserve's size for so many players, or None where the rules give none (SET01)."""
        for count, size in self.reserve_sizes:
            if count == players:
                return size
        return None

    def pyramid(self, left: int) -> tuple[Cell, ...]:
        """The cells of the pyramid whose level 1 begins in column `left`, level by level."""
        return _pyramid(self.levels, left)


@lru_cache(maxsize=512)
def _pyramid(levels: int, left: int) -> tuple[Cell, ...]:
    end = left + levels + 1
    return tuple(Cell(column, level) for level in range(1, levels + 1) for column in range(left, end - level))


STANDARD = Board()


# The tower as an immutable value: what lies where, and what follows from it at once.


class Tower(msgspec.Struct, frozen=True):
    """The laid cards by cell.

    `down` holds the cells of down cards, `numbers` the numbers of the Glass cards that lie up, `finish` the cell where
    the Finish card does; `first` and `last` bound the leftmost column of the pyramids that hold every
    laid card (TOW04): no pyramid does when `first > last`. `cells` and `numbers` are never changed: each move makes a
    new tower.
    """

    levels: int
    cells: Mapping[Cell, Laid]
    down: frozenset[Cell]
    numbers: Mapping[Cell, int]
    finish: Cell | None
    first: int
    last: int

    @classmethod
    def of(cls, board: Board, cells: Mapping[Cell, Laid]) -> Tower:
        """The tower of these laid cards. Cost: linear in their number."""
        first, last = 0, board.levels - 1
        for column, level in cells:
            first = max(first, column - board.levels + level)
            last = min(last, column)
        down = frozenset(cell for cell, laid in cells.items() if type(laid) is Down)
        up = {cell: laid.card for cell, laid in cells.items() if type(laid) is Up}
        numbers = {cell: card for cell, card in up.items() if isinstance(card, int)}
        finish = next((cell for cell, card in up.items() if card is FINISH), None)
        return cls(board.levels, dict(cells), down, numbers, finish, first, last)

    @classmethod
    def start(cls, board: Board) -> Tower:
        """The tower of the set-up (SET04)."""
        return cls.of(board, {board.anchor_cell: Up(Value(board.anchor))})

    def lay(self, cell: Cell, laid: Laid) -> Tower:
        """The tower with `laid` on `cell`, in place of what lay there."""
        cells = dict(self.cells)
        cells[cell] = laid  # a cell keeps its place among them
        before = self if len(cells) > len(self.cells) else self.without(cell)
        down, numbers, finish = before.down, before.numbers, before.finish
        if type(laid) is Down:
            down |= {cell}
        elif isinstance(laid.card, int):
            numbers = dict(numbers)
            numbers[cell] = laid.card
        elif laid.card is FINISH:
            finish = cell
        column, level = cell
        first, last = max(self.first, column - self.levels + level), min(self.last, column)
        return Tower(self.levels, cells, down, numbers, finish, first, last)

    def without(self, cell: Cell) -> Tower:
        """The tower with `cell` empty; its pyramids stay as they were, as a replaced card's place does (ACT07)."""
        cells, numbers = dict(self.cells), dict(self.numbers)
        del cells[cell]
        numbers.pop(cell, None)
        finish = None if self.finish == cell else self.finish
        return Tower(self.levels, cells, self.down - {cell}, numbers, finish, self.first, self.last)

    @property
    def hidden(self) -> frozenset[Cell]:
        """The cells on which a card lies up that the record does not show."""
        return frozenset(cell for cell, laid in self.cells.items() if laid.card is UNSEEN and type(laid) is Up)

    @property
    def all_up(self) -> bool:
        """Whether the tower is full, every cell of a pyramid being taken, and no card of it is down."""
        return len(self.cells) >= self.levels * (self.levels + 1) // 2 and not self.down
