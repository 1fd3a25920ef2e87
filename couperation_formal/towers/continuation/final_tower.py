"""The least price of a final tower, and what it costs to take a number from the Reserve by D (ACT05, ACT06)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count, product
from typing import NamedTuple

from couperation_formal.game.rules.arrangement import finish_number
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import FINISH, UNSEEN, Cell, Shown, Up
from couperation_formal.towers.completion.fill import barred, edges, places, shape
from couperation_formal.towers.continuation.position import DOWN, Frame, Kept, Node, bits

# What it costs to take a number from the Reserve by action D, where few cards can be spent (ACT05, ACT06).
#
# The theorem that makes these costs a lower bound is in the specification, `table.md`, "What a card taken costs".

NEVER = 99
"""More than any number of cards that can be spent."""

MOST_OWN = 12
"""With more own cards than these every number counts as one that D can make."""


class OwnCard(NamedTuple):
    """The number of a Glass card that can be sent, and the player whose card it is: -1 for a card of the deck, which
    anyone may draw.
    """

    number: int
    owner: int


class Costs(NamedTuple):
    """Cards spent beyond one for the cell: `taken[v]` when Glass card v is taken by D, `finish` to have the Finish card
    for the apex. NEVER where it cannot be.
    """

    taken: Sequence[int]
    finish: int


def taking(state: State, rulings: Rulings, spare: int) -> Costs:
    """What taking each card costs at least when at most `spare` cards can be spent beyond one a cell.

    The Finish card is not gone. Cost: quadratic in the own cards for one card to spare, cubic for two.
    """
    top, finish = state.board.cards, finish_number(state.board, rulings)
    held, laid = _held(state), {lying.card for lying in state.tower.cells.values()}
    own = [OwnCard(card, owner) for card, owner in held or () if isinstance(card, int)]
    lying = [card for card in laid if isinstance(card, int)]
    if spare < 1:
        taken = [NEVER] * (top + 1)
    elif spare > 2 or held is None or (spare == 2 and UNSEEN in laid):
        taken = [1] * (top + 1)
    elif spare == 1:
        taken = _by_one(own, top)
    else:
        sends_finish = any(card is FINISH for card, _ in held)
        taken = _by_two(own, finish if sends_finish else None, lying, rulings, top)
    waits = state.variant == "finish" and FINISH in state.reserve.known
    needed = 0 if not waits else NEVER if finish is None else taken[finish]
    if spare == 1 and held is not None:
        _without_reserve(taken, own, lying, rulings)
    return Costs(taken, needed)


def _held(state: State) -> list[tuple[Shown, int]] | None:
    """The cards in hands, in front and in the deck, with their owners; None where one is unseen or there are more than
    MOST_OWN.
    """
    held: list[tuple[Shown, int]] = [(card, player) for player, hand in enumerate(state.hands) for card in hand.known]
    held += [(card, -1) for card in state.deck]
    if state.front is not None:
        held.append((FINISH, state.front))
    unseen = UNSEEN in state.deck or any(hand.unseen for hand in state.hands)
    return None if unseen or len(held) > MOST_OWN else held


def _of_one_player(own: Sequence[OwnCard], count: int) -> Iterator[tuple[int, ...]]:
    """The numbers of every so many cards that one player may have."""
    for chosen in combinations(own, count):
        if len({card.owner for card in chosen} - {-1}) < 2:
            yield tuple(card.number for card in chosen)


def _by_one(own: Sequence[OwnCard], top: int) -> list[int]:
    """One D is all there can be, and it destroys nothing: two own cards of one player make the number. The Finish card
    is not sent, as no second D could take it back.
    """
    costs = [NEVER] * (top + 1)
    for first, second in _of_one_player(own, 2):
        _make(costs, first, second, (0,), 1)
    return costs


def _by_two(own: Sequence[OwnCard], finish: int | None, laid: Sequence[int], rulings: Rulings, top: int) -> list[int]:
    """Two D that destroy nothing, of which the second may send one card that the first replaced; or one D that destroys
    a card. If one sends the Finish card (its number, where it can be sent), the other takes it back.
    """
    costs = [NEVER] * (top + 1)
    changes = (-1, 0, 1) if rulings.adjust == "up_to" else (-1, 1)
    numbers = [card.number for card in own]
    if finish is not None:
        for number in [*numbers, *laid]:
            _make(costs, finish, number, (0,), 2)
    for triple in _of_one_player(own, 3):
        for one, other in combinations(triple, 2):
            _make(costs, one, other, changes, 2)
    for first, second in [*combinations(numbers, 2), *product(numbers, laid)]:
        _make(costs, first, second, (0,), 1)
    return costs


def _make(costs: list[int], first: int, second: int, changes: Sequence[int], cost: int) -> None:
    for base in (first + second, abs(first - second)):
        for change in changes:
            if 0 < base + change < len(costs):
                costs[base + change] = cost


def _without_reserve(taken: list[int], own: Sequence[OwnCard], laid: Sequence[int], rulings: Rulings) -> None:
    """Where one D is all there can be, a card that is not in the Reserve is taken only by the D that sends it, together
    with twice its number; a card that lies in the tower not at all.
    """
    itself = {min(pair) for pair in _of_one_player(own, 2) if max(pair) == 2 * min(pair)}
    for card in own:
        taken[card.number] = 1 if rulings.take_sent == "allowed" and card.number in itself else NEVER
    for number in laid:
        taken[number] = NEVER


# The cheapest tower that could stand at the end: how many cards, beside one for each empty cell, it takes at least.
#
# A final tower is a way to deal rising numbers to the cells, so its cells fill along the order ideals of the poset, of
# which seven levels have 128. Each number costs something on each cell: nothing where it lies already or can come out
# of a hand, one or more where only an action D can bring it. The least total is a shortest path over the ideals. The
# theorems are in the specification, `table.md`.


class Ideals(NamedTuple):
    """The order ideals of a pyramid, the empty one first and the full one last.

    `cells[k]` is ideal k as a bit set over the cell numbers of `shape`; `steps[k]` pairs each cell that can be added
    with the ideal that follows.
    """

    cells: tuple[int, ...]
    steps: tuple[tuple[tuple[int, int], ...], ...]


@lru_cache(maxsize=16)
def ideals(levels: int, without_apex: bool) -> Ideals:
    """The ideals of a pyramid, the apex left out where it takes no Glass card. Built once."""
    grid = shape(levels)
    wanted = [i for i in range(grid.size) if not (without_apex and i == grid.apex)]
    every = sum(1 << i for i in wanted)
    number = {0: 0}
    steps: list[tuple[tuple[int, int], ...]] = []
    for ideal in (listed := [0]):
        ways = []
        for i in wanted:
            if grid.down_sets[i] & every & ~ideal == 1 << i:
                larger = ideal | 1 << i
                if larger not in number:
                    number[larger] = len(listed)
                    listed.append(larger)
                ways.append((i, number[larger]))
        steps.append(tuple(ways))
    return Ideals(tuple(listed), tuple(steps))


class NumberCost(NamedTuple):
    """A number that could be in the final tower: what it costs on each cell, and the cell (a bit, or 0) where it
    lies.
    """

    costs: Sequence[int]
    home: int


def cheapest(grid: Ideals, rows: Sequence[NumberCost], limit: int) -> int | None:
    """The least total cost of a final tower, None when every one costs more than `limit`.

    `rows` stand in the order of their numbers. An ideal that misses a cell whose laid number has passed owes one for
    it, since another number there costs at least one. Cost: ideals times numbers at worst; few where `limit` is small.
    """
    cells, steps = grid
    best = {0: 0}
    passed = 0
    for costs, home in rows:
        passed |= home
        new = dict(best)
        for ideal, paid in best.items():
            for cell, after in steps[ideal]:
                total = paid + costs[cell]
                if total <= limit and total < new.get(after, NEVER):
                    new[after] = total
        if home:
            new = {k: paid for k, paid in new.items() if paid + (passed & ~cells[k]).bit_count() <= limit}
        best = new
    return best.get(len(cells) - 1)


def least_spent(state: State, rulings: Rulings, limit: int, replaced: bool = False) -> int | None:
    """How many cards at least go out of hands, front and deck beside one for each empty cell, or None for more than
    `limit`; with `replaced`, how many laid cards at least have to be replaced, whatever cards can be taken.

    The minimum over the places of the columns and all final towers of the prices of `table.md`. The Finish card is
    neither gone nor beyond reach. Cost: about a millisecond a place, more on an open tower.
    """
    costs = Costs([1] * (state.board.cards + 1), 0) if replaced else taking(state, rulings, limit)
    first = costs.finish
    grid = ideals(state.board.levels, state.variant == "finish")
    least = None
    for left in places(state.board, rulings, state.tower.cells) if first <= limit else ():
        rows = list(_rows(state, rulings, left, costs, not replaced))
        total = cheapest(grid, rows, limit - first)
        if total is not None:
            # At the next places only a cheaper one counts.
            least, limit = total + first, total + first - 1
            if not total:
                break
    return least


def laid_again(state: State, rulings: Rulings) -> bool:
    """Whether the apex lies and yet only laying the apex wins (END01), so that it has to be laid again."""
    lies = any(cell.level == state.board.levels for cell in state.tower.cells)
    return lies and rulings.early_apex != "win_on_completion"


def _rows(state: State, rulings: Rulings, left: int, costs: Costs, by_reserve: bool) -> Iterator[NumberCost]:
    """What each number that is not gone costs on each cell of a place, numbers rising; without `by_reserve` cards of
    the Reserve cost nothing on empty cells.
    """
    board, tower = state.board, state.tower
    grid = shape(board.levels)
    ends = edges(board, state.variant, rulings)
    home: dict[int, int] = {}
    fixed = [False] * grid.size
    wild = [False] * grid.size
    laid = [False] * grid.size
    for (column, level), lying in tower.cells.items():
        i = grid.number[column - left, level]
        laid[i] = True
        fixed[i] = type(lying) is Up and not may_replace(state, Cell(column, level), rulings)
        if i == grid.apex and laid_again(state, rulings):
            continue
        if lying.card is UNSEEN:
            wild[i] = True
        elif isinstance(lying.card, int):
            home[lying.card] = i
    laid_cards = {lying.card for lying in tower.cells.values()}
    shown = {card for hand in state.hands for card in hand.known} | state.reserve.known | set(state.deck) | laid_cards
    for value in range(1, board.cards + 1):
        if value in state.gone.known:
            continue
        dear = costs.taken[value]
        fresh = dear if by_reserve and value in state.reserve.known else 0
        row = [NEVER if fixed[i] else dear if laid[i] else fresh for i in range(grid.size)]
        if value not in shown:
            row = [0 if wild[i] else cost for i, cost in enumerate(row)]
        here = home.get(value)
        if here is not None:
            row[here] = 0
        if out := barred(grid, value, ends):
            row = [NEVER if out >> i & 1 else cost for i, cost in enumerate(row)]
        yield NumberCost(row, 0 if here is None else 1 << here)


def may_replace(state: State, cell: Cell, rulings: Rulings) -> bool:
    """Whether [replace_target] lets action D replace what lies on `cell` (ACT07)."""
    if rulings.replace_target == "facedown_only":
        return cell in state.tower.down
    return rulings.replace_target == "any" or cell != state.board.anchor_cell or state.anchor_moved


# The same price for positions of the search: how many cards actions D take at least beside one for each empty cell.
#
# It is that of `least_spent`, with one card for each action D, and so is the walk along the order ideals; here all
# ideals of one price are one number. An ideal holds in each column the cells up to some level, and these heights fall
# strictly from left to right while there are any, since the cell on the right of the one it holds rests below it: so it
# is a set of heights, and a *word* with bit h - 1 for a column of height h. The next cell of a column of height h moves
# one bit: the word grows by 2^(h-1), or by 1 where the column was empty. A set of ideals is a number with a bit for
# each word, and adding one cell to all of them a mask and a shift. For each price there is one such *lane*, the
# cheapest first, and the lanes lie in one number.

_WALKS = 1 << 13
_PARTS = 1 << 17
_SHAPES = 1 << 12
"""So many walks, parts of walks, and steps are kept; all are large."""
_PART = 10
"""So many numbers are a part."""
_WALKED = 3
_GROWN = 3
"""The steps that a walk takes to be made, and to be gone by a part of the numbers."""

Place = tuple[int, int]
"""Column, counted from the left end of level 1, and level."""
Growth = tuple[tuple[int, int], ...]
"""Level by level: the shift of words, and the ideals (in every lane) to which a cell is added at no price; then a lane
more, and those (in every lane but the dearest) where it takes an action D.
"""


@lru_cache(maxsize=8)
def addable(levels: int) -> dict[Place, int]:
    """For each cell, as (column, level), the ideals that it can be added to: a bit for each word."""
    ideals: dict[Place, int] = {}
    for word in range(1 << levels):
        for level in range(1, levels + 1):
            if not word >> level - 1 & 1 and (level == 1 or word >> level - 2 & 1):
                cell = (word >> level).bit_count(), level
                ideals[cell] = ideals.get(cell, 0) | 1 << word
    return ideals


class Walk(NamedTuple):
    """How the ideals grow by a number on a tower at one place of the columns: by an own card, one of the Reserve and
    one that nobody saw, each by the band of its number; and the steps that fill the cells where numbers are laid.
    `serials` tell for each part of the numbers what it hangs on: equal ones grow the same ideals alike.
    """

    own: tuple[Growth, ...]
    reserve: tuple[Growth, ...]
    unseen: tuple[Growth, ...]
    laid: dict[int, Growth]
    numbers: int
    serials: tuple[int, ...]


class Prices:
    """The prices under one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        board = frame.board
        self._levels, self._lane = board.levels, 1 << board.levels
        self._addable = addable(board.levels)
        self._apex = 0, board.levels
        self._finish = frame.variant == "finish"
        under, self._over = frame.edges
        self._bands = [(number <= self._over) + 2 * (number >= under) for number in range(board.cards + 1)]
        """Which edges the Finish card on the apex bars to a number: bit 0 the cells above it, bit 1 those below."""
        places = [cell for cell in self._addable if not (self._finish and cell == self._apex)]
        self._cells = [
            [((x, level), frame.number[x + left, level], self._addable[x, level]) for x, level in places]
            for left in range(board.levels)
        ]
        self._edges = [[~self._beyond(band, level) for level in range(board.levels + 1)] for band in range(4)]
        self._growth, self._stay = lru_cache(_SHAPES)(self._growths), lru_cache(_SHAPES)(self._one_stay)
        serial = count()
        self._serial = Kept[object, int](lambda _: next(serial))
        self._parts = [(1 << _PART) - 1 << first for first in range(0, board.cards + 1, _PART)]
        self._grown: dict[tuple[int, int, int, int, int, int, int], int] = {}
        self._walks, self._idle = Kept(self._walked, _WALKS), Kept(self._never)
        self._found = Kept(self._cheapest)

    def _beyond(self, band: int, level: int) -> int:
        """The ideals to which a cell of this level can be added that is barred to the numbers of a band."""
        return sum(words for cell, words in self._addable.items() if cell[1] == level and self._barred(cell, band))

    def _barred(self, cell: Place, band: int) -> bool:
        return bool((band & 1 and sum(cell) == self._levels) or (band & 2 and cell[0] == 0))

    def least(self, node: Node, limit: int, leaving: Sequence[int] = ()) -> int | None:
        """The least price of a final tower, None when every one is dearer than `limit`, which is not below 0. On the
        cells that are `leaving` the up card does not stay: each takes an action D.

        Cost: some tens of microseconds a place, growing with `limit`; what was asked is kept.
        """
        frame, tower, reserve, hidden = self.frame, node.tower, node.reserve, node.hidden
        own, unseen = frame.own(node), hidden.values if hidden is not None else 0
        if leaving:
            left = bytearray(tower)
            for cell in leaving:
                own |= 1 << left[cell]
                left[cell] = frame.finish  # as if F lay there, which stays on no cell
            tower = bytes(left)
        first = frame.finish_cost(node)
        if first is None:
            return None
        # In whose hand a card is plays no part: positions that share these share the price.
        price = self._found[tower, node.moved, own & frame.glass, reserve & frame.glass, unseen, limit - first, 0]
        return None if price is None else price + first

    def idle(self, node: Node, price: int) -> int:
        """The numbers of the Reserve with which every final tower is dearer than `price`, as a mask.

        Everything is seen, and the least price of the position is `price`. Cost: some least prices; what was asked is
        kept.
        """
        frame, tower, reserve = self.frame, node.tower, node.reserve
        limit = price - (reserve & frame.finish_bit > 0)
        return self._idle[tower, node.moved, frame.own(node) & frame.glass, reserve & frame.glass, limit]

    def _never(self, key: tuple[bytes, bool, int, int, int]) -> int:
        reserve, limit = key[3:]
        if limit <= 0:
            return reserve
        return sum(1 << card for card in bits(reserve) if self._cheapest((*key[:4], 0, limit, 1 << card)) is None)

    def _cheapest(self, key: tuple[bytes, bool, int, int, int, int, int]) -> int | None:
        """The least price of final towers with a number taken, if any: of a tower and whether the card of set-up was
        replaced, the numbers that are own, in the Reserve and unseen, the limit, and the one taken, as masks.
        """
        tower, moved, limit = key[0], key[1], key[5]
        if limit < 0:
            return None
        walks = self._walks[tower, moved, limit]
        self.frame.budget.spend()
        prices = [self._along(walk, *key[2:]) for walk in walks]
        return min((price for price in prices if price is not None), default=None)

    def _along(self, walk: Walk, own: int, reserve: int, unseen: int, limit: int, taken: int) -> int | None:
        lane = self._lane
        lanes = _lanes(lane, limit)
        # Before any number every lane holds the empty ideal, bit 0: lane p is what costs p or less.
        ideals = lanes
        # In the variant `finish` no number comes to the apex: F is added, at no price, once all else is filled.
        apex = self._addable[self._apex] * lanes if self._finish else 0
        for part, serial in zip(self._parts, walk.serials, strict=True):
            # The same numbers of one part make the same of the same ideals, so each part of a walk is gone once.
            key = serial, ideals, own & part, reserve & part, unseen & part, walk.numbers & part, taken & part
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
        shift, bands, laid_there = 1 << max(0, self._levels - 2), self._bands, walk.laid.get
        for number in bits(own | reserve | unseen | laid):
            kind = walk.reserve if reserve >> number & 1 else walk.unseen if unseen >> number & 1 else walk.own
            # A number that the tower must hold leaves no ideal as it was; any other may be passed over.
            grown = 0 if taken >> number & 1 else ideals
            # One cell more for all ideals at once: in its lane where it is free, in the next where it takes a D.
            for moved, some in kind[bands[number]]:
                grown |= (ideals & some) << moved
            for moved, some in laid_there(number, ()):
                grown |= (ideals & some) << moved
            if apex:
                grown |= (grown & apex) << shift
            ideals = grown
        return ideals

    def _walked(self, key: tuple[bytes, bool, int]) -> list[Walk]:
        return [self._walk(left, *key) for left in self.frame.places(key[0])]

    def _walk(self, left: int, tower: bytes, moved: bool, limit: int) -> Walk:
        frame, apex = self.frame, self._apex
        frame.budget.spend(_WALKED)
        stays: dict[int, Growth] = {}
        homes: list[list[tuple[int, Place]]] = [[] for _ in self._parts]
        empty, paid, wild = [[0] * (self._levels + 1) for _ in range(3)]
        for cell, number, words in self._cells[left]:
            code = tower[number]
            if not code:
                empty[cell[1]] |= words
                continue
            # Another number on a laid cell takes a D, where its card may be replaced (ACT07).
            if frame.may_replace(number, code, moved):
                paid[cell[1]] |= words
            # A card stays for nothing where it lies, opened where it is down; an apex to be laid again does not.
            card = code & ~DOWN
            if not card:
                wild[cell[1]] |= words
            elif card != frame.finish:
                stays[card] = () if cell == apex and frame.apex_again else self._stay(cell, self._bands[card], limit)
                homes[card // _PART].append((card, cell))
        # One of the Reserve is paid for everywhere; one that nobody saw may be an unseen laid card, which stays.
        either = [free | some for free, some in zip(empty, paid, strict=True)]
        unseen = [free | some for free, some in zip(empty, wild, strict=True)]
        own = self._growth(tuple(empty), tuple(paid), limit)
        # Towers with cards on the same cells differ only in the parts of the cards that differ.
        cells = self._serial[tuple(empty), tuple(paid), tuple(wild), limit]
        return Walk(
            own,
            self._growth((0,) * len(either), tuple(either), limit),
            self._growth(tuple(unseen), tuple(paid), limit) if any(wild) else own,
            stays,
            sum(1 << number for number in stays),
            tuple(self._serial[cells, first, tuple(home)] for first, home in enumerate(homes)),
        )

    def _one_stay(self, cell: Place, band: int, limit: int) -> Growth:
        """The step by a number that stays where it lies."""
        if self._barred(cell, band):
            return ()
        return ((1 << max(0, cell[1] - 2), self._addable[cell] * _lanes(self._lane, limit)),)

    def _growths(self, free: tuple[int, ...], paid: tuple[int, ...], limit: int) -> tuple[Growth, ...]:
        """By band, the steps by a number that fills some cells for nothing and others at the price of an action D; of
        the cells of each level the words that they can be added to.
        """
        lane = self._lane
        ways = (free, 0, _lanes(lane, limit)), (paid, lane, _lanes(lane, limit - 1))
        growths = []
        for band in self._edges[: 4 if self._over else 1]:
            steps = [(cells[level] & edge, level, step) for cells, *step in ways for level, edge in enumerate(band)]
            growths.append(
                tuple((more + (1 << max(0, level - 2)), some * to) for some, level, (more, to) in steps if some)
            )
        return tuple(growths)


@lru_cache(maxsize=64)
def _lanes(lane: int, limit: int) -> int:
    """The first bit of each of the lanes 0..limit."""
    return sum(1 << lane * price for price in range(limit + 1))
