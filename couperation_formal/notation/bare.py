"""A line of a faulty text: its words as they are meant, where each character stood, what a comment swallowed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import fact
from couperation_formal.game.record import Span, TurnLayout
from couperation_formal.notation.names import ALIKE, look_alike, look_alikes, players_of
from couperation_formal.notation.parse import Fault, comments_of, fault, name_of, shorten

# A line of a text while it is mended: its words as they are meant, and where each character stood in the text.


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


# A text without its comments, every other character in its place.

MAX_FAULTS = 50
"""So many faults of one game are told; of the lines after them it is counted how many cannot be read."""

_MARKS = re.compile('["“”;{}；｛｝]|(?<![^\\s])(?:#(?![0-9])|//)')
_TAG = re.compile(r"[^\S\n]*[\[［【]")
_CLOSE = re.compile("[}｝]")
_LONG_NAME = 100
"""A name that holds a mark is known by so many characters before it."""

_NAME = re.compile(r'[^\s";{}\[\]]+')


class Bare(NamedTuple):
    """`text` has blanks where comments stood, their line ends included. `faults` are those of the comments, `open` the
    places where one begins that is never closed, or ends that was never opened.
    """

    text: str
    faults: list[Fault]
    open: list[int]


def bare_text(text: str) -> Bare:
    """A text without its comments. A comment that is never closed ends with its line; ``#`` and ``//`` at the beginning
    of a word begin one too, and so do look-alikes, but for a player's name. Cost: linear.
    """
    faults: list[Fault] = []
    opened: list[int] = []
    parts: list[str] = []
    players: tuple[str, ...] | None = None
    kept = at = 0
    closes = True

    def told(found: Fault) -> None:
        if len(faults) < MAX_FAULTS:
            faults.append(found)

    while mark := _MARKS.search(text, at):
        start, kind = mark.start(), mark.group()
        first = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        at = mark.end()
        if kind in '"“”':
            if _TAG.match(text, first):
                at = _value_end(text, at, line_end, kind)
            continue
        if kind not in ";{}":
            players = players_of(text) if players is None else players
            word = _NAME.match(text, _word_start(text, max(first, start - _LONG_NAME), start))
            if word is not None and name_of(word.group()) in players:
                continue
        if kind in ("#", "//"):
            told(fault(start, kind, fact("comment_sign", word=kind), ";"))
        elif not kind.isascii():
            told(look_alike(kind, start))
        if kind in "{｛":
            end = _closed(text, at, faults) if closes else -1
            if end < 0:
                closes = False
                opened.append(start)
                told(fault(start, kind, fact("open_comment")))
                end = line_end
        elif kind in "}｝":
            opened.append(start)
            told(fault(start, kind, fact("closed_comment")))
            end = at
        else:
            end = line_end
        parts += [text[kept:start], " " * (end - start)]
        kept = at = end
    return Bare("".join([*parts, text[kept:]]), faults, opened)


def suspicious(text: str, players: tuple[str, ...]) -> bool:
    """Whether a text that the grammar accepts, without its comments, holds look-alikes beside the players' own names.
    Cost: linear, and little where no character looks like another.
    """
    if not ALIKE.search(text):
        return False
    rest = text
    for player in players:
        rest = rest.replace(f" {player} ", " ")
    lines = zip(text.split("\n"), rest.split("\n"), strict=True)
    return any(look_alikes(line, players) for line, other in lines if "[" in line or not other.isascii())


def _word_start(text: str, first: int, at: int) -> int:
    """Where the word begins that stands at a place."""
    while at > first and _NAME.match(text, at - 1):
        at -= 1
    return at


def _value_end(text: str, at: int, line_end: int, kind: str) -> int:
    """Where a tag's value ends that begins before `at`; there, where it does not end on its line."""
    ends = [text.find(each, at, line_end) for each in ('"' if kind == '"' else '”“"')]
    known = [end for end in ends if end >= 0]
    return min(known) + 1 if known else at


def _closed(text: str, at: int, faults: list[Fault]) -> int:
    """Where a comment ends that begins before `at`; -1 where nothing closes it."""
    close = _CLOSE.search(text, at)
    if close is None:
        return -1
    if close.group() != "}":
        faults.append(look_alike("｝", close.start()))
    return close.end()


# Comments that hold what may have been meant as a part of the game: a stray ``;``, a ``{`` that is closed too late.
# And what a game came in: a block of Markdown, a quoted mail, the last line of another game.

_AFTER = re.compile(
    r";[ \t]*(?P<part>(?:[0-9]{1,4}\.[ \t]*(?P<name>[^\s\";{}\[\]]+)|(?:drop|trim|fill)[ \t]+[0-9F?,]+[ \t\r]*$))"
)
_LATE = re.compile(r"\{[^{}]*\n[^{}]*\{")


_WRAPPINGS = (
    (fact("fences"), "", r"^[ \t]*+(?:```|~~~)[^\n\0]*+\n?", ""),
    (fact("quoted_mail"), r"^[ \t]*+>[ \t>]*+(?:\[CGN |[0-9]+\.)", r"^[ \t]*+>(?:[ \t]?>)*+[ \t]?", ""),
    (fact("game_joined"), "", r"(?<=[^\s\ufeff])[ \t]*+(?=\[CGN[ \t]+\")", "\n"),
)
"""The fault, what tells it, all that is replaced, and by what."""


def wrapping(text: str) -> Fault | None:
    """What a text that cannot be read came in, and the edit that takes it out. Cost: linear."""

    shown = zip(text, bare_text(text).text, strict=True)
    bare = "".join(left if left == each else "\0" for each, left in shown)  # comments count as text of one's own
    for what, sign, wrapped, meant in _WRAPPINGS:
        begins = re.search(sign, bare, re.MULTILINE)
        if begins is None:
            continue
        unquoted = re.finditer(r"^[ \t]*+(?!>)[^\n]*+\n", bare[: begins.start()], re.MULTILINE)
        start = max((m.end() for m in unquoted), default=0)
        whole = text if sign else bare  # a mail is quoted with its comments
        found = list(re.compile(wrapped, re.MULTILINE).finditer(whole, start))
        if found:
            meant = meant if "\r\n" not in text else meant.replace("\n", "\r\n")
            span = Span(found[0].start(), found[-1].end())
            kept = [text[m.end() : after.start()] for m, after in pairwise(found)]
            edit = Edit(span, meant.join(["", *kept, ""]))
            return Fault(Span(span.start, max(span.start + 1, found[0].end())), what, edit)
    return None


def swallowed(text: str, players: Sequence[str]) -> list[Fault]:
    """The first ``;`` of a text that can be read after which a turn stands, or a drop, trim or fill, in a line that
    does not begin with it; the first ``{`` that goes on over a line end to another one. Cost: linear.
    """
    comments = comments_of(text)
    names = [name_of(each) for each in players]
    faults: list[Fault] = []
    for m in comments:
        part = _AFTER.match(m[0])
        if part is None or not text[text.rfind("\n", 0, m.start()) + 1 : m.start()].strip():
            continue
        if part["name"] is None or name_of(part["name"].rstrip(":.,")) in names:
            word = shorten(" ".join(part["part"].split()))
            faults.append(Fault(Span(m.start(), m.start() + 1), fact("comment_part", word=word)))
            break
    late = next((m.start() for m in comments if _LATE.match(m[0])), None)
    if late is not None and text.count("{") > text.count("}"):
        faults.append(Fault(Span(late, late + 1), fact("comment_late")))
    return faults
