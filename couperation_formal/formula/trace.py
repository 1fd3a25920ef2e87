"""Why a formula holds or fails: its evaluation, told part by part.

A *for all* that fails is told by its first member that does, one that holds by all of them; a *there is* by its
witness, or by what each member lacks; integers by numbers, or by a closed chain of differences; anything else by the
values of its parts. Nothing is evaluated in another way than by `plain`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from couperation_formal.formula.differences import Told
from couperation_formal.formula.parts import Frame, Reader
from couperation_formal.formula.shown import members
from couperation_formal.formula.tables import Values, attribute
from couperation_formal.formula.types import Term

MOST = 1000
"""So many instances are told of at most."""

_SIGNS = {
    "less": "<", "at_most": "<=", "greater": ">", "at_least": ">=", "equal": "=", "unequal": "!=", "member": "in",
    "not_member": "not in", "subset": "is a subset of", "empty": "is empty", "not_empty": "is not empty",
    "defined": "is defined",
}  # fmt: skip


class Instance(msgspec.Struct, frozen=True):
    """One case of a formula: what its variables stand for, the values of its parts, what they come to. With `asked`
    False it tells why a line is not asked.
    """

    bindings: dict[str, str]
    values: dict[str, str]
    formula: str
    asked: bool = True


class Trace(NamedTuple):
    """Whether a formula holds, and the instances that show it: all that hold, or the first that fails. With `asked`
    False it holds because none of its lines is asked, and the instances tell why.
    """

    holds: bool
    instances: tuple[Instance, ...]
    asked: bool = True


class Tracer(Reader):
    """Explains formulas of one book. `own` makes the texts of values of some types (`shown.Shower`)."""

    def trace(self, name: str, values: Values) -> Trace:
        """Why what `name` defines, without parameters, holds for these values, or fails."""
        body = self._book.definitions[name].body
        frame = Frame(values, self._book.page_of(name), {}, {}, {}, {}, {})
        holds = bool(values.value(name))
        found = tuple(islice(self._why(body, frame, holds), MOST))
        asked = tuple(one for one in found if one.asked)
        return Trace(holds, asked or found, bool(asked))

    def left_out(self, name: str, text: str, values: Values) -> Trace:
        """Why the list of texts that `name` defines by cases is without this text for these values."""
        body = self._book.definitions[name].body
        frame = Frame(values, self._book.page_of(name), {}, {}, {}, {}, {})
        found: list[Instance] = []
        for case in body.args:
            for inner, lacking in self.runs(case.steps, frame):
                if lacking is None:
                    for step in case.steps:
                        found += islice(self._why(step.args[0], inner, True), 1)
                    return Trace(True, tuple(found), asked=False)
                if text in _texts(case.args[0]):
                    found += self._skips(lacking, inner)
        return Trace(True, tuple(found), asked=False)

    def _why(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        """The instances that show that `term` holds, or that it fails."""
        rule = getattr(self, "_" + term.op, None)
        return self._atom(term, frame, holds) if rule is None else rule(term, frame, holds)

    def _and(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        for arg in term.args:
            if holds or not self.value(arg, frame):
                yield from self._why(arg, frame, holds)
            if not holds and not self.value(arg, frame):
                return

    def _or(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        for arg in term.args:
            if self.value(arg, frame) == holds:
                yield from self._why(arg, frame, holds)
                if holds:
                    return

    def _not(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        said = f"{self.text(term, frame)} is {str(holds).lower()}"
        for one in self._why(term.args[0], frame, not holds):
            yield msgspec.structs.replace(one, formula=f"{one.formula}; {said}")

    def _iff(self, term: Term, frame: Frame, _holds: bool) -> Iterator[Instance]:
        for arg in term.args:
            yield from self._why(arg, frame, bool(self.value(arg, frame)))

    def _choice(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        test, yes, no = term.args
        met = bool(self.value(test, frame))
        yield from self._why(test, frame, met)
        yield from self._why(yes if met else no, frame, holds)

    def _rebind(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        body, given = term.args
        value = self.value(given, frame)
        values = frame.values.given(**{attribute(term.value): value})
        bound = {**frame.bound, term.value: self.show(given.type, value)}
        return self._why(body, frame._replace(values=values, bound=bound), holds)

    def _for_all(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        (body,) = term.args
        asked = False
        for inner, lacking in self.runs(term.steps, frame):
            if lacking is None and bool(self.value(body, inner)) == holds:
                asked = True
                yield from self._why(body, inner, holds)
                if not holds:
                    return
            elif lacking is not None and all(step.op != "each" for step in term.steps):
                yield from self._skips(lacking, inner)
                return
        if not asked:
            yield Instance(frame.bound, frame.chosen, f"{self.text(term, frame)} asks nothing: no member")

    def _there_is(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        each = sum(step.op == "each" for step in term.steps)
        if not holds and not each:
            for inner, lacking in self.runs(term.steps, frame):
                if lacking is not None:
                    yield from self._lacks(lacking, inner)
            return
        found = False
        for inner, lacking in self.runs(term.steps, frame):
            if holds and lacking is None:
                values = dict(frame.chosen)
                for step in term.steps:
                    values.update(self.readings(step.args[0], inner))
                yield Instance(inner.bound, values, f"{self.text(term, frame)} is true")
                return
            if not holds and lacking is not None:
                found = True
                yield from self._lacks(lacking, inner)
        if not found:
            yield Instance(frame.bound, frame.chosen, f"{self.text(term, frame)} is false: no member")

    def _lacks(self, step: Term, frame: Frame) -> Iterator[Instance]:
        """Why a condition does not hold: the first instance."""
        if step.op == "test":
            yield from islice(self._why(step.args[0], frame, False), 1)
            return
        values = {**frame.chosen, **self.readings(step.args[0], frame)}
        yield Instance(frame.bound, values, f"{self.text(step, frame)} is false")

    def _skips(self, step: Term, frame: Frame) -> Iterator[Instance]:
        """Why a line is not asked under this condition."""
        first = step.args[0]
        if step.op == "match":
            value, pattern = self.value(first, frame), step.args[1]
            if value is None or (pattern.op == "construct" and value[0] != pattern.value):
                said = f"{self.text(first, frame)} is {'undefined' if value is None else f'no {pattern.value}'}"
                yield Instance(frame.bound, {**frame.chosen, **self.readings(first, frame)}, said, asked=False)
                return
        fails = f"; {first.value} fails first" if first.value in self._book.headings else ""
        for one in islice(self._lacks(step, frame), 1):
            yield msgspec.structs.replace(one, formula=one.formula + fails, asked=False)

    def _integers(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        body, where, *bounds = term.args
        keys = self.value(where, frame)
        low, high = (self.value(bound, frame) for bound in bounds[0].args) if bounds else (None, None)
        system = Told(keys, low, high)
        inner = frame._replace(
            local={**frame.local, term.value: system.numbers}, written={**frame.written, term.value: term.value}
        )
        if not self.value(body, inner):
            yield from self._why(body, inner, False)
            return
        key = where.type.args[0]

        def named(vertex: Any) -> str:
            return f"{term.value}({self.show(key, vertex)})"

        values = {**frame.chosen, **self.readings(where, frame)}
        if holds:
            values.update((named(vertex), str(number)) for vertex, number in system.found().items())
            yield Instance(frame.bound, values, f"{self.text(term, frame)} is true")
        else:
            yield Instance(frame.bound, values, f"{system.chain(named)} for no integers")

    def _defined_name(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        definition = self._book.definitions[term.value]
        return self._why(definition.body, self.entered(term, frame), holds)

    _call = _defined_name

    def _cases(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        found = self.case_of(term, frame)
        if found is None:
            for case in term.args:
                for inner, lacking in self.runs(case.steps, frame):
                    if lacking is not None:
                        yield from self._lacks(lacking, inner)
            return
        yield from self._why(*found, holds)

    def _atom(self, term: Term, frame: Frame, holds: bool) -> Iterator[Instance]:
        values = dict(frame.chosen)
        for arg in term.args or (term,):
            values.update(self.readings(arg, frame))
        shown = [self.show(arg.type, self.value(arg, frame)) for arg in term.args]
        if len(shown) == 2:
            said = f"{shown[0]} {_SIGNS[term.op]} {shown[1]}"
        elif term.op in ("empty", "not_empty") and (held := self.value(term.args[0], frame)):
            (arg,) = term.args
            one = self.show(arg.type.args[0], next(iter(members(arg.type, held))))
            said = f"{one} in {self.text(arg, frame)}; {self.text(term, frame)}"
        elif term.op == "defined":
            said = self.text(term, frame)
        elif term.op in _SIGNS:
            said = f"{shown[0]} {_SIGNS[term.op]}"
        else:
            said = self.text(term, frame)
        if term.op == "subset" and not holds:
            one, other = (self.value(arg, frame) for arg in term.args)
            if one is not None and other is not None:
                left = self.show(term.args[0].type, frozenset(one) - frozenset(other))
                values[f"{self.text(term.args[0], frame)} - {self.text(term.args[1], frame)}"] = left
        yield Instance(frame.bound, values, f"{said} is {str(holds).lower()}")


def _texts(term: Term) -> set[str]:
    """The texts that a term names."""
    return ({term.value} if term.op == "text" else set()).union(*map(_texts, term.args))
