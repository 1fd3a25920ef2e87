"""The sizes of draws that were not noted (``+*``), and of the hands and the deck that they leave open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from msgspec.structs import replace

from couperation_formal.model.board import Board
from couperation_formal.model.cards import UNSEEN
from couperation_formal.model.record import Exchange, Turn
from couperation_formal.model.state import Pile, State
from couperation_formal.rules.run import with_hand

_HEART = 4
"""The most that a card allows to draw: a heart over two cards with two diamonds each."""


def most_drawn(board: Board) -> int:
    """One card more than any limit allows, which stands for all draws that are too large."""
    return max(_HEART, board.refill) + 1


def sizes(turn: Turn, board: Board) -> Iterator[Turn]:
    """The turn with each size of its draws that were not noted: unseen cards, up to one more than any limit allows,
    which stands for all that are too many. Small draws come first.
    """
    ways = [(UNSEEN,) * size for size in range(most_drawn(board) + 1)]
    draws = ways if turn.draw_open else [turn.draw]
    fills = ways if turn.fill_open else [turn.fill]
    for draw, fill in product(draws, fills):
        yield replace(turn, draw=draw, fill=fill, draw_open=False, fill_open=False)


def is_open(state: State, turn: Turn) -> bool:
    """Whether draws that were not noted leave sizes open that the turn may be judged by."""
    return state.open or turn.draw_open or turn.fill_open


def closed(state: State, turn: Turn, player: int) -> Iterator[tuple[State, Turn]]:
    """The table and the turn with each size of the player's hand, the deck and the draws that may be, small draws
    first, and large hands, which have the cards that a turn may take; one size above all that the turn's clauses tell
    apart stands for those between it and the greatest. Other hands count as the least that they may be.
    """
    if not is_open(state, turn):
        yield state, turn
        return
    hand, action = state.hands[player], turn.action
    away = sum(other.more for seat, other in enumerate(state.hands) if seat != player)
    spent = 2 + len(action.adjust) if isinstance(action, Exchange) else 1
    told_hand = spent + len(turn.drop) + state.board.hand_limit + 1
    told_deck = len(turn.draw) + len(turn.fill) + 2 * most_drawn(state.board) + 1
    hands = tuple(replace(other, more=0) for other in state.hands)
    cards = len(state.deck)
    for sized in sizes(turn, state.board):
        for extra in reversed(range(min(hand.more, cards) + 1)):
            if told_hand < extra < min(hand.more, cards):
                continue
            own = with_hand(hands, player, Pile(hand.known, hand.unseen + extra))
            for gone in range(extra, min(extra + away, cards) + 1):
                if gone == extra or cards - gone <= told_deck:
                    yield replace(state, hands=own, deck=state.deck[gone:]), sized


def narrowed(after: State, player: int, left: Iterable[State]) -> State:
    """The table after a turn, its player's hand only of sizes that it has on some of the tables `left`."""
    found = [table.hands[player].size for table in left]
    hand = after.hands[player]
    least = min(found)
    pile = Pile(hand.known, hand.unseen + least - hand.size, max(found) - least)
    return replace(after, hands=with_hand(after.hands, player, pile), deck=after.deck[least - hand.size :])
