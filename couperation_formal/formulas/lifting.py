"""Formulas over values that may be open: a function for each term, and what names stand for.

None is what is not defined; a truth is a formula of the circuit.
"""

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial, reduce
from typing import Any

from msgspec import Struct

from couperation_formal.formulas.circuit import FALSE, TRUE, Formula, Many, OpenMap, OpenValue, OpenValues, no, shown
from couperation_formal.formulas.syntax import BOOL, Definition, Given, Term
from couperation_formal.formulas.writer import STEPS, dependents, divided

Scope = dict[str, Any]
"""The values of the variables."""

Code = Callable[["OpenNames", Scope], Any]
"""The value of a term, where names stand for something."""

Loop = Callable[["OpenNames", Scope, Formula], Iterator[Formula]]
"""The steps of a quantifier: each time the variables are set, and the formula under which it is so is told."""

# The strict operations.

NUMBERS: dict[str, Callable[[int, int], int | None]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": divided,
}
ORDERS = {"less": (1, 1), "at_most": (1, 0), "greater": (-1, 1), "at_least": (-1, 0)}
"""Whether the sides rise, and their least difference."""


def _dom(lift: OpenValues, value: Any) -> Any:
    if not isinstance(value, OpenMap):
        return value.keys()
    keyed = [(lift.here(entry), key) for key, entry in value.entries.items()]
    return value.entries.keys() if all(here == TRUE for here, _ in keyed) else lift.gathered(keyed)


def _greatest(lift: OpenValues, members: Any, sign: int = 1) -> Any:
    best: Any = None
    for member, when in sorted(lift.members(members).members.items(), key=lambda pair: sign * pair[0]):
        best = lift.choose(when, member, best)
    return best


def _over(lift: OpenValues, first: Any, second: Any) -> Any:
    if shown(first, second):
        return {**first, **second}
    entries = dict(lift.entries(first))
    for key, value in lift.entries(second).items():
        here = lift.here(value)
        entries[key] = value if here == TRUE else lift.choose(here, value, entries.get(key))
    return OpenMap(entries)


def _map_without(lift: OpenValues, first: Any, out: Any) -> Any:
    entries = lift.entries(first)
    return OpenMap({key: lift.choose(lift.within(key, out), None, value) for key, value in entries.items()})


def _range(lift: OpenValues, first: Any, last: Any) -> Any:
    if shown(first, last):
        return range(first, last + 1)
    ends = lift.ways(lift.join(lambda one, other: (one, other), first, last)).items()
    return lift.gathered((when, number) for (low, high), when in ends for number in range(low, high + 1))


def _places(lift: OpenValues, row: Any) -> Any:
    length = lift.row(row).length
    if not isinstance(length, OpenValue):
        return range(1, length + 1)
    places = {place: lift.at_most(place, 0, length) for place in range(1, max(lift.ways(length)) + 1)}
    return Many({place: here for place, here in places.items() if here != FALSE}, None, length)


def _unequal(lift: OpenValues, first: Any, second: Any) -> Formula:
    return lift.all_of((lift.here(first), lift.here(second), no(lift.equal(first, second))))


def _not_member(lift: OpenValues, member: Any, where: Any) -> Formula:
    return lift.both(lift.here(member), no(lift.within(member, where)))


def _iff(lift: OpenValues, first: Formula, second: Formula) -> Formula:
    return lift.both(lift.circuit.implies(first, second), lift.circuit.implies(second, first))


STRICT: dict[str, Callable[..., Any]] = {
    "negate": lambda lift, value: lift.map(operator.neg, value),
    "absolute": lambda lift, value: lift.map(abs, value),
    "max_of": _greatest,
    "min_of": lambda lift, value: _greatest(lift, value, -1),
    "not": lambda _, value: no(value),
    "not_empty": OpenValues.some,
    "empty": lambda lift, value: no(lift.some(value)),
    "defined": OpenValues.here,
    "size": OpenValues.size,
    "dom": _dom,
    "places": _places,
    "iff": _iff,
    "unequal": _unequal,
    "member": OpenValues.within,
    "not_member": _not_member,
    "subset": OpenValues.subset,
    "range": _range,
    "union": OpenValues.union,
    "without": OpenValues.without,
    "over": _over,
    "map_without": _map_without,
    "then": OpenValues.then,
    "at": OpenValues.at,
    "item": OpenValues.item,
}
"""What is not defined, or does not hold, where a part is not defined."""


# *There are integers h on S with …* over open values: differences that hold where a formula does.
#
# Unknown numbers are vertices, a difference ``u + k <= v`` is an edge with weight k, guarded by the formula under which
# it is asked; a number that is known, or is one of several, is a vertex too. An unknown number goes when each edge into
# it is joined with each edge out of it (Fourier and Motzkin; exact for differences of integers, spec/language.md). What
# is left compares known numbers.

Vertex = tuple[str, Hashable]
_ZERO: Vertex = "number", 0


class OpenOffset(OpenValue, Struct, eq=False):
    """An unknown number, plus a known one."""

    vertex: Vertex
    added: int = 0

    def more(self, number: int, sign: str) -> "OpenOffset":
        """The same with a number added or subtracted."""
        return OpenOffset(self.vertex, self.added + (number if sign == "add" else -number))


class Gaps:
    """Guarded differences, as they are noted while a body is evaluated.

    `numbers` are the unknown numbers by `keys`, each from `low` to `high` where given.
    """

    def __init__(self, lift: OpenValues, keys: Any, low: int | None = None, high: int | None = None) -> None:
        self._lift = lift
        self._known: dict[Vertex, Any] = {_ZERO: 0}
        self._out: dict[Vertex, dict[Vertex, dict[int, Formula]]] = {}
        self._into: dict[Vertex, set[Vertex]] = {}
        self.numbers = {key: OpenOffset(("sought", key)) for key in keys}
        self._unknown = [number.vertex for number in self.numbers.values()]
        for number in self.numbers.values() if low is not None else ():
            self.note(low, 0, number, TRUE)
            self.note(number, 0, high, TRUE)

    def note(self, lower: Any, gap: int, upper: Any, when: Formula) -> None:
        """Note that ``lower + gap <= upper`` is asked where `when` holds."""
        (one, less), (other, more) = self._vertex(lower), self._vertex(upper)
        self._edge(one, other, gap + less - more, when)

    def _vertex(self, side: Any) -> tuple[Vertex, int]:
        if isinstance(side, OpenOffset):
            return side.vertex, side.added
        if not isinstance(side, OpenValue):
            return _ZERO, side
        vertex = "number", id(side)
        self._known[vertex] = side
        return vertex, 0

    def _edge(self, one: Vertex, other: Vertex, weight: int, when: Formula) -> None:
        """An edge; of two that hold wherever one of them does, only the greater counts."""
        if when == FALSE:
            return
        weights = self._out.setdefault(one, {}).setdefault(other, {})
        self._into.setdefault(other, set()).add(one)
        for old, here in list(weights.items()):
            if old >= weight and here in (TRUE, when):
                return
            if old <= weight and when in (TRUE, here):
                del weights[old]
        weights[weight] = self._lift.either(weights[weight], when) if weight in weights else when

    def solvable(self) -> Formula:
        """Where integers keep all differences that are asked."""
        kept: list[Formula] = []
        while self._unknown:
            vertex = min(self._unknown, key=self._degree)
            self._unknown.remove(vertex)
            kept += self._removed(vertex)
        for one, edges in self._out.items():
            for other, weights in edges.items():
                for weight, when in weights.items():
                    fits = self._lift.at_most(self._known[one], weight, self._known[other])
                    kept.append(no(self._lift.both(when, no(fits))))
        return self._lift.all_of(kept)

    def _degree(self, vertex: Vertex) -> int:
        return len(self._into.get(vertex, ())) * len(self._out.get(vertex, ()))

    def _removed(self, vertex: Vertex) -> list[Formula]:
        """Join the edges into a vertex with those out of it; where a circle at it asks for nothing impossible."""
        out = self._out.pop(vertex, {})
        into = {one: self._out[one].pop(vertex) for one in self._into.pop(vertex, set()) if one != vertex}
        circle = out.pop(vertex, {})
        for other in out:
            self._into[other].discard(vertex)
        for one, first in into.items():
            for other, second in out.items():
                for less, when in first.items():
                    for more, then in second.items():
                        self._edge(one, other, less + more, self._lift.both(when, then))
        return [no(when) for weight, when in circle.items() if weight > 0]


# Terms, each a function of what names and variables stand for.


def _constant(value: Any) -> Code:
    return lambda _e, _v: value


_WORDS: dict[str, Callable[[str], Code]] = {
    "number": lambda word: _constant(int(word)),
    "text": _constant,
    "label": _constant,
    "truth": lambda word: _constant(TRUE if word == "true" else FALSE),
    "local": lambda name: lambda _, v: v[name],
    "given": lambda name: lambda e, _: e.known.get(name),
    "defined_name": lambda name: lambda e, _: e.value(name),
}


class Lifting:
    """Makes functions of terms."""

    def code(self, term: Term) -> Code:
        """The function of a term. Raises `NotImplementedError` for one that is not made over open values."""
        if term.op in _WORDS:
            return _WORDS[term.op](term.value)
        if term.op in STRICT:
            operation = STRICT[term.op]
            if len(term.args) == 2:
                return self._strict(term, lambda e, first, second: operation(e.lift, first, second))
            return self._strict(term, lambda e, *values: operation(e.lift, *values))
        if term.op in NUMBERS:
            return self._arithmetic(term)
        if term.op in ORDERS:
            return self._ordered(term)
        make: Callable[[Term], Code] | None = getattr(self, "_" + term.op, None)
        if make is None:
            raise NotImplementedError(f"{term.op} over open values")
        return make(term)

    def _all(self, terms: tuple[Term, ...]) -> tuple[Code, ...]:
        return tuple(map(self.code, terms))

    def _strict(self, term: Term, operation: Callable[..., Any]) -> Code:
        """The operation on the values of a term's parts; false or not defined where one of them is not defined."""
        codes, nothing = self._all(term.args), _nothing(term)
        if len(codes) == 2:
            one, other = codes

            def double(e: OpenNames, v: Scope) -> Any:
                first, second = one(e, v), other(e, v)
                return nothing if first is None or second is None else operation(e, first, second)

            return double

        def value(e: OpenNames, v: Scope) -> Any:
            values = [code(e, v) for code in codes]
            return nothing if None in values else operation(e, *values)

        return value

    # Values

    def _call(self, term: Term) -> Code:
        return self._strict(term, lambda e, *args: e.call(term.value, args))

    def _construct(self, term: Term) -> Code:
        tag: str | None = term.value if term.op == "construct" else None
        return self._strict(term, lambda e, *parts: e.lift.built_of(tag, parts))

    _record = _construct

    def _field(self, term: Term) -> Code:
        place, (arg,) = int(term.value), self._all(term.args)

        def field(e: OpenNames, v: Scope) -> Any:
            value = arg(e, v)
            return value[place] if type(value) is tuple else e.lift.field(value, place)

        return field

    # Numbers and truth

    def _arithmetic(self, term: Term) -> Code:
        def joined(e: OpenNames, first: Any, second: Any) -> Any:
            if isinstance(first, OpenOffset):
                return first.more(second, term.op)
            if isinstance(second, OpenOffset):
                return second.more(first, term.op)
            return e.lift.join(NUMBERS[term.op], first, second)

        return self._strict(term, joined)

    def _ordered(self, term: Term) -> Code:
        rising, gap = ORDERS[term.op]
        sides = term._replace(args=term.args[::rising])
        return self._strict(sides, lambda e, lower, upper: _compared(e, lower, gap, upper))

    def _max(self, term: Term) -> Code:
        join = max if term.op == "max" else min
        return self._strict(term, lambda e, *values: reduce(partial(e.lift.join, join), values))

    _min = _max

    def _equal(self, term: Term) -> Code:
        if term.args[0].op == "size":
            counted = term._replace(args=(term.args[0].args[0], term.args[1]))
            return self._strict(counted, lambda e, value, number: e.lift.counts(value, number))

        def equal(e: OpenNames, first: Any, second: Any) -> Formula:
            if type(first) is int and type(second) is int:
                return TRUE if first == second else FALSE
            if isinstance(first, OpenOffset) or isinstance(second, OpenOffset):
                return e.lift.both(_compared(e, first, 0, second), _compared(e, second, 0, first))
            return e.lift.equal(first, second)

        return self._strict(term, equal)

    def _and(self, term: Term) -> Code:
        args, decides = self._all(term.args), FALSE if term.op == "and" else TRUE

        def joined(e: OpenNames, v: Scope) -> Formula:
            parts = []
            for arg in args:
                parts.append(arg(e, v))
                if parts[-1] == decides:
                    return decides
            return e.lift.all_of(parts) if decides == FALSE else e.lift.any_of(parts)

        return joined

    _or = _and

    def _choice(self, term: Term) -> Code:
        (test, yes, other), choose = self._all(term.args), _chooser(term)

        def choice(e: OpenNames, v: Scope) -> Any:
            here = test(e, v)
            if here == TRUE:
                return yes(e, v)
            return other(e, v) if here == FALSE else choose(e.lift, here, yes(e, v), other(e, v))

        return choice

    def _cases(self, term: Term) -> Code:
        cases = [(self.steps(case.steps), self.code(case.args[0])) for case in term.args]
        nothing, choose = _nothing(term), _chooser(term)

        def chosen(e: OpenNames, v: Scope) -> Any:
            ways = []
            before, path = TRUE, e.path
            for steps, value in cases:
                for here in steps(e, v, TRUE):
                    e.path = e.lift.all_of((path, before, here))
                    if e.path != FALSE:
                        ways.append((here, value(e, v)))
                    e.path = path
                    before = e.lift.both(before, no(here))
                if before == FALSE:
                    ways[-1] = TRUE, ways[-1][1]
                    break
            answer: Any = nothing
            for here, value_there in reversed(ways):
                answer = choose(e.lift, here, value_there, answer)
            return answer

        return chosen

    def _rebind(self, term: Term) -> Code:
        (body, value), name = self._all(term.args), term.value
        return lambda e, v: body(e.given({name: value(e, v)}), v)

    def _for_all(self, term: Term) -> Code:
        steps, (body,) = self.steps(term.steps), self._all(term.args)

        def every(e: OpenNames, v: Scope) -> Formula:
            kept_ones, path = [], e.path
            for here in steps(e, v, TRUE):
                e.path = e.lift.both(path, here)
                kept = body(e, v)
                e.path = path
                if kept != TRUE:
                    kept_ones.append(e.lift.circuit.implies(here, kept))
            return e.lift.all_of(kept_ones)

        return every

    def _there_is(self, term: Term) -> Code:
        steps = self.steps(term.steps)

        def some(e: OpenNames, v: Scope) -> Formula:
            ways = []
            for here in steps(e, v, TRUE):
                ways.append(here)
                if here == TRUE:
                    break
            return e.lift.any_of(ways)

        return some

    def _integers(self, term: Term) -> Code:
        (body, where, *bounds), name = self._all(term.args), term.value

        def exist(e: OpenNames, v: Scope) -> Formula:
            gaps, outer, path = Gaps(e.lift, where(e, v), *(bound(e, v) for bound in bounds)), e.gaps, e.path
            e.gaps, e.path = gaps, TRUE
            kept = body(e, {**v, name: OpenMap(gaps.numbers)})
            e.gaps, e.path = outer, path
            return e.lift.both(kept, gaps.solvable())

        return exist

    # Collections

    def _set(self, term: Term) -> Code:
        args = self._all(term.args)
        return lambda e, v: e.lift.gathered([(TRUE, arg(e, v)) for arg in args])

    def _seq(self, term: Term) -> Code:
        return self._strict(term, lambda e, *values: e.lift.listed(values))

    def _map(self, term: Term) -> Code:
        codes = self._all(term.args)
        pairs = list(zip(codes[: len(codes) // 2], codes[len(codes) // 2 :], strict=True))
        return lambda e, v: e.lift.mapped([(TRUE, key(e, v), value(e, v)) for key, value in pairs])

    def _set_of(self, term: Term) -> Code:
        steps, (value,) = self.steps(term.steps), self._all(term.args)
        return lambda e, v: e.lift.gathered([(here, value(e, v)) for here in steps(e, v, TRUE)])

    def _seq_of(self, term: Term) -> Code:
        steps, (value,) = self.steps(term.steps, in_order=True), self._all(term.args)

        def listed(e: OpenNames, v: Scope) -> Any:
            members = [(here, value(e, v)) for here in steps(e, v, TRUE)]
            if any(here != TRUE or e.lift.here(member) not in (TRUE, FALSE) for here, member in members):
                raise TypeError("a sequence of open length")
            return e.lift.listed(member for _, member in members if member is not None)

        return listed

    def _map_of(self, term: Term) -> Code:
        steps, (key, value) = self.steps(term.steps), self._all(term.args)
        return lambda e, v: e.lift.mapped([(here, key(e, v), value(e, v)) for here in steps(e, v, TRUE)])

    def _count(self, term: Term) -> Code:
        steps, first, tests = self.steps(term.steps), term.steps[0], self.steps(term.steps[1:])
        sized = first.op == "each" and all(step.op == "test" for step in term.steps[1:])
        domain = self.code(first.args[0])

        def counted(e: OpenNames, v: Scope) -> Any:
            members = domain(e, v) if sized else None
            if not isinstance(members, Many):
                return e.lift.number(steps(e, v, TRUE))
            kept, out = [], []
            for member, when in members.members.items():
                v[first.value] = member
                here = e.lift.any_of(tests(e, v, TRUE))
                kept.append(e.lift.both(when, here))
                out.append(e.lift.both(when, no(here)))
            if members.size is None:
                return e.lift.number(kept, members.most)
            return e.lift.join(operator.sub, members.size, e.lift.number(out))

        return counted

    def _sum(self, term: Term) -> Code:
        steps, (value,) = self.steps(term.steps), self._all(term.args)

        def total(e: OpenNames, v: Scope) -> Any:
            added: Any = 0
            for here in steps(e, v, TRUE):
                more = value(e, v)
                more = e.lift.choose(e.lift.both(here, e.lift.here(more)), more, 0)
                added = e.lift.join(operator.add, added, more)
            return added

        return total

    # Loops of steps, and tests of patterns

    def steps(self, steps: tuple[Term, ...], in_order: bool = False) -> Loop:
        """The loop over what these steps let through."""
        if not steps:
            return lambda _e, _v, here: iter((here,))
        first, onward = steps[0], self.steps(steps[1:], in_order)
        subject, name = self.code(first.args[0]), first.value

        def each(e: OpenNames, v: Scope, here: Formula) -> Iterator[Formula]:
            for member, when in e.lift.each(subject(e, v), in_order):
                now = here if when == TRUE else e.lift.both(here, when)
                if now != FALSE:
                    v[name] = member
                    yield from onward(e, v, now)

        if first.op == "each":
            return each
        match = self._pattern(first.args[1]) if first.op == "match" else None

        def tested(e: OpenNames, v: Scope, here: Formula) -> Iterator[Formula]:
            value = subject(e, v)
            now: Formula = value if match is None else match(e, v, value)
            if now == FALSE:
                return iter(())
            now = now if here == TRUE else e.lift.both(here, now)
            return onward(e, v, now) if now != FALSE else iter(())

        return tested

    def _pattern(self, pattern: Term) -> "Callable[[OpenNames, Scope, Any], Formula]":
        if pattern.op == "any":
            return lambda e, _, value: e.lift.here(value)
        if pattern.op == "bind":
            name = pattern.value

            def bind(e: OpenNames, v: Scope, value: Any) -> Formula:
                v[name] = value
                return e.lift.here(value)

            return bind
        if pattern.op == "same":
            (same,) = map(self.code, pattern.args)
            return lambda e, v, value: e.lift.equal(value, same(e, v))
        parts = [self._pattern(part) for part in pattern.args]
        tag: str | None = pattern.value if pattern.op == "construct" else None

        def shaped(e: OpenNames, v: Scope, value: Any) -> Formula:
            here, inner_parts = e.lift.parts(value, tag)
            if here == FALSE:
                return FALSE
            return e.lift.all_of((here, *(part(e, v, inner) for part, inner in zip(parts, inner_parts, strict=True))))

        return shaped


def _compared(e: "OpenNames", lower: Any, gap: int, upper: Any) -> Formula:
    """Whether ``lower + gap <= upper``; where a number is sought it is noted, and told whether both are defined."""
    if (isinstance(lower, OpenOffset) or isinstance(upper, OpenOffset)) and e.gaps is not None:
        here = e.lift.both(e.lift.here(lower), e.lift.here(upper))
        if here != FALSE:
            e.gaps.note(lower, gap, upper, e.lift.both(e.path, here))
        return here
    return e.lift.at_most(lower, gap, upper)


def _nothing(term: Term) -> Any:
    return FALSE if term.type == BOOL else None


def _chooser(term: Term) -> Callable[[OpenValues, Formula, Any, Any], Any]:
    return OpenValues.chosen if term.type == BOOL else OpenValues.choose


# Formulas over values that are open: every definition becomes a function once, and `OpenNames` tell what names stand
# for over a circuit.
#
# It is the plain evaluation with another algebra: what is true is a formula of the circuit, and a value that hangs on
# what is not shown is one of several. A name that is given a value is not evaluated.


class Program:
    """The definitions of a book, as functions over open values; each is made when first asked for."""

    def __init__(self, givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> None:
        self._definitions, self._lifting = definitions, Lifting()
        self._lines: dict[str, tuple[Code, ...]] = {}
        self._bodies: dict[str, Code] = {}
        self.params = {name: tuple(param for param, _ in defined.params) for name, defined in definitions.items()}
        self.defaults = {name: self._lifting.code(given.default) for name, given in givens.items() if given.default}
        self.dependents = dependents(givens, definitions)

    def body(self, name: str) -> Code:
        """The function of a definition; of a name that is given and has no value, that of what is not defined."""
        if name not in self._bodies:
            given = name not in self._definitions
            self._bodies[name] = _constant(None) if given else self._lifting.code(self._definitions[name].body)
        return self._bodies[name]

    def lines(self, name: str) -> tuple[Code, ...]:
        """The functions of the formulas that hold together where `name` does."""
        if name not in self._lines:
            body = self._definitions[name].body
            self._lines[name] = tuple(map(self._lifting.code, body.args if body.op == "and" else (body,)))
        return self._lines[name]


class OpenNames:
    """What the names of a program stand for under one choice of what is given; each is evaluated when first asked."""

    def __init__(self, program: Program, values: OpenValues, given: Mapping[str, Any]) -> None:
        self.program = program
        self.lift: OpenValues = values
        self.known: dict[str, Any] = dict(given)
        self.calls: dict[tuple[Any, ...], tuple[tuple[Any, ...], Any]] = {}
        self.gaps: Gaps | None = None
        self.path: Formula = TRUE
        for name, default in program.defaults.items():
            if name not in self.known:
                self.known[name] = default(self, {})

    def given(self, given: Mapping[str, Any]) -> "OpenNames":
        """The same with other values for some names. What does not depend on them is kept. Takes `STEPS`."""
        self.lift.circuit.budget.spend(STEPS)
        stale = set[str]().union(*(self.program.dependents.get(name, ()) for name in given))
        kept = {name: value for name, value in self.known.items() if name not in stale}
        return OpenNames(self.program, self.lift, {**kept, **given})

    def value(self, name: str) -> Any:
        """The value of a name: a formula of the circuit for what is true or not."""
        if name not in self.known:
            self.known[name] = self.program.body(name)(self, {})
        return self.known[name]

    def lines(self, name: str) -> Iterator[Formula]:
        """The formulas that hold together where `name` does, each when it is asked for."""
        return (line(self, {}) for line in self.program.lines(name))

    def call(self, name: str, args: tuple[Any, ...]) -> Any:
        """The value of a definition at these arguments, all of them defined."""
        if self.gaps is not None:
            return self._applied(name, args)
        key = name, *(id(arg) if isinstance(arg, OpenValue | dict) else arg for arg in args)
        kept = self.calls.get(key)
        if kept is None:
            kept = self.calls[key] = args, self._applied(name, args)
        return kept[1]

    def _applied(self, name: str, args: tuple[Any, ...]) -> Any:
        return self.program.body(name)(self, dict(zip(self.program.params[name], args, strict=True)))
