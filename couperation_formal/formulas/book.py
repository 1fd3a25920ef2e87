"""The formulas of the specification's pages: found inside fences, typed and checked together, and made to run."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple, NoReturn

from couperation_formal.formulas import syntax
from couperation_formal.formulas.syntax import ANY, BOOL, INT, Definition, FormulaError, Given, Node, Term, Type, Types
from couperation_formal.formulas.writer import Values, compiled
from couperation_formal.game.record import Span

Scope = Mapping[str, Type]
"""The types of the variables that are known at a place."""


def fail(node: Node, message: str) -> NoReturn:
    """Raise the error that this part is wrong."""
    raise FormulaError(node.span, message)


def strict(op: str, type_: Type, args: tuple[Term, ...], value: str = "") -> Term:
    """A term that may be undefined where one of its parts may."""
    return Term(op, type_, args, value, partial=any(arg.partial for arg in args))


_ARITHMETIC = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
_COMPARISONS = {"<": "less", "<=": "at_most", ">": "greater", ">=": "at_least"}


class Checker:
    """The type checker: one rule for each kind of node.

    Definitions are checked when they are first asked for, so that their order on the pages is free; one that needs
    itself is refused.
    """

    def __init__(self, types: Types, givens: dict[str, Node], definitions: dict[str, Node]) -> None:
        self.types = types
        self.given_nodes, self.definition_nodes = givens, definitions
        self.givens: dict[str, Given] = {}
        self.definitions: dict[str, Definition] = {}
        self._open: list[str] = []
        self.used: set[tuple[str, int]] = set()
        self.bound: list[tuple[str, Node]] = []

    # Names

    def given(self, name: str) -> Given:
        """The given name, its type read and its value checked."""
        if name not in self.givens:
            node = self.given_nodes[name]
            if node.op == "options":
                return self.givens.setdefault(name, Given(name, Type("options", (), name), False, None))
            type_ = self.types.read(node.args[1])
            rest = [arg for arg in node.args[2:] if arg.op != "word"]
            default = self.term(rest[0], {}) if rest else None
            if default is not None and not default.type.fits(type_):
                fail(rest[0], f"{name} is {in_words(type_)}, and this is {in_words(default.type)}")
            self.givens[name] = Given(name, type_, any(arg.op == "word" for arg in node.args[2:]), default)
        return self.givens[name]

    def definition(self, name: str) -> Definition:
        """The definition of this name, checked."""
        if name not in self.definitions:
            node = self.definition_nodes[name]
            if name in self._open:
                circle = " -> ".join([*self._open[self._open.index(name) :], name])
                fail(node.args[0], f"{name} is defined by itself: {circle}")
            self._open.append(name)
            outer, self.bound = self.bound, []
            try:
                self.definitions[name] = self._define(name, node)
                for variable, place in self.bound:
                    if (variable, place.span.start) not in self.used:
                        fail(place, f"{variable} is bound here and never used; write _ for any value")
            except FormulaError as error:
                error.name = error.name or name
                raise
            self.bound = outer
            self._open.pop()
        return self.definitions[name]

    def _define(self, name: str, node: Node) -> Definition:
        if node.op == "clause":
            return Definition(name, (), self.lines(node.args, {}, node))
        head, body = node.args
        scope: dict[str, Type] = {}
        if head.op == "relation":
            params = [(head.args[0], INT), (head.args[2], INT)]
        else:
            params = [(param, self.types.read(param.args[1])) for param in head.args[1:]]
        for param, type_ in params:
            self.new(param.value, param, scope)
            scope[param.value] = type_
        if body.op == "block":
            return Definition(name, tuple(scope.items()), self._block(body, scope))
        cases = [self._case(case, scope) for case in body.args]
        type_ = cases[0].type
        for case, said in zip(body.args, cases, strict=True):
            if not said.type.fits(type_):
                fail(case.args[0], f"{name} is {in_words(type_)} in its first case, and {in_words(said.type)} here")
            type_ = type_.joined(said.type)
        whole = any(not case.steps for case in cases)
        partial = type_ != BOOL and (not whole or any(case.args[0].partial for case in cases))
        return Definition(name, tuple(scope.items()), Term("cases", type_, tuple(cases), "", (), partial, node.span))

    def _case(self, node: Node, scope: Scope) -> Term:
        steps: tuple[Term, ...] = ()
        if len(node.args) > 1 and node.args[1].op == "conditions":
            steps, scope = self.conditions(node.args[1].args, scope)
        value = self.term(node.args[0], scope)
        return Term("case", value.type, (value,), "", steps, value.partial, node.span)

    def new(self, name: str, node: Node, scope: Scope) -> None:
        """Refuse a variable whose name means something already."""
        if self.known(name, scope) or name in self.types.records or name in self.types.fields:
            fail(node, f"{name} has a meaning already; choose another name here")

    # Lines and conditions

    def lines(self, nodes: tuple[Node, ...], scope: Scope, node: Node) -> Term:
        """Lines that hold together."""
        parts = tuple(self.truth(line, scope) for line in nodes)
        return parts[0] if len(parts) == 1 else Term("and", BOOL, parts, span=node.span)

    def _formula(self, node: Node, scope: Scope) -> Term:
        return self.lines(node.args[0].args, scope, node)

    def _block(self, node: Node, scope: Scope) -> Term:
        return self.lines(node.args, scope, node)

    def _guarded(self, node: Node, scope: Scope) -> Term:
        head, body = node.args
        steps, inner = self.binders(head, scope) if head.op == "binders" else self.conditions(head.args, scope)
        return Term("for_all", BOOL, (self.truth(body, inner),), steps=steps)

    _for_all = _guarded

    def conditions(self, nodes: tuple[Node, ...], scope: Scope) -> tuple[tuple[Term, ...], Scope]:
        """The conditions in their order; each sees what patterns before it bind."""
        steps: list[Term] = []
        for node in nodes:
            for part in _conjuncts(node):
                if part.op == "equal" and self.binds(part.args[1], scope):
                    scrutinee = self.term(part.args[0], scope)
                    scope = dict(scope)
                    pattern = self.pattern(part.args[1], scrutinee.type, scope)
                    steps.append(Term("match", BOOL, (scrutinee, pattern), span=part.span))
                else:
                    steps.append(Term("test", BOOL, (self.truth(part, scope),), span=part.span))
        return tuple(steps), scope

    def binders(self, node: Node, scope: Scope) -> tuple[tuple[Term, ...], Scope]:
        """Quantified variables with their domains and conditions, and the names known under them."""
        steps: list[Term] = []
        for part in node.args:
            if part.op == "conditions":
                more, scope = self.conditions(part.args, scope)
                steps += more
                continue
            domain = self.of_kind(part.args[-1], scope, "set seq")
            scope = dict(scope)
            for word in part.args[:-1]:
                self.new(word.value, word, scope)
                scope[word.value] = domain.type.args[0]
                steps.append(Term("each", domain.type.args[0], (domain,), word.value, span=word.span))
        return tuple(steps), scope

    # Patterns

    def binds(self, node: Node, scope: Scope) -> bool:
        """Whether this is a pattern: a constructor or record with a new name or ``_`` inside."""
        if node.op == "name":
            return node.value == "_"
        if node.op != "apply" or node.args[0].op != "name":
            return False
        name = node.args[0].value
        if name not in self.types.constructors and name not in self.types.records:
            return False
        return any(
            (arg.op == "name" and not self.known(arg.value, scope)) or self.binds(arg, scope) for arg in node.args[1:]
        )

    def known(self, name: str, scope: Scope) -> bool:
        """Whether a name stands for a value here."""
        places = (scope, self.given_nodes, self.definition_nodes, self.types.constructors)
        return any(name in place for place in places)

    def pattern(self, node: Node, type_: Type, scope: dict[str, Type]) -> Term:
        """A pattern for values of this type; the names that it binds are added to `scope`."""
        if node.op == "name" and node.value == "_":
            return Term("any", type_, span=node.span)
        if node.op == "name" and not self.known(node.value, scope):
            self.new(node.value, node, scope)
            scope[node.value] = type_
            self.bound.append((node.value, node))
            return Term("bind", type_, (), node.value, span=node.span)
        if not self.binds(node, scope):
            return Term("same", type_, self.fitting((node,), (type_,), scope), span=node.span)
        name = node.args[0].value
        op, made, fields = self.shape(name)
        if type_ != made:
            fail(node, f"{name} makes {in_words(made)}, and {in_words(type_)} is compared with it")
        self.arity(node, name, len(node.args) - 1, len(fields))
        parts = tuple(self.pattern(arg, field, scope) for arg, field in zip(node.args[1:], fields, strict=True))
        return Term(op, type_, parts, name, span=node.span)

    def shape(self, name: str) -> tuple[str, Type, tuple[Type, ...]]:
        """Whether this is a record or a constructor (`Term.op`), the type that it makes, and those of its fields."""
        if name in self.types.records:
            return "record", Type("named", (), name), tuple(type_ for _, type_ in self.types.records[name])
        owner, fields = self.types.constructors[name]
        return "construct", Type("named", (), owner), fields

    def arity(self, node: Node, name: str, count: int, wanted: int) -> None:
        """Refuse another number of arguments."""
        if count != wanted:
            takes = f"{wanted or 'no'} argument{'s' if wanted > 1 else ''}"
            fail(node, f"{name} takes {takes}, and {count or 'none'} {'is' if count == 1 else 'are'} given")

    # Terms

    def of_kind(self, node: Node, scope: Scope, kinds: str, said: str = "a set or a sequence is wanted here") -> Term:
        """The term of a node whose type is of one of these kinds; of any other one it is `said` why it is refused."""
        term = self.term(node, scope)
        if term.type.kind not in kinds.split():
            fail(node, f"{said}, and this is {in_words(term.type)}")
        return term

    def truth(self, node: Node, scope: Scope) -> Term:
        """The term of a formula that is true or false."""
        return self.of_kind(node, scope, "Bool", f"{in_words(BOOL)} is wanted here")

    def integer(self, node: Node, scope: Scope) -> Term:
        """The term of a number."""
        return self.of_kind(node, scope, "Int", f"{in_words(INT)} is wanted here")

    def term(self, node: Node, scope: Scope) -> Term:
        """The typed term of a node in which the names of `scope` are known. Raises `FormulaError`."""
        name = "arithmetic" if node.op in _ARITHMETIC else node.op
        rule: Callable[[Node, Scope], Term] = getattr(self, f"_{name}")
        term = rule(node, scope)
        return term if term.span.end else term._replace(span=node.span)

    def _number(self, node: Node, _scope: Scope) -> Term:
        return Term("number", INT, (), node.value)

    def _text(self, node: Node, _scope: Scope) -> Term:
        return Term("text", Type("Text"), (), node.value[1:-1])

    def _name(self, node: Node, scope: Scope) -> Term:
        name = node.value
        if name in ("true", "false"):
            return Term("truth", BOOL, (), name)
        if name in scope:
            self.used |= {(name, place.span.start) for bound, place in self.bound if bound == name}
            return Term("local", scope[name], (), name)
        if name in self.given_nodes:
            given = self.given(name)
            return Term("given", given.type, (), name, partial=given.partial)
        if name in self.definition_nodes:
            return self._called(node, name, (), scope)
        if name in self.types.constructors:
            return self._constructed(node, name, (), scope)
        known = [*scope, *self.given_nodes, *self.definition_nodes, *self.types.constructors, *self.types.fields]
        near = get_close_matches(name, known, 1)
        return fail(node, f"{name} is not known here" + (f"; is {near[0]} meant?" if near else ""))

    def _apply(self, node: Node, scope: Scope) -> Term:
        callee = node.args[0]
        name = callee.value
        if callee.op in ("word", "name"):
            if name in ("max", "min"):
                return self._extreme(node, name, scope)
            if name in self.definition_nodes and name not in scope:
                params = self.definition(name).params
                if params or not node.args[1:]:
                    return self._called(node, name, node.args[1:], scope)
            if name in self.types.constructors or name in self.types.records:
                return self._constructed(node, name, node.args[1:], scope)
            if name in self.types.fields:
                return self._field(node, name, scope)
            callee = callee._replace(op="name")
        value = self.term(callee, scope)
        if value.type.kind not in ("map", "seq"):
            fail(callee, f"this is {in_words(value.type)}, and cannot be applied")
        if len(node.args) != 2:
            fail(node, f"{in_words(value.type)} is applied to one argument")
        op, wanted = ("at", value.type.args[0]) if value.type.kind == "map" else ("item", INT)
        args = value, *self.fitting(node.args[1:], (wanted,), scope)
        return Term(op, value.type.args[-1], args, partial=True)

    def _called(self, node: Node, name: str, args: tuple[Node, ...], scope: Scope) -> Term:
        params, body = self.definition(name)[1:]
        self.arity(node, name, len(args), len(params))
        terms = self.fitting(args, [type_ for _, type_ in params], scope)
        partial = body.type != BOOL and (body.partial or any(term.partial for term in terms))
        return Term("call" if terms else "defined_name", body.type, terms, name, partial=partial)

    def _constructed(self, node: Node, name: str, args: tuple[Node, ...], scope: Scope) -> Term:
        op, made, fields = self.shape(name)
        self.arity(node, name, len(args), len(fields))
        return strict(op, made, self.fitting(args, fields, scope), name)

    def fitting(self, nodes: tuple[Node, ...], wanted: Sequence[Type], scope: Scope) -> tuple[Term, ...]:
        """The terms of nodes, each of the type that is wanted there."""
        terms = tuple(self.term(arg, scope) for arg in nodes)
        for arg, term, type_ in zip(nodes, terms, wanted, strict=True):
            if not term.type.fits(type_):
                fail(arg, f"{in_words(type_)} is wanted here, and this is {in_words(term.type)}")
        return terms

    def _field(self, node: Node, name: str, scope: Scope) -> Term:
        owner, place, type_ = self.types.fields[name]
        self.arity(node, name, len(node.args) - 1, 1)
        return strict("field", type_, self.fitting(node.args[1:], [Type("named", (), owner)], scope), str(place))

    def _extreme(self, node: Node, name: str, scope: Scope) -> Term:
        first, *others = node.args[1:]
        term = self.term(first, scope)
        if not others and term.type.kind in ("set", "seq") and term.type.args[0].fits(INT):
            return Term(name + "_of", INT, (term,), partial=True)
        return strict(name, INT, tuple(self.integer(arg, scope) for arg in node.args[1:]))

    def _arithmetic(self, node: Node, scope: Scope) -> Term:
        left, right = terms = self.term(node.args[0], scope), self.term(node.args[1], scope)
        kinds, sign = (left.type.kind, right.type.kind), _ARITHMETIC[node.op]
        if kinds == ("Int", "Int"):
            zero = sign == "/" and (right.op != "number" or int(right.value) == 0)
            return Term(node.op, INT, terms, partial=zero or left.partial or right.partial)
        if sign == "-" and kinds == ("map", "set") and left.type.args[0].fits(right.type.args[0]):
            return strict("map_without", left.type, terms)
        if kinds[0] == kinds[1] and kinds[0] in ("set", "map", "seq") and left.type.fits(right.type):
            op = {"set+": "union", "set-": "without", "map+": "over", "seq+": "then"}.get(kinds[0] + sign)
            if op is not None:
                return strict(op, left.type.joined(right.type), terms)
        return fail(node, f"{sign} does not join {in_words(left.type)} and {in_words(right.type)}")

    def _negate(self, node: Node, scope: Scope) -> Term:
        type_ = Type("set", (INT,)) if node.op == "range" else INT
        return strict(node.op, type_, tuple(self.integer(arg, scope) for arg in node.args))

    _range = _negate

    def _size(self, node: Node, scope: Scope) -> Term:
        term = self.term(node.args[0], scope)
        if term.type.kind not in ("Int", "set", "seq", "map"):
            fail(node, f"|…| is of a number, a set, a sequence or a map, and this is {in_words(term.type)}")
        return strict("absolute" if term.type == INT else "size", INT, (term,))

    def _dom(self, node: Node, scope: Scope) -> Term:
        term = self.of_kind(node.args[0], scope, "map seq", "dom is of a map or a sequence")
        op, keys = ("dom", term.type.args[0]) if term.type.kind == "map" else ("places", INT)
        return strict(op, Type("set", (keys,)), (term,))

    def _subsets(self, node: Node, scope: Scope) -> Term:
        term = self.of_kind(node.args[0], scope, "set", "subsets are of a set")
        return strict("subsets", Type("set", (term.type,)), (term,))

    # Truth

    def _and(self, node: Node, scope: Scope) -> Term:
        return Term(node.op, BOOL, tuple(self.truth(arg, scope) for arg in node.args))

    _or = _iff = _not = _and

    def _compare(self, node: Node, scope: Scope) -> Term:
        terms = self.integer(node.args[0], scope), self.integer(node.args[2], scope)
        return Term(_COMPARISONS[node.args[1].value], BOOL, terms)

    def _related(self, node: Node, scope: Scope) -> Term:
        left, sign, right = node.args
        if sign.value not in self.definition_nodes:
            fail(sign, f"{sign.value} is not defined; a blank after < means that less than is meant")
        return self._called(node, sign.value, (left, right), scope)

    def _equal(self, node: Node, scope: Scope) -> Term:
        if self.binds(node.args[1], scope):
            scrutinee = self.term(node.args[0], scope)
            inner = dict(scope)
            pattern = self.pattern(node.args[1], scrutinee.type, inner)
            if len(inner) > len(scope):
                new = next(name for name in inner if name not in scope)
                fail(node.args[1], f"{new} is not known here; only a condition can bind it")
            match = Term("there_is", BOOL, steps=(Term("match", BOOL, (scrutinee, pattern)),), span=node.span)
            return match if node.op == "equal" else Term("not", BOOL, (match,))
        left = self.term(node.args[0], scope)
        right = self._label(node.args[1], left.type) or self.term(node.args[1], scope)
        if not left.type.fits(right.type):
            fail(node, f"{in_words(left.type)} is compared with {in_words(right.type)}")
        return Term(node.op, BOOL, (left, right))

    _unequal = _equal

    def _label(self, node: Node, type_: Type) -> Term | None:
        if type_.kind != "options" or node.op not in ("name", "number"):
            return None
        options = self.types.options[type_.name]
        if node.value not in options:
            fail(node, f"{type_.name} has no option {node.value}; options: {', '.join(options)}")
        return Term("label", type_, (), node.value, span=node.span)

    def _member(self, node: Node, scope: Scope) -> Term:
        left, right = self.term(node.args[0], scope), self.of_kind(node.args[1], scope, "set seq")
        (members,) = right.type.args
        if not left.type.fits(members):
            fail(node, f"{in_words(left.type)} is looked for among members that are {in_words(members)}")
        return Term(node.op, BOOL, (left, right))

    _not_member = _member

    def _subset(self, node: Node, scope: Scope) -> Term:
        left, right = (self.term(arg, scope) for arg in node.args)
        if left.type.kind != "set" or right.type.kind != "set" or not left.type.fits(right.type):
            fail(node, f"two sets of one type are wanted here, not {in_words(left.type)} and {in_words(right.type)}")
        return Term("subset", BOOL, (left, right))

    def _empty(self, node: Node, scope: Scope) -> Term:
        term = self.term(node.args[0], scope)
        if term.type.kind not in ("set", "seq", "map"):
            fail(node.args[0], f"{in_words(term.type)} is neither empty nor not")
        return Term(node.op, BOOL, (term,))

    _not_empty = _empty

    def _defined(self, node: Node, scope: Scope) -> Term:
        return Term("defined", BOOL, (self.term(node.args[0], scope),))

    def _choice(self, node: Node, scope: Scope) -> Term:
        test, yes, no = self.truth(node.args[0], scope), self.term(node.args[1], scope), self.term(node.args[2], scope)
        if not yes.type.fits(no.type):
            fail(node, f"the two values are {in_words(yes.type)} and {in_words(no.type)}")
        return strict("choice", yes.type.joined(no.type), (test, yes, no))

    def _rebind(self, node: Node, scope: Scope) -> Term:
        body, word, value = self.term(node.args[0], scope), node.args[1], self.term(node.args[2], scope)
        if word.value not in self.given_nodes:
            fail(word, f"{word.value} is not given, so that no other value can be given for it")
        given = self.given(word.value)
        if not value.type.fits(given.type):
            fail(node.args[2], f"{word.value} is {in_words(given.type)}, and this is {in_words(value.type)}")
        if value.partial and not given.partial:
            fail(node.args[2], f"{word.value} always has a value, and this may be undefined")
        return Term("rebind", body.type, (body, value), word.value, partial=body.partial)

    # Collections

    def _alike(self, nodes: tuple[Node, ...], scope: Scope) -> tuple[tuple[Term, ...], Type]:
        terms = tuple(self.term(arg, scope) for arg in nodes)
        type_ = ANY
        for arg, term in zip(nodes, terms, strict=True):
            if not term.type.fits(type_):
                fail(arg, f"the members before this one are {in_words(type_)}, and this is {in_words(term.type)}")
            type_ = type_.joined(term.type)
        return terms, type_

    def _hashed(self, type_: Type, node: Node) -> Type:
        if not self.types.hashable(type_):
            fail(node, f"{in_words(type_)} holds a map and cannot be a member or a key")
        return type_

    def _set(self, node: Node, scope: Scope) -> Term:
        terms, type_ = self._alike(node.args, scope)
        return Term("set", Type("set", (self._hashed(type_, node),)), terms)

    def _seq(self, node: Node, scope: Scope) -> Term:
        terms, type_ = self._alike(node.args, scope)
        return strict("seq", Type("seq", (type_,)), terms)

    def _map(self, node: Node, scope: Scope) -> Term:
        keys, key = self._alike(tuple(pair.args[0] for pair in node.args), scope)
        values, value = self._alike(tuple(pair.args[1] for pair in node.args), scope)
        type_ = Type("map", (self._hashed(key, node), value))
        return Term("map", type_, (*keys, *values))

    def _set_of(self, node: Node, scope: Scope) -> Term:
        steps, inner = self.binders(node.args[1], scope)
        term = self.term(node.args[0], inner)
        kind = node.op.removesuffix("_of")
        type_ = self._hashed(term.type, node) if kind == "set" else term.type
        return Term(node.op, Type(kind, (type_,)), (term,), steps=steps)

    _seq_of = _set_of

    def _map_of(self, node: Node, scope: Scope) -> Term:
        steps, inner = self.binders(node.args[1], scope)
        key, value = (self.term(arg, inner) for arg in node.args[0].args)
        type_ = Type("map", (self._hashed(key.type, node), value.type))
        return Term("map_of", type_, (key, value), steps=steps)

    def _those(self, node: Node, scope: Scope) -> Term:
        first, conditions = node.args
        if first.op != "member" or first.args[0].op != "name":
            fail(first, "'{x in S with …}' is wanted here: a new name, 'in', and a set")
        word = first.args[0].args[0]
        binders = Node("binders", (Node("binder", (word, first.args[1]), first.span), conditions), node.span)
        return self._set_of(Node("set_of", (first.args[0], binders), node.span), scope)

    def _there_is(self, node: Node, scope: Scope) -> Term:
        steps, _ = self.binders(node.args[0], scope)
        return Term(node.op, INT if node.op == "count" else BOOL, steps=steps)

    _count = _there_is

    def _sum_of(self, node: Node, scope: Scope) -> Term:
        steps, inner = self.binders(node.args[1], scope)
        return Term("sum", INT, (self.integer(node.args[0], inner),), steps=steps)

    def _integers(self, node: Node, scope: Scope) -> Term:
        word, where = node.args[0], self.of_kind(node.args[1], scope, "set", "a set is wanted here")
        self.new(word.value, word, scope)
        type_ = Type("map", (where.type.args[0], INT))
        bounds = [self.term(bound, scope) for bound in node.args[2:-1]]
        if any(bound.op != "range" or bound.partial for bound in bounds):
            fail(node.args[2], "bounds are written as lowest..greatest")
        body = self.truth(node.args[-1], {**scope, word.value: type_})
        ends = (end for bound in bounds for end in bound.args)
        sought = Term("integers", BOOL, (body, where, *ends), word.value)
        syntax.check_differences(sought, self.definition)
        return sought


def _conjuncts(node: Node) -> list[Node]:
    if node.op == "and":
        return [part for arg in node.args for part in _conjuncts(arg)]
    return [node]


_SAID = {"Int": "a number", "Bool": "a formula that holds or not", "Text": "a text", "any": "of any type"}


def in_words(type_: Type) -> str:
    """A type in words."""
    if type_.kind in ("set", "seq", "map"):
        return f"a {type_}"
    article = "an option of" if type_.kind == "options" else "an" if type_.name[:1] in "AEIOU" else "a"
    return _SAID.get(type_.kind) or f"{article} {type_.name}"


# Pages with formulas.

_FENCE = re.compile(r"^```formula *\n(.*?)^``` *$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (\w+) · (.+)$", re.MULTILINE)


class BookError(ValueError):
    """A formula of a book that has no meaning: its text says where, with the line and a caret. `span` is the place on
    `page`, `message` what is wrong there.
    """

    def __init__(self, page: str, text: str, error: FormulaError) -> None:
        super().__init__(syntax.shown(page, text, error))
        self.page, self.span, self.message = page, error.span, str(error)


class Heading(NamedTuple):
    """A heading ``name · title``: the formulas under it, one and all, are what `name` stands for."""

    name: str
    title: str
    page: str
    start: int


class Book:
    """Pages with formulas. `options` are given names that stand for one of several options each.

    `kept` is what they say where it was kept. Raises `BookError` where a formula cannot be read or has no meaning.
    Cost: some 0.2 s for 100 definitions, next to nothing where they were kept.
    """

    def __init__(self, pages: Mapping[str, str], options: syntax.Options, kept: syntax.Kept | None = None) -> None:
        self._pages = dict(pages)
        self._formulas = {page: _masked(text) for page, text in pages.items()}
        self.items: syntax.Items = {} if kept is None else kept.items
        self._page_of: dict[str, str] = {}
        self.headings: dict[str, Heading] = {}
        self._definitions: dict[str, Node] = {}
        self._lines: dict[str, list[Node]] = {}
        self.types = Types(options)
        self._givens = {name: Node("options", (), Span(0, 0), name) for name in options}
        checker = Checker(self.types, self._givens, self._definitions)
        declared: list[Node] = []
        page = ""
        try:
            for page in self._pages:
                self._read(page, declared)
            for name, lines in self._lines.items():
                page, span = self.headings[name].page, Span(lines[0].span.start, lines[-1].span.end)
                self._name(name, Node("clause", tuple(lines), span, name), self._definitions, page)
            self.types.declare(declared)
            for name in (*self._givens, *self._definitions) if kept is None else ():
                page = self._page_of.get(name, page)
                checker.given(name) if name in self._givens else checker.definition(name)
        except FormulaError as error:
            page = self._page_of.get(error.name, page)
            raise BookError(page, self._pages[page], error) from None
        self._declared = {node.value: node for node in declared}
        self.givens: dict[str, Given] = checker.givens if kept is None else kept.givens
        self.definitions: dict[str, Definition] = checker.definitions if kept is None else kept.definitions

    def _read(self, page: str, declared: list[Node]) -> None:
        found = _HEADING.finditer(self._pages[page])
        headings = [Heading(match[1], match[2], page, match.start()) for match in found]
        self.headings.update((heading.name, heading) for heading in headings)
        if page not in self.items:
            from couperation_formal.formulas.reading import parse

            self.items[page] = parse(self._formulas[page])
        for item in self.items[page]:
            if item.op == "typedecl":
                declared.append(item)
                self._page_of["type " + item.value] = page
            elif item.op == "given":
                self._name(item.value, item, self._givens, page)
            elif item.op == "definition":
                head = item.args[0]
                self._name(head.args[1].value if head.op == "relation" else head.value, item, self._definitions, page)
            else:
                above = [heading for heading in headings if heading.start < item.span.start]
                if not above:
                    raise FormulaError(item.span, "this formula stands under no heading that names it: 'name · title'")
                self._lines.setdefault(above[-1].name, []).append(item)

    def _name(self, name: str, node: Node, names: dict[str, Node], page: str) -> None:
        if name in self._givens or name in self._definitions:
            raise FormulaError(node.span, f"{name} has a meaning already")
        names[name] = node
        self._page_of[name] = page

    def page_of(self, name: str) -> str:
        """The page that declares or defines a name."""
        return self._page_of[name] if name in self._page_of else self._page_of["type " + name]

    def under(self, name: str) -> str:
        """The heading ``name · title`` under which a definition stands, the empty text where there is none above it."""
        page, start = self._page_of[name], self._definitions[name].span.start
        above = [heading for heading in self.headings.values() if heading.page == page and heading.start < start]
        return max(above, key=lambda heading: heading.start).name if above else ""

    def source(self, name: str) -> str:
        """What declares or defines a name, as it is written; the empty text for a name that is not of the book."""
        if name in self.headings:
            return self.headings[name].title
        owner = self.types.owner(name)
        node = self._definitions.get(name) or self._givens.get(name) or self._declared.get(owner)
        if node is None or node.op == "options":
            return ", ".join(self.types.options.get(name, ()))
        page = self._page_of["type " + owner if node.op == "typedecl" else name]
        return self._formulas[page][node.span.start : node.span.end].rstrip()

    def type_of(self, name: str) -> Type:
        """The type of a given or defined name; of a definition with parameters that of its value."""
        return self.givens[name].type if name in self.givens else self.definitions[name].body.type

    def text(self, page: str, span: Span) -> str:
        """A part of a page's formulas as it is written, in one line and without remarks."""
        return " ".join(re.sub(r"--[^\n]*", "", self._formulas[page][span.start : span.end]).split())

    @cached_property
    def values(self) -> type[Values]:
        """The class of tables of values of this book's names; compiled when first asked for."""
        return compiled(self.givens, self.definitions)


def _masked(text: str) -> str:
    """The formulas of a page at their places, all else blank."""
    kept = list("\n".join(" " * len(line) for line in text.split("\n")))
    for fence in _FENCE.finditer(text):
        kept[fence.start(1) : fence.end(1)] = fence[1]
    return "".join(kept)
