"""Why a formula is true or false: the parts that decide it, and their values as text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from couperation_formal.formulas.book import Book
from couperation_formal.formulas.syntax import BOOL, INT, Term, Type
from couperation_formal.formulas.writer import Offset, System, Values, part
from couperation_formal.game.fact import Fact

# Values of the formula language as text, by their types.

MOST_SHOWN = 24
"""A collection is shown with so many members at most, and the number of all."""


def members(type_: Type, value: Any) -> Iterable[Any]:
    """The members of a set or sequence in the order in which they are shown and tried."""
    return value if type_.kind == "seq" else sorted(value)


def known(value: Any) -> bool:
    """Whether a value holds no number that is sought for."""
    if isinstance(value, Offset):
        return False
    return not isinstance(value, dict) or all(map(known, value.values()))


# The values of a formula's parts, and what is written for them: what explanations are made of (`trace`).

_ARITHMETIC = ("add", "subtract", "multiply", "divide", "negate", "max", "min", "absolute", "size", "max_of", "min_of")
_WRITTEN = ("number", "text", "label", "truth")
_OVER = ("set_of", "seq_of", "map_of", "count", "sum", "for_all", "there_is", "integers")


class Scope(NamedTuple):
    """Where a part stands: the given values, its page, its variables, what is written for them and the arguments that
    parameters stand for, and what was bound and chosen on the way to it.
    """

    values: Values
    page: str
    local: dict[str, Any]
    written: dict[str, str]
    arguments: "dict[str, tuple[Term, Scope]]"
    bound: dict[str, str]
    chosen: dict[str, str]


# Why a formula holds or fails: its evaluation, told part by part.
#
# A *for all* that fails is told by its first member that does, one that holds by all of them; a *there is* by its
# witness, or by what each member lacks; integers by numbers, or by a closed chain of differences; anything else by the
# values of its parts. Nothing is evaluated in another way than by `writer`.

MOST = 1000
"""So many instances are told of at most."""

_SIGNS = {
    "less": "<", "at_most": "<=", "greater": ">", "at_least": ">=", "equal": "=", "unequal": "!=", "member": "in",
    "not_member": "not in", "subset": "is a subset of", "empty": "is empty", "not_empty": "is not empty",
}  # fmt: skip


class Instance(Struct, frozen=True):
    """One case of a formula: what its variables stand for, the values of its parts, what they come to. With `asked`
    False it tells why a line is not asked. `what` is told where there is no formula.
    """

    bindings: dict[str, str]
    values: dict[str, str]
    formula: str
    asked: bool = True
    what: Fact | None = None


class Trace(NamedTuple):
    """Whether a formula holds, and the instances that show it: all that hold, or the first that fails. With `asked`
    False it holds because none of its lines is asked, and the instances tell why.
    """

    holds: bool
    instances: tuple[Instance, ...]
    asked: bool = True


class Tracer:
    """Explains formulas of one book. `own` makes the texts of values of the types that it names; all others are shown
    as they are written.
    """

    def __init__(self, book: Book, own: Mapping[str, Callable[[Any], str]]) -> None:
        self._book, self._own = book, own
        self._parts: dict[tuple[int, tuple[str, ...]], Callable[..., Any]] = {}

    def value(self, term: Term, frame: Scope) -> Any:
        """The value of a term where it stands; None where it is not defined."""
        key = id(term), tuple(frame.local)
        if key not in self._parts:
            self._parts[key] = part(term, key[1], self._book.values, self._book.definitions)
        return self._parts[key](frame.values, *frame.local.values())

    def text(self, term: Term, frame: Scope) -> str:
        """The term as it is written, what stands for the variables of definitions put in."""
        written = self._book.text(frame.page, term.span)
        if not frame.written:
            return written
        names = "|".join(map(re.escape, sorted(frame.written, key=len, reverse=True)))
        return re.sub(rf"(?<![\w'])(?:{names})(?![\w'])", lambda name: frame.written[name[0]], written)

    def show(self, type_: Type, value: Any) -> str:
        """The text of a value of this type; None is what is not defined."""
        if value is None:
            return "undefined"
        if type_.kind == "Bool":
            return str(value).lower()
        if type_.kind == "named":
            return self._named(type_.name, value)
        if type_.kind in ("set", "seq"):
            brackets = "{}" if type_.kind == "set" else "[]"
            return self._listed(brackets, (self.show(type_.args[0], one) for one in members(type_, value)), len(value))
        if type_.kind == "map":
            key, held = type_.args
            texts = (f"{self.show(key, one)} -> {self.show(held, value[one])}" for one in sorted(value))
            return self._listed("{}", texts, len(value))
        return str(value)

    def _listed(self, brackets: str, texts: Iterable[str], count: int) -> str:
        shown = [text for text, _ in zip(texts, range(MOST_SHOWN), strict=False)]
        more = f", … {count} in all" if count > MOST_SHOWN else ""
        return brackets[0] + ", ".join(shown) + more + brackets[1]

    def _named(self, name: str, value: Any) -> str:
        if name in self._own:
            return self._own[name](value)
        if name in self._book.types.records:
            fields = [type_ for _, type_ in self._book.types.records[name]]
            return f"{name}({', '.join(map(self.show, fields, value))})"
        head, *parts = value
        _, types = self._book.types.constructors[head]
        return f"{head}({', '.join(map(self.show, types, parts))})" if parts else str(head)

    def entered(self, term: Term, frame: Scope) -> Scope:
        """Inside a definition: its parameters have the values of the arguments, which are written in their places."""
        params = [name for name, _ in self._book.definitions[term.value].params]
        arguments = {name: (arg, frame) for name, arg in zip(params, term.args, strict=True)}
        local = {name: self.value(arg, frame) for name, (arg, _) in arguments.items()}
        texts = {name: self.text(arg, frame) for name, (arg, _) in arguments.items()}
        written = {name: text if _closed(text) else f"({text})" for name, text in texts.items()}
        return frame._replace(page=self._book.page_of(term.value), local=local, written=written, arguments=arguments)

    def case_of(self, term: Term, frame: Scope) -> tuple[Term, Scope] | None:
        """The value of the first case that fits, and where it stands."""
        for case in term.args:
            for inner, lacking in self.runs(case.steps, frame):
                if lacking is None:
                    chosen = {**inner.chosen, **self._options(case.steps, inner)}
                    return case.args[0], inner._replace(chosen=chosen)
        return None

    def _options(self, steps: tuple[Term, ...], frame: Scope) -> dict[str, str]:
        """The options that conditions ask for, which are given."""
        asked = [
            arg for step in steps for test in step.args for arg in (test, *test.args) if arg.type.kind == "options"
        ]
        return {arg.value: self.show(arg.type, self.value(arg, frame)) for arg in asked if arg.op == "given"}

    def runs(self, steps: tuple[Term, ...], frame: Scope) -> Iterator[tuple[Scope, Term | None]]:
        """Every way to run through the steps: where it leads, and the step that does not hold there, if any."""
        if not steps:
            yield frame, None
            return
        step, rest = steps[0], steps[1:]
        if step.op == "each":
            domain = step.args[0]
            for one in members(domain.type, self.value(domain, frame) or ()):
                yield from self.runs(rest, self._bind(frame, step.value, step.type, one))
            return
        value = self.value(step.args[0], frame)
        passed = frame if value else None
        inner = passed if step.op == "test" else self._match(step.args[1], value, frame)
        if inner is None:
            yield frame, step
        else:
            yield from self.runs(rest, inner)

    def _bind(self, frame: Scope, name: str, type_: Type, value: Any) -> Scope:
        shown = name
        while shown in frame.bound:
            shown += "'"
        written = frame.written if shown == name else {**frame.written, name: shown}
        bound = {**frame.bound, shown: self.show(type_, value)}
        return frame._replace(local={**frame.local, name: value}, written=written, bound=bound)

    def _match(self, pattern: Term, value: Any, frame: Scope) -> Scope | None:
        if value is None:
            return None
        if pattern.op == "bind":
            return self._bind(frame, pattern.value, pattern.type, value)
        if pattern.op == "same":
            return frame if value == self.value(pattern.args[0], frame) else None
        if pattern.op == "any":
            return frame
        if pattern.op == "construct":
            if value[0] != pattern.value:
                return None
            value = value[1:]
        for inner, held in zip(pattern.args, value, strict=True):
            matched = self._match(inner, held, frame)
            if matched is None:
                return None
            frame = matched
        return frame

    def readings(self, term: Term, frame: Scope, whole: bool = True) -> dict[str, str]:
        """The values of a term and of the parts that it is made of, by how they are written, the `whole` first."""
        if term.op in _WRITTEN or (term.op == "construct" and not term.args):
            return {}
        value = self.value(term, frame)
        if not known(value):
            return {}
        shown_by: dict[str, str] = {}
        text = self.text(term, frame)
        if term.type != BOOL and text not in frame.bound and (whole or term.op not in _ARITHMETIC):
            shown_by[text] = self._sum_of(term, frame) + self.show(term.type, value)
        for inner, place in self._made_of(term, frame):
            for name, shown in (*place.chosen.items(), *self.readings(inner, place, False).items()):
                shown_by.setdefault(name, shown)
        return shown_by

    def _read(self, frame: Scope, *terms: Term) -> dict[str, str]:
        """What was chosen on the way here, and the readings of these terms."""
        values = dict(frame.chosen)
        for term in terms:
            values.update(self.readings(term, frame))
        return values

    def _made_of(self, term: Term, frame: Scope) -> list[tuple[Term, Scope]]:
        """The parts of a term whose values tell how its own comes about, with their places."""
        if term.op in ("local", *_OVER):
            return [frame.arguments[term.value]] if term.value in frame.arguments else []
        if term.op in ("at", "item", "field", "dom"):  # whole tables tell less than what is looked up in them
            return [(arg, frame) for arg in term.args if arg.type.kind not in ("map", "seq", "named")]
        if term.op not in ("defined_name", "call"):
            return [(arg, frame) for arg in term.args]
        if term.type != INT:
            return []
        case = self.case_of(self._book.definitions[term.value].body, self.entered(term, frame))
        if case is None or case[0].op in ("count", "max_of", "min_of"):
            return []
        return [(arg, case[1]) for arg in case[0].args] if case[0].op in _ARITHMETIC else [case]

    def _sum_of(self, term: Term, frame: Scope) -> str:
        """The terms of a sum, joined by +, before its value."""
        if term.op != "sum":
            return ""
        terms = [self.value(term.args[0], inner) for inner, lacking in self.runs(term.steps, frame) if lacking is None]
        shown = [str(one) for one in terms if one is not None]
        return f"{' + '.join(shown)} = " if len(shown) > 1 else ""

    # Why a formula holds or fails

    def trace(self, name: str, values: Values) -> Trace:
        """Why what `name` defines, without parameters, holds for these values, or fails."""
        holds = bool(values.value(name))
        body = self._book.definitions[name].body
        instances = tuple(islice(self._why(body, self._outside(name, values), holds), MOST))
        asked = tuple(one for one in instances if one.asked)
        return Trace(holds, asked or instances, bool(asked))

    def left_out(self, name: str, text: str, values: Values) -> Trace:
        """Why the list of texts that `name` defines by cases is without this text for these values."""
        instances: list[Instance] = []
        for case in self._book.definitions[name].body.args:
            for inner, lacking in self.runs(case.steps, self._outside(name, values)):
                if lacking is None:
                    for step in case.steps:
                        instances += islice(self._why(step.args[0], inner, True), 1)
                    return Trace(True, tuple(instances), asked=False)
                if text in texts(case.args[0]):
                    instances += self._skips(lacking, inner)
        return Trace(True, tuple(instances), asked=False)

    def _outside(self, name: str, values: Values) -> Scope:
        return Scope(values, self._book.page_of(name), {}, {}, {}, {}, {})

    def _why(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        """The instances that show that `term` holds, or that it fails."""
        rule = getattr(self, "_" + term.op, None)
        return self._atom(term, frame, holds) if rule is None else rule(term, frame, holds)

    def _and(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        telling = (arg for arg in term.args if self.value(arg, frame) == holds)
        for arg in islice(telling, None if holds == (term.op == "and") else 1):
            yield from self._why(arg, frame, holds)

    _or = _and

    def _not(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        said = f"{self.text(term, frame)} is {str(holds).lower()}"
        for one in self._why(term.args[0], frame, not holds):
            yield replace(one, formula=f"{one.formula}; {said}")

    def _iff(self, term: Term, frame: Scope, _holds: bool) -> Iterator[Instance]:
        for arg in term.args:
            yield from self._why(arg, frame, bool(self.value(arg, frame)))

    def _choice(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        test, yes, no = term.args
        met = bool(self.value(test, frame))
        yield from self._why(test, frame, met)
        yield from self._why(yes if met else no, frame, holds)

    def _rebind(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        body, given = term.args
        value = self.value(given, frame)
        values = frame.values.given({term.value: value})
        bound = {**frame.bound, term.value: self.show(given.type, value)}
        return self._why(body, frame._replace(values=values, bound=bound), holds)

    def _for_all(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
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

    def _there_is(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        some = not holds and all(step.op != "each" for step in term.steps)
        for inner, lacking in self.runs(term.steps, frame):
            if holds and lacking is None:
                values = self._read(inner, *(step.args[0] for step in term.steps))
                yield Instance(inner.bound, values, f"{self.text(term, frame)} is true")
                return
            if not holds and lacking is not None:
                some = True
                yield from self._lacks(lacking, inner)
        if not some:
            yield Instance(frame.bound, frame.chosen, f"{self.text(term, frame)} is false: no member")

    def _lacks(self, step: Term, frame: Scope) -> Iterator[Instance]:
        """Why a condition does not hold: the first instance."""
        if step.op == "test":
            yield from islice(self._why(step.args[0], frame, False), 1)
            return
        said = self._unlike(step, frame) or f"{self.text(step, frame)} is false"
        yield Instance(frame.bound, self._read(frame, step.args[0]), said)

    def _unlike(self, step: Term, frame: Scope) -> str:
        """That a value is none of a kind that it is asked to be, "" where it is or nothing like that is asked."""
        if step.op != "match":
            return ""
        first, pattern = step.args[:2]
        value = self.value(first, frame)
        if value is not None and (pattern.op != "construct" or value[0] == pattern.value):
            return ""
        return f"{self.text(first, frame)} is {'undefined' if value is None else f'no {pattern.value}'}"

    def _skips(self, step: Term, frame: Scope) -> Iterator[Instance]:
        """Why a line is not asked under this condition."""
        first = step.args[0]
        if said := self._unlike(step, frame):
            yield Instance(frame.bound, self._read(frame, first), said, asked=False)
            return
        fails = f"; {first.value} fails first" if first.value in self._book.headings else ""
        for one in islice(self._lacks(step, frame), 1):
            yield replace(one, formula=one.formula + fails, asked=False)

    def _integers(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        body, where, *bounds = term.args
        system = System(self.value(where, frame), *(self.value(bound, frame) for bound in bounds))
        name = term.value
        written = {**frame.written, name: name}
        inner = frame._replace(local={**frame.local, name: system.numbers}, written=written)
        if not self.value(body, inner):
            yield from self._why(body, inner, False)
            return

        def named(vertex: Any) -> str:
            return f"{name}({self.show(where.type.args[0], vertex)})"

        values = self._read(frame, where)
        if holds:
            values.update((named(vertex), str(number)) for vertex, number in system.solution().items())
            yield Instance(frame.bound, values, f"{self.text(term, frame)} is true")
        else:
            yield Instance(frame.bound, values, f"{system.chain(named)} for no integers")

    def _defined_name(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        definition = self._book.definitions[term.value]
        return self._why(definition.body, self.entered(term, frame), holds)

    _call = _defined_name

    def _cases(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        met = self.case_of(term, frame)
        if met is None:
            for case in term.args:
                for inner, lacking in self.runs(case.steps, frame):
                    if lacking is not None:
                        yield from self._lacks(lacking, inner)
            return
        yield from self._why(*met, holds)

    def _atom(self, term: Term, frame: Scope, holds: bool) -> Iterator[Instance]:
        values = self._read(frame, *(term.args or (term,)))
        shown, said = [self.show(arg.type, self.value(arg, frame)) for arg in term.args], self.text(term, frame)
        if len(shown) == 2:
            said = f"{shown[0]} {_SIGNS[term.op]} {shown[1]}"
        elif term.op in ("empty", "not_empty"):
            (arg,) = term.args
            held = self.value(arg, frame)
            one = self.show(arg.type.args[0], next(iter(members(arg.type, held)))) if held else ""
            said = f"{one} in {self.text(arg, frame)}; {said}" if held else f"{shown[0]} {_SIGNS[term.op]}"
        if term.op == "subset" and not holds:
            one, other = (self.value(arg, frame) for arg in term.args)
            if one is not None and other is not None:
                left = self.show(term.args[0].type, frozenset(one) - frozenset(other))
                values[f"{self.text(term.args[0], frame)} - {self.text(term.args[1], frame)}"] = left
        yield Instance(frame.bound, values, f"{said} is {str(holds).lower()}")


def _closed(text: str) -> bool:
    """Whether a text can stand in any place without brackets of its own: no sign is outside of brackets."""
    count = 1
    while count:
        text, count = re.subn(r"\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]|\|[^|]*\|", "", text)
    return not re.search(r"[-+*/=<>]| (?:and|or|given|with) ", text)


def texts(term: Term) -> set[str]:
    """The texts that a term names."""
    return ({term.value} if term.op == "text" else set()).union(*map(texts, term.args))
