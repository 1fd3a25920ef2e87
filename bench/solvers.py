"""The tower question put to Z3 and to CP-SAT: an empty dict where there is a filling, None where there is none."""

from __future__ import annotations

from typing import Any

import z3

from couperation_formal.hidden.smt.tower import rules, script
from couperation_formal.towers.completion.fill import Problem

Answer = dict[int, int] | None


def by_z3(problem: Problem) -> Answer:
    """The order encoding, read as SMT-LIB text; the best of the encodings that the specification names."""
    solver = z3.Solver(ctx=z3.Context())
    asked = list(rules(problem))
    solver.from_string(script(problem, asked))
    solver.add([z3.Bool(name, solver.ctx) for name, _ in asked])
    answer = solver.check()
    if answer == z3.unknown:
        raise SystemExit("Z3 did not answer")
    return {} if answer == z3.sat else None


def by_cp_sat(problem: Problem) -> Answer:
    """Integers with `AllDifferent` and the orders between neighbours, one worker."""
    from ortools.sat.python import cp_model  # which takes a while

    if problem.finish_gone or problem.stray is not None or (problem.free and not problem.values):
        return None
    model = cp_model.CpModel()
    domain = cp_model.Domain.from_values(list(problem.values))
    cells: dict[int, Any] = {i: model.new_int_var_from_domain(domain, "") for i in problem.free}
    model.add_all_different(cells.values())
    for lower, upper in _orders(problem):
        low, high = cells.get(lower, problem.fixed[lower]), cells.get(upper, problem.fixed[upper])
        if problem.ends is None or not problem.finish or problem.shape.apex not in (lower, upper):
            model.add(low < high) if lower in cells or upper in cells else model.add_bool_or([low < high])
        elif upper == problem.shape.apex:
            model.add(low < problem.ends[0]) if lower in cells else model.add_bool_or([low < problem.ends[0]])
        else:
            model.add(high > problem.ends[1]) if upper in cells else model.add_bool_or([high > problem.ends[1]])
    if problem.hidden:
        shown = cp_model.Domain.from_values(sorted(problem.located))
        others = [model.new_bool_var("") for _ in cells]
        for number, other in zip(cells.values(), others, strict=True):
            model.add_linear_expression_in_domain(number, shown).only_enforce_if(~other)
        model.add(sum(others) <= len(problem.values) - len(problem.located) - problem.hidden)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
        raise SystemExit(f"CP-SAT did not answer: {solver.status_name(status)}")
    return None if status == cp_model.INFEASIBLE else {}


def _orders(problem: Problem) -> list[tuple[int, int]]:
    """The pairs of neighbours, without those of an apex that has no number."""
    grid = problem.shape
    bare = grid.apex if problem.finish and problem.ends is None else -1
    return [
        (lower, upper)
        for lower, uppers in enumerate(grid.above)
        for upper in uppers
        if upper < grid.size and bare not in (lower, upper)
    ]
