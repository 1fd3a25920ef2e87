"""How far a long search is, on standard error, where a terminal shows it."""

from __future__ import annotations

import sys
import time
from types import TracebackType

import click

_PATIENCE, _EVERY = 2.0, 0.5
"""Seconds before the first note, and between two."""


class Ticker:
    """A line that says how many steps were taken; it goes away at the end. Used as a context manager."""

    def __init__(self) -> None:
        self._shows = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic() + _PATIENCE
        self._told = False
        self.words = ""

    def __enter__(self) -> Ticker:
        return self

    def __call__(self, steps: int) -> None:
        """So many steps of the present search."""
        if self._shows and time.monotonic() >= self._next:
            click.echo(f"\r\x1b[K{self.words}{steps} steps taken", nl=False, err=True)
            self._next = time.monotonic() + _EVERY
            self._told = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._told:
            click.echo("\r\x1b[K", nl=False, err=True)
