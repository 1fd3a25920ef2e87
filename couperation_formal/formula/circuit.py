"""Boolean formulas as a shared circuit: variables, conjunctions, and negation for nothing.

A formula is a number: a gate, or with its sign turned the gate's negation (and-inverter graphs: Kuehlmann, Paruthi,
Krohm, Ganai 2002). Equal gates are made once, constants and opposite inputs fold away, so that what a record shows
costs nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import NewType

from couperation_formal.model.budget import Steps

Formula = NewType("Formula", int)
"""A Boolean formula of one circuit."""

TRUE = Formula(1)
FALSE = Formula(-1)


def no(formula: Formula) -> Formula:
    """The negation."""
    return Formula(-formula)


class Circuit:
    """The gates of some formulas. Each takes a step of `budget` to be made; where it is spent, `Spent` is raised.

    `inputs[g]` holds the formulas that gate g joins by *and*, None for a variable; gate 1 is the constant true. The
    inputs of a gate have smaller numbers than itself.
    """

    def __init__(self, budget: Steps | None = None) -> None:
        self.budget = Steps() if budget is None else budget
        self.inputs: list[tuple[Formula, ...] | None] = [(), ()]
        self.names: dict[int, str] = {}
        self._made: dict[tuple[Formula, ...], Formula] = {}

    def variable(self, name: str) -> Formula:
        """A new variable. Names are for people and for scripts; each is given once."""
        self.budget.spend()
        self.inputs.append(None)
        gate = len(self.inputs) - 1
        self.names[gate] = name
        return Formula(gate)

    def all_of(self, formulas: Iterable[Formula]) -> Formula:
        """The conjunction. Cost: n log n in the formulas."""
        wanted = set(formulas)
        if FALSE in wanted:
            return FALSE
        wanted.discard(TRUE)
        if len(wanted) < 2:
            return wanted.pop() if wanted else TRUE
        for formula in wanted:
            if -formula in wanted:
                return FALSE
        return self._gate(tuple(sorted(wanted)))

    def _gate(self, key: tuple[Formula, ...]) -> Formula:
        made = self._made.get(key)
        if made is None:
            self.budget.spend()
            self.inputs.append(key)
            made = self._made[key] = Formula(len(self.inputs) - 1)
        return made

    def any_of(self, formulas: Iterable[Formula]) -> Formula:
        """The disjunction."""
        return no(self.all_of(no(formula) for formula in formulas))

    def both(self, first: Formula, second: Formula) -> Formula:
        """The conjunction of two."""
        if first == FALSE or second == FALSE or first == -second:
            return FALSE
        if first in (TRUE, second):
            return second
        if second == TRUE:
            return first
        return self._gate((first, second) if first < second else (second, first))

    def either(self, first: Formula, second: Formula) -> Formula:
        """The disjunction of two."""
        return no(self.both(no(first), no(second)))

    def implies(self, premise: Formula, conclusion: Formula) -> Formula:
        """Whenever `premise` holds, so does `conclusion`."""
        return no(self.both(premise, no(conclusion)))

    def counts(self, formulas: Iterable[Formula], most: int) -> tuple[Formula, ...]:
        """Formula k of the answer says that at least k of the formulas hold, for k from 0 to `most` + 1.

        A sequential counter (Sinz 2005). Cost: gates in the number of formulas times `most`.
        """
        row = [TRUE, *[FALSE] * (most + 1)]
        for formula in formulas:
            if formula == FALSE:
                continue
            row = [TRUE, *(self.either(row[k], self.both(row[k - 1], formula)) for k in range(1, most + 2))]
        return tuple(row)

    def exactly(self, count: int, formulas: Iterable[Formula]) -> Formula:
        """Exactly `count` of the formulas hold."""
        if count < 0:
            return FALSE
        row = self.counts(formulas, count)
        return self.both(row[count], no(row[count + 1]))

    def at_most(self, count: int, formulas: Iterable[Formula]) -> Formula:
        """At most `count` of the formulas hold."""
        return no(self.counts(formulas, count)[count + 1]) if count >= 0 else FALSE

    def cone(self, roots: Iterable[Formula], without: Container[int] = ()) -> Sequence[int]:
        """The gates that the roots are made of, in rising order: inputs before what they feed; not those `without`, nor
        what these alone are made of. Cost: their number.
        """
        seen: set[int] = set()
        open_gates = [abs(root) for root in roots]
        while open_gates:
            gate = open_gates.pop()
            if gate not in seen and gate not in without:
                seen.add(gate)
                open_gates += [abs(formula) for formula in self.inputs[gate] or ()]
        return sorted(seen)

    def variables(self, roots: Iterable[Formula]) -> set[int]:
        """The variables that the roots are made of. Cost: their gates."""
        return {gate for gate in self.cone(roots) if self.inputs[gate] is None}
