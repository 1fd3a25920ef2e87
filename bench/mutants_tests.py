"""Which tests run which block of the code: a plugin of pytest; and the loader that changes modules when imported.

``pytest -p bench.mutants_tests`` with ``COUPERATION_MAP=FOLDER`` sets a mark at the start of every block of the rooms
of the campaign (a mark is one store into a byte array) and writes a file for each process: for each test its seconds
of processor time and the blocks that it ran. Caches are emptied before each test, so that no test hides behind another.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("couperation_formal", "checker/couperation_checker")
_MARKS = "__ran__"

Change = Callable[[str, str], ast.Module | str]
"""From a module's path from the root and its source to what is compiled in its place."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module from its changed source; never from a cache, nor into one."""

    change: Change

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        changed = self.change(str(path.relative_to(ROOT)), path.read_text())
        return compile(changed, str(path), "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the project as ever, and has them loaded changed."""

    def __init__(self, change: Change) -> None:
        self._change = change

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] not in ("couperation_formal", "couperation_checker"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None or not spec.origin.startswith(str(ROOT)):
            return spec
        loader = _Loader(fullname, spec.origin)
        loader.change = self._change
        return importlib.util.spec_from_file_location(
            fullname, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )


def load_changed(change: Change) -> None:
    """From now on the project's modules are imported as `change` makes them."""
    sys.meta_path.insert(0, _Finder(change))


def blocks(tree: ast.Module) -> Iterator[tuple[ast.AST, list[ast.stmt]]]:
    """Every list of statements that runs from its first one on, with the node that it belongs to; the module first."""
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body:
                yield node, body


def block_of(tree: ast.Module, line: int) -> tuple[int, bool]:
    """The first line of the innermost block that runs when `line` does, and whether that is inside a function. A
    function's head belongs to its body: a default is told by those who call it.
    """
    best = (1, 0, False)
    for node, body in blocks(tree):
        called = isinstance(node, ast.FunctionDef)
        start = node.lineno if isinstance(node, ast.FunctionDef) else body[0].lineno
        if start <= line <= (body[-1].end_lineno or 0) and start >= best[0]:
            best = (start, body[0].lineno, called or best[2])
    return best[1], best[2]


class Recorder:
    """Marks of the blocks that ran since the last test began."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers: dict[tuple[str, int], int] = {}
        self._ran = bytearray(100_000)
        self._tests: dict[str, tuple[float, list[int]]] = {}
        self._without: set[str] = set()
        self._began = 0.0

    def change(self, module: str, source: str) -> ast.Module | str:
        """The module's tree with a mark at the start of every block, where it belongs to the rooms."""
        tree = ast.parse(source)
        for _node, body in list(blocks(tree)):
            number = self._numbers.setdefault((module, body[0].lineno), len(self._numbers))
            mark = ast.parse(f"{_MARKS}[{number}] = 1").body[0]
            first = body[0]
            told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            place = sum(isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in body) + told
            body.insert(place, mark)
            ast.copy_location(mark, first)
            ast.fix_missing_locations(mark)
        vars(sys.modules["builtins"])[_MARKS] = self._ran
        return tree

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        for each in gc.get_objects():
            if type(each) is functools._lru_cache_wrapper and str(each.__module__).startswith("couperation_"):
                each.cache_clear()
        self._ran[:] = bytes(len(self._ran))
        self._began = time.process_time()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        ran = [number for number in range(len(self._numbers)) if self._ran[number]]
        self._tests[item.nodeid] = (round(time.process_time() - self._began, 3), ran)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails or is skipped notices nothing."""
        if not report.passed:
            self._without.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        for test in self._without:
            self._tests.pop(test, None)
        if self._tests:
            places: list[Any] = [list(place) for place in self._numbers]
            told = json.dumps({"places": places, "tests": self._tests})
            (self._folder / f"map-{os.getpid()}.json").write_text(told)


def pytest_configure(config: pytest.Config) -> None:
    """Load the project with marks, where a map is asked for."""
    folder = os.environ.get("COUPERATION_MAP")
    if folder:
        recorder = Recorder(Path(folder))
        load_changed(recorder.change)
        config.pluginmanager.register(recorder, "couperation-map")
