"""From the files, folders and `-` of a command line to games."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import click

from couperation_formal.analysis.configuration import configured
from couperation_formal.cli.command import configuration
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.output import Refused, complain, note, show_report
from couperation_formal.cli.progress import reading
from couperation_formal.model.record import Game, Snapshot
from couperation_formal.notation.read import Item, Malformed, read_stream
from couperation_formal.notation.split import Bounded
from couperation_formal.words.say import phrase

_PATH = click.Path(readable=False, allow_dash=True)

FILES = click.argument("files", nargs=-1, required=True, type=_PATH)
"""The argument of commands that take any number of files and folders; `-` is standard input."""

FILE = click.argument("file", type=_PATH)
"""The argument of commands that look at one file."""

GAME = click.option(
    "--game",
    "number",
    type=click.IntRange(min=1),
    default=1,
    metavar="K",
    show_default=True,
    help="Game K of the file, from 1.",
)
"""The option that picks one of several games in a file."""

ONE = click.option(
    "--game",
    "number",
    type=click.IntRange(min=1),
    metavar="K",
    help="Only game K of a file, from 1; all of them if left out.",
)
"""The option that picks one of the games in each file; all of them if left out."""

STDIN = "-"


class Input(NamedTuple):
    """A file to read, named as it was given; `walked` when it was met in a folder."""

    file: str
    walked: bool


class Unusable(NamedTuple):
    """A file or folder that cannot be read, and why."""

    file: str
    reason: str

    def __str__(self) -> str:
        return phrase("cannot_read", file=self.file, why=self.reason)


class NoGame(NamedTuple):
    """A file has no game of this number, but so many."""

    file: str
    number: int
    games: int

    def __str__(self) -> str:
        return phrase("has_no_game", file=self.file, number=self.number, count=self.games)


Inode = tuple[int, int]
"""What tells a file from every other one, whatever it is called."""


def outputs() -> dict[Path, Inode | None]:
    """The files that this command is to make, and what they are where they exist."""
    found: dict[Path, Inode | None] = click.get_current_context().meta.setdefault("couperation.outputs", {})
    return found


def inputs() -> set[Inode | None]:
    """The files that this command has read since it is known to make one, and its rulebooks."""
    found: set[Inode | None] = click.get_current_context().meta.setdefault("couperation.inputs", set())
    return found


def inode_of(file: Path | int) -> Inode | None:
    """A file by its path or descriptor; None where there is none."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a descriptor is no Path
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def opened(file: str) -> Iterator[BinaryIO]:
    """A file, or standard input, as a stream of bytes. Raises `OSError`, and `Refused` where the command is to write
    this very file.
    """
    if file != STDIN:
        with Path(file).open("rb") as stream:
            _entered(file, stream)
            with reading(stream):
                yield cast("BinaryIO", Bounded(stream))
    elif sys.stdin is None:  # closed by the caller; the type does not tell
        raise OSError(0, "standard input is closed")
    else:
        _entered(file, sys.stdin.buffer)
        with reading(sys.stdin.buffer):
            yield cast("BinaryIO", Bounded(sys.stdin.buffer))


def _entered(file: str, stream: BinaryIO) -> None:
    """Note what is read, so that it is not written over."""
    if not outputs():
        return
    try:
        inode = inode_of(stream.fileno())
    except OSError:  # a stream without a file behind it
        return
    if inode in outputs().values():
        raise Refused(phrase("an_input", file=file))
    inputs().add(inode)


def items(stream: BinaryIO, file: str) -> Iterator[Item]:
    """The games and positions of a stream, judged by the configured rulebook where they name none."""
    chosen = configuration()
    rules = None if chosen is None else chosen.rules
    for item in read_stream(stream, file):
        yield item if rules is None else configured(item, rules)


def reason_of(error: OSError) -> str:
    """Why a file cannot be read or written, in words."""
    return f"{error.strerror or error}".lower()


def find(names: Iterable[str]) -> Iterator[Input | Unusable]:
    """The files that the names stand for; folders are walked for `.cgn` in sorted order.

    A file that is missing is found out when it is opened. A folder without any `.cgn` is unusable. Links to folders are
    not followed; what is no file in a folder, a pipe say, is told and never opened.
    """
    for name in names:
        if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - a Path would change the name as given
            yield Input(name, False)
        else:
            yield from _walk(name)


def _walk(folder: str) -> Iterator[Input | Unusable]:
    failed: list[OSError] = []
    found = False
    for where, folders, files in os.walk(folder, onerror=failed.append):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".cgn"):
                continue
            path = os.path.join(where, file)  # noqa: PTH118 - as above
            if _is_file(path):
                found = True
                yield Input(path, True)
            else:
                note(phrase("no_file_skipped", file=path))
    for error in failed:
        yield Unusable(str(error.filename), reason_of(error))
    if not found and not failed:
        yield Unusable(folder, "there is no .cgn file in this folder")


def _is_file(path: str) -> bool:
    """Whether this is a file, or nothing that can be looked at: opening it tells why."""
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return True


def wanted(found: Input | Unusable, number: int | None) -> Iterator[Item | Unusable | NoGame]:
    """The games and positions of a file, only the one of this number where there is one; then why it cannot be read,
    or that it has none of this number.
    """
    if isinstance(found, Unusable):
        yield found
        return
    count = 0
    try:
        with opened(found.file) as stream:
            for item in items(stream, found.file):
                count = item.index
                if number in (None, count):
                    yield item
    except OSError as error:
        yield Unusable(found.file, reason_of(error))
        return
    if number is not None and count < number:
        yield NoGame(found.file, number, count)


def one_item(file: str, number: int) -> Game | Snapshot:
    """The game or position with this number in a file. Ends the command with a complaint where there is none, or where
    it is no CGN.
    """
    item = next(wanted(Input(file, False), number))
    if isinstance(item, Game | Snapshot):
        return item
    if isinstance(item, Malformed):
        from couperation_formal.analysis.verify import check

        show_report(check(item))
    else:
        complain(str(item))
    return click.get_current_context().exit(Exit.UNUSABLE)
