"""The JSON form of what a legal verdict takes for granted."""

from __future__ import annotations

from typing import cast

from couperation_formal.answers.base import CardData, Data, Natural, Positive
from couperation_formal.game.diagnostic import Answer, Assumption, Proviso
from couperation_formal.game.tower import FinishCard, Mark
from couperation_formal.words.say import encodable


class MarkData(Data, frozen=True, kw_only=True, tag_field="about", tag="mark"):
    """`card` bears one of these marks."""

    card: Positive
    mark: tuple[Mark, ...]


class UnseenData(Data, frozen=True, kw_only=True, tag_field="about", tag="card"):
    """The card that is not shown at a place of the record is one of these: ``turn 4 action 1`` is the first that turn
    4, by place, writes in its action, ``deck 3`` the third card of the deck at set-up.
    """

    at: str
    card: tuple[CardData, ...]


class BeganData(Data, frozen=True, kw_only=True, tag_field="about", tag="place"):
    """`card` was in one of these lines at set-up: ``deal Aki``, ``reserve`` or ``deck``."""

    card: CardData
    place: tuple[str, ...]


class SizeData(Data, frozen=True, kw_only=True, tag_field="about", tag="size"):
    """So many cards were drawn where the record does not note how many: ``turn 3 draw``, ``turn 3 fill``."""

    at: str
    cards: Natural


LiteralData = MarkData | UnseenData | BeganData | SizeData


class ProvidedData(Data, frozen=True, kw_only=True):
    """What a legal verdict takes for granted of marks, cards and places that nobody noted: terms joined by *or*, each
    of literals joined by *and*; a term without literals says that nothing is.

    Where `exact` the terms are all of it, at most 16; else each of them suffices, and others may. Not exact and without
    terms: none was found within the budget, or none that suffices under all rulebooks in question.
    """

    exact: bool
    terms: tuple[tuple[LiteralData, ...], ...]


def provided_data(found: Proviso | None) -> ProvidedData | None:
    """The JSON form; None of what was not asked, or takes nothing for granted by what is shown."""
    if found is None:
        return None
    return ProvidedData(exact=found.exact, terms=tuple(tuple(map(_literal, term)) for term in found.terms))


def _literal(literal: Assumption) -> LiteralData:
    values = literal.values
    if literal.kind == "mark":
        return MarkData(card=int(str(literal.of)), mark=cast("tuple[Mark, ...]", values))
    if literal.kind == "card":
        return UnseenData(at=str(literal.of), card=tuple(map(_card, values)))
    if literal.kind == "place":
        return BeganData(card=_card(literal.of), place=tuple(encodable(str(value)) for value in values))
    return SizeData(at=str(literal.of), cards=int(str(values[0])))


def _card(card: Answer) -> CardData:
    return "F" if isinstance(card, FinishCard) else int(str(card))
