"""The journal of a file: every edit in a line of JSON, flushed before anybody is told that it was accepted.

`.FILE.journal` stands beside FILE from the first edit on. Its first line holds the digest of the text it began from;
each further one an edit and the digest after it. So whatever the moment at which a process ends, FILE is the text after
one of these lines, and what follows that line is what FILE lacks (`spec/board.md`).
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

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
"""A journal with more bytes is set aside unread."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: the format, and the digest of the text that the journal began from."""

    journal: int = 1
    digest: str


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

    def take(self, start: str) -> None:
        """Become the writer of a file whose text is `start`; nothing where this process is it. A journal that somebody
        left there meanwhile is set aside. Raises `Locked` where another one is the writer, and `OSError`.
        """
        if self._stream is not None:
            return
        self._stream = self._opened()
        try:
            if self._stream.tell():
                self.aside()
                self._stream = self._opened()
            _put(self._stream, Head(digest=digest(start)))
        except OSError:
            self.close()
            raise

    def _opened(self) -> IO[bytes]:
        """The journal, locked, at its end. A journal that its writer took away meanwhile is not written to."""
        for _ in range(100):
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
            stream = os.fdopen(os.open(self.path, flags, 0o600), "r+b", buffering=0)
            try:
                _lock(stream.fileno())
                here = self.path.stat()
            except FileNotFoundError:
                stream.close()
                continue
            except (BlockingIOError, PermissionError) as error:
                stream.close()
                raise Locked from error
            there = os.fstat(stream.fileno())
            if (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino):
                stream.seek(0, os.SEEK_END)
                return stream
            stream.close()
        raise Locked

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
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            self._stream.truncate(len(whole))
        self._stream.seek(0, os.SEEK_END)
        try:
            lines = whole.splitlines()
            head = msgspec.json.decode(lines[0], type=Head) if lines else Head(digest=digest(text))
            edits = [msgspec.json.decode(line, type=Edit) for line in lines[1:]]
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Misfit from error
        if not lines:
            _put(self._stream, head)
        here = digest(text)
        fits = [at for at, each in enumerate([head.digest, *(edit.digest for edit in edits)]) if each == here]
        if not fits or head.journal != 1:
            raise Misfit
        return edits, fits[-1]

    def add(self, edit: Edit, sync: bool) -> None:
        """Write an edit, on the disk with `sync`; when this returns a killed process does not lose it. Raises
        `OSError`, and then the edit is not there.
        """
        stream = self._stream
        if stream is None:
            raise Locked
        end = stream.seek(0, os.SEEK_END)
        try:
            _put(stream, edit)
            if sync:
                os.fsync(stream.fileno())
        except OSError:
            with suppress(OSError):
                stream.truncate(end)
            raise

    def aside(self) -> Path:
        """Rename the journal, which stays as it is under a name of its own: that name. Raises `OSError`."""
        for number in range(1, 1000):
            other = self.path.with_name(f"{self.path.name}.{number}")
            if not other.exists() and not other.is_symlink():
                self.path.rename(other)
                self.close()
                return other
        raise FileExistsError(self.path)

    def done(self) -> None:
        """Take the journal away, whose edits FILE holds, and let others write."""
        if self._stream is not None:
            with suppress(OSError):
                self.path.unlink()
            self.close()

    def close(self) -> None:
        """Let others write; the journal stays."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _put(stream: IO[bytes], line: Head | Edit) -> None:
    data = msgspec.json.encode(line) + b"\n"
    if stream.write(data) != len(data):
        raise OSError("short write")


def fold(file: Path, text: str, unless: Callable[[], bool] = lambda: False) -> os.stat_result | None:
    """Put `text` in the place of a file's content: at any moment the file is the old one or the new one, whole. It
    keeps its permissions. What a killed process left of a fold is replaced. The status of what is written; None where
    `unless`, asked last, wants it left as it is. Raises `OSError`, and then the file is as it was.
    """
    try:
        mode = stat.S_IMODE(file.stat().st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    temporary = file.with_name(f".{file.name}.journal.new")
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
