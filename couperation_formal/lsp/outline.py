"""The outline of a document: its games, and of each the lines before the turns, the turns and the result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from couperation_formal.answers.place import source_of
from couperation_formal.game.record import Span
from couperation_formal.lsp.document import Document, Part
from couperation_formal.notation.read import Malformed


class Entry(NamedTuple):
    """One entry: its words, the stretch of the document that it stands for, and what it holds."""

    name: str
    span: Span
    entries: tuple[Entry, ...] = ()


def outline(document: Document) -> list[Entry]:
    """The games of a document in their order; of one that is no CGN the lines before the first that cannot be read.
    Cost: linear in the text.
    """
    return [_game(document, part) for part in document.parts if part.text.strip()]


def _game(document: Document, part: Part) -> Entry:
    item = part.item.judged if isinstance(part.item, Malformed) else part.item
    whole = Span(part.start, part.start + len(source_of(part.item).text.rstrip()))
    if item is None:
        return Entry(_line(document, whole), whole)
    spans = list(item.layout.lines.values()) + [turn.line for turn in item.layout.turns]
    if item.layout.result is not None:
        spans.append(item.layout.result)
    entries = tuple(_entries(document, part, spans))
    tag = item.layout.tags.get("Event") or item.layout.tags.get("Players")
    name = _line(document, part.within(tag)) if tag else ""
    return Entry(name.partition('"')[2].rpartition('"')[0].strip() or _line(document, whole), whole, entries)


def _entries(document: Document, part: Part, spans: list[Span]) -> Iterator[Entry]:
    for span in sorted(spans, key=lambda span: span.start):
        within = part.within(span)
        yield Entry(_line(document, within), within)


def _line(document: Document, span: Span) -> str:
    """The first line of a stretch that is not blank."""
    return document.text[span.start : span.end].strip().partition("\n")[0].strip()
