"""Running the command line: inside this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from click.testing import CliRunner, Result

from couperation_formal.cli.main import cli
from tests.kit.started import Started, run

DATA = Path(__file__).parent.parent / "data"
GAMES = DATA / "games"

HEAD = """\
[CGN "1"]
[Players "Aki Ben"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
"""
LEGAL = HEAD + "1. Aki A 17@f1\n"
BROKEN = HEAD + "1. Aki A 17@f1\n2. Ben A 9@f2\n"
UNDETERMINED = '[CGN "1"]\n[Players "Aki Ben"]\n1. Aki A 17@f1\n'
MALFORMED = HEAD + "1. Aki A 51@f1\n"
UNNOTED = """\
[CGN "1"]
[Players "Ada Bo"]
deal Bo 30 3 5
1. Ada A 17@f1
2. Bo +6,10 A 30@h1 ~~ drop 3
*
"""
"""Two were drawn, and nobody noted the mark of the 17."""
POSITION = '[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1\n'


def couperation(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """The command in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False)


def objects(result: Result) -> list[dict[str, Any]]:
    """The JSON objects on standard output, which holds nothing else."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def process(
    *arguments: str | Path, stdin: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """The command as a user starts it; with an environment of its own from the start of Python on."""
    if environment is None:
        return run(arguments, stdin)
    return subprocess.run(
        [sys.executable, "-m", "couperation_formal", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


def written_in(encoding: str) -> str:
    """Code for `tests.kit.started.run`: the command with outputs of an encoding, as `PYTHONIOENCODING` makes them."""
    outputs = "".join(f"sys.{name}.reconfigure(encoding={encoding!r}); " for name in ("stdout", "stderr"))
    return f"import sys; {outputs}from couperation_formal.cli.main import run; run()"


def on_a_terminal(*arguments: str | Path, cwd: Path | None = None, columns: int = 100) -> tuple[int, str]:
    """The exit code of the command on a terminal of so many columns, and what that shows at the end, see `left`."""
    ours, theirs = pty.openpty()
    running = Started(arguments, (theirs, theirs, theirs), cwd, _terminal(columns))
    shown = _shown(ours, theirs)
    code, _ = running.ended()
    return code, left(shown.decode("utf-8", "surrogateescape"))


def left(shown: str) -> str:
    """What stays on a terminal: how far long work is stands where the cursor is hidden, and is erased behind that."""
    return re.sub(r"\x1b\[\?25l.*?\x1b\[\?25h\r(?:\x1b\[1A\x1b\[2K)+", "", shown, flags=re.DOTALL)


def sent_to_a_terminal(
    *arguments: str | Path, columns: int = 100, piped: IO[bytes] | None = None, code: str = ""
) -> bytes:
    """All that a terminal is sent by the command, or by `code` in its place; `piped` takes the standard output."""
    ours, theirs = pty.openpty()
    out = theirs if piped is None else piped.fileno()
    running = Started(arguments, (theirs, out, theirs), environment=_terminal(columns), code=code)
    shown = _shown(ours, theirs)
    running.ended()
    return shown


def _terminal(columns: int) -> dict[str, str]:
    """The environment of a terminal of so many columns."""
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_COLOR")}
    return {**environment, "TERM": "xterm-256color", "COLUMNS": str(columns)}


def _shown(ours: int, theirs: int) -> bytes:
    """All that a terminal is sent until nobody writes to it any more."""
    os.close(theirs)
    shown = b""
    with suppress(OSError):
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    return shown
