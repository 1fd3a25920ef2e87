"""Reasons in sentences that a person can check on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from couperation_formal.answers.table_forms import TableReasonData
from couperation_formal.answers.towers import FinishData, GoneData, IntervalData, OrderData, PlainReason
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Position
from couperation_formal.words.say import phrase, say

_FEW = 5
"""So many numbers are named one by one."""


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
            return say(_must_hold(reason, _left(reason), named=len(reason.cells) > 1))
        case OrderData():
            return _disagree(reason, position)
        case GoneData():
            return _starved(reason)
        case FinishData():
            return phrase("finish_is_gone") if reason.cell is None else phrase("finish_lies_on", cell=reason.cell)
        case _:
            assert_never(reason)


def _must_hold(reason: IntervalData, left: Fact, named: bool) -> Fact:
    """What some cells need, and what is left; the cells `named` at the end."""
    cells = reason.cells
    hold = fact("hold_one", cells=cells) if len(cells) == 1 else fact("hold_these", count=len(cells))
    kind = "hold_a_number_named" if named else "hold_a_number"
    return fact(kind, hold=hold, between=_between(reason), left=left, cells=cells)


def _between(reason: IntervalData) -> Fact:
    low, high = reason.above > 0, reason.below <= 50
    kind = ("any_number", "below", "above", "between_two")[low * 2 + high]
    return fact(f"number_{kind}", above=reason.above, below=reason.below)


def _left(reason: IntervalData, where: str = "left") -> Fact:
    left = reason.left
    place = fact(f"is_{where}")
    if len(left) <= 1:
        return fact("only_one", card=left[0], where=place) if left else fact("none_is", where=place)
    if len(left) <= _FEW:
        return fact("only_few", first=left[:-1], last=left[-1], where=place)
    return fact("only_many", count=len(left), where=place, ranges=ranges(left))


def _disagree(reason: OrderData, position: Position) -> str:
    laid = {str(cell): str(card) for cell, card in position.tower}
    lower, upper = reason.cells
    finish = next((cell for cell in reason.cells if laid.get(cell, "F") == "F"), None)
    low, high = (
        fact("finish_25") if cell == finish else fact("card_on", card=laid[cell], cell=cell) for cell in reason.cells
    )
    lax = finish is not None and position.rules.rulings.between == "inclusive"
    return phrase("may_not_be_more" if lax else "must_be_less", low=low, high=high, lower=lower, upper=upper)


def _starved(reason: GoneData) -> str:
    if not reason.intervals:
        return phrase("more_gone")
    lacking = sum(len(interval.cells) - len(interval.left) for interval in reason.intervals)
    parts = tuple(_must_hold(each, _left(each, "in_sight"), named=True) for each in reason.intervals)
    return phrase("starved", parts=parts, lacking=lacking, spare=max(0, lacking - reason.missing))


def ranges(values: Sequence[int]) -> str:
    """Rising numbers with runs of three or more drawn together: ``26, 28–31``."""
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs(values))


def runs(values: Iterable[int]) -> Iterator[list[int]]:
    """Rising numbers as runs of three or more that follow each other, and single ones."""
    for _, pairs in groupby(enumerate(values), lambda pair: pair[1] - pair[0]):
        run = [value for _, value in pairs]
        yield from [run] if len(run) > 2 else ([value] for value in run)


def table_sentence(reason: TableReasonData) -> str:
    """Why no continuation of a table wins: a sentence for each kind of reason."""
    n: dict[str, Datum] = dict(reason.numbers)
    kind = f"dead_{reason.kind}"
    cells, cards = reason.cells, reason.cards
    if reason.kind == "finish":
        kind = next(f"dead_finish_{way}" for way in ("gone", "reserve", "laid") if way in n)
    if reason.kind == "turns":
        own = [(name.removeprefix("player "), count) for name, count in n.items() if name.startswith("player ")]
        left = tuple(fact("own_cards", player=player, count=count) for player, count in own)
        return say(fact(kind, {name: n[name] for name in ("empty", "down", "owe", "deck")}, own=left))
    if reason.kind == "interval":
        kind += "_tight" if n["cards"] == n["empty"] else ""
        hold = fact("hold_one" if len(cells) == 1 else "hold_all", cells=cells)
        return say(fact(kind, n, hold=hold, left=fact("come_some" if cards else "come_none", cards=cards)))
    return say(fact(kind, n, cells=cells))
