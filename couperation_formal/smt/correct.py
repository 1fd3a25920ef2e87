"""The fewest lines of a record whose correction would make it legal.

The first line that fails is not always the one that is wrong. A correction turns the numbers and marks written on a
line into unseen ones; letters, cells and counts stay. Every core over the lines names lines of which one must be
corrected, so the answer is a least set that meets every core: cores are collected until such a set suffices (implicit
hitting sets: Chandrasekaran, Karp, Moreno-Centeno, Vempala 2011). Of several least sets it is the first in the order of
the lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb

import msgspec

from couperation_formal.formula.circuit import FALSE
from couperation_formal.model.board import STANDARD, Board
from couperation_formal.model.budget import Spent, Steps, steps_of
from couperation_formal.model.record import Record
from couperation_formal.model.rulings import Rulings
from couperation_formal.smt.exact import solver_of
from couperation_formal.smt.solver import minimal
from couperation_formal.symbolic.record import symbolic
from couperation_formal.symbolic.unseen import Line

MOST = 4
"""No more lines than this are corrected together: beyond it the record is another game."""


class Corrections(msgspec.Struct, frozen=True):
    """The fewest lines to correct, in their order: turns by place, the others by their keyword (``"deal Aki"``,
    ``"reserve"``, ``"deck"``, ``"Marks"``).

    None where no correction of cards and marks makes the record legal, or more than `MOST` lines are needed. `complete`
    is False where the budget ended first; nothing is known then.
    """

    lines: tuple[Line, ...] | None
    complete: bool = True


def corrections(
    record: Record, rulings: Rulings, board: Board = STANDARD, budget: Steps | int | None = None
) -> Corrections:
    """The fewest lines of an illegal record to correct. Cost: some checks for each line of the answer."""
    try:
        return _corrections(record, rulings, board, steps_of(budget))
    except Spent:
        return Corrections(None, complete=False)


def _corrections(record: Record, rulings: Rulings, board: Board, budget: Steps) -> Corrections:
    run = symbolic(record, rulings, board, doubting=True, budget=budget)
    if any(rule.formula == FALSE for rule in run.table.rules):
        return Corrections(None)
    solver = solver_of(run, run.table.rules, budget)
    lines = _in_order(run.table.pins, record)
    for line in lines:
        solver.name(str(line), run.table.circuit.all_of(run.table.pins[line]))
    cores: list[frozenset[int]] = []
    while True:
        chosen = _hitting(cores, budget)
        if chosen is None:
            return Corrections(None)
        answer = solver.check([str(line) for i, line in enumerate(lines) if i not in chosen])
        if answer == "sat":
            return Corrections(tuple(lines[i] for i in chosen))
        core = set(minimal(solver, solver.core()))
        budget.spend()
        cores.append(frozenset(i for i, line in enumerate(lines) if str(line) in core))


def _in_order(lines: Iterable[Line], record: Record) -> list[Line]:
    """Lines in the order of canonical text: the marks, the set-up, the turns."""
    before = ["Marks", *(f"deal {name}" for name in record.players), "reserve", "deck"]
    return sorted(lines, key=lambda line: (1, line) if isinstance(line, int) else (0, before.index(line)))


def _hitting(cores: Sequence[frozenset[int]], budget: Steps) -> tuple[int, ...] | None:
    """The first least set of lines that meets every core; None where it takes more than `MOST`, or a core is empty.

    Cost: subsets of the lines that cores name, up to `MOST` of them.
    """
    named = sorted(set().union(*cores)) if cores else []
    for size in range(MOST + 1):
        budget.spend(comb(len(named), size) // 4)
        for chosen in combinations(named, size):
            if all(core.intersection(chosen) for core in cores):
                return chosen
    return None
