"""The minimal deadlocks of `deadlocks`: their JSON forms, and lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from couperation_formal.completion.answer import Deadlocked
from couperation_formal.completion.certificate import places_data
from couperation_formal.model.cards import FinishCard
from couperation_formal.model.record import Position
from couperation_formal.report.answers import PlaceData, PlacesData, ReasonData
from couperation_formal.report.data import Data, Natural, Positive
from couperation_formal.report.sentences import sentence

Digits = Annotated[str, msgspec.Meta(pattern="^[0-9]+$")]


class MinimalData(Data, frozen=True, kw_only=True):
    """A minimal deadlock: the number of cards besides the anchor's, the tower with that card first, the destroyed
    cards.
    """

    cards: Natural
    tower: str
    gone: tuple[Positive | Literal["F"], ...]
    reason: ReasonData
    format: Literal[1]


class CountsData(Data, frozen=True, kw_only=True):
    """How many minimal deadlocks there are of each number of cards; `listed` tells whether each of them was written."""

    counts: dict[Digits, Natural]
    listed: bool
    format: Literal[1]


def minimal_data(position: Position, answer: Deadlocked) -> MinimalData:
    """A minimal deadlock as `deadlocks --output-format json` writes it."""
    places = _places(answer)
    return MinimalData(
        cards=len(position.tower) - 1,
        tower=_tower(position),
        gone=tuple("F" if isinstance(card, FinishCard) else int(str(card)) for card in position.gone),
        reason=places[0].reason if len(places) == 1 else PlacesData(places=places),
        format=1,
    )


def counts_data(counts: Mapping[int, int], listed: bool) -> CountsData:
    """The last line of `deadlocks --output-format json`."""
    return CountsData(counts={str(cards): count for cards, count in counts.items()}, listed=listed, format=1)


def minimal_lines(position: Position, answer: Deadlocked) -> Iterator[str]:
    """A minimal deadlock for people: the tower, and under it why it cannot be completed."""
    gone = f"  gone {' '.join(map(str, position.gone))}" if position.gone else ""
    yield _tower(position) + gone
    told: dict[str, list[str]] = {}
    for place in _places(answer):
        told.setdefault(sentence(place.reason, position), []).append(place.column)
    for why, columns in told.items():
        yield f"    {why}" if len(told) == 1 else f"    level 1 from {', '.join(columns)}: {why}"


def _tower(position: Position) -> str:
    return " ".join(f"{laid}@{cell}" for cell, laid in position.tower)


def _places(answer: Deadlocked) -> tuple[PlaceData, ...]:
    return msgspec.convert(places_data(answer), tuple[PlaceData, ...])


def deadlocks_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of one line; the file in `schema/` holds it."""
    forms, parts = msgspec.json.schema_components([MinimalData, CountsData])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "anyOf": list(forms), "$defs": parts}
