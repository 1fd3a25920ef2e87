"""Tests take what they share from modules of their own, never from each other; and no import leads back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("tests", "bench") for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.slow
def test_no_module_imports_a_test_module() -> None:
    assert len(MODULES) > 300
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in MODULES}
    spelt = [path for path, text in texts.items() if re.search(r"(?<!def )\btest_", text)]
    found = [(path, name) for path in spelt for name in imported(texts[path])]
    assert [each for each in found if is_test(each[1])] == []


@pytest.mark.parametrize(
    "line", ["from tests.a.test_b import c", "from tests.a import (\n test_b)", "import tests.test_a"]
)
def test_such_an_import_is_found(line: str) -> None:
    assert any(map(is_test, imported(f"if 1:\n  try:\n    pass\n  except OSError:\n    {line}\n")))


def is_test(name: str) -> bool:
    return name.startswith("tests.") and any(part.startswith("test_") for part in name.split("."))


def imported(text: str) -> Iterator[str]:
    """The modules, and what is taken of them, that a module imports, in its functions too."""
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements inside of a node, and the handlers and cases that hold some."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for each in getattr(node, part, ()):
            yield each
            yield from statements(each)


def test_references_hold_no_tests() -> None:
    assert not list((ROOT / "tests" / "formulas" / "judge").glob("test_*.py"))


@pytest.mark.slow
def test_no_module_is_imported_by_what_it_imports() -> None:
    """Neither when it is loaded nor in a function, nor for a type."""
    graph = grimp.build_graph("couperation_formal", "couperation_checker", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 100
    TopologicalSorter(imports).prepare()  # raises where there is a circle, and names it
