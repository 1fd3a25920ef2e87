"""The one writer of every file that a command makes, and of the files that `fmt --write` and
`fix --write` replace.

A file is written beside its place under a name of its own and put there when it is whole, so that a reader, or whoever
looks after a power cut, finds the old content or the new. A file that exists is replaced with `--force` only, or where
its mark tells that this program made it and that nobody has changed it since. A link is followed; one to nothing is
refused. An input, a rulebook in use, a device, a pipe, a folder is never written, `--force` or not.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import stat
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import click

from couperation_formal.cli.command import Command
from couperation_formal.cli.exits import Exit
from couperation_formal.cli.inputs import STDIN, inode_of, inputs, outputs, reason_of
from couperation_formal.cli.output import Refused
from couperation_formal.words.say import phrase

_FORCE = "couperation.force"
_IN_MEMORY = 1 << 20
"""So many bytes of a text are kept in memory until it is whole; more go to the disk."""
_MOST_OURS = 1 << 26
"""A file with more bytes is not looked at for a mark."""


class Kind(NamedTuple):
    """A kind of file that has a place for a mark: how the mark is written, and how many bytes of the file follow it.

    The mark holds a digest of the rest of the file, so that a file that somebody has changed is no longer ours.
    """

    mark: Callable[[str], bytes]
    after: int = 0


def _chunk(digest: str) -> bytes:
    """A PNG's chunk of text."""
    data = b"tEXtSoftware\0couperation " + digest.encode()
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))


MARKUP = Kind(lambda digest: f"<!-- made by couperation, {digest} -->\n".encode())
SMT = Kind(lambda digest: f"; made by couperation, {digest}\n".encode())
PNG = Kind(_chunk, 12)


class OutFile:
    """A file that this command is to make. Raises `Refused` where it may not, as far as can be told now."""

    def __init__(self, out: str, kind: Kind | None = None) -> None:
        self._out, self._kind = out, kind
        if out == STDIN:
            raise Refused(phrase("to_a_file"))
        if not Path(out).parent.is_dir():
            raise Refused(phrase("no_folder", file=out, folder=Path(out).parent))
        self._fit()
        self._path = Path(out).resolve()
        if self._path in outputs():
            raise Refused(phrase("two_outputs", file=out))
        outputs()[self._path] = inode_of(self._path)

    def put(self, data: bytes, kind: Kind | None) -> None:
        """Make the file, with a mark where its kind has one. Raises `Refused`, and then nothing has changed."""
        self._kind = kind
        with self.stream() as stream:
            stream.write(_marked(data, kind))

    @contextmanager
    def stream(self) -> Iterator[BinaryIO]:
        """What is written to this stream is the file's content if the block ends well; else nothing has changed."""
        with _replacing(self._out, self._path, self._fit) as stream:
            yield stream

    def _fit(self) -> int:
        """The permissions that the file is to have. Raises `Refused` where it may not be written."""
        path = Path(self._out)
        try:
            status = path.stat()
        except FileNotFoundError:
            if path.is_symlink():
                raise Refused(phrase("link_to_nothing", file=self._out)) from None
            mask = os.umask(0)
            os.umask(mask)
            return 0o666 & ~mask
        except OSError as error:
            raise Refused(phrase("cannot_write", file=self._out, why=reason_of(error))) from None
        _regular(self._out, status)
        if inode_of(path) in inputs():
            raise Refused(phrase("an_input", file=self._out))
        if not (click.get_current_context().meta.get(_FORCE) or self._ours(status.st_size)):
            raise Refused(phrase("exists", file=self._out))
        return status.st_mode

    def _ours(self, size: int) -> bool:
        """Whether the mark of the file that exists is right."""
        kind = self._kind
        if kind is None or size > _MOST_OURS:
            return False
        try:
            data = Path(self._out).read_bytes()
        except OSError:
            return False
        length = len(kind.mark(hashlib.sha256().hexdigest()))
        at = len(data) - kind.after - length
        return at >= 0 and _marked(data[:at] + data[at + length :], kind) == data


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

    def fit() -> int:
        status = Path(file).stat()
        _regular(file, status)
        if any(getattr(status, each) != getattr(read, each) for each in ("st_dev", "st_ino", "st_size", "st_mtime_ns")):
            raise Refused(phrase("changed_meanwhile", file=file))
        return status.st_mode

    with _replacing(file, Path(file).resolve(), fit) as stream:
        shutil.copyfileobj(data, stream)


@contextmanager
def _replacing(name: str, path: Path, fit: Callable[[], int]) -> Iterator[BinaryIO]:
    """Write a file beside `path` and put it there at the end, with the permissions that `fit` gives at the last moment.

    Whatever goes wrong, the file that was made here is removed and no other. An `OSError` becomes `Refused`.
    """
    temporary = None
    try:
        fit()
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".couperation-")
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(stat.S_IMODE(fit()))
        Path(temporary).replace(path)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                Path(temporary).unlink()
        if isinstance(error, OSError):
            raise Refused(phrase("cannot_write", file=name, why=reason_of(error))) from None
        raise


def _regular(name: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise Refused(phrase("cannot_write", file=name, why=phrase("no_regular_file")))
    if not os.access(name, os.W_OK):
        raise Refused(phrase("cannot_write", file=name, why=phrase("read_only")))


def _marked(data: bytes, kind: Kind | None) -> bytes:
    if kind is None:
        return data
    at = len(data) - kind.after
    return data[:at] + kind.mark(hashlib.sha256(data).hexdigest()) + data[at:]


def _forced(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    ctx.meta[_FORCE] = value


class Makes(Command):
    """A command whose output can go to a file. It has the options `--force` and, unless it has its own, `--output`."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        if not any("--output" in param.opts for param in self.params):
            path = click.Path(dir_okay=False)
            names = ["-o", "--output", "output_file"]
            self.params.append(
                click.Option(
                    names, type=path, metavar="FILE", help="Write the output to FILE; to standard output if left out."
                )
            )
        replaces = "Replace files that exist; else only pages, pictures and scripts that were made here are."
        self.params.append(
            click.Option(["--force"], is_flag=True, expose_value=False, callback=_forced, is_eager=True, help=replaces)
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A file for its output appears at the end, unless the command fails or has nothing to say."""
        out = ctx.params.pop("output_file", None)
        if out is None:
            return super().invoke(ctx)
        code = Exit.KEPT
        with OutFile(out).stream() as stream:
            text = io.TextIOWrapper(stream, "utf-8", "replace", newline="\n", write_through=True)
            with redirect_stdout(text):
                try:
                    super().invoke(ctx)
                except click.exceptions.Exit as end:
                    code = Exit(end.exit_code)
                    if code is Exit.OURS or (code is not Exit.KEPT and not stream.tell()):
                        raise
        return ctx.exit(code)
