"""A table: the state of a game between two turns or within one, and small changes to it.

A state's `tower` maps (column, level) to (card, up). A card is an int or "F". Players are numbered from 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .tower import Card, Cell, F, Game, Tower


class State(NamedTuple):
    """A table; `deck` is top first, `laid` the cell laid last, `touched` the cell laid or opened last."""

    tower: Tower
    hands: tuple[tuple[int, ...], ...]
    reserve: tuple[Card, ...]
    deck: tuple[Card, ...]
    front: int | None = None
    gone: tuple[Card, ...] = ()
    to_move: int = 0
    laid: Cell | None = None
    touched: Cell | None = None
    anchor_moved: bool = False
    turns: int = 0
    result: str | None = None


def card_key(card: Card) -> tuple[int, int]:
    """A sort key: numbers by value, then "F"."""
    return (1, 0) if card == F else (0, card)


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as a sorted tuple, "F" last."""
    return tuple(sorted(cards, key=card_key))


def canonical(state: State) -> tuple[Any, ...]:
    """A hashable form, equal for equal tables.

    (tower, hands, front, reserve, gone, deck, to_move, laid, touched, anchor_moved, turns, result): the tower as a
    sorted tuple of (column, level, card, up), each hand, the Reserve and the destroyed cards sorted with "F" last, the
    deck top first, cells as (column, level) or None.
    """
    return (
        tuple(sorted((column, level, card, up) for (column, level), (card, up) in state.tower.items())),
        tuple(in_order(hand) for hand in state.hands),
        state.front,
        in_order(state.reserve),
        in_order(state.gone),
        state.deck,
        state.to_move,
        state.laid,
        state.touched,
        state.anchor_moved,
        state.turns,
        state.result,
    )


def start(game: Game, hands: Iterable[Iterable[int]], reserve: Iterable[Card], deck: Iterable[Card]) -> State:
    """The table after the set-up, with these cards dealt."""
    tower: Tower = {game.anchor_cell: (game.anchor, True)}
    return State(tower, tuple(tuple(hand) for hand in hands), tuple(reserve), tuple(deck))


def without(cards: tuple[Card, ...], taken: Iterable[Card]) -> tuple[Card, ...]:
    """`cards` less one copy of each of `taken` that is there."""
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return tuple(left)


def holds_all(cards: tuple[Card, ...], wanted: Iterable[Card]) -> bool:
    """Whether all `wanted` cards, repeats counted, are among `cards`."""
    wanted = list(wanted)
    return len(without(cards, wanted)) == len(cards) - len(wanted)


def with_hand(state: State, player: int, hand: tuple[int, ...]) -> State:
    """The same table, but `player` holds `hand`."""
    return state._replace(hands=tuple(hand if i == player else old for i, old in enumerate(state.hands)))


def own_cards(state: State, player: int) -> tuple[Card, ...]:
    """The hand of `player`, and "F" where it lies in front."""
    return state.hands[player] + ((F,) if state.front == player else ())
