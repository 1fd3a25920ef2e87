"""Formulas as trees, as they are written and with types; where these are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import NamedTuple

import msgspec

from couperation_formal.game.record import Span


class FormulaError(ValueError):
    """A formula that cannot be read or has no meaning: the text says why, `span` where, `name` in which definition."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.name = ""


class Node(NamedTuple):
    """A part of a formula: the rule that it was read by (`formula.lark`), its parts, its place in the text.

    `value` is the text of a word, a number or an operator where the rule has one.
    """

    op: str
    args: tuple[Node, ...]
    span: Span
    value: str = ""


def shown(page: str, text: str, error: FormulaError) -> str:
    """An error of a page with this text: its place, the line and a caret under it, as errors of records are shown."""
    start = error.span.start
    before = text[:start].split("\n")
    column, line = len(before[-1]), text.split("\n")[len(before) - 1]
    width = max(1, min(error.span.end - start, len(line) - column))
    return f"{page}:{len(before)}:{column + 1}: {error}\n  {line}\n  {' ' * column}{'^' * width}"


# The types of the formula language, and the typed terms that the back ends read (spec/language.md).


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

    def fits(self, wanted: Type) -> bool:
        """Whether a value of this type is one of the type `wanted`; an empty collection is one of every such type."""
        if self == wanted or ANY in (self, wanted):
            return True
        same = self.kind == wanted.kind and self.name == wanted.name and len(self.args) == len(wanted.args)
        return same and bool(self.args) and all(map(Type.fits, self.args, wanted.args))

    def joined(self, other: Type) -> Type:
        """The more telling one of this type and another that fits."""
        if self == ANY or self.kind != other.kind or not self.args:
            return other if self == ANY else self
        return Type(self.kind, tuple(map(Type.joined, self.args, other.args)), self.name)


INT, BOOL, TEXT, ANY = Type("Int"), Type("Bool"), Type("Text"), Type("any")


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


# What was read is kept beside the compiled modules, as Python keeps these: who can write there can write code.

Items = dict[str, tuple[Node, ...]]
"""The items of each page by its name."""

Options = Mapping[str, tuple[str, ...]]
"""Given names that stand for one of several options each."""


class Kept(NamedTuple):
    """What pages say: their items, and the names that these give and define, typed."""

    items: Items
    givens: dict[str, Given]
    definitions: dict[str, Definition]


_SEAL = sha256().digest_size


def _kept_at(pages: Mapping[str, str], options: Options) -> tuple[Path, bytes]:
    """Where what pages say is kept, and of what it is made: the modules that read, the grammar, Lark, the pages."""
    files = [Path(__file__).with_name(name) for name in ("syntax.py", "reading.py", "book.py", "formula.lark")]
    made_of = b"".join(path.read_bytes() for path in (*files, _lark()))
    texts = repr((sorted(pages.items()), sorted(options.items())))
    return Path(cache_from_source(__file__)).with_suffix(".items"), made_of + texts.encode()


def _lark() -> Path:
    """The file of Lark that has its version."""
    spec = find_spec("lark")
    return Path(spec.origin if spec is not None and spec.origin is not None else "")


def kept(pages: Mapping[str, str], options: Options) -> Kept | None:
    """What these pages say where it was kept, whole and of the same: the seal tells it. None else."""
    with suppress(OSError, NotImplementedError):
        place, made_of = _kept_at(pages, options)
        told = place.read_bytes()
        if told[:_SEAL] == sha256(made_of + told[_SEAL:]).digest():
            return msgspec.msgpack.decode(told[_SEAL:], type=Kept)
    return None


def keep(pages: Mapping[str, str], options: Options, said: Kept) -> None:
    """Keep it, where that can be done and Python keeps what it compiles."""
    with suppress(OSError, NotImplementedError):
        place, made_of = _kept_at(pages, options)
        told = msgspec.msgpack.encode(said)
        if not sys.dont_write_bytecode:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(sha256(made_of + told).digest() + told)


class Types:
    """The declared types: variants by their constructors, records by their fields, options by their names."""

    def __init__(self, options: Mapping[str, tuple[str, ...]]) -> None:
        self.options = options
        self.constructors: dict[str, tuple[str, tuple[Type, ...]]] = {}
        self.records: dict[str, tuple[tuple[str, Type], ...]] = {}
        self.fields: dict[str, tuple[str, int, Type]] = {}
        self._names: set[str] = {"Int", "Bool", "Text"}

    def declare(self, nodes: list[Node]) -> None:
        """Read all declarations of types, which may name each other but not themselves. Raises `FormulaError`."""
        used = {node.value: {inner.value for inner in _walk(node) if inner.op == "named"} for node in nodes}

        def ends(node: Node) -> None:
            held = used[node.value]
            while more := {further for near in held for further in used.get(near, ())} - held:
                held = held | more
            if node.value in held:
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
        owners = self.constructors.get(name) or self.fields.get(name)
        return owners[0] if owners else name

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
    return [node, *(inner for arg in node.args for inner in _walk(arg))]


# *There are integers h on S with …*: bodies that are conjunctions of differences.
#
# A difference is ``h(x) + k <= h(y)`` or the same with one side a number (decided by `writer.System`).

_COMPARISONS = ("less", "at_most", "greater", "at_least", "equal")


def check_differences(term: Term, definition: Callable[[str], Definition]) -> None:
    """Refuse a body that is no conjunction of differences. Raises `FormulaError` at the part that is none."""
    unknown = frozenset((term.value,))
    for part in term.args[1:]:
        if _mentions(part, unknown):
            raise FormulaError(part.span, f"{term.value} cannot be asked where its own numbers are sought")
    _body(term.args[0], unknown, definition, term)


def _body(term: Term, unknown: frozenset[str], definition: Callable[[str], Definition], whole: Term) -> None:
    if not _mentions(term, unknown):
        return
    if term.op in ("and", "for_all", "cases", "case"):
        for arg in (arg for step in term.steps for arg in step.args):
            _ground(arg, unknown, whole)
        for arg in term.args:
            _body(arg, unknown, definition, whole)
    elif term.op in _COMPARISONS:
        for arg in term.args:
            _side(arg, unknown, whole)
    elif term.op == "call":
        called = definition(term.value)
        inner = set()
        for arg, (name, _) in zip(term.args, called.params, strict=True):
            if _mentions(arg, unknown):
                (_numbers if arg.type.kind == "map" else _side)(arg, unknown, whole)
                inner.add(name)
        try:
            _body(called.body, frozenset(inner), definition, whole)
        except FormulaError as error:
            raise FormulaError(term.span, f"{term.value}: {error}") from None
    else:
        _refuse(term, whole)


def _ground(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """A domain or a condition asks for no unknown number, though it may ask where there are some."""
    if not _mentions(term, unknown):
        return
    if term.op == "dom":
        _numbers(term.args[0], unknown, whole)
    elif term.op in ("local", "at"):
        _refuse(term, whole)
    else:
        for part in (*term.args, *(arg for step in term.steps for arg in step.args)):
            _ground(part, unknown, whole)


def _numbers(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """A map some of whose numbers are unknown."""
    if not _mentions(term, unknown) or term.op == "local":
        return
    if term.op == "over":
        for arg in term.args:
            _numbers(arg, unknown, whole)
    elif term.op == "map_without":
        _numbers(term.args[0], unknown, whole)
        _ground(term.args[1], unknown, whole)
    else:
        _refuse(term, whole)


def _side(term: Term, unknown: frozenset[str], whole: Term) -> None:
    """One side of a comparison: a number, or one unknown number and a number added or subtracted."""
    if not _mentions(term, unknown) or (term.op == "local" and term.type.kind == "Int"):
        return
    if term.op == "at":
        _numbers(term.args[0], unknown, whole)
        _ground(term.args[1], unknown, whole)
    elif term.op in ("add", "subtract") and not (
        _mentions(term.args[1], unknown) and (term.op == "subtract" or _mentions(term.args[0], unknown))
    ):
        for arg in term.args:
            _side(arg, unknown, whole)
    else:
        _refuse(term, whole)


def _refuse(term: Term, whole: Term) -> None:
    h = whole.value
    raise FormulaError(
        term.span, f"only differences of two numbers are asked of {h}: {h}(x) + k < {h}(y) or {h}(x) < k, joined by and"
    )


def _mentions(term: Term, names: frozenset[str]) -> bool:
    own = term.op == "local" and term.value in names
    return own or any(_mentions(part, names) for part in (*term.args, *term.steps))
