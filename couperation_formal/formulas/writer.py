"""The plain meaning of formulas: Python written from terms, and tables of values of what the names of a book stand for.

Numbers are int, truth is bool, texts and options str; a variant is a tuple that begins with its constructor's name, a
record a tuple of its fields; sets are frozensets, sequences tuples, maps dicts. None is what is not defined.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from couperation_formal.formulas.syntax import BOOL, Definition, Given, Term
from couperation_formal.game.fact import Steps

STEPS = 10
"""What it costs to evaluate formulas for other given values: some hundred microseconds."""


def item(sequence: tuple[Any, ...], place: int) -> Any:
    """The member at a place, from 1."""
    return sequence[place - 1] if 1 <= place <= len(sequence) else None


def divided(number: int, by: int) -> int | None:
    """The quotient rounded down; nothing for a division by 0."""
    return number // by if by else None


def subsets(members: Iterable[Any]) -> Iterator[frozenset[Any]]:
    """Every subset, the small ones first."""
    every = sorted(members)
    for count in range(len(every) + 1):
        yield from map(frozenset, combinations(every, count))


# *There are integers h on S with …*: how conjunctions of differences are decided.
#
# Unknown numbers are vertices, differences ``h(x) + k <= h(y)`` are edges with weight k, and one vertex more stands for
# 0: integers exist exactly when no cycle has a positive weight (Bellman 1958; spec/language.md has the proof).


class Offset:
    """An unknown number of a system, plus a known one. Comparing it notes a difference and finds it kept."""

    __slots__ = ("added", "system", "vertex")

    def __init__(self, system: "System", vertex: Hashable, added: int = 0) -> None:
        self.system, self.vertex, self.added = system, vertex, added

    def __add__(self, number: int) -> "Offset":
        return Offset(self.system, self.vertex, self.added + number)

    __radd__ = __add__

    def __sub__(self, number: int) -> "Offset":
        return self + -number

    def __le__(self, other: object) -> bool:
        return self.system.note(self, other, 0)

    def __lt__(self, other: object) -> bool:
        return self.system.note(self, other, 1)

    def __ge__(self, other: object) -> bool:
        return self.system.note(other, self, 0)

    def __gt__(self, other: object) -> bool:
        return self.system.note(other, self, 1)

    def __eq__(self, other: object) -> bool:
        return self <= other and self >= other

    __hash__ = object.__hash__


class System:
    """Differences over unknown numbers, as they are noted while a body is evaluated.

    `numbers` are the unknown numbers by `keys`, each from `low` to `high` where given.
    """

    def __init__(self, keys: Any, low: int | None = None, high: int | None = None) -> None:
        self._zero: Hashable = object()
        self._edges: dict[tuple[Hashable, Hashable], tuple[int, object, object, int]] = {}
        self.numbers = {key: Offset(self, key) for key in keys}
        for number in self.numbers.values() if low is not None else ():
            self.note(low, number, 0)
            self.note(number, high, 0)

    def note(self, lower: object, upper: object, gap: int) -> bool:
        """Note ``lower + gap <= upper``; of two such differences of the same numbers only the greater counts."""
        (one, less), (other, more) = self._split(lower), self._split(upper)
        weight, edge = gap + less - more, (one, other)
        if edge not in self._edges or self._edges[edge][0] < weight:
            self._edges[edge] = weight, lower, upper, gap
        return True

    def _split(self, side: object) -> tuple[Hashable, int]:
        if isinstance(side, Offset):
            return side.vertex, side.added
        if isinstance(side, int):
            return self._zero, side
        raise TypeError(f"no number: {side!r}")

    def solvable(self) -> bool:
        """Whether integers keep all differences. Cost: vertices times edges."""
        return self._longest()[1] is None

    def _longest(self) -> tuple[dict[Hashable, int], list[tuple[Hashable, Hashable]] | None]:
        """The greatest weight of a walk to each vertex, and the edges of a cycle of positive weight, if any."""
        longest = dict.fromkeys((vertex for edge in self._edges for vertex in edge), 0)
        before: dict[Hashable, Hashable] = {}
        changed: Hashable = None
        for _ in range(len(longest) + 1):
            changed = None
            for (one, other), (weight, *_said) in self._edges.items():
                reached = longest[one] + weight
                if reached > longest[other]:
                    longest[other] = reached
                    before[other] = changed = one
            if changed is None:
                return longest, None
        for _ in longest:  # so far back, the cycle is reached
            changed = before[changed]
        cycle = [(before[changed], changed)]
        while cycle[-1][0] != changed:
            cycle.append((before[cycle[-1][0]], cycle[-1][0]))
        return longest, cycle[::-1]

    def solution(self) -> dict[Hashable, int]:
        """Numbers by key that keep all differences, if there are any."""
        longest, _ = self._longest()
        zero = longest.get(self._zero, 0)
        return {key: longest.get(key, zero) - zero for key in self.numbers}

    def chain(self, name: Callable[[Hashable], str]) -> str:
        """A closed chain of differences that no numbers keep, from a known number on where there is one; `name` gives
        what is written for the number at a key.
        """
        cycle = self._longest()[1] or []
        first = next((place for place, (one, _) in enumerate(cycle) if one is self._zero), 0)
        text = ""
        for edge in cycle[first:] + cycle[:first]:
            _, lower, upper, gap = self._edges[edge]
            left, right = self._said(lower, name), self._said(upper, name)
            sign = "<" if gap else "<="
            text += f" {sign} {right}" if text.endswith(left) else f"{', ' if text else ''}{left} {sign} {right}"
        return text

    def _said(self, side: object, name: Callable[[Hashable], str]) -> str:
        vertex, more = self._split(side)
        if vertex is self._zero:
            return str(more)
        return name(vertex) + (f" {'+' if more > 0 else '-'} {abs(more)}" if more else "")


def exist(body: Callable[[Mapping[Any, Any]], bool], keys: Any, *bounds: int) -> bool:
    """Whether integers, one for each of `keys` and within the bounds where given, make `body` true.

    `body` is evaluated once, on unknown numbers; it is a conjunction of differences (`syntax.check_differences`).
    """
    system = System(keys, *bounds)
    return bool(body(system.numbers)) and system.solvable()


# Tables of values.


class Values:
    """The values of a book's names for one choice of what is given: each definition is evaluated when first asked for.

    Attributes are the names with ``n_`` before them. Given values may not be changed; `given` makes another table.
    Where there is a `budget`, each such table takes `STEPS` of it: what grows beyond the size of the values tries
    things out with other given values. `Spent` is raised where it ends.
    """

    dependents: Mapping[str, set[str]] = {}
    defaults: Mapping[str, Callable[[Any], Any]] = {}
    functions: Mapping[str, Any] = {}

    def __init__(self, given: Mapping[str, Any], budget: Steps | None = None) -> None:
        self.budget = budget
        for name, value in given.items():
            setattr(self, attribute(name), value)
        for name, default in self.defaults.items():
            if name not in given:
                setattr(self, attribute(name), default(self))

    def given(self, given: Mapping[str, Any]) -> "Values":
        """The same with other values for some given names. What does not depend on them is not evaluated anew."""
        if self.budget is not None:
            self.budget.spend(STEPS)
        kept = self.__dict__.copy()  # less what is stale: quicker than to look at each name
        for stale in kept.keys() & set[str]().union(*map(self.dependents.__getitem__, given)):
            del kept[stale]
        kept.update((attribute(name), value) for name, value in given.items())
        other = object.__new__(type(self))
        other.__dict__ = kept
        return other

    def value(self, name: str) -> Any:
        """The value of a name of the book."""
        return getattr(self, attribute(name))


class Lazy:
    """A definition without parameters: evaluated once, then kept in the table itself."""

    def __init__(self, name: str, function: Callable[[Any], Any]) -> None:
        self._name, self._function = name, function

    def __get__(self, values: Any, _owner: type) -> Any:
        value = values.__dict__[self._name] = self._function(values)
        return value


def attribute(name: str) -> str:
    """A name of a book as an attribute of `Values`."""
    return "n_" + name.replace("'", "_q").replace("<", "lt_")


# Python written from terms: each operation of the language, each step of a loop, each pattern.
#
# The domain of a quantifier may be a range or the keys of a map where nothing can tell: `Writer.raw`. `compiled` makes
# functions of what is written.


def local(name: str) -> str:
    """A variable of a formula as one of the function that is written."""
    return "v_" + name.replace("'", "_q")


_STRICT = {
    "at": "{0}.get({1})",
    "item": "item({0}, {1})",
    "add": "({0} + {1})",
    "subtract": "({0} - {1})",
    "multiply": "({0} * {1})",
    "divide": "divided({0}, {1})",
    "negate": "(-{0})",
    "max_of": "max({0}, default=None)",
    "min_of": "min({0}, default=None)",
    "union": "frozenset({0}).union({1})",
    "without": "frozenset({0}).difference({1})",
    "over": "{{**{0}, **{1}}}",
    "map_without": "{{key: value for key, value in {0}.items() if key not in {1}}}",
    "then": "({0} + {1})",
    "absolute": "abs({0})",
    "size": "len({0})",
    "dom": "{0}.keys()",
    "places": "range(1, len({0}) + 1)",
    "range": "range({0}, {1} + 1)",
    "subsets": "subsets({0})",
    "less": "({0} < {1})",
    "at_most": "({0} <= {1})",
    "greater": "({0} > {1})",
    "at_least": "({0} >= {1})",
    "equal": "({0} == {1})",
    "unequal": "({0} != {1})",
    "member": "({0} in {1})",
    "not_member": "({0} not in {1})",
    "subset": "frozenset({0}).issubset({1})",
}
"""Operations that are not defined, or do not hold, where a part is not defined."""

_PLAIN = {
    "not": "(not {0})",
    "iff": "({0} == {1})",
    "defined": "({0} is not None)",
    "choice": "({1} if {0} else {2})",
}
"""Operations that need no value of their parts."""

_RAW = ("dom", "places", "range", "subsets")
_TAKES_RAW = (
    "union", "without", "map_without", "size", "max_of", "min_of", "member", "not_member", "subset", "subsets",
)  # fmt: skip


_WORDS: dict[str, Callable[[str], str]] = {
    "number": str,
    "text": repr,
    "label": repr,
    "truth": str.capitalize,
    "local": local,
    "given": lambda name: "e." + attribute(name),
    "defined_name": lambda name: "e." + attribute(name),
}


class Writer:
    """Writes the Python of terms. Functions that strict operations need for parts without a value come first."""

    def __init__(self, definitions: Mapping[str, Definition]) -> None:
        self._definitions = definitions
        self._lifted: dict[tuple[str, tuple[bool, ...], bool], str] = {}
        self._matched = 0

    def function(self, definition: Definition) -> str:
        """A definition as a function of the table of values and its parameters."""
        params = "".join(f", {local(name)}" for name, _ in definition.params)
        body = definition.body
        lines = [f"def {attribute(definition.name)}(e{params}):"]
        if body.op != "cases":
            return f"{lines[0]}\n    return {self.code(body)}\n"
        for case in body.args:
            indent = "    "
            for kind, text in self._steps(case.steps):
                lines.append(f"{indent}{kind} {text}:")
                indent += "    "
            lines.append(f"{indent}return {self.code(case.args[0])}")
        lines.append(f"    return {'False' if body.type == BOOL else 'None'}")
        return "\n".join(lines) + "\n"

    def lifted(self) -> str:
        """The functions that the written code calls."""
        lines = []
        for (template, partial, truth), name in self._lifted.items():
            params = [f"p{place}" for place in range(len(partial))]
            missing = " or ".join(f"{param} is None" for param, may in zip(params, partial, strict=True) if may)
            lines.append(f"def {name}({', '.join(params)}):\n")
            lines.append(f"    return {not truth and None} if {missing} else {template.format(*params)}\n")
        return "".join(lines)

    def code(self, term: Term) -> str:
        """The code of a term as an expression in which ``e`` is the table of values."""
        if term.op in _RAW:
            return self._lift("frozenset({0})", (self.raw(term),), (term.partial,), False)
        return self.raw(term)

    def raw(self, term: Term) -> str:
        """The code of a term where a set may be a range or the keys of a map."""
        if term.op in _WORDS:
            return _WORDS[term.op](term.value)
        if term.op in _PLAIN:
            return _PLAIN[term.op].format(*map(self.code, term.args))
        write: Callable[[Term], str] | None = getattr(self, "_" + term.op, None)
        if write is not None:
            return write(term)
        take = self.raw if term.op in _TAKES_RAW else self.code
        return self._strict(_STRICT[term.op], term, tuple(map(take, term.args)))

    def _strict(self, template: str, term: Term, args: tuple[str, ...]) -> str:
        return self._lift(template, args, tuple(arg.partial for arg in term.args), term.type == BOOL)

    def _lift(self, template: str, args: tuple[str, ...], partial: tuple[bool, ...], truth: bool) -> str:
        if not any(partial):
            return template.format(*args)
        key = template, partial, truth
        name = self._lifted.setdefault(key, f"lifted_{len(self._lifted)}")
        return f"{name}({', '.join(args)})"

    def _called(self, start: str, end: str, term: Term) -> str:
        places = ", ".join(f"{{{place}}}" for place in range(len(term.args)))
        return self._strict(start + places + end, term, tuple(map(self.code, term.args)))

    def _call(self, term: Term) -> str:
        args = ("e", *map(self.code, term.args))
        places = ", ".join(f"{{{place}}}" for place in range(len(args)))
        partial = (False, *(arg.partial for arg in term.args))
        return self._lift(f"{attribute(term.value)}({places})", args, partial, term.type == BOOL)

    def _construct(self, term: Term) -> str:
        return self._called(f"({term.value!r}, ", ")", term)

    def _record(self, term: Term) -> str:
        return self._called("(", ",)", term)

    def _field(self, term: Term) -> str:
        return self._called("", f"[{term.value}]", term)

    def _max(self, term: Term) -> str:
        return self._called(term.op + "(", ")", term)

    _min = _max

    # Truth

    def _and(self, term: Term) -> str:
        return "(" + f" {term.op} ".join(map(self.code, term.args)) + ")"

    _or = _and

    def _equal(self, term: Term) -> str:
        template = _STRICT[term.op]
        if term.args[0].type.kind == "set":
            template = template.replace("{0}", "frozenset({0})").replace("{1}", "frozenset({1})")
        return self._strict(template, term, tuple(map(self.raw, term.args)))

    _unequal = _equal

    def _rebind(self, term: Term) -> str:
        body, value = map(self.code, term.args)
        return f"(lambda e: {body})(e.given({{{term.value!r}: {value}}}))"

    def _empty(self, term: Term) -> str:
        return f"(not {self._some(term.args[0])})"

    def _not_empty(self, term: Term) -> str:
        return self._some(term.args[0])

    def _some(self, term: Term) -> str:
        """Whether a collection has a member, found without making the others."""
        if term.op == "defined_name":
            body = self._definitions[term.value].body
            if body.op == "cases" and len(body.args) == 1 and not body.args[0].steps:
                inner = body.args[0].args[0]
                if inner.op in ("union", "set_of"):
                    return self._some(inner)
        if term.op == "union" and not term.partial:
            return "(" + " or ".join(map(self._some, term.args)) + ")"
        if term.op == "set_of" and not term.args[0].partial:
            return f"any({self._loops('True', term.steps)})"
        return self._lift("bool({0})", (self.raw(term),), (term.partial,), True)

    def _for_all(self, term: Term) -> str:
        body = self.code(term.args[0])
        if all(step.op == "test" for step in term.steps):
            tests = " and ".join(self.code(step.args[0]) for step in term.steps)
            return f"(not ({tests}) or {body})"
        return f"all({self._loops(body, term.steps)})"

    def _there_is(self, term: Term) -> str:
        return f"any({self._loops('True', term.steps)})"

    def _integers(self, term: Term) -> str:
        body, where, *bounds = term.args
        given = ", ".join([self.raw(where), *map(self.code, bounds)])
        return f"exist(lambda {local(term.value)}: {self.code(body)}, {given})"

    # Collections

    def _set(self, term: Term) -> str:
        members = "".join(self.code(arg) + ", " for arg in term.args)
        if any(arg.partial for arg in term.args):
            members = f"member for member in ({members}) if member is not None"
        return f"frozenset(({members}))"

    def _seq(self, term: Term) -> str:
        return self._called("(", ",)" if term.args else ")", term)

    def _map(self, term: Term) -> str:
        half = len(term.args) // 2
        pairs = zip(term.args[:half], term.args[half:], strict=True)
        listed = "".join(f"({self.code(key)}, {self.code(value)}), " for key, value in pairs)
        return f"{{key: value for key, value in ({listed}) if key is not None and value is not None}}"

    def _set_of(self, term: Term) -> str:
        return f"frozenset([{self._kept(term)}])"

    def _seq_of(self, term: Term) -> str:
        return f"tuple([{self._kept(term, in_order=True)}])"

    def _kept(self, term: Term, in_order: bool = False, once: bool = False) -> str:
        name = self._fresh()
        loops = self._loops(name, term.steps, in_order, once)
        return f"{loops} for {name} in ({self.code(term.args[0])},) if {name} is not None"

    def _fresh(self) -> str:
        self._matched += 1
        return f"m{self._matched}"

    def _map_of(self, term: Term) -> str:
        key, value = map(self.code, term.args)
        loops = self._loops("key: value", term.steps)
        kept = f"for key in ({key},) for value in ({value},)"
        return f"{{{loops} {kept} if key is not None and value is not None}}"

    def _count(self, term: Term) -> str:
        return f"sum({self._loops('1', term.steps, once=True)})"

    def _sum(self, term: Term) -> str:
        return f"sum([{self._kept(term, once=True)}])"

    # Steps

    def _loops(self, value: str, steps: tuple[Term, ...], in_order: bool = False, once: bool = False) -> str:
        """``value for … if …`` over these steps. Unless each value is wanted `once`, what a set is made of is run
        through without making the set.
        """
        parts = [f"{kind} {text}" for kind, text in self._steps(steps, in_order, once or in_order)]
        if not parts or not parts[0].startswith("for"):
            parts.insert(0, "for _ in (None,)")
        return " ".join([value, *parts])

    def _steps(self, steps: tuple[Term, ...], in_order: bool = False, once: bool = False) -> Iterator[tuple[str, str]]:
        for step in steps:
            if step.op == "test":
                yield "if", self.code(step.args[0])
            elif step.op == "each":
                source = step.args[0]
                domain = f"({self._kept(source)})" if source.op == "set_of" and not once else self.raw(source)
                if source.partial:
                    domain = f"{domain} or ()"
                if in_order and source.type.kind == "set":
                    domain = f"sorted({domain})"
                yield "for", f"{local(step.value)} in {domain}"
            else:
                yield from self._match(step)

    def _match(self, step: Term) -> Iterator[tuple[str, str]]:
        scrutinee, pattern = step.args
        name = self._fresh()
        yield "for", f"{name} in ({self.code(scrutinee)},)"
        if scrutinee.partial:
            yield "if", f"{name} is not None"
        yield from self._pattern(pattern, name)

    def _pattern(self, pattern: Term, path: str) -> Iterator[tuple[str, str]]:
        if pattern.op == "bind":
            yield "for", f"{local(pattern.value)} in ({path},)"
        elif pattern.op == "same":
            yield "if", f"{path} == {self.code(pattern.args[0])}"
        elif pattern.op != "any":
            first = int(pattern.op == "construct")
            if first:
                yield "if", f"{path}[0] == {pattern.value!r}"
            for place, part in enumerate(pattern.args, start=first):
                yield from self._pattern(part, f"{path}[{place}]")


# Every definition becomes a Python function once, a book a class of tables of values.


def compiled(givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> type[Values]:
    """The class of tables of values for these names. Cost: some 20 ms for 100 definitions."""
    writer = Writer(definitions)
    functions = [writer.function(definition) for definition in definitions.values()]
    defaults = {name: writer.code(given.default) for name, given in givens.items() if given.default is not None}
    source = writer.lifted() + "".join(functions)
    scope: dict[str, Any] = {"item": item, "divided": divided, "subsets": subsets, "exist": exist}
    exec(compile(source, "<formulas>", "exec"), scope)
    lazy = [attribute(name) for name, definition in definitions.items() if not definition.params]
    members: dict[str, Any] = {
        "functions": scope,
        "dependents": {name: set(map(attribute, names)) for name, names in dependents(givens, definitions).items()},
        "defaults": {name: eval(f"lambda e: {code}", scope) for name, code in defaults.items()},
        **{attribute(name): None for name, given in givens.items() if given.partial},
        **{name: Lazy(name, scope[name]) for name in lazy},
    }
    return type("BookValues", (Values,), members)


def part(
    term: Term, names: tuple[str, ...], values: type[Values], definitions: Mapping[str, Definition]
) -> Callable[..., Any]:
    """A part of a definition as a function of a table of `values` and of the variables with these names."""
    writer = Writer(definitions)
    code = writer.code(term)
    scope = dict(values.functions)
    exec(writer.lifted(), scope)
    function: Callable[..., Any] = eval(f"lambda {', '.join(['e', *map(local, names)])}: {code}", scope)
    return function


def dependents(givens: Mapping[str, Given], definitions: Mapping[str, Definition]) -> dict[str, frozenset[str]]:
    """For each given name itself and the definitions that depend on it."""
    users: dict[str, set[str]] = {}
    for name, definition in definitions.items():
        for used in uses_of(definition.body):
            users.setdefault(used, set()).add(name)
    hanging: dict[str, frozenset[str]] = {}
    for given in givens:
        reached = more = {given}
        while more := set[str]().union(*(users.get(name, ()) for name in more)) - reached:
            reached = reached | more
        hanging[given] = frozenset(reached)
    return hanging


def uses_of(term: Term) -> frozenset[str]:
    """The given and defined names that a term asks for."""
    parts, names = [term], set[str]()
    while parts:
        part = parts.pop()
        if part.op in ("given", "defined_name", "call", "rebind"):
            names.add(part.value)
        parts += part.args
        parts += part.steps
    return frozenset(names)
