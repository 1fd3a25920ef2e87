"""Processes beside the server, for what takes longer: each answers one question, with lower rank, and ends with the
server (`worker`).
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from couperation_formal.board.worker import framed

COMMAND = "from couperation_formal.cli.main import run; run()"
"""What runs the command line with its arguments."""
_HOME = Path(__file__).resolve().parents[2]
_LINE = 1 << 20
_BELOW: dict[str, Any] = {"creationflags": getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)}


class Beside:
    """The one process of its kind that is at work. A newer question ends the one before."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._questions = 0
        self._closed = False

    async def start(self, code: str, *arguments: str, question: bytes = b"") -> asyncio.subprocess.Process | None:
        """Run `code` in a process of its own, with `question` as its standard input. None where it was ended while it
        began, or none is to begin any more.
        """
        self.drop()
        if self._closed:
            return None
        mine = self._questions
        process = await begun(code, *arguments)
        if mine != self._questions:
            _kill(process)
            return None
        self._process = process
        assert process.stdin is not None
        process.stdin.write(framed(question))
        with suppress(ConnectionError):
            await process.stdin.drain()
        return process

    async def answer(self, code: str, *arguments: str, question: bytes, most: float) -> bytes | None:
        """What `code` writes; None where it was ended first, or took more than `most` seconds."""
        process = await self.start(code, *arguments, question=question)
        if process is None:
            return None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(most):
                output = await process.stdout.read()
                await process.wait()
        except TimeoutError:
            return None
        else:
            return output if self._process is process else None
        finally:
            self.drop(process)

    def drop(self, only: asyncio.subprocess.Process | None = None) -> None:
        """End what is at work; with `only` that one, whether it is still the newest or not."""
        process = self._process if only is None else only
        if only is None:
            self._questions += 1
        if process is self._process:
            self._process = None
        if process is not None:
            _kill(process)

    def close(self) -> None:
        """End what is at work, and begin nothing from now on."""
        self._closed = True
        self.drop()


async def begun(code: str, *arguments: str) -> asyncio.subprocess.Process:
    """A process that runs `code` once it has read its question."""
    path = [each for each in sys.path if os.path.isabs(each)] + [str(_HOME)]  # noqa: PTH117
    begin = f"import sys; sys.path[:] = {path!r}; from couperation_formal.board.worker import begin; begin()"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", f"{begin}; {code}", *arguments),
        cwd=_HOME,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=_LINE,
        **_BELOW,
    )


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
