"""Why a clause holds in a turn of a record, or fails: the trace of its formula (`formulas.trace`)."""

from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from msgspec.structs import replace

from couperation_formal.formulas.judge import MARKS, SHIFTS, NotShown, after, book, judge, marked, tables
from couperation_formal.formulas.trace import Trace, Tracer, texts
from couperation_formal.formulas.writer import Values
from couperation_formal.game.fact import Fact, Steps, Told, fact
from couperation_formal.game.record import Record
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.tower import Cell

OWN: dict[str, Callable[[Any], str]] = {
    "Card": lambda card: "F" if card[0] == "F" else str(card[1]),
    "Cell": lambda cell: str(Cell(*cell)),
    "Laid": lambda laid: ("~" if laid[0] == "Down" else "") + OWN["Card"](laid[1]),
    "Shift": lambda shift: SHIFTS[shift[0][0]] + OWN["Card"](shift[1]),
    "Mark": lambda mark: "H" if mark[0] == "Heart" else str(mark[1]),
}
"""Cards, marks and cells as CGN writes them."""


class NotAsked(Told, LookupError):
    """A clause is not asked there; the text says where it is."""


class Why(NamedTuple):
    """What a clause's formula comes to at a place, 0 being the set-up, and the first illegal turn where that is an
    earlier one: what follows it goes on from the state that its step leaves, though it is illegal. A clause that
    `defines` an end asks nothing. `whatever` tells that it is so whatever the record does not show.
    """

    clause: str
    at: int
    illegal: int | None
    trace: Trace
    defines: bool = False
    whatever: bool = False


@lru_cache(maxsize=1)
def tracer() -> Tracer:
    """What explains the specification's formulas."""
    return Tracer(book(), OWN)


def why(
    record: Record,
    rulings: Rulings,
    clause: str,
    at: int | None = None,
    budget: Steps | None = None,
) -> Why:
    """Why `clause` holds or fails at a place of the record: a turn from 1, or 0, the set-up. Where no place is given,
    at the first illegal one, or else at the last one at which it is asked.

    Raises `NotAsked` where it is not asked or there is no such turn, `NotShown` where the record leaves open what it
    asks for, `Spent` where the budget ends. Cost: that of `judge`, and some milliseconds.
    """
    checked_place(record, clause, at)
    illegal = judge(record, rulings, budget=budget).turn
    if at is None:
        at = default_place(record, clause, illegal)
    values = next(islice(tables(record, rulings, budget=budget), at, None))
    earlier = illegal if illegal is not None and illegal < at else None
    return Why(clause, at, earlier, _traced(clause, values), defines(clause))


def checked_place(record: Record, clause: str, at: int | None) -> None:
    """Raise `NotAsked` where the clause is not asked at this place, or there is no such turn."""
    places = _places(clause, len(record.turns))
    if at is not None and at not in places:
        raise NotAsked(_nowhere(clause, places, at, len(record.turns)))


def default_place(record: Record, clause: str, illegal: int | None) -> int:
    """The first illegal place, or else the last one at which the clause is asked."""
    places = _places(clause, len(record.turns))
    return illegal if illegal is not None and illegal in places else places[-1]


def defines(clause: str) -> bool:
    """Whether a clause only defines something, and asks nothing."""
    return clause not in book().definitions


def _traced(clause: str, values: Values) -> Trace:
    """The trace of a clause where it is asked, or why it is not; of marks that are not given, one for each mark."""
    if clause in _asked("asked_at_end"):
        return _marked(clause, after(values))
    lists = ("asked", "warned") if values.value("t") else ("asked_at_setup", "warned_at_setup")
    if defines(clause) or any(clause in values.value(name) for name in lists):
        return _marked(_formula(clause), values)
    return tracer().left_out(next(name for name in lists if clause in _asked(name)), clause, values)


def _marked(formula: str, values: Values) -> Trace:
    """The trace of a formula. A mark that is not given may be any: each is bound and told of, where all come to the
    same; raises `NotShown` where they do not.
    """
    try:
        return tracer().trace(formula, values)
    except NotShown as missing:
        if missing.number is None:
            raise
        name = f"mark({missing.number})"
        traces = {mark: _marked(formula, each) for mark, each in marked(values, missing.number).items()}
        if len({each.holds for each in traces.values()}) > 1:
            raise
        asked = any(each.asked for each in traces.values())
        bound = [
            replace(one, bindings={name: OWN["Mark"](mark), **one.bindings})
            for mark, each in traces.items()
            for one in each.instances
            if one.asked or not asked
        ]
        return Trace(traces[MARKS[0]].holds, tuple(bound), asked)


def _formula(clause: str) -> str:
    """The name of a clause's formula; of a clause that only defines something, what it defines last."""
    if clause in book().definitions:
        return clause
    defined = book().definitions.items()
    return [name for name, each in defined if book().under(name) == clause and not each.params][-1]


def _asked(name: str) -> set[str]:
    """The clauses that a list of `step.md` names in any of its cases."""
    return texts(book().definitions[name].body)


def _places(clause: str, turns: int) -> range:
    """Where a clause is asked: 0 is the set-up. One that only defines something is asked in every turn."""
    if clause in _asked("asked_at_end"):
        return range(turns, turns + 1)
    setup = clause in _asked("asked_at_setup") | _asked("warned_at_setup")
    turn = clause in _asked("asked") | _asked("warned")
    return range(not setup, turns + 1 if turn or not setup else 1)


def _nowhere(clause: str, places: range, at: int, turns: int) -> Fact:
    if at > turns:
        return fact("clause_no_turn", turn=at, turns=turns)
    if places == range(1):
        return fact("clause_setup", clause=clause)
    return fact("clause_end" if clause in _asked("asked_at_end") else "clause_turns", clause=clause, turns=turns)
