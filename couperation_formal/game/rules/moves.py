"""Every legal action of a player after the draw: the whole set, found from the windows of the cells rather than by
trying.

D actions that differ only in how the same sum is written count once (notation page of the specification).
"""

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from operator import itemgetter
from typing import Literal, NamedTuple

import msgspec

from couperation_formal.game.fact import Spent, Steps
from couperation_formal.game.record import Exchange, LayDown, LayUp, Open, short
from couperation_formal.game.rules.arrangement import Windows, finish_number, holds, inside, shown_on, within
from couperation_formal.game.rules.step import astray
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State, all_cards
from couperation_formal.game.tower import FINISH, UNSEEN, Card, Cell, Down, FinishCard, Tower, Up, card_key

Move = LayUp | LayDown | Open | Exchange
Sign = Literal["+", "-"]
Adjust = Literal["^", "_", "|"]
Written = tuple[Sign, tuple[Adjust, ...]]
"""How a sum is written: its sign, and a mark for each card destroyed."""


class Moves(msgspec.Struct, frozen=True):
    """The actions with known cards that are legal whatever the unseen cards are; `complete` is False where these may
    allow more, and `could` is where an unseen card of the hand could be laid. `told` is False where the budget ended
    before all were found.
    """

    actions: tuple[Move, ...]
    complete: bool
    told: bool = True
    could: tuple[LayUp | LayDown, ...] = ()

    def __repr__(self) -> str:
        return short(self, actions=len(self.actions), complete=self.complete)

    def __str__(self) -> str:
        return "\n".join(map(str, self.actions))

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[Move]:
        return iter(self.actions)


def legal_actions(state: State, player: int, rulings: Rulings, budget: Steps | None = None) -> Moves:
    """The legal actions of `player` in `state`, which stands after the draw.

    Actions A, B, C, D in this order, cells from left to right and upwards, as far as `budget` allows. Cost: the number
    of actions, times a pass over the down cards' orders for each card that D may replace.
    """
    complete, moves = not may_allow(state, player), list[Move]()
    try:
        moves.extend(_moves(state, player, rulings, budget or Steps()))
    except Spent:
        return Moves(tuple(moves), False, False)
    return Moves(tuple(moves), complete, could=() if complete else tuple(_could(state, player, rulings)))


def _could(state: State, player: int, rulings: Rulings) -> Iterator[LayUp | LayDown]:
    """Where an unseen card of the hand could be laid, up and down: one that the table shows nowhere fits, whatever
    those up cards are that are not seen.
    """
    if state.hands[player].unseen <= 0 and not state.hands[player].more:
        return
    places = Places(state, rulings)
    free = list(places.free())
    cards = [card for card in all_cards(state.board, "first") if state.whereabouts(card) is None]
    yield from (LayUp(UNSEEN, cell) for cell in free if any(places.fits_up(cell, card) for card in cards))
    yield from (LayDown(UNSEEN, cell) for cell in free if cards and places.fits_down(cell))


def may_allow(state: State, player: int) -> bool:
    """Whether it hangs on cards that are not seen what `player` can do: those of the hand, of the Reserve or up in the
    tower.
    """
    hand = state.hands[player]
    own, taking = state.owned(player) + hand.more, hand.unseen or hand.more or state.tower.hidden
    return bool((taking and own) or (state.reserve.unseen and own > 1))


def some_action(state: State, player: int, rulings: Rulings) -> Move | None:
    """One action with known cards that is legal whatever the unseen cards are, or None when there is none; an unseen
    hand card counts for action B. Cost: for a large hand its pairs, times the numbers of further cards, times the cards
    that may be taken.
    """
    first = next(_moves(state, player, rulings, Steps(), some=True), None)
    if first is None and state.hands[player].unseen:
        places = Places(state, rulings)
        cell = next((cell for cell in places.free() if places.fits_down(cell)), None)
        if cell is not None:
            return LayDown(UNSEEN, cell)
    return first


def _moves(state: State, player: int, rulings: Rulings, budget: Steps, some: bool = False) -> Iterator[Move]:
    places = Places(state, rulings)
    hand = sorted(state.hands[player].known, key=card_key)
    own: list[Card] = [*hand, FINISH] if state.front == player else hand
    free = list(places.free())
    for card in own:
        yield from (LayUp(card, cell) for cell in free if places.fits_up(cell, card))
    for cell in free:
        if places.fits_down(cell):
            yield from (LayDown(card, cell) for card in hand)
    for cell in sorted(state.tower.down):
        yield Open(cell, state.tower.cells[cell].card)
    targets = [(cell, None) for cell in free] + list(places.replaceable())
    for total in _payable(state, own, rulings) if some else payments(state, own, rulings, budget):
        budget.spend(len(targets))
        for cell, replaced in targets:
            for face_up in (True, False) if rulings.reserve_face == "either" else (True,):
                if places.fits(cell, total.taken, face_up, replaced):
                    yield Exchange(*total, face_up, cell, replaced)


class Places:
    """Where cards can be laid on one tower: shape (TOW03 to TOW06), apex (TOW08) and orders (TOW01, TOW02, TOW07).

    A card is placed where it fits whatever the unseen up cards are. On a tower out of order only in place of a card
    without which the others are in order; on one that stands as it was played the card alone must be in order.
    """

    def __init__(self, state: State, rulings: Rulings) -> None:
        self._state, self._rulings = state, rulings
        self._board, self._tower = state.board, state.tower
        self._windows: dict[Cell | None, Windows] = {}
        mends = (state.given or state.turned) and not astray(state, rulings)
        self._astray = mends and not self._ordered(state.tower)
        self._outside = state.stands and not within(state.tower, state.board, rulings)

    def free(self) -> Iterator[Cell]:
        """The empty cells that the shape of the tower allows, level by level."""
        board, tower = self._board, self._tower
        for level in range(1, 0 if self._astray else board.levels + 1):
            for column in range(board.columns - level + 1):
                cell = Cell(column, level)
                if cell not in tower.cells and self._grounded(cell) and self._inside(cell):
                    yield cell

    def _ordered(self, tower: Tower) -> bool:
        """Whether the tower is in order whatever its unseen up cards are: play keeps it so, but for an opened card that
        [opened_against] lets stand.
        """
        kept = not (self._state.given or self._rulings.opened_against == "stands")
        return holds(self._board, tower, self._rulings) and (kept or not tower.hidden)

    def _grounded(self, cell: Cell) -> bool:
        cells = self._tower.cells
        if cell.level > 1:
            left, right = cell.supports
            return left in cells and right in cells
        if self._rulings.spread == "anywhere":
            return True
        return Cell(cell.column - 1, 1) in cells or Cell(cell.column + 1, 1) in cells

    def _inside(self, cell: Cell) -> bool:
        if self._outside:
            return within(Tower.of(self._board, {cell: Down(UNSEEN)}), self._board, self._rulings)
        first = max(self._tower.first, cell.column - self._board.levels + cell.level)
        last = min(self._tower.last, cell.column)
        return inside(first, last, self._board, self._rulings)

    def replaceable(self) -> Iterator[tuple[Cell, Up | Down]]:
        """The laid cards that D may replace (ACT07)."""
        if self._rulings.replacements == "once" and self._state.replaced:
            return
        for cell in sorted(self._tower.cells):
            laid = self._tower.cells[cell]
            if self._rulings.replace_target == "facedown_only" and type(laid) is not Down:
                continue
            anchored = cell == self._board.anchor_cell and not self._state.anchor_moved
            if self._rulings.replace_target == "not_anchor" and anchored:
                continue
            if self._outside and not self._inside(cell):
                continue
            if self._astray and not self._ordered(self._tower.without(cell)):
                continue
            yield cell, laid

    def _on(self, replaced: Cell | None) -> Windows:
        windows = self._windows.get(replaced)
        if windows is None:
            tower: Tower = self._tower if replaced is None else self._tower.without(replaced)
            windows = self._windows[replaced] = Windows(self._board, tower, self._rulings, True, self._state.stands)
        return windows

    def fits_up(self, cell: Cell, card: Card, replacing: bool = False) -> bool:
        """Whether `card` may lie up on `cell`."""
        if cell.level == self._board.levels:
            if self._state.variant == "finish" and card is not FINISH:
                return False
            if self._rulings.early_apex == "forbidden" and self._tower.down - {cell}:
                return False
        value = shown_on(self._board, cell, self._rulings) if isinstance(card, FinishCard) else card
        return value is None or self._on(cell if replacing else None).window(cell).holds(value)

    def fits_down(self, cell: Cell, replacing: bool = False) -> bool:
        """Whether a Glass card may lie down on `cell`."""
        return cell.level < self._board.levels and self._on(cell if replacing else None).fits_down(cell)

    def fits(self, cell: Cell, card: Card, face_up: bool, replaced: Up | Down | None) -> bool:
        """Whether action D may lay `card` on `cell`, empty or in place of `replaced`."""
        if face_up:
            return self.fits_up(cell, card, replaced is not None)
        return card is not FINISH and self.fits_down(cell, replaced is not None)


class Payment(NamedTuple):
    """What action D sends, destroys and takes, before it is laid."""

    first: Card
    sign: Sign
    second: Card
    adjust: tuple[tuple[Adjust, Card], ...]
    taken: Card


def payments(state: State, own: list[Card], rulings: Rulings, budget: Steps) -> Iterator[Payment]:
    """Every choice of cards sent, destroyed and taken whose numbers agree (ACT05, ACT06), each once."""
    for first, second, low, high, takeable in _pairs(state, own, rulings):
        others = [card for card in own if card is not first and card is not second]
        for count in range(len(others) + 1):
            budget.spend(1 + comb(len(others), count) * len(takeable) // 8)
            for destroyed in combinations(others, count):
                for target, taken in takeable:
                    for sign, adjust in islice(writings(low, high, target, count, rulings), 1):
                        pairs = tuple(zip(adjust, destroyed, strict=True))
                        yield Payment(first, sign, second, pairs, taken)


def _payable(state: State, own: list[Card], rulings: Rulings) -> Iterator[Payment]:
    """Each card that can be taken, with the first of the ways to pay for it: where it may be laid does not hang on
    the way.
    """
    payable: set[Card] = set()
    for first, second, low, high, takeable in _pairs(state, own, rulings):
        others = [card for card in own if card is not first and card is not second]
        least = [min(abs(target - low - high), abs(target - abs(low - high))) for target, _ in takeable]
        for count, (target, taken) in sorted(zip(least, takeable, strict=True), key=itemgetter(0)):
            if count > len(others) or taken in payable:
                continue
            for sign, adjust in islice(writings(low, high, target, count, rulings), 1):
                payable.add(taken)
                yield Payment(first, sign, second, tuple(zip(adjust, others, strict=False)), taken)


_Pair = tuple[Card, Card, int, int, list[tuple[int, Card]]]


def _pairs(state: State, own: list[Card], rulings: Rulings) -> Iterator[_Pair]:
    """Every two own cards that can be sent, their numbers, and the cards that can be taken then."""
    finish = finish_number(state.board, rulings)

    def value(card: Card) -> int | None:
        return finish if isinstance(card, FinishCard) else card

    for first, second in combinations(own, 2):
        low, high = value(first), value(second)
        if low is None or high is None:
            continue
        reserve = set(state.reserve.known)
        if rulings.take_sent == "allowed":
            reserve |= {first, second}
        takeable = [(number, card) for card in reserve if (number := value(card)) is not None]
        yield first, second, low, high, sorted(takeable, key=lambda pair: card_key(pair[1]))


def writings(first: int, second: int, target: int, count: int, rulings: Rulings) -> Iterator[Written]:
    """Each sign with which the two numbers make `target`, `count` cards being destroyed, with their marks (ACT05)."""
    signs: tuple[tuple[Sign, int], ...] = (("-", abs(first - second)), ("+", first + second))
    for sign, base in signs:
        change = target - base
        if abs(change) > count:
            continue
        if rulings.adjust == "up_to":
            plus, minus = max(change, 0), max(-change, 0)
        elif (count - change) % 2:
            continue
        else:
            plus, minus = (count + change) // 2, (count - change) // 2
        if rulings.adjust == "uniform" and plus and minus:
            continue
        marks: list[tuple[Adjust, int]] = [("^", plus), ("_", minus), ("|", count - plus - minus)]
        yield sign, tuple(mark for mark, times in marks for _ in range(times))
