"""Two rulebooks compared: as JSON, and as CGN with comments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from couperation_formal.analysis.compare import Parting
from couperation_formal.model.rulings import Rules
from couperation_formal.report.clauses import title_of
from couperation_formal.report.data import Data, Natural, Positive
from couperation_formal.report.text import Piece, encodable, safe

Outcome = Literal["found", "not found", "none exists", "warning only"]
"""Whether there is a record; `finish_half` decides a warning only, and some rulings can make no difference."""


_NEVER = {
    "finish_reserve_count": "the Finish card never comes to the Reserve",
    "row_order": "no two numbers that are compared are equal",
    "between": "no two numbers that are compared are equal",
    "facedown": "the deck's numbers will do wherever some numbers do",
}
"""Why a ruling makes no difference between two rulebooks (`dispute.bounds.can_differ`)."""


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


def parting_full(parting: Parting, first: Rules, second: Rules, search: int) -> list[Piece]:
    """One ruling as CGN: what is said of it stands in comments before the record."""
    found = parting.difference
    names = safe(str(first)), safe(str(second))
    pieces: list[Piece] = [
        (f"; {found.ruling}", "bold"),
        (f": {found.options[0]} in {names[0]}, {found.options[1]} in {names[1]}\n", ""),
    ]
    if parting.text is None or found.record is None or found.accepts is None:
        return [*pieces, (f"; {_without(parting, search)}\n\n", "")]
    turns = len(found.record.turns)
    length = f"{turns} turn{'' if turns == 1 else 's'}"
    least = "no record is shorter" if found.shortest else f"at least {found.least} are needed"
    where = "the set-up" if parting.turn == 0 else f"turn {parting.turn}"
    code = parting.code or ""
    pieces += [
        (f"; {length}, {least}: {names[found.accepts]} accepts them\n", ""),
        (f"; {names[1 - found.accepts]} refuses {where}: {code} {title_of(code) or ''}".rstrip() + "\n", ""),
    ]
    if not found.both:
        pieces.append((f"; {names[1 - found.accepts]} refuses it under the other option too\n", ""))
    return [*pieces, ("\n" + parting.text + "\n", "")]


def _without(parting: Parting, search: int) -> str:
    found = parting.difference
    match outcome_of(parting):
        case "warning only":
            return "it decides a warning only, so that no record is refused because of it"
        case "none exists":
            return f"no record is refused because of it: in both {_NEVER.get(found.ruling, 'it makes no difference')}"
        case _:
            least = f"; at least {found.least} are needed" if found.least else ""
            given_up = f", given up after {found.tried} turns tried" if found.exhausted else ""
            return f"no record found with up to {search} turns{given_up}{least}"
