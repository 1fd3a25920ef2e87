"""The finished parts of a long enumeration in a file of JSON lines, so that it can be interrupted and resumed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from couperation_formal.cli.files import reason_of
from couperation_formal.towers.completion.deadlocks import Cells, Deadlock, Question

_HEAD = len('{"format":1,')
"""So many bytes at the beginning of a file tell that it is one of ours."""


class Unresumable(ValueError):
    """The file cannot be used: it belongs to another enumeration, is none of ours, or fails."""


@contextmanager
def _told() -> Iterator[None]:
    """Turn a failure of the file into `Unresumable`."""
    try:
        yield
    except OSError as error:
        raise Unresumable(reason_of(error)) from None


class Slice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finished shape: its cells, and the minimal deadlocks of it."""

    shape: tuple[str, ...]
    found: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


class Slices:
    """The finished shapes of one question.

    The file's first line says which question it is; every other line is a finished shape, appended at once and put on
    the disk. A last line that was cut off by an interruption is dropped. Without a file nothing is kept. Every method
    raises `Unresumable`.
    """

    def __init__(self, question: Question, file: str | None) -> None:
        self._file = file
        self._done: dict[tuple[str, ...], tuple[int, int]] = {}
        if file is not None:
            with _told():
                if (Path(file).exists() or Path(file).is_symlink()) and not Path(file).is_file():
                    raise Unresumable("it is no regular file")
            with _told(), Path(file).open("ab+") as stream:
                self._begin(stream, msgspec.json.encode(_question(question)) + b"\n")

    def _begin(self, stream: BinaryIO, head: bytes) -> None:
        stream.seek(0)
        line = stream.readline(len(head))
        if line == head:
            self._read(stream)
        elif not line or (head.startswith(line) and len(line) >= _HEAD):  # nothing, or a head that was cut off
            stream.truncate(0)
            stream.write(head)
        else:
            raise Unresumable("it holds another enumeration, or is no file of this command")

    def _read(self, stream: BinaryIO) -> None:
        """Note where each shape stands."""
        while True:
            start = stream.tell()
            line = stream.readline()
            if not line.endswith(b"\n"):
                stream.truncate(start)
                return
            try:
                shape = msgspec.json.decode(line, type=Slice).shape
            except msgspec.DecodeError as error:
                raise Unresumable(f"a line of it is no finished shape: {error}") from None
            self._done[shape] = (start, len(line))

    def get(self, cells: Cells) -> list[Deadlock] | None:
        """What was found for a shape, None where it is not finished."""
        place = self._done.get(_names(cells))
        if place is None or self._file is None:
            return None
        with _told(), Path(self._file).open("rb") as stream:
            stream.seek(place[0])
            found = msgspec.json.decode(stream.read(place[1]), type=Slice).found
        return [Deadlock(*each) for each in found]

    def put(self, cells: Cells, found: list[Deadlock]) -> None:
        """Keep a finished shape."""
        if self._file is None:
            return
        line = msgspec.json.encode(Slice(_names(cells), tuple((each.cards, each.gone) for each in found))) + b"\n"
        with _told(), Path(self._file).open("ab", buffering=0) as stream:
            stream.write(line)
            os.fsync(stream.fileno())


def _names(cells: Cells) -> tuple[str, ...]:
    return tuple(map(str, cells))


def _question(question: Question) -> dict[str, Any]:
    board = question.board
    return {
        "format": 1,
        "deadlocks": {
            "rulings": msgspec.structs.asdict(question.rulings),
            "variant": question.variant,
            "gone": question.gone,
            "levels": board.levels,
            "cards": board.cards,
            "anchor": board.anchor,
        },
    }
