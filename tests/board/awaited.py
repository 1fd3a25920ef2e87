"""Coroutines of a server: run to their end, also where a browser's own loop runs in this thread, on a clock that is put
forward where nothing else is to be done; and given to one.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")


class _Now(selectors.DefaultSelector):
    """A selector that waits for no timer: `skipped` tells how many seconds it would have waited."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(None if timeout is None else 0)
        self.skipped += (timeout or 0) if not found else 0
        return found


class _Loop(asyncio.SelectorEventLoop):
    """A loop whose clock is put forward to the next timer where nothing else is to be done."""

    def __init__(self) -> None:
        self._now = _Now()
        super().__init__(self._now)

    def time(self) -> float:
        return super().time() + self._now.skipped


def awaited(what: Coroutine[Any, Any, _T]) -> _T:
    """What a coroutine gives, run in a thread of its own."""

    def run() -> _T:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(what)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


async def no_body() -> MutableMapping[str, Any]:
    """What a server tells an application of a request that carries nothing."""
    return {"type": "http.request", "body": b""}
