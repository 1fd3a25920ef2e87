"""From a record with unseen cards, made while its deal was still open, to a fully seen one with the same turns.

Every card that is not named gets a place of its own first and a number last; the deck is laid as it was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from couperation_formal.model.board import STANDARD, Board, Cell
from couperation_formal.model.cards import FINISH, Card, Down, FinishCard, Shown, UnseenCard, Up, Value
from couperation_formal.model.record import Exchange, LayDown, LayUp, Open, Record, Turn


class _Slot(msgspec.Struct, eq=False):
    """A card of the game; its identity may still be open."""

    card: Card | None = None


class _Table(msgspec.Struct):
    """Where the cards of the game lie."""

    hands: list[list[_Slot]]
    reserve: list[_Slot]
    tower: dict[Cell, _Slot]
    finish: _Slot
    drawn: list[_Slot] = []

    def take(self, pile: list[_Slot], card: Shown) -> _Slot:
        """`card` out of a pile; an open card of it becomes this one where none is."""
        if isinstance(card, FinishCard):
            if self.finish in pile:
                pile.remove(self.finish)
            return self.finish
        known = next((slot for slot in pile if slot.card is not None and slot.card == card), None)
        slot = known or next((slot for slot in pile if slot.card is None), pile[-1])
        if known is None and not isinstance(card, UnseenCard):
            slot.card = card
        pile.remove(slot)
        return slot


Placed = tuple[Turn, tuple[_Slot, ...], tuple[_Slot, ...], tuple[_Slot, ...], tuple[_Slot, ...], tuple[_Slot, ...]]
"""A turn with the cards of its draw, of its action in the order of `_act`, those that fill the hand, and those that it
drops and trims.
"""


def deal_for(record: Record, board: Board = STANDARD) -> Record:
    """A fully seen record with the turns of `record`, whose deals, Reserve and deck are not written and whose cards are
    all where the turns take them from. Cost: linear in the turns.
    """
    players = len(record.players)
    size = board.reserve_size(players) or 2
    hands = [[_Slot() for _ in range(board.deal)] for _ in range(players)]
    reserve = [_Slot(Value(1)), _Slot(Value(board.cards)), *(_Slot() for _ in range(size - 2))]
    dealt, begins = [list(hand) for hand in hands], list(reserve)
    anchor = _Slot(Value(board.anchor))
    table = _Table(hands, reserve, {board.anchor_cell: anchor}, _Slot(FINISH))
    placed = [_play(table, turn, place % players) for place, turn in enumerate(record.turns)]
    cards = board.cards - 1 - players * board.deal - size + (record.variant == "finish")
    deck = [*table.drawn, *(_Slot() for _ in range(cards - len(table.drawn)))]
    if record.variant == "finish" and table.finish not in deck:
        deck[-1] = table.finish
    every = [*(slot for hand in dealt for slot in hand), *begins, *deck]
    _name(every, board)
    return replace(
        record,
        deals={name: _shown(hand) for name, hand in zip(record.players, dealt, strict=True)},
        reserve=_shown(begins),
        deck=_shown(deck),
        turns=tuple(_rewritten(each) for each in placed),
    )


def _name(slots: list[_Slot], board: Board) -> None:
    """Give every open card a number that no other card has."""
    taken = {slot.card for slot in slots} | {Value(board.anchor)}
    free = (Value(value) for value in range(2, board.cards) if Value(value) not in taken)
    for slot in slots:
        if slot.card is None:
            slot.card = next(free)


def _shown(slots: list[_Slot] | tuple[_Slot, ...]) -> tuple[Shown, ...]:
    return tuple(_card(slot) for slot in slots)


def _card(slot: _Slot) -> Card:
    if slot.card is None:
        raise AssertionError("a card without a number")
    return slot.card


def _play(table: _Table, turn: Turn, player: int) -> Placed:
    hand = table.hands[player]
    draw = tuple(_draw(table, card, hand) for card in turn.draw)
    named = tuple(_act(table, turn, hand))
    fill = tuple(_draw(table, card, hand) for card in turn.fill)
    drop = tuple(table.take(hand, card) for card in turn.drop)
    trim = tuple(table.take(table.reserve, card) for card in turn.trim)
    return turn, draw, named, fill, drop, trim


def _draw(table: _Table, card: Shown, hand: list[_Slot]) -> _Slot:
    slot = table.finish if card is FINISH else _Slot(None if isinstance(card, UnseenCard) else card)
    table.drawn.append(slot)
    hand.append(slot)
    return slot


def _act(table: _Table, turn: Turn, hand: list[_Slot]) -> Iterator[_Slot]:
    """Carry the action out and give its cards as they stand in it: a replaced card last."""
    action = turn.action
    if isinstance(action, LayUp | LayDown):
        slot = table.tower[action.cell] = table.take(hand, action.card)
        yield slot
    elif isinstance(action, Open):
        slot = table.tower[action.cell]
        if slot.card is None and not isinstance(action.card, UnseenCard):
            slot.card = action.card
        yield slot
    elif isinstance(action, Exchange):
        sent = [table.take(hand, action.first), table.take(hand, action.second)]
        yield from sent
        for _, card in action.adjust:
            yield table.take(hand, card)
        table.reserve += sent
        taken = table.take(table.reserve, action.taken)
        yield taken
        if action.replaced is not None:
            old = table.tower[action.cell]
            hand.append(old)
            yield old
        table.tower[action.cell] = taken


def _rewritten(placed: Placed) -> Turn:
    """The turn with every card named; a replaced down card stays as it was written."""
    turn, draw, named, fill, drop, trim = placed
    action = turn.action
    cards = _shown(named)
    if isinstance(action, LayUp | LayDown | Open):
        action = replace(action, card=cards[0])
    elif isinstance(action, Exchange):
        adjust = tuple((sign, card) for (sign, _), card in zip(action.adjust, cards[2:], strict=False))
        replaced = action.replaced
        if replaced is not None:
            replaced = Down(cards[-1]) if isinstance(replaced, Down) else Up(cards[-1])
        taken = cards[2 + len(adjust)]
        action = replace(action, first=cards[0], second=cards[1], adjust=adjust, taken=taken, replaced=replaced)
    return replace(turn, draw=_shown(draw), action=action, fill=_shown(fill), drop=_shown(drop), trim=_shown(trim))
