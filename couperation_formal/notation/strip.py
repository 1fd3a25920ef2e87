"""A line of a text while it is mended: its words as they are meant, and where each character stood in the text."""

from __future__ import annotations

from collections.abc import Sequence

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.record import Span


class Strip:
    """A stretch of a text, from `start` on, without its line end. Offsets into `text` stay true to the text as it was
    read: `origin` tells where a stretch of it comes from.
    """

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self._starts: Sequence[int] = range(start, start + len(text) + 1)
        self._ends: Sequence[int] = range(start + 1, start + len(text) + 1)

    def origin(self, start: int, end: int) -> Span:
        """Where a stretch of `text` comes from. Cost: constant."""
        start, end = min(start, len(self.text)), min(end, len(self.text))
        first = self._starts[start]
        return Span(first, max(first, self._ends[end - 1])) if end > start else Span(first, first)

    def counted(self, edit: Edit) -> Edit:
        """An edit whose offsets count in `text`, counted in the text as it was read: one within what another edit has
        written takes in all of that. Cost: linear in the line.
        """
        start, end = edit.span
        while self._one(start):
            start -= 1
        while self._one(end):
            end += 1
        replacement = self.text[start : edit.span.start] + edit.replacement + self.text[edit.span.end : end]
        return Edit(self.origin(start, end), replacement)

    def _one(self, at: int) -> bool:
        """Whether the characters before and at this place were written by one edit."""
        if not 0 < at < len(self.text):
            return False
        return self._starts[at - 1] == self._starts[at] and self._ends[at - 1] == self._ends[at]

    def mend(self, edit: Edit) -> Edit:
        """Make an edit whose offsets count in `text`; its stretch of the text as it was read comes back with what
        stands there then. Cost: linear in the line.
        """
        start, end = edit.span
        origin = self.origin(start, end)
        size = len(edit.replacement)
        self._starts = [*self._starts[:start], *[origin.start] * size, *self._starts[end:]]
        self._ends = [*self._ends[:start], *[origin.end] * size, *self._ends[end:]]
        self.text = self.text[:start] + edit.replacement + self.text[end:]
        return Edit(origin, edit.replacement)

    def restore(self, at: int, text: str) -> None:
        """What stood at `at` and after it, to the end, was this."""
        first = self.origin(at, at).start
        self._starts = [*self._starts[:at], *range(first, first + len(text) + 1)]
        self._ends = [*self._ends[:at], *range(first + 1, first + len(text) + 1)]
        self.text = self.text[:at] + text

    def lines(self) -> list[Strip]:
        """The lines of the strip, which is no longer one after an edit with a line end."""
        found, at = [], 0
        for line in self.text.split("\n"):
            part = Strip(line, 0)
            part._starts = self._starts[at : at + len(line) + 1]
            part._ends = self._ends[at : at + len(line)]
            found.append(part)
            at += len(line) + 1
        return found
