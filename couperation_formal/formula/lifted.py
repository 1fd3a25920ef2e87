"""Formulas over values that are open: every definition becomes a function once, and `Names` tell what names stand for
over a circuit.

It is the plain evaluation with another algebra: what is true is a formula of the circuit, and a value that hangs on
what is not shown is one of several (`cases`). A name that is given a value is not evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping

from couperation_formal.formula.lifting import Lifting
from couperation_formal.formula.names import Code, Functions
from couperation_formal.formula.plain import dependents
from couperation_formal.formula.types import BOOL, Definition, Given


class Program(Functions):
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
