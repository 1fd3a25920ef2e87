"""What the page tells of each tower: whether it can still be completed, by how much, how, and why not."""

from __future__ import annotations

import msgspec

from couperation_formal.answers.towers import PlaceData
from couperation_formal.completion.answer import Deadlocked, complete
from couperation_formal.completion.certificate import filling_data, places_data
from couperation_formal.completion.fill import fill
from couperation_formal.completion.problem import problems
from couperation_formal.completion.slack import tower_slack
from couperation_formal.model.board import column_name
from couperation_formal.model.cards import UNSEEN, Up
from couperation_formal.model.record import Position
from couperation_formal.report.reasons import ranges, reason_cells, sentence


class Outlook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer on one tower.

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


UNKNOWN = Outlook(answer="unknown")


def outlook(position: Position, home: int) -> Outlook:
    """The answer on the tower of a position; of several pyramids the one from column `home` is shown where it can be.

    Cost: a few questions, some hundred microseconds.
    """
    if any(isinstance(laid, Up) and laid.card is UNSEEN for _, laid in position.tower):
        return UNKNOWN
    found = sorted(problems(position), key=lambda problem: problem.left != home)
    if not found:
        return UNKNOWN
    slack, tight = _slack(position)
    for problem in found:
        filling = fill(problem)
        if filling is not None:
            shown = filling_data(position, problem, filling)
            return Outlook(answer="completable", slack=slack, tight=tight, filling=dict(shown))
    answer = complete(position)
    if not isinstance(answer, Deadlocked):
        raise AssertionError("a tower without a filling is deadlocked")
    reasons, conflict = _reasons(position, answer, home)
    return Outlook(answer="deadlocked", slack=slack, tight=tight, reasons=reasons, conflict=conflict)


def _slack(position: Position) -> tuple[int | None, str]:
    found = tower_slack(position)
    if found is None:
        return None, ""
    problem, (least, interval) = found
    if interval is None:
        return least, "among the cards out of sight"
    above, below = interval.above, interval.below
    inside = f"between {above} and {below}"
    if above == 0 or below > problem.board.cards:
        inside = f"above {above}" if above else f"below {below}" if below <= problem.board.cards else "at all"
    cells = len(interval.cells)
    values = ranges(interval.left) or "none"
    return least, f"{cells} cell{'' if cells == 1 else 's'} to hold a number {inside}; left there: {values}"


def _reasons(position: Position, answer: Deadlocked, home: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The reasons in sentences, that of the pyramid shown first, and the cells of this one."""
    places = msgspec.convert(places_data(answer), tuple[PlaceData, ...])
    places = tuple(sorted(places, key=lambda place: place.column != column_name(home)))
    told: dict[str, list[str]] = {}
    for place in places:
        told.setdefault(sentence(place.reason, position), []).append(place.column)
    if len(told) == 1:
        reasons = tuple(told)
    else:
        reasons = tuple(f"with level 1 from column {', '.join(columns)}: {why}" for why, columns in told.items())
    cells = tuple(reason_cells(places[0].reason)) if places else ()
    return reasons, cells
