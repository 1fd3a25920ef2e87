"""Turns: from their words to values, and where their parts stand, found when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast, overload

from lark import Token

from couperation_formal.model.cards import Shown
from couperation_formal.model.record import Action, NoAction, Span, Turn, TurnLayout
from couperation_formal.notation.parse import Lines
from couperation_formal.notation.words import GAP, action, drawn, listed, split_words, start_of

NO_ACTION = NoAction()

_PARTS = re.compile(
    rf"""
    (?P<number>[0-9]+\.)           {GAP}
    (?P<player>[^\s;{{]++)         {GAP}
    (?P<draw>\+[^\s;{{]+)?         {GAP}
    (?P<action>-|[A-D]{GAP}[^\s;{{]+)
    (?:{GAP}(?P<glyphs>[!?~]+(?:{GAP}[!?~]+)*))?
    (?:{GAP}(?P<fill>fill{GAP}[^\s;{{]+))?
    (?:{GAP}(?P<drop>drop{GAP}[^\s;{{]+))?
    (?:{GAP}(?P<trim>trim{GAP}[^\s;{{]+))?
    """,
    re.VERBOSE,
)
"""The parts of a turn that the grammar accepted; comments may stand between them."""


def turn_lines(parsed: Lines) -> Iterator[tuple[int, list[str]]]:
    """Each turn of a game that was parsed: where it begins, and its words without comments."""
    for part in parsed:
        if isinstance(part, Token):
            start = start_of(part)
            for line in part.split("\n"):
                yield start, line.split()
                start += len(line) + 1
        else:
            yield start_of(part[0]), split_words(part)


def turn_of(words: list[str]) -> Turn:
    """The turn that these words make."""
    number, player, word = words[:3]
    at = 3
    draw: tuple[Shown, ...] = ()
    draw_open = False
    if word[0] == "+":
        draw_open = word == "+*"
        draw = drawn(word)
        word = words[3]
        at = 4
    done: Action = NO_ACTION
    if word != "-":
        done = action(word, words[at])
        at += 1
    if len(words) == at and not draw_open:
        return Turn(int(number[:-1]), player, draw, done)
    rest = words[at:]
    trim = _listed(rest, "trim")
    drop = _listed(rest, "drop")
    fill_open = rest[-2:] == ["fill", "*"]
    fill = _listed(rest, "fill")
    return Turn(int(number[:-1]), player, draw, done, tuple(rest), drop, trim, fill, draw_open, fill_open)


def _listed(rest: list[str], keyword: str) -> tuple[Shown, ...]:
    """The cards after `keyword` at the end of the words, which lose them; none for ``*``."""
    if len(rest) < 2 or rest[-2] != keyword:
        return ()
    word = rest.pop()
    rest.pop()
    return () if word == "*" else listed(word)


class TurnPlaces(Sequence[TurnLayout]):
    """Where the parts of the turns of a game stand, each found when it is asked for.

    `starts` tells where in `text` each turn begins.
    """

    def __init__(self, text: str, starts: Sequence[int]) -> None:
        self._text = text
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, index: int) -> TurnLayout: ...

    @overload
    def __getitem__(self, index: slice) -> TurnPlaces: ...

    def __getitem__(self, index: int | slice) -> TurnLayout | TurnPlaces:
        if isinstance(index, slice):
            return TurnPlaces(self._text, self.starts[index])
        m = cast("re.Match[str]", _PARTS.match(self._text, self.starts[index]))
        spans = {name: Span(*m.span(name)) for name, part in m.groupdict().items() if part is not None}
        return TurnLayout(
            spans["number"],
            spans["player"],
            spans.get("draw"),
            spans["action"],
            spans.get("glyphs"),
            spans.get("drop"),
            spans.get("trim"),
            spans.get("fill"),
        )
