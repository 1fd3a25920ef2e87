"""A document's text as the protocol counts it: lines, and columns in code units of the agreed encoding."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol import types

from couperation_formal.game.record import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
_CODECS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}


class Text:
    """A text and the places in it. Offsets count characters; a position's column counts code units of `encoding`
    (``utf-8``, ``utf-16`` or ``utf-32``).

    Half a surrogate pair, which no encoding can write, is replaced by U+FFFD, so that offsets stay what they are.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = _SURROGATE.sub("\ufffd", text)
        self._codec, self._width = _CODECS[encoding], _WIDTHS[encoding]
        ends = list(_LINE_END.finditer(self.text))
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(self.text)]

    def position(self, offset: int) -> types.Position:
        """The position of an offset; one beyond the text is its end. Cost: linear in the line."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        before = self.text[self._starts[line] : min(offset, self._ends[line])]
        return types.Position(line, len(before.encode(self._codec)) // self._width)

    def offset(self, position: types.Position) -> int:
        """The offset of a position; a column beyond its line is the line's end, a line beyond the text the text's end.
        A column within a character is that character's beginning.
        """
        if position.line >= len(self._starts):
            return len(self.text)
        start = self._starts[position.line]
        line = self.text[start : self._ends[position.line]].encode(self._codec)
        return start + len(line[: position.character * self._width].decode(self._codec, "ignore"))

    def range(self, span: Span) -> types.Range:
        """The range of a stretch of the text."""
        return types.Range(self.position(span.start), self.position(span.end))

    @property
    def whole(self) -> types.Range:
        """The range of the whole text."""
        return self.range(Span(0, len(self.text)))
