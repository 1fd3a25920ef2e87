"""Schemas kept up to date, and whole outputs as they were reviewed; `pytest --update-goldens` writes both anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError

from couperation_formal.game.fact import ranges
from couperation_formal.questions.schemas import FORMS, schema
from couperation_formal.words.say import ENGLISH, say
from tests.questions.towers.run import GAMES, couperation, valid

GOLDEN = Path(__file__).parent / "golden"
TABLES = sorted(GOLDEN.glob("*.cgn"))
SCANNED = ["game-00000", "game-00001", "game-00007", "game-00030"]
NAMES = ("complete", "deadlock", "windows")


@pytest.mark.parametrize("name", NAMES)
def test_every_field_is_written_and_no_other_is_valid(name: str) -> None:
    file = GAMES / "game-00001.cgn"
    data: dict[str, Any] = valid(name, file)
    assert list(data) == [field.name for field in msgspec.structs.fields(FORMS[name][0])]
    validator = Draft202012Validator(schema(name))
    for field in data:
        with pytest.raises(ValidationError):
            validator.validate({key: value for key, value in data.items() if key != field})
    with pytest.raises(ValidationError):
        validator.validate({**data, "more": 1})


def golden(name: str, text: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / name
    if request.config.getoption("--update-goldens"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["complete", "windows"])
@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.stem)
def test_what_is_said_of_a_position(
    table: Path, command: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(GOLDEN)
    result = couperation(command, table.name)
    assert result.stderr == ""
    golden(f"{table.stem}.{command}.txt", result.stdout, request)


@pytest.mark.parametrize("name", SCANNED)
def test_what_is_said_of_a_game(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GAMES)
    result = couperation("deadlock", f"{name}.cgn", "--level", "tower")
    assert result.stderr == ""
    golden(f"{name}.deadlock.txt", result.stdout, request)


def test_there_are_no_stray_goldens() -> None:
    wanted = {f"{table.stem}.{command}.txt" for table in TABLES for command in ("complete", "windows")}
    assert len(TABLES) >= 10
    assert {path.name for path in GOLDEN.glob("*.txt")} == wanted | {f"{name}.deadlock.txt" for name in SCANNED}


@pytest.mark.parametrize(
    "values, text", [([], ""), ([7], "7"), ([7, 8], "7, 8"), ([7, 8, 9, 26, 28, 29, 30, 31], "7–9, 26, 28–31")]
)
def test_ranges(values: list[int], text: str) -> None:
    assert say(ranges(values), ENGLISH) == text
