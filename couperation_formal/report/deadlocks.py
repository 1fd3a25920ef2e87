"""The minimal deadlocks of `deadlocks`, for people."""

from __future__ import annotations

from collections.abc import Iterator

from couperation_formal.answers.deadlocks import MinimalData
from couperation_formal.answers.towers import PlacesData
from couperation_formal.game.record import Position
from couperation_formal.report.blocks import Paragraph, Sentence
from couperation_formal.report.reasons import sentence
from couperation_formal.words.say import phrase


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
