"""`couperation dispute` on the command line: outputs as they were reviewed, JSON by its schema, exit codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from couperation_formal.hidden.readings.sets import Readings
from couperation_formal.questions.disputes.compare import CompareData
from couperation_formal.questions.disputes.dispute import DisputeData, QuarrelData
from tests.cli.run import HEAD, MALFORMED, POSITION, UNDETERMINED, couperation, objects
from tests.hidden.readings.outputs import golden, valid
from tests.hidden.readings.readings import count, union
from tests.questions.towers.run import GAMES

FORMS: dict[str, type[DisputeData | QuarrelData | CompareData]] = {
    "dispute": DisputeData,
    "dispute_turn": QuarrelData,
    "dispute_compare": CompareData,
}
APART = HEAD + "1. Aki A 17@e1\n"


@pytest.mark.parametrize("name", ["game-50015-facedown", "game-50003-hearts_below", "game-00001"])
def test_what_is_said_of_a_game(name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(GAMES)
    result = couperation("dispute", f"{name}.cgn")
    assert result.stderr == ""
    assert result.exit_code == 0
    golden(f"{name}.txt", result.stdout, request)


def test_what_is_said_of_two_rulebooks(request: pytest.FixtureRequest) -> None:
    result = couperation("dispute", "--compare", "ja-2.2", "bgg")
    assert result.stderr == ""
    assert result.exit_code == 0
    golden("ja-2.2.bgg.cgn", result.stdout, request)
    checked = couperation("check", "-", "--output-format", "json", stdin=result.stdout)
    assert [found["verdict"] for found in objects(checked)] == ["legal"] * 3


def test_one_object_for_one_game() -> None:
    result = couperation("dispute", "-", "--output-format", "json", stdin=APART)
    (data,) = objects(result)
    valid("dispute", data)
    assert result.exit_code == 0
    goes_on: dict[str, object] = {"admits": ["unfinished"], "taken": "unfinished", "when": None}
    legal: dict[str, Any] = {"verdict": "legal", "turn": None, "code": None, "outcome": goes_on}
    illegal: dict[str, Any] = {"verdict": "illegal", "turn": 1, "code": "TOW05", "outcome": None}
    assert data["rulebooks"] == {
        name: {
            **book,
            "admits": [book["verdict"]],
            "taken": book["verdict"],
            "when": None,
            "ended": None,
            "elsewhere": [],
        }
        for name, book in {"en-1": legal, "en-2": legal, "ja-2.2": illegal, "bgg": illegal}.items()
    }
    assert data["decisive"] == ["spread"]
    assert data["legal_when"] == [{"spread": ["anywhere"]}]
    assert data["illegal_when"] == [{"spread": ["adjacent"]}]
    assert data["undetermined_when"] == []
    assert data["changes"]["ja-2.2"] == [{"options": {"spread": "anywhere"}, "verdict": "legal"}]
    assert data["texts"]["spread"]["en-2"]["stand"] == "literal"
    assert data["turn"] is None
    assert data["format"] == 1


def test_up_to_a_turn() -> None:
    text = APART + "2. Ben A 9@f1\n3. Aki A 30@i1\nwin\n"
    (whole,) = objects(couperation("dispute", "-", "--output-format", "json", stdin=text))
    assert whole["legal_when"] == []
    assert {book["code"] for book in whole["rulebooks"].values()} == {"TOW01", "TOW05"}
    (cut,) = objects(couperation("dispute", "-", "--until", "1", "--output-format", "json", stdin=text))
    assert cut["legal_when"] == [{"spread": ["anywhere"]}]
    assert cut["turn"] == 1
    (start,) = objects(couperation("dispute", "-", "--until", "0", "--output-format", "json", stdin=text))
    assert start["legal_when"] == [{}]
    refused = couperation("dispute", "-", "--until", "4", stdin=text)
    assert refused.exit_code == 2
    assert "there is no turn 4: the record has 3" in refused.stderr


@pytest.mark.parametrize("file", sorted(GAMES.glob("*.cgn"))[::5], ids=lambda file: file.stem)
def test_the_three_conditions_partition_all_readings(file: Path) -> None:
    (data,) = objects(couperation("dispute", file, "--output-format", "json"))
    valid("dispute", data)
    parts = [union(data[f"{name}_when"]) for name in ("legal", "illegal", "undetermined")]
    assert sum(count(part) for part in parts) == count(Readings.every())
    assert parts[0] | parts[1] | parts[2] == Readings.every()


def test_a_bad_game_costs_only_itself() -> None:
    stream = "\n".join([APART, MALFORMED, POSITION, APART])
    result = couperation("dispute", "-", "--output-format", "json", stdin=stream)
    assert result.exit_code == 2
    assert [data["game"] for data in objects(result)] == [1, 4]
    assert "this is a position, and a game is wanted" in result.stderr
    assert couperation("dispute", "-", "--game", "4", stdin=stream).exit_code == 0


def test_what_the_record_does_not_show() -> None:
    result = couperation("dispute", "-", "--output-format", "json", "--budget", "1", stdin=UNDETERMINED)
    (data,) = objects(result)
    valid("dispute", data)
    assert result.exit_code == 3
    assert data["undetermined_when"]
    assert data["illegal_when"] == []
    (data,) = objects(couperation("dispute", "-", "--output-format", "json", stdin=UNDETERMINED))
    assert data["legal_when"] == [{}]


@pytest.mark.slow
def test_compare_as_json() -> None:
    result = couperation("dispute", "--compare", "en-2", "ja-2.2", "--output-format", "json")
    (data,) = objects(result)
    valid("dispute_compare", data)
    assert result.exit_code == 0
    found = {each["ruling"]: each for each in data["differences"]}
    assert list(found) == [
        "anchor", "spread", "facedown", "early_apex", "hearts_below", "draw_source", "finish_half",
    ]  # fmt: skip
    assert found["finish_half"]["outcome"] == "warning only"
    assert found["finish_half"]["record"] is None
    assert {name: each["turns"] for name, each in found.items()} == {
        "anchor": 4, "spread": 1, "facedown": 2, "early_apex": 27, "hearts_below": 3, "draw_source": 4,
        "finish_half": None,
    }  # fmt: skip
    assert all(each["shortest"] for name, each in found.items() if name != "finish_half")
    for each in data["differences"]:
        if each["record"] is not None:
            checked = checked_under(each["refused_by"], each["record"])
            assert (checked["verdict"], checked["turn"]) == ("illegal", each["turn"])
            assert each["code"] in {found["code"] for found in checked["diagnostics"]}
            assert checked_under(each["accepted_by"], each["record"])["verdict"] == "legal"


def checked_under(rules: str, record: str) -> dict[str, Any]:
    (checked,) = objects(couperation("check", "-", "--rules", rules, "--output-format", "json", stdin=record))
    return checked


def test_a_bound_on_the_turns() -> None:
    result = couperation("dispute", "--compare", "en-2", "en-2 early_apex=loses", "--search", "10")
    assert result.exit_code == 3
    assert "no record found with up to 10 turns; at least 27 are needed" in result.stdout
    (data,) = objects(couperation("dispute", "--compare", "en-2", "en-2", "--output-format", "json"))
    assert data["differences"] == []
    assert couperation("dispute", "--compare", "en-2", "en-2").stdout == "; the two agree on every ruling\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        ([], "Missing argument 'FILES...', or --compare"),
        (["--compare", "en-3", "ja-2.2"], "there is no rulebook 'en-3'"),
        (["--compare", "en-2 between=never", "ja-2.2"], "between has no option 'never'"),
        (["--compare", "missing.toml", "ja-2.2"], "cannot read missing.toml"),
        (["--compare", "en-2", "ja-2.2", "game.cgn"], "--compare takes no FILES"),
        (["--compare", "en-2", "ja-2.2", "--until", "1"], "--compare takes no FILES"),
        (["game.cgn", "--search", "3"], "--search goes with --compare"),
        (["missing.cgn"], "cannot read missing.cgn"),
        (["missing.cgn", "--until", "-1"], "-1"),
    ],
)
def test_unusable_arguments(arguments: list[str], message: str) -> None:
    from click.testing import CliRunner

    from couperation_formal.cli.main import cli

    result = CliRunner().invoke(cli, ["dispute", *arguments])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_rulebook_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "en-2"\ntitle = "At home"\ntake_sent = "forbidden"\n', encoding="utf-8")
    (data,) = objects(couperation("dispute", "--compare", str(file), "en-2", "--output-format", "json"))
    (found,) = data["differences"]
    assert found["ruling"] == "take_sent"
    assert found["turns"] == 1
    assert '[Rules "en-2"]' in found["record"]


@pytest.mark.slow
def test_fully_seen_games_need_no_z3() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from couperation_formal.cli.main import main; "
        f"code = main(['dispute', {str(GAMES / 'game-50015-facedown.cgn')!r}]); "
        "sys.exit(code or 'z3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
