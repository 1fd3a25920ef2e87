"""What all JSON forms share."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from couperation_formal.game.record import Game
from couperation_formal.notation.read import Item, Malformed

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
CardData = Positive | Literal["F", "?"]
"""A card: its number, ``F`` for the Finish card, ``?`` for one that the record does not show."""


class Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all JSON forms share: every field is written, and no other one is known."""


def tag_of(item: Item, name: str) -> str | None:
    """The value of a tag of a game or a position; of a malformed game only the Event is known."""
    if isinstance(item, Malformed):
        return item.event if name == "Event" else None
    return item.record.tag(name) if isinstance(item, Game) else item.position.tag(name)
