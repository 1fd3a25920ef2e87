"""The types of the formula language, and the typed terms that the back ends read (spec/language.md)."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.formula.syntax import FormulaError, Node
from couperation_formal.model.record import Span


class Type(NamedTuple):
    """A type. `kind` is Int, Bool, Text, set, seq, map, named, options, or any: the members of an empty collection."""

    kind: str
    args: tuple[Type, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        if self.kind in ("set", "seq"):
            return f"{self.kind} {self.args[0]}"
        if self.kind == "map":
            return f"map {self.args[0]} to {self.args[1]}"
        return self.name or self.kind


INT, BOOL, TEXT, ANY = Type("Int"), Type("Bool"), Type("Text"), Type("any")


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of type `found` is one of type `wanted`; an empty collection is one of every such type."""
    if found == wanted or ANY in (found, wanted):
        return True
    same = found.kind == wanted.kind and found.name == wanted.name and len(found.args) == len(wanted.args)
    return same and bool(found.args) and all(map(fits, found.args, wanted.args))


def joined(one: Type, other: Type) -> Type:
    """The more telling one of two types that fit."""
    if one == ANY or one.kind != other.kind or not one.args:
        return other if one == ANY else one
    return Type(one.kind, tuple(map(joined, one.args, other.args)), one.name)


class Term(NamedTuple):
    """A typed part of a formula: what back ends interpret.

    `op` says what it does to `args` (the table in spec/language.md); `value` is its name, number or text. `steps` are
    the quantified variables, conditions and patterns, in their order, under which `args` stand: terms with `op` "each"
    (variable `value` over `args[0]`), "test" and "match" (`args[0]` against the pattern `args[1]`). With `partial` the
    term may be undefined.
    """

    op: str
    type: Type
    args: tuple[Term, ...] = ()
    value: str = ""
    steps: tuple[Term, ...] = ()
    partial: bool = False
    span: Span = Span(0, 0)


class Given(NamedTuple):
    """A name whose value comes from outside. `default` is its value where none comes; with `partial` there may be
    none.
    """

    name: str
    type: Type
    partial: bool
    default: Term | None


class Definition(NamedTuple):
    """A defined name: its parameters with their types, and the term that it stands for."""

    name: str
    params: tuple[tuple[str, Type], ...]
    body: Term


class Types:
    """The declared types: variants by their constructors, records by their fields, options by their names."""

    def __init__(self, options: dict[str, tuple[str, ...]]) -> None:
        self.options = options
        self.constructors: dict[str, tuple[str, tuple[Type, ...]]] = {}
        self.records: dict[str, tuple[tuple[str, Type], ...]] = {}
        self.fields: dict[str, tuple[str, int, Type]] = {}
        self._names: set[str] = {"Int", "Bool", "Text"}

    def declare(self, nodes: list[Node]) -> None:
        """Read all declarations of types, which may name each other but not themselves. Raises `FormulaError`."""
        used = {node.value: {found.value for found in _walk(node) if found.op == "named"} for node in nodes}

        def ends(node: Node) -> None:
            if node.value in _reached(node.value, used):
                raise FormulaError(node.args[0].span, f"the type {node.value} holds itself")

        for read in (self._announce, self._declare, ends):
            for node in nodes:
                try:
                    read(node)
                except FormulaError as error:
                    error.name = "type " + node.value
                    raise

    def _announce(self, node: Node) -> None:
        if node.value in self._names:
            raise FormulaError(node.args[0].span, f"the type {node.value} is declared twice")
        self._names.add(node.value)

    def _declare(self, node: Node) -> None:
        name, shape = node.value, node.args[1]
        if shape.op == "record":
            fields = tuple((field.value, self.read(field.args[1])) for field in shape.args)
            self._fresh(name, shape)
            self.records[name] = fields
            for place, field in enumerate(shape.args):
                self._fresh(field.value, field)
                self.fields[field.value] = name, place, fields[place][1]
            return
        for alternative in (*shape.args, *node.args[2:]):
            self._fresh(alternative.value, alternative)
            self.constructors[alternative.value] = name, tuple(map(self.read, alternative.args[1:]))

    def _fresh(self, name: str, node: Node) -> None:
        if name in self.constructors or name in self.fields or name in self.records:
            raise FormulaError(node.span, f"{name} is declared twice")

    def names(self) -> list[str]:
        """The declared types."""
        return sorted(self._names - {"Int", "Bool", "Text"})

    def owner(self, name: str) -> str:
        """The declared type that a constructor or a field belongs to; any other name is its own."""
        found = self.constructors.get(name) or self.fields.get(name)
        return found[0] if found else name

    def read(self, node: Node) -> Type:
        """The type that is written here. Raises `FormulaError` for an unknown one."""
        if node.op == "named":
            if node.value not in self._names:
                known = ", ".join(sorted(self._names))
                raise FormulaError(node.span, f"there is no type {node.value}; types: {known}")
            return Type(node.value) if node.value in ("Int", "Bool", "Text") else Type("named", (), node.value)
        return Type(node.op.removesuffix("_type"), tuple(map(self.read, node.args)))

    def hashable(self, type_: Type) -> bool:
        """Whether values of this type can be members of a set: no map lies inside."""
        if type_.kind == "map":
            return False
        inner = [field for _, field in self.records.get(type_.name, ())]
        for owner, fields in self.constructors.values():
            inner += fields if type_.kind == "named" and owner == type_.name else ()
        return all(map(self.hashable, (*type_.args, *inner)))


def _walk(node: Node) -> list[Node]:
    return [node, *(found for arg in node.args for found in _walk(arg))]


def _reached(name: str, used: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    edge = used[name]
    while edge:
        found |= edge
        edge = {further for near in edge for further in used.get(near, ())} - found
    return found
