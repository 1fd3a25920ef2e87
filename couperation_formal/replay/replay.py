"""From a record to its states, turn by turn, and to the clauses that its first illegal turn breaks."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, get_args

import msgspec

from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.cards import FINISH
from couperation_formal.model.diagnostic import Change, Reached
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Record, Turn
from couperation_formal.model.rulings import Rulings
from couperation_formal.model.state import State
from couperation_formal.replay.ends import end04, end05, end06
from couperation_formal.replay.sizes import closed, is_open, narrowed
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


class About(NamedTuple):
    """What a turn is judged by: its place, the rulings, the orders' engine, and the step before."""

    place: int
    rulings: Rulings
    arrangement: Arrangement
    last: Step | None


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
                after, found = as_played(state, turn, place, rulings, doubts, doubled, hanging)
                slips += found
                if after is None:
                    break
                state = after
                states.append(state)
                continue
            step, broken = _any_size(state, turn, About(place, rulings, arrangement, last), doubts)
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


def as_played(
    state: State, turn: Turn, place: int, rulings: Rulings, doubts: list[Doubt], doubled: bool, hanging: bool
) -> tuple[State | None, list[Broken]]:
    """The table after a turn that stands, and what it breaks; no table where the record does not show it. `doubled`:
    the set-up shows a card in two places, which it leaves both.
    """
    step, broken = _any_size(state, turn, About(place, rulings, plain, None), [], hanging)
    if step is not None and is_open(state, turn):
        step = carry_out(state, turn, step.player)
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
    if warnings or not draw or state.variant == "first" or state.open or FINISH in (setup.record.deck or ()):
        return
    shown = FINISH in draw
    if not shown and state.whereabouts(FINISH) is not None:
        return
    glass = draw.index(FINISH) if shown else len(draw) + known_glass(step.deck)
    card = setup.deck_size - len(state.deck) + glass + 1
    what = finish_half_doubt(card, setup.deck_size - 1, rulings, shown)
    if what is not None:
        warnings.append(Broken(place, "SET05", what, "draw", _other_half(rulings), True))


def _any_size(state: State, turn: Turn, about: About, doubts: list[Doubt], hanging: bool = True) -> Judged:
    """One turn. Where draws were not noted it is tried with each size (`closed`): what some size allows is carried on
    with the sizes that are left, and where all are refused it is by what the least refused one breaks: with the
    most cards that may have been drawn.
    """
    if not is_open(state, turn):
        return _turn(state, turn, about, doubts, hanging)
    player = state.players.index(turn.player) if turn.player in state.players else state.to_move
    notes: list[list[Doubt]] = []
    tried: list[tuple[State, Turn, Judged]] = []
    for table, sized in closed(state, turn, player):
        notes.append([])
        tried.append((table, sized, _turn(table, sized, about, notes[-1], False)))
    left = [at for at, (_, _, (_, broken)) in enumerate(tried) if not broken]
    if not left:
        table, sized, _ = min(tried, key=lambda it: (len(it[2][1]), it[2][1][0].clause[:3] == "DRW", -len(it[1].draw)))
        return _turn(table, sized, about, doubts, hanging)
    doubts += notes[left[0]]
    if len(left) == 1 and not state.open:
        return tried[left[0]][2]
    if len({(len(tried[at][1].draw), len(tried[at][1].fill)) for at in left}) > 1:
        doubts.append(Doubt(about.place, fact("whether_size")))
    step = carry_out(state, turn, player, about.arrangement)
    after = narrowed(step.after, player, (own.after for at in left if (own := tried[at][2][0]) is not None))
    return msgspec.structs.replace(step, after=after), []


def _turn(state: State, turn: Turn, about: About, doubts: list[Doubt], hanging: bool = True) -> Judged:
    """One turn: the step and what it breaks. The step is None where nothing more can be asked."""
    place, rulings, arrangement, last = about
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
