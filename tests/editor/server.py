"""What the tests of server share with others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.editor.client import Editor


def drive(
    session: Callable[[Editor], Awaitable[None]],
    encodings: list[types.PositionEncodingKind] | None = None,
    root: Path | None = None,
    command: tuple[str, ...] = (),
    locale: str | None = None,
    **process: Any,
) -> None:
    """Run a session with a server, in the workspace `root` and the language of `locale`, and see it end well."""

    async def whole() -> None:
        editor = Editor()
        await editor.start(encodings, *command, root=root, locale=locale, **process)
        try:
            await session(editor)
            assert await editor.stop() == 0
        finally:
            editor.kill()
        assert editor.log == []

    with ThreadPoolExecutor(1) as pool:  # a loop of its own, whatever runs in this thread
        pool.submit(asyncio.run, whole()).result()
