"""Schemas kept up to date, and whole outputs as they were reviewed; `pytest --update-goldens` writes both anew."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError

from couperation_formal.output.data import Data, schema
from couperation_formal.questions.tables.complete import TableCompleteData
from couperation_formal.questions.tables.deadlock import SummaryData, TableDeadlockData
from couperation_formal.questions.tables.moves import TableMovesData
from tests.questions.tables.run import LOST, TABLES, couperation, stored, valid

GOLDEN = Path(__file__).parent / "golden"
SCHEMAS = Path(__file__).parents[3] / "couperation_formal" / "output" / "schema"
FORMS: dict[str, type[Data]] = {
    "deadlock_summary": SummaryData,
    "table_complete": TableCompleteData,
    "table_deadlock": TableDeadlockData,
    "table_moves": TableMovesData,
}
SAID = {
    "alive.complete": ("complete", "alive.cgn"),
    "astray.complete": ("complete", "astray.cgn"),
    "dead.complete": ("complete", "dead.cgn"),
    "lost.complete": ("complete", "lost.cgn", "--at", "34"),
    "lost.deadlock": ("deadlock", "lost.cgn"),
    "lost.moves": ("moves", "lost.cgn", "--at", "34", "--alive"),
}


@pytest.mark.parametrize("name", FORMS)
def test_schemas_in_the_package_are_up_to_date(name: str, request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-goldens"):
        (SCHEMAS / f"{name}.json").write_text(json.dumps(schema(FORMS[name]), indent=2) + "\n", encoding="utf-8")
    assert stored(name) == schema(FORMS[name])
    Draft202012Validator.check_schema(stored(name))


@pytest.mark.slow
@pytest.mark.parametrize(
    "command, options", [("complete", ("--at", "33")), ("deadlock", ("--budget", "10000")), ("moves", ("--at", "35"))]
)
def test_every_field_is_written_and_no_other_is_valid(command: str, options: tuple[str, ...]) -> None:
    data = valid(command, LOST, *options, *(("--alive",) if command == "moves" else ()))
    name = f"table_{command}"
    assert list(data) == [field.name for field in msgspec.structs.fields(FORMS[name])]
    validator = Draft202012Validator(stored(name))
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
