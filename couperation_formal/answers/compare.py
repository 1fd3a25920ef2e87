"""The JSON form of `dispute --compare`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from couperation_formal.analysis.compare import Parting
from couperation_formal.answers.data import Data, Natural, Positive
from couperation_formal.game.rulings import Rules
from couperation_formal.words.say import encodable

Outcome = Literal["found", "not found", "none exists", "warning only"]
"""Whether there is a record; `finish_half` decides a warning only, and some rulings can make no difference."""


class PartingData(Data, frozen=True, kw_only=True):
    """One ruling on which two rulebooks differ, and a record that one of them accepts and the other refuses.

    `least` is a proven lower bound on its turns; `both` tells whether the ruling makes the difference in the refusing
    rulebook too; `tried` counts the turns tried.
    """

    ruling: str
    first_option: str
    second_option: str
    outcome: Outcome
    record: str | None
    turns: Positive | None
    accepted_by: str | None
    refused_by: str | None
    turn: Natural | None
    code: str | None
    least: Positive | None
    shortest: bool
    both: bool
    tried: Natural


class CompareData(Data, frozen=True, kw_only=True):
    """All rulings on which two rulebooks differ; `search` is the most turns that a record may have."""

    first: str
    second: str
    search: Positive
    differences: tuple[PartingData, ...]
    format: Literal[1]


def outcome_of(parting: Parting) -> Outcome:
    """What came of the search for one ruling."""
    found = parting.difference
    if found.record is not None:
        return "found"
    if found.ruling == "finish_half":
        return "warning only"
    return "none exists" if found.least is None else "not found"


def compare_data(first: Rules, second: Rules, search: int, partings: Iterable[Parting]) -> CompareData:
    """The comparison as `dispute --compare --output-format json` writes it."""
    names = encodable(str(first)), encodable(str(second))
    return CompareData(
        first=names[0],
        second=names[1],
        search=search,
        differences=tuple(_parting(parting, names) for parting in partings),
        format=1,
    )


def _parting(parting: Parting, names: tuple[str, str]) -> PartingData:
    found = parting.difference
    return PartingData(
        ruling=found.ruling,
        first_option=found.options[0],
        second_option=found.options[1],
        outcome=outcome_of(parting),
        record=parting.text,
        turns=None if found.record is None else len(found.record.turns),
        accepted_by=None if found.accepts is None else names[found.accepts],
        refused_by=None if found.accepts is None else names[1 - found.accepts],
        turn=parting.turn,
        code=parting.code,
        least=found.least,
        shortest=found.shortest,
        both=found.both,
        tried=found.tried,
    )
