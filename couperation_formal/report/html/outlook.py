"""What the page tells of each tower: whether it can still be completed, by how much, how, and why not."""

from __future__ import annotations

import msgspec

from couperation_formal.analysis.outlook import TowerOutlook, tower_outlook
from couperation_formal.answers.towers import PlaceData
from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD
from couperation_formal.report.reasons import ranges, reason_cells, sentence
from couperation_formal.words.say import phrase


class Outlook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer on one tower, in words.

    `answer` is `completable`, `deadlocked`, or `unknown` where an up card is not shown or no pyramid holds the tower.
    `slack` is the least number of values to spare over the intervals, `tight` says over which. `filling` completes the
    tower; `reasons` say why nothing does, `conflict` holds the cells of the first.
    """

    answer: str
    slack: int | None = None
    tight: str = ""
    filling: dict[str, int | str] = {}
    reasons: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        """Whether no cell is left to fill."""
        return self.answer == "completable" and not self.filling


def outlook(position: Position, home: int) -> Outlook:
    """The answer on the tower of a position, that for the pyramid from column `home` first."""
    found = tower_outlook(position, home)
    places = [msgspec.convert(place, PlaceData) for place in found.places]
    return Outlook(
        answer=found.answer,
        slack=None if found.slack is None else found.slack.least,
        tight=_tight(found),
        filling=dict(found.filling),
        reasons=_reasons(places, position),
        conflict=tuple(reason_cells(places[0].reason)) if places else (),
    )


def outlook_lines(found: Outlook, before: bool) -> tuple[str, ...]:
    """The answer in paragraphs; `before` where it is about the tower before the turn shown."""
    if found.answer == "unknown":
        return (phrase("tower_untold"),)
    lines = [phrase(f"tower_{'before' if before else 'now'}_{'full' if found.full else found.answer}")]
    lines += (f"{why if why[1].isdigit() else why[0].upper() + why[1:]}." for why in found.reasons)
    if found.answer == "completable" and found.slack is not None:
        lines.append(phrase("slack_over", slack=found.slack, tight=found.tight))
    return tuple(lines)


def _tight(found: TowerOutlook) -> str:
    if found.slack is None:
        return ""
    if found.slack.interval is None:
        return phrase("tight_hidden")
    above, below = found.slack.interval.above, found.slack.interval.below
    around = "below" if above == 0 else "above" if below > STANDARD.cards else "between"
    around = "all" if above == 0 and below > STANDARD.cards else around
    left = ranges(found.slack.interval.left) or phrase("none")
    return phrase(f"tight_{around}", count=len(found.slack.interval.cells), above=above, below=below, left=left)


def _reasons(places: list[PlaceData], position: Position) -> tuple[str, ...]:
    """The reasons in sentences, each with the places that it holds for where there are several."""
    found: dict[str, list[str]] = {}
    for place in places:
        found.setdefault(sentence(place.reason, position), []).append(place.column)
    if len(found) == 1:
        return tuple(found)
    return tuple(phrase("reason_at", columns=tuple(columns), why=why) for why, columns in found.items())
