"""Why a tower cannot be completed, as Z3's model of it (`hidden.smt.tower`) says: a least core of what it names."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from couperation_formal.hidden.smt.tower import BUDGET, rules, satisfiable, solver_of
from couperation_formal.towers.completion.fill import Problem


def z3_core(problem: Problem, budget: int = BUDGET) -> tuple[str, ...] | None:
    """Names that no filling obeys together, each of them needed; None when the tower can be completed.

    Made minimal by deletion, and decided once more in a solver that has seen nothing else. Raises `SolverUnknown` when
    the budget of a check runs out. Cost: one check for each name of Z3's first core.
    """
    asked = list(rules(problem))
    solver = solver_of(problem, asked, budget)
    names = [name for name, _ in asked]
    if satisfiable(solver, names, budget):
        return None
    core = _core(solver, names)
    for name in tuple(core):
        without = [other for other in core if other != name]
        if name in core and not satisfiable(solver, without, budget):
            core = _core(solver, without)
    fresh = solver_of(problem, [rule for rule in asked if rule[0] in core], budget)
    if satisfiable(fresh, core, budget):
        raise RuntimeError(f"an unsatisfiable core has a solution: {', '.join(core)}")
    return tuple(core)


def _core(solver: z3.Solver, names: Sequence[str]) -> list[str]:
    """The solver's core, in the order of `names`."""
    found = {str(literal).strip("|") for literal in solver.unsat_core()}
    return [name for name in names if name in found]
