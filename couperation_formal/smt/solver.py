"""A circuit in Z3: incremental checks under assumptions, a budget that Z3's resource units count in, cores, models.

Each solver works in a Z3 context of its own, so that nothing is left behind in a long run and the same questions get
the same answers whatever was solved before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import z3

from couperation_formal.formula.circuit import Circuit, Formula
from couperation_formal.model.budget import Z3_UNITS, Spent, Steps

Answer = Literal["sat", "unsat"]

_MOST = 4_000_000_000
"""The greatest limit that Z3 takes for one check."""

_CHECK: Final = 5
_GATE: Final = 6
"""The steps that a check takes beside Z3's own work, and those to hand a gate over."""


class Solver:
    """Formulas of a circuit, some of them under names that can be assumed or left out. `budget` pays for the checks
    and for what Z3 is handed: where it does not suffice, every method raises `Spent`.
    """

    def __init__(self, circuit: Circuit, budget: Steps) -> None:
        self._circuit, self.budget = circuit, budget
        self._context = z3.Context()
        self._solver: z3.Solver | None = None
        self._waiting: list[z3.BoolRef] = []
        self._terms: dict[int, z3.BoolRef] = {1: z3.BoolVal(True, self._context)}
        self._held: dict[Formula, set[int]] = {}
        self._named: dict[str, Formula] = {}
        self._names: dict[str, z3.BoolRef] = {}
        self._order: dict[str, str] = {}
        self._core: list[str] = []
        self._model: z3.ModelRef | None = None
        self._holds = False
        self._units = 0

    def add(self, formula: Formula) -> None:
        """Hold a formula in every check."""
        self._held[formula] = set()
        self._waiting.append(self._term(formula))

    def name(self, name: str, formula: Formula) -> None:
        """Hold a formula whenever `name` is assumed."""
        literal = z3.Bool(f"?{name}", self._context)
        self._named[name] = formula
        self._names[name] = literal
        self._order[name] = str(self._names[name])
        self._waiting.append(z3.Implies(literal, self._term(formula)))

    def literal(self, name: str, formula: Formula) -> None:
        """Give a name to a formula that is itself a variable or its negation."""
        self._named[name] = formula
        self._names[name] = self._term(formula)
        self._order[name] = str(self._names[name])

    def check(self, assumed: Iterable[str]) -> Answer:
        """Whether the formulas held and those of the names assumed can hold together. Raises `KeyboardInterrupt` where
        the user stopped it.
        """
        self.budget.spend(_CHECK)
        left = min(self.budget.left * Z3_UNITS, _MOST)
        solver = self._told()
        solver.set("rlimit", max(1, left))
        answer = solver.check([self._names[name] for name in assumed])
        self._model, self._holds = None, answer == z3.sat
        units = self._used(solver)
        self.budget.spend(min(-(-units // Z3_UNITS), self.budget.left))
        if answer == z3.sat:
            return "sat"
        if answer == z3.unsat:
            found = {str(literal) for literal in solver.unsat_core()}
            self._core = [name for name, text in self._order.items() if text in found]
            return "unsat"
        if units < left:
            raise KeyboardInterrupt  # Z3 catches the signal, and stops before its limit for no other reason
        raise Spent

    def _told(self) -> z3.Solver:
        """Z3's solver, told everything. It is made only now, when the terms are there: its rewriter remembers no more
        terms than there were when it was made, and where it remembers few it goes through a term that many others
        share once for each of them, which no resource limit counts.
        """
        if self._solver is None:
            self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.add(*self._waiting)
        self._waiting.clear()
        return self._solver

    def _used(self, solver: z3.Solver) -> int:
        """The resource units of the last check."""
        statistics = solver.statistics()
        units = statistics.get_key_value("rlimit count") if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
        used = max(1, units - self._units)
        self._units = units
        return used

    def core(self) -> list[str]:
        """After unsat: names that cannot all be assumed, in the order in which they were given."""
        return list(self._core)

    def values(self, variables: Iterable[Formula]) -> dict[Formula, bool]:
        """After sat: the values of some variables. The model is made when it is first asked for."""
        if not self._holds or self._solver is None:
            raise ValueError("no model: the last check found none")
        model = self._model = self._model or self._solver.model()
        return {variable: z3.is_true(model.eval(self._term(variable))) for variable in variables}

    def around(self, names: Sequence[str]) -> Solver:
        """A new solver for these names, with those of the formulas held that share variables with them, directly or by
        way of others. What is left out can hold whatever these names do, so the answers are the same, and quicker.
        """
        part = Solver(self._circuit, self.budget)
        reached = self._circuit.variables(self._named[name] for name in names)
        for formula, variables in self._held.items():
            if not variables:
                self._held[formula] = self._circuit.variables([formula])
        waiting = dict(self._held)
        while near := [formula for formula, variables in waiting.items() if not reached.isdisjoint(variables)]:
            for formula in near:
                part.add(formula)
                reached |= waiting.pop(formula)
        for name in names:
            part.name(name, self._named[name])
        return part

    def _term(self, formula: Formula) -> z3.BoolRef:
        gate = abs(formula)
        if gate not in self._terms:
            for inner in self._circuit.cone([formula], self._terms):
                self.budget.spend(_GATE)
                self._terms[inner] = self._gate(inner)
        return self._literal(formula)

    def _literal(self, formula: Formula) -> z3.BoolRef:
        """The term of a formula whose gate has one."""
        if formula not in self._terms:
            made = z3.Z3_mk_not(self._context.ref(), self._terms[-formula].as_ast())
            self._terms[formula] = z3.BoolRef(made, self._context)
        return self._terms[formula]

    def _gate(self, gate: int) -> z3.BoolRef:
        """The term of a gate, made by the calls beneath Z3's Python classes, which take several times as long."""
        inputs = self._circuit.inputs[gate]
        if inputs is None:
            return z3.Bool(self._circuit.names[gate], self._context)
        terms = [self._literal(each).as_ast() for each in inputs]
        made = z3.Z3_mk_and(self._context.ref(), len(terms), (z3.Ast * len(terms))(*terms))
        return z3.BoolRef(made, self._context)


def minimal(solver: Solver, core: Sequence[str]) -> list[str]:
    """A core of which every name is needed, out of `core`, which is one.

    Each name is left out in turn, the last first, and stays out where the rest still fails. Where the budget runs out
    on the way, the core as far as it came. Cost: one check for each name.
    """
    kept = list(core)
    for name in reversed(core):
        if name not in kept:
            continue
        try:
            answer = solver.check([other for other in kept if other != name])
        except Spent:
            break
        if answer == "unsat":
            found = set(solver.core())
            kept = [other for other in kept if other in found]
    return kept
