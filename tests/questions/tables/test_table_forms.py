"""Schemas kept up to date, and whole outputs as they were reviewed; `pytest --update-goldens` writes both anew."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError

from couperation_formal.questions.schemas import FORMS, schema
from tests.questions.tables.run import LOST, TABLES, couperation, valid

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("deadlock_summary", "table_complete", "table_deadlock", "table_moves")
SAID = {
    "alive.complete": ("complete", "alive.cgn"),
    "astray.complete": ("complete", "astray.cgn"),
    "dead.complete": ("complete", "dead.cgn"),
    "lost.complete": ("complete", "lost.cgn", "--at", "34"),
    "lost.deadlock": ("deadlock", "lost.cgn"),
    "lost.moves": ("moves", "lost.cgn", "--at", "34", "--alive"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "command, options", [("complete", ("--at", "33")), ("deadlock", ("--budget", "10000")), ("moves", ("--at", "35"))]
)
def test_every_field_is_written_and_no_other_is_valid(command: str, options: tuple[str, ...]) -> None:
    data = valid(command, LOST, *options, *(("--alive",) if command == "moves" else ()))
    name = f"table_{command}"
    assert list(data) == [field.name for field in msgspec.structs.fields(FORMS[name][0])]
    validator = Draft202012Validator(schema(name))
    for field in data:
        with pytest.raises(ValidationError):
            validator.validate({key: value for key, value in data.items() if key != field})
    with pytest.raises(ValidationError):
        validator.validate({**data, "more": 1})


@pytest.mark.slow
@pytest.mark.parametrize("name", SAID)
def test_what_is_said_of_an_example(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TABLES)
    result = couperation(*SAID[name])
    assert result.stderr == ""
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--update-goldens"):
        path.write_text(result.stdout, encoding="utf-8")
    assert result.stdout == path.read_text(encoding="utf-8")


def test_there_are_no_stray_goldens() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SAID)
