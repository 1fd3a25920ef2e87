"""What takes longer, each question in a process of its own: the exact verdict of a game and the whole answer to a
quarrel, and whether a table can still be won.

There is one process of a kind at most. A newer question of the same kind ends the one before, a turn that follows ends
all, and so does the end of the server, however it comes (`worker`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

from couperation_formal.board.record import encoded
from couperation_formal.board.worker import framed

Question = Literal["check", "dispute"]
Form = Literal["full", "json"]
Kind = Literal["quarrel", "know"]
_BUDGET = "500000"
_TIMEOUT = 60.0
_LONG = 3600.0
_HOME = Path(__file__).resolve().parents[2]
_BELOW: dict[str, Any] = {"creationflags": getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)}


class Asked:
    """The questions that are being answered, one of each kind."""

    def __init__(self) -> None:
        self._at_work: dict[Kind, _Asking] = {}
        self._closed = False

    async def ask(self, question: Question, text: str, at: int | None, form: Form) -> str | None:
        """What the command says of one game's text, of the turn `at` alone in a quarrel; None where it was dropped for
        a newer question or took too long.
        """
        more = ["--at", str(at)] if question == "dispute" and at is not None else []
        options = ["--isolated", "--budget", _BUDGET, "--output-format", form, "--color", "never", *more]
        code = "from couperation_formal.cli.main import run; run()"
        found = await self._run("quarrel", code, [question, *options, "-"], encoded(text), _TIMEOUT)
        return None if found is None else found.decode("utf-8", "replace")

    async def known(self, question: bytes) -> bytes | None:
        """What `known.run` writes of a question; None where it was dropped, nothing where it failed."""
        code = "from couperation_formal.board.known import run; run()"
        return await self._run("know", code, [], question, _LONG)

    async def _run(self, kind: Kind, code: str, arguments: list[str], question: bytes, most: float) -> bytes | None:
        self.drop(kind)
        if self._closed:
            return None
        mine = self._at_work[kind] = _Asking()
        path = [each for each in sys.path if os.path.isabs(each)] + [str(_HOME)]  # noqa: PTH117
        start = f"import sys; sys.path[:] = {path!r}; from couperation_formal.board.worker import begin; begin()"
        try:
            async with asyncio.timeout(most):
                return await mine.answer([sys.executable, "-P", "-c", f"{start}; {code}", *arguments], question)
        except TimeoutError:
            return None
        finally:
            mine.end()
            if self._at_work.get(kind) is mine:
                del self._at_work[kind]

    def close(self) -> None:
        """End them, and answer none from now on."""
        self._closed = True
        self.drop()

    def drop(self, *kinds: Kind) -> None:
        """End the questions of these kinds that are being answered; all of them if left out."""
        for kind in kinds or tuple(self._at_work):
            if kind in self._at_work:
                self._at_work.pop(kind).end()


class _Asking:
    """A question that is being answered. One that was ended has no answer."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._ended = False

    async def answer(self, command: list[str], question: bytes) -> bytes | None:
        """What the process writes; its standard input stays open until it has written all."""
        pipe = asyncio.subprocess.PIPE
        process = self._process = await asyncio.create_subprocess_exec(
            *command, cwd=_HOME, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, **_BELOW
        )
        if self._ended:  # while it began
            _kill(process)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framed(question))
        with contextlib.suppress(ConnectionError):
            await process.stdin.drain()
        output = await process.stdout.read()
        await process.wait()
        return None if self._ended else output

    def end(self) -> None:
        """Let it have no answer any more."""
        self._ended = True
        if self._process is not None:
            _kill(self._process)


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
