"""What `couperation dispute` writes, held against its schema and against outputs as they were reviewed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from couperation_formal.questions.schemas import schema

GOLDEN = Path(__file__).parent / "golden"


def valid(name: str, data: dict[str, Any]) -> dict[str, Any]:
    Draft202012Validator(schema(name)).validate(data)
    return data


def golden(name: str, text: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / name
    if request.config.getoption("--update-goldens"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
