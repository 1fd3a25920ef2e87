"""What takes longer, in a process of its own: the exact verdict of a game and the whole answer to a quarrel.

A newer question about the same file ends the one before, and so does a turn that follows.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from typing import Literal

from couperation_formal.board.record import encoded

Question = Literal["check", "dispute"]
Form = Literal["full", "json"]
_BUDGET = "500000"
_TIMEOUT = 60.0
_HOME = Path(__file__).resolve().parents[2]


class Asked:
    """The one question that is being answered; None where no process is at work."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, question: Question, text: str, at: int | None, form: Form) -> str | None:
        """What the command says of one game's text, of the turn `at` alone in a quarrel; None where it was dropped for
        a newer question or took too long.
        """
        self.drop()
        more = ["--at", str(at)] if question == "dispute" and at is not None else []
        path = [each for each in sys.path if os.path.isabs(each)] + [str(_HOME)]  # noqa: PTH117
        code = f"import sys; sys.path[:] = {path!r}; from couperation_formal.cli.main import run; run()"
        arguments = [
            question,
            "--isolated",
            "--budget",
            _BUDGET,
            "--output-format",
            form,
            "--color",
            "never",
            *more,
            "-",
        ]
        process = self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", code, *arguments),
            cwd=_HOME,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(encoded(text)), _TIMEOUT)
        except TimeoutError:
            return None
        finally:
            _end(process)
        dropped = self._process is not process
        self._process = None if not dropped else self._process
        return None if dropped else output.decode("utf-8", "replace")

    def drop(self) -> None:
        """End the question that is being answered."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)


def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
