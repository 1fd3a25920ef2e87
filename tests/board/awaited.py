"""Coroutines of a server: run to their end, also where a browser's own loop runs in this thread; and given to one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_T = TypeVar("_T")


def awaited(what: Coroutine[Any, Any, _T]) -> _T:
    """What a coroutine gives, run in a thread of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result()


async def no_body() -> MutableMapping[str, Any]:
    """What a server tells an application of a request that carries nothing."""
    return {"type": "http.request", "body": b""}
