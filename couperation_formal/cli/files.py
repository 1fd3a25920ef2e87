"""From the files, folders and `-` of a command line to games; and the one writer of every file that a command makes.

A file is written beside its place under a name of its own and put there when it is whole, so that a reader, or whoever
looks after a power cut, finds the old content or the new. A file that exists is replaced with `--force` only. A link is
followed; one to nothing is refused. An input, a rulebook in use, a device, a pipe, a folder is never written, `--force`
or not.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from couperation_formal.cli.output import Refused, note, reading
from couperation_formal.notation.read import Bounded
from couperation_formal.output.formats import new_permissions, written_atomically
from couperation_formal.words.say import phrase

STDIN = "-"
"""The name of standard input, or output."""

_IN_MEMORY = 1 << 20
"""So many bytes of a text are kept in memory until it is whole; more go to the disk."""


class Input(NamedTuple):
    """A file to read, named as it was given; `walked` when it was met in a folder."""

    file: str
    walked: bool


class Unusable(Refused):
    """An input that cannot be used, beside which others can."""


class Unreadable(Unusable):
    """A file or folder that cannot be read, and why."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(phrase("cannot_read", file=file, why=reason))
        self.file, self.reason = file, reason


Inode = tuple[int, int]
"""What tells a file from every other one, whatever it is called."""


class Files:
    """What a run reads and what it makes: no file is both. With `force` it replaces files that exist."""

    def __init__(self) -> None:
        self.force = False
        self.read: set[Inode | None] = set()
        self._made: dict[Path, Inode | None] = {}

    def reads(self, file: Path | int) -> None:
        """Note that a file, by its path or descriptor, is an input, which is not written over."""
        self.read.add(inode_of(file))

    @contextmanager
    def opened(self, source: Input | Unreadable) -> Iterator[BinaryIO]:
        """A file, or standard input, as a stream of bytes. Raises `Unreadable`, and `Refused` where the run is to make
        this very file.
        """
        if isinstance(source, Unreadable):
            raise source
        file = source.file
        try:
            if file == STDIN and sys.stdin is None:  # closed by the caller; the type does not tell
                raise OSError(0, "standard input is closed")
            opened = nullcontext(sys.stdin.buffer) if file == STDIN else Path(file).open("rb")  # noqa: SIM115
            with opened as stream, self._entered(file, stream):
                yield cast("BinaryIO", Bounded(stream))
        except OSError as error:
            raise Unreadable(file, reason_of(error)) from None

    @contextmanager
    def _entered(self, file: str, stream: BinaryIO) -> Iterator[None]:
        with suppress(OSError):  # a stream without a file behind it
            if self._made:
                self.reads(stream.fileno())
            if inode_of(stream.fileno()) in self._made.values():
                raise Refused(phrase("an_input", file=file))
        with reading(stream):
            yield

    def make(self, out: str) -> OutFile:
        """A file that is to be made. Raises `Refused` where it may not, as far as can be told now."""
        if out == STDIN:
            raise Refused(phrase("to_a_file"))
        if not Path(out).parent.is_dir():
            raise Refused(phrase("no_folder", file=out, folder=Path(out).parent))
        made = OutFile(out, self)
        made.permissions()
        path = Path(out).resolve()
        if path in self._made:
            raise Refused(phrase("two_outputs", file=out))
        self._made[path] = inode_of(path)
        return made


class OutFile:
    """A file that a run is to make."""

    def __init__(self, out: str, files: Files) -> None:
        self._out, self._files = out, files

    def put(self, data: bytes) -> None:
        """Make the file. Raises `Refused`, and then nothing has changed."""
        with self.stream() as stream:
            stream.write(data)

    def stream(self) -> AbstractContextManager[BinaryIO]:
        """What is written to this stream is the file's content if the block ends well; else nothing has changed."""
        return _replacing(self._out, self.permissions)

    def permissions(self) -> int:
        """The permissions that the file is to have. Raises `Refused` where it may not be written."""
        path = Path(self._out)
        try:
            status = path.stat()
        except FileNotFoundError:
            if path.is_symlink():
                raise Refused(phrase("link_to_nothing", file=self._out)) from None
            return new_permissions()
        except OSError as error:
            raise Refused(phrase("cannot_write", file=self._out, why=reason_of(error))) from None
        _regular(self._out, status)
        if inode_of(path) in self._files.read:
            raise Refused(phrase("an_input", file=self._out))
        if not self._files.force:
            raise Refused(phrase("exists", file=self._out))
        return status.st_mode


def inode_of(file: Path | int) -> Inode | None:
    """A file by its path or descriptor; None where there is none."""
    try:
        status = os.stat(file)  # noqa: PTH116 - a descriptor is no Path
    except OSError:
        return None
    return status.st_dev, status.st_ino


def reason_of(error: OSError) -> str:
    """Why a file cannot be read or written, in words."""
    return f"{error.strerror or error}".lower()


def find(names: Iterable[str]) -> Iterator[Input | Unreadable]:
    """The files that the names stand for; folders are walked for `.cgn` in sorted order.

    A file that is missing is found out when it is opened. A folder without any `.cgn` is unusable. Links to folders are
    not followed; what is no file in a folder, a pipe say, is told and never opened.
    """
    for name in names:
        if name == STDIN or not os.path.isdir(name):  # noqa: PTH112 - a Path would change the name as given
            yield Input(name, False)
        else:
            yield from _walk(name)


def _walk(folder: str) -> Iterator[Input | Unreadable]:
    failed: list[OSError] = []
    any_file = False
    for where, folders, files in os.walk(folder, onerror=failed.append):
        folders.sort()
        for file in sorted(files):
            if not file.endswith(".cgn"):
                continue
            path = os.path.join(where, file)  # noqa: PTH118 - as above
            if _is_file(path):
                any_file = True
                yield Input(path, True)
            else:
                note(phrase("no_file_skipped", file=path))
    for error in failed:
        yield Unreadable(str(error.filename), reason_of(error))
    if not any_file and not failed:
        yield Unreadable(folder, "there is no .cgn file in this folder")


def _is_file(path: str) -> bool:
    """Whether this is a file, or nothing that can be looked at: opening it tells why."""
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return True


def status_of(stream: BinaryIO) -> os.stat_result | None:
    """The status of the file behind a stream; None where there is none."""
    with suppress(OSError):
        return os.fstat(stream.fileno())
    return None


def room() -> BinaryIO:
    """Where a text is kept until it is whole: in memory, on the disk where it is large."""
    return cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))


def store(kept: BinaryIO, text: str) -> None:
    """Keep what is to be printed or written. Raises `Refused`."""
    try:
        kept.write(text.encode())
    except OSError as error:
        raise Refused(phrase("cannot_keep", why=reason_of(error))) from None


def rewrite(file: str, data: BinaryIO, read: os.stat_result) -> None:
    """Replace the content of an input, which keeps its permissions; a link is followed. `read` is the file's status
    when it was read. Raises `Refused`, and then the file is as it was.
    """

    def permissions() -> int:
        status = Path(file).stat()
        _regular(file, status)
        if any(getattr(status, each) != getattr(read, each) for each in ("st_dev", "st_ino", "st_size", "st_mtime_ns")):
            raise Refused(phrase("changed_meanwhile", file=file))
        return status.st_mode

    with _replacing(file, permissions) as stream:
        shutil.copyfileobj(data, stream)


@contextmanager
def _replacing(name: str, permissions: Callable[[], int]) -> Iterator[BinaryIO]:
    """Write a file with the permissions that it has at the last moment. An `OSError` becomes `Refused`."""
    path = Path(name).resolve()
    temporary = path.with_name(f".couperation-{secrets.token_hex(8)}")
    try:
        with written_atomically(path, temporary, permissions) as stream:
            yield stream
    except OSError as error:
        raise Refused(phrase("cannot_write", file=name, why=reason_of(error))) from None


def _regular(name: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refused(phrase("cannot_write", file=name, why=phrase("no_regular_file")))
    if not os.access(name, os.W_OK):
        raise Refused(phrase("cannot_write", file=name, why=phrase("read_only")))
