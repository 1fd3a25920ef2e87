"""What was tried with Z3 on the tight tower: ``python -m tests.towers.completion.encodings [SECONDS]`` prints a table.

The bottom corners alone are up, 1 and 27 (26 cells must hold one of 25 values: no filling) or 1 and 28 (27 values for
the 26 cells: there is one). Each encoding is asked once with a time limit.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations

import z3

from couperation_formal.hidden.smt import tower
from couperation_formal.towers.completion.fill import Problem, problems
from tests.towers.completion.towers import corners


def neighbours(problem: Problem) -> Iterator[tuple[int, int]]:
    for lower, uppers in enumerate(problem.shape.above):
        yield from ((lower, upper) for upper in uppers if upper < problem.shape.size)


def integers(problem: Problem, solver: z3.Solver) -> list[z3.ArithRef]:
    """A number for each cell, the orders between neighbours, and that free cells hold available values."""
    cells = [z3.Int(f"c{i}") for i in range(problem.shape.size)]
    for i, value in enumerate(problem.fixed):
        if value:
            solver.add(cells[i] == value)
        else:
            solver.add(cells[i] >= 1, cells[i] <= 50)
            solver.add([cells[i] != dead for dead in range(1, 51) if dead not in problem.values])
    solver.add([cells[lower] < cells[upper] for lower, upper in neighbours(problem)])
    return cells


def with_distinct(problem: Problem, solver: z3.Solver) -> None:
    solver.add(z3.Distinct(integers(problem, solver)))


def with_pairs(problem: Problem, solver: z3.Solver) -> None:
    solver.add([low != high for low, high in combinations(integers(problem, solver), 2)])


def with_bounds(problem: Problem, solver: z3.Solver) -> None:
    cells = integers(problem, solver)
    solver.add(z3.Distinct(cells))
    free = [cells[i] for i in problem.free]
    for above, below in combinations([0, *sorted(filter(None, problem.fixed)), 51], 2):
        inside = z3.Sum([z3.If(z3.And(above < cell, cell < below), 1, 0) for cell in free])
        solver.add(inside <= sum(above < value < below for value in problem.values))


def with_booleans(problem: Problem, solver: z3.Solver) -> None:
    """A Boolean for each cell and number; a pair of neighbours may not hold a pair of numbers out of order."""
    every = {*problem.values, *filter(None, problem.fixed)}
    holds = {(i, value): z3.Bool(f"c{i}={value}") for i in range(problem.shape.size) for value in every}
    for i, value in enumerate(problem.fixed):
        solver.add(holds[i, value] if value else z3.Or([holds[i, other] for other in problem.values]))
        solver.add(z3.AtMost(*[holds[i, other] for other in every], 1))
    for value in every:
        solver.add(z3.AtMost(*[holds[i, value] for i in range(problem.shape.size)], 1))
    for lower, upper in neighbours(problem):
        for low in every:
            solver.add([z3.Not(z3.And(holds[lower, low], holds[upper, high])) for high in every if high <= low])


def with_order(problem: Problem, solver: z3.Solver) -> None:
    """The model of the package, a Boolean for each cell and number: at most so much."""
    rules = list(tower.rules(problem))
    solver.from_string(tower.script(problem, rules))
    solver.add([z3.Bool(name) for name, _ in rules])


ENCODINGS: dict[str, Callable[[Problem, z3.Solver], None]] = {
    "Int, Distinct": with_distinct,
    "Int, pairwise differences": with_pairs,
    "Int, Distinct, counting bounds between window ends": with_bounds,
    "Boolean per cell and number": with_booleans,
    "Boolean per cell and number, order encoding": with_order,
}


def measure(name: str, high: int, seconds: float) -> tuple[str, float, float]:
    """The answer, and the seconds for building and for solving."""
    (problem,) = problems(corners(1, high))
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    start = time.perf_counter()
    ENCODINGS[name](problem, solver)
    built = time.perf_counter()
    answer = str(solver.check())
    return answer, built - start, time.perf_counter() - built


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    for name in ENCODINGS:
        for high in (27, 28):
            answer, built, solved = measure(name, high, seconds)
            print(f"| {name} | 1, {high} | {answer} | {built:.2f} | {solved:.2f} |", flush=True)


if __name__ == "__main__":
    main()
