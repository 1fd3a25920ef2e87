"""A text without its comments, every other character in its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from couperation_formal.model.fact import fact
from couperation_formal.notation.fault import Fault, fault
from couperation_formal.notation.hints import OPEN_COMMENT
from couperation_formal.notation.lookalikes import ALIKE, look_alike
from couperation_formal.notation.names import look_alikes, players_of
from couperation_formal.notation.words import name_of

MAX_FAULTS = 50
"""So many faults of one game are told; of the lines after them it is counted how many cannot be read."""

_MARKS = re.compile('["“”;{}；｛｝]|(?<![^\\s])(?:#(?![0-9])|//)')
_PLAIN = re.compile('[";{}]')
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


def bare_text(text: str, accepted: bool = False) -> Bare:
    """A text without its comments. A comment that is never closed ends with its line; ``#`` and ``//`` at the beginning
    of a word begin one too, and so do look-alikes, but for a player's name and in a text that the grammar has
    `accepted`. Cost: linear.
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

    marks = _PLAIN if accepted else _MARKS
    while mark := marks.search(text, at):
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
                told(fault(start, kind, OPEN_COMMENT))
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
    """Whether a text that the grammar accepts holds look-alikes beside its comments and the players' own names. Cost:
    linear, and little where no character looks like another.
    """
    if not ALIKE.search(text):
        return False
    bare = rest = bare_text(text, accepted=True).text
    for player in players:
        rest = rest.replace(f" {player} ", " ")
    lines = zip(bare.split("\n"), rest.split("\n"), strict=True)
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
