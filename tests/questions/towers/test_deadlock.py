"""`deadlock` on real games: every turn asked by itself, and every action of the turn in question tried by itself."""

from __future__ import annotations

import json
from itertools import combinations, product
from pathlib import Path

import msgspec
import pytest

import couperation_formal as cf
from couperation_formal.game.record import Turn
from couperation_formal.game.tower import Shown
from tests.cli.run import BROKEN, GAMES, LEGAL, POSITION, objects
from tests.conftest import LONG, some
from tests.questions.towers.run import accepted, couperation, valid

pytestmark = pytest.mark.slow


FOUND = json.loads((GAMES / "expected.json").read_text(encoding="utf-8"))
LEGAL_GAMES = [path for path in sorted(GAMES.glob("*.cgn")) if FOUND[path.name]["verdict"] == "legal"]
"""The games that can be told to their end."""


def test_there_are_games_of_each_sort() -> None:
    verdicts = [valid("deadlock", path, "--no-verify")["verdict"] for path in LEGAL_GAMES]
    assert verdicts.count("completable") >= 4
    assert verdicts.count("deadlocked") >= 8


@pytest.mark.parametrize("path", some(LEGAL_GAMES), ids=lambda path: path.stem)
def test_every_turn_asked_by_itself(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "proof.json"
    data = valid("deadlock", path, "--certificate", out)
    (game,) = cf.read(path)
    assert isinstance(game, cf.Game)
    alone = [cf.complete(game, turn, level="tower").data() for turn in range(len(game.record.turns) + 1)]
    dead = [each.verdict == "deadlocked" for each in alone]
    assert [any(a <= turn <= b for a, b in data["intervals"]) for turn in range(len(dead))] == dead
    assert data["intervals"] == sorted(data["intervals"])
    assert all(b + 1 < a for (_, b), (a, _) in zip(data["intervals"], data["intervals"][1:], strict=False))
    claims = [each["claim"] for each in accepted(out)]
    wanted = [f"tower-{each.verdict}" for each in alone]
    assert claims == wanted + ["tower-completable"] * len(data["saving"] or ())
    if not dead[-1]:
        assert [data[key] for key in ("turn", "laid", "reason", "saving", "complete")] == [None, None, None, None, True]
        return
    turn = data["turn"]
    assert all(dead[turn:])
    assert turn == 0 or not dead[turn - 1]
    assert data["reason"] == json.loads(msgspec.json.encode(alone[turn].reason))
    assert data["laid"].startswith(f"{turn}. {game.record.turns[turn - 1].player} ")


def saved(game: cf.Game, turn: int) -> list[str]:
    """The actions of a turn that keep the tower completable with some cards destroyed, each replayed as a record."""
    recorded = game.record.turns[turn - 1]
    before = game.record.turns[: turn - 1]
    found = []
    for action in cf.moves(game, turn).actions:
        for drop, trim in product(*(_piles(game, turn, action))):
            new = Turn(recorded.number, recorded.player, recorded.draw, action, (), drop, trim)
            record = msgspec.structs.replace(game.record, turns=(*before, new), result=None)
            tried = msgspec.structs.replace(game, record=record)
            report = cf.check(tried)
            going = report.verdict == "legal" and report.result in ("unfinished", "win")
            if going and cf.complete(tried, level="tower").data().verdict == "completable":
                found.append(cf.action_text(action))
                break
    return found


def _piles(game: cf.Game, turn: int, action: object) -> list[list[tuple[Shown, ...]]]:
    """Every choice of up to three cards to drop, and of up to one to trim, whether or not it is called for."""
    state = cf.state_after(game, turn - 1)
    hand: list[Shown] = [*state.hands[state.to_move].known, *game.record.turns[turn - 1].draw]
    replaced = getattr(action, "replaced", None)
    hand += [] if replaced is None else [replaced.card]
    sent = [getattr(action, "first", None), getattr(action, "second", None)]
    reserve: list[Shown] = [*state.reserve.known, *(card for card in sent if card is not None)]
    return [
        [tuple(cards) for count in range(most + 1) for cards in combinations(pile, count)]
        for pile, most in ((hand, 3), (reserve, 1))
    ]


@pytest.mark.parametrize("name", ["game-00001", "game-00006", "game-00029", *(["game-00030"] if LONG else [])])
def test_the_saving_actions_are_those_that_replaying_finds(name: str) -> None:
    path = GAMES / f"{name}.cgn"
    data = valid("deadlock", path, code=1)
    (game,) = cf.read(path)
    assert isinstance(game, cf.Game)
    assert data["saving"] == saved(game, data["turn"])
    assert data["saving"]
    assert data["complete"] is True


def test_a_turn_that_only_destroyed_the_wrong_card() -> None:
    """Ben drops the one number that fits between 23 and 25: the same action with another drop is a way out."""
    text = """[CGN "1"]
[Rules "en-2"]
[Players "Aki Ben"]
[Marks "23:2"]
deal Aki 23 17 44
deal Ben 30 9 3
reserve 1 50 12 33 40 7
1. Aki A 23@f1
2. Ben +24,2 A 30@h1 drop 24
"""
    data = valid("deadlock", "-", stdin=text, code=1)
    assert (data["intervals"], data["turn"], data["laid"]) == ([[2, 2]], 2, "2. Ben +24,2 A 30@h1 drop 24")
    assert data["reason"] == {"kind": "interval", "above": 23, "below": 25, "cells": ["f2"], "left": []}
    assert "A 30@h1" in data["saving"]
    assert "A 24@h1" not in data["saving"]


def test_a_deadlock_that_a_replacement_ends() -> None:
    text = """[CGN "1"]
[Rules "en-2"]
[Players "Aki Ben"]
deal Aki 24 13 7
deal Ben 49 3 4
reserve 1 50 20 21 22 23
1. Aki A 24@f1
2. Ben A 49@j1
3. Aki D 13+7=20@f1x24 trim 50
"""
    data = valid("deadlock", "-", stdin=text, code=0)
    assert (data["verdict"], data["intervals"], data["turn"]) == ("completable", [[1, 2]], None)
    shown = couperation("deadlock", "-", "--level", "tower", stdin=text).stdout
    assert "completable: at the end; deadlocked from turn 1 to turn 2\n" in shown
    text += "4. Ben A 4@e1\n5. Aki A 24@f2\n6. Ben A 3@d1\n"
    data = valid("deadlock", "-", stdin=text, code=1)
    assert (data["intervals"], data["turn"]) == ([[1, 2], [6, 6]], 6)
    shown = couperation("deadlock", "-", "--level", "tower", stdin=text).stdout
    assert "deadlocked: from turn 6 to the end\nbefore that it was deadlocked from turn 1 to turn 2\n" in shown


def test_unseen_cards_leave_it_open_what_else_could_save() -> None:
    text = '[CGN "1"]\n[Rules "en-2"]\n[Players "Aki Ben"]\ndeal Aki 24 ? ?\n1. Aki A 24@f1\n'
    data = valid("deadlock", "-", stdin=text, code=1)
    assert (data["turn"], data["complete"], data["laid"]) == (1, False, "1. Aki +0 A 24@f1")
    assert "(unseen cards may allow more)" in couperation("deadlock", "-", "--level", "tower", stdin=text).stdout


@pytest.mark.parametrize(
    "stdin, words",
    [
        (BROKEN.replace("9 3", "9 17"), "set-up"),
        (POSITION, "this is a position"),
        (LEGAL.replace("17@f1", "51@f1"), "51 is no card"),
    ],
)
def test_what_cannot_be_scanned_is_told(stdin: str, words: str) -> None:
    result = couperation("deadlock", "-", "--level", "tower", stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_several_games() -> None:
    dead = (GAMES / "game-00001.cgn").read_text(encoding="utf-8")
    result = couperation("deadlock", "-", "--level", "tower", "--output-format", "json", stdin=LEGAL + "\n" + dead)
    assert [(data["game"], data["verdict"]) for data in objects(result)] == [(1, "completable"), (2, "deadlocked")]
    assert result.exit_code == 1
    assert couperation("deadlock", "-", "--level", "tower", "--game", "1", stdin=LEGAL + "\n" + dead).exit_code == 0


def test_the_library_gives_the_same() -> None:
    (game,) = cf.read(GAMES / "game-00001.cgn")
    assert isinstance(game, cf.Game)
    data = cf.deadlock(game, level="tower").data()
    assert data.turn == 6
    wider = cf.deadlock(game, "ja-2.2 anchor=floating between=inclusive", level="tower").data()
    assert isinstance(data, cf.DeadlockData)
    assert isinstance(wider, cf.DeadlockData)
    assert wider.intervals == data.intervals
