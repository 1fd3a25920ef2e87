"""The marks that an owner wrote down once for the fifty cards of a copy: a file beside the records."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from couperation_formal.model.cards import Mark, Value
from couperation_formal.model.fact import Fact, Unfit, fact
from couperation_formal.model.record import Game, Snapshot, Span
from couperation_formal.notation.header import MARKS, mark_fault

MAX_BYTES = 64 * 1024
"""A file of marks is not larger than this; the fifty of a copy take 250 bytes."""

_WORD = re.compile(r"[^\s;]+|;[^\n]*")


class MarksError(Unfit):
    """A file that holds no marks. `line` is the number of the line, the line itself, and where in it what is wrong
    begins and ends; None where that is the whole file.
    """

    def __init__(self, what: Fact, line: tuple[int, str, int, int] | None = None) -> None:
        super().__init__(what)
        self.line = line


class OwnMarks(msgspec.Struct, frozen=True):
    """The marks of a copy, and for each card the line and column, from 1, where its mark stands in `file`."""

    file: str
    marks: Mapping[Value, Mark]
    places: Mapping[Value, tuple[int, int]]


class Clash(NamedTuple):
    """A card whose mark a record's own tag gives otherwise: the stretch of the record's text, and what is so."""

    span: Span
    what: Fact


def read_marks(path: str | Path) -> OwnMarks:
    """Read a file of marks: words ``value:mark`` as in the Marks tag, over as many lines as one likes; ``;`` begins a
    comment. Raises `MarksError`, with the place, for whatever else stands there, for a card that stands there twice,
    and for a file without marks or of more than `MAX_BYTES`; an unreadable file raises `OSError`.
    """
    text = _text(Path(path))
    marks: dict[Value, Mark] = {}
    places: dict[Value, tuple[int, int]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        for found in _WORD.finditer(line):
            word, what = found.group(), None
            if word.startswith(";"):
                continue
            if word not in MARKS:
                what = mark_fault(word)
            elif MARKS[word][0] in marks:
                what = fact("mark_twice", card=MARKS[word][0])
            if what is not None:
                raise MarksError(_placed(path, number, found.start(), what), (number, line, *found.span()))
            value, mark = MARKS[word]
            marks[value], places[value] = mark, (number, found.start() + 1)
    if not marks:
        raise MarksError(fact("marks_none", path=str(path)))
    return OwnMarks(str(path), marks, places)


def _text(path: Path) -> str:
    try:
        if not (stat.S_ISREG(path.stat().st_mode) or path.is_dir()):
            raise MarksError(fact("marks_no_file", path=str(path)))
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except ValueError as error:  # a name that no file can have
        raise MarksError(fact("unreadable", path=str(path), why=str(error))) from None
    if len(content) > MAX_BYTES:
        raise MarksError(fact("marks_long", path=str(path), most=MAX_BYTES))
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        lines = content.split(b"\n")
        number = next(at for at, line in enumerate(lines, start=1) if not _decodes(line))
        line = lines[number - 1].decode("utf-8", "replace")
        start = line.index("\ufffd")
        raise MarksError(_placed(path, number, start, fact("no_utf8")), (number, line, start, start + 1)) from None


def _decodes(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _placed(path: str | Path, line: int, start: int, what: Fact) -> Fact:
    return fact("rulebook_at", path=str(path), line=line, column=start + 1, said=what)


def with_marks(item: Game | Snapshot, own: OwnMarks) -> tuple[Game | Snapshot, tuple[Clash, ...]]:
    """A game or position whose cards bear these marks too, and where its own tag says otherwise, which stands. The text
    it was read from stays as it was.
    """
    told = item.record if isinstance(item, Game) else item.position
    clashes = tuple(
        _clash(item, own, value) for value, mark in sorted(told.marks.items()) if own.marks.get(value, mark) != mark
    )
    marks = dict(sorted({**own.marks, **told.marks}.items()))
    text = " ".join(f"{value}:{mark}" for value, mark in marks.items())
    tags = (*(tag for tag in told.tags if tag[0] != "Marks"), ("Marks", text))
    if isinstance(item, Game):
        record = msgspec.structs.replace(item.record, marks=marks, tags=tags)
        return msgspec.structs.replace(item, record=record), clashes
    position = msgspec.structs.replace(item.position, marks=marks, tags=tags)
    return msgspec.structs.replace(item, position=position), clashes


def _clash(item: Game | Snapshot, own: OwnMarks, value: Value) -> Clash:
    told = item.record if isinstance(item, Game) else item.position
    tag = item.layout.tags["Marks"]
    word = re.search(rf"(?<!\d){value}:[12H]", item.layout.text[tag.start : tag.end])
    span = tag if word is None else Span(tag.start + word.start(), tag.start + word.end())
    line, column = own.places[value]
    values = {"card": value, "mark": told.marks[value], "other": own.marks[value]}
    return Clash(span, fact("marks_clash", file=own.file, line=line, column=column, **values))
