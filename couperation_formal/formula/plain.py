"""The plain meaning of formulas: every definition becomes a Python function once (`writer`), a book a class of tables
of values.

What values are is told in `tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from couperation_formal.formula.differences import exist
from couperation_formal.formula.tables import Lazy, Values, attribute, divided, item, subsets
from couperation_formal.formula.types import Definition, Given, Term
from couperation_formal.formula.writer import Writer, local


def compiled(givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> type[Values]:
    """The class of tables of values for these names. Cost: some 20 ms for 100 definitions."""
    writer = Writer(definitions)
    functions = [writer.function(definition) for definition in definitions.values()]
    defaults = {name: writer.code(given.default) for name, given in givens.items() if given.default is not None}
    source = writer.lifted() + "".join(functions)
    scope: dict[str, Any] = {"item": item, "divided": divided, "subsets": subsets, "exist": exist}
    exec(compile(source, "<formulas>", "exec"), scope)
    members: dict[str, Any] = {
        attribute(name): Lazy(attribute(name), scope[attribute(name)])
        for name, definition in definitions.items()
        if not definition.params
    }
    members["functions"] = scope
    members["dependents"] = {
        attribute(name): frozenset(map(attribute, names)) for name, names in dependents(givens, definitions).items()
    }
    members["defaults"] = {attribute(name): eval(f"lambda e: {code}", scope) for name, code in defaults.items()}
    for name, given in givens.items():
        if given.partial:
            members[attribute(name)] = None
    return type("BookValues", (Values,), members)


def part(
    term: Term, names: tuple[str, ...], values: type[Values], definitions: Mapping[str, Definition]
) -> Callable[..., Any]:
    """A part of a definition as a function of a table of `values` and of the variables with these names."""
    writer = Writer(definitions)
    code = writer.code(term)
    scope = dict(values.functions)
    exec(writer.lifted(), scope)
    found: Callable[..., Any] = eval(f"lambda {', '.join(['e', *map(local, names)])}: {code}", scope)
    return found


def dependents(givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> dict[str, frozenset[str]]:
    """For each given name itself and the definitions that depend on it."""
    uses = {name: uses_of(definition.body) for name, definition in definitions.items()}
    found: dict[str, frozenset[str]] = {}
    for given in givens:
        reached = {given}
        while more := {name for name, used in uses.items() if name not in reached and used & reached}:
            reached |= more
        found[given] = frozenset(reached)
    return found


def uses_of(term: Term) -> frozenset[str]:
    """The given and defined names that a term asks for."""
    own = {term.value} if term.op in ("given", "defined_name", "call", "rebind") else set()
    return frozenset(own).union(*map(uses_of, (*term.args, *term.steps)))
