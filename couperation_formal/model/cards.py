"""Cards, marks, and the two ways a card lies in the tower.

The Finish card and a card that the recorder did not see are types of their own, so that neither can be taken for a
number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NewType, final

import msgspec

Value = NewType("Value", int)
"""The number on a Glass card."""

Mark = Literal["1", "2", "H"]
"""One diamond, two diamonds, a heart."""

Variant = Literal["first", "finish"]


@final
class FinishCard:
    """The type of `FINISH`, the one Finish card; written ``F``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "FINISH"

    def __str__(self) -> str:
        return "F"

    def __reduce__(self) -> str:
        return "FINISH"


@final
class UnseenCard:
    """The type of `UNSEEN`, some card that the record does not show; written ``?``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSEEN"

    def __str__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNSEEN"


FINISH = FinishCard()
UNSEEN = UnseenCard()

Card = Value | FinishCard
"""A card whose identity is known."""

Shown = Value | FinishCard | UnseenCard
"""A card as a record shows it."""


class Up(msgspec.Struct, frozen=True):
    """A card lying face up."""

    card: Shown

    def __str__(self) -> str:
        return str(self.card)


class Down(msgspec.Struct, frozen=True):
    """A card lying face down; `card` is what the recorder knows of it and plays no part in the orders (TOW07)."""

    card: Shown

    def __str__(self) -> str:
        return f"~{self.card}"


Laid = Up | Down


def card_key(card: Shown) -> tuple[int, int]:
    """A sort key: Glass cards by value, then the Finish card, then unseen ones."""
    if isinstance(card, FinishCard):
        return 1, 0
    if isinstance(card, UnseenCard):
        return 2, 0
    return 0, card


def card_list(cards: Iterable[Shown], separator: str = " ") -> str:
    """Cards as text in the order of `card_key`."""
    return separator.join(str(card) for card in sorted(cards, key=card_key))
