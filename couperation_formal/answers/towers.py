"""The JSON forms of `complete`, `deadlock` and `windows`, and what they are made from."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from couperation_formal.analysis.complete import Completion, Outlook
from couperation_formal.analysis.deadlock import Scan
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.game.tower import column_name
from couperation_formal.notation.write import action_text, turn_text
from couperation_formal.towers.completion.answer import (
    Completable,
    Deadlocked,
    Mended,
    TowerAnswer,
    cells_data,
    filling_data,
    places_data,
)
from couperation_formal.words.say import encodable

Answered = Literal["completable", "deadlocked", "undetermined"]
Level = Literal["tower"]


class IntervalData(Data, frozen=True, kw_only=True, tag_field="kind", tag="interval"):
    """More cells than values: `cells` must all hold a value strictly between `above` and `below`; `left` is what is
    left there.
    """

    above: Natural
    below: Positive
    cells: tuple[str, ...]
    left: tuple[Positive, ...]


class OrderData(Data, frozen=True, kw_only=True, tag_field="kind", tag="order"):
    """Two up cards that disagree; the first cell must hold less than the second."""

    cells: tuple[str, str]


class GoneData(Data, frozen=True, kw_only=True, tag_field="kind", tag="gone"):
    """Disjoint intervals with more cells than values whose cards are in sight; the others, less the unseen gone ones,
    are `missing` too few.
    """

    intervals: tuple[IntervalData, ...]
    missing: Positive


class FinishData(Data, frozen=True, kw_only=True, tag_field="kind", tag="finish"):
    """The Finish card is gone, or lies up on `cell` below the apex."""

    why: Literal["gone", "below_apex"]
    cell: str | None


PlainReason = IntervalData | OrderData | GoneData | FinishData
"""A reason at one place of the columns."""


class PlaceData(Data, frozen=True, kw_only=True):
    """The reason at one place of the columns; `column` is its leftmost one."""

    column: str
    reason: PlainReason


class PlacesData(Data, frozen=True, kw_only=True, tag_field="kind", tag="places"):
    """A reason for each place of the columns that the tower allows, from left to right."""

    places: tuple[PlaceData, ...]


ReasonData = PlainReason | PlacesData


class RepairData(Data, frozen=True, kw_only=True):
    """The fewest up cards that must be given up, by column, then level."""

    distance: Natural
    give_up: tuple[str, ...]


class CompleteData(Data, frozen=True, kw_only=True):
    """Whether a tower is completable. `turn` is None for a position. `checked` is false where the independent checker
    could not repeat the answer within its part of the budget; so in the forms below.

    `filling` holds the cells that were not up; ``F`` is the apex of the variant finish. `repair` is None when nothing
    helps.
    """

    file: str
    game: Positive
    turn: Natural | None
    verdict: Answered
    level: Level
    filling: dict[str, Positive | Literal["F"]] | None
    reason: ReasonData | None
    repair: RepairData | None
    checked: bool
    format: Literal[1]


class DeadlockData(Data, frozen=True, kw_only=True):
    """When a game's tower was deadlocked. `verdict` is that at the record's end; of a deadlocked one `turn` is the
    first of the last stretch of turns, `laid` that turn as CGN (None for the set-up), `reason` why the tower was
    deadlocked after it, and `saving` its legal actions with known cards that keep the tower completable; `complete` is
    false where unseen cards may allow more. Turn `illegal` is the first that is, and only those before it were looked
    at.
    """

    file: str
    game: Positive
    verdict: Answered
    level: Level
    intervals: tuple[tuple[Natural, Natural], ...]
    turn: Natural | None
    laid: str | None
    reason: ReasonData | None
    saving: tuple[str, ...] | None
    complete: bool
    illegal: Positive | None
    checked: bool
    format: Literal[1]


class WindowsData(Data, frozen=True, kw_only=True):
    """What each free cell can still take. `turn` is None for a position.

    `windows` holds the values that some filling puts there, rising. `down` tells for each down card whether it can be
    opened where it lies; of an unseen one, whether some card that it may be could. `places` are the leftmost columns
    with which the tower is completable.
    """

    file: str
    game: Positive
    turn: Natural | None
    level: Level
    windows: dict[str, tuple[Positive, ...]]
    down: dict[str, bool]
    places: tuple[str, ...]
    checked: bool
    format: Literal[1]


def complete_data(found: Completion) -> CompleteData:
    """The answer as `complete --output-format json` writes it."""
    at, answer, places = found.at, found.answer, places_of(found.answer)
    filling = None
    repair: RepairData | None = RepairData(distance=0, give_up=())
    if isinstance(answer, Completable):
        filling = filling_data(at.position, answer.problem, answer.filling)
    else:
        repair = _repair(found.mended)
    return CompleteData(
        file=encodable(at.file),
        game=at.index,
        turn=at.turn,
        verdict=_verdict(answer),
        level="tower",
        filling=filling,
        reason=reason_of(places) if places else None,
        repair=repair,
        checked=True,
        format=1,
    )


def deadlock_data(found: Scan) -> DeadlockData:
    """The answer as `deadlock --output-format json` writes it."""
    turn = found.turn
    return DeadlockData(
        file=encodable(found.game.file),
        game=found.game.index,
        verdict=_verdict(found.answers[-1]),
        level="tower",
        intervals=found.intervals,
        turn=turn,
        laid=turn_text(found.game.record.turns[turn - 1]) if turn else None,
        reason=None if turn is None else reason_of(places_of(found.answers[turn])),
        saving=None if found.saving is None else tuple(action_text(each.action) for each in found.saving),
        complete=found.complete,
        illegal=None if found.illegal is None else found.illegal.turn,
        checked=True,
        format=1,
    )


def windows_data(found: Outlook) -> WindowsData:
    """The answer as `windows --output-format json` writes it."""
    at, windows = found.at, found.windows
    return WindowsData(
        file=encodable(at.file),
        game=at.index,
        turn=at.turn,
        level="tower",
        windows={str(cell): values for cell, values in windows.values.items()},
        down={str(cell): opens for cell, opens in windows.down.items()},
        places=tuple(column_name(left) for left in windows.lefts),
        checked=True,
        format=1,
    )


def _verdict(answer: TowerAnswer) -> Answered:
    return "completable" if isinstance(answer, Completable) else "deadlocked"


def reason_of(places: tuple[PlaceData, ...]) -> ReasonData:
    """The reasons at some places as one."""
    return places[0].reason if len(places) == 1 else PlacesData(places=places)


def places_of(answer: TowerAnswer) -> tuple[PlaceData, ...]:
    """The reason at each place of the columns that a deadlocked tower allows, from left to right; none of another."""
    return msgspec.convert(places_data(answer), tuple[PlaceData, ...]) if isinstance(answer, Deadlocked) else ()


def mended_filling(found: Completion) -> dict[str, Any]:
    """The filling that follows when the cards of the repair are given up; empty where nothing helps."""
    mended = found.mended
    return {} if mended is None else dict(filling_data(found.at.position, mended.problem, mended.repair.filling))


def _repair(mended: Mended | None) -> RepairData | None:
    if mended is None:
        return None
    cells = cells_data(mended.problem, mended.repair.cells)
    return RepairData(distance=len(cells), give_up=tuple(cells))
