"""The minimal deadlocks of a board, and how many there are, as data and for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from couperation_formal.game.record import Position
from couperation_formal.game.tower import FinishCard
from couperation_formal.output.blocks import Paragraph, Sentence
from couperation_formal.output.formats import Data, Natural, Positive
from couperation_formal.questions.tables.why import PlacesData, ReasonData, places_of, reason_of, sentence
from couperation_formal.towers.completion.answer import Deadlocked
from couperation_formal.words.say import phrase

# The JSON forms of `deadlocks`: the minimal deadlocks, and how many there are.

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
    return MinimalData(
        cards=len(position.tower) - 1,
        tower=_tower(position),
        gone=tuple("F" if isinstance(card, FinishCard) else int(str(card)) for card in position.gone),
        reason=reason_of(places_of(answer)),
        format=1,
    )


def counts_data(counts: Mapping[int, int], listed: bool) -> CountsData:
    """The last line of `deadlocks --output-format json`."""
    return CountsData(counts={str(cards): count for cards, count in counts.items()}, listed=listed, format=1)


def _tower(position: Position) -> str:
    return " ".join(f"{laid}@{cell}" for cell, laid in position.tower)


# The minimal deadlocks of `deadlocks`, for people.


def minimal_blocks(data: MinimalData, position: Position) -> Iterator[Paragraph]:
    """A minimal deadlock: the tower, and under it why it cannot be completed."""
    gone = phrase("and_gone", cards=" ".join(map(str, data.gone))) if data.gone else ""
    told: dict[str, list[str]] = {}
    if isinstance(data.reason, PlacesData):
        for place in data.reason.places:
            told.setdefault(sentence(place.reason, position), []).append(place.column)
    else:
        told[sentence(data.reason, position)] = []
    several = len(told) > 1
    texts = [phrase("level_1_from", columns=tuple(of), why=why) if several else why for why, of in told.items()]
    yield [Sentence(data.tower + gone), *(Sentence(text, indent=4) for text in texts)]
