"""The completion of a tower as a Z3 model: the reference that earliest deadline first is held against, and what
``complete --level tower --engine z3`` asks.

A cell that is to be filled has a Boolean for each number, "at most so much" (the order encoding): plain integers with
`Distinct` do not end on tight towers. What the rules ask is named by clause and cells or card, and switched on by a
Boolean of that name, so that a core is a list of names:

- ``TOW02 d1 d2``: the number on d1 stays below the one on d2, its neighbour in the order of a full tower;
- ``TOW01 d6 e6``: the same on the two sides of a Finish card without a number;
- ``SET06 d2``: the card on d2 is an available one;
- ``SET06 17``: 17 lies on one of these cells at most;
- ``SET06 gone``: enough available cards that are not located stay unused for the unseen gone ones;
- ``TOW08 F``: the Finish card can lie on the apex.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import z3

from couperation_formal.game.rules.arrangement import OrderClause
from couperation_formal.hidden.smt.arrangement import SolverUnknown
from couperation_formal.towers.completion.fill import Problem

BUDGET = 200_000_000
"""Z3's resource units for one check; a full-size tower as a rule takes less than a hundredth of it."""

Rule = tuple[str, list[str]]
"""The name of what is asked, and the formulas that say it, as SMT-LIB text with Z3's `at-most`."""


def z3_fill(problem: Problem, budget: int = BUDGET) -> dict[int, int] | None:
    """A filling of the free cells, by cell number, or None when there is none.

    Raises `SolverUnknown` when the budget runs out. Cost: tens of milliseconds on the printed board.
    """
    asked = list(rules(problem))
    solver = solver_of(problem, asked, budget)
    solver.add([z3.Bool(name, solver.ctx) for name, _ in asked])
    if not satisfiable(solver, (), budget):
        return None
    model = solver.model()
    return {i: _number(problem, model, solver.ctx, i) for i in problem.free}


def script(problem: Problem, asked: Iterable[Rule]) -> str:
    """The declarations and assertions of these rules, none of them switched on, as SMT-LIB text for Z3."""
    lines = []
    for i in problem.free:
        lines += [f"(declare-const {_most(i, value)} Bool)" for value in range(1, problem.board.cards)]
        lines += [f"(assert (=> {_most(i, v)} {_most(i, v + 1)}))" for v in range(1, problem.board.cards - 1)]
    for name, formulas in asked:
        lines.append(f"(declare-const |{name}| Bool)")
        lines += [f"(assert (=> |{name}| {formula}))" for formula in formulas]
    return "\n".join(lines)


def solver_of(problem: Problem, asked: Iterable[Rule], budget: int) -> z3.Solver:
    """A solver of its own context for these rules."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", budget)
    solver.from_string(script(problem, asked))
    return solver


def satisfiable(solver: z3.Solver, assumed: Sequence[str], budget: int) -> bool:
    """Whether the rules of these names can hold together. Raises `SolverUnknown` when the budget runs out."""
    answer = solver.check([z3.Bool(name, solver.ctx) for name in assumed])
    if answer == z3.sat:
        return True
    if answer == z3.unsat:
        return False
    if "interrupted" in solver.reason_unknown():  # Z3 catches the signal
        raise KeyboardInterrupt
    raise SolverUnknown(f"no answer within {budget} resource units: {solver.reason_unknown()}")


def _number(problem: Problem, model: z3.ModelRef, context: z3.Context, i: int) -> int:
    for value in range(1, problem.board.cards):
        if z3.is_true(model.eval(z3.Bool(_most(i, value), context))):
            return value
    return problem.board.cards


def _most(i: int, value: int) -> str:
    """The Boolean "the number on cell i is at most `value`"."""
    return f"c{i}_{value}"


def _bound(problem: Problem, i: int, value: int) -> str:
    """The same as a formula, for any value."""
    if value < 1:
        return "false"
    return _most(i, value) if value < problem.board.cards else "true"


def rules(problem: Problem) -> Iterator[Rule]:
    """All that is asked of a filling, rule by rule. Cost: linear in the cells times the values."""
    if problem.finish_gone or problem.stray is not None:
        yield "TOW08 F", ["false"]
    for clause, lower, upper in _neighbours(problem):
        formulas = list(_order(problem, lower, upper))
        if formulas:
            yield f"{clause} {problem.cell(lower)} {problem.cell(upper)}", formulas
    dead = sorted(set(range(1, problem.board.cards + 1)).difference(problem.values))
    for i in problem.free:
        yield f"SET06 {problem.cell(i)}", [f"(not {_holds(problem, i, value)})" for value in dead]
    for value in problem.values:
        yield f"SET06 {value}", [_few(1, [_holds(problem, i, value) for i in problem.free])]
    if problem.hidden:
        open_values = [value for value in problem.values if value not in problem.located]
        used = [f"(or false {' '.join(_holds(problem, i, v) for i in problem.free)})" for v in open_values]
        yield "SET06 gone", [_few(len(open_values) - problem.hidden, used)]


def _neighbours(problem: Problem) -> Iterator[tuple[OrderClause, int, int]]:
    """The orders that generate all others: of each cell to the next ones, and past an apex without a number."""
    grid = problem.shape
    for lower, uppers in enumerate(grid.above):
        for upper in uppers:
            if upper < grid.size:
                yield "TOW02", lower, upper
    if problem.finish and problem.ends is None:
        lower, upper = grid.below[grid.apex][0], grid.above[grid.apex][1]
        if grid.levels > 1:
            yield "TOW01", lower, upper


def _order(problem: Problem, lower: int, upper: int) -> Iterator[str]:
    """That the number on `lower` is below the one on `upper`; nothing where the Finish card has no number."""
    low, high = _fixed(problem, lower), _fixed(problem, upper)
    if low is None or high is None:
        return
    if isinstance(low, tuple) and isinstance(high, tuple):
        if low[1] >= high[0]:
            yield "false"
    elif isinstance(low, tuple):
        yield f"(not {_bound(problem, upper, low[1])})"
    elif isinstance(high, tuple):
        yield _bound(problem, lower, high[0] - 1)
    else:
        for value in range(1, problem.board.cards + 1):
            yield f"(=> {_bound(problem, upper, value)} {_bound(problem, lower, value - 1)})"


def _fixed(problem: Problem, i: int) -> tuple[int, int] | Literal["free"] | None:
    """What lower cells stay under and higher ones over, ``free`` for a cell to fill, None for a cell without orders."""
    if problem.fixed[i]:
        return problem.fixed[i], problem.fixed[i]
    if problem.finish and i == problem.shape.apex:
        return problem.ends
    return None if i == problem.stray else "free"


def _holds(problem: Problem, i: int, value: int) -> str:
    return f"(and {_bound(problem, i, value)} (not {_bound(problem, i, value - 1)}))"


def _few(most: int, formulas: Sequence[str]) -> str:
    """That at most so many of the formulas hold."""
    if most < 0:
        return "false"
    return f"((_ at-most {most}) {' '.join(formulas)})" if len(formulas) > most else "true"
