"""Is a record legal under some choice of all that it does not show? The exact answer, by Z3.

The record is legal up to turn t when the rules of turns 0 to t can hold together. One check asks for all turns; where
it fails, the last turn of the core bounds the first illegal one from above, and the turns before it are asked for,
until they can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import get_args

import msgspec

from couperation_formal.formula.circuit import FALSE, Formula
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.diagnostic import Reached
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings
from couperation_formal.reference.values import RESULTS
from couperation_formal.replay.replay import Replay, replay
from couperation_formal.smt.solver import Solver, minimal
from couperation_formal.symbolic.record import Symbolic, symbolic
from couperation_formal.symbolic.unseen import Rule
from couperation_formal.symbolic.world import world


class Possible(msgspec.Struct, frozen=True):
    """Some world makes every turn legal: `world` is one, a record that shows everything, and `played` its replay.
    `results` are those that legal worlds reach; all that may be where the budget ended before it was known.
    """

    world: Record
    played: Replay
    results: tuple[Reached, ...]


class Impossible(msgspec.Struct, frozen=True, kw_only=True):
    """No world makes turn `turn` legal together with the turns before it, which some world does.

    `broken` holds the rules of this turn that cannot hold after the turns before it, each by itself; where it takes
    several together, those of the core. `core` holds rules that cannot all hold, each of them needed (`least`; False
    where the budget ended before all were tried), among them one of `broken`; `facts` are the facts on the variables of
    `run` that this rests on.
    """

    turn: int
    broken: tuple[Rule, ...]
    core: tuple[Rule, ...]
    facts: tuple[str, ...]
    least: bool
    run: Symbolic


class Unknown(msgspec.Struct, frozen=True):
    """The budget was spent."""


Outcome = Possible | Impossible | Unknown


def decide(
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | None = None, since: int = 0
) -> Outcome:
    """The exact answer for one record under these rulings; turns before turn `since` stand as they were played, and one
    that cannot have been is the illegal one.

    Cost: some tenths of a second for a public record of thirty turns, about 60,000 steps; the budget bounds it.
    """
    try:
        return _decided(record, rulings, board, steps_of(budget), since)
    except Spent:
        return Unknown()


def _decided(record: Record, rulings: Rulings, board: Board, budget: Steps, since: int) -> Possible | Impossible:
    run = symbolic(record, rulings, board, budget=budget, since=since)
    solver = solver_for(run, budget)
    last = min((rule.turn for rule in run.table.rules if rule.formula == FALSE), default=len(record.turns) + 1)
    whole = last > len(record.turns)
    while True:
        if solver.check(names(run, last - 1)) == "sat":
            break
        core = set(solver.core())
        last, whole = max(rule.turn for rule in run.table.rules if rule.name in core), False
    if whole:
        values = solver.values([Formula(gate) for gate in run.table.circuit.names])
        found = world(run, values, rulings)
        played = verified(found, rulings, board, since)
        return Possible(found, played, tuple(_results(run, solver, last - 1, played.reached)))
    return _impossible(run, solver, last, budget)


def _results(run: Symbolic, solver: Solver, last: int, reached: Reached | None) -> Iterator[Reached]:
    """The results that legal worlds reach, one of which has `reached` one; those that the budget leaves open too."""
    if run.end is None:
        raise RuntimeError("a legal record whose turns were not carried out")
    ways = run.end.lift.ways(run.end.value("result"))
    for result in get_args(Reached):
        here = ways.get(RESULTS[result], FALSE)
        if here == FALSE:
            continue
        with suppress(Spent):
            solver.name(f"result={result}", here)
            if result != reached and solver.check([*names(run, last), f"result={result}"]) == "unsat":
                continue
        yield result


def _impossible(run: Symbolic, solver: Solver, turn: int, budget: Steps) -> Impossible:
    """The finding at the first illegal turn: the rules that fail there, and a core that a fresh solver confirms.

    A rule of the set-up fails by itself only where it is the constant false.
    """
    before = names(run, turn - 1)
    here = [rule for rule in run.table.rules if rule.turn == turn]
    broken: list[Rule] = []
    core: list[str] = []
    for rule in here:
        if rule.clause == "END05" and broken:
            break  # of an illegal turn the result is not asked
        if rule.formula == FALSE or (turn and solver.check([*before, rule.name]) == "unsat"):
            core = core or ([rule.name] if rule.formula == FALSE else solver.core())
            broken.append(rule)
            if rule.clause == "END04":
                break
    if not broken:
        if solver.check([*before, *(rule.name for rule in here)]) != "unsat":
            raise RuntimeError(f"turn {turn} is possible, and the turns up to it are not")
        core = solver.core()
    if any(rule.name in core and rule.formula == FALSE for rule in broken):
        kept, least = core, True
    else:
        kept, least = _least(solver.around(core), core, budget)
    rules = tuple(rule for rule in run.table.rules if rule.name in set(kept))
    facts = _confirmed(run, rules, budget)
    joint = tuple(rule for rule in rules if rule.turn == turn)
    return Impossible(turn=turn, broken=tuple(broken) or joint, core=rules, facts=facts, least=least, run=run)


def _least(solver: Solver, core: list[str], budget: Steps) -> tuple[list[str], bool]:
    """The core with what is not needed left out, and whether all of it was tried: half of what is left of the budget
    is kept for the fresh solver.
    """
    with budget.at_most(budget.left // 2):
        return minimal(solver, core), budget.left > 0


def _confirmed(run: Symbolic, rules: tuple[Rule, ...], budget: Steps) -> tuple[str, ...]:
    """The facts with which a fresh solver refutes these rules again."""
    if any(rule.formula == FALSE for rule in rules):
        return ()
    fresh = Solver(run.table.circuit, budget)
    for name, formula in (*run.table.facts, *((rule.name, rule.formula) for rule in rules)):
        fresh.name(name, formula)
    answer = fresh.check([*(name for name, _ in run.table.facts), *(rule.name for rule in rules)])
    if answer == "sat":
        raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(rule.name for rule in rules)}")
    core = set(fresh.core())
    return tuple(name for name, _ in run.table.facts if name in core)


def solver_of(run: Symbolic, rules: Iterable[Rule], budget: Steps) -> Solver:
    """A solver that holds the facts of a run and these rules."""
    solver = Solver(run.table.circuit, budget)
    for formula in (*(formula for _, formula in run.table.facts), *(rule.formula for rule in rules)):
        solver.add(formula)
    return solver


def solver_for(run: Symbolic, budget: Steps) -> Solver:
    """A solver that holds the facts of a run and knows its rules by name."""
    solver = solver_of(run, (), budget)
    for rule in run.table.rules:
        if rule.formula != FALSE:
            solver.name(rule.name, rule.formula)
    return solver


def names(run: Symbolic, turn: int) -> list[str]:
    """The names of the rules of turns 0 to `turn`."""
    return [rule.name for rule in run.table.rules if rule.turn <= turn and rule.formula != FALSE]


def verified(found: Record, rulings: Rulings, board: Board, since: int = 0) -> Replay:
    """The plain replay of a world, which accepts it."""
    outcome = replay(found, rulings, board, since=since)
    if outcome.illegal is not None or outcome.doubts:
        what = outcome.broken[0] if outcome.broken else outcome.doubts[0]
        raise RuntimeError(f"a world that the plain replay does not accept: {what}")
    return outcome
