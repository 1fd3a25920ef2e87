"""The verdict on one game as a value, and the lines of its text that a diagnostic points to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import msgspec
from rich.cells import cell_len

from couperation_formal.game.fact import Fact, fact
from couperation_formal.game.record import Diagnostic, Game, Proviso, Reached, Record, Result, Span, Verdict, short
from couperation_formal.game.replay import Doubt
from couperation_formal.game.rulings import Rules
from couperation_formal.game.state import State
from couperation_formal.notation.read import Item, Malformed
from couperation_formal.words.say import Piece, phrase, safe

# What a game is called in the text of an answer.


def game_named(file: str, game: int) -> str:
    """The file and the number of a game; the number alone of one that comes from no file."""
    return phrase("unnamed_game", game=game) if file == "-" else phrase("the_game", file=file, game=game)


# The verdict on one game as data, of which every output form is made.


class Conflict(msgspec.Struct, frozen=True):
    """What cannot all hold in an illegal record with unseen cards: the turn, the clause, and what it asks there.

    Each part is needed where `least` is true; where it is false the budget ended before all were tried. `script` is the
    same as an SMT-LIB 2 text that any solver refutes.
    """

    parts: tuple[tuple[int, str, str], ...]
    least: bool
    script: str


class Correct(msgspec.Struct, frozen=True):
    """The fewest lines whose correction makes an illegal record legal: places of turns, or set-up lines by their words
    (``"deal Aki"``, ``"Marks"``). None where no correction of cards and marks does, or (`complete` False) where the
    budget of `limit` steps ended first.
    """

    lines: tuple[int | str, ...] | None
    complete: bool
    limit: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one game. Of a malformed one the turns before its first line that cannot be read are judged too:
    `turn` and `states` are theirs, and what they break stands first among the `diagnostics`.

    `rules` is None where they could not be read. `turn` is the first illegal turn, counted by place, 0 for the set-up,
    None if none. `results` are those that legal worlds reach, all of them; none unless the verdict is legal.
    `states[k]` stands after turn k, up to the last legal turn. Where Z3 decided, `world` is the record with everything
    shown that makes it legal, and `conflict` what makes it illegal; `spent` are the steps that this took. `correct` is
    None unless it was asked for, and so is `provided`, what a legal verdict takes for granted; None too where the
    record shows all that was asked. `open` is the first thing but places that the plain replay of a legal record did
    not find shown.
    """

    item: Item
    rules: Rules | None
    verdict: Verdict
    results: tuple[Reached, ...]
    turn: int | None
    diagnostics: tuple[Diagnostic, ...]
    states: tuple[State, ...]
    world: Record | None = None
    conflict: Conflict | None = None
    correct: Correct | None = None
    spent: int = 0
    provided: Proviso | None = None
    open: Doubt | None = None

    def __repr__(self) -> str:
        return short(self, item=self.item, verdict=self.verdict, result=self.result, turn=self.turn)

    def __str__(self) -> str:
        """The verdict, and a line for each diagnostic."""
        said = phrase("malformed" if self.verdict == "malformed" else "undetermined")
        if self.verdict == "legal":
            said = phrase("ends_legal", result=self.end)
        elif self.verdict == "illegal":
            said = phrase("illegal_in", turn=self.turn)
        told = phrase("told_of", what=game_named(self.item.file, self.item.index), said=said)
        return "\n".join([told, *map(str, self.diagnostics)])

    @property
    def result(self) -> Result | None:
        """What a legal game reaches, None of another one."""
        return self.results[0] if len(self.results) == 1 else "undetermined" if self.results else None

    @property
    def end(self) -> Fact:
        """The result of a legal game as it is told."""
        results = tuple(fact("end_of", result=result) for result in self.results)
        return results[0] if len(results) == 1 else fact("end_open", results=results)

    @property
    def error(self) -> Diagnostic | None:
        """The first error, None where there is none."""
        return next((each for each in self.diagnostics if each.severity == "error"), None)

    @property
    def words(self) -> str:
        """The verdict on a game in a sentence, with the result or the first error."""
        if self.verdict == "illegal" and self.error is not None:
            return phrase("illegal_turn" if self.turn else "illegal_setup", turn=self.turn, clause=self.error.code)
        if self.verdict == "undetermined":
            return phrase("not_enough")
        return phrase(f"legal_{self.result or 'unfinished'}" if self.world is None else "legal_world")

    @property
    def game(self) -> Game | None:
        """The game that was judged, as far as it could be read."""
        item = self.item
        return item.judged if isinstance(item, Malformed) else item if isinstance(item, Game) else None


# Places in a file, its lines shown in a frame, and texts folded to a terminal's width.


# Places in a file: from offsets in a game's text to lines and columns.


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


# Long lines folded between words, for a terminal that is so wide.

_LEAST = 24
"""So many cells are left for what hangs; where it would hang deeper it does not hang so deep."""


def folded(pieces: Iterable[Piece], width: int | None, hang: int) -> Iterator[Piece]:
    """Lines, none wider than `width` cells as far as words allow; what is folded begins after `hang` spaces. Without a
    width they stay as they are.
    """
    if width is None:
        yield from pieces
        return
    line: list[Piece] = []
    hang = max(2, min(hang, width - _LEAST))
    for text, style in pieces:
        *ended, rest = text.split("\n")
        for part in ended:
            yield from _merged(_line([*line, (part, style)], width, hang))
            yield ("\n", style)
            line = []
        line += [(rest, style)] if rest else []
    yield from _merged(_line(line, width, hang))


def width_of(text: str) -> int:
    """How many terminal cells it takes."""
    return cell_len(text)


def padded(text: str, width: int) -> str:
    """The text with blanks after it, as many as it takes to be `width` terminal cells wide."""
    return text + " " * (width - cell_len(text))


def cut(text: str, width: int) -> str:
    """The beginning of a text that fits into `width` terminal cells; where it is cut, an ellipsis says so."""
    if cell_len(text) <= width:
        return text
    wide = 1
    for at, character in enumerate(text):
        wide += cell_len(character)
        if wide > width:
            return f"{text[:at]}…"
    return text


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The same text, each run of one style as one piece."""
    for style, run in groupby(pieces, key=lambda piece: piece[1]):
        yield "".join(text for text, _ in run), style


def _line(pieces: list[Piece], width: int, hang: int) -> Iterator[Piece]:
    """One line without its end. A word may have more than one style, and is kept together."""
    words: list[tuple[Piece, list[Piece]]] = [(("", ""), [])]
    for text, style in pieces:
        for token in re.findall(" +|[^ ]+", text):
            if token.startswith(" "):
                words.append(((token, style), []))
            else:
                words[-1][1].append((token, style))
    at, filled = 0, False
    for gap, word in words:
        wide = sum(cell_len(text) for text, _ in word)
        if filled and word and at + cell_len(gap[0]) + wide > width:
            yield ("\n" + " " * hang, "")
            at = hang
        else:
            yield gap
            at += cell_len(gap[0])
        yield from word
        at, filled = at + wide, filled or bool(word)


# A line of a game's text with carets under the part that a diagnostic is about.

_WIDTH = 100
_BEFORE = 40
_AFTER = 50


def frame(line: Line, most: int | None = None) -> tuple[str, int, int]:
    """The text of `line` as it is shown, the width in terminal cells of what stands before the part, and the width of
    the part itself (at least one).

    Control characters are escaped, tabs become four spaces, and a long line is shortened around the part: to `most`
    cells where a terminal has no more. Cost: linear in what is shown.
    """
    text, start, end = line.text, line.start, line.end
    first, last = 0, len(text)
    if last > _WIDTH:
        end = min(end, start + _WIDTH - _BEFORE)
        first = max(0, min(start - _BEFORE, last - _WIDTH))
        last = min(last, max(end + _AFTER, first + _WIDTH))
    before, part, after = _shown(text[first:start]), _shown(text[start:end]), _shown(text[end:last])
    if first > 0:
        before = "…" + before
    if last < len(text):
        after += "…"
    if most is not None and cell_len(before + part + after) > most:
        part = cut(part, most * 3 // 5)
        left = most - cell_len(part)
        before = cut(before[::-1], max(most // 5, left - cell_len(after)))[::-1]
        after = cut(after, left - cell_len(before))
    return before + part + after, cell_len(before), max(1, cell_len(part))


def _shown(text: str) -> str:
    return safe(text.replace("\t", "    "))
