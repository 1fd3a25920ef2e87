"""The sessions of the documentation, and how their commands are run."""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner

from couperation_formal.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(ROOT.glob("README*.md")),
    *sorted((ROOT / "spec").rglob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
"""The pages that hold sessions."""

BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def printed(command: str) -> str:
    """What a command prints, with 120 columns and without colours. Raises what the program fails with."""
    program, *arguments = shlex.split(command)
    if program != "couperation":
        raise ValueError(f"no session runs {program}")
    with chdir(ROOT):
        done = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1"}).invoke(cli, arguments, catch_exceptions=False)
    return done.output
