"""What is shown of a game that is illegal says so: which turn it is, and by which clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import BROKEN, couperation
from tests.conftest import LONG

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
THREE = EXAMPLES / "hidden" / "three-of-three.cgn"
"""Its turn 8 is impossible, which only a look at all that Ben can hold shows."""
SHOWING = [["show"], ["position"], ["windows"], ["complete", "--level", "tower"], ["deadlock", "--level", "tower"],
           ["moves", "--at", "9"]]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", SHOWING, ids=lambda words: words[0])
def test_a_game_that_check_refuses_is_not_shown_without_a_word(words: list[str]) -> None:
    result = couperation(words[0], THREE, *words[1:])
    assert result.exit_code in (0, 1)
    assert f"note: {THREE}: game 1: turn 8 is illegal (ACT02)" in result.stderr.splitlines()
    assert "is illegal" not in result.stdout


@pytest.mark.slow
def test_what_stands_before_the_illegal_turn_needs_no_word() -> None:
    for turn in ("0", "7"):
        assert couperation("show", THREE, "--at", turn).stderr == ""
    asked = couperation("show", THREE)
    assert asked.exit_code == 0
    assert "turn 8 is illegal (ACT02)" in asked.stderr


def test_a_legal_game_with_unseen_cards_needs_no_word() -> None:
    assert couperation("show", EXAMPLES / "hidden" / "public.cgn").stderr == ""


@pytest.mark.parametrize("words", SHOWING[1:4], ids=lambda words: words[0])
def test_an_illegal_turn_is_known_to_be_that(words: list[str]) -> None:
    result = couperation(words[0], "-", *words[1:], stdin=BROKEN)
    assert result.exit_code == 2
    assert (
        "turn 2 is illegal (TOW02): there is no state after turn 2; the last one that stands: --at 1" in result.stderr
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [([], 0), (["--alive", "--budget", "1000"], 3), *([(["--alive"], 0)] if LONG else ())],
    ids=["listed", "judged", *(["to the end"] if LONG else ())],
)
def test_the_last_turn_that_has_actions_is_the_illegal_one(words: list[str], code: int) -> None:
    result = couperation("moves", "-", "--at", "4", *words, stdin=BROKEN + "3. Aki A 9@e1\n")
    assert "there is no state after turn 3; the last one that stands: --at 2" in result.stderr
    assert couperation("moves", "-", "--at", "2", *words, stdin=BROKEN).exit_code == code


def test_a_draw_that_was_not_noted_leaves_sizes() -> None:
    """Any of two numbers of cards may have been drawn."""
    text = '[CGN "1"]\n[Players "Aki Ben"]\n[Marks "17:2"]\ndeal Aki 17 30 44\ndeal Ben 22 9 3\n'
    text += "reserve 1 50 12 33 40 7\n1. Aki A 17@f1\n2. Ben +* A 9@e1\n"
    result = couperation("show", "-", stdin=text)
    assert result.exit_code == 0
    assert "Ben      3 22 among 2 to 3 cards\n" in result.stdout


def test_windows_are_of_towers_and_have_no_level() -> None:
    assert couperation("windows", THREE, "--level", "tower").exit_code == 2
