"""Two ways to play: at random, and with care to win."""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import inf
from random import Random
from typing import NamedTuple

from couperation_formal.model.board import Board, Cell
from couperation_formal.model.cards import Card, Down, FinishCard, card_key
from couperation_formal.model.record import Exchange, LayDown, LayUp, Open, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.rules.arrangement import extension_key
from couperation_formal.rules.ending import ending
from couperation_formal.rules.moves import Move
from couperation_formal.rules.orders import number, shown_on
from couperation_formal.rules.step import carry_out

_KIND_WEIGHTS: dict[type[Move], float] = {LayUp: 8, LayDown: 3, Open: 0.2, Exchange: 5}

# The careful player's measures, found by trial; only their proportions matter.
_OPEN_CELL = 0.3  # a cell that is still to be filled
_TIGHT_CELL = 1.0  # the same cell, divided by half a card more than the cards that fit there
_DOWN = 0.6  # a down card that fits where it lies and waits to be opened
_MISFIT = 2.5  # a card that lies where it cannot stay, and each number by which an up card is out of place
_CARD = 0.3  # a card of one's own spent beyond one a turn
_RUIN = 1000.0  # what makes the game hopeless


class RandomPlayer:
    """Plays legally and without a plan: first the kind of action (A often, C seldom), then one of that kind."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(f"random {seed}")

    def amount(self, _state: State, amounts: tuple[int, ...]) -> int:
        """A legal amount, rather more than fewer."""
        return self._rng.choices(amounts, [1 + 4 * amount for amount in amounts])[0]

    def action(self, _state: State, actions: tuple[Move, ...]) -> Move:
        """A legal action."""
        kinds = [kind for kind in _KIND_WEIGHTS if any(type(action) is kind for action in actions)]
        (kind,) = self._rng.choices(kinds, [_KIND_WEIGHTS[kind] for kind in kinds])
        return self._rng.choice([action for action in actions if type(action) is kind])

    def destroy(self, _state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """Any of the cards."""
        return tuple(self._rng.sample(cards, count))


class CarefulPlayer:
    """Plays to win: leaves room in the tower for the cards that are still about, and spends few cards.

    It knows its own hand, the Reserve, the destroyed cards and what every down card is, but neither the deck's order
    nor who of the others has which card.
    """

    def __init__(self, seed: int, rulings: Rulings) -> None:
        self._rng = Random(f"careful {seed}")
        self._rulings = rulings

    def amount(self, state: State, amounts: tuple[int, ...]) -> int:
        """As many as stay in hand after an action that takes one card; else the fewest."""
        room = state.board.hand_limit + 1 - state.hands[state.to_move].size
        return max((amount for amount in amounts if amount <= room), default=amounts[0])

    def action(self, state: State, actions: tuple[Move, ...]) -> Move:
        """The action that leaves the best prospects; equals are chosen from at random."""
        prospects: dict[object, float] = {}
        worths = []
        for action in actions:
            key: object = action
            cost = 0.0
            if isinstance(action, Exchange):  # looked at once for all the ways to pay for it
                key = action.taken, action.cell, action.face_up
                cost = _CARD * (1 + len(action.adjust))
                if any(isinstance(card, FinishCard) for _, card in action.adjust):
                    cost += _RUIN
            if key not in prospects:
                prospects[key] = self._prospect(state, action)
            worths.append(prospects[key] - cost)
        most = max(worths)
        return self._rng.choice([action for action, worth in zip(actions, worths, strict=True) if worth == most])

    def destroy(self, state: State, cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
        """The cards that would fit the fewest cells still to be filled, the Finish card last."""
        windows = _outlook(state, self._rulings).windows

        def use(card: Card) -> tuple[float, tuple[int, int]]:
            fits = inf if isinstance(card, FinishCard) else sum(low <= card <= high for low, high in windows)
            return fits, card_key(card)

        return tuple(sorted(cards, key=use)[:count])

    def _prospect(self, state: State, action: Move) -> float:
        """How good the table is after `action`: without bounds when it wins, hopeless when it loses."""
        turn = Turn(state.turns + 1, state.players[state.to_move], (), action)
        step = carry_out(state, turn, state.to_move)
        end = ending(step, self._rulings)
        if end is not None:
            return inf if end == "win" else -2 * _RUIN
        return _outlook(step.acted, self._rulings).worth


class _Pyramid(NamedTuple):
    """The cells to be filled, each after all that are below it in the orders; `below[i]` are the places of the one or
    two cells from which all orders to cell i follow when the tower is full.
    """

    cells: tuple[Cell, ...]
    below: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _pyramid(board: Board, left: int) -> _Pyramid:
    cells = tuple(sorted(board.pyramid(left), key=extension_key))
    place = {cell: i for i, cell in enumerate(cells)}
    covers = [(Cell(column - 1, level + 1), Cell(column, level - 1)) for column, level in cells]
    return _Pyramid(cells, tuple(tuple(place[cell] for cell in pair if cell in place) for pair in covers))


class _Outlook(NamedTuple):
    """The windows of the cells that are still to be filled, and what the table is worth."""

    windows: list[tuple[int, int]]
    worth: float


def _outlook(state: State, rulings: Rulings) -> _Outlook:
    """The outlook for the pyramid nearest to the middle that the tower allows. Cost: some tens of microseconds."""
    board, tower = state.board, state.tower
    pyramid = _pyramid(board, min(max(board.middle, tower.first), tower.last))
    fixed: list[int | None] = []
    for cell in pyramid.cells:
        laid = tower.cells.get(cell)
        finish = shown_on(board, cell, rulings)
        awaited = state.variant == "finish" and cell.level == board.levels
        fixed.append(number(laid, finish) if laid else finish if awaited else None)
    low, high, strain = _bounds(fixed, pyramid, board.cards)
    spent = {*fixed, *state.gone.known}
    about = list(accumulate((value not in spent for value in range(1, board.cards + 1)), initial=0))
    windows = []
    worth = -_MISFIT * (strain + _misplaced(state, rulings))
    for i, cell in enumerate(pyramid.cells):
        if fixed[i] is None:
            windows.append((low[i], high[i]))
            fitting = about[high[i]] - about[low[i] - 1] if low[i] <= high[i] else 0
            worth -= _OPEN_CELL + _TIGHT_CELL / (fitting + 0.5)
            laid = tower.cells.get(cell)
            if isinstance(laid, Down) and isinstance(laid.card, int):
                worth -= _DOWN if low[i] <= laid.card <= high[i] else _MISFIT
    return _Outlook(windows, worth)


def _bounds(fixed: list[int | None], pyramid: _Pyramid, greatest: int) -> tuple[list[int], list[int], int]:
    """The least and the greatest number of every cell, room for all the others counted in as if every order were
    strict; and how far the fixed numbers are from leaving that room.
    """
    low: list[int] = []
    strain = 0
    for value, below in zip(fixed, pyramid.below, strict=True):
        least = max((low[j] + 1 for j in below), default=1)
        if value is not None:
            strain += max(0, least - value)
        low.append(least if value is None else value)
    high = [greatest if value is None else value for value in fixed]
    for i in reversed(range(len(high))):
        for j in pyramid.below[i]:
            if fixed[j] is None:
                high[j] = min(high[j], high[i] - 1)
    return [min(value, greatest + 1) for value in low], [max(value, 0) for value in high], strain


def _misplaced(state: State, rulings: Rulings) -> int:
    """How many up cards have to be replaced before the game can be won: the Finish card below the apex that waits for
    it, an apex over down cards.
    """
    count = 0
    for cell, laid in state.tower.cells.items():
        apex = cell.level == state.board.levels
        if state.variant == "finish" and isinstance(laid.card, FinishCard) and not apex:
            count += 1
        if apex and state.tower.down and rulings.early_apex != "win_on_completion":
            count += 1
    return count
