"""Formulas over values that are open: every definition becomes a function once, a table of values tells what its
names stand for over a circuit.

It is the plain evaluation with another algebra: what is true is a formula of the circuit, and a value that hangs on
what is not shown is one of several (`cases`). A name that is given a value is not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from couperation_formal.formula.cases import Open
from couperation_formal.formula.circuit import FALSE, TRUE, Formula
from couperation_formal.formula.collected import Values
from couperation_formal.formula.gaps import Gaps
from couperation_formal.formula.lifting import Lifting
from couperation_formal.formula.loops import Code
from couperation_formal.formula.plain import dependents
from couperation_formal.formula.tables import STEPS
from couperation_formal.formula.types import BOOL, Definition, Given


class Program:
    """The definitions of a book, as functions over open values; each is made when first asked for."""

    def __init__(self, givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> None:
        self._definitions, self._lifting = definitions, Lifting()
        self._lines: dict[str, tuple[Code, ...]] = {}
        self._bodies: dict[str, Code] = {}
        self.params = {name: tuple(param for param, _ in found.params) for name, found in definitions.items()}
        self.truth = {name for name, definition in definitions.items() if definition.body.type == BOOL}
        self.defaults = {name: self._lifting.code(given.default) for name, given in givens.items() if given.default}
        self.dependents = dependents(givens, definitions)

    def body(self, name: str) -> Code | None:
        """The function of a definition; None for a name that is given."""
        code = self._bodies.get(name)
        if code is None and name in self._definitions:
            code = self._bodies[name] = self._lifting.code(self._definitions[name].body)
        return code

    def lines(self, name: str) -> tuple[Code, ...]:
        """The functions of the formulas that hold together where `name` does."""
        if name not in self._lines:
            body = self._definitions[name].body
            self._lines[name] = tuple(map(self._lifting.code, body.args if body.op == "and" else (body,)))
        return self._lines[name]


class Table:
    """What the names of a program stand for under one choice of what is given; each is evaluated when first asked."""

    def __init__(self, program: Program, values: Values, given: Mapping[str, Any]) -> None:
        self.program = program
        self.lift: Values = values
        self.known: dict[str, Any] = dict(given)
        self.calls: dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]] = {}
        self.gaps: Gaps | None = None
        self.path: Formula = TRUE
        for name, default in program.defaults.items():
            if name not in self.known:
                self.known[name] = default(self, {})

    def given(self, given: Mapping[str, Any]) -> Table:
        """The same with other values for some names. What does not depend on them is kept. Takes `STEPS`."""
        self.lift.circuit.budget.spend(STEPS)
        stale: set[str] = set()
        for name in given:
            stale |= self.program.dependents.get(name, frozenset())
        other = Table.__new__(Table)
        other.program, other.lift = self.program, self.lift
        other.known = {name: value for name, value in self.known.items() if name not in stale}
        other.known.update(given)
        other.calls, other.gaps, other.path = {}, None, TRUE
        return other

    def value(self, name: str) -> Any:
        """The value of a name: a formula of the circuit for what is true or not."""
        if name in self.known:
            return self.known[name]
        body = self.program.body(name)
        found = self.known[name] = None if body is None else body(self, {})
        return found

    def lines(self, name: str) -> Iterator[Formula]:
        """The formulas that hold together where `name` does, each when it is asked for."""
        for line in self.program.lines(name):
            yield line(self, {})

    def call(self, name: str, args: tuple[Any, ...]) -> Any:
        """The value of a definition at these arguments."""
        truth = name in self.program.truth
        if any(arg is None for arg in args):
            return FALSE if truth else None
        body = self.program.body(name)
        if body is None:
            raise AssertionError(f"{name} is no definition")
        if self.gaps is not None:
            return body(self, dict(zip(self.program.params[name], args, strict=True)))
        key = name, *(id(arg) if isinstance(arg, Open | dict) else arg for arg in args)
        found = self.calls.get(key)
        if found is None:
            scope = dict(zip(self.program.params[name], args, strict=True))
            found = self.calls[key] = args, body(self, scope)
        return found[1]
