"""What all JSON forms share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from couperation_formal.game.record import Game
from couperation_formal.notation.read import Item, Malformed

Natural = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
CardData = Positive | Literal["F", "?"]
"""A card: its number, ``F`` for the Finish card, ``?`` for one that the record does not show."""


class Data(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all JSON forms share: every field is written, and no other one is known."""


# What all JSON forms share.


def tag_of(item: Item, name: str) -> str | None:
    """The value of a tag of a game or a position; of a malformed game only the Event is known."""
    if isinstance(item, Malformed):
        return item.event if name == "Event" else None
    return item.record.tag(name) if isinstance(item, Game) else item.position.tag(name)


def schema(form: type[Data]) -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a form; the files in `schema/` hold these."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **configurable(msgspec.json.schema(form), form)}


def configurable(found: dict[str, Any], *forms: type[Data]) -> dict[str, Any]:
    """A schema in which objects of these forms may name the configuration that was used. Its descriptions are without
    the source's indentation, which Python keeps up to 3.12 only.
    """
    from inspect import cleandoc

    for part in found["$defs"].values():
        if "description" in part:
            part["description"] = cleandoc(part["description"])
    for form in forms:
        found["$defs"][form.__name__]["properties"]["configuration"] = {"type": "string"}
    return found
