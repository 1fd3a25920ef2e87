"""Disputed turns on the command line: `dispute --at`, ``~~``, `--whole`, `check --from`, and the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import couperation_formal as cf
from couperation_formal.cli.main import cli
from couperation_formal.game.record import Game
from couperation_formal.hidden.readings.sets import Readings
from tests.cli.run import HEAD, couperation, objects, process
from tests.hidden.readings.outputs import golden, valid

QUARREL = """\
[CGN "1"]
[Players "Aki Ben"]
[Marks "17:1 44:1 30:2 22:2"]
deal Aki 17 30 44
deal Ben 22 9 3
reserve 1 50 12 33 40 7
deck 14 6 28 5 8 10 11 13
1. Aki +0 A 17@e1
2. Ben +14,6 B 22@f1 ~~ drop 6
3. Aki +28 A 44@i1
4. Ben +5 A 9@d1 ~~
5. Aki +0 A 30@h1 !
*
"""


def asked(text: str, *arguments: str) -> dict[str, Any]:
    (data,) = objects(couperation("dispute", "-", *arguments, "--output-format", "json", stdin=text))
    return valid("dispute_turn" if data["asked"] == "turn" else "dispute", data)


def test_what_is_said_of_marked_turns(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("argument.cgn").write_text(QUARREL, encoding="utf-8")
    result = couperation("dispute", "argument.cgn")
    assert result.stderr == ""
    assert result.exit_code == 0
    golden("quarrels.txt", result.stdout, request)


def test_one_turn_as_json() -> None:
    data = asked(QUARREL, "--at", "3")
    assert list(data)[-5:] == ["format", "asked", "at", "standing", "provided"]
    assert (data["asked"], data["at"], data["provided"], data["turn"]) == ("turn", 3, None, None)
    assert [data["rulebooks"]["bgg"][name] for name in ("verdict", "turn", "code")] == ["illegal", 3, "DRW04"]
    slips = [each for each in data["standing"] if each["rulebook"] == "bgg"]
    assert [(each["turn"], each["clauses"]) for each in slips] == [(1, ["TOW05"]), (2, ["DRW02"])]
    assert {each["turn"] for each in data["standing"] if each["rulebook"] == "en-1"} == {2}


def test_marked_turns_stand_beside_the_record() -> None:
    data = asked(QUARREL)
    assert data["asked"] == "record"
    assert [each["at"] for each in data["quarrels"]] == [2, 4]
    assert data["quarrels"] == [asked(QUARREL, "--at", str(at)) for at in (2, 4)]
    assert data["quarrels"][1]["legal_when"] == [{}]
    assert data["legal_when"] == []
    whole = asked(QUARREL, "--whole")
    assert whole == {**data, "quarrels": []}
    assert asked(QUARREL, "--whole", "--until", "1") == asked(QUARREL, "--until", "1")
    assert asked(QUARREL, "--until", "1")["legal_when"] == [{"spread": ["anywhere"]}]


def test_a_condition_tree_and_changes_for_the_turn_alone() -> None:
    text = HEAD + "1. Aki A 17@e1\n2. Ben +14 B 22@a1\n"
    data = asked(text.replace("[Players", '[Marks "17:1"]\n[Players'), "--at", "2")
    assert data["decisive"] == ["anchor", "spread"]
    assert data["legal_when"] == [{"anchor": ["floating"], "spread": ["anywhere"]}]
    assert {each["verdict"] for each in data["changes"]["ja-2.2"]} == {"legal"}
    shown = couperation("dispute", "-", "--at", "2", stdin=text).stdout
    assert "under ja-2.2, bgg, turn 1 was already wrong: TOW05 (ja-2.2 §3)\n" in shown
    assert "decision tree" in shown


def test_an_earlier_end_is_told() -> None:
    text = HEAD + "1. Aki B 44@f1\n2. Ben A 22@e1\n3. Aki C f1=44\n4. Ben A 3@d1\n*\n"
    text = text.replace("[Players", '[Marks "22:1 44:2"]\n[Players')
    data = asked(text, "--at", "4")
    assert [each for each in data["standing"] if each["rulebook"] == "ja-2.2"] == [
        {"rulebook": "ja-2.2", "turn": 3, "clauses": ["END02"], "admits": ["loss"], "taken": "loss", "when": None}
    ]
    assert data["rulebooks"]["ja-2.2"]["verdict"] == "legal"
    shown = couperation("dispute", "-", "--at", "4", stdin=text).stdout
    assert "the game was over after turn 3: END02" in shown


def test_a_turn_that_cannot_be_carried_out_says_so() -> None:
    text = HEAD + "1. Aki A 12@f1\n2. Ben A 22@h1\n"
    shown = couperation("dispute", "-", "--at", "1", stdin=text)
    assert shown.exit_code == 0
    assert "turn 1 cannot be carried out: 12" in shown.stdout
    assert "legal under" not in shown.stdout
    assert asked(text, "--at", "2")["standing"][0]["clauses"] == ["ACT02", "SET06"]


def test_an_unseen_turn_before_that_cannot_have_been_played() -> None:
    """Nobody saw the hands, but 12 lay in the Reserve."""
    text = '[CGN "1"]\n[Players "Aki Ben"]\nreserve 1 50 12 33 40 7\n1. Aki A 12@f1\n2. Ben A ?@h1 ~~\n'
    shown = couperation("dispute", "-", stdin=text)
    assert shown.exit_code == 3
    assert "turn 1 cannot be carried out: 12 is not in the hand: it is in the Reserve" in shown.stdout
    assert asked(text, "--at", "2")["undetermined_when"] == [{}]


def test_who_is_not_in_the_game_is_named() -> None:
    text = HEAD + "1. Cy A 17@f1\n2. Ben A 22@h1\n"
    for at in "12":
        shown = couperation("dispute", "-", "--at", at, stdin=text).stdout
        assert "turn 1 cannot be carried out: Cy is not one of the players" in shown
    hidden = text.replace("deal Ben 22 9 3\n", "")
    checked = couperation("check", "-", "--from", "2", stdin=hidden)
    assert checked.exit_code == 3
    assert "turn 1 cannot be carried out: Cy is not one of the players" in checked.stdout


@pytest.mark.slow
def test_later_and_earlier_turns_are_no_evidence_on_marks() -> None:
    """Two cards came after 17, so it bore two diamonds: the record binds its mark, the quarrel does not."""
    text = HEAD.replace("[Players", '[Marks "22:H 25:1"]\n[Players')
    text += "1. Aki A 17@f1\n2. Ben +14,6 A 22@f2 drop 6\n3. Aki +8,10 A 30@h1\n"
    (game,) = cf.read_text(text)
    assert isinstance(game, Game)
    exact = Readings.option("draw_amount", "exact")
    alone, together = cf.dispute(game, at=3), cf.dispute(game, whole=True)
    assert alone.verdicts.legal == Readings.every()
    assert not together.verdicts.legal & exact
    assert alone.verdicts.undetermined == Readings.none()


def test_the_library_asks_what_the_command_asks() -> None:
    (game,) = cf.read_text(QUARREL)
    assert isinstance(game, Game)
    found = cf.dispute(game, at=3)
    assert (found.at, found.turn, found.quarrels) == (3, None, ())
    assert [each.at for each in cf.dispute(game).quarrels] == [2, 4]
    assert cf.dispute(game, whole=True).quarrels == cf.dispute(game, turn=2).quarrels == ()
    for at in (0, 6):
        with pytest.raises(ValueError, match="there is no turn"):
            cf.dispute(game, at=at)
    assert cf.check(game, since=4).verdict == "legal"


def test_as_a_person_asks(tmp_path: Path) -> None:
    file = tmp_path / "argument.cgn"
    file.write_text(QUARREL, encoding="utf-8")
    assert process("dispute", "--at", "4", file).returncode == 0
    spent = process("dispute", "--at", "4", "--budget", "1", file)
    assert spent.returncode == 3
    assert b"undetermined under every reading" in spent.stdout
    missing = process("dispute", "--at", "9", file)
    assert missing.returncode == 2
    assert b"there is no turn 9: the record has 5" in missing.stderr


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["dispute", "game.cgn", "--at", "0"], "0 is not in the range"),
        (["dispute", "game.cgn", "--at", "2", "--whole"], "--at asks for one turn"),
        (["dispute", "game.cgn", "--at", "2", "--until", "2"], "--at asks for one turn"),
        (["dispute", "--compare", "en-2", "ja-2.2", "--at", "2"], "--compare takes no FILES"),
        (["check", "game.cgn", "--from", "0"], "0 is not in the range"),
        (["check", "game.cgn", "--from", "2", "--why"], "--from goes without"),
        (["check", "game.cgn", "--from", "2", "--engine", "spec"], "--from goes without"),
        (["check", "game.cgn", "--from", "2", "--certificate", "proof.json"], "--from goes without"),
    ],
)
def test_unusable_arguments(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.slow
def test_check_from_a_turn() -> None:
    ahead = couperation("check", "-", "--from", "4", "--output-format", "json", stdin=QUARREL)
    (data,) = objects(ahead)
    assert ahead.exit_code == 0
    assert data["verdict"] == "legal"
    assert {(each["severity"], each["turn"], each["code"]) for each in data["diagnostics"]} == {
        ("note", 1, "TOW05"), ("note", 2, "DRW02"), ("note", 3, "DRW04"), ("note", 3, "TOW05"),
    }  # fmt: skip
    third = couperation("check", "-", "--from", "3", "--output-format", "json", stdin=QUARREL)
    (data,) = objects(third)
    assert third.exit_code == 1
    assert (data["verdict"], data["turn"], data["codes"]) == ("illegal", 3, ["DRW04", "TOW05"])
    assert couperation("check", "-", stdin=QUARREL).exit_code == 1
    missing = couperation("check", "-", "--from", "6", stdin=QUARREL)
    assert missing.exit_code == 2
    assert missing.stderr == "error: -: game 1: there is no turn 6: the record has 5\n"
    assert missing.stdout == ""


@pytest.mark.slow
def test_a_turn_beyond_the_last_is_an_argument_and_no_fault_of_the_file(tmp_path: Path) -> None:
    """As JSON too nothing is said of the game, and the games that have the turn are judged."""
    for name, text in (("five.cgn", QUARREL), ("one.cgn", HEAD + "1. Aki A 17@f1\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    asked = process("check", str(tmp_path / "one.cgn"), str(tmp_path / "five.cgn"), "--from", "4",
                    "--output-format", "json")  # fmt: skip
    assert asked.returncode == 2
    assert [data["verdict"] for data in map(json.loads, asked.stdout.splitlines())] == ["legal"]
    assert asked.stderr.startswith(b"error: ")
    assert b"one.cgn: game 1: there is no turn 4: the record has 1" in asked.stderr
    with pytest.raises(ValueError, match="there is no turn 6"):
        cf.check(next(iter(cf.read_text(QUARREL))), since=6)


@pytest.mark.slow
def test_check_from_a_turn_with_hidden_cards() -> None:
    text = (
        '[CGN "1"]\n[Players "Aki Ben"]\nreserve 1 50 12 33 40 7\n1. Aki A 17@e1\n2. Ben +? B ?@f1\n3. Aki A 44@h1\n*\n'
    )
    legal = couperation("check", "-", "--from", "2", "--output-format", "json", stdin=text)
    (data,) = objects(legal)
    assert (legal.exit_code, data["verdict"]) == (0, "legal")
    told = [(each["severity"], each["turn"], each["code"]) for each in data["diagnostics"]]
    assert told == [("note", 1, "TOW05"), ("warning", 2, "CGN")]  # the mark of 17 is not given
    world = couperation("check", "-", "--from", "2", "--world", stdin=text)
    assert world.exit_code == 0
    assert couperation("check", "-", "--from", "2", stdin=world.stdout).exit_code == 0
    lost = text.replace("A 17@e1", "A 12@e1")
    found = couperation("check", "-", "--from", "2", stdin=lost)
    assert found.exit_code == 3
    assert "turn 1 cannot be carried out" in found.stdout
