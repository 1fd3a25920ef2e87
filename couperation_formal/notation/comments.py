"""Comments: found in the text of a game that was read, and tied to the words that they follow."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from couperation_formal.model.record import Comment, Span
from couperation_formal.notation.turns import TurnPlaces

_SCAN = re.compile(r'"[^"\r\n]*"|;[^\n]*|\{[^}]*\}')
_WORDS = re.compile(r"\{[^}]*\}|([^\s;{]+)")
_LINE_END = re.compile(r"\r+\n")


def find_comments(
    text: str, tags: dict[str, Span], lines: dict[str, Span], turns: TurnPlaces, result: Span | None
) -> tuple[Comment, ...]:
    """The comments of a game that was read, in their order; the rest tells where its lines stand.

    Line ends in a comment become ``\\n``, blanks at the end of a line comment are left out. Cost: n log n in the text
    where it has comments, else a search for their first letters.
    """
    if ";" not in text and "{" not in text:
        return ()
    return tuple(_Lines(text, tags, lines, turns, result).comments())


class _Lines:
    """The lines that carry meaning, in their order; a tag counts as a line."""

    def __init__(
        self, text: str, tags: dict[str, Span], lines: dict[str, Span], turns: TurnPlaces, result: Span | None
    ) -> None:
        self._text = text
        self._tags = len(tags)
        self._before = [*tags.values(), *lines.values()]
        self._turns = turns
        self._after = [] if result is None else [result]
        self._starts = [
            *(span.start for span in self._before),
            *turns.starts,
            *(span.start for span in self._after),
        ]

    def comments(self) -> list[Comment]:
        text = self._text
        found: list[Comment] = []
        tied, end, words = -1, 0, list[int]()
        for m in _SCAN.finditer(text):
            if m.group()[0] == '"':
                continue
            item = bisect_right(self._starts, m.start()) - 1
            if item != tied:
                tied = item
                end, words = self._words(item)
            if item >= 0 and (m.start() < end or text.find("\n", end, m.start()) < 0):
                found.append(Comment(item, bisect_left(words, m.start()) - 1, _clean(m.group())))
                end = max(end, m.end())
            else:
                found.append(Comment(item + 1, -1, _clean(m.group())))
        return found

    def _words(self, item: int) -> tuple[int, list[int]]:
        """Where a line ends, and where each word that it has in canonical form begins; a draw left out begins with the
        action.
        """
        turn = item - len(self._before)
        if turn < 0:
            line = self._before[item]
            return line.end, [line.start] if item < self._tags else self._written(line)
        if turn >= len(self._turns):
            line = self._after[0]
            return line.end, self._written(line)
        layout = self._turns[turn]
        words = self._written(layout.line)
        if layout.player.start == layout.number.end:
            words.append(layout.player.start)
        if layout.draw is None:
            words.append(layout.action.start)
        return layout.line.end, sorted(words)

    def _written(self, line: Span) -> list[int]:
        return [m.start() for m in _WORDS.finditer(self._text, line.start, line.end) if m.group(1)]


def _clean(comment: str) -> str:
    return comment.rstrip() if comment[0] == ";" else _LINE_END.sub("\n", comment)
