"""Reasons in sentences that a person can check on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from couperation_formal.model.record import Position
from couperation_formal.report.answers import FinishData, GoneData, IntervalData, OrderData, PlainReason


def reason_cells(reason: PlainReason) -> Iterator[str]:
    """The cells that a reason is about."""
    match reason:
        case IntervalData() | OrderData():
            yield from reason.cells
        case GoneData():
            for interval in reason.intervals:
                yield from interval.cells
        case FinishData():
            yield from () if reason.cell is None else (reason.cell,)
        case _:
            assert_never(reason)


def sentence(reason: PlainReason, position: Position) -> str:
    """A reason in a sentence that a person can check on the table."""
    match reason:
        case IntervalData():
            told = f"{_must_hold(reason)}, and {_left(reason)}"
            return told if len(reason.cells) == 1 else f"{told}: {', '.join(reason.cells)}"
        case OrderData():
            return _disagree(reason, position)
        case GoneData():
            return _starved(reason)
        case FinishData():
            if reason.cell is None:
                return "the Finish card is gone, and nothing else can be the apex"
            return f"the Finish card lies on {reason.cell}, below the apex"
        case _:
            assert_never(reason)


def _must_hold(reason: IntervalData) -> str:
    some = (
        f"{reason.cells[0]} must hold" if len(reason.cells) == 1 else f"these {len(reason.cells)} cells must all hold"
    )
    return f"{some} a number{_between(reason)}"


def _between(reason: IntervalData) -> str:
    above = reason.above if reason.above > 0 else None
    below = reason.below if reason.below <= 50 else None
    if above is None or below is None:
        return f" below {below}" if below else f" above {above}" if above else ""
    return f" between {above} and {below}"


def _left(reason: IntervalData, where: str = "left") -> str:
    left = reason.left
    if len(left) <= 1:
        return f"only {left[0]} is {where}" if left else f"none is {where}"
    if len(left) <= 5:
        return f"only {' and '.join([', '.join(map(str, left[:-1])), str(left[-1])])} are {where}"
    return f"only {len(left)} are {where} ({ranges(left)})"


def _disagree(reason: OrderData, position: Position) -> str:
    laid = {str(cell): str(card) for cell, card in position.tower}
    lower, upper = reason.cells
    finish = next((cell for cell in reason.cells if laid.get(cell, "F") == "F"), None)
    low, high = ("the Finish card's 25" if cell == finish else f"{laid[cell]} on {cell}" for cell in reason.cells)
    told = f"{low} must be less than {high}, but it is not"
    if finish is not None and position.rules.rulings.between == "inclusive":
        told = f"{low} may not be more than {high}, but it is"
    return f"{told}: the orders lead from {lower} up to {upper}"


def _starved(reason: GoneData) -> str:
    if not reason.intervals:
        return "more cards are gone than are out of sight"
    lacking = sum(len(interval.cells) - len(interval.left) for interval in reason.intervals)
    parts = [f"{_must_hold(each)}, and {_left(each, 'in sight')}: {', '.join(each.cells)}" for each in reason.intervals]
    spare = max(0, lacking - reason.missing)
    usable = f"at most {spare} of them can" if spare else "none of them can"
    return "; ".join(parts) + (
        f"; so {lacking} of the cards out of sight would be needed, and as some of these are gone, {usable} be laid"
    )


def ranges(values: Sequence[int]) -> str:
    """Rising numbers with runs of three or more drawn together: ``26, 28–31``."""
    parts: list[str] = []
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    for run in runs:
        parts += [f"{run[0]}–{run[-1]}"] if len(run) > 2 else map(str, run)
    return ", ".join(parts)
