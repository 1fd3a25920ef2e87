"""The table's future under the later rulings: an answer at both levels, checked, and a position that tells it all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from couperation_checker import check_object

from couperation_formal.game.position import state_of
from couperation_formal.game.record import Game, LayUp, NoAction, Snapshot, Turn
from couperation_formal.game.rules.step import carry_out
from couperation_formal.game.tower import FINISH, Cell, Value
from couperation_formal.notation.read import read_text
from couperation_formal.notation.write import position_text
from couperation_formal.questions.records.states import position_after, state_after
from couperation_formal.questions.tables.moves import prospect
from tests.checker.records import BEFORE_FINISH
from tests.cli.run import couperation
from tests.towers.continuation.brute import FURTHER

POSITION = """[CGN "1"]
[Rules "ja-2.2 {}={}"]
[Players "Aki Ben"]
position
tower 25@g1 17@f1
hand Aki 3 9
hand Ben 5
reserve 1 50 12 33 40 7
turn Ben
last f1
"""


@pytest.mark.parametrize(("ruling", "option"), FURTHER)
def test_a_table_is_judged_and_so_is_its_tower(ruling: str, option: str) -> None:
    text = POSITION.format(ruling, option)
    table = couperation("complete", "-", "--level", "table", "--budget", "2000", stdin=text)
    assert (table.exit_code, "Traceback" in table.output) == (3, False), table.output
    tower = couperation("complete", "-", "--level", "tower", stdin=text)
    assert (tower.exit_code, "Traceback" in tower.output) == (0, False)


@pytest.mark.slow
def test_minimal_deadlocks_under_an_apex_without_orders(tmp_path: Path) -> None:
    """Two cards at most: those of `25` that the apex does not make, those of `none` without `F`; each is checked."""
    towers = {}
    for option in ("25", "none", "apex_free"):
        out = tmp_path / option
        rules = f"ja-2.2 finish_value={option}"
        command = ("deadlocks", "--max-cards", "2", "--variant", "finish", "--no-verify", "--rules", rules)
        asked = couperation(*command, "--certificate", out)
        assert asked.exit_code == 0, asked.output
        certificates = json.loads(out.read_text())
        assert {check_object(certificate).status for certificate in certificates} == {"accepted"}
        towers[option] = {each["position"].split("tower ")[1] for each in certificates}
    assert {option: len(found) for option, found in towers.items()} == {"25": 155, "none": 145, "apex_free": 139}
    assert towers["apex_free"] == {tower for tower in towers["none"] if "F" not in tower}
    assert towers["apex_free"] < towers["25"]


GAME = """[CGN "1"]
[Rules "en-2 no_action=skipped draw_source=nothing replacements=once"]
[Players "Ada Bo"]

deal Ada 17 30 44
deal Bo 9 21 38
reserve 1 50 12 33 14 7

1. Ada +0 A 17@f1
2. Bo +0 D 21-9=12@f1x17 trim 7
3. Ada +0 B 30@h1
4. Bo +0 C h1=30
"""


def test_a_position_tells_what_the_rulings_need() -> None:
    (game,) = read_text(GAME)
    assert isinstance(game, Game)
    position = position_after(game)
    assert position_text(position).splitlines()[-2:] == ["last -", "replaced yes"]
    (again,) = read_text(position_text(position))
    assert isinstance(again, Snapshot)
    before, after = state_after(game), state_of(again.position)
    assert (after.turned, after.replaced, after.skipped) == (before.turned, before.replaced, before.skipped)


@pytest.mark.parametrize(
    ("word", "expected"), [("", {(), (8,)}), ("draw_amount=exact", {(8,)}), ("finish_refill=next", {()})]
)
def test_an_action_that_lays_the_finish_card_ends_with_every_fill(word: str, expected: set[tuple[int, ...]]) -> None:
    rules = word if word.startswith("finish_refill") else f"finish_refill=at_once {word}"
    (game,) = read_text(BEFORE_FINISH.replace("finish_refill=at_once", rules.strip()) + "7. Ada +F,6 A F@g2\n")
    assert isinstance(game, Game)
    chance = prospect(game, 7).chance
    move = next(move for move in chance.moves.actions if move == LayUp(FINISH, Cell(6, 2)))
    assert {turn.fill for turn, _ in chance.ends(move)} == expected


def test_a_turn_without_action_leaves_a_tower_as_a_position_gave_it() -> None:
    (item,) = read_text(POSITION.format("no_action", "skipped").replace("17@f1", "26@f1"))
    assert isinstance(item, Snapshot)
    state = state_of(item.position)
    passed = carry_out(state, Turn(1, "Ben", (), NoAction()), 1).after
    assert (state.given, passed.given, passed.skipped) == (True, True, 1)
    laid = carry_out(passed, Turn(2, "Aki", (), LayUp(Value(3), Cell(4, 1))), 0).after
    assert (laid.given, laid.skipped) == (False, 0)
