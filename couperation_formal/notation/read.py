"""From a text or a stream to its games and positions, each with its comments, or told why not; edits that mend."""

from __future__ import annotations

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import msgspec

from couperation_formal.game.diagnostic import NOTATION, Diagnostic
from couperation_formal.game.fact import Fact
from couperation_formal.game.record import Comment, Game, Layout, Snapshot, Span, short
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.parse import parse
from couperation_formal.notation.record import Positioned, Recorded, TurnPlaces, build_position, build_record
from couperation_formal.notation.split import Bounded, Piece, split
from couperation_formal.words.say import say

# Comments: found in the text of a game that was read, and tied to the words that they follow.

_SCAN = re.compile(r'"[^"\r\n]*"|;[^\n]*|\{[^}]*\}')
_WORDS = re.compile(r"\{[^}]*\}|([^\s;{]+)")
_LINE_END = re.compile(r"\r+\n")


def find_comments(
    text: str, tags: dict[str, Span], lines: dict[str, Span], turns: TurnPlaces, result: Span | None
) -> tuple[Comment, ...]:
    """The comments of a game that was read, in their order; the rest tells where its lines stand.

    Line ends in a comment become ``\\n``, blanks at the end of a line comment are left out. Cost: n log n in the text
    where it has comments, else a search for their first letters.
    """
    if ";" not in text and "{" not in text:
        return ()
    return tuple(_Lines(text, tags, lines, turns, result).comments())


class _Lines:
    """The lines that carry meaning, in their order; a tag counts as a line."""

    def __init__(
        self, text: str, tags: dict[str, Span], lines: dict[str, Span], turns: TurnPlaces, result: Span | None
    ) -> None:
        self._text = text
        self._tags = len(tags)
        self._before = [*tags.values(), *lines.values()]
        self._turns = turns
        self._after = [] if result is None else [result]
        self._starts = [
            *(span.start for span in self._before),
            *turns.starts,
            *(span.start for span in self._after),
        ]

    def comments(self) -> list[Comment]:
        text = self._text
        found: list[Comment] = []
        tied, end, words = -1, 0, list[int]()
        for m in _SCAN.finditer(text):
            if m.group()[0] == '"':
                continue
            item = bisect_right(self._starts, m.start()) - 1
            if item != tied:
                tied = item
                end, words = self._words(item)
            if item >= 0 and (m.start() < end or text.find("\n", end, m.start()) < 0):
                found.append(Comment(item, bisect_left(words, m.start()) - 1, _clean(m.group())))
                end = max(end, m.end())
            else:
                found.append(Comment(item + 1, -1, _clean(m.group())))
        return found

    def _words(self, item: int) -> tuple[int, list[int]]:
        """Where a line ends, and where each word that it has in canonical form begins; a draw left out begins with the
        action.
        """
        turn = item - len(self._before)
        if turn < 0:
            line = self._before[item]
            return line.end, [line.start] if item < self._tags else self._written(line)
        if turn >= len(self._turns):
            line = self._after[0]
            return line.end, self._written(line)
        layout = self._turns[turn]
        words = self._written(layout.line)
        if layout.player.start == layout.number.end:
            words.append(layout.player.start)
        if layout.draw is None:
            words.append(layout.action.start)
        return layout.line.end, sorted(words)

    def _written(self, line: Span) -> list[int]:
        return [m.start() for m in _WORDS.finditer(self._text, line.start, line.end) if m.group(1)]


def _clean(comment: str) -> str:
    return comment.rstrip() if comment[0] == ";" else _LINE_END.sub("\n", comment)


# Reading: files and streams into games and positions, one after the other, in bounded memory.

NOTES = ("more_lines",)
"""Faults that follow from others."""

_EVENT = re.compile(r'\[Event\s+"([^"\r\n]*)"')


class Malformed(msgspec.Struct, frozen=True, kw_only=True):
    """A game that is no CGN.

    `index` counts from 1 within the file `file`, `line` is the number, in the file, of the first line of `text`, the
    game's own text (cut short where it goes beyond a bound). `event` is its Event tag where one is found. `diagnostics`
    are errors with the code `NOTATION` and places in `text`, first place first; there is at least one. Beyond a bound
    (`notation.bare.MAX_FAULTS`) a last note counts the lines that cannot be read.

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
        return short(self, file=self.file, index=self.index, faults=len(self.diagnostics))

    def __str__(self) -> str:
        return self.text


Item = Game | Snapshot | Malformed


def read_stream(stream: BinaryIO, file: str) -> Iterator[Item]:
    """The games and positions of a stream of bytes, each as soon as it ends. Without any there is one `Malformed`.

    `stream` is buffered, and its `OSError` passes. Memory is bounded by one game of `MAX_GAME` bytes, time is linear.
    """
    for index, piece in enumerate(split(stream), 1):
        yield _read_piece(piece, file, index)


def read_text(text: str, file: str = "-") -> Iterator[Item]:
    """The games and positions of a text; `file` is the name that they carry. See `read_stream`."""
    return read_stream(io.BytesIO(text.encode("utf-8", "surrogatepass")), file)


def read(path: str | Path) -> Iterator[Item]:
    """The games and positions of a file. Raises `OSError` where it cannot be read, to its end. See `read_stream`."""
    with Path(path).open("rb") as stream:
        yield from read_stream(cast("BinaryIO", Bounded(stream)), str(path))


def _read_piece(piece: Piece, file: str, index: int) -> Item:
    if piece.fault is not None:
        return _malformed(piece, file, index, [piece.fault])
    built = build(piece.text)
    if isinstance(built, list) or _empty(built) or _suspicious(piece.text, built):
        from couperation_formal.notation.recover import resume

        faults, judged = resume(piece, file, index, accepted=not isinstance(built, list))
        if faults or isinstance(built, list):
            return _malformed(piece, file, index, faults or cast("list[Fault]", built), judged)
    if isinstance(built, Positioned):
        layout = _layout(piece, built.tags, built.lines)
        return Snapshot(file=file, index=index, position=built.position, layout=layout)
    record, tags, lines, starts, result = built
    return Game(file=file, index=index, record=record, layout=_layout(piece, tags, lines, starts, result))


def _empty(built: Recorded | Positioned) -> bool:
    """Whether a list of cards is empty, as one is whose cards stand after a stray ``;``."""
    if isinstance(built, Recorded):
        record = built.record
        return record.reserve == () or record.deck == () or () in record.deals.values()
    return built.position.reserve == () or built.position.deck == () or () in built.position.hands.values()


def _suspicious(text: str, built: Recorded | Positioned) -> bool:
    """Whether a text that the grammar accepts holds look-alikes; what knows of these is imported only for it."""
    if text.isascii():
        return False
    from couperation_formal.notation.bare import suspicious

    return suspicious(text, built.record.players if isinstance(built, Recorded) else built.position.players)


def build(text: str) -> Recorded | Positioned | list[Fault]:
    """What a text says, or what in it is no CGN."""
    parsed = parse(text)
    if isinstance(parsed, Fault):
        return [parsed]
    return build_record(parsed) if parsed.position is None else build_position(parsed.tags, parsed.position)


def _layout(
    piece: Piece,
    tags: dict[str, Span],
    lines: dict[str, Span],
    starts: Sequence[int] = (),
    result: Span | None = None,
) -> Layout:
    turns = TurnPlaces(piece.text, starts)
    comments = find_comments(piece.text, tags, lines, turns, result)
    return Layout(
        text=piece.text, line=piece.line, tags=tags, lines=lines, turns=turns, result=result, comments=comments
    )


def _malformed(piece: Piece, file: str, index: int, faults: list[Fault], judged: Game | None = None) -> Malformed:
    event = _EVENT.search(piece.text)
    return Malformed(
        file=file,
        index=index,
        text=piece.text,
        line=piece.line,
        event=event.group(1) if event else None,
        diagnostics=tuple(
            Diagnostic(
                code=NOTATION,
                severity="note" if each.what.kind in NOTES else "error",
                turn=None,
                span=_within(each.span, piece.text),
                message=told(each.what),
                edit=each.edit,
            )
            for each in sorted(faults, key=lambda each: (each.span, say(each.what)))
        ),
        judged=judged,
    )


def told(what: Fact) -> str:
    """A sentence about a text, in which what cannot be seen stands by its name: in brackets within a word or quotes."""
    said = say(what)
    if said.isascii() and said.isprintable():
        return said
    from couperation_formal.notation.names import SHAPELESS, called

    def name(each: re.Match[str]) -> str:
        before, after = said[: each.start()], said[each.end() :]
        within = before.count('"') % 2 or before[-1:] not in " (" or after[:1] not in " ,;.:)"
        return say(called(each[0], bool(within)))

    return SHAPELESS.sub(name, said)


def _within(span: Span, text: str) -> Span:
    start = min(span.start, len(text))
    return Span(start, max(start, min(span.end, len(text))))


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
    text, faults, seen = _text(item), list[Diagnostic](), set[str]()
    found: tuple[Item, ...] = (item,)
    for _ in range(min(_MOST_ROUNDS, _MOST_READ // (len(text) + 1) + 1)):
        parts = [(_text(part), _mendable(part)) for part in found]
        here = [each for _, some in parts for each in some]
        if not here or text in seen or "".join(own for own, _ in parts) != text:
            break
        seen.add(text)
        faults += here
        text = "".join(edited(own, some) for own, some in parts)
        found = tuple(read_text(text, item.file))
    if not text.strip():
        return None
    return Mended(_text(item), text, tuple(faults), tuple(_moved(found, item)))


def edited(text: str, faults: Iterable[Diagnostic]) -> str:
    """The text with the edits of these faults made, which stand apart and in their order. Cost: linear."""
    parts, at = list[str](), 0
    for edit in (found.edit for found in faults if found.edit is not None):
        parts += [text[at : edit.span.start], edit.replacement]
        at = edit.span.end
    return "".join([*parts, text[at:]])


def _text(item: Item) -> str:
    return item.text if isinstance(item, Malformed) else item.layout.text


def _mendable(item: Item) -> list[Diagnostic]:
    """The faults with an edit, in the order of these; of edits that overlap the first only."""
    if not isinstance(item, Malformed):
        return []
    kept: list[Diagnostic] = []
    last = Span(-1, -1)
    edits = [(found.edit, found) for found in item.diagnostics if found.edit is not None]
    for edit, found in sorted(edits, key=lambda each: each[0].span):
        if edit.span.start >= last.end and edit.span != last and item.text[slice(*edit.span)] != edit.replacement:
            kept.append(found)
            last = edit.span
    return kept


def _moved(found: tuple[Item, ...], item: Item) -> Iterable[Item]:
    """The items of a mended text as they stand in the file of the one that it was."""
    before = (item.line if isinstance(item, Malformed) else item.layout.line) - 1
    for part in found:
        index = item.index + part.index - 1
        if isinstance(part, Malformed):
            yield msgspec.structs.replace(part, index=index, line=before + part.line)
        else:
            layout = msgspec.structs.replace(part.layout, line=before + part.layout.line)
            yield msgspec.structs.replace(part, index=index, layout=layout)
