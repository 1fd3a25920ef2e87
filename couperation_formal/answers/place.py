"""Places in a file: from offsets in a game's text to lines and columns."""

from __future__ import annotations

from typing import NamedTuple

from couperation_formal.game.record import Span
from couperation_formal.notation.read import Item, Malformed


class Source(NamedTuple):
    """The text of one game, and the number, in its file, of its first line."""

    text: str
    line: int


class Place(NamedTuple):
    """A stretch of a file. Lines and columns count from 1, columns in characters; the end is excluded."""

    line: int
    column: int
    end_line: int
    end_column: int


class Line(NamedTuple):
    """A line of a game's text without its line end, its number in the file, and where in it a stretch begins and
    ends.
    """

    number: int
    text: str
    start: int
    end: int


def source_of(item: Item) -> Source:
    """The text of an item and where it stands in its file."""
    if isinstance(item, Malformed):
        return Source(item.text, item.line)
    return Source(item.layout.text, item.layout.line)


def place_of(source: Source, span: Span) -> Place:
    """The lines and columns of a stretch of a game's text. Cost: linear in the text before its end."""
    line, column = _line_column(source, span.start)
    end_line, end_column = _line_column(source, span.end)
    return Place(line, column, end_line, end_column)


def _line_column(source: Source, offset: int) -> tuple[int, int]:
    before = source.text.rfind("\n", 0, offset) + 1
    return source.line + source.text.count("\n", 0, offset), offset - before + 1


def line_at(source: Source, span: Span) -> Line:
    """The line where a stretch begins; a stretch that goes on is cut at the end of this line."""
    number, column = _line_column(source, span.start)
    first = span.start - column + 1
    last = source.text.find("\n", span.start)
    text = source.text[first : len(source.text) if last < 0 else last].removesuffix("\r")
    return Line(number, text, min(column - 1, len(text)), min(span.end - first, len(text)))
