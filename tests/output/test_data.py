"""The JSON forms: schemas kept up to date, real outputs valid, nothing left out."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from couperation_formal import questions
from couperation_formal.game.record import Game
from couperation_formal.notation.read import read
from couperation_formal.output.formats import Data
from couperation_formal.questions.records.check import CheckData, check, report_data
from couperation_formal.questions.records.states import moves_at
from couperation_formal.questions.schemas import FORMS, schema
from couperation_formal.questions.tables.moves import MovesData, moves_data
from tests.output.games import EXPECTED, GAMES, HEAD, POSITIONS, item, report, report_of


def valid(name: str, data: CheckData | MovesData) -> dict[str, Any]:
    """The JSON of `data`, after it was found valid."""
    found: dict[str, Any] = json.loads(msgspec.json.encode(data))
    Draft202012Validator(schema(name)).validate(found)
    return found


def test_no_schema_changes_unseen(request: pytest.FixtureRequest) -> None:
    schemas = {name: schema(name) for name in FORMS}
    golden = Path(__file__).parent / "golden" / "schemas.json"
    if request.config.getoption("--update-goldens"):
        golden.write_text(json.dumps(schemas, indent=2) + "\n", encoding="utf-8")
    assert schemas == json.loads(golden.read_text(encoding="utf-8"))
    for each in schemas.values():
        Draft202012Validator.check_schema(each)


def kinds(form: type[Data]) -> Iterator[type[Data]]:
    """The forms that are made of this one and of which no other is made."""
    for kind in form.__subclasses__():
        yield from kinds(kind) if kind.__subclasses__() else [kind]


def test_every_line_of_json_has_a_schema() -> None:
    for module in pkgutil.walk_packages(questions.__path__, f"{questions.__name__}."):
        importlib.import_module(module.name)
    lines = {kind for kind in kinds(Data) if "format" in kind.__struct_fields__ and "questions" in kind.__module__}
    assert lines == {form for forms in FORMS.values() for form in forms}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_record_gives_a_valid_object_with_the_expected_answer(path: Path) -> None:
    data = valid("check", report_data(report_of(path)))
    expected = EXPECTED[path.name]
    assert data["verdict"] == expected["verdict"]
    assert data["turn"] == expected.get("turn")
    assert data["result"] == (expected["result"] if data["verdict"] == "legal" else None)
    assert set(data["codes"]) == set(expected.get("codes", ()))
    severities = [found["severity"] for found in data["diagnostics"]]
    assert severities.count("error") == (data["verdict"] == "illegal")
    told = {"loss": ["END02"], "stuck": ["END03"]}.get(data["result"], [])
    assert data["codes"] + told == [found["code"] for found in data["diagnostics"] if found["severity"] != "warning"]
    assert data["codes"] == [] or severities[: len(data["codes"])] == ["error", *["note"] * (len(data["codes"]) - 1)]


@pytest.mark.parametrize("path", [path for path in GAMES if "moves" in EXPECTED[path.name]], ids=lambda path: path.stem)
def test_every_listed_set_of_actions(path: Path) -> None:
    expected = EXPECTED[path.name]
    (game,) = read(path)
    assert isinstance(game, Game)
    turn = expected["moves_at"]
    data = valid("moves", moves_data(game, turn, moves_at(game, turn)))
    assert data["complete"] is True
    assert data["player"] == game.record.turns[turn - 1].player
    found = [_as_expected(action) for action in data["actions"]]
    assert len({json.dumps(action) for action in found}) == len(found)
    assert sorted(map(json.dumps, found)) == sorted(json.dumps(_sorted(action)) for action in expected["moves"])


def _as_expected(action: dict[str, Any]) -> list[Any]:
    kind, cell = action["action"], action["cell"]
    if kind in "AB":
        return [kind, str(action["card"]), cell]
    if kind == "C":
        return [kind, cell]
    sent, destroyed = ([str(card) for card in action[name]] for name in ("sent", "destroyed"))
    return _sorted([kind, str(action["taken"]), cell, sent, destroyed, action["face_up"], action["replacing"]])


def _sorted(action: list[Any]) -> list[Any]:
    return [sorted(part) if isinstance(part, list) else part for part in action]


def test_cards_are_numbers_and_the_finish_card_a_letter() -> None:
    game = item(HEAD + "1. Aki A 17@f1\n")
    assert isinstance(game, Game)
    first = valid("moves", moves_data(game, 1, moves_at(game, 1)))["actions"][0]
    assert first == {"action": "A", "text": "A 17@f1", "cell": "f1", "card": 17}


def test_actions_with_an_unseen_hand_are_incomplete() -> None:
    game = item('[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 ? ?\n')
    assert isinstance(game, Game)
    data = valid("moves", moves_data(game, 1, moves_at(game, 1)))
    assert data["complete"] is False
    assert {action["card"] for action in data["actions"]} >= {17}


@pytest.mark.parametrize(
    "text, rules, turn",
    [
        ("", None, None),
        ("[CGN", None, None),
        ("\x00\xff", None, None),
        ('[CGN "1"]\n[Players "Aki"]\n1. Aki X\n', "ja-2.2", 0),  # one player alone breaks a rule
        (HEAD + "1. Aki A 51@f1", "ja-2.2", None),
    ],
)
def test_malformed_games_give_valid_objects(text: str, rules: str | None, turn: int | None) -> None:
    """What is judged of a game, its turns before the line that cannot be read, names its rules."""
    data = valid("check", report_data(report(text)))
    assert data["verdict"] == "malformed"
    assert (data["rules"], data["variant"], data["result"], data["turn"]) == (rules, rules and "first", None, turn)
    assert [found["code"] for found in data["diagnostics"]] != []


def test_a_position_where_a_game_is_wanted() -> None:
    (position,) = read(POSITIONS[0])
    data = valid("check", report_data(check(position)))
    assert data["verdict"] == "malformed"
    assert "position" in data["diagnostics"][0]["message"]


def test_every_field_is_written_and_places_are_the_files() -> None:
    text = "; remark\r\n" + HEAD.replace("\n", "\r\n") + "1. Aki A 17@f1\r\n2. Ben +4 A 9@f2\r\n"
    data = valid("check", report_data(report(text, "x.cgn")))
    assert list(data) == [field.name for field in msgspec.structs.fields(CheckData)]
    assert data["diagnostics"][-1] == {
        "code": "TOW02",
        "severity": "error",
        "turn": 2,
        "line": 8,
        "column": 11,
        "end_line": 8,
        "end_column": 17,
        "message": "9 on f2 cannot lie between 17 on f1 and 25 on g1: 17 is not below 9",
        "rulings": [],
        "legal_with": [],
    }


def test_file_names_that_are_no_utf8_can_be_written() -> None:
    assert valid("check", report_data(report(HEAD, "a\udcff.cgn")))["file"] == "a\ufffd.cgn"
