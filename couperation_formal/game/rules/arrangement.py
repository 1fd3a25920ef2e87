"""The orders of the tower as data: the one list that the plain evaluator, the Z3 model and the completability algorithm
read.

Sources: TOW01 (every pair of a level), TOW02 (two separate orders for a card and its supports).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import UNSEEN, Board, Cell, Down, Laid, Tower

OrderClause = Literal["TOW01", "TOW02"]


class Order(NamedTuple):
    """The number on `lower` stays below the one on `upper` (or equals it, where the clause's ruling is lax)."""

    lower: Cell
    upper: Cell
    clause: OrderClause


Neighbours = Mapping[OrderClause, Mapping[Cell, Sequence[Cell]]]
"""For each clause and cell the cells that its orders lead to; every cell of the board is there."""

CLAUSES: tuple[OrderClause, ...] = ("TOW01", "TOW02")


class Orders(NamedTuple):
    """All orders of a board; its cells with their places in a linear extension; for each the cells whose numbers stay
    below and above its own; `near` the same ones: to its left, nearest first, below it, to its right, above it.
    """

    every: tuple[Order, ...]
    cells: Mapping[Cell, int]
    below: Neighbours
    above: Neighbours
    near: Mapping[Cell, tuple[Sequence[Cell], ...]]


@lru_cache(maxsize=64)
def orders(board: Board) -> Orders:
    """Every order between two cells of the board, its columns all around the anchor included. Cost: built once a
    board.
    """
    every: list[Order] = []
    cells = [Cell(column, level) for level in range(1, board.levels + 1) for column in range(board.columns - level + 1)]
    for left in cells:
        columns = range(left.column + 1, board.columns - left.level + 1)
        every += [Order(left, Cell(column, left.level), "TOW01") for column in columns]
    for cell in cells:
        if cell.level > 1:
            left, right = cell.supports
            every += [Order(left, cell, "TOW02"), Order(cell, right, "TOW02")]
    below, above = ({clause: {cell: list[Cell]() for cell in cells} for clause in CLAUSES} for _ in range(2))
    for lower, upper, clause in every:
        below[clause][upper].append(lower)
        above[clause][lower].append(upper)
    near = {at: (below["TOW01"][at][::-1], below["TOW02"][at], above["TOW01"][at], above["TOW02"][at]) for at in cells}
    return Orders(tuple(every), {at: extension_key(at) for at in cells}, below, above, near)


def gap(clause: str, rulings: Rulings, down: bool = False) -> int:
    """The least difference that an order of this clause asks for, with a `down` card in it or with none: 1 where it is
    strict, 0 where equal numbers will do.
    """
    order = rulings.row_order if clause == "TOW01" else rulings.between
    return 1 if order == "strict" and not (down and rulings.facedown == "repeats") else 0


def finish_number(board: Board, rulings: Rulings) -> int | None:
    """The Finish card's number under [finish_value], None where it has none. To the orders it shows what `shown_on`
    says.
    """
    return None if rulings.finish_value == "none" else board.anchor


def shown_on(board: Board, cell: Cell, rulings: Rulings) -> int | None:
    """The number that the Finish card shows to the orders on a cell, None where they are waived."""
    waived = rulings.finish_value == "apex_free" and cell.level >= board.levels
    return None if waived else finish_number(board, rulings)


def up_numbers(board: Board, tower: Tower, rulings: Rulings) -> Mapping[Cell, int]:
    """The numbers that the up cards of a tower show to the orders; a card without one is left out."""
    if tower.finish is None:
        return tower.numbers
    finish = shown_on(board, tower.finish, rulings)
    return tower.numbers if finish is None else {**tower.numbers, tower.finish: finish}


def number(laid: Laid, finish: int | None) -> int | None:
    """The number an up card shows to the orders; None for a down card, an unseen one, or a Finish card without a
    number.
    """
    if type(laid) is Down or laid.card is UNSEEN:
        return None
    return laid.card if isinstance(laid.card, int) else finish


# The orders of a tower, decided plainly (TOW01, TOW02, TOW07).
#
# Orders between up cards are compared. Orders that involve down cards form difference constraints over an acyclic
# graph: the least number that each down card can stand for follows by longest paths (Bellman 1958; on an acyclic graph
# one pass in a linear extension suffices, here by 2·column + level). Choices for all down cards exist exactly when no
# least number passes an up card above it, or the deck's greatest number under `facedown=deck`. Under `repeats` the
# deck's ends bound nothing: numbers beyond them may be replaced by the nearer end, and no order with a down card fails.


class BrokenOrder(NamedTuple):
    """An order that fails between two up cards: the numbers on its lower and upper cell."""

    order: Order
    low: int
    high: int


class Chain(NamedTuple):
    """A run of orders through down cards that leaves no room.

    `cells` rise along the orders; `limit` is less than the least number that the last cell would need: an up card's
    number, or the deck's greatest number when the last card is down.
    """

    cells: tuple[Cell, ...]
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

    An unseen up card and, under `finish_value=none`, the Finish card have no order here. Cost: one look an order of the
    cards that lie, and for each that fails one through the orders of the board, whose order the list has.
    """

    def breaks(low: int, high: int, asked: OrderClause) -> bool:
        return low > high or (low == high and gap(asked, rulings) > 0)

    numbers = up_numbers(board, tower, rulings)
    index = orders(board)
    clauses = CLAUSES if clause is None else (clause,)
    if cell is None:
        found = (
            BrokenOrder(Order(lower, upper, asked), numbers[lower], high)
            for asked in clauses
            for upper, high in numbers.items()
            for lower in index.below[asked].get(upper, ())
            if lower in numbers and breaks(numbers[lower], high, asked)
        )
        return sorted(found, key=lambda each: index.every.index(each.order))
    broken: list[BrokenOrder] = []
    value = numbers.get(cell)
    if value is None:
        return broken
    for asked in clauses:
        for other in index.below[asked].get(cell, ()):
            if other in numbers and breaks(numbers[other], value, asked):
                broken.append(BrokenOrder(Order(other, cell, asked), numbers[other], value))
    for asked in clauses:
        for other in index.above[asked].get(cell, ()):
            if other in numbers and breaks(value, numbers[other], asked):
                broken.append(BrokenOrder(Order(cell, other, asked), value, numbers[other]))
    return broken


def surely_ordered(board: Board, tower: Tower, cell: Cell) -> bool:
    """Whether one look shows that the card on `cell` breaks no order in a tower that was in order before, under those
    rulings that ask most, and so under any: each number is above those below it, down cards stand for numbers of the
    deck. Along a level the nearest card stands for those behind it. Where this is no nothing is known. Cost: some looks
    a down card.
    """
    if tower.finish is not None or tower.first > tower.last:
        return False
    index, numbers, down = orders(board), tower.numbers, tower.down
    least = dict(numbers)
    for at in sorted(down | {cell}, key=index.cells.__getitem__) if down else (cell,):
        low = 0
        left, under, right, over = index.near[at]
        for other in left:
            if other in least:
                low = least[other]
                break
        for other in under:
            if other in least and least[other] > low:
                low = least[other]
        low += 1
        if low > numbers.get(at, board.cards):
            return False
        low = numbers.get(at, low)
        for other in right:
            if other in numbers and numbers[other] <= low:
                return False
            if other in numbers or other in down:
                break
        for other in over:
            if other in numbers and numbers[other] <= low:
                return False
        least[at] = low
    return True


def failing_chain(board: Board, tower: Tower, rulings: Rulings) -> Chain | None:
    """The reason why no numbers for the down cards keep all orders, or None when some do (TOW07).

    The orders between up cards are taken to hold. Cost: linear in the orders of the down cards.
    """
    if not tower.down or rulings.facedown == "ignored":
        return None
    numbers = up_numbers(board, tower, rulings)
    least, source = _bounds(board, tower, tower.down, numbers, rulings, True)
    above = orders(board).above
    ceiling = board.cards if rulings.facedown == "deck" else None
    for cell, value in least.items():
        if ceiling is not None and value > ceiling:
            return Chain(_trace(cell, source), ceiling)
        for clause in CLAUSES:
            needed = value + gap(clause, rulings, True)
            for other in above[clause][cell]:
                if other in numbers and numbers[other] < needed:
                    return Chain((*_trace(cell, source), other), numbers[other])
    return None


def own_chain(board: Board, tower: Tower, rulings: Rulings, cell: Cell) -> Chain | None:
    """As `failing_chain`, of the chains alone that the card on `cell` is part of; other cards may be out of order.

    An up card's number has to keep its distance from others through down cards, a down card needs a number of its own.
    Cost: linear in the orders of the down cards.
    """
    numbers = dict(up_numbers(board, tower, rulings))
    value, own = numbers.pop(cell, None), cell in tower.down
    if rulings.facedown == "ignored" or (value is None and not own):
        return None
    down = tower.down | {cell}
    (least, below), (greatest, above) = (
        _bounds(board, tower, down, numbers, rulings, rising) for rising in (True, False)
    )
    low, high = least.get(cell), greatest.get(cell)
    lower, upper = _trace(cell, below), _trace(cell, above)[::-1]
    if own and low is not None and high is not None and low > high:
        return Chain((*lower, *upper[1:]), numbers.get(upper[-1], board.cards))
    if value is not None and low is not None and value < low:
        return Chain(lower, value)
    if value is not None and high is not None and value > high:
        return Chain(upper, numbers.get(upper[-1], board.cards))
    return None


def holds(board: Board, tower: Tower, rulings: Rulings) -> bool:
    """Whether the whole tower is in order (TOW01, TOW02, TOW07). Cost: one comparison an order of the board."""
    return not broken_orders(board, tower, rulings) and failing_chain(board, tower, rulings) is None


def within(tower: Tower, board: Board, rulings: Rulings) -> bool:
    """Whether a tower stays inside one pyramid that [anchor] allows."""
    return inside(tower.first, tower.last, board, rulings)


def inside(first: int, last: int, board: Board, rulings: Rulings) -> bool:
    """Whether [anchor] allows a pyramid that begins in one of these columns."""
    return first <= board.middle <= last if rulings.anchor == "middle" else first <= last


def _bounds(
    board: Board, tower: Tower, free: frozenset[Cell], numbers: Mapping[Cell, int], rulings: Rulings, rising: bool
) -> tuple[dict[Cell, int], dict[Cell, Cell | None]]:
    """For each `free` cell that something bounds from below the least number it can stand for, or, not `rising`, the
    greatest where something bounds it from above; and the cell that bounds it, None for the end of the deck.
    """
    index, sign = orders(board), 1 if rising else -1
    near = index.below if rising else index.above
    steps = [(sign * gap(clause, rulings), sign * gap(clause, rulings, True), near[clause]) for clause in CLAUSES]
    end = (1 if rising else board.cards) if rulings.facedown == "deck" else None
    known = dict(numbers)
    bounds: dict[Cell, int] = {}
    source: dict[Cell, Cell | None] = {}
    for cell in sorted(free & index.cells.keys(), key=index.cells.__getitem__, reverse=not rising):
        best, bound_by = end, None
        for step, down_step, others in steps:
            for other in others[cell]:
                if other in known:
                    value = known[other] + (down_step if cell in tower.down or other in tower.down else step)
                    if best is None or sign * value > sign * best:
                        best, bound_by = value, other
        if best is not None:
            known[cell] = bounds[cell] = best
            source[cell] = bound_by
    return bounds, source


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
    an up card's number for both. Where up cards are not seen, a window holds what their orders leave, whatever else
    they may be; with `sure` what fits whichever they are: each may be all that the orders let it be or, `astray`, any
    card at all. Cost: one pass over the orders of the down cards when made, one look a cell.
    """

    def __init__(self, board: Board, tower: Tower, rulings: Rulings, sure: bool = False, astray: bool = False) -> None:
        self._board, self._tower, self._rulings = board, tower, rulings
        self._waived = rulings.facedown == "ignored"
        numbers, hidden = up_numbers(board, tower, rulings), tower.hidden
        down = frozenset[Cell]() if self._waived else tower.down
        low = high = numbers
        free = down | hidden if rulings.finish_value == "25" else down  # else it may be F, of which nothing is asked
        if sure and hidden:
            tied = down if astray else down | hidden
            least, most = (_bounds(board, tower, tied, numbers, rulings, rising)[0] for rising in (True, False))
            low = {**numbers, **{cell: most.get(cell, board.cards) for cell in hidden}}
            high = {**numbers, **{cell: least.get(cell, 1) for cell in hidden}}
            free = down
        self.least = {**low, **_bounds(board, tower, free, low, rulings, True)[0]}
        self.greatest = {**high, **_bounds(board, tower, free, high, rulings, False)[0]}
        self._known: dict[tuple[Cell, bool], Window] = {}

    def window(self, cell: Cell, down: bool = False) -> Window:
        """The numbers that an up card on `cell` may show, or a `down` one stand for. The cell is empty and on the
        board.
        """
        if (cell, down) not in self._known:
            self._known[cell, down] = self._window(cell, down)
        return self._known[cell, down]

    def _window(self, cell: Cell, down: bool) -> Window:
        index, downs = orders(self._board), self._tower.down
        low = high = None
        for clause in CLAUSES:
            step, loose = (gap(clause, self._rulings, lax) for lax in (down, True))
            for at in index.below[clause][cell]:
                if (least := self.least.get(at)) is not None:
                    least += loose if at in downs else step
                    low = least if low is None or least > low else low
            for at in index.above[clause][cell]:
                if (greatest := self.greatest.get(at)) is not None:
                    greatest -= loose if at in downs else step
                    high = greatest if high is None or greatest < high else high
        return Window(low, high)

    def fits_down(self, cell: Cell) -> bool:
        """Whether a card may lie down on the empty `cell` as far as the orders go (TOW07)."""
        if self._waived:
            return True
        low, high = self.window(cell, down=True)
        if self._rulings.facedown == "deck":
            low = 1 if low is None else max(low, 1)
            high = self._board.cards if high is None else min(high, self._board.cards)
        return not Window(low, high).empty
