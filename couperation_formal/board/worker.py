"""A process of its own that answers one question of the board's server, and ends with it.

The question comes through standard input, which the server holds open as long as it wants the answer: where it is
closed, by whatever end the server has, the process ends.
"""

import io
import os
import sys
import threading
from contextlib import suppress

_QUIET = 3
"""How far the process stands back behind others: enough to let the page be quicker, and not so far that it waits
for long beside another program that is busy."""


def framed(question: bytes) -> bytes:
    """A question as `begin` reads it."""
    return b"%d\n%s" % (len(question), question)


def begin() -> bytes:
    """The question, which is standard input from now on; the process works below others and ends with its server."""
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(_QUIET)
    size = b""
    while not size.endswith(b"\n"):
        size += _read(1)
    question = b""
    while len(question) < int(size):
        question += _read(int(size) - len(question))
    threading.Thread(target=_end_with_server, daemon=True).start()
    sys.stdin = io.TextIOWrapper(io.BytesIO(question), "utf-8")
    return question


def _read(most: int) -> bytes:
    data = os.read(0, most)
    if not data:
        os._exit(1)
    return data


def _end_with_server() -> None:
    while True:
        _read(1)
