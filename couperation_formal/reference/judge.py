"""A record judged by the formulas of the specification and by nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, get_args

import msgspec

from couperation_formal.formula.book import Book
from couperation_formal.formula.tables import Values, attribute
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps
from couperation_formal.model.diagnostic import Reached
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings, options_in_order
from couperation_formal.model.specification import spec_text
from couperation_formal.reference import values as forms
from couperation_formal.reference.values import MARKS, RESULTS, Marks, NotShown

PAGES = ("step.md", *(f"clauses/{name}.md" for name in ("setup", "drawing", "tower", "actions", "limits", "end")))
"""The pages of the specification that hold formulas."""

REACHED: dict[str, Reached] = {RESULTS[name][0]: name for name in get_args(Reached)}


class Judgement(NamedTuple):
    """What the formulas say of a record.

    `turn` is the first illegal one, 0 for the set-up, None where all is legal; `broken` the clauses that it breaks, in
    their order; `warned` pairs a turn with a clause that warns there. `open_` is the turn at which the record does not
    show what is asked or the budget ended, None where neither is so; nothing after it was judged. `tables` are the
    values before the first turn and after each legal one.
    """

    turn: int | None
    broken: tuple[str, ...]
    warned: tuple[tuple[int, str], ...]
    open_: int | None
    reached: Reached | None
    tables: tuple[Values, ...]


@lru_cache(maxsize=1)
def book() -> Book:
    """The formulas of the specification, read and compiled once: some 0.4 s."""
    return Book({page: spec_text(page) for page in PAGES}, dict(options_in_order()))


@lru_cache(maxsize=1)
def _state_names() -> tuple[str, ...]:
    """The names of the state before a turn: those whose value after it is defined."""
    return tuple(name for name in book().givens if name + "'" in book().definitions)


def judge(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None) -> Judgement:
    """Judge a record under these rulings, as far as `budget` allows. Cost: some 0.2 ms a turn; a turn `-` tries every
    action.
    """
    warned: list[tuple[int, str]] = []
    tables: list[Values] = []
    place = 0
    try:
        values = _first(record, rulings, board, budget)
        broken = failing(values, values.value("asked_at_setup"))
        warned += [(0, clause) for clause in failing(values, values.value("warned_at_setup"))]
        if broken:
            return Judgement(0, broken, tuple(warned), None, None, ())
        tables.append(values)
        for place, turn in enumerate(record.turns, start=1):
            values = having(values, forms.turn_of(turn, place, values.value("W")))
            broken = failing(values, values.value("asked"))
            if broken:
                return Judgement(place, broken, tuple(warned), None, None, tuple(tables))
            warned += [(place, clause) for clause in failing(values, values.value("warned"))]
            values = after(values)
            tables.append(values)
    except (NotShown, Spent):
        return Judgement(None, (), tuple(warned), place, None, tuple(tables))
    broken = failing(values, values.value("asked_at_end"))
    if broken:
        return Judgement(place, broken, tuple(warned), None, None, tuple(tables))
    return Judgement(None, (), tuple(warned), None, REACHED[values.value("result")[0]], tuple(tables))


def tables(record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None) -> Iterator[Values]:
    """The values at the set-up and in each turn, whether the turns before it are legal or not: a step is total.

    Raises `NotShown` where the record leaves a part open, `Spent` where the budget ends.
    """
    values = _first(record, rulings, board, budget)
    yield values
    for place, turn in enumerate(record.turns, start=1):
        values = having(values, forms.turn_of(turn, place, values.value("W")))
        yield values
        values = after(values)


def _first(record: Record, rulings: Rulings, board: Board, budget: Steps | None) -> Values:
    """The values at the set-up."""
    given = {**msgspec.structs.asdict(rulings), **forms.constants(board), **forms.setup(record, board), "t": 0}
    values = book().values(budget=budget, **{attribute(name): value for name, value in given.items()})
    first = {name: values.value(name + "0") for name in _state_names() if name + "0" in book().definitions}
    return having(values, first)


def having(values: Values, given: dict[str, forms.Formed]) -> Values:
    """The values with others for some given names."""
    return values.given(**{attribute(name): value for name, value in given.items()})


def after(values: Values) -> Values:
    """The values before the next turn: every component of the state as the step defines it."""
    return having(values, {name: values.value(name + "'") for name in _state_names()})


def failing(values: Values, clauses: tuple[str, ...]) -> tuple[str, ...]:
    """The clauses among these that do not hold, in their order.

    A mark that is not given may be any: raises `NotShown` where the answer hangs on it.
    """
    try:
        return tuple(clause for clause in clauses if not values.value(clause))
    except NotShown as missing:
        if missing.number is None:
            raise
        marks = values.value("mark")
        tried = {failing(having(values, {"mark": Marks({**marks, missing.number: mark})}), clauses) for mark in MARKS}
        if len(tried) > 1:
            raise
        return tried.pop()
