"""The package: standard library only, no assert, small; and its command line."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.checker.package import FOLDER, RIGHT, WRONG, code_lines, command, tree

MODULES = sorted(FOLDER.rglob("*.py"))


def test_the_modules_are_found() -> None:
    names = {module.name for module in MODULES}
    assert names >= {"__init__.py", "__main__.py", "strict.py", "position.py", "tower.py", "claims.py"}


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_only_the_standard_library_is_imported(module: Path) -> None:
    names = {
        alias.name for node in tree(module) if isinstance(node, ast.Import) for alias in node.names
    } | {str(node.module) for node in tree(module) if isinstance(node, ast.ImportFrom)}  # fmt: skip
    assert all(node.level == 0 for node in tree(module) if isinstance(node, ast.ImportFrom))
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names | {"couperation_checker"}
    called = {node.id for node in tree(module) if isinstance(node, ast.Name)}
    assert not called & {"__import__", "exec", "eval", "importlib"}


def test_it_runs_without_any_installed_package() -> None:
    program = "import sys, couperation_checker.__main__; print(*{name.split('.')[0] for name in sys.modules})"
    run = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(FOLDER.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(run.stdout.split()) <= sys.stdlib_module_names | {"couperation_checker", "__main__"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_assert_and_no_module_of_300_lines(module: Path) -> None:
    assert not any(isinstance(node, ast.Assert) for node in tree(module))
    assert len(module.read_text(encoding="utf-8").splitlines()) < 300


def test_the_whole_stays_small() -> None:
    tower = [FOLDER / name for name in ("claims.py", "tower.py")]
    assert sum(len(module.read_text(encoding="utf-8").splitlines()) for module in tower) < 300
    assert sum(map(code_lines, MODULES)) < 1320


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    right, wrong, later = (str(tmp_path / name) for name in ("right.json", "wrong.json", "later.json"))
    Path(right).write_text(json.dumps(RIGHT))
    Path(wrong).write_text(json.dumps([RIGHT, WRONG]))
    Path(later).write_text('{"format": 2}')
    assert command(right) == (0, f"{right}: accepted\n", "")
    cells = "CELLS the filling does not name exactly the cells without an up card"
    assert command(wrong) == (1, f"{wrong}[0]: accepted\n{wrong}[1]: rejected: {cells}\n", "")
    assert command(later) == (3, f"{later}: unsupported: a later format\n", "")
    assert command(later, wrong, right)[0] == 1
    assert command(later, right)[0] == 3
    status, output, errors = command(wrong, str(tmp_path / "none.json"), later)
    assert (status, output.count("\n")) == (2, 3)
    assert "none.json" in errors
    assert command(str(tmp_path))[0] == 2
    assert command("-", text=json.dumps(RIGHT).encode()) == (0, "-: accepted\n", "")


@pytest.mark.slow
def test_unusable_input_and_arguments() -> None:
    assert command()[0] == 2
    assert command("--fast")[0] == 2
    assert command("--help")[0] == 0
    assert command("-", text=b" " * (1 << 20) + b"{}")[0] == 2
    for text in (b"", b"\xff\xfe", json.dumps(RIGHT).encode() + b"\xc3"):
        status, output, _ = command("-", text=text)
        assert status == 1
        assert output.startswith("-: rejected: JSON ")
    assert command("-", text=b"[]")[1].startswith("-: rejected: FORM ")
