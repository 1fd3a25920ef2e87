"""No line of code is wider than a screen beside another."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = ("*.py", "*.js", "*.mjs", "*.lark", "*.j2", "*.css")


def test_no_line_is_longer_than_120_characters() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", *CODE], cwd=ROOT, capture_output=True, text=True, check=False)
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    if not paths:
        pytest.skip("not a checkout of git")
    assert [
        f"{path.relative_to(ROOT)}:{number}"
        for path in paths
        if path.is_file()
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1)
        if len(line) > 120
    ] == []
