"""What players and arbiters read: why a game was lost, complaints with their numbers, places, options of the house."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from couperation_formal.game.record import Game
from couperation_formal.notation.read import read_text
from couperation_formal.questions.records.check import check
from couperation_formal.words.say import ENGLISH, catalog
from tests.cli.run import couperation, objects

SENTENCES = catalog(ENGLISH)

HEAD = '[CGN "1"]\n[Rules "{rules}"]\n[Players "Aki Ben"]\n[Marks "17:2 9:1 30:H 28:1"]\n'
SETUP = "deal Aki 17 30 24\ndeal Ben 28 9 40\nreserve 1 50 12 33 41 7\n"
LOST = "1. Aki A 17@f1\n2. Ben B 28@f2\n3. Aki C f2=28\n"
WHY = "28 on f2 cannot lie between 17 on f1 and 25 on g1: 28 is not below 25"


def record(turns: str, rules: str = "ja-2.2") -> str:
    return HEAD.format(rules=rules) + SETUP + turns


def said(command: str, text: str, *arguments: str) -> str:
    return str(couperation(command, "-", *arguments, stdin=text).stdout)


def headline(text: str) -> str:
    """What the error of an illegal game says."""
    (found,) = re.findall(r"^error\[\w+\]: (.*)$", said("check", text), re.MULTILINE)
    return str(found)


def test_a_lost_game_tells_which_order_the_opened_card_broke() -> None:
    told = said("check", record(LOST))
    assert f"note[END02]: the game is lost: {WHY}\n" in told
    assert "= An opened card that breaks the orders loses: ja-2.2 §4.2 C; §5" in told
    assert "[28]" in told
    (data,) = objects(couperation("check", "-", "--output-format", "json", stdin=record(LOST)))
    (note,) = data["diagnostics"]
    assert (data["verdict"], data["result"], data["codes"]) == ("legal", "loss", [])
    assert (note["code"], note["severity"], note["turn"]) == ("END02", "note", 3)
    assert note["message"] == f"the game is lost: {WHY}"


def test_turns_after_the_end_and_another_result_are_told_the_same() -> None:
    after = record(LOST + "4. Ben A 9@e1\n")
    assert headline(after) == f"no turn follows the end: in turn 3 the game was lost, as {WHY}"
    assert headline(record(LOST + "win\n")) == f"the record states win, but in turn 3 the game was lost, as {WHY}"
    assert headline(record("1. Aki A 17@f1\nwin\n")) == "the record states win, but the game is unfinished"


def test_a_card_opened_beside_a_back_that_it_starves() -> None:
    dealt = record("1. Aki B 24@h1\n2. Ben B 26@i1\n3. Aki C i1=26\n").replace("deal Ben 28", "deal Ben 26")
    told = said("check", dealt)
    why = "the down card on h1 cannot lie between 25 on g1 and 26 on i1: no whole number is left for h1"
    assert f"note[END02]: the game is lost: {why}\n" in told
    (hangs,) = re.findall(r"= (hangs on .*)$", told, re.MULTILINE)
    assert hangs.endswith(
        "facedown=ignored (bgg ¶3) or facedown=repeats (en-1 §4.2 B, left open) or opened_against=stands (house option)"
        " the game would not be lost"
    )


@pytest.mark.slow
def test_an_apex_over_a_back_and_a_player_without_an_action() -> None:
    root = Path(__file__).resolve().parents[2] / "spec" / "clauses" / "end.md"
    games = re.findall(r"```cgn\n(.*?)```", root.read_text(encoding="utf-8"), re.DOTALL)
    told = "".join(said("check", game) for game in games if "\nstuck\n" in game or "early_apex=loses" in game)
    assert "note[END03]: the game is lost: no action was possible" in told
    assert "note[END02]: the game is lost: the apex was laid over down cards (" in told


@pytest.mark.parametrize(
    ("turns", "rules", "complaint"),
    [
        ("1. Aki A 24@f1\n2. Ben B 9@f2\n", "ja-2.2",
         "the down card on f2 cannot lie between 24 on f1 and 25 on g1: no whole number is left for f2"),
        ("1. Aki A 17@f1\n2. Ben A 9@f2\n", "ja-2.2",
         "9 on f2 cannot lie between 17 on f1 and 25 on g1: 17 is not below 9"),
        ("1. Aki A 30@f1\n", "ja-2.2", "30 on f1 cannot lie left of 25 on g1: 30 is not below 25"),
        ("1. Aki A 30@f1\n", "ja-2.2 row_order=weak", "30 on f1 cannot lie left of 25 on g1: 30 is above 25"),
        ("1. Aki A 17@f2\n", "ja-2.2", "no card can lie on f2 yet: nothing lies on f1 below it"),
        ("1. Aki A 17@e1\n", "ja-2.2", "e1 lies apart: no card of level 1 lies next to it"),
        ("1. Aki A 17@f1\n2. Ben +?,?,? B 9@h1 drop ?,?\n", "ja-2.2",
         "3 cards were drawn, and at most 2 may be: 17 on f1 bears two diamonds"),
        ("1. Aki A 17@f1 drop 24\n", "ja-2.2", "one card is dropped, and none must be: of 2 hand cards 3 may stay"),
        ("1. Aki A 17@f1 trim 7\n", "ja-2.2",
         "one card is trimmed, and none must be: of 6 cards in the Reserve 6 may stay"),
    ],
)  # fmt: skip
def test_a_headline_complains_with_its_numbers(turns: str, rules: str, complaint: str) -> None:
    assert headline(record(turns, rules)) == complaint


@pytest.mark.parametrize(
    ("dealt", "turns", "complaint"),
    [
        ("17 16 24", "1. Aki D 17-16=1@f1 trim 7\n2. Ben B 9@e1\n",
         "the down card on e1 cannot lie before 1 on f1: no whole number from 1 on is left for e1"),
        ("30 20 24", "1. Aki D 30+20=50@h1 trim 7\n2. Ben B 9@i1\n",
         "the down card on i1 cannot lie after 50 on h1: no whole number up to 50 is left for i1"),
    ],
)  # fmt: skip
def test_backs_below_1_and_above_50(dealt: str, turns: str, complaint: str) -> None:
    assert headline(record(turns, "en-2").replace("17 30 24", dealt)) == complaint


def test_a_heart_over_a_back_names_no_solvers_word() -> None:
    turns = "1. Aki A 17@f1\n2. Ben B 9@e1\n3. Aki A 16@e2\n4. Ben +4,5,6 A 28@h1 drop 4\n"
    text = record(turns).replace("30:H", "16:H").replace("17 30 24", "17 16 24")
    why = "16 on e2 bears a heart over a down card and two diamonds"
    assert headline(text) == f"3 cards were drawn, and at most 2 may be: {why}"


FORBIDDEN = re.compile(r"\bby place\b|\bconsult|\bno mark\b(?!:)|\bmust lie\b|\bmust be laid\b|\bclause's instance\b")


def test_no_sentence_has_a_solvers_word() -> None:
    """But `is no mark: …`, which tells of a word in the tag Marks."""
    assert {kind for kind, sentence in SENTENCES.items() if FORBIDDEN.search(sentence)} == set()


def test_hangs_on_names_the_options_and_their_texts() -> None:
    told = said("check", record("1. Aki A 24@f1\n2. Ben B 9@f2\n"))
    (hangs,) = re.findall(r"= (hangs on .*)$", told, re.MULTILINE)
    assert hangs == (
        "hangs on between=strict (ja-2.2 §3, rule 2, implied), facedown=integers (ja-2.2 §4.2 B);"
        " under between=inclusive (house option) or facedown=ignored (bgg ¶3)"
        " or facedown=repeats (en-1 §4.2 B, left open) this turn would be legal"
    )


def test_a_silent_text_is_told_and_the_others_cited() -> None:
    told = said("check", record("1. Aki A 17@e1\n", "bgg"))
    assert "= A new card of level 1 has a neighbour there: bgg is silent; ja-2.2 §3\n" in told
    concise = said("check", record("1. Aki A 17@e1\n", "bgg"), "--output-format", "concise")
    assert "(ja-2.2 §3) [hangs on spread]" in concise


def test_a_rulebook_of_the_users_own_cites_every_text(tmp_path: Path) -> None:
    own = tmp_path / "ours.toml"
    own.write_text('base = "bgg"\n', encoding="utf-8")
    told = said("check", record("1. Aki A 17@f1\n2. Ben A 9@f2\n"), "--rules", str(own))
    assert "between its two supports: en-1, en-2 §3, rule 2, ja-2.2 §3, rule 2, bgg ¶3\n" in told


def test_legal_under_no_reading_names_the_sources_and_who_is_silent() -> None:
    told = said("dispute", record("1. Aki A 17@f1\n2. Ben C f1=17\n"))
    assert "legal under no reading" in told
    assert re.search(r"^  ACT04  ", told, re.MULTILINE)
    assert re.search(r"^    en-1, en-2 +§4.2 C ", told, re.MULTILINE)
    assert re.search(r"^    bgg +\S+ +silent", told, re.MULTILINE)


def test_a_tree_asks_first_what_the_texts_differ_in_and_marks_the_house() -> None:
    told = said("dispute", record("1. Aki A 24@f1\n2. Ben B 9@f2\n"))
    tree = told.partition("decision tree")[2]
    assert tree.split()[0] == "facedown"
    assert "inclusive (house option)" in tree
    condition = told.partition("if and only if")[2].splitlines()[1]
    assert condition.split()[0] == "facedown"


def test_rulings_that_a_turn_does_not_touch_do_not_appear() -> None:
    """The record hangs on the back over 24 and 25, turn 3 by itself on where a card of level 1 may lie."""
    text = record("1. Aki A 24@f1\n2. Ben B 9@f2\n3. Aki A 17@d1\n")
    told = said("dispute", text, "--at", "3")
    before, _, answer = told.partition("\nrulebook")
    assert "turn 2: left open: legal if facedown is repeats" in before
    assert "facedown" not in answer
    assert told.partition("deciding rulings")[2].split()[0] == "spread"


def test_a_card_that_is_used_twice_in_one_action_is_said_to_be() -> None:
    for action in ("24-24=7@f1 trim 12", "24-30^24=7@f1 trim 12"):
        assert headline(record(f"1. Aki D {action}\n")) == "24 is not in the hand: the action has used it already"
    assert headline(record("1. Aki D 33-33=7@f1 trim 12\n")) == "33 is not in the hand: it is in the Reserve"


BELOW = """\
[CGN "1"]
[Rules "en-2 opened_against=stands"]
[Players "Aki Ben"]
deal Aki 2 30 24
deal Ben 28 9 40
reserve 1 50 12 33 41 7
1. Aki B 2@f1
2. Ben B 28@e1
3. Aki B 30@d1
4. Ben +0 B 9@h1
5. Aki +0 C f1=2
loss
"""
"""The 2 leaves one number from 1 on for the two cards to its left."""


def test_where_the_result_is_wrong_it_is_the_result_that_would_be_right() -> None:
    told = said("check", BELOW)
    assert "error[END05]: the record states loss, but the game is unfinished" in told
    assert "under opened_against=loses (en-2 §4.2 C, implied) this result would be right" in told
    (game,) = read_text(BELOW)
    assert isinstance(game, Game)
    assert check(game).words == "The result that is recorded breaks END05."
