"""The published schema of certificates: what the program writes is of its form, and what is not is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from couperation_checker import check_object

import couperation_formal as cf
from couperation_formal.game.record import Snapshot
from couperation_formal.questions.tables.complete import complete

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "spec" / "certificate.schema.json").read_text("utf-8")))
POSITIONS = sorted((ROOT / "tests" / "data" / "positions").glob("*.cgn"))


def certificates(path: Path) -> list[dict[str, Any]]:
    (table,) = cf.read(path)
    assert isinstance(table, Snapshot)
    made: list[dict[str, Any]] = json.loads(json.dumps(list(complete(table).certificates())))
    return made


def test_there_are_positions() -> None:
    assert len(POSITIONS) == 32


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_certificates_are_of_the_published_form(path: Path) -> None:
    found = certificates(path)
    SCHEMA.validate(found)
    for certificate in found:
        assert check_object(certificate).status == "accepted"


@pytest.mark.parametrize("field", ["format", "claim", "position", "rulings", "evidence"])
def test_a_field_left_out_is_not_of_the_form(field: str) -> None:
    (certificate, *_) = certificates(POSITIONS[0])
    del certificate[field]
    assert not SCHEMA.is_valid(certificate)
    assert check_object(certificate).code == "FORM"
