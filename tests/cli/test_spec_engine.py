"""`check --engine spec` and `moves --engine spec`: the specification's formulas alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from couperation_formal.formulas import judge as judge_module
from couperation_formal.game import replay as replay_module
from couperation_formal.game.rules import clauses
from tests.cli.run import BROKEN, GAMES, LEGAL, UNDETERMINED, couperation, objects

HEAD_TAGS = '[CGN "1"]\n[Players "Ada Bo"]\n'
FINISH = Path(__file__).parents[2] / "examples" / "legal" / "finish.cgn"


@pytest.mark.parametrize(
    "text, verdict, code", [(LEGAL, "legal", 0), (BROKEN, "illegal", 1), (UNDETERMINED, "undetermined", 3)]
)
def test_verdicts_and_exit_codes(text: str, verdict: str, code: int) -> None:
    result = couperation("check", "-", "--engine", "spec", "--output-format", "json", stdin=text)
    assert result.exit_code == code
    (found,) = objects(result)
    assert found["verdict"] == verdict


def test_the_clause_its_place_and_its_title_are_named() -> None:
    result = couperation("check", "-", "--engine", "spec", "--output-format", "concise", stdin=BROKEN)
    assert result.exit_code == 1
    assert ["2.", "Ben", "A", "9@f2"][0][0] in result.stdout
    assert "TOW02" in result.stdout
    assert "A card lies between its two supports" in result.stdout


SHOWN = "deal Ada 17 44 3\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 7\n"


@pytest.mark.parametrize(
    "text, clause",
    [
        ("1. Ada A 17@f1\n", "SET03"),
        (SHOWN.replace("deal Bo 9 21 38\n", ""), "SET02"),
        (SHOWN.replace("9 21", "9 ?"), "SET02"),
        (f"{SHOWN}1. Ada +? A 17@f1\n", "DRW05"),
        (f"{SHOWN}1. Ada +4 A 17@f1 drop ?\n", "LIM01"),
        (f"{SHOWN}1. Ada A ?@f1\n", "ACT02"),
        (f"{SHOWN}1. Ada B ?@f1\n", "ACT03"),
        (f"{SHOWN}1. Ada D 44-?=40@h1\n", "ACT05"),
        (f"{SHOWN}1. Ada A 17@f1\n2. Bo +8,14 A 9@e1 drop 8\n", "DRW02"),
    ],
)
def test_why_it_cannot_tell_is_what_a_clause_asks(text: str, clause: str) -> None:
    result = couperation("check", "-", "--engine", "spec", stdin=HEAD_TAGS + text)
    assert result.exit_code == 3
    assert f"note[{clause}]" in result.stdout
    assert "judge records that show what they ask for" in result.stdout


def test_the_formulas_judge_without_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clause of the rules is asked, and none is carried out."""

    def never(*_: object) -> None:
        raise AssertionError("the rules were asked")

    for action in list(clauses.ASKED):
        monkeypatch.setitem(clauses.ASKED, action, ())
    monkeypatch.setattr(replay_module, "carry_out", never)
    result = couperation("check", "-", "--engine", "spec", stdin=BROKEN)
    assert result.exit_code == 1
    assert "TOW02" in result.stdout


@pytest.mark.slow
def test_all_recorded_games_as_the_replay_has_them() -> None:
    """But for the note that tells by what a game was lost, which is the replay's."""
    spec = objects(couperation("check", GAMES, "--engine", "spec", "--output-format", "json"))
    plain = objects(couperation("check", GAMES, "--engine", "plain", "--output-format", "json"))
    assert len(spec) > 30

    def told(report: dict[str, object]) -> object:
        found = report["diagnostics"]
        assert isinstance(found, list)
        codes = [one["code"] for one in found if one["code"] not in ("END02", "END03")]
        return report["verdict"], report["turn"], report["result"], codes

    assert list(map(told, spec)) == list(map(told, plain))


def test_moves_are_the_same_by_both_engines() -> None:
    for turn in ("2", "5"):
        spec = couperation("moves", FINISH, "--at", turn, "--engine", "spec")
        rules = couperation("moves", FINISH, "--at", turn)
        assert spec.exit_code == 0
        assert spec.stdout == rules.stdout != ""
        assert spec.stderr == rules.stderr


def test_the_engine_does_not_go_with_alive() -> None:
    assert couperation("moves", FINISH, "--at", "2", "--engine", "spec", "--alive").exit_code == 2


def test_formulas_are_not_read_where_they_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_module, "book", lambda: sys.exit("the formulas were read"))
    assert couperation("check", "-", stdin=LEGAL).exit_code == 0


def test_trying_every_action_keeps_to_the_budget() -> None:
    """A hand that a wrong draw made too large would be paid with in more ways than can be tried."""
    glass = [str(card) for card in range(2, 50) if card not in (25, 17, 44, 9, 21, 38, 12, 33, 40, 7)]
    deal = "deal Ada 17 44 3\ndeal Bo 9 21 38\nreserve 1 50 12 33 40 7\n"
    text = HEAD_TAGS + deal + f"1. Ada +{','.join(card for card in glass if card != '3')} -\n"
    result = couperation("check", "-", "--engine", "spec", "--budget", "20000", stdin=text)
    assert result.exit_code in (1, 3)
    far = couperation("moves", FINISH, "--at", "5", "--engine", "spec", "--budget", "50")
    assert far.exit_code == 3
    assert far.stdout == ""


def test_the_first_turn_may_be_the_one_that_fails() -> None:
    text = f"{HEAD_TAGS}{SHOWN}1. Ada A 17@f1\nwin\n"
    result = couperation("check", "-", "--engine", "spec", stdin=text)
    assert (result.exit_code, "END05" in result.stdout) == (1, True)
