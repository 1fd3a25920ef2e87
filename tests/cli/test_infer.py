"""`couperation infer`: marks that games force, games that do not agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from couperation_formal.game.fact import Steps
from couperation_formal.game.record import Game
from couperation_formal.notation.read import read_text
from couperation_formal.output.blocks import terminal
from couperation_formal.questions.disputes.infer import Marks, infer as inferred
from couperation_formal.questions.schemas import schema
from couperation_formal.words.say import ENGLISH
from tests.cli.run import MALFORMED, POSITION, couperation, objects

HEAD = '[CGN "1"]\n[Players "Aki Ben"]\ndeal Aki 17 30 44\ndeal Ben 22 9 28\nreserve 1 50 12 33 40 7\n\n'
TWO = HEAD + "1. Aki A 17@f1\n2. Ben +2,3 A 28@h1 drop 9\n"
"""Two cards are drawn after the 17, on level 1."""
ONE = HEAD + "1. Aki A 17@f1\n2. Ben +2 A 28@h1\n"
"""One card is drawn after the 17."""
HEART = HEAD.replace("]\ndeal", ']\n[Marks "17:H"]\ndeal', 1) + "1. Aki A 17@f1\n2. Ben A 28@h1\n"
"""The 17 is said to bear a heart."""
ILLEGAL = HEAD + "1. Aki A 22@f1\n"


def infer(*texts: str) -> dict[str, Any]:
    (data,) = objects(couperation("infer", "-", "--output-format", "json", stdin="".join(texts)))
    Draft202012Validator(schema("infer")).validate(data)
    return data


def told(found: Marks) -> str:
    return "".join(text for text, _ in terminal(found.blocks(), ENGLISH))


def test_two_cards_drawn_make_two_diamonds() -> None:
    data = infer(TWO)
    (known,) = data["marks"]
    assert (known["card"], known["marks"], known["certain"]) == (17, ["2"], True)
    assert {(source["turn"], source["code"]) for source in known["sources"]} == {(2, "DRW02"), (2, "DRW03")}


def test_one_card_drawn_leaves_two_marks() -> None:
    (known,) = infer(ONE)["marks"]
    assert (known["marks"], known["certain"]) == (["1", "2"], False)


def test_nothing_drawn_forces_nothing() -> None:
    assert infer(HEAD + "1. Aki A 17@f1\n2. Ben A 28@h1\n")["marks"] == []


def test_games_together_force_more_than_each() -> None:
    exact = ONE.replace("]\ndeal", ']\n[Rules "ja-2.2 draw_amount=exact"]\ndeal', 1)
    (known,) = infer(exact)["marks"]
    assert known["marks"] == ["1"]
    data = infer(exact, TWO)
    assert data["marks"] is None
    assert [game["game"] for game in data["odd"]] == [1, 2]


@pytest.mark.slow
def test_the_odd_game_of_three_is_named() -> None:
    result = couperation("infer", "-", stdin=TWO + HEART + ONE)
    assert result.exit_code == 1
    assert "these games cannot all be right" in result.stdout
    assert "without - game 2 the others agree" in result.stdout


def test_an_illegal_game_takes_no_part() -> None:
    data = infer(TWO, ILLEGAL)
    assert data["illegal"] == [{"file": "-", "game": 2, "turn": 1, "code": "ACT02"}]
    assert len(data["marks"]) == 1
    said = couperation("infer", "-", stdin=TWO + ILLEGAL).stdout
    assert "illegal: - game 2 by itself, turn 1, ACT02 Action A lays an own card up; it takes no part" in said


EXACT = ONE.replace("]\ndeal", ']\n[Rules "ja-2.2 draw_amount=exact"]\ndeal', 1)


def test_what_no_draw_can_tell_is_said() -> None:
    """Who may draw two cards may draw one; under `exact` the draw tells it."""
    assert [game["game"] for game in infer(ONE)["below"]] == [1]
    assert infer(EXACT)["below"] == []
    assert [game["game"] for game in infer(EXACT, ONE)["below"]] == [2]
    assert "in these games a draw bounds a mark from below only" in couperation("infer", "-", stdin=ONE).stdout
    assert "from below" not in couperation("infer", "-", stdin=EXACT).stdout
    assert "in - game 2 a draw bounds" in couperation("infer", "-", stdin=EXACT + ONE).stdout


def test_given_marks_are_not_repeated() -> None:
    assert infer(HEART)["marks"] == []


def test_exit_codes(tmp_path: Path) -> None:
    assert couperation("infer", "-", stdin=TWO).exit_code == 0
    assert couperation("infer", "-", stdin=ILLEGAL).exit_code == 1
    assert couperation("infer", "-", stdin=TWO + MALFORMED).exit_code == 2
    assert couperation("infer", "-", stdin=POSITION).exit_code == 2
    assert couperation("infer", "-", "--budget", "1", stdin=TWO).exit_code == 3
    assert couperation("infer", tmp_path / "none.cgn").exit_code == 2


def test_every_pair_that_does_not_agree_is_named() -> None:
    """Three games say three things of the 17: each two of them clash."""
    diamond = HEART.replace("17:H", "17:1")
    two = HEART.replace("17:H", "17:2")
    data = infer(HEART, diamond, two)
    assert [[each["game"] for each in clash["games"]] for clash in data["clashes"]] == [[1, 2], [1, 3], [2, 3]]
    for clash in data["clashes"]:
        assert [[*claim["bears"]] for claim in clash["claims"]] == [["17"], ["17"]]
    result = couperation("infer", "-", stdin=HEART + diamond + two)
    assert result.stdout.count("these games cannot all be right") == 3
    assert "- game 2, - game 3" in result.stdout
    assert "  17 bears one diamond, by - game 2: set-up (marks given)\n" in result.stdout
    assert "no single game's removal mends it" in result.stdout


def test_what_mends_it_is_not_told_before_it_is_known() -> None:
    text = HEART + HEART.replace("17:H", "17:1") + HEART.replace("17:H", "17:2")
    games = [game for game in read_text(text) if isinstance(game, Game)]
    steps = Steps()
    assert inferred(games, budget=steps).answer.complete
    found = inferred(games, budget=steps.spent - 1)
    assert found.answer.clashes
    assert not found.answer.complete
    assert "not all is known of which games do not agree" in told(found)
    early = inferred(games, budget=steps.spent - 60)
    assert not early.answer.odd
    assert "no single game" not in told(early)


@pytest.mark.slow
def test_the_examples_clash_on_a_card_and_the_turns_are_named() -> None:
    """What the folder of the help's examples shows, word for word, and in data."""
    folder = Path(__file__).resolve().parents[2] / "examples" / "infer"
    monday, wednesday = (str(folder / f"{day}.cgn") for day in ("monday", "wednesday"))
    assert couperation("infer", folder).stdout == (
        f"these games cannot all be right: {monday} game 1, {wednesday} game 1\n"
        f"  30 bears two diamonds, by {monday} game 1: turn 2 (DRW02 DRW03)\n"
        f"  30 bears one diamond, by {wednesday} game 1: set-up (marks given)\n"
        f"  without {monday} game 1 or without {wednesday} game 1 the others agree\n"
    )
    (data,) = objects(couperation("infer", folder, "--output-format", "json"))
    Draft202012Validator(schema("infer")).validate(data)
    drawn = [{"file": monday, "game": 1, "turn": 2, "code": code} for code in ("DRW02", "DRW03")]
    given = [{"file": wednesday, "game": 1, "turn": 0, "code": "Marks"}]
    claims = [{"bears": {"30": ["2"]}, "sources": drawn}, {"bears": {"30": ["1"]}, "sources": given}]
    assert data["clashes"] == [{"games": data["odd"], "claims": claims}]


@pytest.mark.slow
def test_games_that_clash_on_several_cards_together() -> None:
    """Two cards drawn after a heart over 17 and 25: these show two diamonds, and others say that they do not."""
    heart = '[CGN "1"]\n[Players "Aki Ben"]\n[Marks "22:H"]\n1. Aki A 17@f1\n2. Ben A 30@h1\n3. Aki A 22@f2\n'
    heart += "4. Ben +?,? A 15@e1\n"
    told_by = infer(heart, HEART, HEART.replace("17:H", "25:1"))["clashes"]
    assert [[game["game"] for game in clash["games"]] for clash in told_by] == [[1, 2, 3]]
    assert [claim["bears"] for claim in told_by[0]["claims"]] == [
        {"17": ["1", "2"], "25": ["2"]},
        {"17": ["H"]},
        {"25": ["1"]},
    ]
    text = couperation("infer", "-", stdin=heart + HEART + HEART.replace("17:H", "25:1")).stdout
    assert "17 bears one diamond or two diamonds, or 25 bears two diamonds, by - game 1" in text


@pytest.mark.slow
def test_positions_in_folders_are_skipped_and_refused_where_they_are_named(tmp_path: Path) -> None:
    """As `check` has it."""
    for folder, text in (("mixed", POSITION + TWO), ("alone", POSITION)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "at.cgn").write_text(text, "utf-8")
    for command in ("infer", "dispute", "check"):
        mixed, alone = (couperation(command, tmp_path / folder) for folder in ("mixed", "alone"))
        for found in (mixed, alone):
            assert "at.cgn: game 1 is a position, skipped" in found.stderr, command
        assert (mixed.exit_code, mixed.stdout == "") == (0, False)
        assert (alone.exit_code, alone.stdout) == (2, "")
        assert "no recorded game was found" in alone.stderr
        assert couperation(command, tmp_path / "mixed" / "at.cgn").exit_code == 2
