"""What is no CGN, as data, and the place where the parser stopped."""

from __future__ import annotations

import re
from typing import NamedTuple

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact
from couperation_formal.game.record import Span


class Fault(NamedTuple):
    """Something that is no CGN: its place in the game's text, what is wrong there, and what mends it where only one
    thing can have been meant."""

    span: Span
    what: Fact
    edit: Edit | None = None

    def moved(self, by: int) -> Fault:
        """The same in a text in which it stands so many characters later."""

        def span(at: Span) -> Span:
            return Span(at.start + by, at.end + by)

        return Fault(span(self.span), self.what, self.edit and Edit(span(self.edit.span), self.edit.replacement))


def shorten(text: str, limit: int = 40) -> str:
    """`text`, or its beginning and an ellipsis where it is longer than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


_WORD = re.compile(r"[^\s;{]+")
_GAP = re.compile(r"(?:[^\S\n]|\{[^}]*\})*")
_COMMENT = re.compile(r"\{[^}]*\}")


class Place:
    """Where the parser stopped: the words from there to the end of the line, and the terminals that were `expected`.

    `end` is where the words end: at the line's end, at a comment that goes to it, or at a ``{`` that is never closed.
    `before` holds the words of the line up to the place.
    """

    def __init__(self, text: str, start: int, expected: frozenset[str]) -> None:
        self.text = text
        self.start = start
        self.expected = expected
        self._words: list[tuple[str, int]] = []
        at = self._skip(start)
        while word := _WORD.match(text, at):
            self._words.append((word.group(), at))
            at = self._skip(word.end())
        self.end = at
        line = text[text.rfind("\n", 0, start) + 1 : start]
        self.before: list[str] = _WORD.findall(_COMMENT.sub(" ", line))

    def _skip(self, at: int) -> int:
        gap = _GAP.match(self.text, at)
        return gap.end() if gap else at

    def __len__(self) -> int:
        return len(self._words)

    def word(self, index: int) -> str:
        """The word with this index, empty beyond the last one."""
        return self._words[index][0] if index < len(self._words) else ""

    def at(self, index: int) -> int:
        """Where the word with this index begins; beyond the last one, where it is missing."""
        return self._words[index][1] if index < len(self._words) else before_blanks(self.text, self.end)

    def previous(self, count: int = 1) -> str:
        """The word before the place on its line, the `count`-th counted backwards, empty where there is none."""
        return self.before[-count] if len(self.before) >= count else ""

    def fault(self, index: int, what: Fact, meant: str | None = None) -> Fault:
        """A fault of the word with this index, or of the place where it is missing; `meant` stands for the word."""
        return fault(self.at(index), self.word(index), what, meant)

    def joined(self, what: Fact) -> Fault:
        """A fault of the word here, which a comma joins to the one before it; no comma is doubled."""
        end = before_blanks(self.text, self.start)
        comma = "" if self.word(0).startswith(",") or self.text[end - 1] == "," else ","
        return self.fault(0, what)._replace(edit=Edit(Span(end, self.start), comma))


def before_blanks(text: str, at: int) -> int:
    """The place before the blanks that end at `at`, on the same line."""
    while at and text[at - 1].isspace() and text[at - 1] != "\n":
        at -= 1
    return at


def fault(start: int, word: str, what: Fact, meant: str | None = None) -> Fault:
    """A fault of a word that begins at `start`; of the one place there where the word is empty. Where `meant` is given
    it mends the fault in place of the word.
    """
    edit = None if meant is None else Edit(Span(start, start + len(word)), meant)
    return Fault(Span(start, start + max(1, len(word))), what, edit)
