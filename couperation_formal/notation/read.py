"""From a stream, within bounds, to its games and positions with their comments, or told why not; edits that mend."""

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import msgspec
from msgspec.structs import replace

from couperation_formal.game import record as recorded
from couperation_formal.game.fact import Fact, Told, fact
from couperation_formal.game.record import NOTATION, Comment, Diagnostic, Game, Layout, Position, Record, Snapshot, Span
from couperation_formal.notation.parse import Built, Fault, build, comments_of, name_of, parse, shorten, without
from couperation_formal.words.say import ENGLISH, say

# Comments: found in the text of a game that was read, and tied to the words that they follow.

# Which encoding bytes are in that are not UTF-8, by its name.

_LOOKED_AT = 1 << 12
"""So many bytes are looked at for UTF-16 without a byte order mark."""

_KANA = re.compile("[\u3041-\u30ff]")
_KANJI = "[\u3400-\u9fff々]{2}"
_HALF = re.compile("[\uff61-\uff9f]")
_BYTE_ORDERS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def wide(data: bytes | bytearray) -> str | None:
    """The name of the UTF-16 or UTF-32 that a file is in, with a byte order mark or without; None where it is not.
    Every other byte of many is zero there."""
    mark = next((name for mark, name in _BYTE_ORDERS.items() if data.startswith(mark)), None)
    if mark is not None:
        return mark
    if data.find(0, 0, _LOOKED_AT) < 0:
        return None
    first, second = data[:_LOOKED_AT:2].count(0), data[1:_LOOKED_AT:2].count(0)
    if max(first, second) <= 2 or max(first, second) < 5 * min(first, second):
        return None
    return "UTF-16BE" if first > second else "UTF-16LE"


def encoding_of(data: bytes) -> str | None:
    """The name of the encoding that bytes look most like: one for Japanese where that gives kana, or kanji side by
    side, else that of western Windows; None for bytes that are no text.
    """
    if 0 in data:
        return None
    for name, codec in (("SHIFT_JIS", "cp932"), ("EUC-JP", "euc_jp")):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if _KANA.search(text) or (re.search(_KANJI, text) and not _HALF.search(text)):
            return name
    return "WINDOWS-1252"


# Splitting a stream into games, in bounded memory and linear time.
#
# A game begins with each line that begins with ``[CGN ``, whatever stands before it. What precedes the first such line
# belongs to the first game where it is blanks and comments, and is a game of its own otherwise.

MAX_GAME = 1 << 20
"""The most bytes that one game may have."""

MAX_LINE = 1 << 16
"""The most bytes that one line may have, its end included."""

MAX_STREAM = 1 << 26
"""The most bytes that one file may have."""

MAX_HEADLESS = 17 * MAX_GAME
"""So many bytes of a file are read in which no game begins, a short line counting for sixteen."""

_KEPT_OF_LINE = 200
_START = b"[CGN "
_BOM = b"\xef\xbb\xbf"
_STARTS = (_START, _BOM + _START)
_NOTHING = re.compile(r"(?:\s++|;[^\n]*+|(?:```|~~~)[^\n]*+|\{[^}]*+\})*+")


class Piece(NamedTuple):
    """The text of one game and the number, in the stream, of its first line.

    `fault` tells why the text is not worth parsing; `text` is then what was kept of it.
    """

    text: str
    line: int
    fault: Fault | None


class _Gathered:
    """The lines of a game as they come. Beyond a bound they are dropped, and `limit` tells which bound."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.data = bytearray()
        self.limit: Fact | None = None
        self.complete = 0
        """How many of the bytes are lines within the bounds."""

    def add(self, line: bytes) -> None:
        if self.limit is not None:
            return
        if len(line) > MAX_LINE:
            self.limit = fact("line_long", most=MAX_LINE)
        elif self.complete + len(line) > MAX_GAME:
            self.limit = fact("game_long", most=MAX_GAME)
        else:
            self.complete += len(line)
        self.data += line if self.limit is None else line[:_KEPT_OF_LINE]

    def piece(self) -> Piece:
        text = self.data.decode("utf-8", "replace")
        return Piece(text, self.line, self._fault(text))

    def _fault(self, text: str) -> Fault | None:
        if self.limit is not None:
            start = len(self.data[: self.complete].decode("utf-8", "replace"))
            return Fault(Span(start, len(text)), self.limit)
        try:
            if "\ufffd" in text:
                self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            return self._not_utf8(bytes(self.data), error.start)
        name = wide(self.data) or ("ISO-2022-JP" if "\x1b$B" in text or "\x1b$@" in text else None)
        if name is not None:
            return _encoded(name)
        if "\n" not in text.strip() and "\r" in text.strip():
            edit = recorded.Edit(Span(0, len(text)), text.replace("\r", "\n"))
            return Fault(_at(text.index("\r")), fact("cr_ends"), edit)
        return None

    def _not_utf8(self, data: bytes, at: int) -> Fault:
        name = wide(data) if self.line == 1 else None
        if name is not None:
            return _encoded(name)
        place = len(data[:at].decode("utf-8"))
        known, byte = encoding_of(data), f"0x{data[at]:02X}"
        what = fact("not_text", byte=byte) if known is None else fact("not_utf8", byte=byte, encoding=known)
        return Fault(_at(place), what)


def _encoded(name: str) -> Fault:
    """A file in another encoding, which is its own name for iconv."""
    return Fault(_at(0), fact("encoded", family=name[:6] if name.startswith("UTF") else name, encoding=name))


def _at(place: int) -> Span:
    return Span(place, place + 1)


class Endless(Told, OSError):
    """A file that has no end, as far as it was read."""


class Bounded:
    """The lines of a file, which need not end: beyond a bound `Endless` is raised. Every way in reads through it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._left, self._headless = MAX_STREAM, MAX_HEADLESS
        self.fileno = stream.fileno

    def readline(self, limit: int) -> bytes:
        """The next line, or so much of it."""
        line = self._stream.readline(limit)
        self._left -= len(line)
        self._headless = MAX_HEADLESS if line.startswith(_START) else self._headless - max(len(line), 16)
        if line and min(self._left, self._headless) < 0:
            raise Endless(fact("file_long" if self._left < 0 else "file_headless", most=MAX_STREAM))
        return line


def split(stream: BinaryIO) -> Iterator[Piece]:
    """The games of `stream`, each as soon as the next begins. A stream without any gives one piece with a fault.

    Memory is bounded by `MAX_GAME`, time is linear in the stream.
    """
    gathered = _Gathered(1)
    headless = True
    for number, line in enumerate(_bounded_lines(stream), 1):
        if line.startswith(_STARTS):
            if not (headless and _is_nothing(gathered)):
                yield gathered.piece()
                gathered = _Gathered(number)
            headless = False
        gathered.add(line)
    if headless and _is_nothing(gathered):
        text = gathered.piece().text
        yield Piece(text, 1, Fault(Span(len(text), len(text)), fact("no_game")))
    else:
        yield gathered.piece()


def _is_nothing(gathered: _Gathered) -> bool:
    """Whether the lines hold blanks and comments only."""
    text, _, fault = gathered.piece()
    return fault is None and _NOTHING.fullmatch(text) is not None


def _bounded_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream, its byte order mark left out. Beyond `MAX_LINE` at most a few bytes are kept."""
    limit = len(_BOM) + MAX_LINE + 1
    bom = _BOM
    while line := stream.readline(limit):
        yield line.removeprefix(bom)
        bom = b""
        while len(line) == limit and not line.endswith(b"\n"):
            line = stream.readline(limit)


# Comments, tied to the words that they follow.

_LINE_END = re.compile(r"\r+\n")
_WORD = re.compile(r"\S+")


def _comments(comments: list[re.Match[str]], layout: Built, text: str) -> Iterator[Comment]:
    """The comments of a game that was read, each after the word that it follows; `text` is the game without them.

    Line ends in a comment become ``\\n``, blanks at the end of a line comment are left out. Cost: n log n.
    """
    result = [] if layout.result is None else [layout.result]
    lines = [*layout.tags.values(), *layout.lines.values(), *(turn.line for turn in layout.turns), *result]
    starts = [line.start for line in lines]
    tied, end, words = -1, 0, list[int]()
    for m in comments:
        item = bisect_right(starts, m.start()) - 1
        if item != tied:
            tied, end, words = item, lines[item].end, _words(layout, item, lines[item], text)
        said = m[0].rstrip() if m[0][0] == ";" else _LINE_END.sub("\n", m[0])
        if item >= 0 and text.find("\n", end, m.start()) < 0:
            end = max(end, m.end())
            yield Comment(item, bisect_left(words, m.start()) - 1, said)
        else:
            yield Comment(item + 1, -1, said)


def _words(layout: Built, item: int, line: Span, text: str) -> list[int]:
    """Where each word begins that a line has in canonical form; a draw left out begins with the action."""
    if item < len(layout.tags):
        return [line.start]
    words = [m.start() for m in _WORD.finditer(text, *line)]
    at = item - len(layout.tags) - len(layout.lines)
    if not 0 <= at < len(layout.turns):
        return words
    turn = layout.turns[at]
    unwritten = [turn.player.start] if turn.player.start == turn.number.end else []
    unwritten += [turn.action.start] if turn.draw is None else []
    return sorted([*words, *unwritten])


# Comments that hold what may have been meant as a part of the game: a stray ``;``, a ``{`` that is closed too late.

_AFTER = re.compile(
    r";[ \t]*(?P<part>(?:[0-9]{1,4}\.[ \t]*(?P<name>[^\s\";{}\[\]]+)|(?:drop|trim|fill)[ \t]+[0-9F?,]+[ \t\r]*$))"
)
_LATE = re.compile(r"\{[^{}]*\n[^{}]*\{")


def swallowed(text: str, players: Sequence[str]) -> list[Fault]:
    """The first ``;`` of a text that can be read after which a turn stands, or a drop, trim or fill, in a line that
    does not begin with it; the first ``{`` that goes on over a line end to another one. Cost: linear.
    """
    comments = comments_of(text)
    named = [name_of(each) for each in players]
    faults: list[Fault] = []
    for m in comments:
        part = _AFTER.match(m[0])
        if part is None or not text[text.rfind("\n", 0, m.start()) + 1 : m.start()].strip():
            continue
        if part["name"] is None or name_of(part["name"].rstrip(":.,")) in named:
            word = shorten(" ".join(part["part"].split()))
            faults.append(Fault(Span(m.start(), m.start() + 1), fact("comment_part", word=word)))
            break
    late = next((m.start() for m in comments if _LATE.match(m[0])), None)
    if late is not None and text.count("{") > text.count("}"):
        faults.append(Fault(Span(late, late + 1), fact("comment_late")))
    return faults


# Reading: files and streams into games and positions, one after the other, in bounded memory.

_EVENT = re.compile(r'\[Event\s+"([^"\r\n]*)"')


class Malformed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is no CGN.

    `index` counts from 1 within the file `file`, `line` is the number, in the file, of the first line of `text`, the
    game's own text (cut short where it goes beyond a bound). `event` is its Event tag where one is found. `diagnostics`
    are errors with the code `NOTATION` and places in `text`, first place first; there is at least one. Beyond a bound
    (`notation.recover.MAX_FAULTS`) a last note counts the lines that cannot be read.

    `judged` is the game up to its first line that cannot be read, slips that can be mended being read as they were
    meant; None where something before the turns cannot be read. Its layout tells places in `text`.
    """

    file: str
    index: int
    text: str
    line: int
    event: str | None
    diagnostics: tuple[Diagnostic, ...]
    judged: Game | None = None

    def __repr__(self) -> str:
        return recorded.short(self, file=self.file, index=self.index, faults=len(self.diagnostics))

    def __str__(self) -> str:
        return self.text


Item = Game | Snapshot | Malformed


def read_stream(stream: BinaryIO, file: str) -> Iterator[Item]:
    """The games and positions of a stream of bytes, each as soon as it ends. Without any there is one `Malformed`.

    `stream` is buffered, and its `OSError` passes. Memory is bounded by one game of `MAX_GAME` bytes, time is linear.
    """
    for index, piece in enumerate(split(stream), 1):
        yield read_piece(piece, file, index)


def read_text(text: str, file: str = "-") -> Iterator[Item]:
    """The games and positions of a text; `file` is the name that they carry. See `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), file)


def read(path: str | Path) -> Iterator[Item]:
    """The games and positions of a file. Raises `OSError` where it cannot be read, to its end. See `read_stream`."""
    with Path(path).open("rb") as stream:
        yield from read_stream(cast("BinaryIO", Bounded(stream)), str(path))


def read_piece(piece: Piece, file: str, index: int) -> Item:
    """What the text of one game holds, the `index`-th of its file."""
    if piece.fault is not None:
        return _malformed(piece, file, index, [piece.fault])
    comments = comments_of(piece.text)
    parsed = parse(without(piece.text, comments))
    built = build(parsed) if parsed.whole else []
    if isinstance(built, list) or _empty(built.value) or _suspicious(parsed.text, built.value.players):
        from couperation_formal.notation.recover import resume, unread

        faults, judged = resume(piece.text, accepted=not isinstance(built, list))
        if faults or isinstance(built, list):
            game = cast("Game | None", judged and _item(piece, file, index, judged))
            return _malformed(piece, file, index, faults or unread(parsed), game)
    told = tuple(_comments(comments, built, parsed.text)) if comments else ()
    return _item(piece, file, index, built, told)


def _item(piece: Piece, file: str, index: int, built: Built, told: tuple[Comment, ...] = ()) -> Game | Snapshot:
    text, line, (value, tags, lines, turns, result) = piece.text, piece.line, built
    layout = Layout(text=text, line=line, tags=tags, lines=lines, turns=turns, result=result, comments=told)
    if isinstance(value, Position):
        return Snapshot(file=file, index=index, position=value, layout=layout)
    return Game(file=file, index=index, record=value, layout=layout)


def _empty(value: Record | Position) -> bool:
    """Whether a list of cards is empty, as one is whose cards stand after a stray ``;``."""
    hands = value.deals if isinstance(value, Record) else value.hands
    return () in (value.reserve, value.deck, *hands.values())


def _suspicious(text: str, players: tuple[str, ...]) -> bool:
    """Whether a text that the grammar accepts holds look-alikes; what knows of these is imported only for it."""
    if text.isascii():
        return False
    from couperation_formal.notation.recover import suspicious

    return suspicious(text, players)


def _malformed(piece: Piece, file: str, index: int, faults: list[Fault], judged: Game | None = None) -> Malformed:
    event = _EVENT.search(piece.text)
    return Malformed(
        file=file,
        index=index,
        text=piece.text,
        line=piece.line,
        event=event[1] if event else None,
        diagnostics=tuple(
            Diagnostic(
                code=NOTATION,
                severity="note" if each.what.kind == "more_lines" else "error",
                turn=None,
                span=Span(*(min(at, len(piece.text)) for at in each.span)),
                what=each.what,
                edit=each.edit,
            )
            for each in sorted(faults, key=lambda each: (each.span, say(each.what, ENGLISH)))
        ),
        judged=judged,
    )


# Mending: the edits that the faults of a text carry, made; nothing else in the text changes.

_MOST_READ = 1 << 24
"""So many characters are read for one game, which is read again after its edits: others may show then."""

_MOST_ROUNDS = 1000


class Mended(NamedTuple):
    """A text before and after its edits, the faults that they mended, and what the text holds then: one game or
    position, or several where an edit made a head. `faults` and `items` have their places in the text in which they
    were found, the first faults so in `before`, the items in `after`.
    """

    before: str
    after: str
    faults: tuple[Diagnostic, ...]
    items: tuple[Item, ...]


def mend(item: Item) -> Mended | None:
    """A game or position with the edits made that its faults carry; None where there is none, or nothing else.

    It is read again after its edits, until a reading finds none or as much was read as is read at most: what is left
    then is among the faults of `items`. Cost: a reading for each fifty edits or so.
    """
    if not _mendable(item):
        return None
    text, faults, seen = str(item), list[Diagnostic](), set[str]()
    items: tuple[Item, ...] = (item,)
    for _ in range(min(_MOST_ROUNDS, _MOST_READ // (len(text) + 1) + 1)):
        parts = [(str(part), _mendable(part)) for part in items]
        here = [each for _, some in parts for each in some]
        if not here or text in seen or "".join(own for own, _ in parts) != text:
            break
        seen.add(text)
        faults += here
        text = "".join(edited(own, some) for own, some in parts)
        items = tuple(read_text(text, item.file))
    if not text.strip():
        return None
    return Mended(str(item), text, tuple(faults), tuple(_moved(items, item)))


def edited(text: str, faults: Iterable[Diagnostic]) -> str:
    """The text with the edits of these faults made, which stand apart and in their order. Cost: linear."""
    parts, at = list[str](), 0
    for edit in (fault.edit for fault in faults if fault.edit is not None):
        parts += [text[at : edit.span.start], edit.replacement]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def _mendable(item: Item) -> list[Diagnostic]:
    """The faults with an edit, in the order of these; of edits that overlap the first only."""
    if not isinstance(item, Malformed):
        return []
    kept: list[Diagnostic] = []
    last = Span(-1, -1)
    edits = [(fault.edit, fault) for fault in item.diagnostics if fault.edit is not None]
    for edit, fault in sorted(edits, key=lambda each: each[0].span):
        if edit.span.start >= last.end and edit.span != last and item.text[slice(*edit.span)] != edit.replacement:
            kept.append(fault)
            last = edit.span
    return kept


def _moved(items: tuple[Item, ...], item: Item) -> Iterable[Item]:
    """The items of a mended text as they stand in the file of the one that it was."""
    before = item.line - 1
    for part in items:
        index = item.index + part.index - 1
        if isinstance(part, Malformed):
            yield replace(part, index=index, line=before + part.line)
        else:
            layout = replace(part.layout, line=before + part.layout.line)
            yield replace(part, index=index, layout=layout)
