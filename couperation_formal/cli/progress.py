"""A progress bar on standard error, on many files and where a terminal shows it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

_MANY = 20

T = TypeVar("T")


def progress(items: Iterable[T], *, beside_text: bool) -> Iterator[T]:
    """`items` one by one, with a bar that goes away at the end where there are many.

    `beside_text` tells that what is written meanwhile is text; other output on the same terminal has no bar. Terminal
    lines written to `sys.stdout` meanwhile come out above the bar.
    """
    if sys.stderr is None or not sys.stderr.isatty() or (sys.stdout.isatty() and not beside_text):
        yield from items
        return
    items = list(items)
    if len(items) < _MANY:
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        yield from bar.track(items)
