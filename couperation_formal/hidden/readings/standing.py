"""The plain replay over sets of readings: under which combinations of options is a record legal.

What a turn does to the table is the same under all rulings. Only the clauses depend on them, and whether the game is
over. So the record is carried out once; each turn takes away the readings that it breaks, and sets apart those
under which it ends the game: any further turn breaks END04 for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

import msgspec

from couperation_formal.game.budget import Spent, Steps
from couperation_formal.game.diagnostic import Change, Reached
from couperation_formal.game.fact import Unfit, fact
from couperation_formal.game.record import Open, Outcome, Record, Turn
from couperation_formal.game.replay import closed, end05, end06, is_open
from couperation_formal.game.rules.clauses import ASKED
from couperation_formal.game.rules.ending import ending
from couperation_formal.game.rules.setup import SETUP_CHECKS, setup_of, starting_state
from couperation_formal.game.rules.step import Finding, Step, carry_out
from couperation_formal.game.rules.towers import stood, stood_by
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.one_turn import Ended, TurnReadings, endings, judge
from couperation_formal.hidden.readings.sets import Readings, Verdicts, depends_on, nearest


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


# The table before a turn that is judged by itself: every turn before it stands as it was played.

_ENDS: Mapping[str, Literal["END01", "END02", "END03"]] = {"win": "END01", "loss": "END02", "stuck": "END03"}


class EarlierSlip(NamedTuple):
    """An earlier turn, 0 for the set-up, that was wrong already under one reading, by the clauses that it breaks; or
    that ended the game, by the clause that says so.
    """

    turn: int
    clauses: tuple[str, ...]


class Standing(NamedTuple):
    """The table before a turn. `state` is None where the record does not show what the turns before did. `slips` are
    those of each rulings asked for, as far as the record shows them; `reached` what the turns before surely came to
    under each, None where the record does not show it. `shown` tells that every card that moved before was seen.
    """

    state: State | None
    slips: tuple[tuple[EarlierSlip, ...], ...]
    shown: bool
    reached: tuple[Reached | None, ...] = ()


def standing(record: Record, at: int, books: tuple[Rulings, ...] = (), board: Board = STANDARD) -> Standing:
    """The table before turn `at`, by place, with everything before as it was played, and what was wrong with it under
    each of these rulings. Cost: that of one replay, and of the clauses for each of the rulings.
    """
    setup = setup_of(record, board)
    state: State | None = starting_state(setup)
    broken = tuple(clause for clause, check in SETUP_CHECKS.items() if check(setup) is not None)
    slips: list[list[EarlierSlip]] = [[EarlierSlip(0, broken)] if broken else [] for _ in books]
    reached: list[Reached | None] = ["unfinished" for _ in books]
    shown = True
    for place, turn in enumerate(record.turns[: at - 1], start=1):
        if state is None:
            break
        step = step_of(state, turn)
        for at_book, (rulings, found) in enumerate(zip(books, slips, strict=True)):
            clauses = _wrong(state, turn, place, step, rulings)
            if reached[at_book] == "unfinished":
                reached[at_book] = _reached(step, rulings, clauses, bool(found))
            if clauses:
                found.append(EarlierSlip(place, clauses))
        shown = shown and step is not None and not (step.doubts or step.lost or is_open(state, turn))
        if step is None or "SET06" in broken:  # a card in two places leaves both
            state = stood_by(state, turn, None if step is None else step.player)
        else:
            state = stood(step)
        state = None if state is None else msgspec.structs.replace(state, stands=True)
    if state is None:
        reached = [None if end == "unfinished" else end for end in reached]
    return Standing(state, tuple(map(tuple, slips)), shown, tuple(reached))


def step_of(state: State, turn: Turn) -> Step | None:
    """A turn carried out for the player whom it names, whose ever turn it was; None for a name that is not in the
    game.
    """
    if turn.player not in state.players:
        return None
    return carry_out(state, turn, state.players.index(turn.player))


def findings(state: State, turn: Turn, place: int, step: Step | None, rulings: Rulings) -> list[tuple[str, Finding]]:
    """What a turn surely breaks under one reading, in the order in which it is named; the game is taken to go on. Where
    draws were not noted: with the sizes with which it breaks least.
    """
    if step is not None and is_open(state, turn):
        least: list[tuple[str, Finding]] | None = None
        for table, sized in closed(state, turn, step.player):
            found = findings(table, sized, place, step_of(table, sized), rulings)
            least = found if least is None or len(found) < len(least) else least
            if not least:
                break
        return least or []
    order = end06(state, turn, place)
    found = [] if order is None else [("END06", order)]
    for clause in () if step is None else ASKED[type(turn.action)]:
        finding = clause.check(step, rulings) if step is not None else None
        if finding is not None and finding.sure:
            found.append((clause.id, finding))
    return found


def _wrong(state: State, turn: Turn, place: int, step: Step | None, rulings: Rulings) -> tuple[str, ...]:
    """The clauses that an earlier turn broke, or the one by which it ended the game."""
    broken = tuple(clause for clause, _ in findings(state, turn, place, step, rulings))
    end = None if broken or step is None else ending(step, rulings)
    ended = _ENDS.get(end or "")
    return broken if ended is None else (ended,)


def _reached(step: Step | None, rulings: Rulings, wrong: tuple[str, ...], astray: bool) -> Reached | None:
    """What a turn that the game still went on to came to; None where the record does not show it, where the turn was
    wrong itself, and where it opened a card `astray`, in a tower that may have been wrong before.
    """
    end = "unknown" if step is None else ending(step, rulings)
    if end is None:
        return None if astray and step is not None and isinstance(step.turn.action, Open) else "unfinished"
    return None if end == "unknown" or wrong != (_ENDS[end],) else end


def quarrel_verdicts(record: Record, at: int, board: Board = STANDARD, before: Standing | None = None) -> Verdicts:
    """The readings under which turn `at` is legal, illegal, or not shown well enough to tell, if everything before
    stands as it was played. A fully seen record leaves nothing undetermined. Cost: that of a replay.
    """
    every, none = Readings.every(), Readings.none()
    before, turn = before or standing(record, at, (), board), record.turns[at - 1]
    if before.state is None:
        return Verdicts(none, none, every)
    if turn.player not in before.state.players or end06(before.state, turn, at) is not None:
        return Verdicts(none, every, none)
    legal, illegal = none, every
    player = before.state.players.index(turn.player)
    for table, sized in closed(before.state, turn, player):
        found = _one_size(carry_out(table, sized, player), before.shown)
        legal, illegal = legal | found.legal, illegal & found.illegal
        if not illegal and not before.shown:
            break
    return Verdicts(legal, illegal, every - legal - illegal)


def _one_size(step: Step, shown: bool) -> Verdicts:
    """The same of a turn of one size."""
    every, none = Readings.every(), Readings.none()
    if step.lost:
        return Verdicts(none, none, every)
    ends = endings(step)
    found: TurnReadings = judge(step, ends)
    doubted = found.doubted
    if not shown or step.doubts:
        doubted = every
    for ended in ends:
        if ended.end == "unknown":
            doubted |= ended.readings
    return Verdicts(~found.broken - doubted, found.broken, doubted - found.broken)


def mends_at(record: Record, at: int, rulings: Rulings, since: int = 0) -> dict[Change, bool]:
    """The smallest changes of these rulings under which no turn up to `at` is refused, 0 being the set-up; with the
    last one the stated result counts. Those before `since` stand as they were played; none is told where that is not
    `at` itself. Each with whether all is legal then: what a record does not show may yet refuse it. Cost: that of some
    replays.
    """
    if 1 < since < at:
        return {}
    whole = at == len(record.turns)
    found = quarrel_verdicts(record, at) if since > 1 else plain_verdicts(record, turn=None if whole else at)
    changes = nearest(rulings, ~found.illegal, depends_on(*found)) if rulings in found.illegal else ()
    return {tuple(each.items()): rulings.with_changes(each) in found.legal for each in changes}
