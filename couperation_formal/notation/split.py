"""A stream cut into games, within bounds; which encoding bytes are in that are not UTF-8."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Fact, Told, fact
from couperation_formal.game.record import Span
from couperation_formal.notation.parse import Fault

# Which encoding bytes are in that are not UTF-8, by its name.

_LOOKED_AT = 1 << 12
"""So many bytes are looked at for UTF-16 without a byte order mark."""

_KANA = re.compile("[\u3041-\u30ff]")
_KANJI = re.compile("[\u3400-\u9fff々]{2}")
_HALF = re.compile("[\uff61-\uff9f]")
_MARKS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


def wide(data: bytes | bytearray) -> str | None:
    """The name of the UTF-16 or UTF-32 that a file is in, with a byte order mark or without; None where it is not.
    Every other byte of many is zero there."""
    mark = next((name for mark, name in _MARKS.items() if data.startswith(mark)), None)
    if mark is not None:
        return mark
    if data.find(0, 0, _LOOKED_AT) < 0:
        return None
    first, second = data[:_LOOKED_AT:2].count(0), data[1:_LOOKED_AT:2].count(0)
    if max(first, second) <= 2 or max(first, second) < 5 * min(first, second):
        return None
    return "UTF-16BE" if first > second else "UTF-16LE"


def escaped(text: str) -> str | None:
    """The name of the encoding of ASCII characters that text is in which is no plain one; None where it is none."""
    return "ISO-2022-JP" if "\x1b$B" in text or "\x1b$@" in text else None


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
        if _KANA.search(text) or (_KANJI.search(text) and not _HALF.search(text)):
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
            line = line[:_KEPT_OF_LINE]
        elif self.complete + len(line) > MAX_GAME:
            self.limit = fact("game_long", most=MAX_GAME)
            line = line[:_KEPT_OF_LINE]
        else:
            self.complete += len(line)
        self.data += line

    def piece(self) -> Piece:
        if self.limit is not None:
            text = self.data.decode("utf-8", "replace")
            start = len(self.data[: self.complete].decode("utf-8", "replace"))
            return Piece(text, self.line, Fault(Span(start, len(text)), self.limit))
        try:
            text = self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            return self._not_utf8(bytes(self.data), error.start)
        name = wide(self.data) or escaped(text)
        if name is not None:
            return Piece(text, self.line, _encoded(name))
        if "\r" in text and "\n" not in text.strip() and "\r" in text.strip():
            edit = Edit(Span(0, len(text)), text.replace("\r", "\n"))
            return Piece(text, self.line, Fault(_at(text.index("\r")), fact("cr_ends"), edit))
        return Piece(text, self.line, None)

    def _not_utf8(self, data: bytes, at: int) -> Piece:
        text = data.decode("utf-8", "replace")
        name = wide(data) if self.line == 1 else None
        if name is not None:
            return Piece(text, self.line, _encoded(name))
        place = len(data[:at].decode("utf-8"))
        known, byte = encoding_of(data), f"0x{data[at]:02X}"
        what = fact("not_text", byte=byte) if known is None else fact("not_utf8", byte=byte, encoding=known)
        return Piece(text, self.line, Fault(_at(place), what))


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
