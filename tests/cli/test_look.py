"""show, position, moves, explain, rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import couperation_formal
from couperation_formal.game.rulings import RULING_NAMES
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import position_text
from couperation_formal.questions.schemas import schema
from tests.cli.run import BROKEN, DATA, GAMES, LEGAL, MALFORMED, POSITION, UNDETERMINED, couperation

GAME = GAMES / "game-00000.cgn"


def test_show_stands_after_the_turn() -> None:
    text = couperation("show", "-", "--at", "0", stdin=BROKEN).stdout
    assert "after the set-up, before turn 1 of 2" in text
    assert "1     ·    25     ·\n" in text
    assert "to move  Aki, who may draw up to 1 (DRW01)" in text
    text = couperation("show", "-", "--at", "1", stdin=BROKEN).stdout
    assert "after turn 1 of 2" in text
    assert "[17]" in text
    assert "Aki      30 44\n" in text
    assert "Reserve  1 7 12 33 40 50\n" in text
    assert "gone     none\n" in text
    assert "deck     37 cards\n" in text
    assert "to move  Ben, who may draw up to 2, as far as is known (DRW02, by the card on f1)" in text


def test_show_at_the_end_of_a_game() -> None:
    text = couperation("show", GAME).stdout
    assert "after turn 27 of 27: the game has ended (win)" in text
    assert "to move" not in text


def test_show_follows_the_rules_given() -> None:
    text = couperation("show", "-", "--at", "0", "--rules", "en-2 draw_amount=exact", stdin=LEGAL).stdout
    assert "rules en-2 draw_amount=exact" in text
    assert "d     e     f     g     h     i     j" in text


@pytest.mark.parametrize("path", sorted((DATA / "positions").glob("*.cgn"))[:8], ids=lambda path: path.stem)
def test_show_takes_positions(path: Path) -> None:
    result = couperation("show", path)
    assert result.exit_code == 0
    assert ", position\n" in result.stdout


def test_show_of_a_table() -> None:
    text = POSITION + "hand Aki 3 9\nhand Ben ? ?\nreserve 1 50 12 33 40 7\ngone 4 ?\ndeck 14 ?\nturn Ben\nlast g1\n"
    shown = couperation("show", "-", stdin=text).stdout
    assert "[25]" in shown
    assert "Ben      ? ?\n" in shown
    assert "gone     4 ?\n" in shown
    assert "deck     37 cards, from the top 14 ?\n" in shown
    assert couperation("show", "-", "--at", "1", stdin=text).exit_code == 2


def test_position_is_the_state_as_cgn_and_can_be_shown() -> None:
    text = couperation("position", GAME, "--at", "9").stdout
    (game,) = couperation_formal.read(GAME)
    assert isinstance(game, couperation_formal.Game)
    assert text == position_text(couperation_formal.position_after(game, 9))
    assert len(list(read_text(text))) == 1
    shown, after = (couperation(*words, stdin=text).stdout for words in (("show", "-"), ("show", GAME, "--at", "9")))
    assert shown.splitlines()[2:] == after.splitlines()[2:]


def test_position_under_a_rulebook_of_ones_own_can_be_read(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "en-2"\nbetween = "inclusive"\n')
    text = couperation("position", "-", "--rules", house, stdin=LEGAL).stdout
    (item,) = read_text(text)
    assert isinstance(item, couperation_formal.Snapshot)
    assert str(item.position.rules) == "en-2 between=inclusive"


def test_every_legal_prefix_gives_a_position_that_is_read() -> None:
    for turn in range(28):
        result = couperation("show", "-", stdin=couperation("position", GAME, "--at", str(turn)).stdout)
        assert result.exit_code == 0, turn


def test_moves_as_json_and_as_text() -> None:
    data = json.loads(couperation("moves", "-", "--at", "1", "--output-format", "json", stdin=LEGAL).stdout)
    Draft202012Validator(schema("moves")).validate(data)
    assert (data["turn"], data["player"], data["complete"]) == (1, "Aki", True)
    text = couperation("moves", "-", "--at", "1", stdin=LEGAL)
    assert text.stdout.splitlines() == [action["text"] for action in data["actions"]]
    assert f"turn 1, Aki: {len(data['actions'])} legal actions\n" == text.stderr


def test_moves_of_the_turn_after_the_last_one_and_with_unseen_cards() -> None:
    assert "A 22@f2" in couperation("moves", "-", "--at", "2", stdin=LEGAL).stdout
    result = couperation("moves", "-", "--at", "1", stdin=UNDETERMINED)
    assert result.exit_code == 0
    assert "unseen cards may allow more" in result.stderr


@pytest.mark.parametrize("command", ["show", "position", "moves"])
@pytest.mark.parametrize(
    "stdin, arguments, words",
    [
        (LEGAL, ["--at", "9"], "there is no turn"),
        (BROKEN, ["--at", "3"], "illegal"),
        (LEGAL, ["--at", "1", "--game", "2"], "- has no game 2: it has 1"),
        (MALFORMED, ["--at", "1"], "51 is no card"),
        (LEGAL, ["--at", "x"], "--at"),
        (LEGAL, ["--at", "-1"], "--at"),
        ("", ["--at", "1"], "there is no game in this file"),
    ],
)
def test_what_does_not_exist_is_told(command: str, stdin: str, arguments: list[str], words: str) -> None:
    if stdin is BROKEN and command == "position":
        arguments = ["--at", "2"]
    elif stdin is BROKEN and command == "show":
        stdin += "3. Aki A 30@h1\n"
    result = couperation(command, "-", *arguments, stdin=stdin)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["position", "moves"])
def test_positions_are_no_games(command: str) -> None:
    result = couperation(command, "-", "--at", "1", stdin=POSITION)
    assert result.exit_code == 2
    assert "this is a position" in result.stderr


def test_moves_after_the_end_and_missing_files() -> None:
    result = couperation("moves", GAME, "--at", "28")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the game ended with turn 27" in result.stderr
    assert couperation("show", "no.cgn").stderr == "error: cannot read no.cgn: no such file or directory\n"


def test_another_game_of_a_file() -> None:
    text = couperation("show", "-", "--game", "2", stdin=MALFORMED + LEGAL).stdout
    assert text.startswith("-  game 2, after turn 1 of 1")


def test_explain_in_words_and_as_json() -> None:
    assert couperation("explain", "TOW02").stdout.startswith("TOW02 · ")
    assert json.loads(couperation("explain", "between", "--output-format", "json").stdout)["name"] == "between"
    result = couperation("explain", "betwen")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "did you mean between?" in result.stderr


def test_rules_side_by_side_and_one() -> None:
    lines = couperation("rules").stdout.splitlines()
    assert lines[0].split() == ["ruling", "en-1", "en-2", "ja-2.2", "bgg"]
    assert couperation("rules", "en-2").stdout.startswith("en-2 · ")
    data = json.loads(couperation("rules", "--output-format", "json").stdout)
    assert data["default"] == "ja-2.2"
    assert [book["name"] for book in data["rulebooks"]] == ["en-1", "en-2", "ja-2.2", "bgg"]
    assert all(set(book["rulings"]) == set(RULING_NAMES) for book in data["rulebooks"])
    assert couperation("rules", "en-3").exit_code == 2


def test_show_says_that_the_card_which_sets_the_draw_was_laid_down(tmp_path: Path) -> None:
    table = tmp_path / "table.cgn"
    lines = "position\ntower 24@f1 25@g1\nhand Aki 3\nhand Ben 5\nreserve 1 50 7\nturn Aki\nlast f1 laid down\n"
    table.write_text(f'[CGN "1"]\n[Rules "en-2 draw_source=as_laid"]\n[Players "Aki Ben"]\n{lines}', encoding="utf-8")
    said = "to move  Aki, who may draw up to 1 (DRW04, as the card on f1 was laid down)"
    assert said in couperation("show", table).stdout
