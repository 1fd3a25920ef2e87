"""The package: standard library only, no assert, small; and its command line."""

import ast
import io
import json
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import couperation_checker
import pytest

from tests.checker.hand import FREE, certificate

FOLDER = Path(couperation_checker.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))
RIGHT = certificate("completable", {"column": "d", "filling": FREE})
WRONG = {**RIGHT, "evidence": {"column": "d", "filling": {}}}


def tree(module: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


def test_the_modules_are_found() -> None:
    names = {module.name for module in MODULES}
    assert names >= {"__init__.py", "__main__.py", "strict.py", "position.py", "tower.py", "repair.py", "claims.py"}


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


def code_lines(module: Path) -> int:
    """The lines that hold code: no blank ones, comments or docstrings."""
    text = module.read_text(encoding="utf-8")
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in skipped]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in tree(module):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, int(node.end_lineno or 0) + 1))
    return len(lines)


def test_the_whole_stays_small() -> None:
    tower = [FOLDER / name for name in ("claims.py", "tower.py", "repair.py")]
    assert sum(len(module.read_text(encoding="utf-8").splitlines()) for module in tower) < 300
    assert sum(map(code_lines, MODULES)) < 1300


def command(*arguments: str, text: bytes = b"") -> tuple[int, str, str]:
    run = subprocess.run(
        [sys.executable, "-m", "couperation_checker", *arguments],
        env={**os.environ, "PYTHONPATH": str(FOLDER.parent)},
        input=text,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in run.stderr
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def test_the_command_line(tmp_path: Path) -> None:
    right, wrong, later = (str(tmp_path / name) for name in ("right.json", "wrong.json", "later.json"))
    Path(right).write_text(json.dumps(RIGHT))
    Path(wrong).write_text(json.dumps([RIGHT, WRONG]))
    Path(later).write_text('{"format": 2}')
    assert command(right) == (0, f"{right}: accepted\n", "")
    cells = "CELLS the filling does not name exactly the cells without an up card"
    assert command(wrong) == (1, f"{wrong}[0]: accepted\n{wrong}[1]: rejected: {cells}\n", "")
    assert command(later) == (3, f"{later}: unsupported: a format after 1\n", "")
    assert command(later, wrong, right)[0] == 1
    assert command(later, right)[0] == 3
    status, output, errors = command(wrong, str(tmp_path / "none.json"), later)
    assert (status, output.count("\n")) == (2, 3)
    assert "none.json" in errors
    assert command(str(tmp_path))[0] == 2
    assert command("-", text=json.dumps(RIGHT).encode()) == (0, "-: accepted\n", "")


def test_unusable_input_and_arguments() -> None:
    assert command()[0] == 2
    assert command("--fast")[0] == 2
    assert command("--help")[0] == 0
    for text in (b"", b"\xff\xfe", json.dumps(RIGHT).encode() + b"\xc3", b" " * (1 << 20) + b"{}"):
        status, output, _ = command("-", text=text)
        assert status == 1
        assert output.startswith("-: rejected: JSON ")
    assert command("-", text=b"[]")[1].startswith("-: rejected: FORM ")
