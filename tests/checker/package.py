"""What the tests of package share with others."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import couperation_checker

from tests.checker.hand import FREE, certificate

FOLDER = Path(couperation_checker.__file__).parent


RIGHT = certificate("completable", {"column": "d", "filling": FREE})


WRONG = {**RIGHT, "evidence": {"column": "d", "filling": {}}}


def tree(module: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


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
