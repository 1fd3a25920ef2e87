"""What a legal verdict takes for granted that nobody noted: `dispute`, `check --provided`, the page, the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import couperation_formal as cf
from couperation_formal.game.record import ALWAYS, Assumption, Proviso
from couperation_formal.game.tower import Value
from couperation_formal.questions.schemas import schema
from couperation_formal.words.say import runs
from tests.cli.run import GAMES, LEGAL, UNNOTED, couperation, objects
from tests.conftest import LONG

HEARTS = """\
[CGN "1"]
[Players "Ada Bo"]
[Marks "20:H"]
deal Ada 17 20 5
deal Bo 30 3 9
reserve 1 50 12 33 40 7
1. Ada A 17@f1
2. Bo B 30@h1
3. Ada +0 A 20@f2
4. Bo +6,10 D 9+?=12@e1 ~~ trim 1
*
"""
"""Two were drawn after a heart over two cards whose marks nobody noted, and an unseen card was sent."""

TWO = {"about": "mark", "card": 17, "mark": ["2"]}
SENT = {"about": "card", "at": "turn 4 action 2", "card": [3]}


def asked(command: str, text: str, *arguments: str) -> dict[str, Any]:
    (data,) = objects(couperation(command, "-", *arguments, "--output-format", "json", stdin=text))
    return data


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("--at", "2"), ("--whole",)])
def test_an_unnoted_mark_is_part_of_the_verdict(arguments: tuple[str, ...]) -> None:
    data = asked("dispute", UNNOTED, *arguments)
    assert data["provided"] == {"exact": True, "terms": [[TWO]]}
    assert data["provisos"] == dict.fromkeys(data["rulebooks"], data["provided"])
    assert {book["verdict"] for book in data["rulebooks"].values()} == {"legal"}


@pytest.mark.slow
def test_people_read_it_and_the_exit_code_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "argument.cgn"
    file.write_text(UNNOTED, encoding="utf-8")
    done = couperation("dispute", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.count("legal, provided that\n     17 bears two diamonds\n") == 2
    assert done.stdout.count("legal under every reading, with its proviso") == 2
    checked = couperation("check", "--provided", file)
    assert checked.exit_code == 0
    assert "legal, provided that\n       17 bears two diamonds\n" in checked.output


def test_rulebooks_may_take_different_things_for_granted() -> None:
    data = asked("dispute", HEARTS, "--at", "4")
    terms = {name: {*map(repr, told["terms"])} for name, told in data["provisos"].items()}
    assert {told["exact"] for told in data["provisos"].values()} == {True}
    none = [{"about": "mark", "card": card, "mark": ["1", "2"]} for card in (17, 25)]
    assert terms["en-1"] == terms["en-2"] == {repr([*none, SENT])}
    two = [[{"about": "mark", "card": card, "mark": ["2"]}, SENT] for card in (17, 25)]
    assert terms["ja-2.2"] == {repr([*none, SENT]), *map(repr, two)}
    exact = [("1", "1"), ("2", "H"), ("H", "2")]
    assert terms["bgg"] == {
        repr(
            [
                *({"about": "mark", "card": card, "mark": [mark]} for card, mark in zip((17, 25), marks, strict=True)),
                SENT,
            ]
        )
        for marks in exact
    }
    assert data["provided"]["exact"] is False
    ((*marks, sent),) = data["provided"]["terms"]
    assert sent == SENT
    assert marks == [{"about": "mark", "card": card, "mark": ["1"]} for card in (17, 25)]


def test_three_numbers_make_a_run_and_two_do_not() -> None:
    assert [*runs([1, 2, 4, 5, 6])] == [(1, 1), (2, 2), (4, 6)]


def test_rulebooks_are_told_apart_for_people() -> None:
    shown = couperation("dispute", "-", "--at", "4", stdin=HEARTS).stdout
    assert "legal under en-1, en-2, provided that\n     17 does not bear a heart, and 25 does not bear a heart" in shown
    assert "the second card sent in turn 4 is 3" in shown


@pytest.mark.slow
def test_whatever_they_are_is_said_only_when_true() -> None:
    idle = UNNOTED.replace("+6,10", "+0").replace(" drop 3", "")
    assert asked("check", idle, "--provided")["provided"] == {"exact": True, "terms": [[]]}
    assert (
        "whatever the marks and cards are that nobody noted"
        in couperation("check", "-", "--provided", stdin=idle).stdout
    )
    assert "whatever" not in couperation("check", "-", "--provided", stdin=UNNOTED).stdout
    assert "whatever" not in couperation("check", "-", stdin=idle).stdout


def test_what_is_shown_takes_nothing_for_granted() -> None:
    shown = asked("check", (GAMES / "game-00000.cgn").read_text(encoding="utf-8"), "--provided")
    assert (shown["verdict"], shown["world"], shown["provided"]) == ("legal", None, None)
    assert asked("dispute", LEGAL)["provided"] is None


def test_an_illegal_game_has_none() -> None:
    data = asked("check", UNNOTED.replace("+6,10", "+6,10,11").replace("drop 3", "drop 3,5"), "--provided")
    assert (data["verdict"], data["provided"]) == ("illegal", None)
    data = asked("dispute", UNNOTED.replace("+6,10", "+6,10,11").replace("drop 3", "drop 3,5"), "--at", "2")
    assert (data["provided"], data["provisos"]) == (None, {})


def test_plain_check_says_what_its_replay_knows() -> None:
    shown = couperation("check", "-", stdin=UNNOTED).stdout
    assert "nobody noted the mark of 17 on f1 (turn 2); --provided tells" in shown
    assert asked("check", UNNOTED)["provided"] is None
    assert "--provided" not in couperation("check", "-", stdin=LEGAL).stdout


@pytest.mark.slow
def test_a_draw_that_was_not_noted_gets_its_size() -> None:
    data = asked("check", UNNOTED.replace("+6,10", "+*").replace("drop 3", "drop ?"), "--provided")
    size = {"about": "size", "at": "turn 2 draw", "cards": 2}
    assert data["provided"] == {"exact": False, "terms": [[size, TWO]]}


@pytest.mark.slow
@pytest.mark.parametrize("budget", [15_000, 22_000, 30_000, 60_000])
def test_a_spent_budget_claims_nothing_wrong(budget: int) -> None:
    data = asked("dispute", HEARTS, "--at", "4", "--budget", str(budget))
    for told in data["provisos"].values():
        assert told["exact"] or len(told["terms"]) <= 1
        for term in told["terms"]:
            marks = {each["card"]: each["mark"] for each in term if each["about"] == "mark"}
            assert SENT in term
            assert {"H"}.isdisjoint(marks.get(17, "H")) or marks[25] == ["2"]


@pytest.mark.slow
def test_pairs_of_unseen_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sum few pairs will do, with a difference more than sixteen, of which the suite tries five: one is told, as
    an example.
    """
    if not LONG:
        monkeypatch.setattr("couperation_formal.hidden.smt.infer._TRIED", 5)
    pair = HEARTS.replace("D 9+?", "D ?+?").replace("deal Bo 30 3 9", "deal Bo 30 ? ?").replace("+6,10 ", "")
    data = asked("check", pair, "--provided", "--rules", "en-1", "--from", "4")["provided"]
    sums = [(2, 10), (3, 9), (4, 8)]
    assert [[each["card"] for each in term] for term in data["terms"]] == [[list(sum_)] * 2 for sum_ in sums]
    data = asked("check", pair.replace("?+?", "?-?"), "--provided", "--from", "4")["provided"]
    assert (data["exact"], len(data["terms"])) == (False, 1)
    assert {each["at"] for each in data["terms"][0]} == {"turn 4 action 1", "turn 4 action 2"}


@pytest.mark.parametrize("engine", ["plain", "spec"])
def test_engines_that_ask_no_solver_know_no_provisos(engine: str) -> None:
    assert couperation("check", "-", "--provided", "--engine", engine, stdin=UNNOTED).exit_code == 2


def test_from_a_turn_on() -> None:
    told = asked("check", HEARTS.replace("2. Bo B 30@h1", "2. Bo A 30@f2"), "--provided", "--from", "4")
    assert told["verdict"] == "legal"
    assert all(SENT in term for term in told["provided"]["terms"])


@pytest.mark.slow
def test_the_page_tells_it(tmp_path: Path) -> None:
    file, page = tmp_path / "a.cgn", tmp_path / "a.html"
    file.write_text(HEARTS, encoding="utf-8")
    assert couperation("report", file, "-o", page, "--dispute").exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "<li>17 bears two diamonds, and the second card sent in turn 4 is 3</li>" in text
    assert "legal under en-1, en-2, provided that" in text


@pytest.mark.slow
def test_the_library_tells_it() -> None:
    (game,) = cf.read_text(UNNOTED)
    assert isinstance(game, cf.Game)
    expected = Proviso(True, ((Assumption("mark", Value(17), ("2",)),),))
    assert cf.dispute(game, at=2).provided == dict.fromkeys(("en-1", "en-2", "ja-2.2", "bgg"), expected)
    assert cf.check(game, provided=True).provided == expected
    assert cf.check(game).provided is None
    (idle,) = cf.read_text(UNNOTED.replace("+6,10", "+0").replace(" drop 3", ""))
    assert cf.check(idle, provided=True).provided == ALWAYS


def test_the_forms_tell_of_every_kind_of_literal() -> None:
    kinds = {name.removesuffix("Data") for name in schema("check")["$defs"]}
    assert {"Mark", "Unseen", "Began", "Size", "Provided"} <= kinds
