"""The formulas of the specification's pages: found inside fences, checked together, and made to run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from couperation_formal.formulas.check import Checker
from couperation_formal.formulas.syntax import Definition, FormulaError, Given, Node, Type, Types, parse, shown
from couperation_formal.formulas.writer import Values, compiled
from couperation_formal.game.record import Span

_FENCE = re.compile(r"^```formula *\n(.*?)^``` *$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (\w+) · (.+)$", re.MULTILINE)


class BookError(ValueError):
    """A formula of a book that has no meaning: its text says where, with the line and a caret. `span` is the place on
    `page`, `message` what is wrong there.
    """

    def __init__(self, page: str, text: str, error: FormulaError) -> None:
        super().__init__(shown(text, error.fault, page))
        self.page, (self.span, self.message) = page, error.fault


class Heading(NamedTuple):
    """A heading ``name · title``: the formulas under it, one and all, are what `name` stands for."""

    name: str
    title: str
    page: str
    start: int


class Book:
    """Pages with formulas. `options` are given names that stand for one of several options each.

    Raises `BookError` where a formula cannot be read or has no meaning. Cost: some 0.2 s for 100 definitions.
    """

    def __init__(self, pages: Mapping[str, str], options: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._pages = dict(pages)
        self._formulas = {page: _masked(text) for page, text in pages.items()}
        self._page_of: dict[str, str] = {}
        self.headings: dict[str, Heading] = {}
        self._givens: dict[str, Node] = {}
        self._definitions: dict[str, Node] = {}
        self._lines: dict[str, list[Node]] = {}
        self.types = Types(dict(options or {}))
        for name in options or {}:
            self._givens[name] = Node("options", (), Span(0, 0), name)
        declared: list[Node] = []
        for page, text in self._pages.items():
            try:
                self._read(page, text, declared)
            except FormulaError as error:
                raise self._error(page, error) from None
        for name, lines in self._lines.items():
            span = Span(lines[0].span.start, lines[-1].span.end)
            self._name(name, Node("clause", tuple(lines), span, name), self._definitions, self.headings[name].page)
        self._declared = {node.value: node for node in declared}
        self._check(declared)

    def _read(self, page: str, text: str, declared: list[Node]) -> None:
        headings = [Heading(match[1], match[2], page, match.start()) for match in _HEADING.finditer(text)]
        self.headings.update((heading.name, heading) for heading in headings)
        for item in parse(self._formulas[page]):
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
            raise self._error(page, FormulaError(node.span, f"{name} has a meaning already"))
        names[name] = node
        self._page_of[name] = page

    def _check(self, declared: list[Node]) -> None:
        page = ""
        try:
            self.types.declare(declared)
            checker = Checker(self.types, self._givens, self._definitions)
            for name in (*self._givens, *self._definitions):
                page = self._page_of.get(name, page)
                checker.given(name) if name in self._givens else checker.definition(name)
        except FormulaError as error:
            raise self._error(self._page_of.get(error.name, page), error) from None
        self.givens: dict[str, Given] = checker.givens
        self.definitions: dict[str, Definition] = checker.definitions

    def page_of(self, name: str) -> str:
        """The page that declares or defines a name."""
        return self._page_of[name] if name in self._page_of else self._page_of["type " + name]

    def under(self, name: str) -> str:
        """The heading ``name · title`` under which a definition stands, the empty text where there is none above it."""
        page, start = self._page_of[name], self._definitions[name].span.start
        above = [heading for heading in self.headings.values() if heading.page == page and heading.start < start]
        return max(above, key=lambda heading: heading.start).name if above else ""

    def written(self, page: str, offset: int) -> bool:
        """Whether this place of a page lies in a formula."""
        return any(fence.start(1) <= offset < fence.end(1) for fence in _FENCE.finditer(self._pages[page]))

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

    def _error(self, page: str, error: FormulaError) -> BookError:
        return BookError(page, self._pages[page], error)

    @cached_property
    def values(self) -> type[Values]:
        """The class of tables of values of this book's names; compiled when first asked for."""
        return compiled(self.givens, self.definitions)


def _masked(text: str) -> str:
    """The formulas of a page at their places, all else blank."""
    kept = list(re.sub(r"[^\n]", " ", text))
    for fence in _FENCE.finditer(text):
        kept[fence.start(1) : fence.end(1)] = fence[1]
    return "".join(kept)
