"""The plain replay over sets of readings: under which combinations of options is a record legal.

What a turn does to the table is the same under all rulings. Only the clauses depend on them, and whether the game is
over. So the record is carried out once; each turn takes away the readings that it breaks, and sets apart those
under which it ends the game: any further turn breaks END04 for them.
"""

from __future__ import annotations

from typing import Final

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps
from couperation_formal.model.fact import Unfit, fact
from couperation_formal.model.record import Outcome, Record
from couperation_formal.readings.one_turn import Ended, endings, judge
from couperation_formal.readings.sets import Readings, Verdicts
from couperation_formal.replay.ends import end05, end06
from couperation_formal.rules.setup import SETUP_CHECKS, setup_of, starting_state
from couperation_formal.rules.step import carry_out


def cut(record: Record, turn: int | None) -> Record:
    """The record up to turn `turn`, counted by place, without its stated result; None: the whole record as it is.

    Raises `ValueError` where the record has no such turn.
    """
    if turn is None:
        return record
    if not 0 <= turn <= len(record.turns):
        raise Unfit(fact("no_turn", turn=turn, turns=len(record.turns)))
    return msgspec.structs.replace(record, turns=record.turns[:turn], result=None)


_TURN: Final = 100
"""The steps that a turn takes under all readings."""


def plain_verdicts(
    record: Record, board: Board = STANDARD, turn: int | None = None, budget: Steps | None = None
) -> Verdicts:
    """The readings under which the record is legal, illegal, or not shown well enough to tell; all readings together.

    With `turn` the question is whether the record is legal up to that turn, 0 being the set-up; the stated result then
    plays no part, and the record's own rules never do. A fully seen record leaves nothing undetermined. Where cards or
    marks are unseen, a reading is illegal only when a clause fails whatever they are. Where `budget` does not suffice
    every reading is undetermined, and so it is of a record with a draw that was not noted. Raises `ValueError` where
    the record has no such turn. Cost: some four times one `replay`.
    """
    record = cut(record, turn)
    if any(each.draw_open or each.fill_open for each in record.turns):
        return Verdicts(Readings.none(), Readings.none(), Readings.every())
    try:
        return _verdicts(record, board, budget or Steps())
    except Spent:
        return Verdicts(Readings.none(), Readings.none(), Readings.every())


def _verdicts(record: Record, board: Board, budget: Steps) -> Verdicts:
    every, none = Readings.every(), Readings.none()
    setup = setup_of(record, board)
    if any(check(setup) is not None for check in SETUP_CHECKS.values()):
        return Verdicts(none, every, none)
    state = starting_state(setup)
    alive, doubted = every, none
    ends: list[Ended] = []
    for place, played in enumerate(record.turns, start=1):
        budget.spend(_TURN)
        alive &= _going(ends)
        if not alive or end06(state, played, place) is not None:
            return Verdicts(none, every, none)
        step = carry_out(state, played, state.to_move)
        ends = endings(step)
        broken, doubtful = judge(step, ends)
        alive -= broken
        if not alive:
            return Verdicts(none, every, none)
        doubted |= every if step.doubts or step.lost else doubtful
        doubted |= _of(ends, "unknown")
        if step.lost:
            break
        state = step.after
    else:
        alive, doubted = _result(record.result, ends, alive, doubted)
    return Verdicts(alive - doubted, ~alive, alive & doubted)


def _of(ends: list[Ended], end: str) -> Readings:
    return next((ended.readings for ended in ends if ended.end == end), Readings.none())


def _going(ends: list[Ended]) -> Readings:
    """The readings under which the last turn did not end the game (END04)."""
    going = Readings.none()
    for ended in ends:
        if ended.end is None or ended.end == "unknown":
            going |= ended.readings
    return going if ends else Readings.every()


def _result(stated: Outcome | None, ends: list[Ended], alive: Readings, doubted: Readings) -> tuple[Readings, Readings]:
    """END05: what is left alive, and in doubt, once the stated result is asked for."""
    if stated is None:
        return alive, doubted
    if not ends:
        return Readings.none(), doubted
    for end, readings, _ in ends:
        reached = "unfinished" if end is None or end == "unknown" else end
        if end05(stated, reached) is None:
            continue
        if end == "unknown" and stated in ("win", "loss"):
            doubted |= readings
        else:
            alive -= readings
    return alive, doubted
