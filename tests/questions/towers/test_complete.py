"""`complete`: verdicts, repairs, reasons, certificates, and what cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import couperation_checker
import pytest
from couperation_checker import Verdict

import couperation_formal as cf
from couperation_formal.towers.completion import answer
from tests.cli.run import BROKEN, LEGAL, MALFORMED, POSITION, objects, written_in
from tests.conftest import some
from tests.kit.started import run
from tests.questions.towers.run import EXPECTED, GAMES, POSITIONS, accepted, couperation, position, valid

INTERVAL = position("tower 20@f1 ~?@g1 29@h1\ngone 21 22 23 24 25 26")
DONE = position("tower 25@g1")


def test_all_positions_are_there() -> None:
    assert [path.name for path in POSITIONS] == sorted(EXPECTED)
    assert len(POSITIONS) >= 32


@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_every_position_gets_the_expected_verdict_and_repair(path: Path, tmp_path: Path) -> None:
    expected, out = EXPECTED[path.name], tmp_path / "proof.json"
    dead = expected["verdict"] == "deadlocked"
    data = valid("complete", path, "--certificate", out, code=int(dead))
    assert data["verdict"] == expected["verdict"]
    assert (data["repair"] and data["repair"]["distance"]) == expected["repair"]
    assert (data["file"], data["game"], data["turn"], data["level"]) == (str(path), 1, None, "tower")
    assert (data["filling"] is None, data["reason"] is None) == (dead, not dead)
    claims = [certificate["claim"] for certificate in accepted(out)]
    assert claims == (["tower-deadlocked", "tower-repair"] if dead else ["tower-completable"])
    if dead:
        repair = accepted(out)[1]["evidence"]
        assert (repair["distance"], repair["give_up"]) == (expected["repair"], (data["repair"] or repair)["give_up"])


def test_the_json_of_an_interval() -> None:
    assert valid("complete", "-", stdin=INTERVAL, code=1) == {
        "file": "-",
        "game": 1,
        "turn": None,
        "verdict": "deadlocked",
        "level": "tower",
        "filling": None,
        "reason": {"kind": "interval", "above": 20, "below": 29, "cells": ["f2", "f3", "g1", "g2"], "left": [27, 28]},
        "repair": {"distance": 1, "give_up": ["f1"]},
        "checked": True,
        "format": 1,
    }


def test_a_filling_holds_the_cells_that_are_not_up() -> None:
    data = valid("complete", "-", stdin=position("tower 25@g1 ~30@h1", variant="finish"), code=0)
    filling = data["filling"]
    assert len(filling) == 27
    assert "g1" not in filling
    assert filling["d7"] == "F"
    assert list(filling) == sorted(filling)
    assert data["repair"] == {"distance": 0, "give_up": []}


@pytest.mark.parametrize(
    "lines, rules, variant, reason, repair",
    [
        (
            "tower 20@f1 25@g1 30@h1 ~?@f2 ~?@g2 32@f3",
            "en-2 facedown=ignored",
            "first",
            {"kind": "order", "cells": ["f3", "h1"]},
            {"distance": 1, "give_up": ["f3"]},
        ),
        ("tower 25@g1\ngone F", "en-2", "finish", {"kind": "finish", "why": "gone", "cell": None}, None),
        (
            "tower 20@f1 25@g1 F@f2",
            "en-2",
            "finish",
            {"kind": "finish", "why": "below_apex", "cell": "f2"},
            {"distance": 1, "give_up": ["f2"]},
        ),
        (
            "tower 20@f1 25@g1 F@f2",
            "en-2 replace_target=facedown_only",
            "finish",
            {"kind": "finish", "why": "below_apex", "cell": "f2"},
            None,
        ),
        (
            "tower 24@f1 25@g1",
            "en-2 replace_target=not_anchor",
            "first",
            {"kind": "interval", "above": 24, "below": 25, "cells": ["f2"], "left": []},
            {"distance": 1, "give_up": ["f1"]},
        ),
    ],
)
def test_every_kind_of_reason(lines: str, rules: str, variant: str, reason: object, repair: object) -> None:
    data = valid("complete", "-", stdin=position(lines, rules, variant), code=1)
    assert (data["reason"], data["repair"]) == (reason, repair)


def test_unseen_gone_cards() -> None:
    shown = "hand Aki 1 2 3\nhand Ben 4 5 6\nreserve 7 8 9 10 11 12 13\ngone 41 42 43 44 45 46 47 48 49 50"
    assert valid("complete", "-", stdin=position(f"tower 25@g1\n{shown}{' ?' * 12}"))["verdict"] == "completable"
    data = valid("complete", "-", stdin=position(f"tower 25@g1\n{shown}{' ?' * 13}"))
    assert (data["reason"]["kind"], data["reason"]["missing"], data["repair"]) == ("gone", 1, None)
    (interval,) = data["reason"]["intervals"]
    assert len(interval["cells"]) == 27
    assert interval["left"] == list(range(1, 14))


def test_unseen_gone_cards_leave_just_enough_once_located_ones_come_first() -> None:
    """Earliest deadline first takes more than the seven numbers that may be used of those that nobody located."""
    tower = (
        "3@d1 4@d2 6@e1 10@d3 ~?@e2 ~?@d4 13@f1 14@e3 19@f2 20@e4 25@g1 ~?@f3 ~?@g2 ~?@f4 36@h1 38@g3 43@h2 44@g4 ~?@i1"
        " 47@h3 48@i2 49@j1"
    )
    lines = f"tower {tower}\nhand Aki 28 15 23 1 29 32\nhand Ben\nreserve\ngone{' ?' * 21}"
    assert valid("complete", "-", stdin=position(lines, "en-2"))["verdict"] == "completable"
    data = valid("complete", "-", stdin=position(f"{lines} ?", "en-2"), code=1)
    assert (data["reason"]["kind"], data["reason"]["missing"]) == ("gone", 1)


def test_no_card_left_to_give_up_and_none_free() -> None:
    """All 27 cells below the apex are up, all other Glass cards in sight, and F nowhere: it can only be gone."""
    (table,) = cf.read_text(position("tower 25@g1", variant="finish"))
    assert isinstance(table, cf.Snapshot)
    found = cf.complete(table, level="tower").data()
    assert isinstance(found, cf.CompleteData)
    assert found.filling is not None
    tower = {**found.filling, "g1": 25}
    del tower["d7"]
    rest = " ".join(str(value) for value in range(1, 51) if value not in tower.values())
    lines = " ".join(f"{value}@{cell}" for cell, value in tower.items())
    data = valid("complete", "-", stdin=position(f"tower {lines}\nreserve {rest}\ngone ?", variant="finish"), code=1)
    assert data["reason"] == {"kind": "finish", "why": "gone", "cell": None}
    assert data["repair"] is None


def test_a_reason_for_each_place_of_the_columns() -> None:
    data = valid("complete", "-", stdin=position("tower 3@f1 25@g1 48@h1", "ja-2.2"), code=1)
    assert data["reason"]["kind"] == "places"
    assert [place["column"] for place in data["reason"]["places"]] == list("bcdef")
    assert {place["reason"]["kind"] for place in data["reason"]["places"]} == {"interval"}
    one = valid("complete", "-", "--rules", "ja-2.2 anchor=middle", stdin=position("tower 3@f1 25@g1", "ja-2.2"))
    assert one["reason"]["kind"] == "interval"


@pytest.mark.parametrize("turn", [0, 5, 6, 28])
def test_a_game_after_a_turn_is_its_position(turn: int) -> None:
    game = GAMES / "game-00001.cgn"
    data = valid("complete", game, "--at", str(turn), code=int(turn >= 6))
    assert data["turn"] == turn
    alone = valid("complete", "-", stdin=couperation("position", game, "--at", str(turn)).stdout)
    same = ("verdict", "filling", "reason", "repair")
    assert [data[name] for name in same] == [alone[name] for name in same]


def test_without_a_turn_a_game_is_looked_at_at_its_end() -> None:
    data = valid("complete", GAMES / "game-00000.cgn", code=0)
    assert (data["turn"], data["filling"]) == (27, {})
    assert "the tower is full" in couperation("complete", GAMES / "game-00000.cgn").stdout
    assert "after turn 27 of 27" in couperation("complete", GAMES / "game-00000.cgn").stdout


def test_the_library_gives_the_data_of_the_json() -> None:
    for path in POSITIONS[:6]:
        (table,) = cf.read(path)
        assert isinstance(table, cf.Snapshot)
        data = valid("complete", path)
        found = cf.complete(table, level="tower")
        assert isinstance(found, cf.Completion)
        answer = found.data()
        assert isinstance(answer, cf.CompleteData)
        assert (answer.verdict, answer.filling) == (data["verdict"], data["filling"])
        assert next(each["claim"] for each in found.certificates()) == f"tower-{data['verdict']}"


def test_other_rules_and_their_certificate(tmp_path: Path) -> None:
    text, out = position("tower 24@f1 25@g1"), tmp_path / "proof.json"
    house = tmp_path / "house.toml"
    house.write_text('base = "en-2"\nreplace_target = "facedown_only"\n')
    assert valid("complete", "-", "--rules", str(house), "--certificate", out, stdin=text)["repair"] is None
    first, repair = accepted(out)
    assert first["rulings"]["replace_target"] == repair["rulings"]["replace_target"] == "facedown_only"
    assert '[Rules "en-2 replace_target=facedown_only"]' in first["position"]
    (table,) = cf.read_text(first["position"])
    assert isinstance(table, cf.Snapshot)
    found = cf.complete(table, rules="en-2", level="tower")
    assert isinstance(found, cf.Completion)
    assert found.mended is not None


def test_several_games_and_the_exit_code() -> None:
    text = DONE + "\n" + INTERVAL + "\n" + LEGAL
    result = couperation("complete", "-", "--level", "tower", "--output-format", "json", stdin=text)
    assert [(data["game"], data["turn"], data["verdict"]) for data in objects(result)] == [
        (1, None, "completable"),
        (2, None, "deadlocked"),
        (3, 1, "completable"),
    ]
    assert result.exit_code == 1
    assert couperation("complete", "-", "--level", "tower", "--game", "3", stdin=text).exit_code == 0
    full = couperation("complete", "-", "--level", "tower", stdin=text)
    assert [line for line in full.stdout.splitlines() if line.startswith("-  game ")] == [
        "-  game 1, position",
        "-  game 2, position",
        "-  game 3, after turn 1 of 1",
    ]
    broken = couperation("complete", "-", "--level", "tower", "--output-format", "json", stdin=text + "\n" + MALFORMED)
    assert broken.exit_code == 2
    assert len(objects(broken)) == 3
    assert "51 is no card" in broken.stderr


@pytest.mark.parametrize(
    "stdin, arguments, words",
    [
        (LEGAL, ["--at", "9"], "there is no turn 9"),
        (BROKEN, [], "turn 2 is illegal"),
        (BROKEN, ["--at", "2"], "turn 2 is illegal"),
        (POSITION, ["--at", "1"], "a position has no turns"),
        (LEGAL, ["--game", "2"], "- has no game 2: it has 1"),
        (MALFORMED, [], "51 is no card"),
        ("", [], "there is no game in this file"),
        (LEGAL, ["--level", "sky"], "--level"),
        (position("tower 25@g1 30@h1 31@i1 32@j1 33@k1", "en-2 anchor=floating"), ["--rules", "en-2"], "no pyramid"),
    ],
)
@pytest.mark.parametrize("command", ["complete", "windows"])
def test_what_cannot_be_used_is_told(command: str, stdin: str, arguments: list[str], words: str) -> None:
    result = couperation(command, "-", *arguments, stdin=stdin)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words in result.stderr


def test_a_broken_game_can_be_looked_at_before_its_illegal_turn() -> None:
    assert valid("complete", "-", "--at", "1", stdin=BROKEN)["turn"] == 1


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert couperation("complete", tmp_path / "no.cgn").exit_code == 2
    assert couperation("complete", tmp_path).exit_code == 2
    (tmp_path / "a.cgn").write_text(DONE)
    (tmp_path / "b.cgn").write_text(INTERVAL)
    result = couperation("complete", tmp_path, tmp_path / "no.cgn", "--output-format", "json")
    assert [Path(data["file"]).name for data in objects(result)] == ["a.cgn", "b.cgn"]
    assert result.exit_code == 2


def test_certificates_of_several_games_are_one_array(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    result = couperation("complete", "-", "--certificate", out, stdin=DONE + "\n" + INTERVAL)
    assert f"3 certificates: {out}\n" in result.stderr
    claims = [each["claim"] for each in accepted(out)]
    assert claims == ["tower-completable", "tower-deadlocked", "tower-repair"]
    assert [path.name for path in tmp_path.iterdir()] == ["proof.json"]


def test_a_file_is_replaced_only_on_demand(tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    out.write_text("mine")
    refused = couperation("complete", "-", "--certificate", out, stdin=DONE)
    assert (refused.exit_code, refused.stdout, out.read_text()) == (2, "", "mine")
    assert "--force replaces it" in refused.stderr
    assert couperation("complete", "-", "--certificate", out, "--force", stdin=DONE).exit_code == 0
    assert json.loads(out.read_text())["claim"] == "tower-completable"
    nowhere = couperation("complete", "-", "--certificate", tmp_path / "no" / "x.json", stdin=DONE)
    assert nowhere.exit_code == 2
    assert "cannot write" in nowhere.stderr


def test_no_certificates_are_written_without_an_answer(tmp_path: Path) -> None:
    assert couperation("complete", "-", "--certificate", tmp_path / "x.json", stdin=MALFORMED).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_rejected_answer_is_a_failure_of_ours(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(couperation_checker, "check_object", lambda *_: Verdict("rejected", "COUNT", "\x1bno"))
    out = tmp_path / "x.json"
    result = couperation("complete", "-", "--certificate", out, stdin=DONE)
    assert (result.exit_code, result.stdout) == (70, "")
    assert "the independent checker rejects this answer" in result.stderr
    assert "COUNT \\x1bno" in result.stderr
    assert not out.exists()
    assert couperation("complete", "-", "--no-verify", stdin=DONE).exit_code == 0


def test_what_the_checker_cannot_check_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(couperation_checker, "check_object", lambda *_: Verdict("unsupported", "", "a later claim"))
    result = couperation("complete", "-", stdin=DONE)
    assert result.exit_code == 0
    assert "could not be verified: a later claim" in result.stderr


def test_a_certificate_that_no_checker_reads_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a tower with 22 cards to replace, 40 seconds of work: here for three that fall."""
    tower = position("tower 27@f1 26@g1 25@h1")
    assert "could not be verified" not in couperation("complete", "-", stdin=tower).stderr
    monkeypatch.setattr(answer, "_MOST_NODES", 1)
    result = couperation("complete", "-", stdin=tower)
    assert result.exit_code == 1
    assert "its certificate would be longer than a checker reads" in result.stderr
    assert "cards could still save it" in result.stdout


def test_an_up_card_that_is_not_shown_is_an_error() -> None:
    for command in ("complete", "windows"):
        result = couperation(command, "-", stdin=position("tower 25@g1 ?@h1"))
        assert result.exit_code == 2
        assert "the up card on h1 is not shown" in result.stderr


def test_a_process_writes_and_exits_like_the_rest(tmp_path: Path) -> None:
    done = run(["complete", "-"], INTERVAL.encode(), code=written_in("ascii"))
    assert done.returncode == 1
    assert b"these 4 cells must all hold a number between 20 and 29, and only 27 and 28 are left" in done.stdout
    assert b"replacing 1 card could still save it: 20 on f1" in done.stdout


def test_what_nothing_repairs_is_told_beside_a_misplaced_finish_card(tmp_path: Path) -> None:
    """F could be given up, but too few low cards are left whatever is: the certificate tells that, and is accepted."""
    text = position(f"tower 25@g1 F@f1\ngone {' '.join(map(str, range(1, 25)))}", variant="finish")
    out = tmp_path / "proof.json"
    assert valid("complete", "-", "--certificate", out, stdin=text, code=1)["repair"] is None
    (conflict,) = accepted(out)[1]["evidence"]["lower"][0]["proof"]["conflicts"]
    assert (conflict["cells"], conflict["reason"]["kind"]) == ([], "interval")


@pytest.mark.parametrize("path", some(POSITIONS, 8), ids=lambda path: path.stem)
def test_z3_says_the_same_of_a_tower(path: Path) -> None:
    exact = valid("complete", path, "--level", "tower", code=EXPECTED[path.name]["verdict"] == "deadlocked")
    z3 = valid("complete", path, "--level", "tower", "--engine", "z3", code=exact["verdict"] == "deadlocked")
    assert {**z3, "filling": None} == {**exact, "filling": None}  # Z3's filling is another one, and is checked
    assert couperation("complete", path, "--level", "tower", "--engine", "both").stdout


def test_engines_that_differ_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.hidden.smt.tower.z3_fill", lambda _: None)
    result = couperation("complete", "-", "--level", "tower", "--engine", "both", stdin=DONE)
    assert (result.exit_code, result.stdout) == (70, "")
    assert "the two engines differ" in result.stderr


def test_a_solver_that_gives_up_says_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("couperation_formal.hidden.smt.tower.z3_fill.__defaults__", (1,))
    result = couperation("complete", "-", "--level", "tower", "--engine", "z3", stdin=DONE)
    assert (result.exit_code, result.stdout, result.stderr) == (3, "", "-: game 1: undetermined\n")


def test_an_engine_is_asked_of_towers() -> None:
    of_table = couperation("complete", "-", "--engine", "z3", "--level", "table", stdin=DONE)
    assert (of_table.exit_code, "it goes without --level table" in of_table.stderr) == (2, True)
    assert valid("complete", "-", "--engine", "z3", stdin=DONE, code=0)["level"] == "tower"
