"""Turns in words and in CGN, as the recorder wrote them and as the other players saw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import msgspec

from couperation_formal.model.board import Cell
from couperation_formal.model.cards import UNSEEN, Down, FinishCard, Laid, Shown, UnseenCard, Up
from couperation_formal.model.record import Exchange, LayDown, LayUp, NoAction, Open, Turn


def public_turn(turn: Turn) -> Turn:
    """The turn as everybody saw it: drawn cards, cards laid down and destroyed hand cards are unseen."""
    action = turn.action
    if isinstance(action, LayDown):
        action = LayDown(_hidden(action.card), action.cell)
    elif isinstance(action, Exchange):
        replaced = Down(UNSEEN) if isinstance(action.replaced, Down) else action.replaced
        adjust = tuple((sign, _hidden(card)) for sign, card in action.adjust)
        action = msgspec.structs.replace(action, adjust=adjust, replaced=replaced)
    draw = tuple(_hidden(card) for card in turn.draw)
    drop = tuple(_hidden(card) for card in turn.drop)
    return msgspec.structs.replace(turn, draw=draw, action=action, drop=drop)


def _hidden(card: Shown) -> Shown:
    return card if isinstance(card, FinishCard) else UNSEEN


def attempt(turn: Turn) -> tuple[Cell, Laid] | None:
    """The cell that a turn acts on, and how the card that it lays or opens there would lie."""
    action = turn.action
    match action:
        case LayUp() | Open():
            return action.cell, Up(action.card)
        case LayDown():
            return action.cell, Down(action.card)
        case Exchange():
            return action.cell, Up(action.taken) if action.face_up else Down(action.taken)
        case NoAction():
            return None
        case _:
            assert_never(action)


def turn_words(turn: Turn) -> str:
    """What a turn does, in a sentence without the player: ``draws 9 and 5; lays 17 up on f1; destroys 3``."""
    parts = [f"draws {cards(turn.draw)}"] if turn.draw else []
    parts.append(_action_words(turn))
    if turn.drop:
        parts.append(f"destroys {cards(turn.drop)}")
    if turn.trim:
        parts.append(f"destroys {cards(turn.trim)} from the Reserve")
    return "; ".join(parts)


def _action_words(turn: Turn) -> str:
    action = turn.action
    match action:
        case LayUp():
            return f"lays {card(action.card)} up on {action.cell}"
        case LayDown():
            return f"lays {card(action.card)} down on {action.cell}"
        case Open():
            return f"opens {action.cell}: it shows {card(action.card)}"
        case Exchange():
            return _exchange_words(action)
        case NoAction():
            return "can do nothing"
        case _:
            assert_never(action)


def _exchange_words(action: Exchange) -> str:
    taken = f"takes {card(action.taken)} and lays it {'up' if action.face_up else 'down'} on {action.cell}"
    destroyed = f", destroying {cards([each for _, each in action.adjust])}" if action.adjust else ""
    replaced = ""
    if action.replaced is not None:
        face = "down card" if isinstance(action.replaced, Down) else "card"
        replaced = f" in place of the {face} {action.replaced.card}"
        if isinstance(action.replaced.card, UnseenCard):
            replaced = f" in place of the {face} there"
    return f"sends {card(action.first)} and {card(action.second)} to the Reserve{destroyed}, {taken}{replaced}"


def card(shown: Shown) -> str:
    """A card in words."""
    if isinstance(shown, UnseenCard):
        return "a card"
    return "the Finish card" if isinstance(shown, FinishCard) else str(shown)


def cards(shown: Sequence[Shown]) -> str:
    """Cards in words, in their order; unseen ones are counted."""
    known = [card(each) for each in shown if not isinstance(each, UnseenCard)]
    unseen = len(shown) - len(known)
    if unseen:
        some = "a card" if unseen == 1 else f"{unseen} cards"
        known.append(f"{unseen} more" if known else some)
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}"
