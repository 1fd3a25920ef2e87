"""What names stand for over values that may be open: each is evaluated when it is first asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from couperation_formal.formula.cases import Open
from couperation_formal.formula.circuit import FALSE, TRUE, Formula
from couperation_formal.formula.collected import Values
from couperation_formal.formula.gaps import Gaps
from couperation_formal.formula.tables import STEPS

Scope = dict[str, Any]
"""The values of the variables."""

Code = Callable[["Names", Scope], Any]
"""The value of a term, where names stand for something."""


class Functions(ABC):
    """The functions of a program: the parameters of each, which of them are truths, the defaults of what is given, and
    what depends on a name.
    """

    params: Mapping[str, tuple[str, ...]]
    truth: set[str]
    defaults: Mapping[str, Code]
    dependents: Mapping[str, frozenset[str]]

    @abstractmethod
    def body(self, name: str) -> Code | None:
        """The function of a definition; None for a name that is given."""

    @abstractmethod
    def lines(self, name: str) -> tuple[Code, ...]:
        """The functions of the formulas that hold together where `name` does."""


class Names:
    """What the names of a program stand for under one choice of what is given; each is evaluated when first asked."""

    def __init__(self, program: Functions, values: Values, given: Mapping[str, Any]) -> None:
        self.program = program
        self.lift: Values = values
        self.known: dict[str, Any] = dict(given)
        self.calls: dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]] = {}
        self.gaps: Gaps | None = None
        self.path: Formula = TRUE
        for name, default in program.defaults.items():
            if name not in self.known:
                self.known[name] = default(self, {})

    def given(self, given: Mapping[str, Any]) -> Names:
        """The same with other values for some names. What does not depend on them is kept. Takes `STEPS`."""
        self.lift.circuit.budget.spend(STEPS)
        stale: set[str] = set()
        for name in given:
            stale |= self.program.dependents.get(name, frozenset())
        other = Names.__new__(Names)
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
