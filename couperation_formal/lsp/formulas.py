"""Formulas in Markdown as an editor shows them: the first error of their book, types and meanings under the cursor.

A page of a specification (a folder with `step.md` and `clauses`) is read with its other pages as they lie on disk, any
other page for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from couperation_formal.formulas.book import Book, BookError
from couperation_formal.formulas.judge import PAGES
from couperation_formal.formulas.syntax import Term
from couperation_formal.game.record import Span
from couperation_formal.game.rulings import options_in_order
from couperation_formal.lsp.hover import fenced

MOST = 512 * 1024
"""A page with more characters is not read."""

_WORD = re.compile(r"<?[^\W\d]\w*'?")
_FENCE = re.compile(r"^```formula *$", re.MULTILINE)


class Page:
    """A page with formulas: its book, or what is wrong with it. Cost: that of `Book`, some 0.3 s for all pages."""

    def __init__(self, path: Path | None, text: str) -> None:
        self.text = text.replace("\r\n", " \n")
        self.book: Book | None = None
        self.fault: tuple[Span, str] | None = None
        self._name = "page.md" if path is None else path.name
        if len(text) > MOST or not _FENCE.search(self.text):
            return
        pages = {self._name: self.text}
        if path is not None and (root := _root(path)) is not None:
            self._name = path.relative_to(root).as_posix()
            pages = {page: (root / page).read_text("utf-8", "replace") for page in PAGES if (root / page).is_file()}
            pages[self._name] = self.text
        try:
            self.book = Book(pages, dict(options_in_order()))
        except BookError as error:
            here = error.page == self._name
            start = self.text.index("```formula")
            self.fault = (error.span, error.message) if here else (Span(start, start + 10), str(error))

    def hover(self, offset: int) -> tuple[Span, str] | None:
        """The type of what stands at this offset, and what it means, as Markdown; None outside of formulas."""
        if self.book is None:
            return None
        word = next((found for found in _WORD.finditer(self.text) if found.start() <= offset < found.end()), None)
        if word is None or not self.book.written(self._name, offset):
            return None
        span = Span(*word.span())
        typed = min(
            (term for term in self._terms() if term.span.start <= offset < term.span.end),
            key=lambda term: term.span.end - term.span.start,
            default=None,
        )
        name, lines = word[0], []
        if typed is not None and typed.span == span:
            lines.append(f"{name}: {typed.type}")
        elif name in self.book.givens or name in self.book.definitions:
            lines.append(f"{name}: {self.book.type_of(name)}")
        if meaning := self.book.source(name):
            lines += ["", meaning] if lines else [meaning]
        return (span, fenced("\n".join(lines))) if lines else None

    def _terms(self) -> Iterator[Term]:
        """Every part of a definition on this page, and every variable and pattern."""
        book = self.book
        found = book.definitions if book is not None else {}
        waiting = [each.body for name, each in found.items() if book is not None and book.page_of(name) == self._name]
        while waiting:
            term = waiting.pop()
            yield term
            waiting += [*term.args, *term.steps]


def _root(path: Path) -> Path | None:
    """The folder of the specification that a page belongs to."""
    places = list(path.parents)[:2]
    return next((each for each in places if (each / "step.md").is_file() and (each / "clauses").is_dir()), None)
