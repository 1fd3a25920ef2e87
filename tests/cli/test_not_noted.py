"""Draws that were not noted (``+*``): what is told all the same, by each command, and what is told to be open."""

from __future__ import annotations

from functools import cache

import pytest

from tests.cli.run import couperation, objects
from tests.conftest import LONG, some

OVER = '[CGN "1"]\n[Players "Ann Bob"]\n1. Ann +* A 20@f1\n2. Bob +* A 15@e1\n3. Ann +* A 40@e2 ~~\n'
EIGHTH = '[CGN "1"]\n[Players "Ann Bob"]\n' + "".join(
    f"{n}. {'Bob' if n % 2 == 0 else 'Ann'} +* A {card}\n"
    for n, card in enumerate(("20@f1", "15@e1", "10@d1", "30@h1", "35@i1", "40@j1", "45@k1"), start=1)
)
LEGAL = """\
[CGN "1"]
[Rules "ja-2.2"]
[Players "Ann Bob"]
1. Ann +* A 20@f1
2. Bob +* A 15@e1
3. Ann +* A 30@h1
4. Bob +* B ?@i1
5. Ann +* A 17@e2
6. Bob +* A 27@g2
7. Ann +* C i1=33
8. Bob +* A 31@h2
9. Ann +* A 23@f2
10. Bob +* A 26@f3
*
"""
TOWER = "tower 15@e1 20@f1 25@g1 30@h1 33@i1 17@e2 23@f2 27@g2 31@h2 26@f3"


@cache
def said(command: str, text: str = LEGAL, code: int = 0) -> str:
    done = couperation(*command.split(), "-", stdin=text)
    assert done.exit_code == code, done.output
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "clause", "at", "about"),
    [
        (OVER, "TOW02", "3", ("--whole",)),
        (EIGHTH, "TOW04", "7", ("--at", "7")),
        *([(OVER, "TOW02", "3", ("--at", "3")), (EIGHTH, "TOW04", "7", ("--whole",))] if LONG else []),
    ],
)
def test_what_is_wrong_whatever_was_drawn_is_told(text: str, clause: str, at: str, about: tuple[str, ...]) -> None:
    """By `check`, by a dispute about the turn and about the record, by `explain`: before any size is tried."""
    assert f"[{clause}]" in couperation("check", "-", stdin=text).output
    (data,) = objects(couperation("dispute", *about, "-", "--output-format", "json", stdin=text))
    assert {(book["verdict"], book["code"]) for book in data["rulebooks"].values()} == {("illegal", clause)}
    assert couperation("explain", clause, "-", "--at", at, stdin=text).exit_code == 1


@pytest.mark.slow
def test_the_table_is_shown_with_the_sizes_that_are_open() -> None:
    told = said("show")
    assert "Ann      0 to 3 cards\nBob      0 to 3 cards\n" in told
    assert "deck     28 to 34 cards\n" in told
    known = said("show", LEGAL.replace("1. Ann", "deal Ann 20 30 48\n1. Ann"))
    assert "Ann      48 among 1 to 3 cards\n" in known


@pytest.mark.slow
def test_the_tower_is_asked_about_as_ever() -> None:
    """As of the tower with the Reserve and what is gone, which lie open."""
    position = said("position")
    for command in some(("complete --level tower", "windows"), 2):
        assert said(command).splitlines()[1:] == said(command, position).splitlines()[1:]
    assert "completable" in said("deadlock --level tower")


@pytest.mark.slow
def test_the_position_has_what_is_known_and_names_the_open_hands() -> None:
    text = said("position")
    assert text.splitlines()[3:] == ["position", TOWER, "reserve 1 50 ? ? ? ?", "; hand Ann 0-3", "; hand Bob 0-3"]
    assert "completable" in said("complete", text)


@pytest.mark.slow
def test_actions_that_some_size_allows_are_told_apart() -> None:
    (data,) = objects(couperation("moves", "--at", "11", "-", "--output-format", "json", stdin=LEGAL))
    assert (data["complete"], data["actions"]) == (False, [])
    assert {each["text"] for each in data["could"]} >= {"A ?@g3", "B ?@d1"}


@pytest.mark.slow
def test_a_card_that_may_have_been_drawn_is_not_the_one_that_is_missing() -> None:
    """The 23 may have come with the first draw, the Finish card is seen by all."""
    text = '[CGN "1"]\n[Rules "ja-2.2"]\n[Variant "finish"]\n[Players "Aki Ben"]\ndeal Aki 17 28 11\ndeal Ben 22 44 9\n'
    text += "reserve 1 50 12 30 40 7\n1. Aki +* A 17@f1\n2. Ben +* A 9@e1\n3. Aki +0 D 23+28_F=50@h1 trim 1\n"
    told = couperation("check", "--output-format", "concise", "-", stdin=text).output
    assert "ACT05 the Finish card is not in front" in told
    assert "23 is not" not in told


@pytest.mark.slow
def test_the_turns_after_it_are_judged() -> None:
    told = said("check")
    assert "10 turns, unfinished" in told
    assert "not judged" not in told
    wrong = couperation("check", "-", stdin=LEGAL.partition("\n7. ")[0].replace("A 27@g2", "A 31@g2"))
    assert "error[TOW02]" in wrong.output
