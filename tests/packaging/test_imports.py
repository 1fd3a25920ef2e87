"""Tests take what they share from modules of their own, never from each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("tests", "bench") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_imports_a_test_module(path: Path) -> None:
    taken = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            taken |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            taken |= {alias.name for alias in node.names}
    assert not [name for name in taken if name.startswith("tests.") and name.split(".")[-1].startswith("test_")]


def test_references_hold_no_tests() -> None:
    assert not list((ROOT / "tests" / "reference").glob("test_*.py"))
