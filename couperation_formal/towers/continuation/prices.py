"""The least price of a final tower, for positions of the search: how many cards actions D take at least beside one for
each empty cell.

The price is that of `final_tower`, with one card for each action D, and so is the walk along the order ideals;
here all ideals of one price are one number. An ideal holds in each column the cells up to some level, and these heights
fall strictly from left to right while there are any, since the cell on the right of the one it holds rests below it: so
it is a set of heights, and a *word* with bit h - 1 for a column of height h. The next cell of a column of height h
moves one bit: the word grows by 2^(h-1), or by 1 where the column was empty. A set of ideals is a number with a bit for
each word, and adding one cell to all of them a mask and a shift. For each price there is one such *lane*, the cheapest
first, and the lanes lie in one number.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from couperation_formal.towers.continuation.position import DOWN, Frame, Node, bits

_KEPT: Final = 1 << 16
_WALKS: Final = 1 << 13
_PARTS: Final = 1 << 17
_SHAPES: Final = 1 << 12
"""So many prices, walks, parts of walks, and steps are kept; all but prices are large."""
_PART: Final = 10
"""So many numbers are a part."""
_WALKED: Final = 3
_GROWN: Final = 3
"""The steps that a walk takes to be made, and to be gone by a part of the numbers."""

Cell = tuple[int, int]
"""Column, counted from the left end of level 1, and level."""
Growth = tuple[tuple[int, int, int], ...]
"""Level by level: the shift of words, the ideals (in every lane) to which a cell is added at no price, and those (in
every lane but the dearest) where it takes an action D.
"""


@lru_cache(maxsize=8)
def addable(levels: int) -> dict[Cell, int]:
    """For each cell, as (column, level), the ideals that it can be added to: a bit for each word."""
    ideals: dict[Cell, int] = {}
    for word in range(1 << levels):
        for level in range(1, levels + 1):
            if not word >> level - 1 & 1 and (level == 1 or word >> level - 2 & 1):
                cell = (word >> level).bit_count(), level
                ideals[cell] = ideals.get(cell, 0) | 1 << word
    return ideals


class Walk(NamedTuple):
    """How the ideals grow by a number on a tower at one place of the columns: by an own card, one of the Reserve and
    one that nobody saw, each by the band of its number; and the steps that fill the cells where numbers are laid.
    """

    own: tuple[Growth, ...]
    reserve: tuple[Growth, ...]
    unseen: tuple[Growth, ...]
    laid: dict[int, Growth]
    numbers: int
    serial: int


class Prices:
    """The prices under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        board = frame.board
        self._levels, self._lane = board.levels, 1 << board.levels
        self._addable = addable(board.levels)
        self._apex = 0, board.levels
        places = {(cell.column, cell.level): number for number, cell in enumerate(frame.cells)}
        numbered = [{cell: places[cell[0] + left, cell[1]] for cell in self._addable} for left in range(board.levels)]
        self._finish = frame.variant == "finish"
        under, self._over = frame.edges
        self._bands = [(number <= self._over) + 2 * (number >= under) for number in range(board.cards + 1)]
        """Which edges the Finish card on the apex bars to a number: bit 0 the cells above it, bit 1 those below."""
        if self._finish:
            for numbers in numbered:
                del numbers[self._apex]
        self._cells = [
            [(cell, number, self._addable[cell]) for cell, number in numbers.items()] for numbers in numbered
        ]
        self._edges = [
            [
                ~sum(
                    words
                    for cell, words in self._addable.items()
                    if cell[1] == level and _barred(cell, band, self._levels)
                )
                for level in range(self._levels + 1)
            ]
            for band in range(4)
        ]
        self._growth, self._stay = lru_cache(_SHAPES)(self._growths), lru_cache(_SHAPES)(self._one_stay)
        self._walked = 0
        self._parts = [(1 << _PART) - 1 << first for first in range(0, board.cards + 1, _PART)]
        self._grown: dict[tuple[int, int, int, int, int, int, int], int] = {}
        self._idle: dict[tuple[bytes, bool, int, int, int], int] = {}
        self._walks: dict[tuple[bytes, bool, int], list[Walk]] = {}
        self._found: dict[tuple[bytes, bool, int, int, int, int], int | None] = {}

    def least(self, node: Node, limit: int) -> int | None:
        """The least price of a final tower, None when every one is dearer than `limit`, which is not below 0.

        Cost: some tens of microseconds a place, growing with `limit`; what was asked is kept.
        """
        frame, tower, reserve, hidden = self.frame, node.tower, node.reserve, node.hidden
        own = frame.deck_masks[node.top]
        for hand in node.hands:
            own |= hand
        unseen = hidden.values if hidden is not None else 0
        first = 0
        # F in front, in the deck or laid is free, in the Reserve it takes a D if it has a number; else no tower can be.
        if self._finish and node.front < 0 and not own & frame.finish_bit and frame.finish not in tower:
            if reserve & frame.finish_bit and frame.finish_value:
                first = 1
            elif not (hidden is not None and hidden.finish):
                return None
        # In whose hand a card is plays no part: positions that share these share the price.
        key = tower, node.moved, own & frame.glass, reserve & frame.glass, unseen, limit - first
        if key not in self._found:
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[key] = self._cheapest(*key)
        price = self._found[key]
        return None if price is None else price + first

    def idle(self, node: Node, price: int) -> int:
        """The numbers of the Reserve with which every final tower is dearer than `price`, as a mask.

        Everything is seen, and the least price of the position is `price`. Cost: some least prices; what was asked is
        kept.
        """
        frame = self.frame
        own = frame.deck_masks[node.top]
        for hand in node.hands:
            own |= hand
        numbers = node.reserve & frame.glass
        limit = price - (node.reserve & frame.finish_bit > 0)
        key = node.tower, node.moved, own & frame.glass, numbers, limit
        if key not in self._idle:
            if len(self._idle) >= _KEPT:
                self._idle.clear()
            self._idle[key] = sum(1 << number for number in bits(numbers) if self._dear(*key, number))
        return self._idle[key]

    def _dear(self, tower: bytes, moved: bool, own: int, reserve: int, limit: int, number: int) -> bool:
        return limit <= 0 or self._cheapest(tower, moved, own, reserve, 0, limit, 1 << number) is None

    def _cheapest(
        self, tower: bytes, moved: bool, own: int, reserve: int, unseen: int, limit: int, taken: int = 0
    ) -> int | None:
        """The least price of final towers with the number `taken` (a mask), if any."""
        if limit < 0:
            return None
        key = tower, moved, limit
        if key not in self._walks:
            if len(self._walks) >= _WALKS:
                self._walks.clear()
            self._walks[key] = [self._walk(tower, left, moved, limit) for left in self.places(tower)]
        self.frame.budget.spend()
        prices = [self._along(walk, own, reserve, unseen, limit, taken) for walk in self._walks[key]]
        return min((price for price in prices if price is not None), default=None)

    def _along(self, walk: Walk, own: int, reserve: int, unseen: int, limit: int, taken: int) -> int | None:
        lane = self._lane
        lanes = _lanes(lane, limit)
        # Before any number every lane holds the empty ideal, bit 0: lane p is what costs p or less.
        ideals = lanes
        # In the variant `finish` no number comes to the apex: F is added, at no price, once all else is filled.
        apex = self._addable[self._apex] * lanes if self._finish else 0
        for part in self._parts:
            # The same numbers of one part make the same of the same ideals, so each part of a walk is gone once.
            key = walk.serial, ideals, own & part, reserve & part, unseen & part, walk.numbers & part, taken & part
            grown = self._grown.get(key)
            if grown is None:
                if len(self._grown) >= _PARTS:
                    self._grown.clear()
                self.frame.budget.spend(_GROWN)
                grown = self._grown[key] = self._grow(walk, apex, *key[1:])
            ideals = grown
        # The full pyramid is the last bit of a lane, and the first lane that has it is the price.
        full = ideals & lanes << lane - 1
        return ((full & -full).bit_length() - 1) // lane if full else None

    def _grow(
        self, walk: Walk, apex: int, ideals: int, own: int, reserve: int, unseen: int, laid: int, taken: int
    ) -> int:
        """The ideals after some consecutive numbers."""
        lane, shift, bands = self._lane, 1 << max(0, self._levels - 2), self._bands
        for number in bits(own | reserve | unseen | laid):
            kind = walk.reserve if reserve >> number & 1 else walk.unseen if unseen >> number & 1 else walk.own
            # A number that the tower must hold leaves no ideal as it was; any other may be passed over.
            grown = 0 if taken >> number & 1 else ideals
            for moved, free, paid in (*kind[bands[number]], *walk.laid.get(number, ())):
                # One cell more for all ideals at once: in its lane where it is free, in the next where it takes a D.
                grown |= (ideals & free | (ideals & paid) << lane) << moved
            if apex:
                grown |= (grown & apex) << shift
            ideals = grown
        return ideals

    def places(self, tower: bytes) -> range:
        """The places of the columns that hold every laid card (TOW04)."""
        frame = self.frame
        laid = [frame.lefts[cell] for cell, code in enumerate(tower) if code]
        first = max([low for low, _ in laid], default=0)
        last = min([high for _, high in laid], default=frame.board.levels - 1)
        if frame.rulings.anchor == "middle":
            first, last = max(first, frame.board.middle), min(last, frame.board.middle)
        return range(first, last + 1)

    def _walk(self, tower: bytes, left: int, moved: bool, limit: int) -> Walk:
        frame, apex = self.frame, self._apex
        frame.budget.spend(_WALKED)
        stays: dict[int, Growth] = {}
        empty, paid, wild = [[0] * (self._levels + 1) for _ in range(3)]
        for cell, number, words in self._cells[left]:
            code = tower[number]
            if not code:
                empty[cell[1]] |= words
                continue
            # Another number on a laid cell takes a D, where its card may be replaced (ACT07).
            if self._replaceable(number, code, moved):
                paid[cell[1]] |= words
            # A card stays for nothing where it lies, opened where it is down; an apex to be laid again does not.
            card = code & ~DOWN
            if not card:
                wild[cell[1]] |= words
            elif card != frame.finish:
                stays[card] = () if cell == apex and frame.apex_again else self._stay(cell, self._bands[card], limit)
        # One of the Reserve is paid for everywhere; one that nobody saw may be an unseen laid card, which stays.
        either = [free | some for free, some in zip(empty, paid, strict=True)]
        unseen = [free | some for free, some in zip(empty, wild, strict=True)]
        own = self._growth(tuple(empty), tuple(paid), limit)
        self._walked += 1
        return Walk(
            own,
            self._growth((0,) * len(either), tuple(either), limit),
            self._growth(tuple(unseen), tuple(paid), limit) if any(wild) else own,
            stays,
            sum(1 << number for number in stays),
            self._walked,
        )

    def _replaceable(self, number: int, code: int, moved: bool) -> bool:
        """Whether D may replace the card on a cell (ACT07)."""
        target = self.frame.rulings.replace_target
        if target == "facedown_only":
            return code >= DOWN
        return target == "any" or moved or number != self.frame.anchor

    def _one_stay(self, cell: Cell, band: int, limit: int) -> Growth:
        """The step by a number that stays where it lies."""
        if _barred(cell, band, self._levels):
            return ()
        return ((1 << max(0, cell[1] - 2), self._addable[cell] * _lanes(self._lane, limit), 0),)

    def _growths(self, free: tuple[int, ...], paid: tuple[int, ...], limit: int) -> tuple[Growth, ...]:
        """By band, the steps by a number that fills some cells for nothing and others at the price of an action D; of
        the cells of each level the words that they can be added to.
        """
        all_lanes, others = _lanes(self._lane, limit), _lanes(self._lane, limit - 1)
        growths = []
        for edges in self._edges[: 4 if self._over else 1]:
            levels = [(level, free[level] & edge, paid[level] & edge) for level, edge in enumerate(edges)]
            growths.append(
                tuple(
                    (1 << max(0, level - 2), first * all_lanes, second * others)
                    for level, first, second in levels
                    if first or second
                )
            )
        return tuple(growths)


def _barred(cell: Cell, band: int, levels: int) -> bool:
    return bool((band & 1 and cell[0] + cell[1] == levels) or (band & 2 and cell[0] == 0))


@lru_cache(maxsize=64)
def _lanes(lane: int, limit: int) -> int:
    """The first bit of each of the lanes 0..limit."""
    return sum(1 << lane * price for price in range(limit + 1))
