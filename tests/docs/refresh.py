"""Write what the commands print now into the sessions of the documentation: ``python -m tests.docs.refresh``.

The difference is to be reviewed like any other change.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.docs.sessions import PAGES, ROOT

_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def ran(command: str) -> str:
    """What a command prints, run as the tests run it. Raises `RuntimeError` where the program itself fails."""
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [str(Path(sys.executable).parent / program), *arguments],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 2, 3):
        raise RuntimeError(f"{command}: exit code {done.returncode}: {done.stdout}")
    return done.stdout


def refreshed(text: str) -> str:
    """A page with its sessions as they run now."""

    def run(block: re.Match[str]) -> str:
        commands = re.findall(r"^\$ (.*)$", block[1], re.MULTILINE)
        return "```console\n" + "".join(f"$ {command}\n{ran(command).rstrip()}\n" for command in commands) + "```"

    return _BLOCK.sub(run, text)


def main() -> None:
    """Refresh every page, and name those that changed."""
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = refreshed(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(Path(page).relative_to(ROOT))


if __name__ == "__main__":
    main()
