"""Types as who uses the package sees them: each that a signature names is a public name, and a strict script passes."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import couperation_formal as cf
from tests.conftest import LONG
from tests.kit.started import run

PLAIN = {
    *("int", "str", "bool", "float", "object", "bytes", "type", "dict", "list", "tuple", "set", "frozenset", "None"),
    *("Any", "Literal", "Callable", "Iterable", "Iterator", "Mapping", "Sequence", "Path", "BinaryIO"),
}
"""Names that are Python's own."""
FUNCTIONS = [name for name in cf.__all__ if inspect.isfunction(getattr(cf, name))]
CLASSES = [name for name in cf.__all__ if inspect.isclass(getattr(cf, name))]
MODEL = [name for name in CLASSES if getattr(cf, name).__module__.startswith("couperation_formal.game.")]
"""Whose fields count as well: games, positions, states and what they are made of."""
INNER = {"cls", "self", "Self", "Registry"}

SCRIPT = Path(__file__).with_name("script.py")


def types_in(of: Any) -> set[str]:
    """The names in the annotations of a function, or of a class's fields, as they are written."""
    (node,) = ast.parse(dedent(inspect.getsource(of))).body
    if isinstance(node, ast.ClassDef):
        written = [each.annotation for each in node.body if isinstance(each, ast.AnnAssign)]
    else:
        assert isinstance(node, ast.FunctionDef)
        written = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg) and each.annotation]
        written += [node.returns] if node.returns else []
    assert not any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in written)
    parts = [each for whole in written for each in ast.walk(whole) if isinstance(each, ast.Name | ast.Attribute)]
    modules = [each.value for each in parts if isinstance(each, ast.Attribute)]
    return {each.attr if isinstance(each, ast.Attribute) else each.id for each in parts if each not in modules}


def test_the_types_of_a_function_are_public() -> None:
    for name in FUNCTIONS:
        assert types_in(getattr(cf, name)) - PLAIN <= {*cf.__all__}, name


def test_the_types_of_a_class_are_public() -> None:
    """Of its methods and properties, and of the fields of the model."""
    for name in CLASSES:
        kind, found = getattr(cf, name), set[str]()
        for member, value in vars(kind).items():
            call = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
            if not member.startswith("_") and inspect.isfunction(call):
                found |= types_in(call)
        if name in MODEL:
            found |= types_in(kind)
        assert found - PLAIN - INNER <= {*cf.__all__}, name


def test_there_is_something_to_look_at() -> None:
    assert len(FUNCTIONS) > 25
    assert len(MODEL) > 25
    assert {"Table", "Report", "Moves"} <= {*CLASSES}


@pytest.mark.slow
def test_a_strict_script_runs(tmp_path: Path) -> None:
    """Its types are checked by `make lint`."""
    done = run([], cwd=tmp_path, code=SCRIPT.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not LONG, reason="make lint checks the same inside of the repository")
def test_a_strict_script_passes_outside_of_the_repository(tmp_path: Path) -> None:
    """There the package's `py.typed` tells the types."""
    (tmp_path / "script.py").write_text(SCRIPT.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "cache", "script.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
