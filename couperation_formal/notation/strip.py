"""A line of a text while it is mended: its words as they are meant, and where each character stood in the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from couperation_formal.model.diagnostic import Edit
from couperation_formal.model.record import Span, TurnLayout
from couperation_formal.notation.fault import Fault


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

    def followed(self, other: Strip) -> tuple[Strip, Edit]:
        """This stretch and one further down as one, without what stands between them but for a blank; and the edit that
        makes it so."""
        size, first = len(self.text.rstrip()), len(other.text) - len(other.text.lstrip())
        gap = Span(self.origin(size, size).start, other.origin(first, first).start)
        whole = Strip(f"{self.text[:size]} {other.text[first:]}", 0)
        whole._starts = [*self._starts[:size], gap.start, *other._starts[first:]]
        whole._ends = [*self._ends[:size], gap.end, *other._ends[first:]]
        return whole, Edit(gap, " ")

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


class Origin:
    """Where the characters of joined lines stood in the text as it was read."""

    def __init__(self, strips: list[Strip]) -> None:
        self._strips = strips
        self._starts = [0]
        for strip in strips:
            self._starts.append(self._starts[-1] + len(strip.text) + 1)

    def _at(self, offset: int) -> tuple[Strip, int]:
        line = min(bisect_right(self._starts, offset) - 1, len(self._strips) - 1)
        return self._strips[line], offset - self._starts[line]

    def __call__(self, span: Span) -> Span:
        """The stretch that a stretch of the joined lines comes from."""
        strip, start = self._at(span.start)
        last, end = self._at(max(span.start, span.end - 1))
        first = strip.origin(start, start).start
        return Span(first, max(first, last.origin(end, end + (span.end > span.start)).end))

    def mend(self, edits: list[Edit]) -> None:
        """Make edits, each within one line. The offsets of the joined lines are no longer true then."""
        for edit in sorted(edits, key=lambda each: each.span, reverse=True):
            strip, start = self._at(edit.span.start)
            strip.mend(Edit(Span(start, start + edit.span.end - edit.span.start), edit.replacement))

    def fault(self, found: Fault) -> Fault:
        """A fault of the joined lines, in the text as it was read."""
        if found.edit is None:
            return Fault(self(found.span), found.what)
        strip, start = self._at(found.edit.span.start)
        end = start + found.edit.span.end - found.edit.span.start
        return Fault(self(found.span), found.what, strip.counted(Edit(Span(start, end), found.edit.replacement)))

    def turn(self, layout: TurnLayout) -> TurnLayout:
        """Where the parts of a turn stood."""

        def moved(span: Span | None) -> Span | None:
            return None if span is None else self(span)

        return TurnLayout(
            self(layout.number),
            self(layout.player),
            moved(layout.draw),
            self(layout.action),
            moved(layout.glyphs),
            moved(layout.drop),
            moved(layout.trim),
            moved(layout.fill),
        )
