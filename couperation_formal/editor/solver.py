"""The exact verdicts, in a process of their own, so that a solver at work holds up no keystroke and can be ended."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.game.record import Span
from couperation_formal.notation.read import split
from couperation_formal.questions.records.check import CheckData, DiagnosticData

BUDGET = 500_000
"""Steps for one game: some seconds."""

TIMEOUT = 60.0
"""Seconds after which the process is ended and the plain verdicts stay."""


_HOME = Path(__file__).resolve().parents[2]
"""The folder that holds this package."""


def command() -> list[str]:
    """The command that starts `check` with what this process has found its modules in, but for the folder that it
    works in: that is the editor's, and who made it is not known. See `environment`.
    """
    here = os.path.realpath(os.curdir)
    path = [entry for entry in sys.path if os.path.isabs(entry) and os.path.realpath(entry) != here]  # noqa: PTH117
    path += [str(_HOME)] * (str(_HOME) not in path)
    code = f"import sys; sys.path[:] = {path!r}; from couperation_formal.cli.main import run; run()"
    return [sys.executable, "-P", "-c", code]


def environment() -> dict[str, str]:
    """This process's, without what would lead the child's start to other folders."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


async def decide(texts: Sequence[str], configuration: Path | None = None) -> dict[str, tuple[Diagnostic, ...]]:
    """The diagnostics on these games by `check --engine auto`, by text; none for what was not decided in time.

    Each text is that of one game, judged as this `configuration` says, and by no other. Cancelling it ends the process.
    """
    joined = "".join(text if text.endswith("\n") else text + "\n" for text in texts)
    chosen = ["--isolated"] if configuration is None else ["--config", str(configuration)]
    # not asyncio's own: cancelled while it connects the pipes, that one is never done
    process = subprocess.Popen(
        [*command(), "check", "--budget", str(BUDGET), "--output-format", "json", *chosen, "-"],
        cwd=_HOME,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, joined.encode()), TIMEOUT)
    except TimeoutError:
        return {}
    finally:
        process.kill()  # which ends the thread too; nothing, where it has ended
    return read_answers(texts, joined, output)


def read_answers(texts: Sequence[str], joined: str, output: bytes) -> dict[str, tuple[Diagnostic, ...]]:
    """The lines of JSON that `check` printed on the texts joined, as diagnostics with places in their own text. What is
    undetermined still, or no such line, is left out.
    """
    starts = [piece.line for piece in split(io.BytesIO(joined.encode()))]
    answers = {}
    for line in output.splitlines():
        try:
            told = msgspec.json.decode(line, type=dict[str, Any])
            told.pop("configuration", None)
            data = msgspec.convert(told, CheckData)
        except msgspec.DecodeError:
            continue
        if data.verdict != "undetermined" and data.game <= len(texts) and len(starts) == len(texts):
            text = texts[data.game - 1]
            answers[text] = tuple(_diagnostic(found, text, starts[data.game - 1]) for found in data.diagnostics)
    return answers


def _diagnostic(found: DiagnosticData, text: str, first: int) -> Diagnostic:
    start = _offset(text, found.line - first, found.column)
    end = _offset(text, found.end_line - first, found.end_column)
    return Diagnostic(
        code=found.code,
        severity=found.severity,
        turn=found.turn,
        span=Span(start, end),
        message=found.message,
        rulings=found.rulings,
        legal_with=tuple(tuple(each.items()) for each in found.legal_with),
    )


def _offset(text: str, line: int, column: int) -> int:
    """The offset of a line, from 0, and a column, from 1."""
    start = 0
    for _ in range(line):
        start = text.find("\n", start) + 1
    return start + column - 1
