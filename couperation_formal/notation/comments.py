"""Comments: found in the text of a game that was read, and tied to the words that they follow."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from lark import Token

from couperation_formal.model.record import Comment
from couperation_formal.notation.parse import Parsed
from couperation_formal.notation.words import span

_SCAN = re.compile(r'"[^"\r\n]*"|;[^\n]*|\{[^}]*\}')
_WORDS = re.compile(r"\{[^}]*\}|([^\s;{]+)")
_LINE_END = re.compile(r"\r+\n")


def find_comments(text: str, parsed: Parsed) -> tuple[Comment, ...]:
    """The comments of a game that was parsed, in their order.

    Line ends in a comment become ``\\n``, blanks at the end of a line comment are left out. Cost: n log n in the text
    where it has comments, else a search for their first letters.
    """
    if ";" not in text and "{" not in text:
        return ()
    lines = list(_lines(parsed))
    starts = [span(line[0]).start for line in lines]
    comments: list[Comment] = []
    tied, end, words = -1, 0, list[int]()
    for m in _SCAN.finditer(text):
        if m.group()[0] == '"':
            continue
        item = bisect_right(starts, m.start()) - 1
        if item != tied:
            tied, end, words = item, span(lines[item][-1]).end, _canonical_words(text, lines[item])
        if item >= 0 and (m.start() < end or text.find("\n", end, m.start()) < 0):
            comments.append(Comment(item, bisect_left(words, m.start()) - 1, _clean(m.group())))
            end = max(end, m.end())
        else:
            comments.append(Comment(item + 1, -1, _clean(m.group())))
    return tuple(comments)


def _clean(comment: str) -> str:
    return comment.rstrip() if comment[0] == ";" else _LINE_END.sub("\n", comment)


def _lines(parsed: Parsed) -> Iterator[list[Token]]:
    """The tokens of each line that carries meaning, in their order; a tag counts as a line."""
    for tag in parsed.tags:
        yield [tag]
    yield from parsed.setup
    yield from parsed.turns
    if parsed.result is not None:
        yield [parsed.result]


def _canonical_words(text: str, line: list[Token]) -> list[int]:
    """Where each word that `line` has in canonical form begins in the text; a draw left out begins with the action."""
    start, end = span(line[0]).start, span(line[-1]).end
    if line[0].type == "TAG":
        return [start]
    words = [start + m.start() for m in _WORDS.finditer(text[start:end]) if m.group(1)]
    if line[0].type == "NUMBER":
        name, after = line[1], line[2]
        if span(name).start not in words[:2]:
            words.append(span(name).start)
        if after.type != "DRAW":
            words.append(span(after).start)
    return sorted(words)
