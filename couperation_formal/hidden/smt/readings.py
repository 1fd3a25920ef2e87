"""The readings under which a record is legal, by Z3 with the rulings as variables.

A reading is asked for while one is open. Where it fails, the core names the options whose exclusion made it fail: every
reading that chooses none of them fails too. Where it holds, the world that was found is kept and every gate of the
circuit is evaluated to the set of readings under which it holds in this world: the readings under which the world is
legal are closed together. So each step closes a whole set, and the last one leaves none open.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import msgspec

from couperation_formal.formulas.circuits.circuit import FALSE, Formula, no
from couperation_formal.game.budget import Spent, Steps, steps_of
from couperation_formal.game.diagnostic import Change
from couperation_formal.game.record import Record
from couperation_formal.game.rules.clauses import place_in_order
from couperation_formal.game.rulings import Rulings, options_in_order
from couperation_formal.game.tower import STANDARD, Board
from couperation_formal.hidden.readings.sets import Readings, Verdicts
from couperation_formal.hidden.smt.exact import Solver, minimal, names, solver_for, solver_of
from couperation_formal.hidden.symbolic.record import Symbolic, symbolic

_LOOKED: Final = 16
"""So many gates looked at for a set of readings are one step, and so is each of them that is such a set itself."""


def symbolic_verdicts(
    record: Record,
    board: Board = STANDARD,
    turn: int | None = None,
    within: Readings | None = None,
    budget: Steps | int | None = None,
    since: int = 0,
) -> Verdicts:
    """`within` (all readings where left out) by the verdict of `record`, or of its turns up to `turn`; turns before
    `since` stand as they were played, and where their cards cannot have been where they were taken from all is
    undetermined.

    Exact for unseen cards and unknown marks too. What is still open when the budget is spent is undetermined.
    Cost: one check for each set that is closed, some dozens as a rule.
    """
    if turn is not None:
        record = msgspec.structs.replace(record, turns=record.turns[:turn], result=None)
    left = Readings.every() if within is None else within
    legal = illegal = Readings.none()
    steps = steps_of(budget)
    with suppress(Spent):
        run = symbolic(record, None, board, budget=steps, since=since)
        if since and not _played(run, since, steps):
            return Verdicts(Readings.none(), Readings.none(), left)
        if any(rule.formula == FALSE for rule in run.table.rules):
            return Verdicts(Readings.none(), left, Readings.none())
        solver = _choosing(run, solver_of(run, run.table.rules, steps))
        while left:
            reading = left.member()
            if solver.check(excluded(reading)) == "unsat":
                closed = _failing(solver) & left
                illegal |= closed
            else:
                closed = holding(run, solver.values(_variables(run))) & left
                legal |= closed
            if reading not in closed:
                raise RuntimeError("a reading was not closed by its own answer")
            left -= closed
    return Verdicts(legal, illegal, left)


def _played(run: Symbolic, since: int, budget: Steps) -> bool:
    """Whether the turns before `since` can have been played."""
    before = [rule for rule in run.table.rules if rule.turn < since]
    return solver_of(run, before, budget).check(()) == "sat"


def unplayable(record: Record, at: int, board: Board = STANDARD, budget: Steps | int | None = None) -> int | None:
    """The first turn up to turn `at` that cannot have been played, whatever the record does not show: a card is not
    where the turn takes it from (0: the set-up cannot be). None where there is none. Raises `Spent`.
    """
    steps = steps_of(budget)
    record = msgspec.structs.replace(record, turns=record.turns[:at], result=None)
    run = symbolic(record, None, board, budget=steps, since=at + 1)
    solver = solver_for(run, steps)
    last = min((rule.turn for rule in run.table.rules if rule.formula == FALSE), default=at + 1)
    while last and solver.check(names(run, last - 1)) == "unsat":
        core = set(solver.core())
        last = max(rule.turn for rule in run.table.rules if rule.name in core)
    return last if last <= at else None


def broken_at(
    record: Record, at: int, books: Mapping[str, Rulings], board: Board = STANDARD, budget: Steps | int | None = None
) -> dict[str, str]:
    """For each of these rulings the first clause that turn `at`, the last one, cannot keep by itself, everything before
    as it was played; a name is left out where there is none, or where the budget ends.
    """
    found: dict[str, str] = {}
    steps = steps_of(budget)
    with suppress(Spent):
        run = symbolic(record, None, board, budget=steps, since=at)
        solver = _choosing(run, solver_for(run, steps))
        for name, rulings in books.items():
            clause = _first_broken(run, solver, at, excluded(rulings))
            if clause is not None:
                found[name] = clause
    return found


def first_illegal(
    record: Record, books: Mapping[str, Rulings], budget: Steps | int | None = None
) -> dict[str, tuple[int, str]]:
    """For each of these rulings, under which a record is illegal, its first illegal turn, 0 being the set-up, and the
    first clause that this turn cannot keep by itself after those before it; a name is left out where it takes several
    clauses together, or where the budget ends. Cost: that of one rulebook asked alone, and little for each more.
    """
    found: dict[str, tuple[int, str]] = {}
    steps = steps_of(budget)
    with suppress(Spent):
        run = symbolic(record, None, budget=steps)
        solver = _choosing(run, solver_for(run, steps))
        false = min((rule.turn for rule in run.table.rules if rule.formula == FALSE), default=len(record.turns) + 1)
        for name, rulings in books.items():
            last, others = false, excluded(rulings)
            while solver.check([*others, *names(run, last - 1)]) == "unsat":
                core = set(solver.core())
                last = max(rule.turn for rule in run.table.rules if rule.name in core)
            clause = _first_broken(run, solver, last, others)
            if clause is not None:
                found[name] = (last, clause)
    return found


def _choosing(run: Symbolic, solver: Solver) -> Solver:
    """A solver for the rules of a run, at which a reading can now be assumed."""
    for ruling, options in options_in_order():
        for option in options:
            solver.literal(f"{ruling} {option}", no(run.table.choices.chooses(ruling, option)))
    return solver


def _first_broken(run: Symbolic, solver: Solver, at: int, others: list[str]) -> str | None:
    """The first clause that turn `at` cannot keep by itself under a reading that excludes `others`. One of the set-up
    fails by itself only where it is the constant false.
    """
    before = names(run, at - 1)
    asked = (rule for rule in run.table.rules if rule.turn == at)
    for rule in sorted(asked, key=lambda rule: place_in_order(rule.clause)):
        if rule.formula == FALSE or (at and solver.check([*before, *others, rule.name]) == "unsat"):
            return rule.clause
    return None


def kept_at(record: Record, at: int, clause: str, rulings: Rulings, budget: Steps | int | None = None) -> bool | None:
    """Whether turn `at` keeps a clause, or breaks it, whatever the record does not show, everything before as it was
    played. None where that hangs on it, and where the turns before cannot have been played. Raises `Spent`.
    """
    steps = steps_of(budget)
    record = msgspec.structs.replace(record, turns=record.turns[:at], result=None)
    run = symbolic(record, rulings, budget=steps, since=at)
    asked = [rule for rule in run.table.rules if rule.turn == at and rule.clause == clause]
    solver, before = solver_for(run, steps), names(run, at - 1)
    if any(rule.formula == FALSE and rule.turn < at for rule in run.table.rules) or solver.check(before) == "unsat":
        return None
    if any(rule.formula == FALSE for rule in asked):
        return False
    if solver.check([*before, *(rule.name for rule in asked)]) == "unsat":
        return False
    solver.name("broken", no(run.table.circuit.all_of(rule.formula for rule in asked)))
    return True if solver.check([*before, "broken"]) == "unsat" else None


def excluded(reading: Rulings) -> list[str]:
    """The names of the options that a reading does not choose: assuming them excluded leaves the reading alone."""
    return [
        f"{ruling} {option}"
        for ruling, options in options_in_order()
        for option in options
        if reading.option(ruling) != option
    ]


def _failing(solver: Solver) -> Readings:
    """The readings that the last core refutes: those that choose none of its options."""
    core = solver.core()
    refuted = Readings.every()
    for name in minimal(solver, core):
        ruling, option = name.split(" ")
        refuted -= Readings.option(ruling, option)
    return refuted


def _variables(run: Symbolic) -> list[Formula]:
    return [Formula(gate) for gate in run.table.circuit.names]


def holding(run: Symbolic, values: Mapping[Formula, bool]) -> Readings:
    """The readings under which one world is legal: `values` gives the unseen cards and marks, its rulings are not
    asked. Cost: one pass over the gates; those that no ruling reaches are plain truth values.
    """
    circuit = run.table.circuit
    every, none = Readings.every(), Readings.none()
    sets: dict[int, Readings | bool] = {1: True}
    for (ruling, option), formula in run.table.choices.chosen.items():
        sets[formula] = Readings.option(ruling, option)

    def of(formula: Formula) -> Readings | bool:
        found = sets[abs(formula)]
        if isinstance(found, bool):
            return found == (formula > 0)
        return found if formula > 0 else ~found

    roots = [rule.formula for rule in run.table.rules] + [formula for _, formula in run.table.facts]
    cone = circuit.cone(roots)
    circuit.budget.spend(len(cone) // _LOOKED)
    for gate in cone:
        if gate in sets:
            continue
        inputs = circuit.inputs[gate]
        if inputs is None:
            sets[gate] = values[Formula(gate)]
            continue
        parts = [of(formula) for formula in inputs]
        if False in parts:
            sets[gate] = False
            continue
        circuit.budget.spend()
        both = every
        for part in parts:
            if not isinstance(part, bool):
                both &= part
        sets[gate] = False if both == none else True if both == every else both
    answer = every
    for root in roots:
        found = of(root)
        if not isinstance(found, bool):
            answer &= found
        elif not found:
            return none
    return answer


def mending(
    record: Record, rulings: Rulings, turn: int, asked: tuple[str, ...], budget: Steps, since: int = 0
) -> tuple[Change, ...]:
    """The changes of one ruling among those asked each of which makes the record legal up to `turn`.

    Each is tried under its other options while the budget lasts; those that are left then are not named.
    """
    if not asked:
        return ()
    result = record.result if turn == len(record.turns) else None
    cut = msgspec.structs.replace(record, turns=record.turns[:turn], result=result)
    found: list[Change] = []
    with suppress(Spent):
        run = symbolic(cut, None, budget=budget, since=since)
        if any(rule.formula == FALSE for rule in run.table.rules):
            return ()
        solver = _choosing(run, solver_of(run, run.table.rules, budget))
        for ruling, options in options_in_order():
            for option in options if ruling in asked else ():
                changed = rulings.with_changes({ruling: option})
                if changed != rulings and solver.check(excluded(changed)) == "sat":
                    found.append(((ruling, option),))
    return tuple(found)
