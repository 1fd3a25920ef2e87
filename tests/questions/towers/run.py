"""What these tests share: the records, stored schemas, valid outputs, the certificates of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from couperation_checker import check_object
from jsonschema import Draft202012Validator

from couperation_formal.questions.schemas import schema
from tests.cli.run import DATA, GAMES, couperation

__all__ = ["DATA", "EXPECTED", "GAMES", "HEAD", "POSITIONS", "accepted", "couperation", "position", "valid"]

POSITIONS = sorted((DATA / "positions").glob("*.cgn"))
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "positions" / "expected.json").read_text(encoding="utf-8"))
HEAD = '[CGN "1"]\n[Rules "{}"]\n[Variant "{}"]\n[Players "Aki Ben"]\n'


def position(lines: str, rules: str = "en-2", variant: str = "first") -> str:
    """The text of a position with these lines."""
    return HEAD.format(rules, variant) + f"position\n{lines}\n"


def valid(name: str, *arguments: str | Path, stdin: str | None = None, code: int | None = None) -> dict[str, Any]:
    """The one valid JSON object that a command prints at the tower level; with `code`, this is its exit code."""
    level = () if name == "windows" else ("--level", "tower")
    result = couperation(name, *arguments, *level, "--output-format", "json", stdin=stdin)
    (line,) = result.stdout.splitlines()
    data: dict[str, Any] = json.loads(line)
    Draft202012Validator(schema(name)).validate(data)
    assert code is None or result.exit_code == code
    return data


def accepted(*files: Path) -> list[dict[str, Any]]:
    """The certificates in files, each of which the independent checker accepts."""
    found: list[dict[str, Any]] = []
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        found += data if isinstance(data, list) else [data]
    verdicts = [check_object(certificate) for certificate in found]
    assert found
    assert [verdict for verdict in verdicts if verdict.status != "accepted"] == []
    return found
