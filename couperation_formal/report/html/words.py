"""Turns in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Exchange, LayDown, LayUp, NoAction, Open, Turn
from couperation_formal.game.tower import Down, Shown, UnseenCard


def turn_words(turn: Turn, name: str) -> Fact:
    """What a turn does, as the fact of a sentence: ``Mira draws 9 and 5; lays 17 up on f1; destroys 3.``"""
    parts = [draw_words(turn.draw)] if turn.draw else []
    parts.append(_action(turn))
    if turn.fill:
        parts.append(draw_words(turn.fill, fill=True))
    if turn.drop:
        parts.append(fact("turn_drops", cards=_cards(turn.drop)))
    if turn.trim:
        parts.append(fact("turn_trims", cards=_cards(turn.trim)))
    return fact("turn_does", player=name, parts=tuple(parts))


def draw_words(cards: Sequence[Shown], fill: bool = False) -> Fact:
    """A draw, or the one after the action, as a part of `turn_words`."""
    return fact("turn_fills" if fill else "turn_draws", cards=_cards(cards) if cards else "")


def _action(turn: Turn) -> Fact:
    action = turn.action
    match action:
        case LayUp():
            return fact("turn_lays", card=action.card, face="up", cell=action.cell)
        case LayDown():
            return fact("turn_lays", card=action.card, face="down", cell=action.cell)
        case Open():
            return fact("turn_opens", card=action.card, cell=action.cell)
        case Exchange():
            return _exchange(action)
        case NoAction():
            return fact("turn_nothing")
        case _:
            assert_never(action)


def _exchange(action: Exchange) -> Fact:
    replacing: Fact | str = ""
    if action.replaced is not None:
        lying = "down" if isinstance(action.replaced, Down) else "up"
        unseen = isinstance(action.replaced.card, UnseenCard)
        replacing = fact("instead_of_unseen" if unseen else "instead_of", lying=lying, card=action.replaced.card)
    return fact(
        "turn_exchanges",
        first=action.first,
        second=action.second,
        destroying=fact("destroying", cards=_cards([card for _, card in action.adjust])) if action.adjust else "",
        taken=action.taken,
        face="up" if action.face_up else "down",
        cell=action.cell,
        replacing=replacing,
    )


def _cards(shown: Sequence[Shown]) -> Fact:
    """Cards in their order; unseen ones are counted."""
    found = [fact("shown_card", card=each) for each in shown if not isinstance(each, UnseenCard)]
    unseen = len(shown) - len(found)
    if unseen:
        found.append(fact("more_cards" if found else "some_cards", count=unseen))
    return found[0] if len(found) == 1 else fact("cards_and", cards=tuple(found[:-1]), last=found[-1])
