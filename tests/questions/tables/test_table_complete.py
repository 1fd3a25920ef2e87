"""`complete` at the table level: lines that are replayed, reasons, budgets, and which level is asked by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import LEGAL, objects, process
from tests.conftest import LONG
from tests.questions.tables.run import ALIVE, DEAD, LOST, WON, accepted, couperation, plays, valid

TOWER = '[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\nposition\ntower 24@f1 25@g1\n'
FEW = """[CGN "1"]
[Players "Aki Ben"]
position
tower 25@g1
hand Aki 2 3
hand Ben 4
reserve 1 50 12 33 40 7
gone 5 6 8 9 10 11 13 14 15 16 17 18 19 20 21 22 23 24
deck
turn Ben
"""


def test_a_table_that_is_alive(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("complete", ALIVE, "--certificate", out, code=0)
    assert (data["verdict"], data["level"], data["turn"]) == ("completable", "table", None)
    assert [turn.split()[0] for turn in data["line"]] == [f"{n}." for n in range(1, len(data["line"]) + 1)]
    assert (data["checked"], data["budget"], data["reasons"]) == (True, None, [])
    (certificate,) = accepted(out)
    assert certificate["claim"] == "table-completable"
    assert certificate["evidence"] == {"world": data["world"], "line": data["line"]}


def test_a_table_that_is_dead_by_counting(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("complete", DEAD, "--certificate", out, code=1)
    (reason,) = data["reasons"]
    assert (data["verdict"], data["line"], data["world"], data["checked"]) == ("deadlocked", None, None, True)
    assert (reason["kind"], reason["theorem"]) == ("turns", "spec/table.md#the-counting-game")
    (certificate,) = accepted(out)
    evidence = {name: reason[name] for name in ("kind", "numbers", "cells", "cards")}
    assert (certificate["claim"], certificate["evidence"]) == ("table-deadlocked", evidence)


def test_the_theorem_is_a_heading_of_the_specification() -> None:
    headings = (Path(__file__).parents[3] / "spec" / "table.md").read_text(encoding="utf-8").lower().splitlines()
    for file, options in ((DEAD, ()), (LOST, ("--at", "35"))):
        for reason in valid("complete", file, *options, code=1)["reasons"]:
            page, _, anchor = reason["theorem"].partition("#")
            assert page in ("spec/table.md", "spec/search.md")
            assert not anchor or f"## {anchor.replace('-', ' ')}" in [line.replace("-", " ") for line in headings]


def test_a_table_that_is_dead_by_search(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("complete", LOST, "--at", "34", "--certificate", out, code=1)
    (reason,) = data["reasons"]
    assert (reason["kind"], reason["theorem"]) == ("search", "spec/search.md")
    (certificate,) = accepted(out)
    assert certificate["evidence"] == {
        "kind": "search",
        "reductions": reason["reductions"],
        "positions": reason["numbers"]["positions"],
        "digest": reason["digest"],
    }
    shown = couperation("complete", LOST, "--at", "34").stdout
    assert f"Every continuation was searched: none of {reason['numbers']['positions']} positions wins." in shown


@pytest.mark.parametrize("turn", [27, 28])
def test_the_line_of_a_won_game_wins_in_the_record(turn: int) -> None:
    data = valid("complete", WON, "--at", str(turn), code=0)
    assert data["line"][0].startswith(f"{turn + 1}. ")
    assert plays(WON, turn, data["line"], data["assumed_marks"]) == "win"


def test_marks_and_cards_that_are_assumed_are_told() -> None:
    text = ALIVE.read_text(encoding="utf-8")
    unseen = text.replace("hand Tomas 23", "hand Tomas ?").replace("deck\n", "")
    data = valid("complete", "-", stdin=unseen, code=0)
    shown = couperation("complete", "-", stdin=unseen).stdout
    assert "what the position does not show is assumed to be:\n" in shown
    assert "  hand Tomas: 23\n" in shown
    assert "hand Tomas 23" in data["world"]
    assert data["assumed_marks"] == {}
    assert "assumed" not in couperation("complete", ALIVE).stdout
    marks = valid("complete", LOST, "--at", "33", code=0)["assumed_marks"]
    assert marks == {}


def test_an_assumed_mark_is_needed() -> None:
    """With every mark hidden the players have to draw, which needs marks; each one named is needed."""
    text = couperation("position", LOST, "--at", "33").stdout
    hidden = "\n".join(line for line in text.splitlines() if not line.startswith("[Marks")) + "\n"
    data = valid("complete", "-", stdin=hidden, code=0)
    assert data["assumed_marks"]
    assert "  marks: " in couperation("complete", "-", stdin=hidden).stdout


def test_a_small_budget_is_undetermined_and_makes_no_certificate(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("complete", WON, "--at", "5", "--budget", "10", "--certificate", out, code=3)
    assert (data["verdict"], data["line"], data["reasons"], data["checked"]) == ("undetermined", None, [], None)
    assert data["budget"]["limit"] == 10
    assert not out.exists()
    shown = couperation("complete", WON, "--at", "5", "--budget", "10")
    assert shown.exit_code == 3
    assert "undetermined: " in shown.stdout
    assert "whether a legal continuation wins is open: 10 of 10 steps taken" in shown.stdout


def test_a_reason_needs_no_budget() -> None:
    assert valid("complete", "-", "--budget", "0", stdin=FEW, code=1)["reasons"][0]["kind"] == "cards"


@pytest.mark.parametrize(
    "stdin, arguments, level",
    [
        (TOWER, [], "tower"),
        (FEW, [], "table"),
        (FEW, ["--level", "tower"], "tower"),
        (LEGAL, ["--budget", "1"], "table"),
        (LEGAL, ["--level", "tower"], "tower"),
        (WON.read_text(encoding="utf-8"), [], "tower"),
        (WON.read_text(encoding="utf-8"), ["--at", "28"], "table"),
    ],
)
def test_the_level_that_is_asked(stdin: str, arguments: list[str], level: str) -> None:
    (data,) = objects(couperation("complete", "-", *arguments, "--output-format", "json", stdin=stdin))
    assert data["level"] == level


@pytest.mark.parametrize(
    "stdin, arguments, words",
    [
        (TOWER, [], "nobody is to move"),
        (WON.read_text(encoding="utf-8"), [], "the game is over after turn 29"),
        (FEW, ["--at", "1"], "a position has no turns"),
        (LEGAL, ["--at", "9"], "there is no turn 9"),
        (FEW.replace("tower 25@g1", "tower 25@g1 34@h1 35@i1 36@j1 37@k1"), ["--rules", "en-2"], "no pyramid"),
    ],
)
def test_what_cannot_be_asked_is_told(stdin: str, arguments: list[str], words: str) -> None:
    stdin = stdin.replace("[Players", '[Rules "en-2 anchor=floating"]\n[Players') if "37@k1" in stdin else stdin
    result = couperation("complete", "-", "--level", "table", *arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_the_anchor_counts_as_replaced_where_another_card_lies() -> None:
    """Under not_anchor the 25 of the set-up stays; any other card on its cell may be replaced."""
    text = ALIVE.read_text(encoding="utf-8").replace("35@f5 30@e6", "35@f5 ~30@e6")
    keep = valid("complete", "-", "--rules", "ja-2.2 replace_target=not_anchor", stdin=text)
    assert "@g1x" not in "".join(keep["line"] or ())
    moved = text.replace("25@g1", "26@g1").replace("21 26", "21 25")
    assert valid("complete", "-", "--rules", "ja-2.2 replace_target=not_anchor", stdin=moved)["level"] == "table"


def test_two_runs_and_a_process_print_the_same() -> None:
    runs = {couperation("complete", LOST, "--at", "33", "--output-format", "json").stdout for _ in range(2)}
    done = process("complete", str(LOST), "--at", "33", "--output-format", "json")
    assert runs == {done.stdout.decode()}
    assert done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("pile", ["hand Ben", "reserve"])
def test_a_pile_that_play_never_makes_is_searched_as_far_as_the_budget_goes(pile: str, tmp_path: Path) -> None:
    """Its payments and trims are too many to list, and they are paid for before they are."""
    numbers = [number for number in range(1, 51) if number not in (25, 2, 3, 4, 12, 33, 40, 7)]
    lines = {"hand Aki": "2 3", "hand Ben": "4", "reserve": "12 33 40 7"}
    lines[pile] += "".join(f" {number}" for number in numbers[:14])
    record = "".join(f"{name} {cards}\n" for name, cards in lines.items())
    path = tmp_path / "large.cgn"
    path.write_text(f'[CGN "1"]\n[Players "Aki Ben"]\nposition\ntower 25@g1\n{record}turn Ben\n', encoding="utf-8")
    limit = 50_000 if LONG else 10_000
    data = valid("complete", path, "--budget", str(limit), code=None)
    if data["budget"] is not None:
        assert data["budget"]["spent"] == data["budget"]["limit"] == limit
    assert valid("complete", path, "--budget", "10", code=3)["budget"]["spent"] == 10
