"""How far long work is: one line on standard error, where a terminal shows it.

It comes after two seconds, goes away before anything else is written and at the end, and tells of whatever is counted
just then, files, actions, the steps of a budget, with how long it may still take. A thread of its own looks at the
counts, so that what is counted need not know of it.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple, TypeVar

from couperation_formal.game.budget import Steps
from couperation_formal.words.say import phrase

_PATIENCE, _EVERY = 2.0, 0.5
"""Seconds before the line is shown, and between two of its states."""

_CLEAR = "\r\x1b[K"

T = TypeVar("T")


class _Count(NamedTuple):
    """Something counted up to `total`, as the sentence of its `kind` tells it; `most`: it may end before that."""

    kind: str
    total: int
    done: Callable[[], float]
    begun: float
    most: bool = False

    def said(self) -> str:
        """How far it is, and how long it may still take; nothing where that is not known."""
        done, passed = self.done(), time.monotonic() - self.begun
        if not self.total or (not done and self.kind == "part"):
            return ""
        said = phrase(
            f"progress_{self.kind}",
            done=f"{int(done):,}",
            total=f"{self.total:,}",
            percent=int(100 * done / self.total),
        )
        if not done:
            return said
        left = round(max(0.0, self.total - done) * passed / done)
        hours = f"{left // 3600}:{left // 60 % 60:02}" if left >= 3600 else f"{left // 60}"
        return phrase("left_at_most" if self.most else "left_about", said=said, time=f"{hours}:{left % 60:02}")


class _Line:
    """The line: what is counted, from the outermost to the innermost, and whether it is shown."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.counts: list[_Count] = []
        self.part: Callable[[], float] | None = None
        self.typing, self.whole = False, True
        self._shown = False
        self._end = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Look at the counts from now on."""
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(self._end,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Nothing is counted any more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
        self._thread = None
        self.clear()

    def clear(self) -> None:
        """Make room for what is to be written."""
        with self.lock, suppress(OSError, ValueError):
            if self._shown:
                self._shown = False
                sys.stderr.write(_CLEAR)
                sys.stderr.flush()

    def _watch(self, end: threading.Event) -> None:
        wait = _PATIENCE
        while not end.wait(wait):
            wait = _EVERY
            try:
                self._show()
            except (OSError, ValueError):  # the terminal is gone
                return

    def _show(self) -> None:
        from couperation_formal.report.fold import cut

        with self.lock:
            said = [said for count in self.counts if (said := count.said())]
            if not said or self.typing or not self.whole:
                return
            sys.stderr.write(_CLEAR + cut("; ".join(said), shutil.get_terminal_size().columns - 1))
            sys.stderr.flush()
            self._shown = True


_LINE = _Line()


@contextmanager
def counting(kind: str, total: int, done: Callable[[], float], most: bool = False) -> Iterator[None]:
    """Tell of something that is counted up to `total` while this lasts; `most`: it may end before that."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    count = _Count(kind, total, done, time.monotonic(), most)
    with _LINE.lock:
        _LINE.counts.append(count)
    if len(_LINE.counts) == 1:
        _LINE.begin()
    try:
        yield
    finally:
        with _LINE.lock:
            _LINE.counts.remove(count)
        if not _LINE.counts:
            _LINE.stop()


def progress(items: Iterable[T], kind: str = "files") -> Iterator[T]:
    """`items` one by one, and how many there were so far."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from items
        return
    listed, at = list(items), 0

    def done() -> float:
        part = _LINE.part
        return at + (0.0 if part is None else part())

    one = kind == "files" and len(listed) == 1
    with counting("part" if one else kind, len(listed), done):
        for item in listed:
            yield item
            at += 1


@contextmanager
def asking(budget: Steps) -> Iterator[Steps]:
    """A question, which may take the steps that are left of its budget."""
    begun = budget.spent
    with counting("steps", budget.left, lambda: budget.spent - begun, most=True):
        yield budget


@contextmanager
def reading(stream: BinaryIO) -> Iterator[None]:
    """A file of those that are counted is read: how much of it was. While somebody types nothing is shown."""
    before, size = (_LINE.part, _LINE.typing), 0
    with suppress(OSError, ValueError):
        size = os.fstat(stream.fileno()).st_size
        _LINE.typing = stream.isatty()

    most = 0.0

    def part() -> float:
        nonlocal most  # beside a read, `tell` may be ahead by a buffer for a moment
        with suppress(OSError, ValueError):
            most = max(most, min(1.0, stream.tell() / size))
        return most

    _LINE.part = part if size else None
    try:
        yield
    finally:
        _LINE.part, _LINE.typing = before


@contextmanager
def beside(whole: bool = True) -> Iterator[None]:
    """Something else is written: the line goes away. `whole` False: what is written stops within a line, and until that
    ends nothing is shown.
    """
    with _LINE.lock:
        _LINE.clear()
        yield
        _LINE.whole = whole or sys.stdout is None or not sys.stdout.isatty()
