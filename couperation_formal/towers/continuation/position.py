"""What the search moves about: positions, the frame of what stays the same, and where cards can be laid on a tower."""

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, reduce
from itertools import accumulate
from operator import or_
from typing import NamedTuple, TypeVar

from couperation_formal.game.fact import Steps, Unfit, fact
from couperation_formal.game.rules.arrangement import CLAUSES, finish_number, gap, orders, shown_on
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import Board, Cell
from couperation_formal.towers.completion.fill import bits as bits, edges, places, shape

# Positions, as named tuples of numbers and masks.


class Hidden(NamedTuple):
    """What is not seen, in a position: the numbers of unseen cards as a mask, how many of them lie in each hand and in
    the Reserve, whether the Finish card is among the deck's, and the marks that were settled: one diamond, two,
    and hearts, as masks.
    """

    values: int
    hands: tuple[int, ...]
    reserve: int
    finish: bool
    marks: tuple[int, ...] = (0, 0, 0)


FIRST_TURN = -1


class Node(NamedTuple):
    """A position before the draw of the player in `seat`; the parts of `spec/search.md`, "Positions".

    Hands and the Reserve are masks of cards; `front` is the seat with the Finish card in front, -1 for none; `top`
    counts the cards that have left the deck; `limit` is how many cards can be drawn now, FIRST_TURN in turn 1 (one, if
    wanted), below that as many less for none or all of them; `laid` is the cell laid last, or that of the source, where
    a later draw can hang on it, else -1; `moved` tells whether the card of set-up was replaced, where that matters;
    `hidden` is None where everything is seen; `replaced` tells whether D replaced a card, where that matters; `skipped`
    counts the turns without action just before; `laid_down` tells whether the card on `laid` was laid down and has been
    opened since, where that matters.
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
    laid_down: bool = False


# What stays the same while a continuation is searched: the board as index tables, the rulings, the deck, the marks.
#
# Cells are numbered level by level from the left, `-1` is no cell. A Glass card is its number and the bit of that
# number in a mask; the Finish card has the number after the greatest one. In a tower one byte stands for each cell: 0
# for an empty cell, a card's number for an up card, `DOWN` more for a down one, `DOWN` alone for a down card nobody
# saw.

DOWN = 128
MOST_CARDS = DOWN - 2
"""The greatest deck that a byte a cell can hold."""
UNKNOWN_MARK = -1

Links = list[tuple[int, int]]
"""The cells that the orders of a cell lead to, each with the least difference."""


@lru_cache(maxsize=64)
def _links(board: Board, row: int, between: int) -> tuple[list[Links], list[Links]]:
    """For each cell the orders to the cells below and above it in number; the least difference of each clause is given.
    They are never changed. Cost: linear in the orders of the board, once.
    """
    cells = [Cell(x, r) for r in range(1, board.levels + 1) for x in range(board.columns - r + 1)]
    number, least = {cell: at for at, cell in enumerate(cells)}, dict(zip(CLAUSES, (row, between), strict=True))
    below, above = ([list[tuple[int, int]]() for _ in cells] for _ in range(2))
    for lower, upper, clause in orders(board).every:
        above[number[lower]].append((number[upper], least[clause]))
        below[number[upper]].append((number[lower], least[clause]))
    return below, above


K = TypeVar("K")
V = TypeVar("V")


class Kept(dict[K, V]):
    """What `find` makes of each key, kept for the next time; beyond `most` keys all is forgotten."""

    def __init__(self, find: Callable[[K], V], most: int = 1 << 16) -> None:
        super().__init__()
        self._find, self._most = find, most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._find(key)
        return value


class Frame:
    """The tables of one search, and the `budget` that pays for it. Built once for a position; cost: linear in the
    orders of the board.
    """

    def __init__(self, state: State, rulings: Rulings, deck: tuple[int, ...], budget: Steps | None = None) -> None:
        board, variant, players = state.board, state.variant, len(state.players)
        if board.cards > MOST_CARDS:
            raise Unfit(fact("many_for_search", most=MOST_CARDS, cards=board.cards))
        self.board, self.variant, self.players, self.rulings = board, variant, players, rulings
        self.budget = budget or Steps()
        self.cells = [Cell(x, r) for r in range(1, board.levels + 1) for x in range(board.columns - r + 1)]
        self.number: dict[tuple[int, int], int] = {cell: at for at, cell in enumerate(self.cells)}
        self.glass = (1 << board.cards + 1) - 2
        self.finish = board.cards + 1
        self.finish_bit = 1 << self.finish
        self.cards = self.glass | self.finish_bit
        # F's number in sums and on cells below the apex, and on the apex; 0 where it has none.
        self.finish_value = finish_number(board, rulings) or 0
        self.finish_on_apex = shown_on(board, Cell(0, board.levels), rulings) or 0
        self.edges = edges(board, variant, rulings) or (board.cards + 1, 0)
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
        # For each place in the deck: the cards known to lie from there on, as a mask; how many unseen ones do; and how
        # many can be drawn, the Finish card with its replacement counting as one (DRW06).
        known = [1 << card if card else 0 for card in reversed(deck)]
        self.deck_masks = list(accumulate(known, or_, initial=0))[::-1]
        self.unseen_below = list(accumulate([not card for card in reversed(deck)], initial=0))[::-1]
        last = deck.index(self.finish) if self.finish in deck[:-1] else -1
        self.units_below = [len(deck) - top - (top <= last) for top in range(len(deck) + 1)]
        self.diamonds = [UNKNOWN_MARK] * (board.cards + 2)
        for value, mark in state.marks.items():
            self.diamonds[value] = 0 if mark == "H" else int(mark)
        self.below, self.above = _links(board, *(gap(clause, rulings) for clause in CLAUSES))
        self.extension = sorted(range(len(self.cells)), key=lambda at: 2 * self.cells[at].column + self.cells[at].level)
        self.supports = [
            (-1, -1) if level == 1 else (self.number[x, level - 1], self.number[x + 1, level - 1])
            for x, level in self.cells
        ]
        self.beside = [
            tuple(self.number[y, 1] for y in (x - 1, x + 1) if 0 <= y < board.columns) if level == 1 else ()
            for x, level in self.cells
        ]
        self.lefts = [(max(0, x - board.levels + level), min(board.levels - 1, x)) for x, level in self.cells]
        self.is_apex = [level == board.levels for _, level in self.cells]

    def grid(self, left: int) -> list[int]:
        """The cells of the pyramid whose columns begin at `left`, by their numbers in `fill.shape`."""
        return [self.number[column + left, level] for column, level in shape(self.board.levels).places]

    def places(self, tower: bytes) -> range:
        """The places of the columns that hold every laid card (TOW04)."""
        return places(self.board, self.rulings, [self.cells[cell] for cell, code in enumerate(tower) if code])

    def own(self, node: Node) -> int:
        """The cards in hands and those known in the deck, as a mask."""
        return reduce(or_, node.hands, self.deck_masks[node.top])

    def number_of(self, card: int) -> int:
        """The number that a card counts in sums, 0 for the Finish card without one."""
        return self.finish_value if card == self.finish else card

    def held(self, node: Node) -> int:
        """How many cards are in hands and in front."""
        unseen = 0 if node.hidden is None else sum(node.hidden.hands)
        return sum(map(int.bit_count, node.hands)) + (node.front >= 0) + unseen

    def slack(self, node: Node) -> int:
        """How many cards may still go otherwise than by filling one empty cell each: cards in hands, in front and in
        the deck, less the empty cells. No turn makes it greater.
        """
        return self.held(node) + len(self.deck) - node.top - self.size + len(node.tower) - node.tower.count(0)

    def finish_cost(self, node: Node) -> int | None:
        """How many actions D it takes to have F for the apex, which in front, in the deck or laid is free; None where
        it cannot be had.
        """
        seen = node.front >= 0 or self.deck_masks[node.top] & self.finish_bit or self.finish in node.tower
        if seen or self.variant == "first":
            return 0
        if node.reserve & self.finish_bit and self.finish_value:
            return 1
        return 0 if node.hidden is not None and node.hidden.finish else None

    def may_replace(self, cell: int, code: int, moved: bool) -> bool:
        """Whether D may replace the card on a cell (ACT07); `moved` tells whether the card of set-up was."""
        target = self.rulings.replace_target
        return code >= DOWN if target == "facedown_only" else target == "any" or moved or cell != self.anchor


# Where cards can be laid on a tower of the search: shape (TOW03 to TOW06), apex (TOW08), orders (TOW01, TOW02, TOW07).
#
# The same windows as `game.rules.arrangement.Windows`, as masks of cards. Towers recur with many hands, so what is
# found is kept.

_LOW = -(10**6)
_HIGH = 10**6
_WINDOWS = 4
"""The steps that it takes to find where cards can be laid on a tower, to open or to replace them."""


class Spot(NamedTuple):
    """A cell, the cards that may lie up on it, and whether a card may lie down there. `old` is the card on it."""

    cell: int
    up: int
    down: bool
    old: int


class Towers:
    """The spots of towers under one frame.

    `free` are the empty cells that can take a card, level by level; `openable` the down cards, with the cards that do
    not lose when they turn out to lie there (ACT04, END02); `replaceable`, asked with whether the card of set-up was
    replaced, the laid cards that D may replace, and what may lie in their place (ACT07).

    `astray` are the towers out of order. A position can give one (`line`), and so can C under `opened_against=stands`:
    A, B and D leave a tower in order, and any other C that does not loses.
    """

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.astray: set[bytes] = set()
        rulings = frame.rulings
        self._stands = rulings.opened_against == "stands"
        self._waived = rulings.facedown == "ignored"
        self._floor, self._ceiling = (1, frame.board.cards) if rulings.facedown == "deck" else (_LOW, _HIGH)
        # The cells whose orders with a down card equal numbers will do for.
        self._loose = range(len(frame.cells)) if rulings.facedown == "repeats" else ()
        self.free = Kept(self._free)
        self.openable = Kept(self._openable)
        self.replaceable = Kept(self._replaceable)

    def _free(self, tower: bytes) -> tuple[Spot, ...]:
        self._frame.budget.spend(_WINDOWS)
        least, greatest = self._numbers(tower)
        cells = self._allowed(tower) if tower not in self.astray else ()
        return tuple([self._spot(tower, cell, least, greatest, 0) for cell in cells])

    def _openable(self, tower: bytes) -> tuple[Spot, ...]:
        self._frame.budget.spend(_WINDOWS)
        # Where it loses only against up cards, down cards set no bounds, and their orders need not hold.
        asked = bytes(code if code < DOWN else 0 for code in tower) if self._stands else tower
        if tower in self.astray and not (self._stands and self.holds(asked)):
            return ()
        least, greatest = self._numbers(asked)
        downs = [(cell, old) for cell, old in enumerate(tower) if old >= DOWN]
        return tuple([self._spot(tower, cell, least, greatest, old) for cell, old in downs])

    def _replaceable(self, key: tuple[bytes, bool]) -> tuple[Spot, ...]:
        """A card's own numbers play no part in those of the cells below it, nor of those above, so its window is the
        same with it and without it. A tower out of order has to be in order without the card.
        """
        (tower, moved), frame = key, self._frame
        frame.budget.spend(_WINDOWS)
        least, greatest = self._numbers(tower)
        spots = []
        for cell, old in enumerate(tower):
            if not old or not frame.may_replace(cell, old, moved):
                continue
            without = tower
            if frame.is_apex[cell] or tower in self.astray:
                without = tower[:cell] + b"\0" + tower[cell + 1 :]
            if tower in self.astray:
                if not self.holds(without):
                    continue
                least, greatest = self._numbers(without)
            spots.append(self._spot(without, cell, least, greatest, old))
        return tuple(spots)

    def holds(self, tower: bytes) -> bool:
        """Whether all orders can hold, down cards taken as [facedown] says."""
        least, _ = self._numbers(tower)
        above = self._frame.above
        for cell, low in least.items():
            if tower[cell] >= DOWN and low > self._ceiling:
                return False
            for other, step in above[cell]:
                needed = low if cell in self._loose and tower[cell] >= DOWN else low + step
                if other in least and tower[other] < DOWN and needed > least[other]:
                    return False
        return True

    def _allowed(self, tower: bytes) -> Iterator[int]:
        """The empty cells that the shape allows (TOW03 to TOW05)."""
        frame = self._frame
        held, anywhere = frame.places(tower), frame.rulings.spread == "anywhere"
        for cell, code in enumerate(tower):
            low, high = frame.lefts[cell]
            # The cell lies in no pyramid at one of these.
            if code or max(held.start, low) > min(held.stop - 1, high):
                continue
            left, right = frame.supports[cell]
            # Above level 1 both supports lie, on level 1 a neighbour (TOW03, TOW05).
            if (tower[left] and tower[right]) if left >= 0 else anywhere or any(tower[y] for y in frame.beside[cell]):
                yield cell

    def _numbers(self, tower: bytes) -> tuple[dict[int, int], dict[int, int]]:
        """The least and the greatest number of each laid card that has any, by longest paths over down cards."""
        frame = self._frame
        least = {}
        for cell, code in enumerate(tower):
            number = self._shown_on(cell) if code == frame.finish else code
            if 0 < number < DOWN:
                least[cell] = number
        if self._waived or max(tower) < DOWN:
            return least, least
        greatest = dict(least)
        # Down cards take the least numbers from below upward, then the greatest from above down (TOW07).
        low_to_high = [cell for cell in frame.extension if tower[cell] >= DOWN]
        for cell in low_to_high:
            least[cell] = max(self._low(cell, least, self._loose), self._floor)
        for cell in reversed(low_to_high):
            greatest[cell] = min(self._high(cell, greatest, self._loose), self._ceiling)
        return least, greatest

    def _low(self, cell: int, least: dict[int, int], loose: Collection[int]) -> int:
        """The least number on a cell; `loose` are the cells that it may be equal to."""
        below = self._frame.below[cell]
        return max([least[at] + (step if at not in loose else 0) for at, step in below if at in least], default=_LOW)

    def _high(self, cell: int, greatest: dict[int, int], loose: Collection[int]) -> int:
        above = self._frame.above[cell]
        return min(
            [greatest[at] - (step if at not in loose else 0) for at, step in above if at in greatest], default=_HIGH
        )

    def _shown_on(self, cell: int) -> int:
        """The number that F shows to the orders on a cell, 0 for none."""
        return self._frame.finish_on_apex if self._frame.is_apex[cell] else self._frame.finish_value

    def _spot(self, tower: bytes, cell: int, least: dict[int, int], greatest: dict[int, int], old: int) -> Spot:
        """What the empty `cell` of `tower` can take."""
        frame = self._frame
        loose = [other for other in self._loose if tower[other] >= DOWN]
        low, high = self._low(cell, least, loose), self._high(cell, greatest, loose)
        # Up: the numbers of the window, and F, which has to be in it where it has a number.
        first, last = max(low, 1), min(high, frame.board.cards)
        up = (1 << last + 1) - (1 << first) if first <= last else 0
        value = self._shown_on(cell)
        if frame.variant == "finish" and (not value or low <= value <= high):
            up |= frame.finish_bit
        # Down: some number fits, as [facedown] counts them (TOW07).
        if self._loose:
            low, high = self._low(cell, least, self._loose), self._high(cell, greatest, self._loose)
        down = self._waived or max(low, self._floor) <= min(high, self._ceiling)
        # The apex is up, F in its variant, and not over down cards where that is forbidden (TOW08).
        if frame.is_apex[cell]:
            down = False
            if frame.variant == "finish":
                up &= frame.finish_bit
            if frame.rulings.early_apex == "forbidden" and max(tower) >= DOWN:
                up = 0
        return Spot(cell, up, down, old)
