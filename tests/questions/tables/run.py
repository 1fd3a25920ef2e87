"""What these tests share: the examples, valid outputs, and records that go on with a line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from click.testing import Result
from jsonschema import Draft202012Validator

import couperation_formal as cf
from couperation_formal.questions.schemas import schema
from tests.cli.run import couperation
from tests.questions.towers.run import accepted

__all__ = ["ALIVE", "DEAD", "LOST", "TABLES", "WON", "accepted", "couperation", "plays", "valid", "validated"]

EXAMPLES = Path(__file__).parents[3] / "examples"
TABLES = EXAMPLES / "tables"
ALIVE, DEAD, LOST = (TABLES / f"{name}.cgn" for name in ("alive", "dead", "lost"))
WON = EXAMPLES / "legal" / "thursday.cgn"
FORMS = {"complete": "table_complete", "deadlock": "table_deadlock", "moves": "table_moves"}


def validated(line: str, name: str) -> dict[str, Any]:
    """A line of JSON that is valid by a schema."""
    data: dict[str, Any] = json.loads(line)
    Draft202012Validator(schema(name)).validate(data)
    return data


def valid(name: str, *arguments: str | Path, stdin: str | None = None, code: int | None = None) -> dict[str, Any]:
    """The one valid JSON object that a command prints at the table level; with `code`, this is its exit code."""
    result: Result = couperation(name, *arguments, "--output-format", "json", stdin=stdin)
    assert code is None or result.exit_code == code, result.stderr
    (line,) = result.stdout.splitlines()
    return validated(line, FORMS[name])


def plays(file: Path, turn: int, line: list[str], marks: dict[str, str] | None = None) -> str:
    """How a record ends when it goes on with `line` after turn `turn`, by the plain replay of the whole record."""
    text = file.read_text(encoding="utf-8")
    first = re.search(r"^1\. ", text, re.MULTILINE)
    assert first is not None
    head, turns = text[: first.start()], re.findall(r"^\d+\. .*", text[first.start() :], re.MULTILINE)
    more = "".join(f" {value}:{mark}" for value, mark in (marks or {}).items())
    head = re.sub(r'(\[Marks "[^"]*)"', rf'\1{more}"', head)
    (game,) = cf.read_text("\n".join([head, *turns[:turn], *line, "*"]) + "\n")
    report = cf.check(game, engine="plain")
    assert report.verdict == "legal", [found.message for found in report.diagnostics]
    return str(report.result)
