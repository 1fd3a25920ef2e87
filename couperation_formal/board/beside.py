"""Processes beside the server: each does one thing, of lower rank, and is ended when something newer is asked."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path

_HOME = Path(__file__).resolve().parents[2]
_LINE = 1 << 20


class Beside:
    """The one process of its kind that is at work."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, code: str, *arguments: str) -> asyncio.subprocess.Process:
        """Run `code` in a process of its own, which ends the one before; its input stays open."""
        self.drop()
        path = [each for each in sys.path if os.path.isabs(each)] + [str(_HOME)]  # noqa: PTH117
        nice = "import os; os.nice(10) if hasattr(os, 'nice') else None"
        whole = f"import sys; sys.path[:] = {path!r}; {nice}; {code}"
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", whole, *arguments),
            cwd=_HOME,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE,
        )
        return self._process

    def drop(self, only: asyncio.subprocess.Process | None = None) -> None:
        """End what is at work; with `only` that one, whether it is still the newest or not."""
        process = self._process if only is None else only
        if process is self._process:
            self._process = None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
