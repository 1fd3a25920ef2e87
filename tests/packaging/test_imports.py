"""Tests take what they share from modules of their own, never from each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("tests", "bench") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.slow
def test_no_module_imports_a_test_module() -> None:
    found = {(path.relative_to(ROOT), name) for path in MODULES for name in imported(path)}
    names = {(path, name) for path, name in found if name.startswith("tests.")}
    assert len(names) > 300
    assert [each for each in sorted(names) if each[1].split(".")[-1].startswith("test_")] == []


def imported(path: Path) -> Iterator[str]:
    """The modules, and what is taken of them, that a module imports, in its functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def test_references_hold_no_tests() -> None:
    assert not list((ROOT / "tests" / "reference").glob("test_*.py"))
