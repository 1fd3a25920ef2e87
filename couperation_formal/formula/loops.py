"""The steps of quantifiers, cases and comprehensions over values that may be open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from couperation_formal.formula.cases import Cases, Many, Open, Row
from couperation_formal.formula.circuit import FALSE, TRUE, Formula
from couperation_formal.formula.types import Term

if TYPE_CHECKING:
    from couperation_formal.formula.lifted import Table

Scope = dict[str, Any]
"""The values of the variables."""

Code = Callable[["Table", Scope], Any]
"""The value of a term in a table."""

Loop = Callable[["Table", Scope, Formula], Iterator[Formula]]
"""The steps of a quantifier: each time the variables are set, and the formula under which it is so is told."""


class Loops(ABC):
    """Makes loops of steps, and tests of patterns."""

    @abstractmethod
    def code(self, term: Term) -> Code:
        """The function of a term."""

    def steps(self, steps: tuple[Term, ...], in_order: bool = False) -> Loop:
        """The loop over what these steps let through."""
        if not steps:
            return lambda _e, _v, here: iter((here,))
        first, onward = steps[0], self.steps(steps[1:], in_order)
        subject = self.code(first.args[0])
        if first.op == "each":
            return _each(first.value, subject, onward, in_order)
        match = self._pattern(first.args[1]) if first.op == "match" else None

        def tested(e: Table, v: Scope, here: Formula) -> Iterator[Formula]:
            value = subject(e, v)
            now: Formula = value if match is None else match(e, v, value)
            if now == FALSE:
                return iter(())
            now = now if here == TRUE else e.lift.both(here, now)
            return onward(e, v, now) if now != FALSE else iter(())

        return tested

    def _pattern(self, pattern: Term) -> Callable[[Table, Scope, Any], Formula]:
        if pattern.op == "any":
            return lambda e, _, value: e.lift.here(value)
        if pattern.op == "bind":
            name = pattern.value

            def bind(e: Table, v: Scope, value: Any) -> Formula:
                v[name] = value
                return e.lift.here(value)

            return bind
        if pattern.op == "same":
            (same,) = map(self.code, pattern.args)
            return lambda e, v, value: e.lift.equal(value, same(e, v))
        parts = [self._pattern(part) for part in pattern.args]
        tag: str | None = pattern.value if pattern.op == "construct" else None

        def shaped(e: Table, v: Scope, value: Any) -> Formula:
            here, found = e.lift.parts(value, tag)
            if here == FALSE:
                return FALSE
            return e.lift.all_of((here, *(part(e, v, inner) for part, inner in zip(parts, found, strict=True))))

        return shaped


def _each(name: str, domain: Code, onward: Loop, in_order: bool) -> Loop:
    def each(e: Table, v: Scope, here: Formula) -> Iterator[Formula]:
        members = domain(e, v)
        pairs: Iterable[tuple[Any, Formula]] | None = None
        if isinstance(members, Many):
            pairs = sorted(members.members.items()) if in_order else members.members.items()
        elif isinstance(members, Row) and isinstance(members.length, Open):
            pairs = ((member, e.lift.here(member)) for member in members.items)
        if pairs is not None:
            for member, when in pairs:
                now = e.lift.both(here, when)
                if now != FALSE:
                    v[name] = member
                    yield from onward(e, v, now)
            return
        if isinstance(members, Row | Cases):
            members = e.lift.row(members).items
        elif in_order and isinstance(members, frozenset):
            members = sorted(members)
        for member in members or ():
            v[name] = member
            yield from onward(e, v, here)

    return each
