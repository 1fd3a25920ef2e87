"""Writing a file at once: a reader sees the old content or the new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def replace_file(name: str, data: bytes) -> None:
    """Replace the content of the file, which keeps its permissions. A link is followed.

    The data is on the disk before the name points to it. Raises `OSError`, and then the file is as it was.
    """
    path = Path(name).resolve(strict=True)
    mode = path.stat().st_mode
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(mode & 0o7777)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_file(name: str, data: bytes) -> None:
    """Make the file, or replace it where it exists. Raises `OSError`, and then nothing has changed."""
    path = Path(name)
    if path.exists():
        replace_file(name, data)
        return
    temporary = path.parent / f".{path.name}.{os.getpid()}"
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
