"""What people are shown, as blocks: headings, sentences, towers, lines of records, tables, positions; drawn as text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec import Struct
from rich.cells import cell_len

from couperation_formal.game.fact import Datum, Fact, Text, fact, interval, told
from couperation_formal.game.position import next_draw, state_of
from couperation_formal.game.record import Position, Severity, Span
from couperation_formal.game.rulings import Rulings
from couperation_formal.game.state import State
from couperation_formal.game.tower import STANDARD, UNSEEN, Board, Cell, Laid, Shown, Tower, card_list, column_name
from couperation_formal.notation.read import Item
from couperation_formal.words.say import Piece, safe, say, spoken

# A tower as a small drawing in plain text.
#
# Level 1 is the bottom row and every level stands half a step to the right, so that a card is drawn over the gap
# between its two supports. `25` lies up, `~16` down and known, `~?` down and unseen, `F` is the Finish card, `[25]` the
# card in question, `(25)` one that is not there yet, and `·` an empty cell that has its supports. The letters are the
# columns of level 1.

_HALF = 3
"""The width of half a step in characters: room for ``[~16]``."""

EMPTY = "·"


def draw_tower(
    tower: Tower, rulings: Rulings, marked: Cell | None = None, attempt: Laid | None = None, board: Board = STANDARD
) -> list[str]:
    """The drawing's lines, top level first, the column letters last.

    The cell `marked` stands in brackets and, where `attempt` is given, shows that card in place of what lies there.
    """
    cells = {cell: str(laid) for cell, laid in tower.cells.items()}
    if marked is not None and attempt is not None:
        cells[marked] = str(attempt)
    shown = _columns(cells, tower, rulings, board)
    for cell in _open_cells(tower, shown, rulings, board):
        cells.setdefault(cell, EMPTY)
    if marked in cells:
        cells[marked] = f"[{cells[marked]}]"
    return draw_cells(cells, shown)


def draw_cells(cells: Mapping[Cell, str], columns: range) -> list[str]:
    """The drawing's lines of what stands in each cell, over these columns of level 1."""
    top = max(cell.level for cell in cells)
    lines = [_row(level, cells, columns.start) for level in range(top, 0, -1)]
    letters = _place({_middle(Cell(column, 1), columns.start): column_name(column) for column in columns})
    return [*lines, "   " + letters]


def _columns(cells: dict[Cell, str], tower: Tower, rulings: Rulings, board: Board) -> range:
    """The columns of level 1 that are drawn: those under a laid card and the next ones where the tower may still grow;
    all of the pyramid where it is known.
    """
    first = min(cell.column for cell in cells)
    last = max(cell.column + cell.level - 1 for cell in cells)
    pyramid = _pyramid(tower, rulings, board)
    if len(pyramid) == board.levels:
        return range(min(first, pyramid.start), max(last + 1, pyramid.stop))
    return range(min(first, max(first - 1, pyramid.start)), max(last + 1, min(last + 2, pyramid.stop)))


def _pyramid(tower: Tower, rulings: Rulings, board: Board) -> range:
    """The columns of level 1 that some pyramid holding the tower has; TOW04."""
    if rulings.anchor == "middle":
        return range(board.middle, board.middle + board.levels)
    return range(tower.first, tower.last + board.levels)


def _open_cells(tower: Tower, shown: range, rulings: Rulings, board: Board) -> list[Cell]:
    """The empty cells that have their supports, level 1 as far as it is drawn."""
    pyramid = _pyramid(tower, rulings, board)
    open_cells = [Cell(column, 1) for column in shown if column in pyramid]
    for cell in tower.cells:
        above = Cell(cell.column, cell.level + 1)
        if Cell(cell.column + 1, cell.level) in tower.cells and above.level <= board.levels:
            open_cells.append(above)
    return open_cells


def _middle(cell: Cell, first: int) -> int:
    return (2 * (cell.column - first) + cell.level) * _HALF


def _row(level: int, cells: Mapping[Cell, str], first: int) -> str:
    tokens = {_middle(cell, first): text for cell, text in cells.items() if cell.level == level}
    return f"{level}  {_place(tokens)}".rstrip()


def _place(tokens: dict[int, str]) -> str:
    """Tokens on one line, each around its middle; two digits and a bracket before them stand left of it."""
    line = ""
    for middle, token in sorted(tokens.items()):
        start = middle - len(token.strip("[]()")) // 2 - token.startswith(("[", "("))
        line = line.ljust(start) + token
    return line


# Places in a file: from offsets in a game's text to lines and columns.


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


class Part(NamedTuple):
    """One game of a longer text, and the offset in that at which its own text begins."""

    start: int
    item: Item

    @property
    def text(self) -> str:
        """The game's own text."""
        return self.item.text

    def within(self, span: Span) -> Span:
        """A stretch of the game's text as one of the longer one."""
        return Span(self.start + span.start, self.start + span.end)


def parts(text: str, items: Iterable[Item]) -> Iterator[Part]:
    """The games that were read of a text, each with its place. The reader counts lines by their LF and leaves a byte
    order mark out.
    """
    line, start = 1, int(text.startswith("\ufeff"))
    for item in items:
        while line < item.line:
            start = text.find("\n", start) + 1
            line += 1
        yield Part(start, item)


def place_of(item: Item, span: Span) -> Place:
    """The lines and columns of a stretch of a game's text. Cost: linear in the text before its end."""
    return Place(*_line_column(item, span.start), *_line_column(item, span.end))


def _line_column(item: Item, offset: int) -> tuple[int, int]:
    before = item.text.rfind("\n", 0, offset) + 1
    return item.line + item.text.count("\n", 0, offset), offset - before + 1


def line_at(item: Item, span: Span) -> Line:
    """The line where a stretch begins; a stretch that goes on is cut at the end of this line."""
    number, column = _line_column(item, span.start)
    first = span.start - column + 1
    last = item.text.find("\n", span.start)
    text = item.text[first : len(item.text) if last < 0 else last].removesuffix("\r")
    return Line(number, text, min(column - 1, len(text)), min(span.end - first, len(text)))


# A line of a game's text with carets under the part that a diagnostic is about.

_FRAME_WIDTH = 100
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
    if last > _FRAME_WIDTH:
        end = min(end, start + _FRAME_WIDTH - _BEFORE)
        first = max(0, min(start - _BEFORE, last - _FRAME_WIDTH))
        last = min(last, max(end + _AFTER, first + _FRAME_WIDTH))
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


# An answer for people as paragraphs of blocks, which a terminal, a notebook and an editor each show in their way.
#
# The words in a block are facts, or texts that are the record's own; whatever shows them says them in a language and
# makes them safe.

GOOD, BAD, OPEN = "bold green", "bold red", "bold yellow"

STYLES: dict[Severity, str] = {"error": BAD, "warning": OPEN, "note": "bold cyan"}

_WIDTH = 94
"""So wide are lines of items at most, short of the last one."""

_NOT_THERE = re.compile(r"(\([^)]*\))")


COLON = fact("colon")
"""Between what is named and what is said of it."""

Styled = Text | tuple[Text, str]
"""A text, which may have a style by one of rich's names. Colour only repeats what the words say."""


def styled(words: Styled) -> tuple[Text, str]:
    """A text and its style, where it has one."""
    return words if isinstance(words, tuple) else (words, "")


class Heading(Struct, frozen=True):
    """What the paragraphs below it are about."""

    text: Text


class Sentence(Struct, frozen=True):
    """A line of text, with a word or a few before it that stand out, and the `gap` between them; steps to the right of
    what it belongs to.
    """

    text: Text
    lead: Text = ""
    style: str = "bold"
    indent: int = 0
    gap: Text = ""


class Drawing(Struct, frozen=True):
    """A tower. `filling` are cards that are not there yet, `conflict` the cells in question, `columns` those of level 1
    where one pyramid is meant.
    """

    position: Position
    columns: range | None = None
    filling: Mapping[str, object] = {}
    conflict: tuple[str, ...] = ()
    board: Board = STANDARD


class Columns(Struct, frozen=True):
    """Rows of words under each other; with `head` the first row names the columns. A cell may have a style. The first
    column has `least` terminal cells at least.
    """

    rows: Sequence[Sequence[Styled]]
    head: bool = False
    indent: int = 0
    least: int = 0


class Play(Struct, frozen=True):
    """A line of play: turns as CGN, one after the other."""

    turns: Sequence[str]


class Items(Struct, frozen=True):
    """Short texts of one kind, such as actions, as many on a line as it takes."""

    texts: Sequence[Text]


class Verbatim(Struct, frozen=True):
    """Lines that stay as they are: formulas, trees, records."""

    lines: Sequence[Text]
    style: str = ""
    indent: int = 0


class Frame(Struct, frozen=True):
    """A finding: its code and title, the line of the record with carets under its part, and remarks, each with lines
    below it.
    """

    code: str
    severity: Severity
    title: Text
    where: Text
    line: Line
    remarks: Sequence[tuple[Text, Sequence[str]]]


Block = Heading | Sentence | Drawing | Columns | Play | Items | Verbatim | Frame
Paragraph = Sequence[Block]


_GOOD = {"completable", "can_win", "has_won"}


def led(lead: Text, text: Text, style: str) -> Sentence:
    """What stands out, and what is said of it."""
    return Sentence(text, lead, style, gap=COLON)


def verdict(answer: str, told: str, **values: Datum) -> Sentence:
    """An answer by its word, and the sentence that tells it."""
    style = OPEN if answer == "undetermined" else GOOD if answer in _GOOD else BAD
    return led(fact(answer), fact(told, **values), style)


def said(text: Text, language: str) -> str:
    """A text of a block, in a language, made safe."""
    return safe(say(text, language))


def terminal(paragraphs: Iterable[Paragraph], language: str, width: int | None = None) -> Iterator[Piece]:
    """The text of a terminal: blocks below each other, an empty line between paragraphs; folded where a terminal is
    `width` cells wide, but for towers, verbatim lines and those of a record.
    """
    first = True
    for paragraph in paragraphs:
        if paragraph and not first:
            yield ("\n", "")
        for block in paragraph:
            first = False
            yield from _lines(block, language, width)


def plain(paragraphs: Iterable[Paragraph], language: str) -> str:
    """The same without styles."""
    return "".join(text for text, _ in terminal(paragraphs, language))


def _lines(block: Block, language: str, width: int | None) -> Iterator[Piece]:
    match block:
        case Heading():
            yield from folded([(f"{said(block.text, language)}\n", "bold")], width, 2)
        case Sentence():
            gap, text = said(block.gap, language), said(block.text, language)
            line = ((" " * block.indent, ""), (said(block.lead, language), block.style), (f"{gap}{text}\n", ""))
            yield from folded((each for each in line if each[0]), width, block.indent + 2)
        case Drawing():
            yield from _drawn(block)
        case Columns():
            yield from _rows(block, language, width)
        case Play():
            yield from folded(((f"  {safe(turn)}\n", "") for turn in block.turns), width, 4)
        case Items():
            items = rows([said(text, language) for text in block.texts])
            yield from folded(((f"  {safe(line)}\n", "") for line in items), width, 2)
        case Frame():
            yield from _framed(block, language, width)
        case Verbatim():
            lines = (said(line, language) for line in block.lines)
            yield from ((f"{' ' * block.indent}{line}".rstrip() + "\n", block.style) for line in lines)


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


def _rows(block: Columns, language: str, width: int | None) -> Iterator[Piece]:
    """The rows; what is folded of a last cell hangs below it."""
    table = [[(said(text, language), style) for text, style in map(styled, row)] for row in block.rows]
    widths = [max(cell_len(row[i][0]) for row in table if i < len(row)) for i in range(max(map(len, table), default=0))]
    widths[:1] = [max(width, block.least) for width in widths[:1]]
    for number, row in enumerate(table):
        head = "bold" if block.head and not number else ""
        last = max((i for i, (text, _) in enumerate(row) if text), default=-1)
        line = [(" " * block.indent, "")]
        for i, (text, style) in enumerate(row[: last + 1]):
            line.append((text if i == last else f"{padded(text, widths[i])}  ", style or head))
        hang = block.indent + sum(each + 2 for each in widths[: max(last, 0)])
        yield from folded([*line, ("\n", "")], width, hang)


def _framed(block: Frame, language: str, width: int | None) -> Iterator[Piece]:
    """As a compiler shows an error; an empty line ends it."""
    style, number = STYLES[block.severity], str(block.line.number)
    gutter = " " * len(number)
    shown, indent, wide = frame(block.line, None if width is None else width - len(gutter) - 3)
    severity, colon = said(fact(block.severity), language), said(COLON, language)
    title = [(f"{severity}[{block.code}]", style), (f"{colon}{safe(told(block.title, language))}\n", "bold")]
    yield from folded(title, width, 2)
    yield (f"{gutter}--> ", "blue")
    yield (f"{said(block.where, language)}\n", "")
    yield (f"{gutter} |\n{number} | ", "blue")
    yield (f"{shown}\n", "")
    yield (f"{gutter} | ", "blue")
    yield (" " * indent + "^" * wide + "\n", style)
    for text, lines in block.remarks:
        yield from folded([(f"{gutter} = ", "blue"), (f"{safe(told(text, language))}\n", "")], width, len(gutter) + 3)
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


_OPENS = "「『（［｛〔《【[{<"
_CLOSES = "、。，．：；？！」』）］｝〕》】…ー々ゝゞぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
_LETTER = re.compile("[\u3001-\u30ff\u3400-\u9fff\uff01-\uff5e]")
_TOKEN = re.compile(f" +|[{_OPENS}]*(?:{_LETTER.pattern}|(?:(?!{_LETTER.pattern})[^ ])+)[{_CLOSES}]*")
"""Blanks, a letter that has no blanks beside it in Japanese, or a run of others: what closes stays with what is before
it, and what opens with what follows (JIS X 4051, kinsoku).
"""


def _line(pieces: list[Piece], width: int, hang: int) -> Iterator[Piece]:
    """One line without its end. A word may have more than one style, and is kept together."""
    words: list[tuple[Piece, list[Piece]]] = [(("", ""), [])]
    for text, style in pieces:
        for at, token in enumerate(_TOKEN.findall(text)):
            if token.startswith(" "):
                words.append(((token, style), []))
                continue
            if at and words[-1][1] and _LETTER.search(words[-1][1][-1][0][-1] + token[0]):
                words.append((("", ""), []))
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


# A position for people: its tower, and a row for each thing beside it.


class Row(NamedTuple):
    """A line of a table beside its tower: what it is about, the cards that lie there, and what else there is to say."""

    name: Text
    cards: tuple[Shown, ...] | None
    said: Text = ""


def position_blocks(position: Position, deck: tuple[int, int] | None = None) -> Iterator[Paragraph]:
    """The tower of a position, the hands, the Reserve, what is gone and in the deck, the next draw; nothing for what it
    does not give. Where nobody is to move `deck` may tell how many cards are left, from the least to the most.
    """
    yield [Drawing(position)]
    rows = position_rows(position, deck)
    yield [Columns([((row.name, "bold"), _beside(row)) for row in rows])]


def position_rows(position: Position, deck: tuple[int, int] | None = None) -> Iterator[Row]:
    """What a position gives beside its tower, as `position_blocks` shows it."""
    for player in position.players:
        if player in position.hands or position.front == player:
            front = fact("and_finish_in_front") if position.front == player else ""
            cards = tuple(position.hands.get(player, ()))
            if player not in position.sizes:
                yield Row(spoken(player), cards, front)
                continue
            known = tuple(card for card in cards if card is not UNSEEN)
            sizes = fact("deck_of", cards=interval(*position.sizes[player]), top=front)
            yield Row(spoken(player), known or None, fact("known_of", cards=sizes) if known else sizes)
    if position.reserve is not None:
        yield Row(fact("row_reserve"), tuple(position.reserve))
    yield Row(fact("row_gone"), tuple(position.gone))
    if position.turn is None:
        if deck is not None:
            yield Row(fact("row_deck"), None, fact("deck_of", cards=interval(*deck), top=""))
        return
    state = state_of(position)
    top = fact("from_the_top", cards=" ".join(map(str, position.deck))) if position.deck else ""
    yield Row(fact("row_deck"), None, fact("deck_of", cards=interval(*state.sizes()), top=top))
    yield Row(fact("row_to_move"), None, fact("to_move", player=position.turn, draw=_draw(position, state)))


def _beside(row: Row) -> Text:
    """The cards of a row and what else is said of it."""
    if row.cards is None:
        return row.said
    return fact("row_cards", cards=card_list(row.cards) or fact("no_cards"), more=row.said)


def _draw(position: Position, state: State) -> Fact:
    if not state.deck:
        return fact("draws_nothing_left")
    limit, cell = next_draw(position, state), position.last
    clause = limit.clause
    kind = "draw_clause" if cell is None else "draw_by_down" if position.laid_down else "draw_by"
    by = fact(kind, clause=clause, cell=cell)
    if limit.amounts == (0,):
        return fact("draws_nothing", by=by)
    if position.rules.rulings.draw_amount == "exact" and clause != "DRW01":
        return fact("draws_exactly", amounts=limit.amounts, by=by)
    return fact("draws_up_to" if len(limit.amounts) == 1 else "draws_perhaps", most=limit.amounts[-1], by=by)
