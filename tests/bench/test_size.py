"""What counts as code, and what a command runs through."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.size import Size, size_of

ROOT = Path(__file__).resolve().parents[2]
CODE = '''"""A module."""

import a
from b import (
    c,
)  # three lines

MOST = 3
"""How many there are."""


def f(x: int) -> int:
    """What it does."""
    # why
    return x + (
        1
    )
'''


def test_docstrings_comments_and_blank_lines_are_no_code() -> None:
    assert size_of("x.py", CODE) == Size(lines=9, tokens=28, statements=5, imports=4, modules=1)
    assert size_of("x.py", "x = 1\n") == Size(lines=1, tokens=3, statements=1, imports=0, modules=1)
    assert size_of("x.js", "/* why\n*/\nf();\n\n// so\ng(); // here\n") == Size(2)
    assert size_of("x.css", "/* why */\np { color: red }\n") == Size(1)
    assert size_of("x.json", "{\n}\n") == Size(2)


@pytest.mark.slow
def test_a_command_runs_through_modules_and_imports_others() -> None:
    command = [sys.executable, "-m", "bench.size", "--walk", "check", "examples/legal/finish.cgn"]
    told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.fullmatch(r"check examples/legal/finish.cgn: (\d+) modules, ([\d,]+) moves between them\n(.*)\n", told)
    assert found
    assert 20 < int(found[1]) < 60
    assert "imported and not run: " in found[3]
    assert "smt" not in found[3]
