"""The sessions in the documentation are run: each command prints what stands below it.

The README's run in tests/packaging/test_readme.py, with the wheel alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.sessions import BLOCK, PAGES, ROOT, printed

pytestmark = pytest.mark.slow


def sessions(page: Path) -> list[tuple[str, str]]:
    """Each command of a page with the output that it promises."""
    found = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


SESSIONS = [
    pytest.param(command, output, id=f"{page.name}: {command}")
    for page in PAGES
    if page != ROOT / "README.md"
    for command, output in sessions(page)
]


def test_there_are_sessions_to_run() -> None:
    assert len(SESSIONS) >= 3


@pytest.mark.parametrize(("command", "output"), SESSIONS)
def test_a_session_prints_what_it_says(command: str, output: str) -> None:
    assert printed(command).rstrip() == output.rstrip()
