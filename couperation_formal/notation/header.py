"""The tags of a game: the required ones, the rules, the variant, the marks; and an owner's file of marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, cast, get_args

import msgspec

from couperation_formal.game.diagnostic import Edit
from couperation_formal.game.fact import Datum, Fact, fact
from couperation_formal.game.record import Game, Snapshot, Span
from couperation_formal.game.rulings import Rules, RulesError, parse_rules
from couperation_formal.game.toml_file import Stretch, TomlError, TomlFile
from couperation_formal.game.tower import STANDARD, Mark, Value, Variant
from couperation_formal.notation.parse import Fault, name_of, shorten

# The tags of a game: the required ones, the rules, the variant, the marks.

_WORD_LISTS = ("Rules", "Players", "Marks")
_TAG = re.compile(r'\[\s*([^\s"]++)\s*"([^"]*)"\s*\]')
_WORD = re.compile(r"\S+")
MARKS: dict[str, tuple[Value, Mark]] = {
    f"{value}:{mark}": (Value(value), mark) for value in range(1, STANDARD.cards + 1) for mark in get_args(Mark)
}
"""Every mark by the way it is written."""


class Header(NamedTuple):
    """What the tags say. `spans` gives each tag's place, its brackets included, `named` is the tag Players."""

    tags: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    rules: Rules
    variant: Variant
    marks: dict[Value, Mark]
    spans: dict[str, Span]
    named: _Tag


class _Tag(NamedTuple):
    value: str
    start: int
    span: Span
    match: re.Match[str]

    def words(self) -> Iterator[tuple[str, Span]]:
        """The words of the value, each with its place."""
        for m in _WORD.finditer(self.value):
            yield m.group(), Span(self.start + m.start(), self.start + m.end())

    @property
    def name_span(self) -> Span:
        return Span(*self.match.span(1))

    @property
    def value_span(self) -> Span:
        return Span(self.start, self.start + len(self.value))


def read_header(lines: re.Match[str], faults: list[Fault]) -> Header | None:
    """The header that the tags make, or None where something in them is amiss; what it is goes into `faults`."""
    before = len(faults)
    tags = _tags(lines, faults)
    if not _known_version(tags, faults):
        return None
    players = _players(tags, faults)
    rules = _rules(tags.get("Rules"), faults)
    variant = _variant(tags.get("Variant"), faults)
    marks = _marks(tags["Marks"], faults) if "Marks" in tags else {}
    if len(faults) > before or rules is None:
        return None
    values = tuple(
        (name, name_of(" ".join(tag.value.split())) if name in _WORD_LISTS else tag.value) for name, tag in tags.items()
    )
    return Header(
        values, players, rules, variant, marks, {name: tag.span for name, tag in tags.items()}, tags["Players"]
    )


def _tags(lines: re.Match[str], faults: list[Fault]) -> dict[str, _Tag]:
    tags: dict[str, _Tag] = {}
    for m in _TAG.finditer(lines.string, lines.start(), lines.end()):
        name, span = m[1], Span(*m.span())
        if name in tags:
            faults.append(Fault(span, fact("tag_twice", name=shorten(name))))
        else:
            tags[name] = _Tag(m[2], m.start(2), span, m)
    return tags


def _known_version(tags: dict[str, _Tag], faults: list[Fault]) -> bool:
    name, tag = next(iter(tags.items()))
    if name.lower() == "cgn" and name != "CGN" and "CGN" not in tags:
        faults.append(Fault(tag.name_span, fact("begins"), Edit(tag.name_span, "CGN")))
    elif name != "CGN":
        faults.append(Fault(tag.span, fact("begins"), Edit(Span(tag.span.start, tag.span.start), '[CGN "1"]\n')))
    elif tag.value != "1":
        faults.append(Fault(tag.value_span, fact("version", version=shorten(tag.value))))
    return name == "CGN" and tag.value == "1"


def _players(tags: dict[str, _Tag], faults: list[Fault]) -> tuple[str, ...]:
    tag = tags.get("Players")
    if tag is None:
        like = next((name for name in tags if name.lower().startswith("player")), None)
        what = fact("players_missing", like=None if like is None else shorten(like))
        edit = None if like is None else Edit(tags[like].name_span, "Players")
        faults.append(Fault(next(iter(tags.values())).span, what, edit))
        return ()
    players = []
    for name, span in tag.words():
        players.append(name_of(name))
        bad = next((character for character in name if character in ";{}[]"), None)
        if bad is not None:
            faults.append(Fault(span, fact("name_letter_in", letter=bad, name=shorten(name))))
    if not players:
        faults.append(Fault(tag.span, fact("players_none")))
    return tuple(players)


def _rules(tag: _Tag | None, faults: list[Fault]) -> Rules | None:
    try:
        return parse_rules("" if tag is None else " ".join(tag.value.split()))
    except RulesError as error:
        if tag is None:
            raise
        place = tag.value_span
        for word, span in tag.words():
            if word == error.word:
                place = span
        faults.append(Fault(place, _shortened(error.what, error.word), _small(tag)))
        return None


def _small(tag: _Tag) -> Edit | None:
    """The rules in small letters, where they are known so."""
    meant = tag.value.lower()
    try:
        parse_rules(" ".join(meant.split()))
    except RulesError:
        return None
    return Edit(tag.value_span, meant)


def _shortened(what: Fact, word: str) -> Fact:
    """The same with a word in it shortened."""

    def cut(value: Datum) -> Datum:
        if isinstance(value, Fact):
            return _shortened(value, word)
        return shorten(word) if value == word else value

    return Fact(what.kind, what.numbers, tuple((name, cut(value)) for name, value in what.beside))


def _variant(tag: _Tag | None, faults: list[Fault]) -> Variant:
    value = "first" if tag is None else tag.value
    if value == "first" or value == "finish":
        return cast("Variant", value)
    if tag is not None:
        meant = value.strip().lower()
        edit = Edit(tag.value_span, meant) if meant in get_args(Variant) else None
        faults.append(Fault(tag.value_span, fact("no_variant", name=shorten(value)), edit))
    return "first"


def _marks(tag: _Tag, faults: list[Fault]) -> dict[Value, Mark]:
    words = tag.value.split()
    marks = dict([MARKS[word] for word in words if word in MARKS])
    if len(marks) < len(words):
        seen: set[str] = set()
        for word, span in tag.words():
            value = word.partition(":")[0]
            if word not in MARKS:
                parts = re.split("[,;]", word.strip(",;").upper().replace("=", ":"))
                edit = Edit(span, " ".join(parts)) if all(part in MARKS for part in parts) else None
                faults.append(Fault(span, mark_fault(word), edit))
            elif value in seen:
                faults.append(Fault(span, fact("mark_twice", card=value)))
            seen.add(value)
    return marks


def mark_fault(word: str) -> Fact:
    """Why a word is no mark."""
    _, colon, mark = word.partition(":")
    kind = "mark_form" if not colon else "mark_mark" if mark not in ("1", "2", "H") else "mark_card"
    return fact(kind, word=shorten(word), cards=STANDARD.cards)


# The marks that an owner wrote down once for the fifty cards of a copy: a file beside the records.

_WORD_OR_COMMENT = re.compile(r"[^\s;]+|;[^\n]*")


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
    for match in _WORD_OR_COMMENT.finditer(file.text):
        word, start = match.group(), match.start()
        if word.startswith(";"):
            continue
        if word not in MARKS:
            raise file.refused(Stretch(*match.span()), mark_fault(word))
        value, mark = MARKS[word]
        if value in marks:
            raise file.refused(Stretch(*match.span()), fact("mark_twice", card=value))
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
