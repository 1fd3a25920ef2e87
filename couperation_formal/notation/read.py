"""Reading: files and streams into games and positions, one after the other, in bounded memory."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from couperation_formal.model.diagnostic import NOTATION, Diagnostic
from couperation_formal.model.fact import Fact
from couperation_formal.model.record import Game, Layout, Snapshot, Span, short
from couperation_formal.notation.comments import find_comments
from couperation_formal.notation.fault import Fault
from couperation_formal.notation.parse import parse
from couperation_formal.notation.position import Positioned, build_position
from couperation_formal.notation.record import Recorded, build_record
from couperation_formal.notation.split import Bounded, Piece, split
from couperation_formal.notation.turns import TurnPlaces
from couperation_formal.words.say import say

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


def read_file(path: str | Path) -> Iterator[Item]:
    """The games and positions of a file. Raises `OSError` where it cannot be read, to its end. See `read_stream`."""
    with Path(path).open("rb") as stream:
        yield from read_stream(cast("BinaryIO", Bounded(stream)), str(path))


def _read_piece(piece: Piece, file: str, index: int) -> Item:
    if piece.fault is not None:
        return _malformed(piece, file, index, [piece.fault])
    built = build(piece.text)
    if isinstance(built, list) or _empty(built) or _suspicious(piece.text, built):
        from couperation_formal.notation.resume import resume

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
    from couperation_formal.notation.lookalikes import SHAPELESS, called

    def name(each: re.Match[str]) -> str:
        before, after = said[: each.start()], said[each.end() :]
        within = before.count('"') % 2 or before[-1:] not in " (" or after[:1] not in " ,;.:)"
        return say(called(each[0], bool(within)))

    return SHAPELESS.sub(name, said)


def _within(span: Span, text: str) -> Span:
    start = min(span.start, len(text))
    return Span(start, max(start, min(span.end, len(text))))
