"""An answer for people as paragraphs of blocks, which a terminal, a notebook and an editor each show in their way.

The words in a block are said already (`words.say`) or the record's own; whatever shows them makes them safe.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from rich.cells import cell_len

from couperation_formal.answers.place import Line
from couperation_formal.game.diagnostic import Severity
from couperation_formal.game.fact import Datum
from couperation_formal.game.record import Position
from couperation_formal.game.tower import STANDARD, Board, Cell, Tower
from couperation_formal.report.fold import folded, padded
from couperation_formal.report.frame import frame
from couperation_formal.report.tower import EMPTY, draw_cells, draw_tower
from couperation_formal.words.say import Piece, phrase, safe

GOOD, BAD, OPEN = "bold green", "bold red", "bold yellow"

STYLES: dict[Severity, str] = {"error": BAD, "warning": OPEN, "note": "bold cyan"}

_WIDTH = 94
"""So wide are lines of items at most, short of the last one."""

_NOT_THERE = re.compile(r"(\([^)]*\))")


class Heading(msgspec.Struct, frozen=True):
    """What the paragraphs below it are about."""

    text: str


class Sentence(msgspec.Struct, frozen=True):
    """A line of text, with a word or a few before it that stand out; steps to the right of what it belongs to."""

    text: str
    lead: str = ""
    style: str = "bold"
    indent: int = 0


class Drawing(msgspec.Struct, frozen=True):
    """A tower. `filling` are cards that are not there yet, `conflict` the cells in question, `columns` those of level 1
    where one pyramid is meant.
    """

    position: Position
    columns: range | None = None
    filling: Mapping[str, object] = {}
    conflict: tuple[str, ...] = ()
    board: Board = STANDARD


class Columns(msgspec.Struct, frozen=True):
    """Rows of words under each other; with `head` the first row names the columns. A cell may have a style."""

    rows: Sequence[Sequence[str | Piece]]
    head: bool = False
    indent: int = 0


class Play(msgspec.Struct, frozen=True):
    """A line of play: turns as CGN, one after the other."""

    turns: Sequence[str]


class Items(msgspec.Struct, frozen=True):
    """Short texts of one kind, such as actions, as many on a line as it takes."""

    texts: Sequence[str]


class Verbatim(msgspec.Struct, frozen=True):
    """Lines that stay as they are: formulas, trees, records."""

    lines: Sequence[str]
    style: str = ""
    indent: int = 0


class Frame(msgspec.Struct, frozen=True):
    """A finding: its code and title, the line of the record with carets under its part, and remarks, each with lines
    below it.
    """

    code: str
    severity: Severity
    title: str
    where: str
    line: Line
    remarks: Sequence[tuple[str, Sequence[str]]]


Block = Heading | Sentence | Drawing | Columns | Play | Items | Verbatim | Frame
Paragraph = Sequence[Block]


def verdict(answer: str, style: str, told: str, **values: Datum) -> Sentence:
    """An answer by its word, and the sentence that tells it."""
    return Sentence(f": {phrase(told, **values)}", phrase(answer), style)


def terminal(paragraphs: Iterable[Paragraph], width: int | None = None) -> Iterator[Piece]:
    """The text of a terminal: blocks below each other, an empty line between paragraphs; folded where a terminal is
    `width` cells wide, but for towers, verbatim lines and those of a record.
    """
    first = True
    for paragraph in paragraphs:
        if paragraph and not first:
            yield ("\n", "")
        for block in paragraph:
            first = False
            yield from _lines(block, width)


def plain(paragraphs: Iterable[Paragraph]) -> str:
    """The same without styles."""
    return "".join(text for text, _ in terminal(paragraphs))


def _lines(block: Block, width: int | None) -> Iterator[Piece]:
    match block:
        case Heading():
            yield from folded([(f"{safe(block.text)}\n", "bold")], width, 2)
        case Sentence():
            lead = ((" " * block.indent, ""), (safe(block.lead), block.style))
            yield from folded(
                [*(each for each in lead if each[0]), (f"{safe(block.text)}\n", "")], width, block.indent + 2
            )
        case Drawing():
            yield from _drawn(block)
        case Columns():
            yield from _columns(block, width)
        case Play():
            yield from folded(((f"  {safe(turn)}\n", "") for turn in block.turns), width, 4)
        case Items():
            yield from folded(((f"  {safe(line)}\n", "") for line in rows(block.texts)), width, 2)
        case Frame():
            yield from _framed(block, width)
        case Verbatim():
            yield from ((f"{' ' * block.indent}{safe(line)}".rstrip() + "\n", block.style) for line in block.lines)


def _drawn(block: Drawing) -> Iterator[Piece]:
    """A tower as lines, what is not there yet fainter."""
    for line in drawing(block):
        for text in _NOT_THERE.split(line):
            yield (text, "dim" if text.startswith("(") else "")
        yield ("\n", "")


def drawing(block: Drawing) -> list[str]:
    """A tower in plain text; of one pyramid what fills it in parentheses and the conflict in brackets."""
    position, columns = block.position, block.columns
    if columns is None:
        tower = Tower.of(block.board, dict(position.tower))
        return draw_tower(tower, position.rules.rulings, position.last, board=block.board)
    laid = {cell: str(card) for cell, card in position.tower}
    cells: dict[Cell, str] = {}
    for cell in block.board.pyramid(columns.start):
        text = laid.get(cell, EMPTY)
        if str(cell) in block.filling:
            cells[cell] = f"({block.filling[str(cell)]})"
        elif str(cell) in block.conflict:
            cells[cell] = f"[{text}]"
        elif cell in laid or cell.level == 1 or all(support in laid for support in cell.supports):
            cells[cell] = text
    return draw_cells(cells, columns)


def _columns(block: Columns, width: int | None) -> Iterator[Piece]:
    """The rows; what is folded of a last cell hangs below it."""
    table = [[(cell, "") if isinstance(cell, str) else cell for cell in row] for row in block.rows]
    table = [[(safe(text), style) for text, style in row] for row in table]
    widths = [max(cell_len(row[i][0]) for row in table if i < len(row)) for i in range(max(map(len, table), default=0))]
    for number, row in enumerate(table):
        head = "bold" if block.head and not number else ""
        last = max((i for i, (text, _) in enumerate(row) if text), default=-1)
        line = [(" " * block.indent, "")]
        for i, (text, style) in enumerate(row[: last + 1]):
            line.append((text if i == last else f"{padded(text, widths[i])}  ", style or head))
        hang = block.indent + sum(each + 2 for each in widths[: max(last, 0)])
        yield from folded([*line, ("\n", "")], width, hang)


def _framed(block: Frame, width: int | None) -> Iterator[Piece]:
    """As a compiler shows an error; an empty line ends it."""
    style, number = STYLES[block.severity], str(block.line.number)
    gutter = " " * len(number)
    shown, indent, wide = frame(block.line, None if width is None else width - len(gutter) - 3)
    title = [(f"{phrase(block.severity)}[{block.code}]", style), (f": {safe(block.title)}\n", "bold")]
    yield from folded(title, width, 2)
    yield (f"{gutter}--> ", "blue")
    yield (f"{safe(block.where)}\n", "")
    yield (f"{gutter} |\n{number} | ", "blue")
    yield (f"{shown}\n", "")
    yield (f"{gutter} | ", "blue")
    yield (" " * indent + "^" * wide + "\n", style)
    for text, lines in block.remarks:
        yield from folded([(f"{gutter} = ", "blue"), (f"{safe(text)}\n", "")], width, len(gutter) + 3)
        yield from ((f"{gutter}     {line}\n", "") for line in lines)
    yield ("\n", "")


def rows(texts: Sequence[str]) -> Iterator[str]:
    """Texts, as many on a line as a terminal takes; another first letter begins a new line."""
    line = texts[0]
    for text in texts[1:]:
        if len(line) + len(text) > _WIDTH or line[0] != text[0]:
            yield line
            line = text
        else:
            line += f", {text}"
    yield line
