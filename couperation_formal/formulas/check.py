"""The type checker, first part: names, definitions, lines, conditions and patterns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import NoReturn

from couperation_formal.formulas.syntax import (
    BOOL,
    INT,
    Definition,
    FormulaError,
    Given,
    Node,
    Term,
    Type,
    Types,
    fits,
    joined,
)

Scope = Mapping[str, Type]
"""The types of the variables that are known at a place."""


def fail(node: Node, message: str) -> NoReturn:
    """Raise the error that this part is wrong."""
    raise FormulaError(node.span, message)


class Definitions(ABC):
    """Checks definitions when they are first asked for, so that their order on the pages is free; one that needs itself
    is refused. `terms.Checker` adds the rules for terms.
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
                self.givens[name] = Given(name, Type("options", (), name), False, None)
                return self.givens[name]
            type_ = self.types.read(node.args[1])
            rest = [arg for arg in node.args[2:] if arg.op != "word"]
            default = self.term(rest[0], {}) if rest else None
            if default is not None and not fits(default.type, type_):
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
            return Definition(name, tuple(scope.items()), self.lines(body.args, scope, body))
        cases = [self._case(case, scope) for case in body.args]
        type_ = cases[0].type
        for case, found in zip(body.args, cases, strict=True):
            if not fits(found.type, type_):
                fail(case.args[0], f"{name} is {in_words(type_)} in its first case, and {in_words(found.type)} here")
            type_ = joined(type_, found.type)
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
        known = name in scope or name in self.given_nodes or name in self.definition_nodes
        if known or name in self.types.constructors or name in self.types.records or name in self.types.fields:
            fail(node, f"{name} has a meaning already; choose another name here")

    # Lines and conditions

    def lines(self, nodes: tuple[Node, ...], scope: Scope, node: Node) -> Term:
        """Lines that hold together."""
        parts = tuple(self.truth(line, scope) for line in nodes)
        return parts[0] if len(parts) == 1 else Term("and", BOOL, parts, span=node.span)

    def _formula(self, node: Node, scope: Scope) -> Term:
        parts = tuple(self.truth(part, scope) for part in node.args[0].args)
        return parts[0] if len(parts) == 1 else Term("and", BOOL, parts, span=node.span)

    def _guarded(self, node: Node, scope: Scope) -> Term:
        steps, inner = self.conditions(node.args[0].args, scope)
        return Term("for_all", BOOL, (self.body(node.args[1], inner),), "", steps, False, node.span)

    def _for_all(self, node: Node, scope: Scope) -> Term:
        steps, inner = self.binders(node.args[0], scope)
        return Term("for_all", BOOL, (self.body(node.args[1], inner),), "", steps, False, node.span)

    def body(self, node: Node, scope: Scope) -> Term:
        """What stands after a colon: a formula, or indented lines."""
        return self.lines(node.args, scope, node) if node.op == "block" else self.truth(node, scope)

    def conditions(self, nodes: tuple[Node, ...], scope: Scope) -> tuple[tuple[Term, ...], Scope]:
        """The conditions in their order; each sees what patterns before it bind."""
        steps: list[Term] = []
        for node in nodes:
            for part in _conjuncts(node):
                if part.op == "equal" and self.binds(part.args[1], scope):
                    scrutinee = self.term(part.args[0], scope)
                    scope = dict(scope)
                    pattern = self.pattern(part.args[1], scrutinee.type, scope)
                    steps.append(Term("match", BOOL, (scrutinee, pattern), "", (), False, part.span))
                else:
                    steps.append(Term("test", BOOL, (self.truth(part, scope),), "", (), False, part.span))
        return tuple(steps), scope

    def binders(self, node: Node, scope: Scope) -> tuple[tuple[Term, ...], Scope]:
        """Quantified variables with their domains and conditions, and the names known under them."""
        steps: list[Term] = []
        for part in node.args:
            if part.op == "conditions":
                more, scope = self.conditions(part.args, scope)
                steps += more
                continue
            domain = self.term(part.args[-1], scope)
            members = self.members(domain, part.args[-1])
            scope = dict(scope)
            for word in part.args[:-1]:
                self.new(word.value, word, scope)
                scope[word.value] = members
                steps.append(Term("each", members, (domain,), word.value, (), False, word.span))
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
            return Term("bind", type_, (), node.value, (), False, node.span)
        if not self.binds(node, scope):
            value = self.term(node, scope)
            if not fits(value.type, type_):
                fail(node, f"{in_words(type_)} is wanted here, and this is {in_words(value.type)}")
            return Term("same", type_, (value,), "", (), False, node.span)
        name = node.args[0].value
        owner, fields = self.shape(name)
        if type_ != Type("named", (), owner):
            fail(node, f"{name} makes {in_words(Type('named', (), owner))}, and {in_words(type_)} is compared with it")
        self.arity(node, name, len(fields))
        parts = tuple(self.pattern(arg, field, scope) for arg, field in zip(node.args[1:], fields, strict=True))
        op = "record" if name in self.types.records else "construct"
        return Term(op, type_, parts, name, (), False, node.span)

    def shape(self, name: str) -> tuple[str, tuple[Type, ...]]:
        """The type that a constructor or a record makes, and the types of its fields."""
        if name in self.types.records:
            return name, tuple(type_ for _, type_ in self.types.records[name])
        return self.types.constructors[name]

    def arity(self, node: Node, name: str, wanted: int) -> None:
        """Refuse another number of arguments."""
        found = len(node.args) - 1 if node.op == "apply" else 0
        if found != wanted:
            fail(node, f"{name} takes {so_many(wanted, 'argument')}, and {found or 'none'} {are(found)} given")

    # Terms

    @abstractmethod
    def term(self, node: Node, scope: Scope) -> Term:
        """The typed term of a node in which the names of `scope` are known. Raises `FormulaError`."""

    def members(self, domain: Term, node: Node) -> Type:
        """The type of what a set or a sequence holds."""
        if domain.type.kind not in ("set", "seq"):
            fail(node, f"a set or a sequence is wanted here, and this is {in_words(domain.type)}")
        return domain.type.args[0]

    def truth(self, node: Node, scope: Scope) -> Term:
        """The same, of a formula that is true or false."""
        found = self.term(node, scope)
        if found.type != BOOL:
            fail(node, f"a formula that holds or not is wanted here, and this is {in_words(found.type)}")
        return found

    def integer(self, node: Node, scope: Scope) -> Term:
        """The same, of a number."""
        found = self.term(node, scope)
        if found.type != INT:
            fail(node, f"a number is wanted here, and this is {in_words(found.type)}")
        return found


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


def so_many(count: int, noun: str) -> str:
    """A number of things in words."""
    return f"no {noun}" if not count else f"{count} {noun}{'' if count == 1 else 's'}"


def are(count: int) -> str:
    """The verb for so many things."""
    return "is" if count == 1 else "are"
