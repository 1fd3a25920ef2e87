"""`moves --alive`: each legal action with its verdict, its line replayed, its reason checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import couperation_formal as cf
from couperation_formal.game.fact import Steps
from couperation_formal.game.position import state_of
from couperation_formal.game.record import NoAction, Turn
from couperation_formal.notation.write import turn_text
from couperation_formal.questions.tables.moves import Chance, Judged
from couperation_formal.towers.continuation import answer as engine
from couperation_formal.words.say import ENGLISH, catalog
from tests.cli.run import objects
from tests.kit.started import run
from tests.questions.tables.run import ALIVE, LOST, WON, accepted, couperation, plays, valid


@pytest.mark.slow
def test_every_action_has_a_verdict_with_its_proof(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("moves", LOST, "--at", "34", "--alive", "--budget", "18000", "--certificate", out, code=3)
    (plain,) = objects(couperation("moves", LOST, "--at", "34", "--output-format", "json"))
    assert [each["text"] for each in data["actions"]] == [each["text"] for each in plain["actions"]]
    for each in data["actions"]:
        assert (each["line"] is None) == (each["verdict"] != "alive")
        assert bool(each["reasons"]) == (each["verdict"] == "dead")
        if each["line"] is not None:
            assert f" {each['text']}" in each["line"][0]
            assert plays(LOST, 33, each["line"], each["assumed_marks"]) == "win"
    verdicts = [each["verdict"] for each in data["actions"]]
    claims = [certificate["claim"] for certificate in accepted(out)]
    assert {*verdicts} == {"alive", "dead", "undetermined"}
    assert claims.count("table-completable") == verdicts.count("alive")
    assert claims.count("table-deadlocked") >= verdicts.count("dead")


def test_an_action_that_wins_at_once() -> None:
    data = valid("moves", WON, "--at", "29", "--alive", code=0)
    (only,) = data["actions"]
    assert (only["text"], only["verdict"], only["line"]) == ("A 23@d7", "alive", ["29. Tomas +0 A 23@d7"])


@pytest.mark.slow
def test_after_the_killing_turn_every_action_is_dead() -> None:
    data = valid("moves", LOST, "--at", "35", "--alive", code=0)
    assert data["actions"]
    assert {each["verdict"] for each in data["actions"]} == {"dead"}
    shown = couperation("moves", LOST, "--at", "35", "--alive").stdout
    assert f"{len(data['actions'])} dead, 0 undetermined\n" in shown


def test_a_budget_that_runs_out() -> None:
    data = valid("moves", WON, "--at", "20", "--alive", "--budget", "1", code=3)
    undetermined = [each for each in data["actions"] if each["verdict"] == "undetermined"]
    assert undetermined
    assert {(each["budget"]["spent"], each["budget"]["limit"]) for each in undetermined} == {(1, 1)}
    assert all(each["budget"] is None for each in data["actions"] if each["verdict"] != "undetermined")


def opened(gone: str) -> Judged:
    """What opening the unseen down card on d6 makes of a table like the example's, with 2 or 23 or a `?` gone."""
    text = ALIVE.read_text(encoding="utf-8").replace("gone 1 2 ", f"gone 1 {gone} ").replace("deck\n", "")
    for old, new in (("30@e6", "30@e6 ~?@d6"), ("Tomas 23", "Tomas 26"), ("Noor 9", "Noor"), ("21 26", "21 9")):
        text = text.replace(old, new)
    (table,) = cf.read_text(text)
    assert isinstance(table, cf.Snapshot)
    turn = Turn(1, "Mira", (), NoAction())
    chance = Chance(state_of(table.position), turn, table.position.rules, table.position.tags, Steps(50_000))
    (found,) = (each for each in chance.judged() if cf.action_text(each.action) == "C d6=?")
    return found


def test_a_card_that_is_opened_unseen_may_be_any_that_is_not_seen() -> None:
    """Either 23 lies on d6, or 2 does and 23 is gone; the orders hold with 23 only, and then 26 is the apex."""
    alive = opened("?")
    assert alive.verdict == "alive"
    assert alive.line is not None
    assert turn_text(alive.line[0]) == "1. Mira +0 C d6=23"
    dead = opened("23")
    assert (dead.verdict, dead.line, dead.ends) == ("dead", None, ())


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--at", "30", "--alive"], "the game ended with turn 29"),
        (["--at", "60", "--alive"], "there is no turn 60"),
        (["--at", "3", "--certificate", "x.json"], "go with --alive"),
        (["--at", "3", "--no-verify"], "go with --alive"),
    ],
)
def test_what_cannot_be_asked_is_told(arguments: list[str], words: str) -> None:
    result = couperation("moves", WON, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.slow
def test_an_interruption_ends_cleanly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from couperation_formal.cli.main import main

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine._Portfolio, "phases", interrupted)
    assert main(["moves", str(WON), "--at", "28", "--alive"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_two_runs_print_the_same() -> None:
    runs = {couperation("moves", LOST, "--at", "34", "--alive", "--budget", "3000").stdout for _ in range(2)}
    assert len(runs) == 1


@pytest.mark.slow
def test_totals_come_first_and_each_action_as_it_is_judged() -> None:
    """As somebody who reads along sees it: a line is there before the next action is judged."""
    code = """
import os, sys
from couperation_formal.questions.tables.moves import Chance
from couperation_formal.cli.main import main

def judged(chance, judged=Chance.judged):
    for each in judged(chance):
        os.write(1, b"judged\\n")
        yield each
Chance.judged = judged
sys.exit(main(sys.argv[1:]))
"""
    done = run(["moves", LOST, "--at", "34", "--alive", "--budget", "3000"], code=code)
    assert (done.returncode, done.stderr) == (3, b"")
    told = done.stdout.decode().splitlines(keepends=True)
    shown = [line for line in told if re.match("(alive|dead|undetermined|judged)\\b", line)]
    assert [line == "judged\n" for line in shown] == [True, False] * 18
    lines = [line for line in told if line != "judged\n"]
    assert lines[0] == "turn 34, Ben: 18 legal actions\n"
    assert re.fullmatch(r"turn 34, Ben: 18 legal actions: 0 alive, 4 dead, 14 undetermined\n", lines[-1])


def test_each_action_is_checked_and_paid_from_its_own_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that cannot be checked for what it has left says so; the others are checked."""
    monkeypatch.setattr("couperation_formal.cli.commands.tables.FREE", 0)
    arguments = ("moves", LOST, "--at", "35", "--alive", "--budget", "4500")
    data = valid(*arguments, code=0)
    assert [(each["verdict"], each["checked"]) for each in data["actions"]] == [*[("dead", True)] * 3, ("dead", False)]
    text = couperation(*arguments)
    assert text.stderr.count("could not be verified") == 1
    assert text.stdout.endswith(f"{catalog(ENGLISH)['unchecked']}\n")
