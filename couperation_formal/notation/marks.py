"""The marks that an owner wrote down once for the fifty cards of a copy: a file beside the records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from couperation_formal.model.cards import Mark, Value
from couperation_formal.model.fact import Fact, fact
from couperation_formal.model.record import Game, Snapshot, Span
from couperation_formal.model.toml_file import Place, TomlError, TomlFile
from couperation_formal.notation.header import MARKS, mark_fault

_WORD = re.compile(r"[^\s;]+|;[^\n]*")


class MarksError(TomlError):
    """A file that holds no marks."""


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
    and for a file without marks or of more than `toml_file.MAX_BYTES`; an unreadable file raises `OSError`.
    """
    file = TomlFile(Path(path), "marks", MarksError)
    marks: dict[Value, Mark] = {}
    places: dict[Value, tuple[int, int]] = {}
    for found in _WORD.finditer(file.text):
        word, start = found.group(), found.start()
        if word.startswith(";"):
            continue
        if word not in MARKS:
            raise file.refused(Place(*found.span()), mark_fault(word))
        value, mark = MARKS[word]
        if value in marks:
            raise file.refused(Place(*found.span()), fact("mark_twice", card=value))
        marks[value] = mark
        places[value] = (file.text.count("\n", 0, start) + 1, start - file.text.rfind("\n", 0, start))
    if not marks:
        raise MarksError("", fact("marks_none", path=str(path)))
    return OwnMarks(str(path), marks, places)


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
