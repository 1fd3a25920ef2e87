"""A turn by itself: under which readings is it legal, if everything before stands as it was played?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.fact import Fact, Unfit, fact
from couperation_formal.game.record import Record
from couperation_formal.game.replay import end06, is_open
from couperation_formal.game.rulings import Rulings, registry
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.readings.standing import (
    EarlierSlip,
    Standing,
    cut,
    findings,
    quarrel_verdicts,
    standing,
    step_of,
)
from couperation_formal.output.data import Data, Natural
from couperation_formal.questions.records.provided import Ways, decided, ways_at

_TURN: Final = 200
"""The steps that a turn takes, carried out and asked under each rulebook."""

DISPUTED = "~~"
"""The glyph of a disputed turn."""


class Stood(Data, frozen=True, kw_only=True):
    """An earlier turn, 0 for the set-up, that was wrong already under a rulebook, by these clauses; or that ended the
    game under it (END01, END02 or END03).
    """

    rulebook: str
    turn: Natural
    clauses: tuple[str, ...]


class Nowhere(msgspec.Struct, frozen=True):
    """A turn that cannot be carried out: it takes a card from where it is not. `what` is None where that is so of each
    choice of what the record does not show.
    """

    turn: int
    what: Fact | None = None


def disputed(record: Record) -> tuple[int, ...]:
    """The turns, by place, that are marked as disputed."""
    return tuple(at for at, turn in enumerate(record.turns, start=1) if DISPUTED in turn.glyphs)


def table_before(record: Record, at: int, board: Board = STANDARD) -> Standing:
    """The table before turn `at`, and what was wrong already under each rulebook of the registry. Raises `ValueError`
    where there is no such turn.
    """
    if not 1 <= at <= len(record.turns):
        raise Unfit(fact("no_turn", turn=at, turns=len(record.turns)))
    return standing(record, at, tuple(registry().rulebooks.values()), board)


def readings_at(
    record: Record, at: int, before: Standing, budget: Steps, board: Board = STANDARD
) -> tuple[Verdicts, Readings, Ways | None]:
    """The readings under which turn `at` is legal, illegal, or undetermined within the budget, if everything before
    stands; and those of the legal ones under which it is whatever the record does not show. Where it cannot have been
    played, all are undetermined. What is not broken with every size of draws that were not noted is asked with each
    (`Ways`).
    """
    try:
        budget.spend(_TURN * at)
    except Spent:
        return Verdicts(Readings.none(), Readings.none(), Readings.every()), Readings.none(), None
    found = quarrel_verdicts(record, at, board, before)
    open_ = before.state is not None and is_open(before.state, record.turns[at - 1])
    if not budget.left or not (found.undetermined or (open_ and found.legal)):
        return found, Readings.none() if open_ else found.legal, None
    ways = ways_at(record, at, budget, board)
    ways = None if ways is None else decided(ways, budget, at, board)
    if ways is not None:
        legal, illegal = ways.verdicts.legal, (ways.verdicts.illegal | found.illegal) - ways.verdicts.legal
        return Verdicts(legal, illegal, Readings.every() - legal - illegal), ways.shown, ways
    from couperation_formal.hidden.smt.readings import symbolic_verdicts

    more = symbolic_verdicts(cut(record, at), board, None, found.undetermined, budget, since=at)
    return Verdicts(found.legal | more.legal, found.illegal | more.illegal, more.undetermined), found.legal, None


def codes_at(
    record: Record, at: int, before: Standing, books: Mapping[str, Rulings], budget: Steps, board: Board = STANDARD
) -> dict[str, str | None]:
    """The first clause that turn `at` breaks under each of these rulings, which it is illegal under; None where only
    several together cannot hold, or where the budget ends first.
    """
    turn, state = record.turns[at - 1], before.state
    step = None if state is None else step_of(state, turn)
    codes: dict[str, str | None] = dict.fromkeys(books)
    for name, rulings in books.items() if state is not None and (step is None or not step.lost) else ():
        broken = findings(state, turn, at, step, rulings) if state is not None else []
        codes[name] = broken[0][0] if broken else None
    left = {name: books[name] for name, code in codes.items() if code is None}
    if left:
        from couperation_formal.hidden.smt.readings import broken_at

        codes.update(broken_at(cut(record, at), at, left, board, budget))
    return codes


def nowhere_at(
    record: Record, at: int, before: Standing, verdicts: Verdicts, budget: Steps, board: Board = STANDARD
) -> Nowhere | None:
    """Why turn `at`, or one before it, cannot be carried out; None where it can. Raises `Spent`."""
    if verdicts.legal:
        return None
    what = why_nowhere(record, at, before.state)
    if what is not None:
        return Nowhere(at, what)
    turn, state = record.turns[at - 1], before.state
    step = None if state is None else step_of(state, turn)
    if state is not None and is_open(state, turn) and not verdicts.undetermined:
        return None
    if step is not None and before.shown and not step.doubts:
        return None
    from couperation_formal.hidden.smt.readings import unplayable

    found = unplayable(record, at, board, budget)
    if not found:
        return None if found is None else Nowhere(found)
    return Nowhere(found, why_nowhere(record, found, standing(record, found, (), board).state))


def why_nowhere(record: Record, at: int, state: State | None) -> Fact | None:
    """What is plainly wrong with a turn that cannot be carried out: who plays it, or a card that is not there."""
    turn = record.turns[at - 1]
    if state is None:
        return None
    if turn.player not in record.players:
        order = end06(state, turn, at)
        return None if order is None else order.what
    rulings = next(iter(registry().rulebooks.values()))
    found = findings(state, turn, at, step_of(state, turn), rulings)
    return next((finding.what for code, finding in found if code == "SET06"), None)


def stood_before(at: int, before: Standing, nowhere: Nowhere | None) -> tuple[Stood, ...]:
    """What was wrong already before turn `at`, under each rulebook, as far as the record shows it."""
    found = []
    for name, turns in zip(registry().rulebooks, before.slips, strict=True):
        if nowhere is not None and nowhere.turn < at and all(slip.turn != nowhere.turn for slip in turns):
            turns = tuple(sorted((*turns, EarlierSlip(nowhere.turn, ("SET06",)))))
        found += [Stood(rulebook=name, turn=slip.turn, clauses=slip.clauses) for slip in turns]
    return tuple(found)
