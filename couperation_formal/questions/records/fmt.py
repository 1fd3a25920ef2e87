"""Whole files in canonical form, game by game."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, cast

from couperation_formal.game.record import Game, Position, Record
from couperation_formal.notation import write
from couperation_formal.notation.read import Item, Malformed, read_stream, read_text
from couperation_formal.questions.records.taken import GameLike, PlaceLike, game_of, place_of

_BOM = "\ufeff"


class Formed(NamedTuple):
    """A game or position as it stands in its file and in canonical form, each with what parts it from the next."""

    before: str
    after: str


def record_text(game: GameLike) -> str:
    """A whole game as canonical CGN, its result always written, without comments. Raises `ValueError` for a tag that
    CGN cannot hold.
    """
    return write.record_text(game if isinstance(game, Record) else game_of(game, "record_text").record)


def format_item(item: PlaceLike) -> str:
    """A game or position as it was read, in canonical form, with its lines and comments in their order.

    Reading the result gives the same value, and comments with the same texts in the same order. Cost: linear.
    """
    return write.format_item(place_of(item, "format_item"))


def canonical(data: bytes, file: str = "-") -> bytes | tuple[Malformed, ...]:
    """The games and positions of a file in canonical form, or those that are no CGN. See `formed`."""
    items = list(formed(io.BytesIO(data), file))
    malformed = tuple(item for item in items if isinstance(item, Malformed))
    return malformed or "".join(item.after for item in items if isinstance(item, Formed)).encode()


def formed(stream: BinaryIO, file: str) -> Iterator[Formed | Malformed]:
    """The games and positions of a stream in canonical form, each as soon as it is known whether one follows.

    Each was read back: it is the same game or position with the same comments. Raises `RuntimeError` where it is not, a
    failure of ours. The texts of the games, one after the other, are the stream's. Memory is bounded by one game's,
    cost is twice that of reading.
    """
    marked = _Marked(stream)
    last: Formed | None = None
    for item in read_stream(cast("BinaryIO", marked), file):
        if last is not None:
            yield Formed(last.before, last.after + "\n")
        last = None
        if isinstance(item, Malformed):
            yield item
            continue
        after = write.format_item(item)
        apart = item.index == 1 or after.startswith("[CGN ")
        if not apart or list(map(_kept, read_text(after, file))) != [_kept(item)]:
            raise RuntimeError(f"{file}: its canonical form would not read back as the same games")
        last = Formed(_BOM * (marked.mark and item.index == 1) + item.layout.text, after)
    if last is not None:
        yield last


class _Marked:
    """A stream's lines; `mark` tells whether a byte order mark came first, which the reader leaves out."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._begun, self.mark = stream, False, False

    def readline(self, limit: int) -> bytes:
        line = self._stream.readline(limit)
        self.mark = self.mark or (not self._begun and line.startswith(_BOM.encode()))
        self._begun = True
        return line


def _kept(item: Item) -> tuple[Record | Position, list[str]] | Malformed:
    """What formatting keeps: the game or position, and the texts of its comments in their order."""
    if isinstance(item, Malformed):
        return item
    value = item.record if isinstance(item, Game) else item.position
    return value, [comment.text for comment in item.layout.comments]
