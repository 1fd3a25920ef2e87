"""What the search for a line goes by: beams and their weights, how much cards are wanted, and guessed tables."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

import msgspec

from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import Pile, State
from couperation_formal.game.tower import FINISH, Card, Cell, Down, Laid, Mark, UnseenCard, Up, Value
from couperation_formal.towers.completion.fill import CellBounds, barred, before, cell_bounds, edges, places, shape
from couperation_formal.towers.continuation.final_tower import ideals
from couperation_formal.towers.continuation.position import DOWN, Frame, Kept

# The beams that are tried, as plain data.


class Weights(NamedTuple):
    """How easily a card comes to a cell, found by trial, and how much else counts for; all factors.

    The first four are for an empty cell: out of a hand; out of the deck, and once more for each card above it; from the
    Reserve by action D; from where it lies in the tower, once it is replaced there. The next four are the same for
    another card on a laid cell, always by D. `open` is for a down card opened where it lies.
    """

    hand: float = 0.64
    deck: float = 0.39
    deep: float = 0.97
    reserve: float = 0.15
    moved: float = 0.07
    by_hand: float = 0.019
    by_deck: float = 0.028
    by_reserve: float = 0.05
    by_moved: float = 0.009
    open: float = 1.05
    payable: float = 3.0
    """A card of the Reserve that a sum or a difference of two cards of one hand makes."""
    slack: float = 1.64
    """A card that need not fill a cell."""
    held: float = 1.22
    """A card in a hand, up to two for each player."""
    draw: float = 1.05
    """A card that the next player can draw."""
    idle: float = 0.6
    """A next player without any card."""
    finish: float = 0.14
    """The Finish card in the Reserve."""


class Beam(NamedTuple):
    """A beam: how many positions of a turn are followed, by which weights, how many ways to pay for D, to drop and to
    trim are looked at, and whether instead every legal turn is, or, `sparing`, every one whose D destroys one card at
    most and lays its card up.
    """

    width: int
    weights: Weights
    ways: int = 1
    every: bool = False
    sparing: bool = False


_USUAL = Weights()
_PAYING = Weights(0.37, 0.19, 0.97, 0.01, 0.0, 0.018, 0.006, 0.02, 0.0, 1.06, 3.0, 3.5, 1.05, 1.05, 0.37, 0.14)
"""Cards to spare count for more, the Reserve for less."""
_STEADY = Weights(0.16, 0.08, 0.97, 0.014, 0.0, 0.002, 0.006, 0.008, 0.002, 0.35, 1.0, 1.6, 1.22, 1.5, 0.05, 0.14)
"""Replacements and down cards count for less, the next draw for more."""
BEAMS = (
    Beam(3, _USUAL), Beam(12, _USUAL), Beam(40, _USUAL), Beam(40, _PAYING), Beam(40, _STEADY),
    Beam(15, _USUAL, sparing=True), Beam(40, _USUAL, 2), Beam(120, _USUAL), Beam(120, _PAYING),
    Beam(40, _PAYING, sparing=True), Beam(60, _USUAL, sparing=True), Beam(400, _USUAL),
    *(Beam(150, weights, sparing=True) for weights in (_USUAL, _STEADY, _PAYING)), Beam(1200, _USUAL),
    Beam(600, _USUAL, sparing=True),
)  # fmt: skip
"""Narrow to wide, with different weights: what one misses another often finds. The last ones where the budget is
great.
"""
ENDS = (
    *BEAMS[:3], Beam(40, _USUAL, 2), Beam(40, _USUAL, 4), Beam(40, _PAYING, every=True),
    Beam(100, _USUAL, every=True), *(beam for beam in BEAMS[3:] if not beam.sparing),
    Beam(1000, _PAYING, every=True), Beam(6000, _PAYING, every=True),
)  # fmt: skip
"""Those near the end of a game, where one exact payment can matter; the last ones where the budget is great."""
TOGETHER = (*(Beam(width, weights) for width in (1, 3) for weights in (_USUAL, _PAYING, _STEADY)), BEAMS[1])
"""Those that go from many tables at once: narrow ones with different weights, which find most lines for the least."""


# How much each card is wanted by the rest of a tower, at one place of its columns.
#
# A guess that proves nothing: it chooses with what the search for a line pays, and what it drops and trims.

_WANTED = 8
"""The steps that the worth of all cards to one tower takes."""


class Worth(NamedTuple):
    """How much each card is wanted, by number, on empty cells and on laid cells that need another card: the sum, over
    these cells, of the parts of each that their numbers would get if all were left.
    """

    empty: tuple[float, ...]
    laid: tuple[float, ...]


class Wanted:
    """How much cards are wanted by towers that are meant to stand at column `left`; `inside` are the cells there. With
    a plan, a mask for each cell, only its cards are wanted.
    """

    def __init__(self, frame: Frame, left: int, plan: Mapping[int, int] | None = None) -> None:
        self.frame, self.plan = frame, plan
        self.grid = shape(frame.board.levels)
        self.cells = frame.grid(left)
        self.inside = frozenset(self.cells)
        self.worth = Kept(self._worth)

    def _bounds(self, fixed: list[int]) -> CellBounds:
        return cell_bounds(self.grid, fixed, self.frame.board.cards + 1, self.frame.edges)

    def _misfits(self, codes: list[int], fixed: list[int]) -> set[int]:
        """The cells whose up card cannot stay: out of order, the Finish card below the apex, an apex to be laid
        again.
        """
        apex = self.grid.apex
        misfits = {i for i, code in enumerate(codes) if code == self.frame.finish and i != apex}
        if self.frame.apex_again and codes[apex]:
            misfits.add(apex)
        left = [value if i not in misfits else 0 for i, value in enumerate(fixed)]
        return misfits | self._cover(left) if self._bounds(left).clash else misfits

    def _cover(self, fixed: list[int]) -> set[int]:
        """Cells without which the others agree: again and again the one that disagrees with most others."""
        clashes: dict[int, set[int]] = {i: set() for i, value in enumerate(fixed) if value}
        for i, j in permutations(clashes, 2):
            if fixed[i] >= fixed[j] and before(self.grid, i, j):
                clashes[i].add(j)
                clashes[j].add(i)
        cells = set()
        while any(clashes.values()):
            most = max(clashes, key=lambda i: (len(clashes[i]), i))
            cells.add(most)
            for other in clashes.pop(most):
                clashes[other].discard(most)
        values = [(i, value) for i, value in enumerate(fixed) if value]
        return cells | {i for i, value in values if barred(self.grid, value, self.frame.edges) >> i & 1}

    def _worth(self, tower: bytes) -> Worth:
        """How much each card is wanted. Cost: some tens of microseconds."""
        frame, grid, size = self.frame, self.grid, self.frame.board.cards + 2
        frame.budget.spend(_WANTED)
        if self.plan is not None:
            left = sum(mask for cell, mask in self.plan.items() if not mask >> (tower[cell] & ~DOWN) & 1)
            return Worth(tuple(float(left >> card & 1) for card in range(size)), (0.0,) * size)
        codes = [tower[cell] for cell in self.cells]
        fixed = [code if code < DOWN and code != frame.finish else 0 for code in codes]
        for i in self._misfits(codes, fixed):
            fixed[i] = 0
        low, high, _ = self._bounds(fixed)
        for i, code in enumerate(codes):
            if code > DOWN and low[i] < code - DOWN < high[i]:
                fixed[i] = code - DOWN
                low, high, _ = self._bounds(fixed)
        apex = grid.apex if frame.variant == "finish" else -1
        empty, laid = [0.0] * size, [0.0] * size
        empty[-1] = 100.0
        for i, value in enumerate(fixed):
            if not value and i != apex:
                share = 1 / (max(0, high[i] - low[i] - 1) + 0.3)
                worth = laid if codes[i] else empty
                for card in range(low[i] + 1, high[i]):
                    worth[card] += share
        return Worth(tuple(empty), tuple(laid))


# Fully seen tables that a table with unseen cards or marks may be, chosen so that a line is likely to win.
#
# The choice is a guess and proves nothing; a line that is found in one of them is a line of the table. A final tower is
# planned first, as cheap as can be: unseen cards go where it wants them, into hands and to the top of the deck in the
# order in which they can be laid, what it does not want out of the way.

_NEVER = 1e9
_OPENED = 0.2
_DRAWN = 0.5
_DEEPER = 0.02
_EXCHANGED = 8.0
_MOVED = 25.0
_OFF = 0.002
"""What a card costs in a plan: opened where it lies, drawn, for each card above it, by action D, by D from another
cell, and times the square of how far its number is from the middle of the cell's. A card in a hand costs nothing.
"""


class Plan(NamedTuple):
    """A final tower whose columns begin at `left`: the numbers that are to lie on its cells, and what that costs."""

    left: int
    numbers: dict[Cell, int]
    cost: float

    def masks(self, frame: Frame) -> dict[int, int]:
        """For each cell of the frame what is to lie there, as a mask."""
        masks = {frame.number[cell]: 1 << number for cell, number in self.numbers.items()}
        if frame.variant == "finish":
            masks[frame.number[Cell(self.left, frame.board.levels)]] = frame.finish_bit
        return masks


def worlds(state: State, rulings: Rulings) -> Iterator[tuple[State, Plan]]:
    """Fully seen tables that `state` may be, one for each place of the columns, the likeliest to be won first.

    None where up cards are not seen. Cost: some ten milliseconds a place.
    """
    if any(type(laid) is Up and isinstance(laid.card, UnseenCard) for laid in state.tower.cells.values()):
        return
    columns = places(state.board, rulings, state.tower.cells)
    plans = filter(None, (plan(state, rulings, left) for left in columns))
    for each in sorted(plans, key=lambda each: each.cost):
        yield planned(state, rulings, each), each


def plan(state: State, rulings: Rulings, left: int) -> Plan | None:
    """The cheapest final tower whose columns begin at `left`, None where there is none: a shortest path along the order
    ideals, as for `final_tower.cheapest`.
    """
    board = state.board
    grid, steps = shape(board.levels), ideals(board.levels, state.variant == "finish").steps
    cells = [Cell(column + left, level) for column, level in grid.places]
    ends = edges(board, state.variant, rulings)
    middles = [
        (1 + down.bit_count() + board.cards - up.bit_count()) / 2
        for down, up in zip(grid.down_sets, grid.up_sets, strict=True)
    ]
    best = {0: 0.0}
    came: list[dict[int, tuple[int, int]]] = []
    for number in range(1, board.cards + 1):
        costs, out = _costs(state, cells, number), barred(grid, number, ends)
        for i, middle in enumerate(middles):
            costs[i] += _OFF * (number - middle) ** 2
            if out >> i & 1:
                costs[i] = _NEVER
        ways: dict[int, tuple[int, int]] = {}
        new = dict(best)
        for ideal, paid in best.items():
            for i, after in steps[ideal]:
                if paid + costs[i] < new.get(after, _NEVER):
                    new[after] = paid + costs[i]
                    ways[after] = ideal, i
        best = new
        came.append(ways)
    at = len(steps) - 1
    if at not in best:
        return None
    numbers = {}
    for number, ways in zip(range(board.cards, 0, -1), reversed(came), strict=True):
        if at in ways:
            at, i = ways[at]
            numbers[cells[i]] = number
    return Plan(left, numbers, best[len(steps) - 1])


def _costs(state: State, cells: list[Cell], number: int) -> list[float]:
    """What a number costs on each cell."""
    value, tower = Value(number), state.tower.cells
    where = next((cell for cell, laid in tower.items() if laid.card == value), None)
    held = any(value in hand.known for hand in state.hands)
    drawn = _DRAWN + _DEEPER * state.deck.index(value) if value in state.deck else 0.0
    unseen = where is None and not held and not drawn and value not in state.reserve.known | state.gone.known
    if value in state.gone.known:
        return [_NEVER] * len(cells)
    fresh = 0.0 if held else drawn or (_DRAWN if unseen else _MOVED if where else _EXCHANGED)
    taken = _MOVED if where else _EXCHANGED if value in state.reserve.known else _EXCHANGED + _DRAWN
    costs = []
    for cell in cells:
        laid = tower.get(cell)
        if laid is None:
            costs.append(fresh)
        elif cell == where or (unseen and isinstance(laid.card, UnseenCard)):
            costs.append(_OPENED if type(laid) is Down else 0.0)
        else:
            costs.append(taken)
    return costs


def planned(state: State, rulings: Rulings, planned_tower: Plan) -> State:
    """The table with a card in each unseen place and a mark on each card: what the plan wants first to where it is
    opened, exchanged or drawn, the rest to where it does no harm.
    """
    tower, wanted = state.tower.cells, planned_tower.numbers
    left = {n for n in range(1, state.board.cards + 1) if state.whereabouts(Value(n)) is None}
    hidden_down = [cell for cell, laid in tower.items() if isinstance(laid.card, UnseenCard)]
    opened = {cell: wanted[cell] for cell in hidden_down if wanted.get(cell) in left}
    left.difference_update(opened.values())
    exchanged = [Value(wanted[cell]) for cell in tower if wanted.get(cell) in left][: state.reserve.unseen]
    left.difference_update(exchanged)
    ranks = {n: (cell.level, abs(cell.column - state.board.anchor_cell.column)) for cell, n in wanted.items()}
    waiting: list[Card] = [Value(n) for n in sorted(left, key=lambda n: (n not in ranks, ranks.get(n, (0, 0)), n))]

    def pile(known: Pile, first: Sequence[Card]) -> Pile:
        cards = {*first, *(waiting.pop(0) for _ in range(known.unseen - len(first)))}
        return Pile(known.known | cards)

    seats = [(state.to_move + turn) % len(state.players) for turn in range(len(state.players))]
    dealt: list[list[Card]] = [[] for _ in seats]
    for place in range(max(hand.unseen for hand in state.hands)):
        for seat in seats:
            if place < state.hands[seat].unseen:
                dealt[seat].append(waiting.pop(0))
    if state.variant == "finish" and state.front is None and state.whereabouts(FINISH) is None:
        waiting.insert(0, FINISH)
    deck = tuple(waiting.pop(0) if isinstance(card, UnseenCard) else card for card in state.deck)
    reserve, gone = pile(state.reserve, exchanged), pile(state.gone, [])
    cells: dict[Cell, Laid] = dict(tower)
    for cell in hidden_down:
        cells[cell] = Down(Value(opened[cell]) if cell in opened else waiting.pop(0))
    usual: Mark = "2" if rulings.draw_amount == "up_to" else "1"
    return msgspec.structs.replace(
        state,
        tower=type(state.tower).of(state.board, cells),
        hands=tuple(map(pile, state.hands, dealt)),
        deck=deck,
        reserve=reserve,
        gone=gone,
        marks={**{Value(n): usual for n in range(1, state.board.cards + 1)}, **state.marks},
    )
