"""What a legal verdict takes for granted of marks, cards and places that nobody noted."""

from __future__ import annotations

from typing import Final
from typing import Literal as Word

import msgspec

from couperation_formal.model.cards import Card

Kind = Word["mark", "card", "place", "size"]
Answer = Card | str
"""A value of an unknown: a mark, a card, a line of the set-up, a number of cards."""


class Literal(msgspec.Struct, frozen=True):
    """Something that a record leaves open, and the values of which it has one: the mark of a card; which card stands at
    a place of the record (``turn 4 action 1``, ``deck 3``); the line in which a card began (``deal Aki``, ``reserve``,
    else ``deck``); how many cards were drawn (``turn 3 draw``).
    """

    kind: Kind
    of: Answer
    values: tuple[Answer, ...]


Term = tuple[Literal, ...]
"""Literals that hold together; without any it always holds."""


class Proviso(msgspec.Struct, frozen=True):
    """Terms joined by *or*. Where `exact`, what was judged is legal just where they hold, among the worlds in which
    each card lay where it was taken from; else each of them suffices. Without terms, and not `exact`, none was found.
    """

    exact: bool
    terms: tuple[Term, ...] = ()

    @property
    def always(self) -> bool:
        """Whether nothing is taken for granted."""
        return () in self.terms


ALWAYS: Final = Proviso(True, ((),))
"""Nothing is taken for granted."""
