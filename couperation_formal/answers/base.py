"""What all JSON forms share."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
CardData = Positive | Literal["F", "?"]
"""A card: its number, ``F`` for the Finish card, ``?`` for one that the record does not show."""


class Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all JSON forms share: every field is written, and no other one is known."""
