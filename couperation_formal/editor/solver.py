"""The exact verdicts, in a process of their own, so that a solver at work holds up no keystroke and can be ended."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from couperation_formal.game.diagnostic import Diagnostic
from couperation_formal.notation.header import read_marks
from couperation_formal.notation.read import read_text
from couperation_formal.output.configuration import configured, read_configuration
from couperation_formal.questions.records.check import check

BUDGET = 500_000
"""Steps for one game: some seconds."""

TIMEOUT = 60.0
"""Seconds after which the process is ended and the plain verdicts stay."""


_HOME = Path(__file__).resolve().parents[2]
"""The folder that holds this package."""


def command() -> list[str]:
    """The command that starts `main` with what this process has found its modules in, but for the folder that it
    works in: that is the editor's, and who made it is not known. See `environment`.
    """
    here = os.path.realpath(os.curdir)
    path = [entry for entry in sys.path if os.path.isabs(entry) and os.path.realpath(entry) != here]  # noqa: PTH117
    path += [str(_HOME)] * (str(_HOME) not in path)
    code = f"import sys; sys.path[:] = {path!r}; from couperation_formal.editor.solver import main; main()"
    return [sys.executable, "-P", "-c", code]


def environment() -> dict[str, str]:
    """This process's, without what would lead the child's start to other folders."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


async def decide(texts: Sequence[str], configuration: Path | None = None) -> dict[str, tuple[Diagnostic, ...]]:
    """The diagnostics of `check` on these games, by text; none for what was not decided in time.

    Each text is that of one game, judged as this `configuration` says, and by no other. Cancelling it ends the process.
    """
    # not asyncio's own: cancelled while it connects the pipes, that one is never done
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command(), cwd=_HOME, env=environment(), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
    )
    asked = msgspec.json.encode((texts, None if configuration is None else str(configuration)))
    try:
        output, _ = await asyncio.wait_for(asyncio.to_thread(process.communicate, asked), TIMEOUT)
    except TimeoutError:
        return {}
    finally:
        process.kill()  # which ends the thread too; nothing, where it has ended
    return read_answers(output)


def main() -> None:
    """What the process does: of each game that it decides a line of JSON, the text and the diagnostics."""
    texts, named = msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[list[str], str | None])
    chosen = None if named is None else read_configuration(Path(named))
    rules, marks = (None, None) if chosen is None else (chosen.rules, chosen.marks)
    own = None if marks is None else read_marks(marks)
    for text in texts:
        report = check(configured(next(read_text(text)), rules), budget=BUDGET, marks=own)
        if report.verdict != "undetermined":
            sys.stdout.buffer.write(msgspec.json.encode((text, report.diagnostics)) + b"\n")


def read_answers(output: bytes) -> dict[str, tuple[Diagnostic, ...]]:
    """The lines of JSON that `main` printed; what is no such line is left out."""
    answers = {}
    for line in output.splitlines():
        with suppress(msgspec.DecodeError):
            text, diagnostics = msgspec.json.decode(line, type=tuple[str, tuple[Diagnostic, ...]])
            answers[text] = diagnostics
    return answers
