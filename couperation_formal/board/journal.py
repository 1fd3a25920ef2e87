"""The journal of a file: every edit in a line of JSON, flushed before anybody is told that it was accepted.

`.FILE.journal` stands beside FILE from the first edit on. Its first line holds the digest of the text it began from,
and under which name the next text of FILE is made ready; each further one an edit and the digest after it. So whatever
the moment at which a process ends, FILE is the text after one of these lines, and what follows that line is what FILE
lacks (`spec/board.md`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated

import msgspec

from couperation_formal.board.record import Splice, encoded

if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


MOST = 1 << 26
"""A journal gets no more bytes; one that has more is set aside unread."""
FULL = 1 << 24
"""A journal with more bytes begins anew as soon as FILE holds what it tells."""
_UNREAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: the format, the digest of the text that the journal began from, and a word that no other name
    holds, for that of FILE's next text.
    """

    journal: int = 1
    digest: str
    new: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")] | None = None


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """An accepted edit: what was done, the splice, and the digest of the text after it. `back` counts the edits that
    this one undoes (an undo) or does again (a redo, below zero); 0 for what is new.
    """

    what: str
    at: int
    cut: str
    put: str
    digest: str
    game: int = 0
    back: int = 0

    @property
    def splice(self) -> Splice:
        """The change of the text."""
        return Splice(self.at, self.cut, self.put)


class Locked(OSError):
    """Another board writes this file."""


class Misfit(ValueError):
    """The journal does not fit the file that it stands beside."""


def digest(text: str) -> str:
    """The digest of a text's bytes."""
    return hashlib.sha256(encoded(text)).hexdigest()


class Journal:
    """The journal beside one file. It is opened, and made where there is none, with the first edit; then this process
    is the file's one writer. A lock ends with its process, however that ends.
    """

    def __init__(self, file: Path) -> None:
        self.path = file.with_name(f".{file.name}.journal")
        self._stream: IO[bytes] | None = None
        self._new = secrets.token_hex(8)

    @property
    def new(self) -> Path:
        """Where the next text of the file is made ready. No other file has this name."""
        return self.path.with_name(f"{self.path.name}.{self._new}.new")

    @property
    def full(self) -> bool:
        """Whether it is to begin anew."""
        return self._stream is not None and os.fstat(self._stream.fileno()).st_size > FULL

    @property
    def here(self) -> bool:
        """Whether this process writes the journal, and nobody took it away."""
        return self._stream is not None and self._names(self._stream)

    def take(self, start: str, told: Callable[[Path], None]) -> None:
        """Become the writer of a file whose text is `start`; nothing where this process is it. A journal that somebody
        left there meanwhile is set aside, and its name `told`. Raises `Locked` where another one is the writer, and
        `OSError`.
        """
        if self._stream is not None:
            return
        self._stream = self._opened()
        try:
            if self._stream.seek(0, os.SEEK_END):
                told(self.aside())
                self._stream = self._opened()
        except OSError:
            self.close()
            raise
        try:
            _put(self._stream, Head(digest=digest(start), new=self._new))
        except OSError:
            self.done()
            raise

    def _opened(self) -> IO[bytes]:
        """The journal, locked; what its last writer was making ready when it was killed goes. A journal that its writer
        took away meanwhile is not written to.
        """
        for _ in range(100):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            stream = os.fdopen(os.open(self.path, flags, 0o600), "r+b", buffering=0)
            try:
                _lock(stream.fileno())
            except (BlockingIOError, PermissionError) as error:
                stream.close()
                raise Locked from error
            if self._names(stream):
                stream.seek(0)  # what is no file refuses
                self._sweep(stream)
                return stream
            stream.close()
        raise Locked

    def _names(self, stream: IO[bytes]) -> bool:
        """Whether this stream is what the journal's name leads to."""
        with suppress(OSError):
            return os.path.samestat(os.fstat(stream.fileno()), self.path.lstat())
        return False

    def _sweep(self, stream: IO[bytes]) -> None:
        with suppress(*_UNREAD, OSError):
            head = msgspec.json.decode(stream.read(1 << 10).partition(b"\n")[0], type=Head)
            if head.new is not None:
                self._new = head.new
                self.new.unlink()

    def read(self, text: str) -> tuple[list[Edit], int]:
        """The edits of the journal that is there, and how many of them `text` holds already; none where there is no
        journal. A last line that was not written to its end was never answered, and is taken off. Raises `Misfit`,
        `Locked` and `OSError`.
        """
        if not self.path.exists() and not self.path.is_symlink():
            return [], 0
        self._stream = self._opened()
        self._stream.seek(0)
        if os.fstat(self._stream.fileno()).st_size > MOST:
            raise Misfit
        data = self._stream.read()
        if not data:
            self.close()
            return [], 0
        whole = data[: data.rfind(b"\n") + 1]
        try:
            lines = whole.splitlines()
            head = msgspec.json.decode(lines[0], type=Head)
            edits = [msgspec.json.decode(line, type=Edit) for line in lines[1:]]
        except (*_UNREAD, IndexError) as error:
            raise Misfit from error
        here = digest(text)
        fits = [at for at, each in enumerate([head.digest, *(edit.digest for edit in edits)]) if each == here]
        if not fits or head.journal != 1:
            raise Misfit
        self._stream.truncate(len(whole))
        return edits, fits[-1]

    def add(self, edit: Edit, sync: bool) -> None:
        """Write an edit, on the disk with `sync`; when this returns a killed process does not lose it. Raises
        `OSError`, and then the edit is not there. A journal that somebody took away is let go.
        """
        if self._stream is None:
            raise Locked
        if not self.here:
            self.close()
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        _put(self._stream, edit, sync)

    def aside(self) -> Path:
        """Rename the journal, which stays as it is under a name of its own: that name. Raises `OSError`."""
        for number in range(1, 1000):
            other = self.path.with_name(f"{self.path.name}.{number}")
            if not other.exists() and not other.is_symlink():
                self.path.rename(other)
                self.close()
                return other
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.path)

    def done(self) -> None:
        """Take the journal away, whose edits FILE holds, and let others write."""
        if self.here:
            with suppress(OSError):
                self.path.unlink()
        self.close()

    def close(self) -> None:
        """Let others write; the journal stays."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _put(stream: IO[bytes], line: Head | Edit, sync: bool = False) -> None:
    data, end = msgspec.json.encode(line) + b"\n", stream.seek(0, os.SEEK_END)
    try:
        if end + len(data) > MOST:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        if stream.write(data) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if sync:
            os.fsync(stream.fileno())
    except OSError:
        with suppress(OSError):
            stream.truncate(end)
        raise


def fold(file: Path, text: str, temporary: Path, unless: Callable[[], bool] = lambda: False) -> os.stat_result | None:
    """Put `text` in the place of a file's content: at any moment the file is the old one or the new one, whole. It
    keeps its permissions. It is made ready as `temporary`, a name for nothing else. The status of what is written; None
    where `unless`, asked last, wants it left as it is. Raises `OSError`, and then the file is as it was.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    temporary.unlink(missing_ok=True)
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as stream:
            stream.write(encoded(text))
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(mode)
        status = temporary.stat()
        if unless():
            temporary.unlink()
            return None
        temporary.replace(file)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    return status
