"""From a record to its states, turn by turn, and to the clauses that its first illegal turn breaks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias, get_args

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import FINISH
from couperation_formal.model.diagnostic import Change, Reached
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Record, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.replay.ends import end04, end05, end06
from couperation_formal.replay.sizes import sizes
from couperation_formal.rules import arrangement as plain
from couperation_formal.rules.clauses import ASKED, ENDING_RULINGS, Clause
from couperation_formal.rules.drawing import LimitClause, within_limit
from couperation_formal.rules.ending import Ending, ended_by, ending
from couperation_formal.rules.finding import Check, Finding
from couperation_formal.rules.setup import (
    SETUP_CHECKS,
    Setup,
    finish_half_doubt,
    known_glass,
    set05,
    setup_of,
    starting_state,
)
from couperation_formal.rules.step import Arrangement, Step, carry_out
from couperation_formal.rules.stood import stood, stood_by
from couperation_formal.rules.towers import out_of_order


class Broken(msgspec.Struct, frozen=True):
    """A clause that a turn breaks, or (`warning`) puts in doubt.

    `turn` counts by place, 0 is the set-up. `part` is a part of the turn, or a set-up line (``"deal Aki"``). Under each
    of the changes in `mends` this clause would hold here, a draw keep its limit, and a card that had no place its
    orders: it hangs on their `rulings`.
    """

    turn: int
    clause: str
    what: Fact
    part: str
    mends: tuple[Change, ...] = ()
    warning: bool = False

    @property
    def rulings(self) -> tuple[str, ...]:
        """The rulings that it hangs on."""
        return tuple(dict.fromkeys(name for change in self.mends for name, _ in change))


class Doubt(msgspec.Struct, frozen=True):
    """Something at turn `turn` that the record does not show enough to tell."""

    turn: int
    what: Fact


Judged: TypeAlias = tuple[Step | None, list[Broken]]
"""The step of a turn, None where nothing more can be asked, and what it breaks."""

Judge: TypeAlias = Callable[[Turn, list[Doubt]], Judged]
"""Judges a turn of one table, and adds to the doubts."""


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A record carried out under one choice of rulings.

    `states[k]` stands after turn k, as far as the record is legal (`states[0]` after the set-up). `broken` holds the
    clauses that turn `illegal` breaks (None: no turn breaks any) and the warnings. `reached` is the result the replay
    came to, None if illegal. `slips` are what turns break that stand as they were played. `last` is the turn by which
    the game ended, None where it did not.
    """

    states: tuple[State, ...]
    broken: tuple[Broken, ...]
    doubts: tuple[Doubt, ...]
    illegal: int | None
    reached: Reached | None
    slips: tuple[Broken, ...] = ()
    last: Step | None = None


def replay(
    record: Record,
    rulings: Rulings,
    board: Board = STANDARD,
    arrangement: Arrangement = plain,
    since: int = 0,
    hanging: bool = True,
) -> Replay:
    """Carry out `record` until its first illegal turn; turns before turn `since`, by place, stand as they were played,
    and without `hanging` their slips do not tell what they hang on. Cost: some 20 microseconds a turn; what an illegal
    one hangs on some hundreds of times that.
    """
    setup = setup_of(record, board)
    state = starting_state(setup)
    states = [state]
    doubts: list[Doubt] = []
    slips: list[Broken] = []
    warnings = _setup_warnings(setup, rulings)
    broken = _setup_broken(setup)
    last: Step | None = None
    if since:
        slips, broken = broken, []
    if not broken:
        for place, turn in enumerate(record.turns, start=1):
            if place < since:
                doubled = bool(slips) and slips[0].turn == 0
                after, found = _as_played(state, turn, place, rulings, doubts, doubled, hanging)
                slips += found
                if after is None:
                    break
                state = after
                states.append(state)
                continue
            step, broken = _any_size(
                turn, place, board, partial(_turn, state, place, rulings, arrangement, last), doubts
            )
            if broken or step is None:
                break
            last = step
            _finish_warning(setup, step, place, rulings, warnings)
            end = ending(step, rulings)
            state = _ended(step.after, end)
            if since > 1:
                state = msgspec.structs.replace(state, stands=True)
            states.append(state)
            doubts += [Doubt(place, doubt) for doubt in step.doubts]
            if end == "unknown":
                doubts.append(Doubt(place, fact("whether_orders")))
            if step.lost:
                doubts.append(Doubt(place, fact("finish_lost")))
                break
        else:
            broken = _result(record, state, last, rulings, doubts)
    illegal = broken[0].turn if broken else None
    reached: Reached | None = None if broken else state.result or "unfinished"
    return Replay(
        states=tuple(states),
        broken=(*broken, *warnings),
        doubts=tuple(doubts),
        illegal=illegal,
        reached=reached,
        slips=tuple(slips),
        last=last if reached in ("win", "loss", "stuck") else None,
    )


def _as_played(
    state: State, turn: Turn, place: int, rulings: Rulings, doubts: list[Doubt], doubled: bool, hanging: bool
) -> tuple[State | None, list[Broken]]:
    """The table after a turn that stands, and what it breaks; no table where the record does not show it. `doubled`:
    the set-up shows a card in two places, which it leaves both.
    """
    if turn.draw_open or turn.fill_open:
        doubts.append(Doubt(place, fact("not_followed")))
        return None, []
    step, broken = _turn(state, place, rulings, plain, None, turn, [], hanging)
    player = None if step is None else step.player
    after = stood_by(state, turn, player) if step is None or doubled else stood(step)
    doubts += [Doubt(place, doubt) for doubt in (step.doubts if step is not None else ())]
    if after is None:
        doubts.append(Doubt(place, fact("not_followed")))
        return None, broken
    return msgspec.structs.replace(after, stands=True), broken


def _setup_broken(setup: Setup) -> list[Broken]:
    found = ((clause, check(setup)) for clause, check in SETUP_CHECKS.items())
    return [Broken(0, clause, finding.what, finding.part) for clause, finding in found if finding is not None]


def _setup_warnings(setup: Setup, rulings: Rulings) -> list[Broken]:
    finding = set05(setup, rulings)
    return [] if finding is None else [Broken(0, "SET05", finding.what, finding.part, _other_half(rulings), True)]


def _other_half(rulings: Rulings) -> tuple[Change, ...]:
    """The change after which SET05 would not warn."""
    return ((("finish_half", "top" if rulings.finish_half == "bottom" else "bottom"),),)


def _finish_warning(setup: Setup, step: Step, place: int, rulings: Rulings, warnings: list[Broken]) -> None:
    """Warn, once, where a draw shows the Finish card in the wrong half of a deck that the record does not list, or
    shows that it lies below the top half (SET05).
    """
    draw, state = step.turn.draw, step.before
    if warnings or not draw or state.variant == "first" or FINISH in (setup.record.deck or ()):
        return
    shown = FINISH in draw
    if not shown and state.whereabouts(FINISH) is not None:
        return
    glass = draw.index(FINISH) if shown else len(draw) + known_glass(step.deck)
    card = setup.deck_size - len(state.deck) + glass + 1
    what = finish_half_doubt(card, setup.deck_size - 1, rulings, shown)
    if what is not None:
        warnings.append(Broken(place, "SET05", what, "draw", _other_half(rulings), True))


def _any_size(turn: Turn, place: int, board: Board, judge: Judge, doubts: list[Doubt]) -> Judged:
    """One turn, as `judge` has it. Where a draw was not noted each size is tried: one that is left is taken, of several
    nothing is told, and where all are refused it is by what the least refused one breaks.
    """
    if not turn.draw_open and not turn.fill_open:
        return judge(turn, doubts)
    tried = []
    for sized in sizes(turn, board):
        own: list[Doubt] = []
        tried.append((judge(sized, own), own))
    left = [each for each in tried if not each[0][1]]
    if not left:
        return min(tried, key=lambda each: len(each[0][1]))[0]
    if len(left) > 1:
        doubts.append(Doubt(place, fact("whether_size")))
        return None, []
    judged, own = left[0]
    doubts += own
    return judged


def _turn(
    state: State,
    place: int,
    rulings: Rulings,
    arrangement: Arrangement,
    last: Step | None,
    turn: Turn,
    doubts: list[Doubt],
    hanging: bool = True,
) -> Judged:
    """One turn: the step and what it breaks. The step is None where nothing more can be asked."""
    finding = end04(state, last, rulings)
    if finding is not None:
        hangs = () if last is None else mends(_over, ENDING_RULINGS, last, rulings)
        return None, [Broken(place, "END04", finding.what, finding.part, hangs)]
    broken = []
    finding = end06(state, turn, place)
    if finding is not None:
        broken.append(Broken(place, "END06", finding.what, finding.part))
    if turn.player not in state.players:
        return None, broken
    player = state.to_move
    if turn.player != state.players[player]:
        player = state.players.index(turn.player)
    step = carry_out(state, turn, player, arrangement)
    for clause in ASKED[type(turn.action)]:
        finding = clause.check(step, rulings)
        if finding is None:
            continue
        if finding.sure:
            hangs = mends(_to_mend(clause), clause.rulings, step, rulings) if hanging else ()
            broken.append(Broken(place, clause.id, finding.what, finding.part, hangs))
        else:
            doubts.append(Doubt(place, finding.what))
    return step, broken


def _to_mend(clause: Clause) -> Check:
    """What another option has to make hold: the clause and, of a draw, its limit whichever clause sets that then, of a
    place the orders that are asked of it then.
    """
    if clause.id in ("TOW04", "TOW05"):
        return lambda step, rulings: clause.check(step, rulings) or out_of_order(step, rulings)
    if clause.id not in get_args(LimitClause):
        return clause.check
    return lambda step, rulings: clause.check(step, rulings) or within_limit(step, rulings)


def _over(step: Step, rulings: Rulings) -> Finding | None:
    """END04 as the turn before sees it: whether it ended the game."""
    end = ending(step, rulings)
    return None if end is None else Finding(ended_by(step, end, rulings), "number")


def _result(record: Record, state: State, last: Step | None, rulings: Rulings, doubts: list[Doubt]) -> list[Broken]:
    """END05 on the last turn."""
    how = None if last is None or state.result is None else ended_by(last, state.result, rulings)
    finding = end05(record.result, state.result or "unfinished", how)
    if finding is None:
        return []
    place = len(record.turns)
    if last is not None and ending(last, rulings) == "unknown" and record.result in ("win", "loss"):
        doubts.append(Doubt(place, fact("whether_ended", result=record.result)))
        return []

    def check(step: Step, changed: Rulings) -> Finding | None:
        return end05(record.result, _reached(ending(step, changed)))

    hangs = () if last is None else mends(check, ENDING_RULINGS, last, rulings)
    return [Broken(place, "END05", finding.what, finding.part, hangs)]


def _reached(end: Ending) -> Reached:
    return "unfinished" if end is None or end == "unknown" else end


def _ended(state: State, end: Ending) -> State:
    return state if end is None or end == "unknown" else msgspec.structs.replace(state, result=end)


def mends(check: Check, names: tuple[str, ...], step: Step, rulings: Rulings) -> tuple[Change, ...]:
    """The changes of rulings among `names` each of which makes `check` hold on this step.

    Single changes first; where none suffices, the smallest sets of changes that do, of two changes at most but for a
    draw. (One option waives all orders of the Finish card, one all of the down cards, and a completed tower has no down
    cards: LIM01, LIM02, END04 and END05 never need three. What lets a player act may; it is left at two there.) Empty:
    no such change mends it. Cost: one check for each set of changes.
    """
    most = len(names) if "draw_source" in names else 2
    for count in range(1, most + 1):
        found = [each for each in rulings.changes(names, count) if check(step, rulings.with_changes(each)) is None]
        if found:
            return tuple(tuple(each.items()) for each in found)
    return ()
