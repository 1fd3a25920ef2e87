"""The tower question for CP-SAT, made from the tests' own reading of a position."""

from __future__ import annotations

from ortools.sat.python import cp_model

from couperation_formal.game.tower import Cell
from tests.towers.completion.brute import World


def model_of(there: World) -> tuple[cp_model.CpModel, dict[Cell, cp_model.IntVar]]:
    """A model with an integer for each free cell."""
    model = cp_model.CpModel()
    domain = cp_model.Domain.from_values(list(there.values))
    cells = {cell: model.new_int_var_from_domain(domain, str(cell)) for cell in there.free}
    model.add_all_different(cells.values())

    def number(cell: Cell) -> cp_model.IntVar | int:
        return cells[cell] if cell in cells else there.numbers[cell]

    for lower, upper, gap in there.orders:
        if lower in cells or upper in cells:
            model.add(number(lower) + gap <= number(upper))
        elif there.numbers[lower] + gap > there.numbers[upper]:
            model.add_bool_or([])
    if there.hidden:
        _leave_unseen(model, there, cells)
    return model, cells


def _leave_unseen(model: cp_model.CpModel, there: World, cells: dict[Cell, cp_model.IntVar]) -> None:
    """Enough values that are not located stay unused."""
    shown = cp_model.Domain.from_values(sorted(there.located))
    opened = []
    for cell, number in cells.items():
        other = model.new_bool_var(f"{cell} not located")
        model.add_linear_expression_in_domain(number, shown).only_enforce_if(~other)
        opened.append(other)
    model.add(sum(opened) <= there.spare)


def cpsat_filling(there: World | None) -> dict[Cell, int] | None:
    """A filling, or None when there is none. With one worker; raises `TimeoutError` without an answer."""
    if there is None or (there.free and not there.values):
        return None
    model, cells = model_of(there)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = 60
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise TimeoutError(solver.status_name(status))
    return {cell: solver.value(number) for cell, number in cells.items()}
