"""The one way in which a file is written: whole, or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written_atomically(path: Path, temporary: Path, permissions: Callable[[], int]) -> Iterator[BinaryIO]:
    """What is written to this stream is the content of `path` if the block ends well: at any moment that is the old one
    or the new one, whole, and afterwards the new one is on the disk. It is made ready as `temporary` in the same
    folder, a name under which there is nothing yet. `permissions` tells those of the file, and is asked first and last:
    where it, the block or the disk raises, nothing has changed.
    """
    permissions()
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(stat.S_IMODE(permissions()))
        permissions()
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    with suppress(OSError):  # not every system opens a folder
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def new_permissions() -> int:
    """The permissions of a file that is not there yet."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
